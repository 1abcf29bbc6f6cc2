//===- CountInference.cpp - Counts that a kernel omits --------------------===//

#include "CountInference.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

#include <algorithm>

using namespace mlir;

namespace heddle::synth {

static constexpr int64_t WarpSize = 32;

namespace {
/// Goes through values of the keys, thread by thread, and says how lanes part.
class BranchSample {
public:
  BranchSample(BranchOp Branch, KernelOp Kernel, ArrayRef<double> Trips)
      : Branch(Branch), Function(Branch.getWhere()->getCoefficients()),
        Threads(Kernel.getThreads()) {
    if (Branch.getAlso())
      Also = Branch.getAlso()->getCoefficients();
    // Enough to tell shares; not all of a large launch.
    constexpr int64_t MostBlocks = 8, MostIterations = 64;
    int64_t Extents[NumKeys] = {};
    for (unsigned D = 0; D < 3; ++D)
      Extents[unsigned(Key::BlockX) + D] = Kernel.getGrid()[D];
    for (auto [Depth, T] : llvm::enumerate(Trips))
      Extents[unsigned(Key::Iteration0) + Depth] = std::max<int64_t>(T, 1);
    std::array<int64_t, NumKeys> Keys = {};
    auto Visit = [&](auto &Self, unsigned K) -> void {
      if (K == NumKeys)
        return warps(Keys);
      // Keys that the function does not name change nothing.
      const int64_t Extent = Function[K] || (!Also.empty() && Also[K])
                                 ? std::max<int64_t>(Extents[K], 1)
                                 : 1;
      const int64_t Most =
          K >= unsigned(Key::Iteration0) ? MostIterations : MostBlocks;
      const int64_t Tried = std::min(Extent, Most);
      for (int64_t I = 0; I < Tried; ++I) {
        Keys[K] = I * Extent / Tried;
        Self(Self, K + 1);
      }
    };
    Visit(Visit, unsigned(Key::BlockX));
  }

  SharesAttr shares() const {
    return SharesAttr::get(Branch->getContext(), double(All) / Warps,
                           double(Mixed) / Warps,
                           Mixed ? double(MixedLanes) / MixedTotal : 0);
  }

private:
  bool goes(ArrayRef<int64_t> Keys) {
    int64_t V = 0, Second = 0;
    for (unsigned K = 0; K < NumKeys; ++K)
      V += Function[K] * Keys[K];
    for (unsigned K = 0; K < Also.size(); ++K)
      Second += Also[K] * Keys[K];
    if (!Also.empty() &&
        ((Branch.getAlsoFrom() && Second < int64_t(*Branch.getAlsoFrom())) ||
         (Branch.getAlsoBelow() && Second >= int64_t(*Branch.getAlsoBelow()))))
      return false;
    if (auto M = Branch.getModulo())
      V &= int64_t(*M) - 1;
    return (!Branch.getFrom() || V >= int64_t(*Branch.getFrom())) &&
           (!Branch.getBelow() || V < int64_t(*Branch.getBelow()));
  }
  void warps(std::array<int64_t, NumKeys> Keys) {
    const int64_t Count = Threads[0] * Threads[1] * Threads[2];
    for (int64_t First = 0; First < Count; First += WarpSize) {
      const int64_t Lanes = std::min(WarpSize, Count - First);
      int64_t Go = 0;
      for (int64_t T = First; T < First + Lanes; ++T) {
        Keys[unsigned(Key::ThreadX)] = T % Threads[0];
        Keys[unsigned(Key::ThreadY)] = T / Threads[0] % Threads[1];
        Keys[unsigned(Key::ThreadZ)] = T / (Threads[0] * Threads[1]);
        Go += goes(Keys);
      }
      ++Warps;
      if (Go == Lanes) {
        ++All;
      } else if (Go) {
        ++Mixed;
        MixedLanes += Go;
        MixedTotal += Lanes;
      }
    }
  }

