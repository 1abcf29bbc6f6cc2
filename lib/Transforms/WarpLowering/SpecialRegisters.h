//===- SpecialRegisters.h - Kinds of device intrinsics ----------*- C++ -*-===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_SPECIALREGISTERS_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_SPECIALREGISTERS_H

#include "LaneShapes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace heddle {

/// "tid.x" for llvm.nvvm.read.ptx.sreg.tid.x, "NAME" for heddle.special.NAME;
/// empty for anything else.
llvm::StringRef specialRegister(const llvm::CallBase &Call);
inline bool isSpecialRegister(const llvm::CallBase &Call) {
  return !specialRegister(Call).empty();
}

/// Whether \p Call reads a register that grows while the warp runs; here by one
/// for each block.
bool isClock(const llvm::CallBase &Call);

/// Whether lanes hand each other values here (shuffles, matches, reductions,
/// matrices).
bool isCrossLane(const llvm::CallBase &Call);

/// Indices made of threadIdx, blockIdx, blockDim and global offset do not
/// overflow 32 bits where the launch is not huge, but the kernel does not know.
/// Told so, LaneShapes finds more addresses to be contiguous.
class LaunchRanges {
public:
  /// Threads of the grid along a dimension, and the global offset, at most:
  /// their sum still fits a signed 32-bit index.
  static constexpr uint32_t MaxThreads = uint32_t(1) << 30;

  /// Writes the ranges onto the special registers that \p F reads and replaces
  /// blockDim by its value. Nothing where \p Geometry is not known.
  LaunchRanges(llvm::Function &F, const WarpGeometry &Geometry, bool SmallGrid);

  /// A value of the host function: whether the fields of HeddleWarp that
  /// \p Load reads hold what was promised.
  llvm::Value *
  check(llvm::IRBuilder<> &B,
        llvm::function_ref<llvm::Value *(size_t Offset)> Load) const;

private:
  struct Bound {
    size_t Offset; ///< of a field of HeddleWarp
    uint32_t Most;
  };
  llvm::SmallVector<Bound, 6> Bounds;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_SPECIALREGISTERS_H
