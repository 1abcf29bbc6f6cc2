//===- Registers.h - Registers per thread -----------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_REGISTERS_H
#define HEDDLE_LIB_PTX_REGISTERS_H

#include "heddle/PTX/PTXReader.h"

#include <optional>
#include <string>

namespace heddle {

/// Registers per thread of 32 bits that a register allocator needs for \p PTX,
/// by the most values that live at once. docs/CodeTable.md gives its error.
unsigned estimateRegisters(const ptx::Kernel &PTX);

struct PtxasResult {
  unsigned Registers;
  std::string Arch; ///< that ptxas compiled for
};

/// What `ptxas -v` says about the kernel in \p Text, or nothing if there is no
/// ptxas ($HEDDLE_PTXAS, else on PATH or below $CUDA_PATH) or it refuses the
/// text.
std::optional<PtxasResult>
runPtxas(llvm::StringRef Text, llvm::StringRef Kernel, llvm::StringRef Arch);

} // namespace heddle

#endif // HEDDLE_LIB_PTX_REGISTERS_H
