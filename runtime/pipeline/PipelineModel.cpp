//===- PipelineModel.cpp - Time of a kernel from a round of blocks --------===//

#include "pipeline/PipelineModel.h"

#include "arch/ClusterPlacement.h"
#include "base/Clusters.h"
#include "base/Makespan.h"
#include "memory/LevelLatency.h"
#include "memory/RowLocality.h"
#include "memory/SliceTurn.h"
#include "pipeline/paper/PaperPipeline.h"
#include "timing/LaunchChecks.h"
#include "timing/ResultCheck.h"
#include "timing/Simulator.h"
#include "trace/HeldSource.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

using namespace heddle;
using namespace heddle::pipeline;

static uint64_t ceilDiv(uint64_t A, uint64_t B) { return (A + B - 1) / B; }

namespace {

class Estimator {
public:
  Estimator(trace::TraceSource &Source, const arch::GPUSpec &Spec,
            const PipelineOptions &Options)
      : Source(&Source), Spec(Spec), Options(Options),
        Code(Source.code(), Spec),
        Shape{Source.header().Grid, Source.header().Cluster},
        Grid(Source.header().Grid.count()) {}

  Result<PipelineEstimate> run();

private:
  Result<void> readBlocks();
  void findBusiest();
  std::vector<RoundBlock> blocksOf(uint64_t Group) const;
  void shareMemory(std::vector<RoundBlock> &Its) const;
  void addCluster(uint64_t Cluster, double ActiveSMs,
                  std::vector<RoundBlock> &Out) const;
  bool anyOrder() const { return Options.RandomAccess || Held; }
  uint64_t profileCost(const trace::BlockTrace &Block) const;
  void plan(const trace::BlockTrace &First, uint64_t Cost);
  void profileNeighbours(uint64_t Number, uint64_t Wave);
  Result<void> admit();
  Result<void> runHeddle();
  void runPaper();
  double paceFrom(uint64_t From, uint64_t Count) const;
  bool sharesByInsts() const;
  std::vector<double> atomicRatios(const std::vector<RoundBlock> &Its) const;
  double extrapolated();
  bool findLong();
  bool isLong(uint64_t Insts) const {
    return double(Insts) > FarLonger * Census.meanInsts();
  }
  void leaveOutLong();
  Result<double> lastEnd(const timing::Machine &M, const L2Profile &Profile,
                         double End) const;
  /// From the simulated blocks to the launch.
  double scale() const;
  double dramReads() const { ///< sectors of the launch
    return std::max(E.Round.DRAMReads * scale(), ReadOnce);
  }
  double dramCycles(const L2Profile &Profile, double Ends) const;
  void finish();
  void nameBound();
  void noteAssumptions();

  trace::TraceSource *Source;
  /// Serves in any order what \p Source does not, where that costs little.
  std::optional<trace::HeldSource> Held;
  const arch::GPUSpec &Spec;
  const PipelineOptions &Options;
  const timing::DecodedCode Code;
  const Clusters Shape;
  const uint64_t Grid;
  arch::SMGroups Groups;     ///< one for each resident cluster; an SM without
  uint64_t ActiveGroups = 0; ///< that have a cluster to run
  uint64_t BlocksOfSM = 0;   ///< that the busiest SM runs
  uint64_t AtOnce = 0;       ///< resident on it
  std::vector<uint64_t> Profiled; ///< blocks fed to the L2
  uint64_t ProfiledRows = 1;      ///< of the grid that they lie in
  std::vector<RoundBlock> Blocks;
  std::vector<RoundBlock> Others; ///< of another SM that may take longer
  std::optional<BlockWork> Long;  ///< of several rounds, one that is far longer
  double ReadOnce = 0;            ///< sectors that DRAM delivers at least
  /// Than the mean: blocks that a round of average ones cannot stand for. An
  /// assumption.
  static constexpr double FarLonger = 3;
  bool WholeSM = false; ///< nothing is left to extrapolate from Blocks
  BlockSample Sample;
  BlockCensus Census;
  PipelineEstimate E;
};

} // namespace

double Estimator::scale() const {
  uint64_t Insts = 0;
  for (uint64_t N : E.Round.BlockInsts)
    Insts += N;
  if (Census.Differ && Insts)
    return double(Grid) * Census.meanInsts() / double(Insts);
  return double(Grid) / double(std::max<size_t>(1, Blocks.size()));
}

