//===- SMState.cpp - Everything that an SM remembers ----------------------===//

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
      Events(Events) {}

/// A cache that the machine does not have still needs an object; its users ask
/// for the size first.
static arch::CacheSpec present(arch::CacheSpec Spec) {
  if (Spec.Size)
    return Spec;
  arch::CacheSpec Smallest;
  Smallest.Line = Smallest.Sector = 128;
  Smallest.Ways = 1;
  Smallest.Size = 128;
  Smallest.MSHRs = Smallest.MSHRMerge = 1;
  return Smallest;
}

SMState::SMState(const Machine &M, unsigned Index)
    : M(M), Index(Index), Collectors(M.Spec.hasCollectors()),
      Blocks(M.BlocksPerSM), Warps(M.BlocksPerSM * M.WarpsPerBlock),
      Registers(Warps.size(), M.Code.numRegisters()),
      Schedulers(M.Spec.SM.Schedulers), Pipes(M.Spec),
      Waits(M.Spec, Warps.size()), Port(M.Spec, Index),
      ICache(present(M.Spec.ICache)), Constant(present(M.Spec.Constant)),
      Texture(present(M.Spec.Texture)), L1(present(M.L1)) {
  const arch::CacheSpec &I = M.Spec.ICache;
  uint64_t CodeBytes = M.Code.size() * M.Spec.FrontEnd.InstructionBytes;
  if (I.Size && !I.HashSets && CodeBytes <= I.Size)
    CodeLines.resize(CodeBytes / I.Line + 1);
  for (unsigned I = 0; I != Schedulers.size(); ++I) {
    Scheduler &S = Schedulers[I];
    S.setNumPipes(Pipes.numPipes());
    for (unsigned P = 0; P != Pipes.numPipes(); ++P)
      S.Groups[P] = &Pipes.group(I, P);
    S.Policy = createPolicy(M.Spec.SM);
    S.Excludes = S.Policy->excludes();
  }
}

void SMState::makeEvent(EventKind Kind, const Warp &W, Cycle Time,
                        uint64_t Address, Stall Why, uint64_t Duration) {
  Event E;
  E.Kind = Kind;
  E.Time = Time;
  E.Address = Address;
  E.Duration = Duration;
  E.Reason = Why;
  E.SM = Index;
  E.Block = Blocks.Slots[W.Block].Trace.Index;
  E.Warp = W.InBlock;
  E.Inst = W.PC;
  E.Mask = W.Mask;
  Events.push_back(E);
}
