//===- L2Profile.cpp - What the L2 serves, from some of the blocks --------===//

#include "pipeline/L2Profile.h"

#include "memory/HotPlace.h"

#include "memory/AddressMap.h"
#include "memory/AddressSpaces.h"
#include "memory/Bursts.h"
#include "memory/Cache.h"
#include "memory/RowLocality.h"
#include "pipeline/LineUse.h"
#include "pipeline/StackCache.h"
#include "timing/units/BulkCopies.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace heddle;
using namespace heddle::pipeline;
using memory::Coalescer;
using memory::LineAccess;
using timing::DecodedCode;
using timing::DecodedInst;

/// Of what is in sectors of L1: those of L2 in each.
void EventLines::splitSectors() {
  const uint32_t Parts = SectorBytes / Spec.L2.Sector;
  if (Parts <= 1)
    return;
  for (LineAccess &A : Found) {
    uint16_t All = 0;
    for (uint32_t Left = A.Sectors; Left; Left &= Left - 1)
      All |= uint16_t(((1u << Parts) - 1) << std::countr_zero(Left) * Parts);
    A.Sectors = All;
  }
}

/// Fills Found with the lines of \p I if it accesses what L2 holds; returns the
/// space.
uint8_t EventLines::find(trace::WarpCursor &C, const DecodedInst &I) {
  if (I.isBulkCopy()) {
    timing::forEachBulkLine(
        C, I, LineBytes, SectorBytes,
        [this](const LineAccess &A) { Found.push_back(A); });
    splitSectors();
    return HEDDLE_SPACE_GLOBAL;
  }
  const bool Load = I.readsMemory() && !I.isAtomic();
  const Coalescer &Lines = Load ? Loads : Writes;
  const trace::MemoryAccess &A = C.access(I.Memory);
  if (A.Mask && A.Space == HEDDLE_SPACE_LOCAL && Local) {
    Found.resize(Coalescer::MaxLines);
    Found.resize(Lines.coalesceLocal(A, I.ByteOffset, I.AccessBytes, *Local,
                                     Found.data()));
    if (Load)
      splitSectors();
    return A.Space;
  }
  if (!A.Mask ||
      (A.Space != HEDDLE_SPACE_GLOBAL && A.Space != HEDDLE_SPACE_TEXTURE))
    return A.Space;
  Found.resize(Coalescer::MaxLines);
  Found.resize(Lines.coalesce(A, I.ByteOffset, I.AccessBytes, I.isAtomic(),
                              Found.data()));
  if (Load)
    splitSectors();
  return A.Space;
}

uint64_t heddle::pipeline::countLines(const trace::BlockTrace &Block,
                                      const DecodedCode &Code,
                                      const arch::GPUSpec &Spec) {
  uint64_t Count = 0;
  EventLines Events(Code, Spec);
  Events.setLocal(0);
  Events.each(Block,
              [&](const DecodedInst &, uint8_t,
                  std::span<const LineAccess> Its) { Count += Its.size(); });
  return Count;
}

namespace {

/// Accumulated per memory record.
struct RecordCount {
  double Sectors = 0, Cold = 0, Capacity = 0, Dirtied = 0;
  double BeforeL1 = 0;   ///< sectors, hits of L1 too
  double ColdOfHalf = 0; ///< read first, by the lower half of the blocks
  bool Local = false;    ///< each block has its own lines
  double Pending = 0;    ///< read while another block's fetch is under way
  double Fetched = 0, Moved = 0; ///< sectors from DRAM, and those in its bursts
  /// Lines with atomics, touched before or not, and whether those of the
  /// lower half of the blocks are among them.
  std::unordered_map<uint64_t, bool> AtomicLines;
};

/// The lines that all blocks ask for while each warp takes one step.
class Turn {
public:
  Turn(const arch::GPUSpec &Spec, const L2Question &Q);