void Estimator::addCluster(uint64_t Cluster, double ActiveSMs,
                           std::vector<RoundBlock> &Out) const {
  for (unsigned Rank = 0; Rank < Groups.Size; ++Rank)
    Out.push_back({Shape.block(Cluster, Rank), ActiveSMs});
}

/// Lines that a block touches, and its instructions, which cost about a fourth
/// of a line each to walk over.
uint64_t Estimator::profileCost(const trace::BlockTrace &Block) const {
  return std::max<uint64_t>(1, countLines(Block, Code, Spec) +
                                   countInsts(Block, Code.table()) / 4);
}

/// Chooses the blocks to simulate and to profile, by what the first one costs;
/// \p Cost is that of simulating one.
void Estimator::plan(const trace::BlockTrace &First, uint64_t Cost) {
  Blocks.clear();
  Profiled.clear();
  const uint64_t Clusters = Shape.count();
  ActiveGroups = std::min<uint64_t>(Clusters, Groups.Count);
  E.ActiveSMs = ActiveGroups * Groups.Size;
  BlocksOfSM = Groups.Clusters.empty() ? ceilDiv(Clusters, ActiveGroups)
                                       : Groups.Clusters.front();
  AtOnce = std::min<uint64_t>(E.Occupancy.BlocksPerSM, BlocksOfSM);
  E.Rounds = double(BlocksOfSM) / double(E.Occupancy.BlocksPerSM);

  // One round at least; three have one that is free of ramp or drain.
  uint64_t Simulated = AtOnce;
  for (uint64_t Rounds : {2, 3})
    if (Options.Model == Variant::Heddle &&
        Rounds * AtOnce * Cost <= Options.RoundBudget)
      Simulated = Rounds * AtOnce;
  Simulated = std::min(Simulated, BlocksOfSM);

  // The busiest SM runs blocks 0, N, 2N, ...; when the last of them runs, only
  // the SMs that got one more block than others are busy.
  const uint64_t Extra = Clusters % ActiveGroups;
  const uint64_t Whole = Clusters / ActiveGroups; // of every group
  for (uint64_t K = 0; K < Simulated; ++K) {
    uint64_t Turn = K;
    // Blocks are taken from the whole launch where that costs nothing.
    if (anyOrder() && Simulated < BlocksOfSM)
      Turn = K * BlocksOfSM / Simulated;
    const bool Last = K + 1 == BlocksOfSM && BlocksOfSM > Whole;
    // In one wave others run as many on average.
    const double Others = BlocksOfSM == AtOnce
                              ? double(Clusters) / double(BlocksOfSM)
                              : double(Last ? Extra : ActiveGroups);
    addCluster(std::min(Turn * ActiveGroups, Clusters - 1),
               Others * Groups.Size, Blocks);
  }

  if (Options.Model == Variant::Paper)
    return;
  uint64_t Wave = std::min(Grid, AtOnce * E.ActiveSMs);
  const uint64_t Least = std::max(2u, Groups.Size);
  uint64_t Number = std::clamp<uint64_t>(Options.L2Budget / profileCost(First),
                                         std::min(Least, Grid), Wave);
  Number -= Number % Groups.Size;
  profileNeighbours(Number, Wave);
}

/// Chooses \p Number blocks of the \p Wave first that lie as these do: in
/// several rows of the grid if they do, else the first. What blocks of a row
/// share is one thing, what those of a column share another.
void Estimator::profileNeighbours(uint64_t Number, uint64_t Wave) {
  const uint64_t Columns = Shape.Grid.X, Rows = Wave / Columns;
  if (anyOrder() && Groups.Size == 1 && Rows > 1 && Columns > 1)
    ProfiledRows = std::clamp<uint64_t>(
        uint64_t(std::sqrt(double(Number) * double(Rows) / double(Columns))), 1,
        std::min(Rows, Number / 2));
  const uint64_t Width =
      ProfiledRows == 1 ? Number : std::min(Columns, Number / ProfiledRows);
  for (uint64_t Y = 0; Y < ProfiledRows; ++Y)
    for (uint64_t X = 0; X < Width; ++X)
      Profiled.push_back(Y * Columns + X);
}

