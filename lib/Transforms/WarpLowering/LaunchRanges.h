//===- LaunchRanges.h - What a launch's size says of its indices *- C++ -*-===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_LAUNCHRANGES_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_LAUNCHRANGES_H

#include "LaneShapes.h"

#include "llvm/IR/IRBuilder.h"

namespace heddle {

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

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_LAUNCHRANGES_H
