//===- ProfileCollector.cpp - The input collector -------------------------===//

#include "interval/ProfileCollector.h"

#include "arch/SpecFields.h"
#include "base/Makespan.h"
#include "interval/BlockSupply.h"
#include "interval/FunctionalMemory.h"
#include "interval/WarpPlan.h"
#include "timing/LaunchChecks.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::interval {

std::string collectionKey(const arch::GPUSpec &Spec) {
  static constexpr std::string_view Sections[] = {"sm.", "shared.", "l1.",
                                                  "l2.", "cluster."};
  static constexpr std::string_view Times[] = {
      // What decides how long something takes, but not which warps and lines
      // meet. A field that is new is taken to matter.
      "sm.schedulers", "sm.scheduler", "sm.two_level_active", "sm.max_issue",
      "sm.dual_issue_distinct", "cluster.latency", "cluster.bytes_per_cycle",
      // Memory.
      "shared.latency", "shared.atomic_latency", "l1.latency", "l1.mshrs",
      "l1.mshr_merge", "l1.merge_per_sector", "l1.miss_queue", "l1.banks",
      "l1.bank_interleave", "l1.tags", "l2.latency", "l2.mshrs",
      "l2.mshr_merge", "l2.merge_per_sector", "l2.cycles_per_sector",
      "l2.atomic_cycles", "l2.split_atomics"};
  // What of DRAM decides which requests meet in a row.
  static constexpr std::string_view Rows[] = {
      "dram.banks", "dram.channels",   "dram.hash_banks", "dram.queue",
      "dram.row",   "dram.write_high", "dram.write_queue"};
  auto matters = [](std::string_view Name) {
    return std::ranges::find(Rows, Name) != std::end(Rows) ||
           (std::ranges::any_of(Sections,
                                [&](auto S) { return Name.starts_with(S); }) &&
            std::ranges::find(Times, Name) == std::end(Times));
  };
  std::string Key;
  arch::forEachField(Spec, [&](const arch::FieldInfo &F, const auto &Value) {
    if (!matters(F.Name))
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
  uint32_t Asked = 0; ///< of the accesses of the cursor's block, if it waits
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
        Supply(Intake, Out), Plans(Out.Code, Code, Accesses, Memory) {}
  Result<void> run();

private:
  /// Rounds of resident blocks from which on all SMs have about the same to do.
  static constexpr uint64_t FewRounds = 2;

  Result<void> start(ResidentBlock &B);
  void startWarp(ResidentBlock &B, unsigned Number);
  bool advance(ResidentBlock &B, ResidentWarp &W);
  bool decodeTurn(ResidentBlock &B, ResidentWarp &W);
  bool hasNext(unsigned SM);
  SMStream *kept(unsigned SM);
  void keepGroup(unsigned Group);
  bool keepsNext(unsigned SM);
  void keepLongest(ResidentBlock &B);
  Result<void> planCritical();
  bool alike() const;
  uint64_t toKeep() const {
    return Out.Critical || !alike() ? Options.KeepOfUnequal : Options.KeepInsts;
  }
  bool enough();
  std::vector<uint64_t *> counters();
  Result<void> countRest();

  const arch::GPUSpec &Spec;
  const CollectOptions &Options;
  IntervalProfile &Out;
  const DecodedCode Code;
  std::vector<BlockAccesses> Accesses; ///< by block of the code
  FunctionalMemory Memory;
  BlockIntake Intake;
  BlockSupply Supply;
  WarpPlans Plans;
  uint64_t Started = 0;  ///< blocks
  std::vector<int> Kept; ///< by SM: place in Out.SMs or -1
  /// The longest blocks so far, the last of which is the longest of all.
  std::deque<SMStream> Longest;
  /// Of a group that is kept: instructions of the blocks that are, and whether
  /// its clusters were, as the first of its SMs to start one found.
  struct KeptGroup {
    uint64_t Insts = 0;
    bool AllKept = true; ///< so far
    std::vector<bool> Keeps;
  };
  std::vector<KeptGroup> KeptGroups; ///< by place in Out.SMs / size of a group
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

/// Keeps what the SMs of \p Group do.
void Collector::keepGroup(unsigned Group) {
  const unsigned First = Group * Out.Groups.Size;
  if (Kept[First] >= 0)
    return;
  for (unsigned SM = First; SM < First + Out.Groups.Size; ++SM) {
    Kept[SM] = int(Out.SMs.size());
    Out.SMs.emplace_back().SM = SM;
    Memory.exact(SM);
  }
  KeptGroups.emplace_back();
}

/// Where there are so few blocks that the SMs' shares differ, keeps the SM with
/// most instructions and the one whose blocks have the longest chain of warps
/// one after the other; of clusters, the groups.
Result<void> Collector::planCritical() {
  const auto Shares =
      Supply.assignAll(Out.Occupancy.BlocksPerSM, Out.BlockInsts);
  if (!Shares)
    return std::unexpected(Shares.error());
  using Share = BlockSupply::Share;
  for (const Share &S : *Shares)
    std::ranges::remove_copy(S.Slots, std::back_inserter(Out.Slots), 0);
  std::ranges::sort(Out.Slots);
  const auto Most = std::ranges::max_element(*Shares, {}, &Share::Insts);
  auto Longest = std::ranges::max_element(*Shares, {}, &Share::Chain);
  // One of them decides if it is nearly both; how near is an assumption.
  constexpr double Alike = 0.95;
  if (double(Most->Chain) >= Alike * double(Longest->Chain))
    Longest = Most;
  for (const auto It : {Most, Longest}) {
    keepGroup(unsigned(It - Shares->begin()));
    auto &Its = (Out.SMs.end() - Out.Groups.Size)->Slots;
    Its.clear();
    std::ranges::remove_copy(It->Slots, std::back_inserter(Its), 0);
    std::ranges::sort(Its);
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
  W.Asked = 0;
  if (!W.Cursor)
    W.Cursor = std::make_unique<trace::WarpCursor>();
  W.Cursor->reset(Out.Code, From.Body, Bases);
}

/// Whether \p SM, which is kept, keeps the block that it starts: the SMs of a
/// group do so for the same clusters.
bool Collector::keepsNext(unsigned SM) {
  KeptGroup &Group = KeptGroups[size_t(Kept[SM]) / Out.Groups.Size];
  const size_t Round = Out.Occupancy.BlocksPerSM,
               Ran = kept(SM)->AllInsts.size();
  if (Ran == Group.Keeps.size()) {
    // The second round's rate is that of those to come.
    const bool Second =
        Ran < 2 * Round && Group.AllKept &&
        Group.Insts * 2 * Round <= Options.KeepOfTwoRounds * Ran;
    Group.Keeps.push_back(Ran < Round || Second || Group.Insts < toKeep());
    Group.AllKept &= Group.Keeps.back();
  }
  return Group.Keeps[Ran];
}

/// Keeps \p B if it is much longer than those before.
void Collector::keepLongest(ResidentBlock &B) {
  constexpr uint64_t Much = 3; ///< halves; an assumption, bounds the copies
  const BlockSize &Size = B.Trace.Size;
  if (Out.Critical || Out.Groups.Size > 1 ||
      (!Longest.empty() &&
       Size.Insts * 2 < Longest.back().Blocks.front().Insts * Much))
    return;
  SMStream &Its = Longest.emplace_back();
  Its.Blocks.push_back({Size.Insts, B.Trace.copy()});
  Its.AllInsts.push_back(short32(Size.Insts));
  if (!B.Fetches)
    B.Fetches = &Its.Fetches;
}

/// Starts the next block in the place of \p B.
Result<void> Collector::start(ResidentBlock &B) {
  if (Result<void> R = Supply.next(B.SM, B.Trace); !R)
    return R;
  const BlockSize &Size = B.Trace.Size;
  if (!Out.Critical)
    Out.BlockInsts.push_back(short32(Size.Insts));
  ++Started;
  B.Fetches = nullptr;
  if (SMStream *Keep = kept(B.SM)) {
    if (keepsNext(B.SM)) {
      B.Fetches = &Keep->Fetches;
      KeptGroups[size_t(Kept[B.SM]) / Out.Groups.Size].Insts += Size.Insts;
      Keep->Blocks.push_back({Size.Insts, B.Trace.copy()});
    }
    Keep->AllInsts.push_back(short32(Size.Insts));
    Keep->Chains.push_back(short32(Size.Chain));
  }
  keepLongest(B);
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
  if (Started == 0)
    return true;
  const double Mean = SumInsts / double(Started);
  const double Variance =
      std::max(0.0, SumSquares / double(Started) - Mean * Mean);
  return Variance <= MaxVariation * MaxVariation * Mean * Mean;
}

/// Whether the blocks to come can be taken to be like those so far: the kept
/// SMs have their part, blocks are equal in size, and L2 neither fills up nor
/// finds more than before.
bool Collector::enough() {
  constexpr size_t Rounds = 5; // the first ones fill the SMs in step
  if (Stopped || Options.Whole || Out.Critical)
    return Stopped;
  const uint64_t Round = uint64_t(Out.Groups.sms()) * Out.Occupancy.BlocksPerSM;
  if (Supply.drawn() % Round == 0) {
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
  if (!Settled || !SettledBefore || Supply.total() - Supply.drawn() < Round)
    return false;
  for (size_t N = 0; N < Out.SMs.size(); ++N)
    if (Out.SMs[N].AllInsts.size() < Rounds * Out.Occupancy.BlocksPerSM ||
        KeptGroups[N / Out.Groups.Size].Insts < toKeep())
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
Result<void> Collector::countRest() {
  constexpr uint64_t Sample = 256;
  const uint64_t Collected = Out.WarpInsts, Total = Supply.total();
  uint64_t Next = Supply.drawn();
  const uint64_t Step = std::max<uint64_t>(1, (Total - Next) / Sample);
  HeldBlock Trace;
  while (Next < Total) {
    if (Result<void> R = Supply.read(Next, Trace); !R)
      return R;
    const BlockSize &Size = Trace.Size;
    for (uint64_t N = 0; N < Step && Next < Total; ++N, ++Next) {
      Out.BlockInsts.push_back(short32(Size.Insts));
      Out.WarpInsts += Size.Insts;
      Out.Warps += Trace.Warps.size();
      if (SMStream *Keep = kept(unsigned(Next % Out.Groups.sms()))) {
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
    if (!W.Asked && !C.next())
      return false;
    const BlockAccesses &S = Accesses[C.block()];
    size_t N = std::exchange(W.Asked, 0);
    Memory.awaitAll();
    for (auto Wait = std::ranges::upper_bound(S.Waits, N);
         N != S.OffChip.size(); ++N) {
      if (Wait != S.Waits.end() && N == *Wait) {
        if (Memory.awaitsL2()) {
          W.Asked = uint32_t(N);
          return true;
        }
        ++Wait;
      }
      const uint32_t PC = S.OffChip[N];
      if (Code[PC].isBulkCopy())
        Memory.copy(B.SM, PC, Code[PC], C, B.Fetches);
      else
        Memory.access(B.SM, W.Slot, PC, Code[PC], C.access(Code[PC].Memory),
                      B.Fetches);
    }
    if (!S.All.empty())
      return true;
  }
  return true;
}

bool Collector::hasNext(unsigned SM) {
  return Supply.awaits(SM) || (Supply.drawn() < Supply.total() && !enough());
}

Result<void> Collector::run() {
  const unsigned SMs = Out.Groups.sms();
  const uint64_t Round = uint64_t(SMs) * Out.Occupancy.BlocksPerSM;
  Kept.assign(SMs, -1);
  Out.Critical = Supply.total() <= FewRounds * Round;
  if (Out.Critical) {
    if (Result<void> R = planCritical(); !R)
      return R;
  } else {
    // All have about the same to do: one from the middle of a round.
    keepGroup(Out.Groups.Count / 2);
  }
  // By SM, so that one L1 after the other is at work.
  size_t Running = 0;
  std::vector<std::vector<std::unique_ptr<ResidentBlock>>> Resident(SMs);
  for (unsigned P = 0; P < Out.Occupancy.BlocksPerSM; ++P)
    for (unsigned SM = 0; SM < SMs; ++SM) {
      if (!Supply.awaits(SM) && Supply.drawn() == Supply.total())
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
  for (uint64_t Time = 1; Running; ++Time) {
    Ended.clear();
    // What several SMs ask for is fetched for the first: each in its turn.
    const auto First = unsigned(Time % SMs);
    for (unsigned N = 0; N < SMs; ++N) {
      const unsigned SM = First + N < SMs ? First + N : First + N - SMs;
      for (auto &B : Resident[SM]) {
        if (B->Live.empty())
          continue;
        std::erase_if(B->Live, [&](uint32_t W) {
          Memory.beginTurn(SM, B->Warps[W].Slot, Time);
          return !advance(*B, B->Warps[W]);
        });
        if (B->Live.empty()) {
          Ended.push_back(B.get());
          --Running;
        }
      }
    }
    Memory.endTurn();
    // The next blocks go around the SMs, as the first ones did.
    std::ranges::sort(Ended, {}, [](const ResidentBlock *B) {
      return std::pair(B->Slot, B->SM);
    });
    for (ResidentBlock *B : Ended) {
      if (!hasNext(B->SM))
        continue;
      if (Result<void> R = start(*B); !R)
        return R;
      ++Running;
    }
  }
  Out.ReplayInsts = toKeep();
  // Of one round all blocks are kept. One warp after the other ends, so what is
  // left goes on at another rate.
  if (Supply.total() <= Round)
    Out.ReplayInsts = std::max(Out.ReplayInsts, Options.ReplayOfOneRound);
  if (!Out.Critical && alike())
    for (const KeptGroup &Group : KeptGroups)
      Out.ReplayInsts = std::max(Out.ReplayInsts, Group.Insts);
  if (Supply.drawn() < Supply.total())
    if (Result<void> R = countRest(); !R)
      return R;
  Memory.finish();
  Out.Alike = alike();
  if (!Longest.empty())
    Out.Longest = std::move(Longest.back());
  return {};
}

Result<IntervalProfile> collectProfile(trace::TraceSource &Source,
                                       const arch::GPUSpec &Spec,
                                       const CollectOptions &Options) {
  IntervalProfile P;
  P.Key = collectionKey(Spec);
  P.Launch = Source.header();
  P.Code = Source.code();
  const BlockResources Block = P.Launch.blockResources();
  Result<arch::Occupancy> O = timing::checkedOccupancy(Source, Spec);
  if (!O)
    return std::unexpected(O.error());
  P.Occupancy = *O;
  const Clusters Shape = {P.Launch.Grid, P.Launch.Cluster};
  Result<arch::SMGroups> Groups = arch::groupsOf(
      Spec, P.Launch.Kernel, Shape.Size, Shape.count(), O->BlocksPerSM);
  if (!Groups)
    return std::unexpected(Groups.error());
  P.Groups = *Groups;
  P.Sites.resize(P.Code.Insts.size());
  arch::CacheSpec L1 =
      Spec.l1For(arch::sharedBytesPerBlock(Block, Spec) * O->BlocksPerSM);
  Collector C(Source, Spec, Options, L1, P);
  if (Result<void> R = C.run(); !R)
    return std::unexpected(R.error());
  P.Span = makespan(P.BlockInsts,
                    size_t(std::max(1u, O->BlocksPerSM)) * Groups->sms());
  return P;
}

} // namespace heddle::interval