/// Where all blocks run at once, the launch takes as long as the SM that has
/// most to do, or that has the longest warp: of both that takes longer.
void Estimator::findBusiest() {
  if (!Census.Differ)
    return;
  const auto Longest =
      std::ranges::max_element(Census.Blocks, {}, &BlockWork::Longest);
  E.BlocksCounted = Census.Blocks.size();
  E.MeanInsts = Census.meanInsts();
  E.LongestWarp = Longest->Longest;
  if (BlocksOfSM > E.Occupancy.BlocksPerSM)
    return;
  const bool All = Census.Blocks.size() == Grid;
  // Of what was not counted, SMs with a block more have most.
  const uint64_t Extra = All ? 0 : Shape.count() % ActiveGroups;
  const uint64_t Full = Extra ? Extra : ActiveGroups;
  auto groupOf = [&](const BlockWork &W) {
    return Shape.clusterOf(W.Index) % ActiveGroups;
  };
  std::vector<uint64_t> Insts(ActiveGroups);
  const BlockWork *Long = nullptr;
  for (const BlockWork &W : Census.Blocks) {
    const uint64_t Group = groupOf(W);
    Insts[Group] += W.Insts;
    if (Group < Full && (!Long || W.Longest > Long->Longest))
      Long = &W;
  }
  if (!Long)
    return;
  const uint64_t OfLongest = groupOf(*Long);
  const uint64_t Most =
      All ? uint64_t(std::ranges::max_element(Insts) - Insts.begin())
          : OfLongest;
  Blocks = blocksOf(OfLongest);
  WholeSM = All;
  if (Most != OfLongest)
    Others = blocksOf(Most);
}

/// Where blocks run in several rounds, far longer ones than the others.
bool Estimator::findLong() {
  if (!Census.Differ || Groups.Size > 1 ||
      BlocksOfSM <= E.Occupancy.BlocksPerSM)
    return false;
  const auto Longest =
      std::ranges::max_element(Census.Blocks, {}, &BlockWork::Insts);
  if (isLong(Longest->Insts))
    Long = *Longest;
  return Long.has_value();
}

/// A round is that of the others: next to a long one there is one of these, if
/// blocks were counted.
void Estimator::leaveOutLong() {
  if (!Long || Census.Blocks.size() != Grid)
    return;
  for (RoundBlock &B : Blocks)
    while (isLong(Census.Blocks[B.Index].Insts))
      B.Index = (B.Index + 1) % Grid;
}

/// When the last block ends where the SMs are done with as many average ones at
/// \p End. Where few are left, these go on faster: at the rate of the longest
/// by itself.
Result<double> Estimator::lastEnd(const timing::Machine &M,
                                  const L2Profile &Profile, double End) const {
  if (!Long)
    return End;
  SMMemory Memory(Code, Spec, Profile, 1);
  const RoundBlock Block{Long->Index, 1};
  const auto Alone = simulateRound(Sample, {&Block, 1}, M, Memory);
  if (!Alone)
    return std::unexpected(Alone.error());
  // The blocks that were counted, on as many of the slots.
  std::vector<uint32_t> Sizes;
  for (const BlockWork &W : Census.Blocks)
    Sizes.push_back(uint32_t(std::min<uint64_t>(W.Insts, UINT32_MAX)));
  const double Mean = Census.meanInsts(), Counted = double(Sizes.size());
  const auto SMs = std::max<size_t>(
      1, size_t(double(ActiveGroups) * Counted / double(Grid)));
  const double PerInst = E.BlockInterval * double(AtOnce) / Mean;
  const double Share =
      std::clamp(Alone->Cycles / (double(Long->Insts) * PerInst), 0.0, 1.0);
  // Memory that is busy serves all alike; from when on is an assumption.
  constexpr double Busy = 0.5;
  const bool OwnLimits =
      std::max(E.Round.use("L2"), E.Round.use("DRAM")) < Busy;
  const SharedSMs Shared(SMs, AtOnce, Share,
                         arch::firstServed(Spec.SM.Scheduler));
  const double Last =
      OwnLimits ? Shared.makespan(Sizes) : makespan(Sizes, SMs * AtOnce, Share);
  if (OwnLimits && Sizes.size() == Grid)
    return Last * PerInst;
  const double Even = Mean * double(ceilDiv(BlocksOfSM, AtOnce));
  return End + std::max(0.0, Last - Even) * PerInst;
}

