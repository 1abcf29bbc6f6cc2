//===- BlockCensus.cpp - How the blocks of a launch differ ----------------===//

#include "pipeline/BlockCensus.h"

#include "memory/Coalescer.h"
#include "pipeline/L2Profile.h"
#include "pipeline/RoundSimulator.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

using namespace heddle;
using namespace heddle::pipeline;
using memory::Coalescer;
using memory::LineAccess;

namespace {

/// Fewer say nothing of the rest; more cost more than they tell.
constexpr uint64_t LeastBlocks = 8, MostBlocks = 128;

/// Sectors that were touched.
class Touched {
public:
  /// Those of \p Sectors that were not.
  unsigned add(uint64_t Line, uint16_t Sectors) {
    uint16_t &Known = Lines[Line];
    const unsigned Fresh = std::popcount(uint16_t(Sectors & ~Known));
    Known |= Sectors;
    return Fresh;
  }

private:
  std::unordered_map<uint64_t, uint16_t> Lines;
};

/// Finds the line that most requests ask for (Boyer and Moore's vote).
struct Vote {
  uint64_t Line = 0;
  double Lead = 0, Requests = 0;
  void add(uint64_t Asked) {
    ++Requests;
    if (Lead == 0)
      Line = Asked;
    Lead += Line == Asked ? 1 : -1;
  }
};

class Census {
public:
  Census(const timing::DecodedCode &Code, const arch::GPUSpec &Spec)
      : Code(Code), Lines(Spec.L1, Spec.L2, Spec.L1.Coalesced),
        First(Code.table().Memory.size()), FirstOfHalf(First.size()),
        Stores(First.size()) {}

  void add(uint64_t Index, const trace::BlockTrace &Block);
  BlockCensus finish(uint64_t Grid);

private:
  const timing::DecodedCode &Code;
  Coalescer Lines;
  LineAccess Found[Coalescer::MaxLines];
  /// Read, written; by all blocks, by every other one.
  std::array<Touched, 2> All, Half;
  std::vector<double> First, FirstOfHalf;
  std::vector<Vote> Stores;
  BlockCensus C;
};

} // namespace

void Census::add(uint64_t Index, const trace::BlockTrace &Block) {
  BlockWork W{Index, 0, 0};
  for (const trace::WarpTrace &Warp : Block.Warps) {
    const uint64_t Insts = countInsts(Warp, Code.table());
    W.Insts += Insts;
    W.Longest = std::max(W.Longest, Insts);
  }
  const bool InHalf = C.Blocks.size() % 2 == 0;
  C.Blocks.push_back(W);
  forEachL2Access(
      Block, Code,
      [&](const timing::DecodedInst &I, const trace::MemoryAccess &A) {
        const unsigned N =
            Lines.coalesce(A, I.ByteOffset, I.AccessBytes, false, Found);
        const bool Writes = I.Kind == timing::InstKind::Store || I.isAtomic();
        for (unsigned L = 0; L != N; ++L) {
          if (I.Kind == timing::InstKind::Store)
            Stores[I.Memory].add(Found[L].Line);
          First[I.Memory] += All[Writes].add(Found[L].Line, Found[L].Sectors);
          if (InHalf)
            FirstOfHalf[I.Memory] +=
                Half[Writes].add(Found[L].Line, Found[L].Sectors);
        }
      });
}

/// What \p Times halves of a sample touch if one touches \p Half and both
/// \p All: blocks that draw from a set at random find ever more of it known.
static double carryOn(double Half, double All, double Times) {
  const double Fresh = Half > 0 ? std::clamp(All / Half - 1, 0.0, 1.0) : 1;
  if (Fresh == 1)
    return Half * Times;
  return Half * (1 - std::pow(Fresh, Times)) / (1 - Fresh);
}

BlockCensus Census::finish(uint64_t Grid) {
  const double Times = 2 * double(Grid) / double(C.Blocks.size());
  for (size_t R = 0; R != First.size(); ++R)
    C.Footprint.push_back(C.Blocks.size() == Grid
                              ? First[R]
                              : carryOn(FirstOfHalf[R], First[R], Times));
  for (const Vote &V : Stores)
    C.OneLine.push_back(V.Requests > 0 ? V.Lead / V.Requests : 0);
  return std::move(C);
}

double BlockCensus::meanInsts() const {
  double Sum = 0;
  for (const BlockWork &W : Blocks)
    Sum += double(W.Insts);
  return Sum / double(Blocks.size());
}

Result<BlockCensus>
heddle::pipeline::takeCensus(trace::TraceSource &Source,
                             const timing::DecodedCode &Code,
                             const arch::GPUSpec &Spec, uint64_t Budget) {
  const uint64_t Grid = Source.header().Grid.count();
  trace::BlockTrace First, Block;
  if (Result<void> R = Source.read(0, First); !R)
    return std::unexpected(R.error());
  bool Differ = false;
  for (uint64_t Index : {Grid / 3, 2 * Grid / 3}) {
    if (Result<void> R = Source.read(Index, Block); !R)
      return std::unexpected(R.error());
    Differ |=
        !std::ranges::equal(First.Warps, Block.Warps, {},
                            &trace::WarpTrace::Body, &trace::WarpTrace::Body);
  }
  if (!Differ)
    return BlockCensus();
  const uint64_t Lines = countLines(First, Code, Spec),
                 Insts = countInsts(First, Code.table());
  const uint64_t Cost = Lines + Insts / 4;
  uint64_t Number =
      std::clamp(Budget / std::max<uint64_t>(1, Cost), LeastBlocks, MostBlocks);
  Number = std::min(Grid, Number / 2 * 2); // in two halves
  Census C(Code, Spec);
  for (uint64_t N = 0; N != Number; ++N) {
    const uint64_t Index = N * Grid / Number;
    if (Result<void> R = Source.read(Index, Block); !R)
      return std::unexpected(R.error());
    C.add(Index, Block);
  }
  return C.finish(Grid);
}
