//===- Passes.h - The steps of prepareModule --------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_PASSES_PASSES_H
#define HEDDLE_LIB_PASSES_PASSES_H

#include "heddle/Passes/MathCalls.h"
#include "heddle/Passes/Pipelines.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class CallBase;
class CallInst;
class DebugLoc;
class Function;
class IRBuilderBase;
class Instruction;
class Module;
class Type;
class Value;
} // namespace llvm

namespace heddle {

/// "FILE:LINE" of the outermost source position of \p I, or "".
std::string sourcePosition(const llvm::Instruction &I);

/// One spelling of each operation: no frem, powi, ldexp, lrint, minimumnum,
/// scmp, no NVVM arithmetic that rounds to nearest.
void canonicalizeIntrinsics(llvm::Function &F);

/// A call of heddle.math.\p Name for the type of the first operand.
llvm::Value *createMathCall(llvm::IRBuilderBase &Builder, llvm::StringRef Name,
                            llvm::ArrayRef<llvm::Value *> Operands,
                            llvm::Type *Result);

/// Approximate f32 functions, named by an afn flag or by an llvm.nvvm
/// intrinsic, in terms of those that the machine has.
void lowerApproximateMath(llvm::Function &F);

/// Inline PTX whose mnemonics are known becomes IR; other texts stay. A line of
/// \p Warnings for what then takes another time than on the machine.
void lowerInlineAsm(llvm::Function &F, std::string &Warnings);
/// The same for one call; false if it stays.
bool lowerInlineAsm(llvm::CallInst &Call);
/// The same for the texture and surface instructions in all of \p M, which
/// become calls of functions that the front end has linked.
void lowerTextureAsm(llvm::Module &M);

/// llvm.nvvm.wmma.* becomes loads, shuffles and arithmetic. A line of
/// \p Warnings for what then takes another time than on the machine.
void lowerMatrixIntrinsics(llvm::Function &F, std::string &Warnings);

/// No vote, match or reduction names members that differ between the lanes that
/// execute it together. With \p KeepBlocks no block is added: reductions take a
/// stretch of instructions instead of a loop.
void splitMemberMasks(llvm::Function &F, bool KeepBlocks = false);

/// For architectures before sm_70, whose PTX has no other: every atomic is
/// relaxed, between fences where it was ordered.
void relaxAtomics(llvm::Function &F, llvm::StringRef Arch);

/// Guarded loads and stores in inline assembly become branches.
void lowerPredicatedAccesses(llvm::Function &F);

/// Struct arguments that the kernel writes become local copies.
void copyWrittenStructs(llvm::Function &Kernel);

/// Pointers in structs passed by value point to global memory, as those do that
/// are passed themselves (which address-space inference knows).
void assumeGlobalMembers(llvm::Function &Kernel);

/// printf and failed asserts as calls of heddle.print.N (Pipelines.h) if \p
/// Keep, else as nothing, with a warning; an assert traps either way.
void lowerPrints(llvm::Module &M, bool Keep, std::string &Warnings);

/// Calls through pointers become calls of the functions that they may reach;
/// true if there were any, which may now be inlined.
bool resolvePointers(llvm::Module &M);

/// Gives functions whose address is a value a number that stands for it. No
/// function is then used but by calls.
void numberFunctions(llvm::Module &M);

/// Writes recursion of kernels out; true if there was any.
bool unrollRecursion(llvm::Module &M);

/// Kind of the refused call behind the functions that a pointer may reach: of a
/// pointer that is made as the language has it, it is never reached.
inline constexpr llvm::StringLiteral OtherTarget = "target";

/// Replaces \p Call by one of heddle.refused.\p Kind (Pipelines.h).
void refuseCall(llvm::CallBase &Call, llvm::StringRef Kind,
                const llvm::Twine &Reason);

/// Kind of the refused call that a kernel comes to if alloca() takes too much.
inline constexpr llvm::StringLiteral StackOverflow = "stack";

/// Gives what alloca() takes a place in a frame of constant size.
void lowerDynamicAllocas(llvm::Function &F);

/// Calls of functions that are not there, of the allocator and through unknown
/// pointers become calls of heddle.refused.*.
void refuseUnknownCalls(llvm::Module &M);

/// fmuladd and contractable pairs become llvm.fma; drops "contract".
void contractMultiplyAdd(llvm::Function &F);

/// memcpy, memmove and memset become loads and stores, in a loop if many.
void expandMemoryIntrinsics(llvm::Function &F,
                            const llvm::TargetTransformInfo &TTI);

/// Constant expressions among the operands become instructions.
void expandConstantExpressions(llvm::Function &F);

} // namespace heddle

#endif // HEDDLE_LIB_PASSES_PASSES_H
