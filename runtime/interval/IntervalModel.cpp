//===- IntervalModel.cpp - Time of a launch from its intervals ------------===//

#include "interval/IntervalModel.h"

#include "arch/SpecFields.h"
#include "base/Fail.h"
#include "base/Makespan.h"
#include "interval/IntervalProfile.h"
#include "interval/MemoryPath.h"
#include "interval/paper/PaperModels.h"
#include "memory/LevelLatency.h"
#include "timing/ResultCheck.h"
#include "timing/SMGroup.h"
#include "timing/SimulationResult.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

namespace heddle::interval {

namespace {
struct ReplayOptions {
  /// Warp instructions that are replayed at most; the rest of the SM's work is
  /// projected at the rate of the second half.
  uint64_t MaxInsts = 150000;
  /// Blocks of each SM.
  size_t MaxBlocks = SIZE_MAX;
};

struct ReplayResult {
  double Cycles = 0;    ///< from the launch to the end of the SM's last block
  uint64_t Insts = 0;   ///< replayed
  double Rate = 0;      ///< cycles for each instruction of the rest
  bool Stopped = false; ///< before the last block had ended
  uint64_t TraceInsts = 0;      ///< that the trace of the replayed part holds
  uint64_t IssueSlots = 0;      ///< that the replayed part took
  timing::StallCycles Stalls{}; ///< warp-cycles of the replayed part
  timing::LoadWaitCycles LoadWaits{};
  double DRAMBusy = 0, L2Busy = 0; ///< of the whole GPU's, 0..1
};
} // namespace

using timing::EventKind;

namespace {

/// Of one SM, or of those that run one cluster at a time.
class Replay {
public:
  Replay(const IntervalProfile &P, std::span<const SMStream> Group,
         const arch::GPUSpec &Spec, const ReplayOptions &Options)
      : P(P), Group(Group), Spec(Spec), Options(Options), Code(P.Code, Spec),
        Machine(Spec, Code, P.Launch, P.Occupancy,
                timing::only(EventKind::BlockStart)),
        Memory(P, Group, Spec), SMs(Machine, Group.front().SM, Memory) {
    for (const SMStream &SM : Group)
      for (const BlockStream &B : std::span(SM.Blocks).first(
               std::min(Options.MaxBlocks, SM.Blocks.size()))) {
        InstsOf[B.Trace.Index] = B.Insts;
        Kept += B.Insts;
      }
    if (replaysAll())
      Memory.beginWithCleanL2();
  }
  Result<ReplayResult> run();

private:
  void feed();
  Result<void> runWindow();

  bool replaysAll() const;
  double rate() const;
  double timeAt(double Insts) const;
  uint64_t issued() const { return SMs.issued(); }

  const IntervalProfile &P;
  std::span<const SMStream> Group;
  const arch::GPUSpec &Spec;
  const ReplayOptions Options;
  const timing::DecodedCode Code;
  const timing::Machine Machine;
  MemoryPath Memory;
  timing::SMGroup SMs;
  std::unordered_map<uint64_t, uint64_t> InstsOf; ///< by block
  uint64_t Kept = 0; ///< warp instructions of all of the streams' blocks
  size_t Given = 0;  ///< of each stream's blocks
  std::vector<std::pair<double, double>> Starts; ///< time, insts before
  double StartedInsts = 0;
  /// After each window: time, instructions issued.
  std::vector<std::pair<double, double>> Progress;

