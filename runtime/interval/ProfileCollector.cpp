//===- ProfileCollector.cpp - The input collector -------------------------===//

#include "interval/ProfileCollector.h"

#include "arch/SpecFields.h"
#include "interval/BlockIntake.h"
#include "interval/FunctionalMemory.h"
#include "interval/Makespan.h"
#include "interval/WarpPlan.h"
#include "timing/DecodedCode.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <queue>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::interval {

std::string collectionKey(const arch::GPUSpec &Spec) {
  static constexpr std::string_view Sections[] = {"sm.", "shared.", "l1.",
                                                  "l2."};
  static constexpr std::string_view Times[] = {
      // What decides how long something takes, but not which warps and lines
      // meet. A field that is new is taken to matter.
      "sm.schedulers", "sm.scheduler", "sm.two_level_active", "sm.max_issue",
      "sm.dual_issue_distinct",
      // Memory.
      "shared.latency", "shared.atomic_latency", "l1.latency", "l1.mshrs",
      "l1.mshr_merge", "l1.merge_per_sector", "l1.miss_queue", "l1.banks",
      "l1.bank_interleave", "l1.tags", "l2.latency", "l2.mshrs",
      "l2.mshr_merge", "l2.merge_per_sector", "l2.cycles_per_sector",
      "l2.atomic_cycles", "l2.split_atomics"};
  std::string Key;
  arch::forEachField(Spec, [&](const arch::FieldInfo &F, const auto &Value) {
    if (std::ranges::none_of(Sections,
                             [&](auto S) { return F.Name.starts_with(S); }) ||
        std::ranges::find(Times, F.Name) != std::end(Times))
      return;
    using T = std::remove_cvref_t<decltype(Value)>;
    if constexpr (std::is_enum_v<T>)
      Key += fmt::format("{};", unsigned(Value));
    else if constexpr (std::is_same_v<T, std::vector<uint32_t>>)
      Key += fmt::format("{};", fmt::join(Value, ","));
    else
      Key += fmt::format("{};", Value);
  });
  return Key;
}

namespace {

struct ResidentWarp {
  const WarpPlan *Plan = nullptr;
  const uint64_t *Bases = nullptr; ///< origins, for the plan
  uint32_t Turn = 0;               ///< the plan's next
  unsigned Slot = 0;
  std::unique_ptr<trace::WarpCursor> Cursor; ///< decodes what has no plan
};

struct ResidentBlock {
  HeldBlock Trace;
  FetchTable *Fetches = nullptr; ///< of a block that is kept
  std::vector<ResidentWarp> Warps;
  std::vector<uint32_t> Live; ///< indices of Warps
  unsigned SM = 0, Slot = 0;
};

uint32_t short32(uint64_t N) {
  return uint32_t(std::min<uint64_t>(N, UINT32_MAX));
}

unsigned sampleShift(const arch::GPUSpec &Spec, const CollectOptions &Options) {
  constexpr unsigned Enough = 5; ///< SMs
  if (Options.Whole)
    return 0;
  return Options.SampleShift.value_or(
      std::bit_width(std::max(Enough, Spec.SM.Count) / Enough) - 1);
}

class Collector {
public:
  Collector(trace::TraceSource &Source, const arch::GPUSpec &Spec,
            const CollectOptions &Options, const arch::CacheSpec &L1,
            IntervalProfile &Out)
      : Spec(Spec), Options(Options), Out(Out), Code(Out.Code, Spec),
        Accesses(accessesOf(Out.Code, Code)),
        Memory(Spec, L1, sampleShift(Spec, Options), Out), Intake(Source, Out),
        Plans(Out.Code, Code, Accesses, Memory) {}
  Result<void> run();

private:
  /// Accesses of a warp before other SMs have their turn.
  static constexpr unsigned Quantum = 4;
  /// Rounds of resident blocks from which on all SMs have about the same to do.
  static constexpr uint64_t FewRounds = 2;

  Result<void> start(ResidentBlock &B);
  void startWarp(ResidentBlock &B, unsigned Number);
  bool advance(ResidentBlock &B, ResidentWarp &W);
  bool decodeTurn(ResidentBlock &B, ResidentWarp &W);
  bool hasNext(unsigned SM, uint64_t Total);
  SMStream *kept(unsigned SM);
  void keep(unsigned SM);
  Result<void> planCritical(uint64_t Total);
  bool alike() const;
  uint64_t toKeep() const {
    return Out.Critical || !alike() ? Options.KeepOfUnequal : Options.KeepInsts;
  }
  bool enough(uint64_t Total);
  std::vector<uint64_t *> counters();
  Result<void> countRest(uint64_t Total);

