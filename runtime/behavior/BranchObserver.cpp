//===- BranchObserver.cpp - How lanes divide at a branch ------------------===//

#include "behavior/BranchObserver.h"

#include <bit>

namespace heddle::behavior {

void BranchObserver::begin(uint32_t Mask,
                           const std::function<Keys(unsigned)> &Keys) {
  settle();
  Pending = Mask;
  for (unsigned L = 0; L < 32; ++L)
    if (Mask >> L & 1)
      Where[L] = Keys(L);
}

void BranchObserver::settle() {
  if (!Pending)
    return;
  ++Executions;
  Taken &= Pending;
  for (unsigned L = 0; L < 32; ++L)
    if (Pending >> L & 1)
      for (unsigned K = 0; K < NumKeys; ++K)
        Ranges[Taken >> L & 1][K].add(Where[L][K]);
  if (Taken == Pending) {
    ++All;
  } else if (Taken) {
    ++Mixed;
    MixedLanes += std::popcount(Pending);
    MixedTaken += std::popcount(Taken);
  }
  Pending = Taken = 0;
}

void BranchObserver::finish(Branch &Out) const {
  if (!Executions)
    return;
  Out.AllTaken = double(All) / Executions;
  Out.Mixed = double(Mixed) / Executions;
  Out.MixedLanes = MixedLanes ? double(MixedTaken) / MixedLanes : 0;
  const auto &Went = Ranges[1], &Stayed = Ranges[0];
  if (Went[0].Least == INT64_MAX || Stayed[0].Least == INT64_MAX)
    return; // always one way
  for (unsigned K = 0; K < NumKeys; ++K) {
    if (Went[K].Most < Stayed[K].Least) {
      Out.By = K;
      Out.Threshold = Stayed[K].Least;
      return;
    }
    if (Stayed[K].Most < Went[K].Least) {
      Out.By = K;
      Out.Threshold = Went[K].Least;
      Out.Inverted = true;
      return;
    }
  }
}

} // namespace heddle::behavior
