//===- L2Profile.cpp - What the L2 serves, from some of the blocks --------===//

#include "pipeline/L2Profile.h"

#include "memory/Cache.h"
#include "memory/Coalescer.h"
#include "pipeline/StackCache.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace heddle;
using namespace heddle::pipeline;
using memory::Coalescer;
using memory::LineAccess;
using timing::DecodedCode;
using timing::DecodedInst;

static bool goesToL2(const trace::MemoryAccess &A) {
  return A.Mask &&
         (A.Space == HEDDLE_SPACE_GLOBAL || A.Space == HEDDLE_SPACE_TEXTURE);
}

uint64_t heddle::pipeline::countLines(const trace::BlockTrace &Block,
                                      const DecodedCode &Code,
                                      const arch::GPUSpec &Spec) {
  const Coalescer Lines(Spec.L1, Spec.L2, Spec.L1.Coalesced);
  LineAccess Found[Coalescer::MaxLines];
  uint64_t Count = 0;
  for (const trace::WarpTrace &W : Block.Warps) {
    trace::WarpCursor C(Code.table(), W);
    while (C.next()) {
      if (Code.table().Blocks[C.block()].NumMemory == 0)
        continue;
      for (const DecodedInst &I : Code.insts(C.block()))
        if (I.hasAddresses())
          if (const trace::MemoryAccess &A = C.access(I.Memory); goesToL2(A))
            Count +=
                Lines.coalesce(A, I.ByteOffset, I.AccessBytes, false, Found);
    }
  }
  return Count;
}

namespace {

/// Accumulated per memory record.
struct RecordCount {
  double Sectors = 0, Cold = 0, Capacity = 0, Dirtied = 0;
  double AtomicLines = 0; ///< first touches by atomics
};

class Profiler {
public:
  Profiler(const BlockSample &Sample, const DecodedCode &Code,
           const arch::GPUSpec &Spec, const L2Question &Q)
      : Sample(Sample), Code(Code), Spec(Spec), Q(Q),
        Lines(Spec.L1, Spec.L2, Spec.L1.Coalesced),
        Counts(Code.table().Memory.size()), Cache(capacity()) {}

  L2Profile run();

private:
  uint64_t capacity() const {
    double Share = std::min(1.0, double(Q.Blocks) /
                                     double(std::max<uint64_t>(
                                         1, std::min(Q.BlocksAtOnce, Q.Grid))));
    double Total = double(Spec.L2.TotalSize) / Spec.L2.Line;
    return uint64_t(std::max(1.0, Total * Share));
  }
  void access(uint64_t Block, const DecodedInst &I,
              const trace::MemoryAccess &A, StackCache &L1);
  double growth(double Half, double All) const;
  double held(double BytesInSample, double Growth) const;

  const BlockSample &Sample;
  const DecodedCode &Code;
  const arch::GPUSpec &Spec;
  const L2Question &Q;
  Coalescer Lines;
  std::vector<RecordCount> Counts;
  StackCache Cache;
  // Sectors first touched, by the lower half of the blocks and by all.
  StackCache HalfLines{~uint64_t(0)}, AllLines{~uint64_t(0)};
  double ReadHalf = 0, ReadAll = 0, WriteHalf = 0, WriteAll = 0;
  LineAccess Found[Coalescer::MaxLines];
};

} // namespace

void Profiler::access(uint64_t Block, const DecodedInst &I,
                      const trace::MemoryAccess &A, StackCache &L1) {
  const bool Atomic = I.isAtomic();
  const bool Write = I.Kind == timing::InstKind::Store;
  RecordCount &R = Counts[I.Memory];
  unsigned N = Lines.coalesce(A, I.ByteOffset, I.AccessBytes, false, Found);
  for (unsigned L = 0; L < N; ++L) {
    uint64_t Line = Found[L].Line;
    uint16_t Sectors = Found[L].Sectors;
    if (Spec.L1.Size && !Atomic &&
        (Write || memory::cachesReads(Spec.L1, A.Space, I.Flags))) {
      if (Write)
        L1.write(Line, Sectors, Spec.L1.WriteAllocate);
      else if (Sectors = L1.read(Line, Sectors).Missing; !Sectors)
        continue;
    }
    auto Asked = double(std::popcount(Sectors));
    R.Sectors += Asked;
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
      R.Capacity += Missing - Fresh;
      ReadAll += Fresh;
    }
    R.Dirtied += std::popcount(O.Dirtied);
    WriteAll += std::popcount(First.Dirtied);
    R.AtomicLines += Atomic && First.Cold;
    if (Block < Q.Blocks / 2) {
      StackCache::Outcome H = Write || Atomic
                                  ? HalfLines.write(Line, Sectors, true)
                                  : HalfLines.read(Line, Sectors);
      if (!Write)
        ReadHalf += std::popcount(H.Missing);
      WriteHalf += std::popcount(H.Dirtied);
    }
  }
}

