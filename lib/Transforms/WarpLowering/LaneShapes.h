//===- LaneShapes.h - How the lanes of a value differ -----------*- C++ -*-===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_LANESHAPES_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_LANESHAPES_H

#include "Reconvergence.h"

#include "llvm/IR/InstrTypes.h"

#include <array>
#include <memory>
#include <optional>

namespace llvm {
class ICmpInst;
class ScalarEvolution;
} // namespace llvm

namespace heddle {

/// What the shape of the thread block says of a warp's threadIdx. A warp is cut
/// into segments of LanesPerSegment lanes; inside one, threadIdx.x counts up by
/// one and threadIdx.y and .z are constant.
struct WarpGeometry {
  unsigned Segments = 0; ///< 1, 2 or 4; 0: nothing is known
  std::array<uint32_t, 3> BlockDim = {0, 0, 0}; ///< zeros: unknown
  bool isKnown() const { return BlockDim[0] != 0; }
  unsigned lanesPerSegment() const { return Segments ? 32 / Segments : 32; }
  explicit WarpGeometry(std::array<uint32_t, 3> BlockDim);
};

/// How the lanes of a value differ.
///  - Uniform: not at all; kept as one scalar.
///  - Affine: inside a segment, lane l holds base + l * Stride, modulo the
///    width of the type; kept as one scalar base for each segment.
///  - Lanes: anyhow; kept as vectors of 32.
struct Shape {
  enum KindTy : uint8_t { Unset, Uniform, Affine, Lanes };
  KindTy Kind = Unset;
  int64_t Stride = 0;
  bool operator==(const Shape &) const = default;
};

/// The shapes of all values of a kernel and, since both depend on each
/// other, where its lanes part.
class LaneShapes {
public:
  LaneShapes(llvm::Function &F, const WarpGeometry &Geometry);

  Shape of(const llvm::Value *V) const;
  bool isUniform(const llvm::Value *V) const {
    return of(V).Kind == Shape::Uniform;
  }
  const Reconvergence &flow() const { return Flow; }

  /// How the lanes of a value of kind Lanes lie if \p Extension, of an affine
  /// index, does not meet one that wraps around: Stride apart in each segment.
  /// `i += gridDim.x * blockDim.x` may wrap, for all that the compiler knows.
  /// The lanes of a Guess mostly lie so: all but a few where an index is kept
  /// in a range, as in `row[min(x + 1, width - 1)]` or `row[(x + 1) % width]`.
  struct Steps {
    const llvm::CastInst *Extension = nullptr; ///< null: they surely do
    int64_t Stride = 0;
    bool Guess = false;
  };
  /// Nothing if the lanes lie in another way.
  std::optional<Steps> steps(const llvm::Value *V) const;

private:
  Shape compute(const llvm::Instruction &I) const;
  Shape computeCall(const llvm::CallBase &I) const;
  Shape computePhi(const llvm::PHINode &Phi) const;
  Shape computeGEP(const llvm::Instruction &I) const;
  Shape computeInteger(const llvm::Instruction &I) const;
  Shape computeExtension(const llvm::CastInst &I) const;
  bool countsFromWarp(const llvm::Value *V) const;
  bool partsBetweenWarps(const llvm::ICmpInst &I) const;
  Shape affine(int64_t Stride) const;
  bool allUniform(const llvm::Instruction &I) const;
  void propagate();
  std::optional<Steps> steps(const llvm::Value *V, unsigned Depth) const;
  std::optional<Steps> stepsInRange(const llvm::Instruction &I,
                                    unsigned Depth) const;

  llvm::Function &F;
  const WarpGeometry &Geometry;
  Reconvergence Flow;
  llvm::ScalarEvolution *SE = nullptr; ///< while propagate() runs
  llvm::DenseMap<const llvm::Value *, Shape> Shapes;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_LANESHAPES_H
