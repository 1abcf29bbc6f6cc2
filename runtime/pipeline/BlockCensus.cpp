//===- BlockCensus.cpp - How the blocks of a launch differ ----------------===//

#include "pipeline/BlockCensus.h"

#include "memory/AddressMap.h"
#include "memory/HotPlace.h"
#include "memory/SliceTurn.h"
#include "pipeline/L2Profile.h"
#include "pipeline/RoundSimulator.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

using namespace heddle;
using namespace heddle::pipeline;
using memory::LineAccess;

namespace {

/// Fewer say nothing of the rest; more cost more than they tell.
constexpr uint64_t LeastBlocks = 8, MostBlocks = 128;
/// Blocks that must be like the first one before all are taken to be. Of a
/// picture whose middle third costs most, two of a hundred blocks miss it
/// often.
constexpr uint64_t Compared = 8;

/// Multiples of the golden ratio, less their whole part, lie evenly between 0
/// and 1 and follow no period of a grid.
double spread(uint64_t N) {
  constexpr double Golden = 0.6180339887498949;
  const double At = double(N) * Golden;
  return At - std::floor(At);
}

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

/// Turns that atomics take in the slices of L2.
struct SliceTurns {
  std::vector<double> Of; ///< by slice
  double Sum = 0, Squares = 0;
  void add(uint32_t Slice, uint32_t Slices, double Turns) {
    Of.resize(Slices);
    Of[Slice] += Turns;
    Sum += Turns;
    Squares += Turns * Turns;
  }
  /// Of the busiest slice. Where \p All blocks were not looked at, the largest
  /// of N normal variables is some sqrt(2 ln N) deviations up by chance.
  double share(bool All) const {
    if (Sum <= 0)
      return 0;
    const double N = double(Of.size());
    const double ByChance = All ? 0 : std::sqrt(2 * std::log(N) * Squares / N);
    return memory::beyondChance(*std::ranges::max_element(Of), ByChance,
                                Sum / N) /
           Sum;
  }
};

class Census {
public:
  Census(const timing::DecodedCode &Code, const arch::GPUSpec &Spec)
      : Code(Code), Lines(Code, Spec), Map(Spec),
        Slices(std::max(1u, Spec.L2.Slices)),
        Records(Code.table().Memory.size()) {}