  /// \p Block comes with those of one number side by side. \p InL1: blocks of
  /// an SM that ask for the same are served together.
  void add(uint64_t Block, uint64_t Number, double Sectors, bool InL1) {
    Line &L = Lines[Number];
    (InL1 ? L.InL1 : L.Sectors) += Sectors;
    L.Blocks += L.Last != Block;
    L.Last = Block;
    for (unsigned A = 0; A < 2; ++A)
      L.InHalf[A] |= Axes[A].isInHalf(Block);
  }
  /// Says that \p Fetched of \p Asked sectors of a line are read from DRAM.
  /// How many of the others have been fetched in this turn?
  unsigned pending(uint64_t Number, uint16_t Asked, uint16_t Fetched) {
    uint16_t &Known = Lines[Number].Fetched;
    const unsigned Found = std::popcount(uint16_t(Asked & ~Fetched & Known));
    Known |= Fetched;
    return Found;
  }
  void end();
  double sliceShare() const {
    return Work > 0 ? std::max(1 / Slices, Busiest / Work) : 1 / Slices;
  }

private:
  struct Line {
    double Sectors = 0, InL1 = 0;
    uint64_t Blocks = 0, Last = ~uint64_t(0);
    uint16_t Fetched = 0;
    bool InHalf[2] = {}; ///< of each axis
  };
  /// A direction of the grid: blocks that are looked at and that run at once.
  struct Axis {
    uint64_t Step = 1, Length = 1;
    double AtOnce = 1;
    bool isInHalf(uint64_t Block) const {
      return Block / Step % Length < Length / 2;
    }
  };
  /// Slices that so many lines lie in, on average.
  double used(double Number) const {
    return std::max(1.0, Slices * (1 - std::pow(1 - 1 / Slices, Number)));
  }

  double Slices, BlocksPerSM;
  Axis Axes[2];
  double linesPerChunk() const;

  const uint64_t Chunk; ///< bytes that lie in one slice
  std::unordered_map<uint64_t, Line> Lines;
  double Work = 0, Busiest = 0; ///< in sectors, over all turns
};

class Profiler {
public:
  Profiler(const BlockSample &Sample, const DecodedCode &Code,
           const arch::GPUSpec &Spec, const L2Question &Q)
      : Sample(Sample), Code(Code), Spec(Spec), Q(Q), Lines(Code, Spec),
        Counts(Code.table().Memory.size()), Cache(capacity()), Now(Spec, Q),
        Map(Spec),
        SlicesPerChannel(std::max(1u, Spec.L2.Slices / Spec.DRAM.Channels)),
        DRAM(shareOfDRAM()),
        ReadRows(Spec.DRAM.Channels,
                 memory::RowLocality(DRAM, Spec.L2.Interleave, Spec.DRAM.Queue,
                                     DRAM.Queue)),
        WriteRows(Spec.DRAM.Channels,
                  memory::RowLocality(DRAM, Spec.L2.Interleave,
                                      writesAtOnce(Spec.DRAM),
                                      writesAtOnce(DRAM))) {}

  void run();
  L2Profile answer() const;

private:
  /// The blocks that are looked at, of those that run at once.
  double share() const {
    const auto AtOnce = std::max<uint64_t>(1, std::min(Q.BlocksAtOnce, Q.Grid));
    return std::min(1.0, double(Q.Blocks.size()) / double(AtOnce));
  }
  uint64_t capacity() const {
    double Total = double(Spec.L2.TotalSize) / Spec.L2.Line;
    return uint64_t(std::max(1.0, Total * share()));
  }
  /// A channel as these blocks have it: their share of its queue and banks.
  /// Blocks of an SM take turns, so that one of each SM asks at a time.
  arch::DRAMSpec shareOfDRAM() const {
    const double PerSM = double(std::max<uint64_t>(1, Q.BlocksPerSM));
    const double Share = std::min(1.0, share() * PerSM);
    arch::DRAMSpec D = Spec.DRAM;
    D.Queue = std::max(1u, uint32_t(D.Queue * Share));
    D.WriteHigh = uint32_t(D.WriteHigh * Share);
    D.Banks = std::bit_floor(std::max(1u, uint32_t(D.Banks * Share)));
    return D;
  }
  /// Writes that the scheduler sees together: a batch, or what comes as reads
  /// do.
  static uint32_t writesAtOnce(const arch::DRAMSpec &D) {
    return D.WriteHigh ? D.WriteHigh : D.Queue;
  }
  /// What a warp has read, and what of it has a line with its home in the half
  /// of L2 that is not its SM's.
  struct WarpReads {
    double All = 0, Away = 0;
    void add(bool IsAway) { ++All, Away += IsAway; }
  };
  bool isAway(uint64_t Block, std::span<const LineAccess> Its) const {
    const auto SM = unsigned(Block % Q.SMs);
    return std::ranges::any_of(Its, [&](const LineAccess &A) {
      return memory::inOtherHalf(Spec, SM, Map.place(A.Line).Slice);
    });
  }
  void compareAway(const WarpReads &Its);
  void openRows();
  void writeL1(StackCache &L1, const LineAccess &A, bool Local,
               uint16_t &Sectors) const;
  double wave() const { return double(std::min(Q.BlocksAtOnce, Q.Grid)); }
  /// Bytes of local memory of all resident blocks.
  double localBytes() const {
    return LocalAll * Spec.L2.Sector * wave() / double(Q.Blocks.size());
  }
  /// What other blocks do to local memory: those that follow in the place of
  /// one find in L2 what that has left there, if all that are resident fit.
  double localRounds() const {
    return localBytes() <= double(Spec.L2.TotalSize) ? wave() / double(Q.Grid)
                                                     : 1;
  }
  void access(uint64_t Block, const DecodedInst &I, uint8_t Space,
              std::span<const LineAccess> Its, StackCache &L1);
  double held(double BytesInSample, double Growth) const;
  /// The launch in the blocks that are looked at.
  double times() const { return double(Q.Grid) / double(Q.Blocks.size()); }
  double sectorsInLine() const {
    return double(Spec.L2.Line) / double(Spec.L2.Sector);
  }
  /// Lines of L2 that may be dirty.
  double mostDirty() const {
    return double(Spec.L2.TotalSize) * Spec.L2.DirtyShare / Spec.L2.Line;
  }
  void boundBySpread(L2Profile &P) const;
  void leaveDirty(L2Profile &P) const;

