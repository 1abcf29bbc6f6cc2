//===- ProfileCollector.cpp - The input collector -------------------------===//

#include "interval/ProfileCollector.h"

#include "interval/FunctionalMemory.h"
#include "interval/Makespan.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace heddle::interval {

std::string collectionKey(const arch::GPUSpec &S) {
  auto cache = [](const arch::CacheSpec &C) {
    return fmt::format("{}:{}:{}:{}:{}:{}:{};", C.Size, C.Line, C.Sector,
                       C.Ways, C.HashSets, unsigned(C.Write), C.WriteAllocate);
  };
  std::string Key = cache(S.L1) + cache(S.L2);
  Key += fmt::format("{} {} {} {} ", S.L1.Unified, S.L1.CachesGlobal,
                     S.L2.TotalSize, S.L2.Slices);
  Key += fmt::format("{} {} {} ", unsigned(S.L2.Hash), S.L2.Interleave,
                     S.SM.Count);
  Key += fmt::format("{} {} {} {} {} {} ", S.SM.MaxWarps, S.SM.MaxBlocks,
                     S.SM.Registers, S.SM.RegisterGranularity,
                     S.SM.WarpGranularity, S.SM.MaxThreadsPerBlock);
  Key += fmt::format("{} {} {} {} {} {} ", S.Shared.Size, S.Shared.Granularity,
                     S.Shared.ReservedPerBlock, S.Shared.Banks,
                     S.Shared.BankBytes, S.Shared.LanesPerPass);
  for (uint32_t C : S.Shared.CarveOuts)
    Key += fmt::format("{},", C);
  return Key;
}

namespace {

struct ResidentWarp {
  trace::WarpCursor Cursor;
  WarpStream *Stream = nullptr; ///< of a block that is kept
  unsigned Slot = 0;
};

struct ResidentBlock {
  trace::BlockTrace Trace;
  std::unique_ptr<BlockStream> Kept;
  std::vector<ResidentWarp> Warps;
  std::vector<uint32_t> Live; ///< indices of Warps
  unsigned SM = 0, Place = 0;
};

class Collector {
public:
  Collector(trace::TraceSource &Source, const arch::GPUSpec &Spec,
            const CollectOptions &Options, const arch::CacheSpec &L1,
            IntervalProfile &Out)
      : Source(Source), Spec(Spec), Options(Options), Out(Out),
        Code(decode(Out.Code, Spec)), Memory(Spec, L1, Out) {
    summarizeBlocks();
  }
  Result<void> run();

private:
  struct BlockSummary {
    uint32_t Insts = 0;
    std::vector<uint32_t> Accesses; ///< instructions with addresses
  };
  /// Block events that a warp runs without an access before the next one's
  /// turn.
  static constexpr unsigned MaxQuiet = 16;
  /// Of all classes together: bounds the memory.
  static constexpr size_t MaxStoredBlocks = size_t(1) << 24;
  /// Rounds of resident blocks from which on all SMs have about the same to do.
  static constexpr uint64_t FewRounds = 2;

  void summarizeBlocks();
  Result<void> start(ResidentBlock &B, unsigned SM, unsigned Place);
  bool advance(ResidentBlock &B, ResidentWarp &W);
  void classify(const trace::WarpTrace &W, uint64_t &Insts);
  SMStream *kept(unsigned SM);
  void chooseSMs(uint64_t Total);
  void keepCritical();
  bool alike() const;
  uint64_t toKeep() const {
    return Out.Critical || !alike() ? Options.KeepOfUnequal : Options.KeepInsts;
  }
  bool enough(uint64_t Total);
  Result<void> countRest(uint64_t Total);

  trace::TraceSource &Source;
  const arch::GPUSpec &Spec;
  const CollectOptions &Options;
  IntervalProfile &Out;
  std::vector<StaticInst> Code;
  FunctionalMemory Memory;
  std::vector<BlockSummary> Blocks;
  std::unordered_map<size_t, std::vector<size_t>> ClassOf; ///< by body hash
  std::vector<std::vector<uint8_t>> Bodies;                ///< of Classes
  size_t StoredBlocks = 0;
  uint64_t NextBlock = 0;
  std::vector<int> Kept;                      ///< by SM: place in Out.SMs or -1
  std::vector<uint64_t> KeptInsts;            ///< by place in Out.SMs
  double SumInsts = 0, SumSquares = 0;        ///< of blocks
  uint64_t RoundFills = 0, RoundAccesses = 0; ///< of L2, before this round
  bool Settled = false; ///< the last round of blocks found L2 as it leaves it
  bool Stopped = false;
};

} // namespace