std::vector<RoundBlock> Estimator::blocksOf(uint64_t Group) const {
  std::vector<RoundBlock> Out;
  for (uint64_t C = Group; C < Shape.count(); C += ActiveGroups)
    addCluster(C, double(E.ActiveSMs), Out);
  return Out;
}

/// Where all blocks run at once, the memory has other work in the proportion
/// of all blocks' instructions to those of \p Its, which are a group's: the
/// busiest of all is not one of many alike.
void Estimator::shareMemory(std::vector<RoundBlock> &Its) const {
  if (!sharesByInsts())
    return;
  uint64_t Insts = 0;
  for (const RoundBlock &B : Its)
    Insts += countInsts(Sample[B.Index], Code.table());
  const double All = Census.meanInsts() * double(Grid);
  for (RoundBlock &B : Its)
    B.ActiveSMs =
        std::max(1.0, All / double(std::max<uint64_t>(1, Insts))) * Groups.Size;
}

Result<void> Estimator::readBlocks() {
  auto First = BlockSample::read(*Source, {0});
  if (!First)
    return std::unexpected(First.error());
  // Where blocks run in order, the first ones are often not like the others.
  if (Options.Model == Variant::Heddle && !Options.RandomAccess &&
      countInsts((*First)[0], Code.table()) <= Options.HeldBudget / Grid)
    Source = &Held.emplace(*Source);
  const uint64_t OfFirst =
      std::max<uint64_t>(1, countInsts((*First)[0], Code.table()));
  plan((*First)[0], OfFirst);
  if (Options.Model == Variant::Heddle && !anyOrder() &&
      Profiled.size() == Grid)
    Source = &Held.emplace(*Source);
  if (Options.Model == Variant::Heddle && anyOrder()) {
    // One round is that of the SM with most of those that are looked at.
    const bool Several = BlocksOfSM > E.Occupancy.BlocksPerSM;
    auto Taken = takeCensus(*Source, Code, Spec, Options.CensusBudget,
                            Several ? Options.HeldBudget : 0);
    if (!Taken)
      return std::unexpected(Taken.error());
    Census = std::move(*Taken);
    if (findLong())
      plan((*First)[0], uint64_t(std::max(1.0, Census.meanInsts())));
    findBusiest();
  }
  leaveOutLong();
  std::set<uint64_t> Wanted;
  for (const RoundBlock &B : Blocks)
    Wanted.insert(B.Index);
  for (const RoundBlock &B : Others)
    Wanted.insert(B.Index);
  Wanted.insert(Profiled.begin(), Profiled.end());
  if (Long)
    Wanted.insert(Long->Index);
  Wanted.erase(0);
  auto Rest = BlockSample::read(*Source, Wanted);
  if (!Rest)
    return std::unexpected(Rest.error());
  Sample = std::move(*Rest);
  Sample.merge(std::move(*First));
  shareMemory(Blocks);
  shareMemory(Others);
  return {};
}

/// Cycles from block to block of the \p Count that end after the first \p From.
/// Where blocks differ, those are not the average: long ones end late.
double Estimator::paceFrom(uint64_t From, uint64_t Count) const {
  const std::vector<double> &Ends = E.Round.BlockEnds;
  const std::vector<uint64_t> &Insts = E.Round.BlockInsts;
  auto MeanInsts = [&](uint64_t Begin, uint64_t End) {
    return double(std::accumulate(Insts.begin() + long(Begin),
                                  Insts.begin() + long(End), uint64_t(0))) /
           double(End - Begin);
  };
  const double Pace = (Ends[From + Count - 1] - Ends[From - 1]) / double(Count);
  const double Own = MeanInsts(From, From + Count);
  const double Mean =
      Census.Differ ? Census.meanInsts() : MeanInsts(0, Insts.size());
  return Own > 0 ? Pace * Mean / Own : Pace;
}

