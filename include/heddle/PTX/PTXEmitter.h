//===- PTXEmitter.h - PTX that says which IR it came from -------*- C++ -*-===//

#ifndef HEDDLE_PTX_PTXEMITTER_H
#define HEDDLE_PTX_PTXEMITTER_H

#include "heddle/Analysis/KernelNumbering.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class CallInst;
}

namespace heddle {

/// Opcodes that stand for what the back end cannot select begin with one of
/// these: a mathematical function ("math.sin.f32"), a value the driver hands to
/// a kernel ("special.work_dim"), any other external function ("call.printf").
inline constexpr llvm::StringLiteral MathOpcodePrefix = "math.";
inline constexpr llvm::StringLiteral SpecialOpcodePrefix = "special.";
inline constexpr llvm::StringLiteral CallOpcodePrefix = "call.";

/// True if \p Call is one that NVPTX has no instructions for.
bool isOpaqueCall(const llvm::CallInst &Call);

/// The opcode that stands for the opaque call \p Call.
std::string opaqueOpcode(const llvm::CallInst &Call);

/// The PTX of \p Kernel alone. The line of each `.loc` is the number of the IR
/// instruction in \p Numbering, the comment at each label names the IR block as
/// "B" and its number, and opaque calls are one pseudo instruction each:
/// `math.sin.f32 %dst, %src;`. The kernel and its module stay unchanged.
llvm::Expected<std::string> emitProvenancePTX(const llvm::Function &Kernel,
                                              const KernelNumbering &Numbering,
                                              llvm::StringRef Arch);

/// The PTX of \p Kernels, in which opaque calls are pseudo instructions, as one
/// file in instructions that ptxas takes: functions are called and declared
/// `.extern`, OpenCL's values of the driver are read from %envreg, where
/// NVIDIA's OpenCL compiler has them. PTXReader reads it as the same
/// instructions again.
std::string assemblyText(llvm::ArrayRef<std::string> Kernels);

} // namespace heddle

#endif // HEDDLE_PTX_PTXEMITTER_H
