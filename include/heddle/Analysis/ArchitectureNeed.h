//===- ArchitectureNeed.h - Which GPU an instruction needs ------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_ARCHITECTURENEED_H
#define HEDDLE_ANALYSIS_ARCHITECTURENEED_H

#include <optional>
#include <string>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace heddle {

/// An instruction that a GPU below sm_Number does not have.
struct ArchitectureNeed {
  const llvm::Instruction *Inst;
  unsigned Number;
  std::string Name; ///< as PTX calls it: "cp.async.bulk"
};

/// Of the instructions of \p Kernel that need a later architecture than
/// sm_\p Given the first that needs the latest, by what the PTX ISA 8.8 says of
/// each ("Target ISA Notes").
std::optional<ArchitectureNeed> laterArchitecture(const llvm::Function &Kernel,
                                                  unsigned Given);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_ARCHITECTURENEED_H