/// Cycles that the busiest SM, or group, needs for all of its blocks: what was
/// simulated, and the others at its pace between ramp and drain.
double Estimator::extrapolated() {
  const uint64_t Simulated = E.Round.BlockEnds.size(),
                 Wave = AtOnce * Groups.Size;
  double Cycles = E.Round.Cycles, Each;
  if (WholeSM) {
    E.BlockInterval = Cycles / double(Simulated) * Groups.Size;
    return Cycles;
  }
  if (Simulated >= 2 * Wave && Wave > 0) {
    Each = paceFrom(Wave, Wave);
    // Blocks that all started at once may still wait and compute together in
    // the second wave, which only takes time, as the drain of the third does.
    if (Simulated >= 3 * Wave)
      Each = std::min(Each, paceFrom(Wave, 2 * Wave));
  } else {
    Each = Cycles / double(std::max<uint64_t>(1, Simulated));
  }
  E.BlockInterval = Each * Groups.Size;
  // Not all SMs have as many blocks as the busiest.
  const double Mean =
      std::min(double(Simulated), double(Grid) / double(ActiveGroups));
  const double Work = scale() * Mean / double(Grid);
  return Cycles * std::max(1.0, Work) +
         double(BlocksOfSM * Groups.Size - Simulated) * Each;
}

/// Where all blocks run at once and do not do the same, other SMs are counted
/// by instructions (shareMemory).
bool Estimator::sharesByInsts() const {
  return Census.Differ && BlocksOfSM <= E.Occupancy.BlocksPerSM;
}

/// What other SMs ask of the slices for each turn of an atomic of \p Its: the
/// longest blocks often are those whose atomics are tried again and again.
std::vector<double>
Estimator::atomicRatios(const std::vector<RoundBlock> &Its) const {
  if (!Census.taken())
    return {};
  std::vector<double> Own(Census.Records.size());
  EventLines Lines(Code, Spec);
  uint64_t Insts = 0;
  for (const RoundBlock &B : Its) {
    Insts += countInsts(Sample[B.Index], Code.table());
    Lines.each(Sample[B.Index], [&](const timing::DecodedInst &I, uint8_t,
                                    auto Accesses) {
      if (I.isAtomic())
        for (const memory::LineAccess &A : Accesses)
          Own[I.Memory] +=
              memory::atomicTurns(std::popcount(A.Sectors), A.SameAddress);
    });
  }
  const double Times =
      sharesByInsts() ? double(Insts) / Census.meanInsts() : double(Its.size());
  for (size_t R = 0; R != Own.size(); ++R)
    Own[R] = Own[R] > 0 ? Census.Records[R].AtomicTurns * Times / Own[R] : 1;
  return Own;
}

/// The least time in which DRAM has moved all, of a launch that would end at
/// \p Ends. It has nothing to write until as much is dirty in L2 as may be, and
/// that takes as long as what else is busy.
double Estimator::dramCycles(const L2Profile &Profile, double Ends) const {
  const double PerSector = Spec.L2.Sector * Spec.Clock.Core /
                           (memory::sustainedBandwidth(Spec.DRAM) * 1000);
  const double Reads =
      dramReads() * PerSector *
      memory::rowFactor(Spec, Profile.Activates, Spec.DRAM.Queue);
  const double Writes = E.Round.DRAMWrites * scale() * PerSector *
                        memory::rowFactor(Spec, Profile.WriteActivates,
                                          memory::writesAtOnce(Spec.DRAM));
  double Busy = 0; // of the round
  for (const RoundResult::Use &U : E.Round.Uses)
    if (U.Name != "DRAM")
      Busy = std::max(Busy, U.Share * E.Round.Cycles);
  const double OfLaunch = Busy * double(BlocksOfSM * Groups.Size) /
                          double(std::max<size_t>(1, Blocks.size()));
  return Reads + Writes +
         Profile.HeldBack * std::max(0.0, std::min(OfLaunch, Ends) - Reads);
}

