//===- MachineTraceTest.cpp - MachineTrace --------------------------------===//

#include "trace/MachineTrace.h"

#include "RoundTrip.h"

using namespace heddle;
using namespace heddle::trace;
using namespace heddle::trace::test;

namespace {

constexpr uint32_t Full = ~0u, Half = 0xffff;

/// A launch of one warp in each block. From block to block each of its bases
/// moves by a distance of its own.
class OneWarp : public TraceSource {
public:
  OneWarp(CodeTable Table, const std::vector<BlockEvent> &Events)
      : Code(std::move(Table)), Warp(encode(Code, Events)) {}
  const TraceHeader &header() const override { return Header; }
  const CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t Index, BlockTrace &Out) override {
    Out.Index = Index;
    Out.Warps = {Warp};
    for (size_t N = 0; N < Warp.Bases.size(); ++N)
      Out.Warps[0].Bases[N] += Index * (N + 1) * 0x10404;
    return {};
  }

private:
  TraceHeader Header;
  CodeTable Code;
  WarpTrace Warp;
};

/// Expects that \p Events of \p IR become \p Wanted of \p Code.
void expectBlocks(const CodeTable &IR, const CodeTable &Code,
                  const MachineSteps &Steps,
                  const std::vector<BlockEvent> &Events,
                  const std::vector<BlockEvent> &Wanted) {
  MachineTrace Trace(std::make_unique<OneWarp>(IR, Events), Code, Steps);
  BlockTrace Block;
  ASSERT_TRUE(Trace.read(0, Block));
  ASSERT_EQ(Block.Warps.size(), 1u);
  WarpCursor C(Code, Block.Warps[0]);
  for (size_t I = 0; I < Wanted.size(); ++I)
    ASSERT_TRUE(replays(C, Code, Wanted[I])) << "event " << I;
  EXPECT_FALSE(C.next());

  // Blocks with an equal body: what is known of the first two serves the rest.
  for (uint64_t Index = 1; Index < 5; ++Index) {
    MachineTrace Alone(std::make_unique<OneWarp>(IR, Events), Code, Steps);
    BlockTrace Expected;
    ASSERT_TRUE(Alone.read(Index, Expected));
    ASSERT_TRUE(Trace.read(Index, Block));
    EXPECT_EQ(Block.Warps, Expected.Warps) << "block " << Index;
  }
}

BlockEvent event(uint32_t Block, uint32_t Mask, uint32_t Record,
                 uint64_t Base) {
  return {Block, Mask, {affine(Record, Mask, Base, 4)}};
}

// `if` behind block 0, whose arm is block 1; both go on to block 2.
TEST(MachineTrace, ArmsBehindPredicates) {
  const CodeTable IR = makeCode({{4}, {4}, {4}});
  const CodeTable Code = makeCode({{4, 4, 4}});
  const MachineSteps Steps = {{{0, 0, 0}, {1, 1, 1}, {2, 2, 0}}};
  expectBlocks(
      IR, Code, Steps,
      {event(0, Full, 0, 0x1000), event(1, Half, 1, 0x2000),
       event(2, Full, 2, 0x3000), event(0, Full, 0, 0x1100),
       event(2, Full, 2, 0x3100)},
      {{0,
        Full,
        {affine(0, Full, 0x1000, 4), affine(1, Half, 0x2000, 4),
         affine(2, Full, 0x3000, 4)}},
       {0, Full, {affine(0, Full, 0x1100, 4), affine(2, Full, 0x3100, 4)}}});
}

// Either arm of an `else` may have run first.
TEST(MachineTrace, ArmsInAnyOrder) {
  const CodeTable IR = makeCode({{}, {4}, {4}, {}});
  const CodeTable Code = makeCode({{4, 4}});
  const MachineSteps Steps = {{{0, 0, 0}, {1, 0, 1}, {2, 1, 1}, {3, 2, 0}}};
  expectBlocks(
      IR, Code, Steps,
      {{0, Full, {}},
       event(2, ~Half, 1, 0x2000),
       event(1, Half, 0, 0x1000),
       {3, Full, {}}},
      {{0, Full, {affine(0, Half, 0x1000, 4), affine(1, ~Half, 0x2000, 4)}}});
}

// Seven iterations are one of four, with addresses of their own, and three;
// lanes that leave the loop end the four as well.
TEST(MachineTrace, IterationsSideBySide) {
  const CodeTable IR = makeCode({{4}});
  const CodeTable Code = makeCode({{4}, {4, 4}});
  const MachineSteps Steps = {{{0, 0, 0}}, {{0, 1, 0}, {0, 2, 0}}};
  auto Pair = [](uint64_t Base) {
    return BlockEvent{
        1, Full, {affine(1, Full, Base, 4), affine(2, Full, Base + 128, 4)}};
  };
  expectBlocks(IR, Code, Steps,
               {event(0, Full, 0, 0x1000), event(0, Full, 0, 0x1080),
                event(0, Full, 0, 0x1100), event(0, Full, 0, 0x1180),
                event(0, Full, 0, 0x1200)},
               {Pair(0x1000), Pair(0x1100), event(0, Full, 0, 0x1200)});
  expectBlocks(IR, Code, Steps,
               {event(0, Full, 0, 0x1000), event(0, Half, 0, 0x1080)},
               {event(0, Full, 0, 0x1000), event(0, Half, 0, 0x1080)});
}

// More events ahead than the ring holds at first.
TEST(MachineTrace, ManyIterations) {
  constexpr unsigned Copies = 40;
  const CodeTable IR = makeCode({{4}, {}});
  CodeTable Code = makeCode({{4}, {}, std::vector<uint16_t>(Copies, 4)});
  MachineSteps Steps = {{{0, 0, 0}}, {{1, 1, 0}}, {}};
  BlockEvent All{2, Full, {}};
  std::vector<BlockEvent> Events, Wanted;
  for (unsigned N = 0; N < Copies; ++N) {
    Steps[2].push_back({0, 1 + N, 0});
    All.Accesses.push_back(affine(1 + N, Full, 0x1000 + 128 * N, 4));
    Events.push_back(event(0, Full, 0, 0x1000 + 128 * N));
  }
  Events.push_back({1, Full, {}});
  Events.push_back(event(0, Full, 0, 0x1000));
  expectBlocks(IR, Code, Steps, Events,
               {All, {1, Full, {}}, event(0, Full, 0, 0x1000)});
}

TEST(MachineTrace, BlocksWithoutCode) {
  const CodeTable IR = makeCode({{4}, {}, {4}});
  const CodeTable Code = makeCode({{4, 4}});
  expectBlocks(
      IR, Code, {{{0, 0, 0}, {2, 1, 0}}},
      {event(0, Full, 0, 0x1000), {1, Full, {}}, event(2, Full, 1, 0x2000)},
      {{0, Full, {affine(0, Full, 0x1000, 4), affine(1, Full, 0x2000, 4)}}});
}

TEST(MachineTrace, RefusesAnArmWithoutItsBranch) {
  const CodeTable IR = makeCode({{4}, {4}});
  MachineTrace Trace(
      std::make_unique<OneWarp>(
          IR, std::vector<BlockEvent>{event(1, Full, 1, 0x1000)}),
      makeCode({{4, 4}}), {{{0, 0, 0}, {1, 1, 1}}});
  BlockTrace Block;
  const Result<void> Read = Trace.read(0, Block);
  ASSERT_FALSE(Read);
  EXPECT_NE(Read.error().Message.find("block 1 of the IR"), std::string::npos);
}

} // namespace