  void add(uint64_t Index, const trace::BlockTrace &Block);
  BlockCensus finish(uint64_t Grid);

private:
  const timing::DecodedCode &Code;
  EventLines Lines;
  memory::AddressMap Map;
  uint32_t Slices;
  /// Read, written; by all blocks, by the even ones and by the odd ones.
  std::array<Touched, 2> All, Half[2];
  struct Record {
    double Asked = 0, First = 0, FirstOfHalf[2] = {};
    Vote Stores;
    SliceTurns Atomics;
    bool Reads = false;
  };
  std::vector<Record> Records;
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
  const size_t Which = C.Blocks.size() % 2;
  C.Blocks.push_back(W);
  Lines.each(Block, [&](const timing::DecodedInst &I, uint8_t,
                        std::span<const LineAccess> Its) {
    const bool Stores = I.Kind == timing::InstKind::Store ||
                        (I.isBulkWrite() && I.bulkKind() == HEDDLE_BULK_STORE);
    const bool Writes = Stores || I.isAtomic() || I.isBulkWrite();
    Record &R = Records[I.Memory];
    R.Reads |= !Writes;
    for (const auto &[Line, Sectors, Full, Lanes, Same] : Its) {
      if (Stores)
        R.Stores.add(Line);
      if (I.isAtomic())
        R.Atomics.add(Map.place(Line).Slice, Slices,
                      memory::atomicTurns(std::popcount(Sectors), Same));
      R.Asked += std::popcount(Sectors);
      R.First += All[Writes].add(Line, Sectors);
      R.FirstOfHalf[Which] += Half[Which][Writes].add(Line, Sectors);
    }
  });
}

/// What \p Times halves of a sample touch if one touches \p Half, the other
/// \p Other and both \p All: blocks that draw from a set at random find ever
/// more of it known.
static double carryOn(double Half, double Other, double All, double Times) {
  const double Mean = (Half + Other) / 2;
  const double Fresh =
      Mean > 0 ? 1 - std::clamp((Half + Other - All) / Mean, 0.0, 1.0) : 1;
  if (Fresh == 1)
    return Mean * Times;
  return Mean * (1 - std::pow(Fresh, Times)) / (1 - Fresh);
}

BlockCensus Census::finish(uint64_t Grid) {
  const double Whole = double(Grid) / double(C.Blocks.size());
  for (const Record &R : Records) {
    RecordSpread S;
    S.Asked = R.Asked * Whole;
    S.Footprint =
        C.Blocks.size() == Grid
            ? R.First
            : carryOn(R.FirstOfHalf[0], R.FirstOfHalf[1], R.First, 2 * Whole);
    S.OneLine = R.Stores.Requests > 0 ? R.Stores.Lead / R.Stores.Requests : 0;
    S.AtomicTurns = R.Atomics.Sum / double(C.Blocks.size());
    S.HotAtomic = R.Atomics.share(C.Blocks.size() == Grid);
    S.Reads = R.Reads;
    C.Records.push_back(S);
  }
  return std::move(C);
}

/// Counts the instructions of all blocks: one far longer than the others may
/// take longer than all of them.
static Result<void> countAll(trace::TraceSource &Source,
                             const timing::DecodedCode &Code,
                             std::vector<BlockWork> &Blocks) {
  const uint64_t Grid = Source.header().Grid.count();
  trace::BlockTrace Block;
  std::vector<std::pair<std::vector<uint8_t>, uint64_t>> Before; // by warp
  Blocks.clear();
  for (uint64_t Index = 0; Index != Grid; ++Index) {
    if (Result<void> R = Source.read(Index, Block); !R)
      return R;
    BlockWork W{Index, 0, 0};
    Before.resize(std::max(Before.size(), Block.Warps.size()));
    for (size_t N = 0; N != Block.Warps.size(); ++N) {
      auto &[Body, Insts] = Before[N];
      if (!Index || Body != Block.Warps[N].Body) {
        Insts = countInsts(Block.Warps[N], Code.table());
        Body = Block.Warps[N].Body;
      }
      W.Insts += Insts;
      W.Longest = std::max(W.Longest, Insts);
    }
    Blocks.push_back(W);
  }
  return {};
}

Result<BlockCensus> heddle::pipeline::takeCensus(
    trace::TraceSource &Source, const timing::DecodedCode &Code,
    const arch::GPUSpec &Spec, uint64_t Budget, uint64_t CountBudget) {
  const uint64_t Grid = Source.header().Grid.count();
  trace::BlockTrace First, Block;
  if (Result<void> R = Source.read(0, First); !R)
    return std::unexpected(R.error());
  bool Differ = false;
  for (uint64_t N = 0; N <= Compared && !Differ; ++N) {
    // Those of a loop over tiles that does not come out even are the last.
    const uint64_t Index = N ? uint64_t(spread(N) * double(Grid)) : Grid - 1;
    if (Result<void> R = Source.read(Index, Block); !R)
      return std::unexpected(R.error());
    Differ =
        !std::ranges::equal(First.Warps, Block.Warps, {},
                            &trace::WarpTrace::Body, &trace::WarpTrace::Body);
  }
  const uint64_t Lines = countLines(First, Code, Spec),
                 Insts = countInsts(First, Code.table());
  const uint64_t Cost = Lines + Insts / 4;
  uint64_t Number =
      std::clamp(Budget / std::max<uint64_t>(1, Cost), LeastBlocks, MostBlocks);
  Number = std::min(Grid, Number / 2 * 2); // in two halves
  // All of them where even more expensive ones than the first fit, and of small
  // launches: one warp that was left out may be the longest by half.
  if (Cost <= Budget / 4 / Grid || Grid <= MostBlocks)
    Number = Grid;
  Census C(Code, Spec);
  for (uint64_t N = 0; N != Number; ++N) {
    // Equal distances would fall in with the rows of a grid.
    const auto Index =
        uint64_t((double(N) + spread(N)) * double(Grid) / double(Number));
    if (Result<void> R = Source.read(Index, Block); !R)
      return std::unexpected(R.error());
    C.add(Index, Block);
  }
  BlockCensus Out = C.finish(Grid);
  Out.Differ =
      Differ || std::ranges::any_of(Out.Blocks, [&](const BlockWork &W) {
        return W.Insts != Insts;
      });
  auto sum = [&] {
    return std::accumulate(
        Out.Blocks.begin(), Out.Blocks.end(), 0.0,
        [](double Sum, const BlockWork &W) { return Sum + double(W.Insts); });
  };
  Out.Mean = sum() / double(Out.Blocks.size());
  if (Out.Differ && Out.Mean * double(Grid) <= double(CountBudget)) {
    if (Result<void> R = countAll(Source, Code, Out.Blocks); !R)
      return std::unexpected(R.error());
    Out.Mean = sum() / double(Grid);
  }
  return Out;
}