Result<void> Estimator::runHeddle() {
  const timing::Machine M(Spec, Code, Source->header(), E.Occupancy,
                          timing::only(timing::EventKind::BlockStart) |
                              timing::only(timing::EventKind::BlockEnd));
  L2Question Q;
  Q.Blocks = Profiled;
  Q.Rows = ProfiledRows;
  Q.GridColumns = Shape.Grid.X;
  Q.BlocksAtOnce = AtOnce * E.ActiveSMs;
  Q.BlocksPerSM = AtOnce;
  Q.SMs = E.ActiveSMs;
  Q.Grid = Grid;
  Q.L1Lines =
      M.L1.Size ? std::max<uint64_t>(1, M.L1.Size / M.L1.Line / AtOnce) : 0;
  Q.Launch = &Source->header();
  Q.Warm = Options.Warm;
  Q.Spread = &Census;
  L2Profile Profile = profileL2(Sample, Code, Spec, Q);
  E.BlocksProfiled = Profiled.size();
  E.Footprint =
      Profile.ReadFootprint + Profile.WriteFootprint + Profile.LocalFootprint;

  const auto Levels = memory::levelLatencies(Spec);
  E.LatencyL2 = Levels[1];
  E.LatencyDRAM = Levels[2];
  for (const std::vector<RoundBlock> &Which : {Blocks, Others}) {
    if (Which.empty())
      continue;
    SMMemory Memory(Code, Spec, Profile, Groups.Size);
    Memory.setAtomicsOfOthers(atomicRatios(Which));
    Result<RoundResult> R = simulateRound(Sample, Which, M, Memory);
    if (!R)
      return std::unexpected(R.error());
    if (E.Round.BlockEnds.empty() || R->Cycles > E.Round.Cycles) {
      E.Round = std::move(*R);
      Blocks = Which;
    }
  }
  E.LaunchCycles = Spec.Launch.KernelLatency;
  E.CountedLaunch = Spec.Launch.countedLatency();
  // The round may leave writes behind, which a long launch cannot. What is read
  // at all comes from DRAM once: in the round other instructions than in the
  // profile may ask for it first, of which the profile knows only hits.
  if (!Profile.Resident)
    ReadOnce = Profile.ReadFootprint * Profile.ReadMoved / Spec.L2.Sector;
  const double IssueCycles =
      timing::issueCycles(double(E.Round.IssuedInsts) * scale(), Spec);
  // No warp waits for reductions, but the launch does.
  const double Rounds = Census.taken() && !sharesByInsts()
                            ? double(Grid) / double(Blocks.size())
                            : scale();
  const double Atomics = E.Round.FirstAtomic + E.Round.AtomicCycles * Rounds;
  const auto Last = lastEnd(M, Profile, extrapolated());
  if (!Last)
    return std::unexpected(Last.error());
  const double Ends =
      *Last + E.Round.Drain +
      Spec.Launch.lastBehind(Grid, Spec.SM.Count, Groups.Size - 1);
  const double Dispatch = Spec.Launch.dispatchCycles(Grid, Groups.Size);
  E.Cycles = E.CountedLaunch +
             std::ceil(std::max({Ends, Atomics, dramCycles(Profile, Ends),
                                 IssueCycles, Dispatch}));
  E.HostUs = Spec.Launch.HostTime;
  return {};
}

/// Equation 8, as it stands: a fraction of a round costs that fraction, and
/// nothing is added. That of a kernel of few instructions is below the cycle
/// that any launch takes.
void Estimator::runPaper() {
  E.Round = simulatePaperRound(Sample, Blocks, Code, Spec);
  E.Cycles = std::max(1.0, E.Round.Cycles * double(Grid) /
                               (double(Blocks.size()) * double(Spec.SM.Count)));
  E.BlockInterval = E.Round.Cycles / double(Blocks.size());
}

/// Where the launch is another than the model takes it for.
void Estimator::noteAssumptions() {
  const double Waited = E.Round.DRAMReads * scale();
  if (ReadOnce > 1.1 * Waited) // a tenth of what is read, so of its time
    E.Assumptions.push_back(fmt::format(
        "pipeline model: DRAM reads {:.0f} bytes at least, of which the "
        "simulated blocks wait for {:.0f}; other instructions than in the "
        "profile of L2 ask for them first, so the time may be too short",
        ReadOnce * Spec.L2.Sector, Waited * Spec.L2.Sector));
  if (Census.Differ && Census.Blocks.size() < Grid &&
      BlocksOfSM > E.Occupancy.BlocksPerSM)
    E.Assumptions.push_back(fmt::format(
        "pipeline model: blocks of this launch differ, and {} of {} were "
        "counted; one far longer than these is not seen",
        Census.Blocks.size(), Grid));
  if (Options.Model == Variant::Heddle && !anyOrder())
    E.Assumptions.push_back(fmt::format(
        "pipeline model: blocks of this launch run in order, and the first {} "
        "stand for all {}",
        Sample.last() + 1, Grid));
}