  const arch::GPUSpec &Spec;
  const CollectOptions &Options;
  IntervalProfile &Out;
  const DecodedCode Code;
  std::vector<BlockAccesses> Accesses; ///< by block of the code
  FunctionalMemory Memory;
  BlockIntake Intake;
  WarpPlans Plans;
  uint64_t NextBlock = 0;
  std::vector<int> Kept;           ///< by SM: place in Out.SMs or -1
  std::vector<uint64_t> KeptInsts; ///< by place in Out.SMs
  /// Where SMs differ: what every block is and, by SM, which are to come.
  std::vector<HeldBlock> Held;
  std::vector<std::vector<uint64_t>> Assigned;
  std::vector<size_t> NextAssigned;
  double SumInsts = 0, SumSquares = 0;        ///< of blocks
  uint64_t RoundFills = 0, RoundAccesses = 0; ///< of L2, before this round
  /// What had been counted when this round of blocks began to start, and the
  /// one before.
  std::vector<uint64_t> AtRound, AtRoundBefore;
  /// The last round of blocks found L2 as it leaves it, and the one before.
  bool Settled = false, SettledBefore = false;
  bool Stopped = false;
};

} // namespace

SMStream *Collector::kept(unsigned SM) {
  return Kept[SM] < 0 ? nullptr : &Out.SMs[Kept[SM]];
}

void Collector::keep(unsigned SM) {
  if (Kept[SM] >= 0)
    return;
  Kept[SM] = int(Out.SMs.size());
  Out.SMs.push_back({});
  Out.SMs.back().SM = SM;
  KeptInsts.push_back(0);
  Memory.exact(SM);
}

/// Where there are so few blocks that the SMs' shares differ, keeps the SM with
/// most instructions and the one whose blocks have the longest chain of warps
/// one after the other. Blocks go to whichever CTA slot would be free first if
/// every instruction took the same time.
Result<void> Collector::planCritical(uint64_t Total) {
  const unsigned SMs = Spec.SM.Count;
  Held.resize(Total);
  Assigned.resize(SMs);
  NextAssigned.resize(SMs);
  std::vector<SMStream> All(SMs);
  using Free = std::pair<uint64_t, uint64_t>; ///< when, order of the slots
  std::priority_queue<Free, std::vector<Free>, std::greater<Free>> Slots;
  for (uint64_t P = 0; P < uint64_t(SMs) * Out.Occupancy.BlocksPerSM; ++P)
    Slots.emplace(0, P);
  for (uint64_t N = 0; N < Total; ++N) {
    if (Result<void> R = Intake.read(N, Held[N]); !R)
      return R;
    const BlockSize &Size = Held[N].Size;
    Out.BlockInsts.push_back(short32(Size.Insts));
    auto [When, Slot] = Slots.top();
    Slots.pop();
    Slots.emplace(When + Size.Chain, Slot);
    Assigned[Slot % SMs].push_back(N);
    All[Slot % SMs].AllInsts.push_back(short32(Size.Insts));
    All[Slot % SMs].Chains.push_back(short32(Size.Chain));
  }
  unsigned Most = 0, Longest = 0, Busy = 0;
  uint64_t MostInsts = 0, LongestChain = 0, Sum = 0;
  auto instsOf = [&](unsigned SM) {
    return std::accumulate(All[SM].AllInsts.begin(), All[SM].AllInsts.end(),
                           uint64_t(0));
  };
  for (unsigned SM = 0; SM < SMs; ++SM) {
    const uint64_t Insts = instsOf(SM);
    const auto Chain =
        uint64_t(makespan(All[SM].Chains, Out.Occupancy.BlocksPerSM));
    Sum += Insts;
    Busy += !All[SM].AllInsts.empty();
    if (Insts > MostInsts) {
      MostInsts = Insts;
      Most = SM;
    }
    if (Chain > LongestChain) {
      LongestChain = Chain;
      Longest = SM;
    }
  }
  // One of them decides if it is nearly both.
  const double Alike = 0.95;
  if (makespan(All[Most].Chains, Out.Occupancy.BlocksPerSM) >=
      Alike * double(LongestChain))
    Longest = Most;
  for (unsigned SM : {Most, Longest}) {
    keep(SM);
    const uint64_t Insts = instsOf(SM);
    if (Busy > 1 && Insts)
      kept(SM)->OthersShare =
          double(Sum - Insts) / double(Busy - 1) / double(Insts);
  }
  return {};
}