  double LastEnd = 0;
  double HalfTime = 0; ///< when half of MaxInsts had been issued
  uint64_t HalfInsts = 0;
};

} // namespace

/// Whether nothing of the launch is left to extrapolate.
bool Replay::replaysAll() const {
  return &Group.front() != &P.Longest && Kept <= Options.MaxInsts &&
         std::ranges::all_of(Group, [this](const SMStream &SM) {
           return SM.AllInsts.size() <=
                  std::min(Options.MaxBlocks, SM.Blocks.size());
         });
}

/// Gives the SMs as many blocks as they can start in one window.
void Replay::feed() {
  const unsigned Slots = Machine.BlocksPerSM, Count = P.Groups.sms();
  const bool Limited = Spec.Launch.BlocksPerCycle > 0;
  const double PerCycle = Limited ? Spec.Launch.BlocksPerCycle : Count;
  std::vector<const trace::BlockTrace *> Together;
  const size_t Blocks =
      std::min(Options.MaxBlocks, Group.front().Blocks.size());
  for (; Given < Blocks && SMs.wantsBlocks(); ++Given) {
    // The blocks go around the SMs.
    const Cycle NotBefore =
        Limited || Given < Slots
            ? Spec.Launch.countedLatency() +
                  Cycle((double(Given) * Count + Group.front().SM) / PerCycle)
            : 0;
    Together.clear();
    for (const SMStream &SM : Group)
      Together.push_back(&SM.Blocks[Given].Trace);
    SMs.give(Together, NotBefore);
  }
}

Result<void> Replay::runWindow() {
  const auto Events = SMs.runWindow();
  if (!Events)
    return std::unexpected(Events.error());
  for (const timing::Event &E : *Events) {
    Starts.emplace_back(double(E.Time), StartedInsts);
    StartedInsts += double(InstsOf[E.Block]);
  }
  Progress.emplace_back(double(SMs.now()), double(issued()));
  Memory.setProgress(issued());
  if (!HalfInsts && issued() >= Options.MaxInsts / 2) {
    HalfTime = double(SMs.now());
    HalfInsts = issued();
  }
  return {};
}

/// Cycles for each instruction of the work that is not replayed.
double Replay::rate() const {
  const double Done = double(issued());
  const size_t First = Machine.BlocksPerSM * Group.size(),
               Count = Starts.size();
  if (Count == 0)
    return 0;
  // Stopped in between, as where blocks are few or unequal, the second half
  // says most.
  if (issued() < Kept)
    return (LastEnd - HalfTime) /
           std::max<double>(1, double(issued() - HalfInsts));
  // Otherwise the rate from round to round. Blocks that started together may
  // end together, or one after the other where old warps go first: of two
  // rounds, from the middle of the first to that of the second.
  if (Count >= 2 * First && Count < 3 * First) {
    const double Round = Done * double(First) / double(Count);
    return (timeAt(1.5 * Round) - timeAt(0.5 * Round)) / std::max(1.0, Round);
  }
  // Of more, from starts to starts without the first round: as these may be
  // bunched, only whole rounds take a time that says something.
  double Cycles = 0, Insts = 0;
  for (size_t N = Count - First; Count >= 3 * First && N < Count; ++N) {
    const auto &[At, Before] = Starts[N - (Count / First - 2) * First];
    Cycles += Starts[N].first - At;
    Insts += Starts[N].second - Before;
  }
  return Insts > 0 ? Cycles / Insts
                   : (LastEnd - Starts[0].first) / std::max(1.0, Done);
}

/// When \p Insts had been issued.
double Replay::timeAt(double Insts) const {
  const auto To = std::ranges::lower_bound(Progress, Insts, {},
                                           &std::pair<double, double>::second);
  if (To == Progress.begin() || To == Progress.end())
    return To == Progress.end() ? LastEnd : To->first;
  const auto From = To - 1;
  return From->first + (To->first - From->first) * (Insts - From->second) /
                           (To->second - From->second);
}

Result<ReplayResult> Replay::run() {
  for (feed(); SMs.busy(); feed()) {
    if (Result<void> Ok = runWindow(); !Ok)
      return std::unexpected(Ok.error());
    if (HalfInsts && issued() >= Options.MaxInsts && issued() < Kept)
      break;
  }
  if (!SMs.busy())
    if (Result<void> Ok = SMs.sendRest(); !Ok)
      return std::unexpected(Ok.error());
  ReplayResult Out;
  Out.Insts = issued();
  for (const timing::SMTotals &Sums : SMs.totals()) {
    LastEnd = std::max(LastEnd, double(Sums.LastBlockEnd));
    Out.TraceInsts += Sums.TraceInstructions;
    Out.IssueSlots += Sums.IssuedInstructions;
    for (unsigned N = 0; N < timing::NumLoadWaits; ++N)
      Out.LoadWaits[N] += Sums.LoadWaits[N];
  }
  if (SMs.busy()) {
    LastEnd = double(SMs.now());
    Out.TraceInsts = Out.Insts;
  }
  for (const timing::InstSample &S : SMs.samples())
    for (unsigned N = 0; N < timing::NumStalls; ++N)
      Out.Stalls[N] += S.Cycles[N];
  const double Span = std::max(1.0, LastEnd - Spec.Launch.countedLatency());
  Out.DRAMBusy = std::min(1.0, Memory.dramWork() / Span);
  Out.L2Busy = std::min(1.0, Memory.l2Work() / Span);
  Out.Stopped = Out.Insts < Kept;
  Out.Rate = rate();
  double All = 0;
  for (const SMStream &SM : Group)
    All = std::accumulate(SM.AllInsts.begin(), SM.AllInsts.end(), All);
  Out.Cycles = LastEnd + std::max(0.0, All - double(Out.Insts)) * Out.Rate;
  if (!SMs.busy())
    Out.Cycles += std::max(0.0, double(SMs.storesTaken()) - LastEnd);
  // No warp waits for reductions, but the launch does.
  const auto Replayed = double(std::max<uint64_t>(1, Out.Insts));
  Out.Cycles = std::max(Out.Cycles, Memory.firstAtomic() +
                                        Memory.atomicWork() *
                                            std::max(1.0, All / Replayed));
  return Out;
}

static constexpr std::string_view Names[NumModels] = {
    "naive", "markov", "mt", "mt-mshr", "gpumech", "heddle"};

std::string_view modelName(Model M) { return Names[unsigned(M)]; }

std::optional<Model> modelOf(std::string_view Name) {
  for (unsigned M = 0; M < NumModels; ++M)
    if (Names[M] == Name)
      return Model(M);
  return std::nullopt;
}

/// When the last of all blocks ends if the SM of \p Group, of which \p R is,
/// ends at \p End. Where few are left, these go on faster: at the rate of the
/// longest by itself.
static Result<double> lastEnd(const IntervalProfile &P,
                              std::span<const SMStream> Group,
                              const arch::GPUSpec &Spec, const ReplayResult &R,
                              double End) {
  const size_t Slots = std::max(1u, P.Occupancy.BlocksPerSM);
  std::vector<uint32_t> Insts;
  for (size_t N = 0; N < Group.front().AllInsts.size(); ++N)
    for (const SMStream &SM : Group)
      Insts.push_back(SM.AllInsts[N]);
  const double Own = makespan(Insts, Slots * Group.size());
  if (P.Critical || Own <= 0)
    return End;
  constexpr double Worth = 1.02; ///< another replay; an assumption
  // Memory that is busy serves all alike; from when on is an assumption.
  constexpr double Busy = 0.5;
  const bool OwnLimits = std::max(R.DRAMBusy, R.L2Busy) < Busy;
  if (P.Longest.Blocks.empty() || R.Rate <= 0 ||
      (P.Span <= Worth * Own && (P.Alike || !OwnLimits)))
    return End * P.Span / Own;
  const auto Alone =
      Replay(P, std::span(&P.Longest, 1), Spec, {P.ReplayInsts}).run();
  if (!Alone)
    return std::unexpected(Alone.error());
  const double PerInst = R.Rate * double(Slots);
  const double Share =
      std::clamp((Alone->Cycles - Spec.Launch.countedLatency()) /
                     (double(P.Longest.Blocks.front().Insts) * PerInst),
                 0.0, 1.0);
  const FirstServed First = arch::firstServed(Spec.SM.Scheduler);
  auto ends = [&](const std::vector<uint32_t> &Sizes, size_t SMs) {
    return OwnLimits ? SharedSMs(SMs, Slots, Share, First).makespan(Sizes)
                     : makespan(Sizes, SMs * Slots, Share);
  };
  const double Later =
      ends(P.BlockInsts, P.Groups.sms()) - ends(Insts, Group.size());
  const double Mean =
      std::accumulate(P.BlockInsts.begin(), P.BlockInsts.end(), 0.0) /
      double(P.Groups.sms());
  return std::max(R.Rate * Mean, End + Later * PerInst);
}

/// What the replay \p R of a part says of the whole leaves out that the last
/// round may have fewer blocks than the others: these run by themselves as
/// long. Cycles that this makes the SM later.
static Result<double> lastRound(const IntervalProfile &P,
                                std::span<const SMStream> Group,
                                const arch::GPUSpec &Spec,
                                const ReplayOptions &Options,
                                const ReplayResult &R) {
  const size_t Slots = std::max(1u, P.Occupancy.BlocksPerSM);
  const std::vector<uint32_t> &Insts = Group.front().AllInsts;
  const size_t Left = Insts.size() % Slots;
  if (!P.Critical || !R.Stopped || Insts.size() < Slots || !Left)
    return 0;
  const uint64_t Part = Options.MaxInsts * Left / Slots;
  const auto Alone = Replay(P, Group, Spec, {Part, Left}).run();
  if (!Alone)
    return std::unexpected(Alone.error());
  double Sum = 0;
  for (const SMStream &SM : Group)
    Sum =
        std::accumulate(SM.AllInsts.end() - long(Left), SM.AllInsts.end(), Sum);
  return Sum * (Alone->Rate - R.Rate);
}

/// Runs the kept blocks on the timing model's SM with a MemoryPath behind its
/// port: all SMs are taken to do the same at the same time.
static Result<void> estimateHeddle(const IntervalProfile &P,
                                   const arch::GPUSpec &Spec,
                                   const EstimateSettings &Settings,
                                   IntervalEstimate &E) {
  const double Launch = Spec.Launch.countedLatency();
  const uint64_t Replayed =
      Settings.ReplayInsts ? Settings.ReplayInsts : P.ReplayInsts;
  double Sum = 0, Last = -1;
  timing::StallCycles Stalls{};
  timing::LoadWaitCycles LoadWaits{};
  const size_t Size = P.Groups.Size;
  const std::span<const SMStream> SMs =
      Settings.OnlySM ? std::span(&P.SMs[*Settings.OnlySM], Size)
                      : std::span(P.SMs);
  const double Groups = double(SMs.size() / Size);
  for (size_t First = 0; First < SMs.size(); First += Size) {
    const auto Group = SMs.subspan(First, Size);
    const ReplayOptions Options{Replayed};
    const auto R = Replay(P, Group, Spec, Options).run();
    if (!R)
      return std::unexpected(R.error());
    const auto Later = lastRound(P, Group, Spec, Options, *R);
    if (!Later)
      return std::unexpected(Later.error());
    const auto Latest =
        lastEnd(P, Group, Spec, *R, std::max(0.0, R->Cycles + *Later - Launch));
    if (!Latest)
      return std::unexpected(Latest.error());
    const double End =
        *Latest + Spec.Launch.lastBehind(P.Launch.Grid.count(), P.Groups.sms(),
                                         Group.back().SM);
    Sum += End;
    if (End > Last)
      E.LastSM = size_t(Group.data() - P.SMs.data());
    Last = std::max(Last, End);
    E.ReplayedInsts += R->Insts;
    E.TraceInsts += R->TraceInsts;
    E.IssueSlots += R->IssueSlots;
    E.DRAMBusy += R->DRAMBusy / Groups;
    E.L2Busy += R->L2Busy / Groups;
    for (unsigned S = 0; S < timing::NumStalls; ++S)
      Stalls[S] += R->Stalls[S];
    for (unsigned L = 0; L < timing::NumLoadWaits; ++L)
      LoadWaits[L] += R->LoadWaits[L];
  }
  const auto Cores = double(P.busySMs());
  const double Cycles = SMs.empty() ? 0 : P.Critical ? Last : Sum / Groups;
  E.CoreCPI = P.WarpInsts ? Cycles * Cores / double(P.WarpInsts) : 0;
  const double WarpCycles = std::accumulate(Stalls.begin(), Stalls.end(), 0.0);
  if (WarpCycles > 0)
    breakDown(Stalls, LoadWaits, E.CoreCPI / WarpCycles, E.Stack, E.Categories);
  for (unsigned S = 0; S < timing::NumStalls && E.ReplayedInsts; ++S)
    E.States[S] = double(Stalls[S]) / double(E.ReplayedInsts);
  return {};
}

static void scale(IntervalEstimate &E, double Factor) {
  E.CoreCPI *= Factor;
  for (double &C : E.Stack)
    C *= Factor;
  for (double &C : E.Categories)
    C *= Factor;
  for (double &C : E.States)
    C *= Factor;
}

/// GPUMech's models follow one warp, which waits for nothing that others do.
static Result<void> knownToPaper(const IntervalProfile &P, Model Which) {
  if (P.Groups.Size == 1 && !timing::needsSM(P.Code))
    return {};
  return fail("the model interval={} knows neither mbarriers, bulk copies, "
              "wgmma, setmaxnreg nor clusters; interval and `heddle simulate` "
              "do",
              modelName(Which));
}

Result<IntervalEstimate> estimate(const IntervalProfile &P,
                                  const arch::GPUSpec &Spec, Model Which,
                                  const EstimateSettings &Settings) {
  const arch::ModelContract &Contract = Contracts[unsigned(Which)];
  if (Result<void> Ok = Contract.check(Spec); !Ok)
    return std::unexpected(Ok.error());
  if (P.Key != collectionKey(Spec))
    return fail("machine '{}' differs from that of the profile in its caches, "
                "shared memory, SMs or occupancy; collect a profile for it",
                Spec.Name);
  if (Spec.L1.Size && !Spec.L1.MSHRs)
    return fail("machine '{}': l1.mshrs is 0, so no load that misses can ever "
                "finish; set it to 1 or more",
                Spec.Name);
  if (!(Spec.DRAM.Bandwidth > 0) || !(Spec.Clock.Core > 0) ||
      !(Spec.Clock.L2 > 0) || !(Spec.Clock.DRAM > 0))
    return fail(
        "machine '{}': dram.bandwidth and the clocks must be greater than 0",
        Spec.Name);
  IntervalEstimate E;
  E.Which = Which;
  E.GPU = Spec.Name;
  E.Ignored = Contract.ignored(Spec);
  E.CoreMHz = Spec.Clock.Core;
  E.LaunchCycles = Spec.Launch.KernelLatency;
  E.CountedLaunch = Spec.Launch.countedLatency();
  if (Which != Model::Heddle) {
    if (Result<void> Ok = knownToPaper(P, Which); !Ok)
      return std::unexpected(Ok.error());
    estimatePaper(P, Spec, E);
  } else if (Result<void> Ok = estimateHeddle(P, Spec, Settings, E); !Ok) {
    return std::unexpected(Ok.error());
  }
  double Busy = E.CoreCPI * double(P.WarpInsts) / double(P.busySMs());
  const double Bytes =
      double(P.DRAMReadSectors + P.DRAMWriteSectors) * Spec.L2.Sector;
  const double DRAMCycles =
      Bytes * Spec.Clock.Core / (memory::sustainedBandwidth(Spec.DRAM) * 1000);
  // The part that was replayed may leave writes behind, which all cannot; its
  // rate, close to the peak, may be a little above that of the whole.
  const double Slots = double(P.WarpInsts) * double(E.IssueSlots) /
                       std::max(1.0, double(E.ReplayedInsts));
  const double Dispatch = Spec.Launch.dispatchCycles(P.Launch.Grid.count(),
                                                     P.Launch.Cluster.count());
  const double Least =
      std::max({DRAMCycles, timing::issueCycles(Slots, Spec), Dispatch});
  if (Which == Model::Heddle && Busy > 0 && Busy < Least) {
    scale(E, Least / Busy);
    Busy = Least;
  }
  E.Cycles = E.CountedLaunch + Busy;
  E.TimeUs = E.Cycles / Spec.Clock.Core;
  E.IPC = E.Cycles > 0 ? double(P.WarpInsts) / E.Cycles : 0;
  E.Roof = {Spec, double(P.WarpInsts), Bytes};
  if (Which == Model::Heddle && !Settings.OnlySM)
    timing::checkEstimate({"interval=heddle", P.Launch.Kernel, E.ReplayedInsts,
                           E.TraceInsts, E.IssueSlots, double(P.WarpInsts),
                           Bytes, Busy, Dispatch},
                          Spec);
  return E;
}

Result<IntervalEstimate> MachineComparison::first() {
  if (!Whole) {
    auto E = estimate(Profile, First, Model::Heddle);
    if (!E)
      return E;
    Whole = *E;
  }
  return *Whole;
}

Result<IntervalEstimate> MachineComparison::further(const arch::GPUSpec &Spec) {
  if (Profile.ReplayInsts <= PartInsts)
    return estimate(Profile, Spec, Model::Heddle);
  if (auto R = first(); !R)
    return R;
  EstimateSettings Settings{PartInsts};
  if (!Profile.SMs.empty())
    Settings.OnlySM = Whole->LastSM;
  auto E = estimate(Profile, Spec, Model::Heddle, Settings);
  if (!E)
    return E;
  if (!Part) {
    auto R = estimate(Profile, First, Model::Heddle, Settings);
    if (!R)
      return R;
    Part = *R;
  }
  const double Kernel = Part->Cycles - Part->CountedLaunch;
  const double Factor =
      Kernel > 0 ? (Whole->Cycles - Whole->CountedLaunch) / Kernel : 1;
  scale(*E, Factor);
  E->Cycles = E->CountedLaunch + (E->Cycles - E->CountedLaunch) * Factor;
  E->TimeUs = E->Cycles / Spec.Clock.Core;
  E->IPC = E->Cycles > 0 ? double(Profile.WarpInsts) / E->Cycles : 0;
  return E;
}

} // namespace heddle::interval
