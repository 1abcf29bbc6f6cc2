//===- PipeSet.cpp - The execution pipes of an SM -------------------------===//

#include "timing/units/PipeSet.h"

using namespace heddle;
using namespace heddle::timing;

PipeSet::PipeSet(const arch::GPUSpec &Spec)
    : Pipes(Spec.Pipes.size()), GroupOf(Spec.SM.Schedulers * Pipes) {
  for (unsigned P = 0; P < Pipes; ++P) {
    const arch::PipeSpec &Pipe = Spec.Pipes[P];
    unsigned Owners = Pipe.PerScheduler ? Spec.SM.Schedulers : 1;
    unsigned Units = std::max(1u, Pipe.Units / Owners);
    for (unsigned O = 0; O < Owners; ++O) {
      PipeGroup G;
      G.FirstUnit = UnitFree.size();
      G.NumUnits = Units;
      G.Shared = !Pipe.PerScheduler && Spec.SM.Schedulers > 1;
      G.Queue = std::max(1u, Pipe.QueueInsts);
      UnitFree.resize(UnitFree.size() + Units);
      for (unsigned S = O; S < Spec.SM.Schedulers; S += Owners)
        GroupOf[S * Pipes + P] = Groups.size();
      Groups.push_back(G);
    }
    UnitsOf.push_back(Units * Owners);
  }
}

void PipeSet::startInBest(PipeGroup &G, Cycle Until) {
  Cycle *Units = UnitFree.data() + G.FirstUnit;
  *std::min_element(Units, Units + G.NumUnits) = Until;
  G.UnitFree = *std::min_element(Units, Units + G.NumUnits);
}

void PipeSet::totals(unsigned Pipe, uint64_t &Issued, uint64_t &Busy) const {
  Issued = Busy = 0;
  unsigned Schedulers = GroupOf.size() / Pipes;
  for (unsigned S = 0; S < Schedulers; ++S) {
    unsigned G = GroupOf[S * Pipes + Pipe];
    if (S && GroupOf[Pipe] == G)
      break;
    Issued += Groups[G].Issued;
    Busy += Groups[G].BusyCycles;
  }
}