void Collector::startWarp(ResidentBlock &B, unsigned Number) {
  const HeldBlock::Warp &From = B.Trace.Warps[Number];
  const std::span<uint64_t> Bases = B.Trace.bases(From);
  ResidentWarp &W = B.Warps[Number];
  W.Slot = B.Slot * unsigned(B.Warps.size()) + Number;
  W.Plan = nullptr;
  // Making one is worth it from the second warp on.
  if (From.Class != HeldBlock::NoClass && Out.Classes[From.Class].Count > 1)
    W.Plan = Plans.find(From.Class, From.Body, Bases);
  if (W.Plan) {
    for (uint64_t &Base : Bases)
      Base = Plans.origin(Base);
    W.Bases = Bases.data();
    W.Turn = 0;
    return;
  }
  if (!W.Cursor)
    W.Cursor = std::make_unique<trace::WarpCursor>();
  W.Cursor->reset(Out.Code, From.Body, Bases);
}

/// Starts the next block in the place of \p B.
Result<void> Collector::start(ResidentBlock &B) {
  if (Out.Critical) {
    B.Trace = std::move(Held[Assigned[B.SM][NextAssigned[B.SM]++]]);
  } else if (Result<void> R = Intake.read(NextBlock, B.Trace); !R) {
    return R;
  }
  const BlockSize &Size = B.Trace.Size;
  if (!Out.Critical)
    Out.BlockInsts.push_back(short32(Size.Insts));
  ++NextBlock;
  B.Fetches = nullptr;
  if (SMStream *Keep = kept(B.SM)) {
    uint64_t &Insts = KeptInsts[Kept[B.SM]];
    const size_t Round = Out.Occupancy.BlocksPerSM, Ran = Keep->AllInsts.size();
    // The second round's rate is that of those to come: worth it where two of
    // them are not much.
    const bool Second =
        Ran < 2 * Round && Insts * 2 * Round <= Options.KeepOfUnequal * Ran;
    if (Ran < Round || Second || Insts < toKeep()) {
      B.Fetches = &Keep->Fetches;
      Insts += Size.Insts;
      Keep->Blocks.push_back({Size.Insts, B.Trace.copy()});
    }
    Keep->AllInsts.push_back(short32(Size.Insts));
    Keep->Chains.push_back(short32(Size.Chain));
  }
  B.Warps.resize(B.Trace.Warps.size());
  B.Live.clear();
  for (unsigned W = 0; W < B.Warps.size(); ++W) {
    startWarp(B, W);
    B.Live.push_back(W);
  }
  Out.Warps += B.Warps.size();
  Out.WarpInsts += Size.Insts;
  Out.ThreadInsts += Size.ThreadInsts;
  SumInsts += double(Size.Insts);
  SumSquares += double(Size.Insts) * double(Size.Insts);
  return {};
}

/// Whether the blocks so far are equal in size.
bool Collector::alike() const {
  constexpr double MaxVariation = 0.1;
  if (NextBlock == 0)
    return true;
  const double Mean = SumInsts / double(NextBlock);
  const double Variance =
      std::max(0.0, SumSquares / double(NextBlock) - Mean * Mean);
  return Variance <= MaxVariation * MaxVariation * Mean * Mean;
}

/// Whether the blocks to come can be taken to be like those so far: the kept
/// SMs have their part, blocks are equal in size, and L2 neither fills up nor
/// finds more than before.
bool Collector::enough(uint64_t Total) {
  constexpr size_t Rounds = 5; // the first ones fill the SMs in step
  if (Stopped || Options.Whole || Out.Critical)
    return Stopped;
  const uint64_t Round = uint64_t(Spec.SM.Count) * Out.Occupancy.BlocksPerSM;
  if (NextBlock % Round == 0) {
    // Few new sectors, or so many that they have replaced all there was.
    const uint64_t Fills = Memory.l2Fills(), Accesses = Memory.l2Accesses();
    SettledBefore = Settled;
    Settled = (Fills - RoundFills) * 20 <= Accesses - RoundAccesses ||
              Fills * Spec.L2.Sector * 2 >= Spec.L2.TotalSize * 3;
    RoundFills = Fills;
    RoundAccesses = Accesses;
    AtRoundBefore = std::move(AtRound);
    AtRound.clear();
    for (const uint64_t *Count : counters())
      AtRound.push_back(*Count);
  }
  if (!Settled || !SettledBefore || Total - NextBlock < Round)
    return false;
  for (size_t N = 0; N < Out.SMs.size(); ++N)
    if (Out.SMs[N].AllInsts.size() < Rounds * Out.Occupancy.BlocksPerSM ||
        KeptInsts[N] < toKeep())
      return false;
  return Stopped = alike();
}

