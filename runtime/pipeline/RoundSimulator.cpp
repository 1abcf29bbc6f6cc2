//===- RoundSimulator.cpp - Warps of one SM, step by step -----------------===//

#include "pipeline/RoundSimulator.h"

#include "trace/WarpCursor.h"

#include <algorithm>
#include <queue>

using namespace heddle;
using namespace heddle::pipeline;

namespace {

struct WarpState {
  trace::WarpCursor Cursor;
  std::span<const Step> Steps; ///< left of the current block
  std::vector<double> Ready;   ///< by tracked register
  double Gone = 0;             ///< when its stores are accepted
  unsigned Place = 0;
  unsigned Scheduler = 0;
  bool Waiting = false; ///< at a barrier
};

/// A place for a resident block.
struct Place {
  uint64_t Block = 0;
  double ActiveSMs = 1;
  unsigned Live = 0, Arrived = 0;
  double End = 0, Arrival = 0;
  uint64_t Insts = 0; ///< warp instructions
};

class Round {
public:
  Round(const BlockSample &Sample, std::span<const RoundBlock> Blocks,
        unsigned AtOnce, const StepTable &Steps, const arch::GPUSpec &Spec,
        SMMemory &Memory);
  RoundResult run();

private:
  void fill(unsigned P, double Now);
  void advance(unsigned W, double Now);
  double execute(WarpState &Warp, const Step &S, double Now);
  double access(WarpState &Warp, const Step &S, double Now);
  Server &pipe(unsigned Scheduler, unsigned Pipe) {
    return Pipes[Spec.Pipes[Pipe].PerScheduler
                     ? Scheduler * Spec.Pipes.size() + Pipe
                     : Pipe];
  }
  double units(unsigned Pipe) const {
    const arch::PipeSpec &P = Spec.Pipes[Pipe];
    return P.PerScheduler ? double(P.Units) / Spec.SM.Schedulers : P.Units;
  }
  void openBarrier(Place &P);
  void endWarp(unsigned W, double Now);
  void push(unsigned W, double At) { Events.push({At, W}); }
  RoundResult result();

  const BlockSample &Sample;
  std::span<const RoundBlock> Blocks;
  const StepTable &Steps;
  const arch::GPUSpec &Spec;
  SMMemory &Memory;
  std::vector<WarpState> Warps; ///< Place * warps per block + warp
  unsigned WarpsPerBlock = 0;
  std::vector<Place> Places;
  std::vector<Server> Issue, Pipes;
  using Event = std::pair<double, unsigned>; // time, warp
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> Events;
  size_t NextBlock = 0;
  std::vector<std::pair<double, uint64_t>> Ended; ///< blocks: when, insts
  RoundResult R;
};

} // namespace

Round::Round(const BlockSample &Sample, std::span<const RoundBlock> Blocks,
             unsigned AtOnce, const StepTable &Steps, const arch::GPUSpec &Spec,
             SMMemory &Memory)
    : Sample(Sample), Blocks(Blocks), Steps(Steps), Spec(Spec), Memory(Memory),
      WarpsPerBlock(unsigned(Sample[Blocks.front().Index].Warps.size())),
      Places(std::min<size_t>(AtOnce, Blocks.size())),
      Issue(Spec.SM.Schedulers), Pipes(Spec.SM.Schedulers * Spec.Pipes.size()) {
  Warps.resize(Places.size() * WarpsPerBlock);
  for (unsigned W = 0; W < Warps.size(); ++W) {
    Warps[W].Place = W / WarpsPerBlock;
    Warps[W].Scheduler = W % Spec.SM.Schedulers;
    Warps[W].Ready.resize(Steps.numTracked());
  }
}

/// Starts the next block in place \p P, if there is one.
void Round::fill(unsigned P, double Now) {
  if (NextBlock == Blocks.size())
    return;
  const RoundBlock &B = Blocks[NextBlock++];
  const trace::BlockTrace &Trace = Sample[B.Index];
  double Start = Now + Spec.Launch.BlockLatency;
  Places[P] = {B.Index, B.ActiveSMs, WarpsPerBlock, 0, Start, Start, 0};
  for (unsigned N = 0; N < WarpsPerBlock; ++N) {
    unsigned W = P * WarpsPerBlock + N;
    WarpState &Warp = Warps[W];
    Warp.Cursor.reset(Steps.code().table(), Trace.Warps[N]);
    Warp.Steps = {};
    Warp.Gone = 0;
    Warp.Waiting = false;
    std::fill(Warp.Ready.begin(), Warp.Ready.end(), 0);
    push(W, Start);
  }
}

/// Lets warp \p W go on from \p Now until another warp is earlier, it waits at
/// a barrier or it ends.
void Round::advance(unsigned W, double Now) {
  WarpState &Warp = Warps[W];
  for (;;) {
    while (Warp.Steps.empty()) {
      if (!Warp.Cursor.next()) {
        endWarp(W, Now);
        return;
      }
      Warp.Steps = Steps.steps(Warp.Cursor.block());
    }
    const Step &S = Warp.Steps.front();
    for (uint16_t Register : Steps.waits(S))
      Now = std::max(Now, Warp.Ready[Register]);
    // Those who are earlier come first, so that servers see time in order.
    if (!Events.empty() && Events.top().first < Now) {
      push(W, Now);
      return;
    }
    Warp.Steps = Warp.Steps.subspan(1);
    Now = execute(Warp, S, Now);
    if (S.Kind == StepKind::Barrier) {
      Place &P = Places[Warp.Place];
      Warp.Waiting = true;
      ++P.Arrived;
      P.Arrival = std::max(P.Arrival, Now);
      openBarrier(P);
      return;
    }
  }
}

