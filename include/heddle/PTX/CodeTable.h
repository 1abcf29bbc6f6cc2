//===- CodeTable.h - From a prepared kernel to its instructions -*- C++ -*-===//

#ifndef HEDDLE_PTX_CODETABLE_H
#define HEDDLE_PTX_CODETABLE_H

#include "heddle/ABI/CodeTable.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace heddle {

enum class ISA { PTX, IR };

/// The instructions of a kernel by basic block, plus what the emitted code says
/// of its resources. Same records as runtime's trace::CodeTable.
struct KernelCode {
  std::string Kernel;
  ISA Level = ISA::PTX;
  std::vector<HeddleInst> Insts;
  std::vector<HeddleBlock> Blocks;
  std::vector<HeddleMemoryRecord> Memory;
  std::vector<std::string> Opcodes;
  std::vector<std::string> Files;
  unsigned NumRegisters = 0;
  unsigned RegistersPerThread = 0; ///< from ptxas if found, else estimated
  std::string RegisterSource;      ///< "ptxas" or "estimate"
  std::string PTX;                 ///< the emitted text (level PTX)
};

/// Emits \p Kernel (of a prepared module) for \p Arch and reads back which PTX
/// instruction stands for which IR instruction.
llvm::Expected<KernelCode> buildCodeTable(const llvm::Function &Kernel,
                                          llvm::StringRef Arch, ISA Level);

} // namespace heddle

#endif // HEDDLE_PTX_CODETABLE_H