/// What is scaled up where a part is collected, instructions first.
std::vector<uint64_t *> Collector::counters() {
  return {&Out.WarpInsts,        &Out.ThreadInsts,    &Out.L1.Accesses,
          &Out.L1.Hits,          &Out.L1.Writes,      &Out.L2.Accesses,
          &Out.L2.Hits,          &Out.L2.Writes,      &Out.DRAMReadSectors,
          &Out.DRAMWriteSectors, &Out.AwaitedSectors, &Out.L2WrittenSectors};
}

/// Counts the instructions of blocks that go through no cache, from a sample.
/// The caches do there what they did in the last whole round: what was written
/// before stays in L2 for a while, and so reaches DRAM in later rounds only.
Result<void> Collector::countRest(uint64_t Total) {
  constexpr uint64_t Sample = 256;
  const uint64_t Collected = Out.WarpInsts;
  const uint64_t Step = std::max<uint64_t>(1, (Total - NextBlock) / Sample);
  HeldBlock Trace;
  while (NextBlock < Total) {
    if (Result<void> R = Intake.read(NextBlock, Trace); !R)
      return R;
    const BlockSize &Size = Trace.Size;
    for (uint64_t N = 0; N < Step && NextBlock < Total; ++N, ++NextBlock) {
      Out.BlockInsts.push_back(short32(Size.Insts));
      Out.WarpInsts += Size.Insts;
      Out.Warps += Trace.Warps.size();
      if (SMStream *Keep = kept(unsigned(NextBlock % Spec.SM.Count))) {
        Keep->AllInsts.push_back(short32(Size.Insts));
        Keep->Chains.push_back(short32(Size.Chain));
      }
    }
  }
  Out.CollectedShare =
      Out.WarpInsts ? double(Collected) / double(Out.WarpInsts) : 1;
  const double Rest = double(Out.WarpInsts - Collected);
  const double Round = double(AtRound[0] - AtRoundBefore[0]);
  const std::vector<uint64_t *> Counts = counters();
  for (size_t N = 1; N < Counts.size(); ++N)
    *Counts[N] +=
        uint64_t(double(AtRound[N] - AtRoundBefore[N]) * Rest / Round + 0.5);
  return {};
}

/// Runs the warp up to and including its next access; false at its end.
bool Collector::advance(ResidentBlock &B, ResidentWarp &W) {
  if (!W.Plan)
    return decodeTurn(B, W);
  if (W.Turn == W.Plan->Turns.size())
    return false;
  const WarpPlan &P = *W.Plan;
  const uint32_t First = W.Turn ? P.Turns[W.Turn - 1] : 0;
  for (uint32_t N = First; N < P.Turns[W.Turn]; ++N) {
    const WarpPlan::Access &A = P.Accesses[N];
    Memory.accessLines(B.SM, A.PC, Code[A.PC], A.Space,
                       {P.Lines.data() + A.FirstLine, A.NumLines},
                       W.Bases[A.Base], B.Fetches);
  }
  ++W.Turn;
  return true;
}

/// The same for a warp without a plan.
bool Collector::decodeTurn(ResidentBlock &B, ResidentWarp &W) {
  trace::WarpCursor &C = *W.Cursor;
  for (unsigned Quiet = 0; Quiet < MaxQuietEvents; ++Quiet) {
    if (!C.next())
      return false;
    const BlockAccesses &S = Accesses[C.block()];
    for (uint32_t PC : S.OffChip)
      Memory.access(B.SM, W.Slot, PC, Code[PC], C.access(Code[PC].Memory),
                    B.Fetches);
    if (!S.All.empty())
      return true;
  }
  return true;
}

bool Collector::hasNext(unsigned SM, uint64_t Total) {
  if (Out.Critical)
    return NextAssigned[SM] < Assigned[SM].size();
  return NextBlock < Total && !enough(Total);
}