  const BlockSample &Sample;
  const DecodedCode &Code;
  const arch::GPUSpec &Spec;
  const L2Question &Q;
  EventLines Lines;
  std::vector<RecordCount> Counts;
  StackCache Cache;
  Turn Now;
  // Sectors first touched, by the lower half of the blocks and by all.
  StackCache HalfLines{~uint64_t(0)}, AllLines{~uint64_t(0)};
  double ReadHalf = 0, ReadAll = 0, WriteHalf = 0, WriteAll = 0;
  double DirtyLines = 0, Soiled = 0, WriteMoved = 0;
  /// Of data that threads share: what is touched, and what gets dirty.
  LineUse Touched, Dirty;
  double LocalAll = 0;
  memory::AddressMap Map;
  const uint32_t SlicesPerChannel;
  const arch::DRAMSpec DRAM;
  using ChannelRows = std::vector<memory::RowLocality>;
  ChannelRows ReadRows, WriteRows; ///< by channel
  /// What DRAM is asked to read, and lines that get dirty: L2 writes them back
  /// later, but in the same order.
  struct Request {
    uint64_t Block;
    uint32_t Step; ///< memory instructions of its block in the turn before it
    unsigned Sectors;
    uint64_t Line;
    bool IsWrite;
  };
  std::vector<Request> Requests; ///< of the turn
  WarpReads Farthest;            ///< of the longest warps
  uint32_t Step = 0;
  bool AwaitsL2 = false; ///< L1 lacked what a warp has read in its turn
};

} // namespace

/// Exponent of the footprint as a power of the number of blocks, if half of
/// \p Blocks touch \p Half.
static double growth(double Half, double All, uint64_t Blocks) {
  if (Blocks < 2 || Half <= 0 || All <= 0)
    return 1;
  double Ratio = double(Blocks) / double(Blocks / 2);
  return std::clamp(std::log(All / Half) / std::log(Ratio), 0.0, 1.0);
}

/// Rows of blocks and columns share each what they share.
Turn::Turn(const arch::GPUSpec &Spec, const L2Question &Q)
    : Slices(std::max(1u, Spec.L2.Slices)),
      BlocksPerSM(double(std::min(Q.BlocksPerSM, Q.Grid))),
      Chunk(std::max(1u, Spec.L2.Interleave)) {
  const auto AtOnce = double(std::min(Q.BlocksAtOnce, Q.Grid));
  const uint64_t Columns = Q.Blocks.size() / Q.Rows;
  const double OfRow = Q.Rows == 1 ? AtOnce : double(Q.GridColumns);
  Axes[0] = {1, Columns, OfRow};
  Axes[1] = {Columns, Q.Rows, AtOnce / OfRow};
}

/// Lines side by side lie in one slice. That counts for what is written: blocks
/// that wait for what they read drift apart, to other lines of the chunk.
double Turn::linesPerChunk() const {
  std::unordered_set<uint64_t> Chunks;
  for (const auto &[Number, L] : Lines)
    Chunks.insert(L.InL1 > 0 ? Number * 2 + 1 : Number / Chunk * 2);
  return Chunks.empty() ? 1 : double(Lines.size()) / double(Chunks.size());
}