/// Exponent of the footprint as a power of the number of blocks.
double Profiler::growth(double Half, double All) const {
  if (Q.Blocks < 2 || Half <= 0 || All <= 0)
    return 1;
  double Ratio = double(Q.Blocks) / double(Q.Blocks / 2);
  return std::clamp(std::log(All / Half) / std::log(Ratio), 0.0, 1.0);
}

/// Number of blocks over which lines stay in the L2, so that those which
/// blocks have in common are fetched once: as many as their footprint fits,
/// but at least those that run at the same time.
double Profiler::held(double BytesInSample, double Growth) const {
  double Grid = double(Q.Grid);
  double Together = double(std::min(Q.BlocksAtOnce, Q.Grid));
  double Fits = Grid;
  double Size = double(Spec.L2.TotalSize);
  if (BytesInSample * std::pow(Grid / double(Q.Blocks), Growth) > Size)
    Fits = Growth <= 0
               ? Grid
               : double(Q.Blocks) * std::pow(Size / BytesInSample, 1 / Growth);
  return std::clamp(std::max(Fits, Together), double(Q.Blocks), Grid);
}

L2Profile Profiler::run() {
  struct Runner {
    trace::WarpCursor Cursor;
    uint64_t Block;
  };
  std::vector<Runner> Runners;
  std::vector<StackCache> L1(Q.Blocks, StackCache(Q.L1Lines));
  for (uint64_t B = 0; B < Q.Blocks; ++B)
    for (const trace::WarpTrace &W : Sample[B].Warps)
      Runners.push_back({trace::WarpCursor(Code.table(), W), B});
  // One block event with memory accesses per warp and turn.
  while (!Runners.empty()) {
    size_t Kept = 0;
    for (size_t N = 0; N < Runners.size(); ++N) {
      Runner &R = Runners[N];
      bool Alive;
      while ((Alive = R.Cursor.next()) &&
             Code.table().Blocks[R.Cursor.block()].NumMemory == 0)
        ;
      if (!Alive)
        continue;
      for (const DecodedInst &I : Code.insts(R.Cursor.block()))
        if (I.hasAddresses())
          if (const trace::MemoryAccess &A = R.Cursor.access(I.Memory);
              goesToL2(A))
            access(R.Block, I, A, L1[R.Block]);
      if (Kept != N)
        Runners[Kept] = std::move(R);
      ++Kept;
    }
    Runners.resize(Kept);
  }

  const double Bytes = Spec.L2.Sector;
  double ReadGrowth = growth(ReadHalf, ReadAll);
  double WriteGrowth = growth(WriteHalf, WriteAll);
  double Growth = growth(ReadHalf + WriteHalf, ReadAll + WriteAll);
  double Span = held((ReadAll + WriteAll) * Bytes, Growth);
  auto carried = [&](double G, double Blocks) {
    return std::pow(Blocks / double(Q.Blocks), G);
  };
  double PerBlock = double(Q.Blocks) / Span;
  // Cold misses per block once Span blocks share what they have in common.
  double ReadScale = carried(ReadGrowth, Span) * PerBlock;
  double WriteScale = carried(WriteGrowth, Span) * PerBlock;

  L2Profile P;
  P.Blocks = Q.Blocks;
  P.ReadFootprint = ReadAll * Bytes * carried(ReadGrowth, double(Q.Grid));
  P.WriteFootprint = WriteAll * Bytes * carried(WriteGrowth, double(Q.Grid));
  double Size = double(Spec.L2.TotalSize);
  // A run before this one leaves what fits; round and round through more than
  // the cache holds, least recently used keeps nothing.
  bool Resident = Q.Warm && P.ReadFootprint + P.WriteFootprint <= Size;
  // What the kernel's own end leaves dirty is written later.
  double Written = WriteAll * WriteScale * double(Q.Grid) / double(Q.Blocks);
  double Left = Q.Warm ? 0 : std::min(Size, Written * Bytes) / Bytes;
  double WriteShare = Resident || Written <= 0 ? 0 : (Written - Left) / Written;
  for (const RecordCount &C : Counts) {
    RecordTraffic T;
    T.Sectors = C.Sectors;
    if (C.Sectors > 0) {
      T.DRAMReads = Resident ? C.Capacity / C.Sectors
                             : (C.Cold * ReadScale + C.Capacity) / C.Sectors;
      T.DRAMWrites = C.Dirtied * WriteScale * WriteShare / C.Sectors;
    }
    T.DRAMReads = std::min(1.0, T.DRAMReads);
    T.AtomicLines = C.AtomicLines * carried(ReadGrowth, double(Q.Grid));
    P.Records.push_back(T);
  }
  return P;
}

L2Profile heddle::pipeline::profileL2(const BlockSample &Sample,
                                      const DecodedCode &Code,
                                      const arch::GPUSpec &Spec,
                                      const L2Question &Question) {
  return Profiler(Sample, Code, Spec, Question).run();
}
