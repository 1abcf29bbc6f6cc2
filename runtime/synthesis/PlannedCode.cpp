//===- PlannedCode.cpp - Instructions that the plan adds ------------------===//

#include "synthesis/PlannedCode.h"

#include <bit>
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

std::string PlannedCode::limit(unsigned L) {
  std::string &R = Limits[L];
  if (!R.empty())
    return R;
  const LoopPlan &Loop = Plan.Loops[L];
  if (Loop.Trips.front() == Loop.Trips.back())
    return R = fmt::format("{}", Loop.Trips.front());
  // One of sixteen quantiles, drawn for each warp.
  std::string Table = fmt::format("t{}", L), Values;
  for (unsigned I = 0; I < 16; ++I)
    Values += fmt::format("{}{}", I ? ", " : "",
                          (Loop.Trips[I] + Loop.Trips[I + 1]) / 2);
  Variables +=
      fmt::format(".const .align 4 .u32 {}[16] = {{{}}};\n", Table, Values);
  unsigned At = outside(L);
  std::string State = warpRandom();
  std::string Index = newRegister(Kind::B32), Base = newRegister(Kind::B64);
  R = newRegister(Kind::B32);
  start(At, fmt::format("mad.lo.u32 {0}, {0}, 1664525, 1013904223", State));
  start(At, fmt::format("shr.u32 {}, {}, 28", Index, State));
  std::string TableBase = newRegister(Kind::B64);
  start(At, fmt::format("mov.u64 {}, {}", TableBase, Table));
  start(At, fmt::format("mad.wide.u32 {}, {}, 4, {}", Base, Index, TableBase));
  start(At, fmt::format("ld.const.u32 {}, [{}]", R, Base));
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

std::string PlannedCode::threadRandom(unsigned GroupLanes) {
  std::string &R = ThreadStates[GroupLanes];
  if (R.empty()) {
    std::string Thread = globalIndex(0);
    R = newRegister(Kind::B32);
    entry(fmt::format("shr.u32 {}, {}, {}", R, Thread,
                      std::countr_zero(GroupLanes)));
    if (P.Threads.Y > 1) {
      std::string Y = globalIndex(1);
      entry(fmt::format("mad.lo.u32 {0}, {1}, 40503, {0}", R, Y));
    }
    entry(fmt::format("mul.lo.u32 {0}, {0}, 2654435761", R));
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