/// As many lines as all blocks at once ask for lie in so many slices. That
/// these are few by what several blocks ask for makes the slices hot; few
/// requests lie in few slices by chance.
void Turn::end() {
  double Half[2] = {}, Sectors = 0, Asked = 0;
  const auto All = double(Lines.size()),
             Blocks = double(Axes[0].Length * Axes[1].Length);
  for (const auto &[Number, L] : Lines) {
    for (unsigned A = 0; A < 2; ++A)
      Half[A] += L.InHalf[A];
    Asked += double(L.Blocks);
    const double OfSM = BlocksPerSM * double(L.Blocks) / Blocks;
    Sectors += L.Sectors + L.InL1 / std::max(1.0, OfSM);
  }
  const double Together = linesPerChunk();
  Lines.clear();
  if (Sectors <= 0)
    return;
  double Distinct = All;
  for (unsigned A = 0; A < 2; ++A)
    if (const auto &[Step, Length, AtOnce] = Axes[A]; AtOnce > 1) {
      const double Times = AtOnce / double(Length);
      Distinct *= std::pow(Times, growth(Half[A], All, Length));
      Asked *= Times;
    }
  const double Mean = Sectors / Slices;
  Work += Sectors;
  Busiest +=
      memory::beyondChance(Sectors / used(Distinct / Together),
                           Sectors / used(Asked / Together) - Mean, Mean);
}

/// Leaves those of \p Sectors that L2 sees.
void Profiler::writeL1(StackCache &L1, const LineAccess &A, bool Local,
                       uint16_t &Sectors) const {
  const memory::WriteRule Rule(Spec.L1, Local);
  const StackCache::Outcome O = L1.write(
      A.Line, A.Sectors, Local ? Rule.Allocate : Spec.L1.WriteAllocate);
  if (Local && Rule.Back)
    Sectors = O.WrittenBack;
}

/// Bulk copies pass L1 by.
void Profiler::access(uint64_t Block, const DecodedInst &I, uint8_t Space,
                      std::span<const LineAccess> Its, StackCache &L1) {
  const bool Atomic =
      I.isAtomic() || (I.isBulkCopy() && I.bulkKind() == HEDDLE_BULK_REDUCE);
  const bool Write = !Atomic && !I.readsMemory();
  RecordCount &R = Counts[I.Memory];
  const bool Local = R.Local = Space == HEDDLE_SPACE_LOCAL;
  for (const LineAccess &Each : Its) {
    uint64_t Line = Each.Line;
    uint16_t Sectors = Each.Sectors;
    R.BeforeL1 += std::popcount(Sectors);
    const bool InL1 = Spec.L1.Size && !Atomic && !I.isBulkCopy() &&
                      (Write || memory::cachesReads(Spec.L1, Space, I.Flags));
    if (InL1) {
      if (Write)
        writeL1(L1, Each, Local, Sectors);
      else
        Sectors = L1.read(Line, Sectors).Missing;
      if (!Sectors)
        continue;
    }
    AwaitsL2 |= !Write;
    auto Asked = double(std::popcount(Sectors));
    R.Sectors += Asked;
    Now.add(Block, Line, Asked, InL1 && !Write);
    StackCache::Outcome O = Write || Atomic ? Cache.write(Line, Sectors, true)
                                            : Cache.read(Line, Sectors);
    StackCache::Outcome First = Write || Atomic
                                    ? AllLines.write(Line, Sectors, true)
                                    : AllLines.read(Line, Sectors);
    double Fresh = std::popcount(First.Missing);
    double Missing = std::popcount(O.Missing);
    // Whole sectors that are written need no fetch.
    if (!Write) {
      R.Cold += Fresh;
      ReadAll += Local ? 0 : Fresh;
      R.Capacity += Missing - Fresh;
      R.Pending += Now.pending(Line, Sectors, O.Missing);
      R.Fetched += Missing;
      R.Moved += memory::sectorsMoved(Spec, O.Missing);
      if (O.Missing)
        Requests.push_back(
            {Block, Step, unsigned(std::popcount(O.Missing)), Line, false});
    }
    if (First.FirstDirty)
      Requests.push_back({Block, Step, 1, Line, true});
    R.Dirtied += std::popcount(O.Dirtied);
    Soiled += std::popcount(First.Dirtied);
    WriteMoved += memory::sectorsMoved(Spec, First.Dirty) -
                  memory::sectorsMoved(Spec, First.Dirty & ~First.Dirtied);
    DirtyLines += First.FirstDirty;
    if (Local) {
      LocalAll += Fresh;
      continue;
    }
    WriteAll += std::popcount(First.Dirtied);
    Touched.All.add(First.Cold, First.Missing);
    Dirty.All.add(First.FirstDirty, First.Dirtied);
    const bool InHalf = Block < Q.Blocks.size() / 2;
    if (Atomic)
      R.AtomicLines[Line] |= InHalf;
    if (InHalf) {
      StackCache::Outcome H = Write || Atomic
                                  ? HalfLines.write(Line, Sectors, true)
                                  : HalfLines.read(Line, Sectors);
      if (!Write) {
        R.ColdOfHalf += std::popcount(H.Missing);
        ReadHalf += std::popcount(H.Missing);
      }
      WriteHalf += std::popcount(H.Dirtied);
      Touched.Half.add(H.Cold, H.Missing);
      Dirty.Half.add(H.FirstDirty, H.Dirtied);
    }
  }
}