Result<void> Collector::run() {
  const uint64_t Total = Out.Launch.Grid.count();
  const unsigned SMs = Spec.SM.Count;
  const uint64_t Round = uint64_t(SMs) * Out.Occupancy.BlocksPerSM;
  Kept.assign(SMs, -1);
  Out.Critical = Total <= FewRounds * Round;
  if (Out.Critical) {
    if (Result<void> R = planCritical(Total); !R)
      return R;
  } else {
    // All have about the same to do: one from the middle of a round.
    keep(SMs / 2);
  }
  // By SM, so that one L1 after the other is at work.
  size_t Running = 0;
  std::vector<std::vector<std::unique_ptr<ResidentBlock>>> Resident(SMs);
  for (unsigned P = 0; P < Out.Occupancy.BlocksPerSM; ++P)
    for (unsigned SM = 0; SM < SMs; ++SM) {
      if (Out.Critical ? NextAssigned[SM] == Assigned[SM].size()
                       : NextBlock == Total)
        continue;
      auto B = std::make_unique<ResidentBlock>();
      B->SM = SM;
      B->Slot = P;
      if (Result<void> R = start(*B); !R)
        return R;
      Resident[SM].push_back(std::move(B));
      ++Running;
    }
  std::vector<ResidentBlock *> Ended;
  for (uint64_t Time = 1; Running; Time += Quantum) {
    Ended.clear();
    for (unsigned SM = 0; SM < SMs; ++SM) {
      // The order of the warps on an SM that is kept matters; elsewhere it is
      // enough that all move on at the same pace.
      const unsigned Passes = kept(SM) ? Quantum : 1;
      for (unsigned Pass = 0; Pass < Passes; ++Pass)
        for (auto &B : Resident[SM]) {
          if (B->Live.empty())
            continue;
          std::erase_if(B->Live, [&](uint32_t W) {
            for (unsigned N = 0; N < Quantum / Passes; ++N) {
              Memory.setTime(Time + Pass + N);
              if (!advance(*B, B->Warps[W]))
                return true;
            }
            return false;
          });
          if (B->Live.empty()) {
            Ended.push_back(B.get());
            --Running;
          }
        }
    }
    Memory.closeStretch();
    // The next blocks go around the SMs, as the first ones did.
    std::ranges::sort(Ended, {}, [](const ResidentBlock *B) {
      return std::pair(B->Slot, B->SM);
    });
    for (ResidentBlock *B : Ended) {
      if (!hasNext(B->SM, Total))
        continue;
      if (Result<void> R = start(*B); !R)
        return R;
      ++Running;
    }
  }
  Out.ReplayInsts = toKeep();
  if (!Out.Critical && alike())
    for (uint64_t Insts : KeptInsts)
      Out.ReplayInsts = std::max(Out.ReplayInsts, Insts);
  if (NextBlock < Total)
    if (Result<void> R = countRest(Total); !R)
      return R;
  Memory.finish();
  return {};
}

Result<IntervalProfile> collectProfile(trace::TraceSource &Source,
                                       const arch::GPUSpec &Spec,
                                       const CollectOptions &Options) {
  if (timing::hasBarrierActions(Source.code()))
    return fail("mbarriers and bulk copies are known to `heddle simulate` "
                "alone, not to the interval models");
  if (timing::hasGroupProducts(Source.code()))
    return fail("wgmma and setmaxnreg are known to `heddle simulate` alone, "
                "not to the interval models");
  IntervalProfile P;
  P.Key = collectionKey(Spec);
  P.Launch = Source.header();
  P.Code = Source.code();
  const BlockResources Block = P.Launch.blockResources();
  Result<arch::Occupancy> O = arch::computeOccupancy(Block, Spec);
  if (!O)
    return std::unexpected(O.error());
  P.Occupancy = *O;
  P.Sites.resize(P.Code.Insts.size());
  arch::CacheSpec L1 =
      Spec.l1For(arch::sharedBytesPerBlock(Block, Spec) * O->BlocksPerSM);
  Collector C(Source, Spec, Options, L1, P);
  if (Result<void> R = C.run(); !R)
    return std::unexpected(R.error());
  P.Span = makespan(P.BlockInsts,
                    size_t(std::max(1u, O->BlocksPerSM)) * Spec.SM.Count);
  return P;
}

} // namespace heddle::interval
