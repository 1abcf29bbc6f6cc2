//===- PlannedCode.cpp - Instructions that the plan adds ------------------===//

#include "synthesis/PlannedCode.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace heddle::synthesis {

using namespace behavior;

void PlannedCode::pay(unsigned B, const std::string &Text) {
  if (!Blocks.takeOut(B, Text))
    ++Added;
}

void PlannedCode::start(unsigned B, const std::string &Text) {
  pay(B, Text);
  Blocks[B].Start.push_back(Text);
}

void PlannedCode::before(unsigned B, ChainBlocks::Slot &S,
                         const std::string &Text) {
  S.Before.push_back(Text); // first, so that S itself stays
  pay(B, Text);
}

void PlannedCode::end(unsigned B, const std::string &Text) {
  pay(B, Text);
  Blocks[B].End.push_back(Text);
}

std::string PlannedCode::newRegister(Kind K) {
  static constexpr std::array Prefixes = {"%xp", "%xh", "%xr", "%xd"};
  return fmt::format("{}{}", Prefixes[unsigned(K)],
                     NumRegisters[unsigned(K)]++);
}

std::string PlannedCode::addProduct(unsigned B, const std::string &Before,
                                    const std::string &Index, int64_t Factor,
                                    uint64_t Most) {
  std::string Out = newRegister(Kind::B64);
  const uint64_t Size = Factor < 0 ? -uint64_t(Factor) : Factor;
  const bool Fits = Size <= INT32_MAX && Most <= INT32_MAX / Size;
  if (!std::has_single_bit(Size) || !Fits || (Factor < 0 && Before.empty()) ||
      Blocks.hasMultiplication(B)) {
    start(B, Before.empty()
                 ? fmt::format("mul.wide.s32 {}, {}, {}", Out, Index, Factor)
                 : fmt::format("mad.wide.s32 {}, {}, {}, {}", Out, Index,
                               Factor, Before));
    return Out;
  }
  std::string Shifted = Index;
  if (Size > 1) {
    Shifted = newRegister(Kind::B32);
    start(B, fmt::format("shl.b32 {}, {}, {}", Shifted, Index,
                         std::countr_zero(Size)));
  }
  std::string Wide = Before.empty() ? Out : newRegister(Kind::B64);
  start(B, fmt::format("cvt.s64.s32 {}, {}", Wide, Shifted));
  if (!Before.empty())
    start(B, fmt::format("{}.s64 {}, {}, {}", Factor < 0 ? "sub" : "add", Out,
                         Before, Wide));
  return Out;
}

std::string PlannedCode::key(unsigned K) {
  static constexpr std::array Names = {"%tid.x",   "%tid.y",   "%tid.z",
                                       "%ctaid.x", "%ctaid.y", "%ctaid.z"};
  std::string &R = KeyRegisters[K];
  if (R.empty()) {
    R = newRegister(Kind::B32);
    entry(fmt::format("mov.u32 {}, {}", R, Names[K]));
  }
  return R;
}

std::string PlannedCode::globalIndex(unsigned D) {
  std::string &R = GlobalIndices[D];
  if (R.empty()) {
    const uint32_t Sizes[] = {P.Threads.X, P.Threads.Y, P.Threads.Z};
    std::string Block = key(BlockX + D), Thread = key(ThreadX + D);
    R = newRegister(Kind::B32);
    entry(fmt::format("mad.lo.s32 {}, {}, {}, {}", R, Block, Sizes[D], Thread));
  }
  return R;
}

unsigned PlannedCode::outside(unsigned L) const {
  unsigned Parent = P.Loops[L].Parent;
  return Parent == None ? Entry : P.Loops[Parent].Header;
}

std::string PlannedCode::iteration(unsigned L) {
  std::string &R = Iterations[L];
  if (R.empty()) {
    R = newRegister(Kind::B32);
    start(outside(L), fmt::format("mov.u32 {}, 0", R));
    start(P.Loops[L].Header, fmt::format("add.u32 {}, {}, 1", R, R));
  }
  return R;
}

/// The part that threads and blocks decide; empty if none.
std::string PlannedCode::entrySum(const Keys &Coefficients) {
  const int64_t Sizes[] = {P.Threads.X, P.Threads.Y, P.Threads.Z};
  std::vector<std::pair<std::string, int64_t>> Terms;
  for (unsigned D = 0; D < 3; ++D) {
    int64_t Thread = Coefficients[ThreadX + D],
            Block = Coefficients[BlockX + D];
    if (Thread && Block == Thread * Sizes[D] && Sizes[D] > 1) {
      Terms.emplace_back(globalIndex(D), Thread);
      continue;
    }
    if (Thread)
      Terms.emplace_back(key(ThreadX + D), Thread);
    if (Block)
      Terms.emplace_back(key(BlockX + D), Block);
  }
  std::string R;
  for (const auto &[Key, Factor] : Terms) {
    if (R.empty() && Factor == 1) {
      R = Key;
      continue;
    }
    std::string Next = newRegister(Kind::B32), Before = R.empty() ? "0" : R;
    if (Factor == 1 || Factor == -1)
      entry(fmt::format("{}.s32 {}, {}, {}", Factor == 1 ? "add" : "sub", Next,
                        Before, Key));
    else
      entry(
          fmt::format("mad.lo.s32 {}, {}, {}, {}", Next, Key, Factor, Before));
    R = Next;
  }
  return R;
}