void Collector::summarizeBlocks() {
  for (const HeddleBlock &B : Out.Code.Blocks) {
    BlockSummary S;
    S.Insts = B.NumInsts;
    for (uint32_t I = B.FirstInst; I < B.FirstInst + B.NumInsts; ++I)
      if (Code[I].isMemory() && Code[I].Memory != HEDDLE_NO_MEMORY)
        S.Accesses.push_back(I);
    Blocks.push_back(std::move(S));
  }
}

SMStream *Collector::kept(unsigned SM) {
  return Kept[SM] < 0 ? nullptr : &Out.SMs[Kept[SM]];
}

/// One SM at the start of the first round and one from its middle; all of them
/// where there are so few blocks that the SMs' shares differ.
void Collector::chooseSMs(uint64_t Total) {
  const unsigned SMs = Spec.SM.Count;
  const uint64_t Round = uint64_t(SMs) * Out.Occupancy.BlocksPerSM;
  Kept.assign(SMs, -1);
  auto keep = [&](unsigned SM) {
    Kept[SM] = int(Out.SMs.size());
    Out.SMs.push_back({});
    Out.SMs.back().SM = SM;
    KeptInsts.push_back(0);
  };
  Out.Critical = Total <= FewRounds * Round && Total > 1;
  if (Out.Critical) {
    for (unsigned SM = 0; SM < std::min<uint64_t>(SMs, Total); ++SM)
      keep(SM);
    return;
  }
  keep(0);
  if (Total > SMs && SMs > 1)
    keep(SMs / 2);
}

/// Of all SMs keeps the one with most instructions and the one whose blocks
/// have the longest chain of warps one after the other.
void Collector::keepCritical() {
  if (!Out.Critical)
    return;
  size_t Most = 0, Longest = 0;
  uint64_t MostInsts = 0, LongestChain = 0, Sum = 0;
  for (size_t N = 0; N < Out.SMs.size(); ++N) {
    const SMStream &S = Out.SMs[N];
    uint64_t Insts =
        std::accumulate(S.AllInsts.begin(), S.AllInsts.end(), uint64_t(0));
    uint64_t Chain = uint64_t(makespan(S.Chains, Out.Occupancy.BlocksPerSM));
    Sum += Insts;
    if (Insts > MostInsts) {
      MostInsts = Insts;
      Most = N;
    }
    if (Chain > LongestChain) {
      LongestChain = Chain;
      Longest = N;
    }
  }
  const size_t Others = Out.SMs.size() - 1;
  std::vector<SMStream> Chosen;
  for (size_t N : {Most, Longest}) {
    if (!Chosen.empty() && Most == Longest)
      break;
    SMStream S = std::move(Out.SMs[N]);
    uint64_t Insts =
        std::accumulate(S.AllInsts.begin(), S.AllInsts.end(), uint64_t(0));
    if (Others && Insts)
      S.OthersShare = double(Sum - Insts) / double(Others) / double(Insts);
    Chosen.push_back(std::move(S));
  }
  Out.SMs = std::move(Chosen);
}

/// Finds the class of the warp's body, or makes it.
void Collector::classify(const trace::WarpTrace &W, uint64_t &Insts) {
  // Beyond this many different bodies, further ones count in the class that
  // came last: enough for the clustering, bounded in memory.
  constexpr size_t MaxClasses = 512;
  size_t Hash = std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(W.Body.data()), W.Body.size()});
  std::vector<size_t> &Same = ClassOf[Hash];
  for (size_t C : Same)
    if (Bodies[C] == W.Body) {
      ++Out.Classes[C].Count;
      Insts = Out.Classes[C].Insts;
      return;
    }
  if (Out.Classes.size() >= MaxClasses) {
    ++Out.Classes[Hash % MaxClasses].Count;
    trace::WarpCursor C(Out.Code, W);
    while (C.next())
      Insts += Blocks[C.block()].Insts;
    return;
  }
  WarpClass Class;
  trace::WarpCursor C(Out.Code, W);
  while (C.next()) {
    if (StoredBlocks < MaxStoredBlocks) {
      Class.Blocks.push_back(C.block());
      ++StoredBlocks;
    }
    Class.Insts += Blocks[C.block()].Insts;
  }
  Class.Count = 1;
  Insts = Class.Insts;
  Same.push_back(Out.Classes.size());
  Out.Classes.push_back(std::move(Class));
  Bodies.push_back(W.Body);
}

