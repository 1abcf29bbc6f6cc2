//===- SMReplay.cpp - One SM with an analytic memory ----------------------===//

#include "interval/SMReplay.h"

#include "interval/MemoryPath.h"
#include "timing/LoneSM.h"

#include <algorithm>
#include <numeric>

namespace heddle::interval {

using timing::EventKind;

namespace {

class Replay {
public:
  Replay(const IntervalProfile &P, const SMStream &Stream,
         const arch::GPUSpec &Spec, const ReplayOptions &Options)
      : Stream(Stream), Spec(Spec), Options(Options), Code(P.Code, Spec),
        Machine(Spec, Code, P.Launch, P.Occupancy,
                timing::only(EventKind::BlockStart)),
        Memory(P, Stream, Spec), SM(Machine, Stream.SM, Memory) {
    for (const BlockStream &B : Stream.Blocks)
      Kept += B.Insts;
  }
  ReplayResult run();

private:
  void feed();
  void runWindow();

  double project() const;
  uint64_t issued() const { return SM.counters().WarpInstructions; }

  const SMStream &Stream;
  const arch::GPUSpec &Spec;
  const ReplayOptions &Options;
  const timing::DecodedCode Code;
  const timing::Machine Machine;
  MemoryPath Memory;
  timing::LoneSM SM;
  uint64_t Kept = 0; ///< warp instructions of all of the stream's blocks
  size_t Given = 0;  ///< of the stream's blocks
  std::vector<std::pair<double, double>> Starts; ///< time, insts before
  double StartedInsts = 0;

  double LastEnd = 0;
  double HalfTime = 0; ///< when half of MaxInsts had been issued
  uint64_t HalfInsts = 0;
};

} // namespace

/// Gives the SM as many blocks as it can start in one window.
void Replay::feed() {
  const unsigned Places = Machine.BlocksPerSM;
  const bool Limited = Spec.Launch.BlocksPerCycle > 0;
  const double PerCycle = Limited ? Spec.Launch.BlocksPerCycle : Spec.SM.Count;
  while (Given < Stream.Blocks.size() && SM.wantsBlock()) {
    // The blocks go around the SMs.
    const Cycle NotBefore =
        Limited || Given < Places
            ? Spec.Launch.countedLatency() +
                  Cycle((double(Given) * Spec.SM.Count + Stream.SM) / PerCycle)
            : 0;
    SM.give(Stream.Blocks[Given++].Trace, NotBefore);
  }
}

void Replay::runWindow() {
  for (const timing::Event &E : SM.runWindow()) {
    Starts.emplace_back(double(E.Time), StartedInsts);
    StartedInsts += double(Stream.Blocks[Starts.size() - 1].Insts);
  }
  if (!HalfInsts && issued() >= Options.MaxInsts / 2) {
    HalfTime = double(SM.now());
    HalfInsts = issued();
  }
}

/// The end of all the SM's work, of which only a part was replayed.
double Replay::project() const {
  const double All =
      std::accumulate(Stream.AllInsts.begin(), Stream.AllInsts.end(), 0.0);
  const bool Stopped = issued() < Kept;
  const double Done = double(issued());
  const size_t First = Machine.BlocksPerSM, Count = Starts.size();
  if (All <= Done || Count == 0)
    return LastEnd;
  // Stopped in between, as where blocks are few or unequal, the second half
  // says most.
  double Rate = Stopped ? (LastEnd - HalfTime) /
                              std::max<double>(1, double(issued() - HalfInsts))
                        : (LastEnd - Starts[0].first) / std::max(1.0, Done);
  // Otherwise the rate from round to round, if possible without the first:
  // blocks that started together end together, so that starts are bunched: only
  // whole rounds take a time that says something.
  if (!Stopped && Count >= 2 * First) {
    const size_t Rounds = Count >= 3 * First ? Count / First - 2 : 1;
    double Cycles = 0, Insts = 0;
    for (size_t N = Count - First; N < Count; ++N) {
      const auto &[At, Before] = Starts[N - Rounds * First];
      Cycles += Starts[N].first - At;
      Insts += Starts[N].second - Before;
    }
    if (Insts > 0)
      Rate = Cycles / Insts;
  }
  return LastEnd + (All - Done) * Rate;
}

ReplayResult Replay::run() {
  for (feed(); SM.busy(); feed()) {
    runWindow();
    if (HalfInsts && issued() >= Options.MaxInsts && issued() < Kept)
      break;
  }
  const timing::SMTotals Sums = SM.totals();
  LastEnd = double(SM.busy() ? SM.now() : Sums.LastBlockEnd);
  ReplayResult Out;
  Out.Insts = issued();
  Out.TraceInsts = SM.busy() ? issued() : SM.counters().TraceInstructions;
  Out.IssueSlots = SM.counters().IssuedInstructions;
  for (const timing::InstSample &S : SM.samples())
    for (unsigned N = 0; N < timing::NumStalls; ++N)
      Out.Stalls[N] += S.Cycles[N];
  Out.LoadWaits = Sums.LoadWaits;
  const double Span = std::max(1.0, LastEnd - Spec.Launch.countedLatency());
  Out.DRAMBusy = std::min(1.0, Memory.dramWork() / Span);
  Out.L2Busy = std::min(1.0, Memory.l2Work() / Span);
  Out.Cycles = project();
  return Out;
}

ReplayResult replaySM(const IntervalProfile &Profile, const SMStream &SM,
                      const arch::GPUSpec &Spec, const ReplayOptions &Options) {
  return Replay(Profile, SM, Spec, Options).run();
}

} // namespace heddle::interval