/// Number of blocks over which lines stay in the L2, so that those which
/// blocks have in common are fetched once: as many as their footprint fits,
/// but at least those that run at the same time.
double Profiler::held(double BytesInSample, double Growth) const {
  double Grid = double(Q.Grid);
  double Together = double(std::min(Q.BlocksAtOnce, Q.Grid));
  double Fits = Grid;
  const double Size = std::max(0.0, double(Spec.L2.TotalSize) - localBytes());
  if (BytesInSample * std::pow(Grid / double(Q.Blocks.size()), Growth) > Size)
    Fits = Growth <= 0 ? Grid
                       : double(Q.Blocks.size()) *
                             std::pow(Size / BytesInSample, 1 / Growth);
  return std::clamp(std::max(Fits, Together), double(Q.Blocks.size()), Grid);
}

void Profiler::run() {
  struct Runner {
    trace::WarpCursor Cursor;
    uint64_t Block, Local;
    WarpReads Reads;
    uint32_t Next = 0; ///< instruction of its event, if the warp waits there
  };
  std::vector<Runner> Runners;
  std::vector<StackCache> L1(Q.Blocks.size(), StackCache(Q.L1Lines));
  for (uint64_t B = 0; B < Q.Blocks.size(); ++B)
    for (const trace::WarpTrace &W : Sample[Q.Blocks[B]].Warps)
      Runners.push_back(
          {trace::WarpCursor(Code.table(), W),
           B,
           Q.Launch ? memory::localMemory(*Q.Launch, Runners.size()) : 0,
           {},
           0});
  // One block event with memory accesses per warp and turn.
  while (!Runners.empty()) {
    size_t Kept = 0;
    uint64_t Last = ~uint64_t(0);
    for (size_t N = 0; N < Runners.size(); ++N) {
      Runner &R = Runners[N];
      if (std::exchange(Last, R.Block) != R.Block)
        Step = 0;
      bool Alive = true;
      while (!R.Next && (Alive = R.Cursor.next()) &&
             Code.table().Blocks[R.Cursor.block()].NumMemory == 0)
        ;
      if (!Alive) {
        compareAway(R.Reads);
        continue;
      }
      if (Q.Launch)
        Lines.setLocal(R.Local);
      auto ask = [&](const DecodedInst &I, uint8_t Space,
                     std::span<const LineAccess> Its) {
        ++Step;
        if (I.readsMemory() && Spec.L2.Halves == 2)
          R.Reads.add(isAway(Q.Blocks[R.Block], Its));
        access(R.Block, I, Space, Its, L1[R.Block]);
      };
      AwaitsL2 = false;
      R.Next = Lines.eachUntilWait(R.Cursor, R.Next, AwaitsL2, ask);
      if (Kept != N)
        Runners[Kept] = std::move(R);
      ++Kept;
    }
    Runners.resize(Kept);
    Now.end();
    openRows();
  }
}

/// Of warps that read about as much, the launch ends with that whose lines are
/// farthest.
void Profiler::compareAway(const WarpReads &Its) {
  constexpr double Alike = 0.9;
  if (Its.All < Alike * Farthest.All || Its.All <= 0)
    return;
  if (Farthest.All < Alike * Its.All ||
      Its.Away * Farthest.All > Farthest.Away * Its.All)
    Farthest = Its;
}