Result<void> Collector::start(ResidentBlock &B, unsigned SM, unsigned Place) {
  if (Result<void> R = Source.read(NextBlock, B.Trace); !R)
    return R;
  ++NextBlock;
  B.SM = SM;
  B.Place = Place;
  B.Kept.reset();
  SMStream *Keep = kept(SM);
  if (Keep) {
    if (Keep->AllInsts.size() < Out.Occupancy.BlocksPerSM ||
        KeptInsts[this->Kept[SM]] < toKeep()) {
      B.Kept = std::make_unique<BlockStream>();
      B.Kept->Index = B.Trace.Index;
      B.Kept->Warps.resize(B.Trace.Warps.size());
    }
  }
  B.Warps.resize(B.Trace.Warps.size());
  B.Live.clear();
  uint64_t BlockInsts = 0, Chain = 0;
  for (unsigned W = 0; W < B.Warps.size(); ++W) {
    uint64_t Insts = 0;
    classify(B.Trace.Warps[W], Insts);
    BlockInsts += Insts;
    Chain = std::max(Chain, Insts);
    B.Warps[W].Cursor.reset(Out.Code, B.Trace.Warps[W]);
    B.Warps[W].Stream = B.Kept ? &B.Kept->Warps[W] : nullptr;
    B.Warps[W].Slot = Place * unsigned(B.Warps.size()) + W;
    B.Live.push_back(W);
  }
  Out.Warps += B.Warps.size();
  Out.WarpInsts += BlockInsts;
  Out.BlockInsts.push_back(
      uint32_t(std::min<uint64_t>(BlockInsts, UINT32_MAX)));
  if (Keep) {
    Keep->AllInsts.push_back(Out.BlockInsts.back());
    Keep->Chains.push_back(uint32_t(std::min<uint64_t>(Chain, UINT32_MAX)));
  }
  SumInsts += double(BlockInsts);
  SumSquares += double(BlockInsts) * double(BlockInsts);
  if (B.Kept) {
    KeptInsts[this->Kept[SM]] += BlockInsts;
    B.Kept->Insts = BlockInsts;
    // Held in starting order; the streams fill up as the warps run.
    BlockStream Place0;
    Place0.Index = B.Kept->Index;
    Place0.Insts = BlockInsts;
    Keep->Blocks.push_back(std::move(Place0));
  }
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
  constexpr size_t Rounds = 3; // one to fill the SMs, two in between
  if (Stopped || Options.Whole || Out.Critical)
    return Stopped;
  const uint64_t Round = uint64_t(Spec.SM.Count) * Out.Occupancy.BlocksPerSM;
  if (NextBlock % Round == 0) {
    // Few new sectors, or so many that they have replaced all there was.
    const uint64_t Fills = Memory.l2Fills(), Accesses = Out.L2.Accesses;
    Settled = (Fills - RoundFills) * 20 <= Accesses - RoundAccesses ||
              Fills * Spec.L2.Sector * 2 >= Spec.L2.TotalSize * 3;
    RoundFills = Fills;
    RoundAccesses = Accesses;
  }
  if (!Settled || Total - NextBlock < Round)
    return false;
  for (size_t N = 0; N < Out.SMs.size(); ++N)
    if (Out.SMs[N].AllInsts.size() < Rounds * Out.Occupancy.BlocksPerSM ||
        KeptInsts[N] < toKeep())
      return false;
  return Stopped = alike();
}