double Round::execute(WarpState &Warp, const Step &S, double Now) {
  R.WarpInsts += S.Insts;
  Places[Warp.Place].Insts += S.Insts;
  R.IssuedInsts += uint64_t(S.Slots);
  double End = Now + S.Duration;
  End = std::max(End, Issue[Warp.Scheduler].serve(Now, S.Slots));
  for (const PipeUse &U : Steps.uses(S))
    End = std::max(
        End, pipe(Warp.Scheduler, U.Pipe).serve(Now, U.Cycles / units(U.Pipe)));
  if (S.Kind == StepKind::Memory)
    End = std::max(End, access(Warp, S, Now));
  else
    for (const LateResult &D : Steps.defs(S))
      Warp.Ready[D.Register] = End + D.Cycles;
  return End;
}

/// Returns when the warp may go on.
double Round::access(WarpState &Warp, const Step &S, double Now) {
  const timing::DecodedInst &I = Steps.code()[S.Inst];
  const trace::MemoryAccess *A =
      I.Memory == HEDDLE_NO_MEMORY ? nullptr : &Warp.Cursor.access(I.Memory);
  const Place &P = Places[Warp.Place];
  double Passes = Memory.start(I, A, size_t(&Warp - Warps.data()));
  Server &Unit = pipe(Warp.Scheduler, I.Pipe);
  double Through = Unit.serve(Now, Passes * I.Initiation / units(I.Pipe));
  SMMemory::Outcome O = Memory.finish(Through, P.ActiveSMs);
  for (const LateResult &D : Steps.defs(S))
    Warp.Ready[D.Register] = std::max(O.Ready, Through);
  Warp.Gone = std::max(Warp.Gone, O.Gone);
  // The unit's queue takes some instructions ahead; stores leave it as fast as
  // the memory takes them, apart from those that may be under way.
  double Queue =
      Spec.Pipes[I.Pipe].QueueInsts * double(I.Initiation) / units(I.Pipe);
  return std::max(Through - Queue, O.Next);
}

/// Lets the warps of \p P go on if all that are left wait.
void Round::openBarrier(Place &P) {
  if (P.Live == 0 || P.Arrived < P.Live)
    return;
  P.Arrived = 0;
  unsigned First = unsigned(&P - Places.data()) * WarpsPerBlock;
  for (unsigned W = First; W < First + WarpsPerBlock; ++W)
    if (Warps[W].Waiting) {
      Warps[W].Waiting = false;
      push(W, P.Arrival);
    }
}

void Round::endWarp(unsigned W, double Now) {
  WarpState &Warp = Warps[W];
  Place &P = Places[Warp.Place];
  P.End = std::max({P.End, Now, Warp.Gone});
  if (--P.Live > 0) {
    openBarrier(P);
    return;
  }
  Ended.emplace_back(P.End, P.Insts);
  fill(Warp.Place, P.End);
}

RoundResult Round::result() {
  std::sort(Ended.begin(), Ended.end());
  for (auto [End, Insts] : Ended) {
    R.BlockEnds.push_back(End);
    R.BlockInsts.push_back(Insts);
  }
  R.Cycles = R.BlockEnds.empty() ? 0 : R.BlockEnds.back();
  R.Memory = Memory.counters();
  if (R.Cycles <= 0)
    return std::move(R);
  auto Use = [&](std::string Name, double Busy, double Servers) {
    R.Uses.push_back({std::move(Name), Busy / Servers / R.Cycles});
  };
  double Slots = 0;
  for (const Server &S : Issue)
    Slots += S.Busy;
  Use("issue", Slots, double(Issue.size()));
  for (unsigned P = 0; P < Spec.Pipes.size(); ++P) {
    double Busy = 0;
    unsigned N = Spec.Pipes[P].PerScheduler ? Spec.SM.Schedulers : 1;
    for (unsigned S = 0; S < N; ++S)
      Busy += pipe(S, P).Busy;
    Use(Spec.Pipes[P].Name, Busy, N);
  }
  static constexpr const char *WayNames[NumWays] = {"SM to L2", "L2 to SM",
                                                    "L2", "DRAM", "atomics"};
  for (unsigned W = 0; W < NumWays; ++W)
    Use(WayNames[W], Memory.server(Way(W)).Busy, 1);
  return std::move(R);
}

RoundResult Round::run() {
  for (unsigned P = 0; P < Places.size(); ++P)
    fill(P, 0);
  while (!Events.empty()) {
    auto [At, W] = Events.top();
    Events.pop();
    advance(W, At);
  }
  return result();
}

RoundResult heddle::pipeline::simulateRound(const BlockSample &Sample,
                                            std::span<const RoundBlock> Blocks,
                                            unsigned AtOnce,
                                            const StepTable &Steps,
                                            const arch::GPUSpec &Spec,
                                            SMMemory &Memory) {
  return Round(Sample, Blocks, AtOnce, Steps, Spec, Memory).run();
}
