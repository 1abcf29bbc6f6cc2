//===- SMState.cpp - The units of an SM that stages share -----------------===//

#include "timing/units/SMState.h"

using namespace heddle;
using namespace heddle::timing;

Machine::Machine(const arch::GPUSpec &Spec, const DecodedCode &Code,
                 const trace::TraceHeader &Launch, const arch::Occupancy &O,
                 EventSet Events)
    : Spec(Spec), Code(Code), Launch(Launch),
      L1(Spec.l1For(arch::sharedBytesPerBlock(Launch.blockResources(), Spec) *
                    O.BlocksPerSM)),
      BlocksPerSM(O.BlocksPerSM), WarpsPerBlock(Launch.warpsPerBlock()),
      RegistersPerThread(
          arch::allocatedRegisters(Launch.RegistersPerThread, Spec)),
      Events(Events) {}

SMState::SMState(const Machine &M, unsigned Index)
    : M(M), Index(Index), Blocks(M.BlocksPerSM),
      Clusters({M.Launch.Grid, M.Launch.Cluster},
               M.BlocksPerSM * M.WarpsPerBlock),
      Warps(M.BlocksPerSM * M.WarpsPerBlock),
      Registers(Warps.size(), M.Code.numRegisters()), Copies(Warps.size()),
      Bulk(Warps.size()), BulkReads(Warps.size()), Products(Warps.size()),
      Shares(M.BlocksPerSM, Warps.size(), M.RegistersPerThread), Pipes(M.Spec),
      Schedulers(M.Spec, Pipes), Port(M.Spec, Index),
      Tell(M.Events, M.Spec, Index, Blocks, Warps.size()) {}

SchedulerSet::SchedulerSet(const arch::GPUSpec &Spec, PipeSet &Pipes)
    : All(Spec.SM.Schedulers), Collectors(Spec.hasCollectors()) {
  for (unsigned I = 0; I != All.size(); ++I) {
    Scheduler &S = All[I];
    S.setNumPipes(Pipes.numPipes());
    for (unsigned P = 0; P != Pipes.numPipes(); ++P)
      S.Groups[P] = &Pipes.group(I, P);
    S.Policy = createPolicy(Spec.SM);
    S.Excludes = S.Policy->excludes();
  }
}

void Recorder::add(EventKind Kind, const Warp &W, uint32_t Inst, Cycle Time,
                   uint64_t Address, Stall Why, uint64_t Duration) {
  Event E;
  E.Kind = Kind;
  E.Time = Time;
  E.Address = Address;
  E.Duration = Duration;
  E.Reason = Why;
  E.SM = SM;
  E.Block = Blocks.Slots[W.Block].Trace.Index;
  E.Warp = W.InBlock;
  E.Inst = Inst;
  E.Mask = W.Mask;
  Events.push_back(E);
}
