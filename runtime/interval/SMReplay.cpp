//===- SMReplay.cpp - One SM with an analytic memory ----------------------===//

#include "interval/SMReplay.h"

#include "interval/MemoryPath.h"
#include "timing/SMContext.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

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
        SM(Machine, Stream.SM), Memory(P, Stream, Spec),
        Samples(std::max<size_t>(1, Code.size())) {
    for (const BlockStream &B : Stream.Blocks)
      Kept += B.Insts;
  }
  ReplayResult run();

private:
  void feed();
  void runWindow();
  void noteStarts();
  double project() const;
  uint64_t issued() const { return SM.state().Counters.WarpInstructions; }

  const SMStream &Stream;
  const arch::GPUSpec &Spec;
  const ReplayOptions &Options;
  const timing::DecodedCode Code;
  const timing::Machine Machine;
  timing::SMContext SM;
  MemoryPath Memory;
  std::vector<timing::InstSample> Samples;
  std::vector<memory::MemoryRequest> Requests;
  std::vector<memory::MemoryResponse> Responses;
  uint64_t Kept = 0; ///< warp instructions of all of the stream's blocks
  size_t Given = 0;  ///< of the stream's blocks
  std::vector<std::pair<double, double>> Starts; ///< time, insts before
  double StartedInsts = 0;
  Cycle Now = 0;
  double LastEnd = 0;
  double HalfTime = 0; ///< when half of MaxInsts had been issued
  uint64_t HalfInsts = 0;
};

} // namespace

/// Gives the SM as many blocks as it can start in one window.
void Replay::feed() {
  const unsigned Places = Machine.BlocksPerSM;
  const double PerCycle =
      Spec.Launch.BlocksPerCycle ? Spec.Launch.BlocksPerCycle : Spec.SM.Count;
  while (Given < Stream.Blocks.size() && SM.waiting() < Places) {
    // The first blocks go around the SMs.
    const Cycle NotBefore =
        Given < Places
            ? Spec.Launch.KernelLatency +
                  Cycle((double(Given) * Spec.SM.Count + Stream.SM) / PerCycle)
            : 0;
    trace::BlockTrace Block = SM.takeSpent();
    Block = Stream.Blocks[Given++].Trace;
    SM.give(std::move(Block), NotBefore);
  }
}

/// Runs to the end of a window that is short enough for the memory to answer
/// after it what is sent in it.
void Replay::runWindow() {
  const Cycle Begin = SM.nextEvent();
  if (Begin == NeverCycle)
    throw std::logic_error("the replayed SM hangs: " + SM.describe());
  Now = Begin + Memory.minRoundTrip();
  SM.run(Now, Samples.data());
  Requests.clear();
  SM.port().takeSent(Now, Requests);
  Responses.clear();
  for (const memory::MemoryRequest &R : Requests)
    Responses.push_back(Memory.serve(R));
  std::ranges::stable_sort(Responses, {}, &memory::MemoryResponse::Due);
  SM.deliver(Responses);
  noteStarts();
}

void Replay::noteStarts() {
  for (const timing::Event &E : SM.state().Events) {
    Starts.emplace_back(double(E.Time), StartedInsts);
    StartedInsts += double(Stream.Blocks[Starts.size() - 1].Insts);
  }
  SM.state().Events.clear();
  if (!HalfInsts && issued() >= Options.MaxInsts / 2) {
    HalfTime = double(Now);
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
  LastEnd = double(SM.busy() ? Now : SM.state().LastBlockEnd);
  ReplayResult Out;
  Out.Insts = issued();
  for (const timing::InstSample &S : Samples)
    for (unsigned N = 0; N < timing::NumStalls; ++N)
      Out.Stalls[N] += S.Cycles[N];
  Out.LoadWaits = SM.state().Waits.sum();
  const double Span = std::max(1.0, LastEnd - Spec.Launch.KernelLatency);
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