PlannedCode::Sum PlannedCode::sumOf(const Keys &Coefficients, unsigned Loop,
                                    bool Stretched) {
  std::vector<unsigned> Moving; ///< innermost first
  for (unsigned L = Loop; L != None; L = P.Loops[L].Parent)
    if (Coefficients[Iteration0 + P.Loops[L].Depth])
      Moving.push_back(L);
  Sum &S =
      Sums[{Coefficients, Moving.empty() ? None : Moving.front(), Stretched}];
  if (!S.Register.empty())
    return S;
  S.Register = entrySum(Coefficients);
  if (S.Register.empty() && Moving.empty()) {
    S.Register = newRegister(Kind::B32);
    entry(fmt::format("mov.u32 {}, 0", S.Register));
  }
  // Outer loops first; each header steps its register and sets back the next.
  // The first step is taken before the first use.
  for (unsigned I = Moving.size(); I-- > 0;) {
    unsigned L = Moving[I];
    int64_t Step = Coefficients[Iteration0 + P.Loops[L].Depth];
    if (Stretched)
      Step *= std::llround(Plan.Loops[L].Factor);
    std::string R = newRegister(Kind::B32);
    start(outside(L), fmt::format("mov.u32 {}, {}", R,
                                  S.Register.empty() ? "0" : S.Register));
    start(P.Loops[L].Header, fmt::format("add.s32 {0}, {0}, {1}", R, Step));
    S.Bias -= Step;
    S.Register = R;
  }
  return S;
}

std::string PlannedCode::affineLimit(unsigned L) {
  const Loop &Loop = P.Loops[L];
  Sum S = sumOf(Loop.TripCoefficients, Loop.Parent, true);
  const unsigned At = outside(L);
  std::string R = newRegister(Kind::B32);
  const auto [Factor, MinTrips] = Plan.Loops[L].Reduced;
  // Rounded to the nearest.
  start(At, fmt::format("add.s32 {}, {}, {}", R, S.Register,
                        Loop.TripConstant + S.Bias + int64_t(Factor / 2)));
  start(At, fmt::format("max.s32 {0}, {0}, {1}", R, Factor * MinTrips));
  if (std::has_single_bit(Factor)) {
    if (Factor > 1)
      start(At,
            fmt::format("shr.u32 {0}, {0}, {1}", R, std::countr_zero(Factor)));
  } else {
    start(At, fmt::format("mul.hi.u32 {0}, {0}, {1}", R,
                          (uint64_t(1) << 32) / Factor + 1));
  }
  return R;
}

/// Numbers in constant memory: the name of their table.
std::string PlannedCode::tripTable(unsigned L,
                                   std::span<const uint64_t> Trips) {
  const std::string Table = fmt::format("t{}", L);
  Variables += fmt::format(".const .align 4 .u32 {}[{}] = {{{}}};\n", Table,
                           Trips.size(), fmt::join(Trips, ", "));
  return Table;
}

/// All threads of a block read the number of their block.
std::string PlannedCode::blockLimit(unsigned L) {
  const std::string Table = tripTable(L, Plan.Loops[L].OfBlocks),
                    Base = newRegister(Kind::B64), R = newRegister(Kind::B32);
  start(Entry, fmt::format("mov.u64 {}, {}", Base, Table));
  const std::string Place =
      addProduct(Entry, Base, key(BlockX), 4, Plan.Loops[L].OfBlocks.size());
  start(Entry, fmt::format("ld.const.u32 {}, [{}]", R, Place));
  return R;
}

std::string PlannedCode::drawnLimit(unsigned L) {
  const LoopPlan &Loop = Plan.Loops[L];
  const std::string Table = tripTable(L, Loop.Table);
  static_assert(std::tuple_size_v<decltype(LoopPlan::Table)> == 64);
  unsigned At = outside(L);
  std::string State =
      Loop.GroupLanes == 32 ? warpRandom() : threadRandom(Loop.GroupLanes);
  std::string Index = newRegister(Kind::B32), Wide = newRegister(Kind::B64),
              Base = newRegister(Kind::B64), Place = newRegister(Kind::B64),
              R = newRegister(Kind::B32);
  start(Entry, fmt::format("mov.u64 {}, {}", Base, Table));
  start(At, fmt::format("add.u32 {0}, {0}, {1}", State, WeylStep));
  start(At, fmt::format("shr.u32 {}, {}, 24", Index, State));
  start(At, fmt::format("and.b32 {0}, {0}, 252", Index));
  start(At, fmt::format("cvt.u64.u32 {}, {}", Wide, Index));
  start(At, fmt::format("add.s64 {}, {}, {}", Place, Base, Wide));
  start(At, fmt::format("ld.const.u32 {}, [{}]", R, Place));
  return R;
}

