//===- WarpOperations.cpp - Operations of a warp in MLIR as shuffles ------===//
//
// MLIR's conversion to NVVM knows shuffles of 32 and 64 bits, and reductions of
// 32-bit integers that all lanes take part in. What else the dialect gpu has is
// made of those shuffles here.
//
//===----------------------------------------------------------------------===//

#include "MLIRModule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace heddle {

constexpr unsigned WarpSize = 32;

static Value constant(PatternRewriter &B, Location Loc, int32_t Number) {
  return arith::ConstantIntOp::create(B, Loc, Number, 32);
}

/// The bits of \p V, or null if they are more than a shuffle takes.
static Value toInteger(PatternRewriter &B, Location Loc, Value V) {
  auto Vector = dyn_cast<VectorType>(V.getType());
  Type Element = Vector ? Vector.getElementType() : V.getType();
  if (!Element.isIntOrFloat() || (Vector && !Vector.hasStaticShape()))
    return nullptr;
  const unsigned Bits = Element.getIntOrFloatBitWidth() *
                        (Vector ? unsigned(Vector.getNumElements()) : 1);
  if (Bits > 32 && Bits != 64)
    return nullptr;
  Type Integer = B.getIntegerType(Bits);
  if (Vector)
    V = vector::ExtractOp::create(
        B, Loc,
        vector::BitCastOp::create(B, Loc, VectorType::get(1, Integer), V), 0);
  else if (Element != Integer)
    V = arith::BitcastOp::create(B, Loc, Integer, V);
  return Bits < 32 ? arith::ExtUIOp::create(B, Loc, B.getI32Type(), V) : V;
}

/// The opposite.
static Value fromInteger(PatternRewriter &B, Location Loc, Value V, Type T,
                         unsigned Bits) {
  if (Bits < 32)
    V = arith::TruncIOp::create(B, Loc, B.getIntegerType(Bits), V);
  if (isa<VectorType>(T))
    return vector::BitCastOp::create(
        B, Loc, T,
        vector::BroadcastOp::create(B, Loc, VectorType::get(1, V.getType()),
                                    V));
  return V.getType() == T ? V : arith::BitcastOp::create(B, Loc, T, V);
}

namespace {

/// Shuffles of numbers of less than 32 bits and of vectors.
struct ShuffleBits : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp Op,
                                PatternRewriter &B) const override {
    Type T = Op.getValue().getType();
    if (T.isIntOrFloat() && T.getIntOrFloatBitWidth() >= 32)
      return failure();
    Location Loc = Op.getLoc();
    Value Word = toInteger(B, Loc, Op.getValue());
    if (!Word)
      return failure();
    auto Shuffle = gpu::ShuffleOp::create(B, Loc, Word, Op.getOffset(),
                                          Op.getWidth(), Op.getMode());
    unsigned Bits = getElementTypeOrSelf(T).getIntOrFloatBitWidth();
    if (auto Vector = dyn_cast<VectorType>(T))
      Bits *= unsigned(Vector.getNumElements());
    B.replaceOp(Op, {fromInteger(B, Loc, Shuffle.getShuffleResult(), T, Bits),
                     Shuffle.getValid()});
    return success();
  }
};

/// Lane l gets what lane (l + offset) mod width has, of its part of the warp.
struct RotateByShuffle : OpRewritePattern<gpu::RotateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::RotateOp Op,
                                PatternRewriter &B) const override {
    Location Loc = Op.getLoc();
    const int32_t Width = int32_t(Op.getWidth());
    Value Lane = gpu::LaneIdOp::create(B, Loc, B.getIndexAttr(WarpSize));
    Lane = arith::IndexCastOp::create(B, Loc, B.getI32Type(), Lane);
    Value From = arith::AndIOp::create(
        B, Loc,
        arith::AddIOp::create(B, Loc, Lane,
                              constant(B, Loc, int32_t(Op.getOffset()))),
        constant(B, Loc, Width - 1));
    auto Shuffle =
        gpu::ShuffleOp::create(B, Loc, Op.getValue(), From,
                               constant(B, Loc, Width), gpu::ShuffleMode::IDX);
    Value Valid = arith::CmpIOp::create(B, Loc, arith::CmpIPredicate::ult, Lane,
                                        constant(B, Loc, Width));
    B.replaceOp(Op, {Shuffle.getShuffleResult(), Valid});
    return success();
  }
};

struct BroadcastByShuffle : OpRewritePattern<gpu::SubgroupBroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::SubgroupBroadcastOp Op,
                                PatternRewriter &B) const override {
    if (Op.getBroadcastType() != gpu::BroadcastType::specific_lane)
      return failure();
    auto Shuffle = gpu::ShuffleOp::create(
        B, Op.getLoc(), Op.getSrc(), Op.getLane(),
        constant(B, Op.getLoc(), WarpSize), gpu::ShuffleMode::IDX);
    B.replaceOp(Op, Shuffle.getShuffleResult());
    return success();
  }
};

/// Whether redux.sync does \p Op, which MLIR then makes of it.
static bool isRedux(gpu::SubgroupReduceOp Op) {
  return Op.getUniform() && Op.getType().isInteger(32) && !Op.getClusterSize();
}

struct WarpOperations
    : PassWrapper<WarpOperations, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WarpOperations)

  explicit WarpOperations(bool HasRedux) : HasRedux(HasRedux) {}

  void getDependentDialects(DialectRegistry &Registry) const override {
    Registry.insert<arith::ArithDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    SmallVector<Operation *> All;
    getOperation().walk([&](Operation *Op) {
      auto Reduction = dyn_cast<gpu::SubgroupReduceOp>(Op);
      if (isa<gpu::GPUFuncOp, gpu::ShuffleOp, gpu::RotateOp,
              gpu::SubgroupBroadcastOp, vector::ExtractStridedSliceOp,
              vector::InsertStridedSliceOp>(Op) ||
          (Reduction && !(HasRedux && isRedux(Reduction))))
        All.push_back(Op);
    });
    RewritePatternSet Patterns(&getContext());
    populateGpuAllReducePatterns(Patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(Patterns);
    populateGpuBreakDownSubgroupReducePatterns(Patterns);
    for (unsigned Bits : {64, 32}) { // the narrower where it can
      const PatternBenefit Benefit(Bits == 32 ? 2 : 1);
      populateGpuLowerSubgroupReduceToShufflePatterns(Patterns, WarpSize, Bits,
                                                      Benefit);
      populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
          Patterns, WarpSize, Bits, Benefit);
    }
    Patterns.add<ShuffleBits, RotateByShuffle, BroadcastByShuffle>(
        &getContext());
    GreedyRewriteConfig Config;
    Config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(All, std::move(Patterns), Config);
  }

  bool HasRedux;
};

} // namespace

std::unique_ptr<Pass> createWarpOperationsPass(bool HasRedux) {
  return std::make_unique<WarpOperations>(HasRedux);
}

} // namespace heddle
