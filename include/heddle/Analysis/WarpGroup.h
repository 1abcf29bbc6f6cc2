//===- WarpGroup.h - Matrix instructions of warp groups in IR ---*- C++ -*-===//
//
// wgmma.mma_async has no intrinsic in LLVM. It is inline assembly of that one
// instruction, with the registers of D as results, and as arguments those of A
// or its descriptor, the descriptor of B, scale-d as i1, and D once more. Its
// fences and groups are the intrinsics that LLVM has for them, and so is
// setmaxnreg.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_WARPGROUP_H
#define HEDDLE_ANALYSIS_WARPGROUP_H

#include "heddle/ABI/CodeTable.h"
#include "heddle/ABI/GroupProduct.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace heddle {

struct GroupProduct {
  HeddleGroupShape Shape;
  bool isShared() const { return Shape.Flags & HEDDLE_GROUP_A_SHARED; }
  bool isExact() const { return Shape.D == HEDDLE_MATRIX_S32; }
  /// Registers of A, or its descriptor; those of D.
  unsigned numA() const { return isShared() ? 1 : 4; }
  unsigned numD() const {
    return Shape.N / (Shape.D == HEDDLE_MATRIX_F16 ? 4 : 2);
  }
  unsigned numArgs() const { return numA() + 2 + numD(); }
  /// Multiply-adds of a warp, in units of HEDDLE_GROUP_PRODUCTS.
  unsigned products() const {
    return 16u * Shape.N * Shape.K / HEDDLE_GROUP_PRODUCTS;
  }
  /// What the four warps together read of shared memory; rows and columns have
  /// 32 bytes in all shapes.
  unsigned sharedBytes() const { return 32 * (Shape.N + 64 * isShared()); }
};

/// The product that \p Opcode ("wgmma.mma_async. ...") names, but for the flags
/// that its operands say; none if there is no such instruction.
std::optional<GroupProduct> parseGroupProduct(llvm::StringRef Opcode);

/// Adds what the literals behind scale-d say: the signs of A and B, and for
/// 16-bit types which are transposed, of A in shared memory alone. False if
/// that is not what the instruction has.
bool setGroupOperands(GroupProduct &P, llvm::ArrayRef<int> Literals);

/// The product that \p Call is, if it is one.
std::optional<GroupProduct> groupProduct(const llvm::CallBase &Call);

/// wgmma.fence, wgmma.commit_group or wgmma.wait_group.
bool isGroupFence(const llvm::CallBase &Call);

/// HeddleInst::Products of \p Call if it is setmaxnreg, else 0.
uint16_t registerChange(const llvm::CallBase &Call);

/// Metadata of a module made of PTX: what its .target names.
inline constexpr llvm::StringLiteral PTXTargetMetadata = "heddle.ptx.target";
/// The architecture there; empty for other modules.
llvm::StringRef ptxTarget(const llvm::Module &M);

/// Whether code of \p F may use instructions of warp groups: it is for sm_90a,
/// or for no architecture that is known. PTX is for what its .target names.
bool hasWarpGroups(const llvm::Function &F);

/// What is wrong with setmaxnreg to \p Count registers in \p F, after "kernel
/// 'k' "; empty if nothing is.
std::string registerChangeProblem(uint64_t Count, const llvm::Function &F);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_WARPGROUP_H