std::string PlannedCode::limit(unsigned L) {
  std::string &R = Limits[L];
  if (R.empty())
    switch (Plan.Loops[L].How) {
    case LoopPlan::Constant:
      R = fmt::format("{}", Plan.Loops[L].Table.front());
      break;
    case LoopPlan::Affine:
      R = affineLimit(L);
      break;
    case LoopPlan::Drawn:
      R = Plan.Loops[L].OfBlocks.empty() ? drawnLimit(L) : blockLimit(L);
      break;
    }
  return R;
}

std::string PlannedCode::warpRandom() {
  if (WarpState.empty()) {
    std::string Thread = key(ThreadX);
    if (P.Threads.Y > 1) {
      std::string Row = key(ThreadY), Linear = newRegister(Kind::B32);
      entry(fmt::format("mad.lo.u32 {}, {}, {}, {}", Linear, Row, P.Threads.X,
                        Thread));
      Thread = Linear;
    }
    WarpState = newRegister(Kind::B32);
    entry(fmt::format("shr.u32 {}, {}, 5", WarpState, Thread));
    for (unsigned D = 0; D < 3; ++D)
      if (const uint32_t Sides[] = {P.Grid.X, P.Grid.Y, P.Grid.Z};
          Sides[D] > 1) {
        std::string Block = key(BlockX + D);
        entry(fmt::format("mad.lo.u32 {0}, {1}, {2}, {0}", WarpState, Block,
                          40503 + 10006 * D));
      }
    entry(fmt::format("mad.lo.u32 {0}, {0}, 2654435761, 12345", WarpState));
  }
  return WarpState;
}

/// Finalisation in the manner of Murmur3: neighbours end up far apart, in no
/// lattice.
void PlannedCode::mix(const std::string &R) {
  std::string Shifted = newRegister(Kind::B32);
  entry(fmt::format("mul.lo.u32 {0}, {0}, 2246822507", R));
  entry(fmt::format("shr.u32 {}, {}, 15", Shifted, R));
  entry(fmt::format("xor.b32 {0}, {0}, {1}", R, Shifted));
  entry(fmt::format("mul.lo.u32 {0}, {0}, 3266489909", R));
}

std::string PlannedCode::threadRandom(unsigned GroupLanes) {
  std::string &R = ThreadStates[GroupLanes];
  if (R.empty()) {
    std::string Thread = globalIndex(0);
    R = newRegister(Kind::B32);
    entry(fmt::format("shr.u32 {}, {}, {}", R, Thread,
                      std::countr_zero(GroupLanes)));
    if (P.Threads.Y > 1 || P.Grid.Y > 1) {
      std::string Y = globalIndex(1);
      entry(fmt::format("mad.lo.u32 {0}, {1}, 40503, {0}", R, Y));
    }
    mix(R);
  }
  return R;
}

std::string PlannedCode::commonCounter() {
  if (CommonCounter.empty()) {
    CommonCounter = newRegister(Kind::B64);
    entry(fmt::format("mov.u64 {}, 0", CommonCounter));
  }
  return CommonCounter;
}

std::string PlannedCode::table(const std::vector<int64_t> &Values) {
  auto [It, New] = Tables.try_emplace(Values);
  if (New) {
    const std::string Name = fmt::format("w{}", Tables.size() - 1);
    Variables += fmt::format(".const .align 8 .u64 {}[{}] = {{{}}};\n", Name,
                             Values.size(), fmt::join(Values, ", "));
    It->second = newRegister(Kind::B64);
    entry(fmt::format("mov.u64 {}, {}", It->second, Name));
  }
  return It->second;
}

std::string PlannedCode::wideRandom(unsigned GroupLanes) {
  std::string &R = WideStates[GroupLanes];
  if (R.empty()) {
    std::string State = threadRandom(GroupLanes);
    R = newRegister(Kind::B64);
    entry(fmt::format("cvt.u64.u32 {}, {}", R, State));
  }
  return R;
}

std::string PlannedCode::declarations() const {
  static constexpr std::array Names = {"pred %xp", "b16 %xh", "b32 %xr",
                                       "b64 %xd"};
  std::string Text = "\t.reg .pred %zp;\n";
  for (unsigned K = 0; K < 4; ++K)
    if (NumRegisters[K])
      Text += fmt::format("\t.reg .{}<{}>;\n", Names[K], NumRegisters[K]);
  return Text;
}

} // namespace heddle::synthesis
