//===- MachineCode.h - A kernel in a machine's instructions -----*- C++ -*-===//
//
// The levels of code below the IR, as docs/MachineCode.md describes them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINECODE_MACHINECODE_H
#define HEDDLE_MACHINECODE_MACHINECODE_H

#include "heddle/PTX/CodeTable.h"

namespace heddle {

/// The newest architecture whose code was compared with ptxas's (11.8), and the
/// newest that is given the same: sm_100 and sm_103 (an assumption, which
/// results name).
inline constexpr unsigned NewestCompared = 90, NewestAlike = 103;

/// The instructions of \p Kernel (of a prepared module) at any level.
///
/// Levels PTX and IR are those of buildCodeTable. At level Machine the PTX is
/// lowered to the instructions of \p Arch, joined, predicated, scheduled and
/// allocated to registers by models of what ptxas does; no tool is asked, and
/// the registers are the allocator's. What that level does not model gives
/// level PTX, and KernelCode::Fallback says why. At level SASS ptxas and
/// nvdisasm are run and each instruction goes back to its block by its line.
/// Errors: those of buildCodeTable; for SASS a tool is missing or refuses the
/// kernel.
llvm::Expected<KernelCode> buildKernelCode(const llvm::Function &Kernel,
                                           llvm::StringRef Arch, ISA Level,
                                           bool UsePtxas = true);

/// Whether level Machine takes the function of the device library ("sin",
/// "f64") as nvcc's own instructions on one path (MathPatterns.def): the one of
/// median length over operands of ordinary size, without loads of tables.
bool isTracedFunction(llvm::StringRef Name, llvm::StringRef Type);

} // namespace heddle

#endif // HEDDLE_MACHINECODE_MACHINECODE_H
