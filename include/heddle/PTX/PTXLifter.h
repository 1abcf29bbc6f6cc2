//===- PTXLifter.h - PTX as LLVM IR -----------------------------*- C++ -*-===//
//
// A PTX file as a module that engines execute. Nothing is optimised: each block
// of IR is a run of consecutive PTX instructions, accesses stand in the order
// of the text, and the code table of a lifted kernel is the text itself. So a
// kernel that was written to have certain instructions is simulated with
// exactly these.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_PTXLIFTER_H
#define HEDDLE_PTX_PTXLIFTER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace heddle {

/// The PTX instructions that a block of a lifted kernel stands for, counted
/// over the kernel in the order of the text.
struct PTXRange {
  unsigned First = 0, Count = 0;
};

/// Attribute of lifted kernels of which some arithmetic of single precision has
/// .ftz, and some has not.
inline constexpr llvm::StringLiteral MixesDenormals = "heddle.mixes-denormals";

/// True if \p Text looks like a PTX file.
bool isPTX(llvm::StringRef Text);

/// An entry that was not lifted.
struct UnliftedKernel {
  std::string Name;
  unsigned Line = 0;  ///< of the entry
  std::string Reason; ///< "line 7: 'frobnicate.u32 %r1, %r2' is not known"
};

/// Lifts the entries of \p Text, which was read from \p Path. Registers are
/// values, control flow is that of the text, guarded accesses stand in blocks
/// of their own. An entry that is not known goes to \p Unlifted and the others
/// are lifted; if there is no other, its reason is the error. Errors name the
/// file, the line and what is not known.
llvm::Expected<std::unique_ptr<llvm::Module>>
liftPTX(llvm::LLVMContext &Context, llvm::StringRef Text, llvm::StringRef Path,
        std::vector<UnliftedKernel> &Unlifted);

/// The text that \p M was lifted from; nothing for other modules.
std::optional<llvm::StringRef> liftedText(const llvm::Module &M);

/// What \p Block of a lifted kernel stands for.
PTXRange liftedRange(const llvm::BasicBlock &Block);

} // namespace heddle

#endif // HEDDLE_PTX_PTXLIFTER_H