/// Counts the instructions of blocks that go through no cache, from a sample.
Result<void> Collector::countRest(uint64_t Total) {
  constexpr uint64_t Sample = 256;
  const double Collected = double(Out.WarpInsts);
  const uint64_t Step = std::max<uint64_t>(1, (Total - NextBlock) / Sample);
  trace::BlockTrace Trace;
  while (NextBlock < Total) {
    if (Result<void> R = Source.read(NextBlock, Trace); !R)
      return R;
    uint64_t Insts = 0, Chain = 0;
    for (const trace::WarpTrace &W : Trace.Warps) {
      uint64_t Own = 0;
      classify(W, Own);
      Insts += Own;
      Chain = std::max(Chain, Own);
    }
    auto short32 = [](uint64_t N) {
      return uint32_t(std::min<uint64_t>(N, UINT32_MAX));
    };
    for (uint64_t N = 0; N < Step && NextBlock < Total; ++N, ++NextBlock) {
      Out.BlockInsts.push_back(short32(Insts));
      Out.WarpInsts += Insts;
      Out.Warps += Trace.Warps.size();
      if (SMStream *Keep = kept(unsigned(NextBlock % Spec.SM.Count))) {
        Keep->AllInsts.push_back(short32(Insts));
        Keep->Chains.push_back(short32(Chain));
      }
    }
  }
  Out.CollectedShare = Out.WarpInsts ? Collected / double(Out.WarpInsts) : 1;
  for (uint64_t *Count :
       {&Out.ThreadInsts, &Out.L1.Accesses, &Out.L1.Hits, &Out.L1.Writes,
        &Out.L2.Accesses, &Out.L2.Hits, &Out.L2.Writes, &Out.DRAMReadSectors,
        &Out.DRAMWriteSectors, &Out.AwaitedSectors, &Out.L2WrittenSectors})
    *Count = uint64_t(double(*Count) / Out.CollectedShare + 0.5);
  return {};
}

/// Runs the warp up to and including its next access; false at its end.
bool Collector::advance(ResidentBlock &B, ResidentWarp &W) {
  for (unsigned Quiet = 0; Quiet < MaxQuiet; ++Quiet) {
    if (!W.Cursor.next())
      return false;
    const BlockSummary &S = Blocks[W.Cursor.block()];
    Out.ThreadInsts += uint64_t(S.Insts) * std::popcount(W.Cursor.mask());
    if (W.Stream)
      W.Stream->Blocks.push_back(W.Cursor.block());
    for (uint32_t PC : S.Accesses)
      Memory.access(B.SM, W.Slot, PC, Code[PC],
                    W.Cursor.access(Code[PC].Memory), W.Stream);
    if (!S.Accesses.empty())
      return true;
  }
  return true;
}

Result<void> Collector::run() {
  const uint64_t Total = Out.Launch.Grid.count();
  const unsigned SMs = Spec.SM.Count;
  chooseSMs(Total);
  std::vector<std::unique_ptr<ResidentBlock>> Resident;
  for (unsigned P = 0; P < Out.Occupancy.BlocksPerSM; ++P)
    for (unsigned SM = 0; SM < SMs && NextBlock < Total; ++SM) {
      Resident.push_back(std::make_unique<ResidentBlock>());
      if (Result<void> R = start(*Resident.back(), SM, P); !R)
        return R;
    }
  while (!Resident.empty()) {
    for (size_t I = 0; I < Resident.size();) {
      ResidentBlock &B = *Resident[I];
      for (size_t L = 0; L < B.Live.size();) {
        if (advance(B, B.Warps[B.Live[L]])) {
          ++L;
          continue;
        }
        B.Live.erase(B.Live.begin() + L);
      }
      if (!B.Live.empty()) {
        ++I;
        continue;
      }
      if (B.Kept)
        for (BlockStream &S : kept(B.SM)->Blocks)
          if (S.Index == B.Kept->Index)
            S.Warps = std::move(B.Kept->Warps);
      if (NextBlock < Total && !enough(Total)) {
        if (Result<void> R = start(B, B.SM, B.Place); !R)
          return R;
        ++I;
        continue;
      }
      Resident[I] = std::move(Resident.back());
      Resident.pop_back();
    }
    Memory.nextRound();
  }
  Memory.finish();
  Out.ReplayInsts = toKeep();
  keepCritical();
  if (NextBlock < Total)
    return countRest(Total);
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
  return P;
}

} // namespace heddle::interval