/// What blocks ask for in the same step of a turn comes together.
void Profiler::openRows() {
  std::ranges::stable_sort(Requests, {}, &Request::Step);
  for (const Request &R : Requests) {
    const memory::AddressMap::Place P = Map.place(R.Line);
    ChannelRows &Rows = R.IsWrite ? WriteRows : ReadRows;
    Rows[P.Slice / SlicesPerChannel % Rows.size()].add(
        Map.channelAddress(P.Slice % SlicesPerChannel, P.Local), R.Sectors,
        R.Block);
  }
  Requests.clear();
}

/// Rows that are opened for a sector, or a line that is written, on average.
static double activates(std::span<const memory::RowLocality> Rows) {
  double Sectors = 0, Activates = 0;
  for (const memory::RowLocality &Channel : Rows) {
    Sectors += Channel.sectors();
    Activates += Channel.activates();
  }
  return Sectors > 0 ? Activates / Sectors : 0;
}

/// What the launch asks of DRAM for each record, carried on from the blocks
/// that were looked at.
L2Profile Profiler::answer() const {
  const double Bytes = Spec.L2.Sector;
  const double WriteGrowth = growth(WriteHalf, WriteAll, Q.Blocks.size());
  const double Growth =
      growth(ReadHalf + WriteHalf, ReadAll + WriteAll, Q.Blocks.size());
  const double Span = held((ReadAll + WriteAll) * Bytes, Growth);
  auto carried = [&](double G, double Blocks) {
    return std::pow(Blocks / double(Q.Blocks.size()), G);
  };
  // Cold misses per block once Span blocks share what they have in common.
  auto scaled = [&](double G) {
    return carried(G, Span) * double(Q.Blocks.size()) / Span;
  };

  L2Profile P;
  P.Blocks = Q.Blocks.size();
  if (DirtyLines > 0) {
    P.SectorsPerWrite = std::max(
        Soiled / DirtyLines,
        std::min(sectorsInLine(), Dirty.sectorsPerLine(std::min(
                                      times(), Dirty.until(mostDirty())))));
    P.WriteMoved = WriteMoved / Soiled;
  }
  P.SliceShare = Now.sliceShare();
  if (Farthest.All > 0 && Q.Grid <= Q.BlocksAtOnce)
    P.Away = Farthest.Away / Farthest.All;
  P.Activates = activates(ReadRows);
  P.WriteActivates = activates(WriteRows) / P.SectorsPerWrite;
  // Streams grow where gathers do not: each record by itself.
  std::vector<double> ReadGrowth;
  double Fetched = 0, Moved = 0;
  for (const RecordCount &C : Counts) {
    Fetched += C.Fetched;
    Moved += C.Moved;
    ReadGrowth.push_back(growth(C.ColdOfHalf, C.Cold, Q.Blocks.size()));
    if (!C.Local)
      P.ReadFootprint +=
          C.Cold * Bytes * carried(ReadGrowth.back(), double(Q.Grid));
  }
  if (Fetched > 0)
    P.ReadMoved = Moved / Fetched;
  P.WriteFootprint = WriteAll * Bytes * carried(WriteGrowth, double(Q.Grid));
  const double Size = double(Spec.L2.TotalSize);
  // A run before this one leaves what fits; round and round through more than
  // the cache holds, least recently used keeps nothing.
  P.LocalFootprint = localBytes();
  const bool Resident =
      Q.Warm && P.ReadFootprint + P.WriteFootprint + P.LocalFootprint <= Size;
  P.Resident = Resident;
  for (size_t R = 0; R != Counts.size(); ++R) {
    const RecordCount &C = Counts[R];
    RecordTraffic T;
    T.Sectors = C.Sectors;
    T.Local = C.Local;
    if (C.Sectors > 0) {
      const double Cold =
          Resident ? 0
                   : C.Cold * (C.Local ? localRounds() : scaled(ReadGrowth[R]));
      T.DRAMReads = (Cold + C.Capacity) / C.Sectors;
      T.DRAMWrites = Resident
                         ? 0
                         : C.Dirtied *
                               (C.Local ? localRounds() : scaled(WriteGrowth)) /
                               C.Sectors;
    }
    if (C.Fetched > 0)
      T.Moved = C.Moved / C.Fetched;
    T.DRAMReads = std::min(1.0, T.DRAMReads);
    T.Waits = T.DRAMReads;
    if (C.Sectors > 0 && !Resident && !C.Local) {
      // All of a wave wait for what one of them has asked for; later waves
      // find it in L2.
      const double Wave = double(std::min(Q.BlocksAtOnce, Q.Grid));
      const double Together =
          (C.Cold + C.Pending) * std::pow(Span / Wave, ReadGrowth[R] - 1);
      T.Waits = std::clamp((Together + C.Capacity) / C.Sectors, T.Waits, 1.0);
    }
    const auto AtomicsOfHalf = double(
        std::ranges::count_if(C.AtomicLines, [](auto &L) { return L.second; }));
    const auto Atomics = double(C.AtomicLines.size());
    T.AtomicLines =
        Atomics * carried(growth(AtomicsOfHalf, Atomics, Q.Blocks.size()),
                          double(Q.Grid));
    P.Records.push_back(T);
  }
  if (Q.Spread && Q.Spread->taken())
    boundBySpread(P);
  leaveDirty(P);
  return P;
}

