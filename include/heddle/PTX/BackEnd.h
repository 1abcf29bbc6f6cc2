//===- BackEnd.h - The NVPTX back end, in two halves ------------*- C++ -*-===//
//
// LLVM's NVPTX back end first rewrites IR (loads are vectorised, addresses
// strength-reduced, wide divisions split by a branch, atomics become loops)
// and then selects instructions. Heddle runs the first half when a module is
// prepared, so that what is executed, traced and counted is the IR that the
// second half turns into PTX block by block.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_BACKEND_H
#define HEDDLE_PTX_BACKEND_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Pass.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace heddle {

/// The IR half of the back end: everything up to and including CodeGenPrepare.
/// Afterwards blocks and memory accesses stay as they are. What only the
/// second half understands (inline assembly "exit;", wrapped addresses of
/// arguments, their copies as memcpy) is put into a form that engines execute.
/// The module's triple must be nvptx64; \p Arch is "sm_70" or the like.
llvm::Error runBackEndIRPasses(llvm::Module &M, llvm::StringRef Arch);

/// The metadata of an fpext that stays an instruction of its own in PTX.
inline constexpr llvm::StringLiteral OwnConversion = "heddle.own.conversion";

/// Writes functions of \p F that have an instruction but no pattern (the
/// approximate logarithm), or fewer than LLVM makes of them, as nvcc does.
void selectFunctions(llvm::Function &F);

/// Writes what puts words together, or takes halves out of them, as registers
/// do it and not as integers are shifted.
void selectWords(llvm::Function &F);

/// The other half: selects, schedules and prints \p M, whose blocks' names
/// appear as comments at the labels. \p M must have been through the first.
/// \p LastPass, if given, runs just before the code is printed.
llvm::Expected<std::string>
emitPTX(llvm::Module &M, llvm::StringRef Arch,
        std::unique_ptr<llvm::FunctionPass> LastPass = nullptr);

} // namespace heddle

#endif // HEDDLE_PTX_BACKEND_H
