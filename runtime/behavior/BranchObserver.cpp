//===- BranchObserver.cpp - How lanes divide at a branch ------------------===//

#include "behavior/BranchObserver.h"

#include "behavior/BranchFit.h"

#include <bit>

namespace heddle::behavior {

void BranchObserver::begin(uint32_t Mask,
                           const std::function<Keys(unsigned)> &Keys) {
  settle();
  Pending = Mask;
  for (unsigned Side = 0; Side < 2; ++Side)
    Wanted[Side] = Lanes[Side].wants();
  if (Wanted[0] || Wanted[1])
    for (unsigned L = 0; L < 32; ++L)
      if (Mask >> L & 1)
        Where[L] = Keys(L);
}

void BranchObserver::settle() {
  if (!Pending)
    return;
  ++Executions;
  Taken &= Pending;
  for (unsigned Side = 0; Side < 2; ++Side) {
    uint32_t Mask = Side ? Taken : Pending & ~Taken;
    if (!Mask || !Wanted[Side])
      continue;
    // The outermost lanes show where a side ends.
    unsigned First = std::countr_zero(Mask), Last = 31 - std::countl_zero(Mask);
    unsigned Some = Lanes[Side].random() % 32;
    for (unsigned L : {First, Last, Some})
      if (Mask >> L & 1)
        Lanes[Side].add({Where[L], 0});
  }
  if (Taken == Pending) {
    ++All;
  } else if (Taken) {
    ++Mixed;
    MixedLanes += std::popcount(Pending);
    MixedTaken += std::popcount(Taken);
  }
  Pending = Taken = 0;
}

void BranchObserver::finish(const Dim3 &Threads, const Dim3 &Grid,
                            Branch &Out) const {
  if (!Executions)
    return;
  Out.AllTaken = double(All) / Executions;
  Out.Mixed = double(Mixed) / Executions;
  Out.MixedLanes = MixedLanes ? double(MixedTaken) / MixedLanes : 0;
  fitBranch(Lanes[1].samples(), Lanes[0].samples(), Threads, Grid, Out);
}

} // namespace heddle::behavior