/// Takes from what gets dirty what the launch leaves so at its end.
void Profiler::leaveDirty(L2Profile &P) const {
  double Dirtied = 0;
  for (size_t R = 0; R != P.Records.size(); ++R)
    Dirtied += P.Records[R].Sectors * P.Records[R].DRAMWrites *
               (Counts[R].Sectors > 0 ? times() : 1);
  if (Q.Warm || Dirtied <= 0)
    return;
  P.HeldBack = std::min(1.0, mostDirty() * P.SectorsPerWrite / Dirtied);
  for (RecordTraffic &T : P.Records)
    T.DRAMWrites *= 1 - P.HeldBack;
}

/// The first blocks cannot show that gathers of many blocks meet the same
/// data: no record fetches more than all blocks touch of what L2 holds. Nor do
/// they show what other blocks alone execute.
void Profiler::boundBySpread(L2Profile &P) const {
  const std::vector<RecordSpread> &All = Q.Spread->Records;
  double Bytes = 0;
  for (const RecordSpread &S : All)
    Bytes += S.Footprint * Spec.L2.Sector;
  // A line that holds few sectors takes as much room as a full one.
  const double Room =
      Bytes * std::max(1.0, sectorsInLine() / Touched.sectorsPerLine(times()));
  const double Evicted =
      std::max(0.0, 1 - double(Spec.L2.TotalSize) / (Room + P.LocalFootprint));
  const double Cleaned =
      std::max(Evicted, 1 - mostDirty() * Spec.L2.Line / Room);
  for (size_t R = 0; R != P.Records.size(); ++R) {
    RecordTraffic &T = P.Records[R];
    const RecordSpread &S = All[R];
    const RecordCount &C = Counts[R];
    if (C.Local)
      continue;
    T.OneLine = S.OneLine;
    T.HotAtomic = S.HotAtomic;
    if (C.Sectors > 0) {
      const double Asked = S.Asked * C.Sectors / C.BeforeL1;
      const double Share =
          Asked > 0 ? std::max(S.Footprint / Asked, Evicted) : 1;
      T.DRAMReads = std::min(T.DRAMReads, Share);
      T.Waits = std::min(T.Waits, Share + C.Pending / C.Sectors);
      // What is not written first may have been written back meanwhile.
      const double First = Asked > 0 ? std::min(1.0, S.Footprint / Asked) : 1;
      T.DRAMWrites = std::min(T.DRAMWrites, First + (1 - First) * Cleaned);
    } else if (S.Asked > 0) {
      const double Share = std::min(1.0, S.Footprint / S.Asked);
      T.Sectors = S.Asked;
      (S.Reads ? T.DRAMReads : T.DRAMWrites) = Share;
      T.Waits = T.DRAMReads;
      T.AtomicLines = S.Footprint;
    }
  }
  const double Sum = P.ReadFootprint + P.WriteFootprint;
  const double Scale = Sum > Bytes ? Bytes / Sum : 1;
  P.ReadFootprint *= Scale;
  P.WriteFootprint *= Scale;
}

L2Profile heddle::pipeline::profileL2(const BlockSample &Sample,
                                      const DecodedCode &Code,
                                      const arch::GPUSpec &Spec,
                                      const L2Question &Question) {
  Profiler P(Sample, Code, Spec, Question);
  P.run();
  return P.answer();
}