void Estimator::nameBound() {
  // Less than half busy, no unit explains the time.
  constexpr double Busy = 0.5;
  E.Bound = "latency";
  for (const RoundResult::Use &U : E.Round.Uses)
    if (U.Share > std::max(Busy, E.BoundShare)) {
      E.Bound = U.Name;
      E.BoundShare = std::min(1.0, U.Share);
    }
  double Kernel = E.Cycles - E.CountedLaunch;
  if (E.LaunchCycles > Kernel)
    E.Bound = "launch";
}

void Estimator::finish() {
  const trace::TraceHeader &H = Source->header();
  E.Kernel = H.Kernel;
  E.GPU = Spec.Name;
  E.Producer = H.Producer;
  E.Model = Options.Model == Variant::Paper ? "pipeline=paper" : "pipeline";
  E.Grid = H.Grid;
  E.Block = H.Block;
  E.CoreMHz = Spec.Clock.Core;
  E.TimeUs = E.Cycles / Spec.Clock.Core;
  E.BlocksSimulated = Blocks.size();
  E.RoundCycles = E.Round.Cycles;
  const double Scale = scale();
  E.WarpInstructions = std::round(double(E.Round.WarpInsts) * Scale);
  E.IPC = E.Cycles > 0 ? E.WarpInstructions / E.Cycles : 0;
  const RoundResult &R = E.Round;
  E.L1HitRate = R.L1Sectors ? double(R.L1Hits) / double(R.L1Sectors) : 0;
  E.L2Sectors = R.L2Sectors * Scale;
  E.DRAMReadBytes = dramReads() * Spec.L2.Sector;
  E.DRAMWriteBytes = R.DRAMWrites * Scale * Spec.L2.Sector;
  E.Roof = {Spec, E.WarpInstructions, E.DRAMReadBytes + E.DRAMWriteBytes};
  double Resident = double(std::min<uint64_t>(AtOnce, BlocksOfSM)) *
                    H.blockResources().warps();
  E.Occupancy.Achieved = Resident / Spec.SM.MaxWarps;
  nameBound();
  noteAssumptions();
}

/// What the model and the machine must know of the launch.
Result<void> Estimator::admit() {
  if (Grid == 0)
    return fail("the grid has no blocks");
  const bool Paper = Options.Model == Variant::Paper;
  if (Paper && (Shape.blocksPerCluster() > 1 || timing::needsSM(Code.table())))
    return fail(
        "the model pipeline=paper knows neither mbarriers, bulk copies, "
        "wgmma, setmaxnreg nor clusters; pipeline and `heddle "
        "simulate` do");
  const arch::ModelContract &Takes = Paper ? PaperContract : Contract;
  if (Result<void> Ok = Takes.check(Spec); !Ok)
    return Ok;
  E.Ignored = Takes.ignored(Spec);
  auto O = timing::checkedOccupancy(*Source, Spec);
  if (!O)
    return std::unexpected(O.error());
  E.Occupancy = *O;
  auto Its = arch::groupsOf(Spec, Source->header().Kernel, Shape.Size,
                            Shape.count(), O->BlocksPerSM);
  if (!Its)
    return std::unexpected(Its.error());
  Groups = *Its;
  return {};
}

Result<PipelineEstimate> Estimator::run() {
  if (Result<void> Ok = admit(); !Ok)
    return std::unexpected(Ok.error());
  if (Result<void> R = readBlocks(); !R)
    return std::unexpected(R.error());
  if (Options.Model == Variant::Paper)
    runPaper();
  else if (Result<void> R = runHeddle(); !R)
    return std::unexpected(R.error());
  finish();
  if (Options.Model == Variant::Heddle)
    timing::checkEstimate(
        {"pipeline", E.Kernel, E.Round.WarpInsts, E.Round.TraceInsts,
         E.Round.IssuedInsts, E.WarpInstructions,
         E.DRAMReadBytes + E.DRAMWriteBytes, E.Cycles - E.CountedLaunch,
         Spec.Launch.dispatchCycles(Grid, Groups.Size)},
        Spec);
  return std::move(E);
}

Result<PipelineEstimate>
heddle::pipeline::estimate(trace::TraceSource &Source,
                           const arch::GPUSpec &Spec,
                           const PipelineOptions &Options) {
  return Estimator(Source, Spec, Options).run();
}