  BranchOp Branch;
  ArrayRef<int64_t> Function, Threads, Also; ///< Also: empty if there is none
  int64_t Warps = 0, All = 0, Mixed = 0, MixedLanes = 0, MixedTotal = 0;
};
} // namespace

/// Mean executions of the header per entry.
static double tripsOf(LoopOp L, bool OfWarps) {
  if (!OfWarps)
    return std::max(
        L.getMean() ? L.getMean()->convertToDouble() : L.getDefaultMean(), 1.0);
  double Sum = 0;
  SmallVector<int64_t> Trips = L.getWarpQuantiles();
  for (unsigned Q = 0; Q + 1 < Trips.size(); ++Q)
    Sum += (Trips[Q] + Trips[Q + 1]) / 2.0;
  return std::max(Sum / (Trips.size() - 1), 1.0);
}

static SharesAttr sharesOf(BranchOp Branch, KernelOp Kernel) {
  if (Branch.getShares())
    return *Branch.getShares();
  if (Branch.getTrips()) {
    auto L = Branch.getTrips().getDefiningOp<LoopOp>();
    return SharesAttr::get(Branch->getContext(), 1 - 1 / tripsOf(L, true), 0.0,
                           0.0);
  }
  SmallVector<double> Trips; // outermost loop first
  for (LoopOp L = getLoopOf(*Branch->getBlock()); L; L = L.getParentLoop())
    Trips.insert(Trips.begin(), tripsOf(L, false));
  return BranchSample(Branch, Kernel, Trips).shares();
}

InferredCounts inferCounts(KernelOp Kernel) {
  InferredCounts Out;
  auto Product = [](ArrayRef<int64_t> D) { return D[0] * D[1] * D[2]; };
  const int64_t Threads = Product(Kernel.getThreads()),
                Blocks = Product(Kernel.getGrid());
  const int64_t Warps = (Threads + WarpSize - 1) / WarpSize;
  Block &Entry = Kernel.getBody().front();
  llvm::DenseMap<Block *, Flow> In;
  In[&Entry] = {double(Blocks) * Threads, double(Blocks) * Warps};
  // In reverse post-order all entries of a loop come before its header; what
  // comes back to it is in the trip count.
  llvm::ReversePostOrderTraversal<Block *> Order(&Entry);
  for (Block *B : Order) {
    Flow Here = In[B];
    BlockOp Op = getBlockOp(*B);
    if (Op && Op.getHeaderOf()) {
      Here.Threads *= tripsOf(Op.getLoop(), false);
      Here.Warps *= tripsOf(Op.getLoop(), true);
    }
    // Lanes that parted come together: no more warps than threads need or have.
    Here.Warps = std::clamp(Here.Warps, Here.Threads / WarpSize,
                            std::max(Here.Threads, Here.Threads / WarpSize));
    Out.Blocks[B] = Here;
    std::array<Flow, 2> &Edges = Out.Edges[B];
    Edges[0] = Here;
    if (auto Branch = llvm::dyn_cast<BranchOp>(B->getTerminator())) {
      SharesAttr S = sharesOf(Branch, Kernel);
      Out.Shares[Branch] = S;
      double All = S.getAll().convertToDouble(),
             Mixed = S.getMixed().convertToDouble(),
             Lanes = S.getLanes().convertToDouble();
      double Go = All + Mixed * Lanes;
      if (Branch.getTrips())
        Go = 1 - 1 / tripsOf(Branch.getTrips().getDefiningOp<LoopOp>(), false);
      Edges = {Flow{Here.Threads * Go, Here.Warps * (All + Mixed)},
               Flow{Here.Threads * (1 - Go), Here.Warps * (1 - All)}};
    }
    for (unsigned I = 0; I < B->getNumSuccessors(); ++I) {
      Block *To = B->getSuccessor(I);
      BlockOp Target = getBlockOp(*To);
      if (Target && Target.getHeaderOf() && Out.Blocks.contains(To))
        continue; // back to a header
      In[To].Threads += Edges[I].Threads;
      In[To].Warps += Edges[I].Warps;
    }
  }
  return Out;
}

} // namespace heddle::synth
