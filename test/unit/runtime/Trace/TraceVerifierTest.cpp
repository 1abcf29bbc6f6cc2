//===- TraceVerifierTest.cpp ----------------------------------------------===//

#include "RoundTrip.h"

#include "heddle/ABI/BulkOps.h"
#include "trace/TraceVerifier.h"

#include <gmock/gmock.h>
#include <random>

using namespace heddle;
using namespace heddle::trace;
using namespace heddle::trace::bytecode;
using namespace heddle::trace::test;
using ::testing::HasSubstr;

namespace {

std::string verdict(Result<void> R) { return R ? "good" : R.error().Message; }

TEST(TraceVerifier, CodeTables) {
  auto Check = [](auto Change) {
    CodeTable Code = makeCode({{4, 8}, {}, {4}});
    Code.Files = {"a.cl"};
    Change(Code);
    return verdict(verifyCode(Code));
  };
  EXPECT_EQ(Check([](CodeTable &) {}), "good");
  EXPECT_THAT(Check([](CodeTable &C) { C = CodeTable(); }),
              HasSubstr("no basic blocks"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Blocks[1].FirstInst = 0; }),
              HasSubstr("block 1"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Blocks[2].NumInsts = 100; }),
              HasSubstr("block 2"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Blocks[2].NumMemory = 2; }),
              HasSubstr("block 2"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Blocks.pop_back(); }),
              HasSubstr("belong to no block"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].Opcode = 2; }),
              HasSubstr("opcode 2 of 2"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].Class = 200; }),
              HasSubstr("class 200"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].Type = 99; }),
              HasSubstr("data type 99"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].Space = 99; }),
              HasSubstr("space 99"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].NumUses = 40; }),
              HasSubstr("41 registers"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].Registers[0] = 4; }),
              HasSubstr("instruction 1: register 4 of 4"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Insts[1].Memory = 2; }),
              HasSubstr("memory record 2 is not one of its block's"));
  EXPECT_THAT(Check([](CodeTable &C) {
                C.Insts[1].SourceLine = 5;
                C.Insts[1].SourceFile = 1;
              }),
              HasSubstr("source file 1 of 1"));
  EXPECT_THAT(Check([](CodeTable &C) { C.Memory[2].Space = 0; }),
              HasSubstr("memory record 2"));
}

TEST(TraceVerifier, RecordsOfAsynchronousInstructions) {
  auto Check = [](auto Change) {
    CodeTable Code = makeCode({{4, 8}, {}, {4}});
    Code.Files = {"a.cl"};
    for (HeddleInst &I : Code.Insts)
      if (I.Memory != HEDDLE_NO_MEMORY) {
        I.Flags = HEDDLE_INST_ASYNC;
        Change(I);
        break;
      }
    return verdict(verifyCode(Code));
  };
  EXPECT_EQ(Check([](HeddleInst &I) { I.Class = HEDDLE_OP_LOAD; }), "good");
  EXPECT_THAT(Check([](HeddleInst &I) {
                I.Products = HEDDLE_COPY_BULK + 8 * HEDDLE_BULK_LOAD;
              }),
              HasSubstr("without its 4 memory records"));
  EXPECT_THAT(Check([](HeddleInst &I) {
                I.Products = HEDDLE_COPY_BULK + 8 * HEDDLE_BULK_MULTICAST + 3;
              }),
              HasSubstr("without its 7 memory records"));
  EXPECT_THAT(Check([](HeddleInst &I) {
                I.Class = HEDDLE_OP_ATOMIC;
                I.Memory = HEDDLE_NO_MEMORY;
              }),
              HasSubstr("without its 2 memory records"));
}

TEST(TraceVerifier, Headers) {
  auto Check = [](Dim3 Grid, Dim3 Block) {
    TraceHeader H;
    H.Grid = Grid;
    H.Block = Block;
    return verdict(verifyHeader(H));
  };
  EXPECT_EQ(Check({1, 1, 1}, {32, 32, 1}), "good");
  EXPECT_THAT(Check({0, 1, 1}, {32, 1, 1}), HasSubstr("no thread blocks"));
  EXPECT_THAT(Check({1, 1, 1}, {32, 0, 1}), HasSubstr("no threads"));
  EXPECT_THAT(Check({1, 1, 1}, {32, 33, 1}), HasSubstr("1056 threads"));
  EXPECT_THAT(Check({~0u, ~0u, ~0u}, {32, 1, 1}), HasSubstr("2^64"));
}

/// Bytes written by hand against blocks 0 {one record}, 1 {}.
std::string body(const std::vector<uint8_t> &Control,
                 const std::vector<uint8_t> &Numbers = {}) {
  CodeTable Code = makeCode({{4}, {}});
  std::vector<uint8_t> Bytes;
  putBody(Bytes, {Control, Numbers});
  Result<BodySummary> S = BodyVerifier(Code).verify(Bytes);
  return S ? std::to_string(S->Counts.Events) : S.error().Message;
}
constexpr uint8_t Event0 = 1 << 2, Event1 = 2 << 2 | TokenPredicted;
constexpr uint8_t First = KindAffine | RecordFirst;

TEST(TraceVerifier, Bodies) {
  EXPECT_EQ(body({}), "0");
  EXPECT_EQ(body({Event1, Event1}), "2");
  EXPECT_EQ(body({Event0, First, 8, Event1}), "2");
  EXPECT_THAT(body({3 << 2}), HasSubstr("does not have"));
  EXPECT_THAT(body({2}), HasSubstr("does not have"));
  EXPECT_THAT(body({0x80}), HasSubstr("ends within"));
  EXPECT_THAT(body({Event0}), HasSubstr("ends within"));
  EXPECT_THAT(body({Event0, First}), HasSubstr("ends within"));
  EXPECT_THAT(body({Event0, KindPredicted}), HasSubstr("but has none"));
  EXPECT_THAT(body({Event0 | TokenPredicted}), HasSubstr("but has none"));
  EXPECT_THAT(body({Event0, KindMoved | RecordFirst}),
              HasSubstr("without a shape"));
  EXPECT_THAT(body({Event0, First, 8, Event0, First, 8}),
              HasSubstr("second first execution"));
  EXPECT_THAT(body({Event0, First | RecordSpace, HEDDLE_SPACE_GENERIC, 8}),
              HasSubstr("unknown memory space"));
  EXPECT_THAT(body({Event0, 7}), HasSubstr("has none"));
  EXPECT_THAT(body({Event0, KindCopied | RecordFirst, 0, 2, 0}),
              HasSubstr("copy of a record"));
  EXPECT_THAT(body({Event0 | TokenMaskChanged, MaskRaw, 0, 0, 0, 0, First, 8}),
              HasSubstr("without active lanes"));
  EXPECT_THAT(body({Event0, First, 8, Event0, KindMoved, 9}),
              HasSubstr("more than eight bytes"));
  EXPECT_THAT(body({Event0, KindSpatial | RecordFirst, 0x10, 4}),
              HasSubstr("unknown form"));
  EXPECT_THAT(body({Event0 | TokenMaskChanged, 0xff}),
              HasSubstr("without active lanes"));
  EXPECT_THAT(body({Event1 | TokenMaskChanged, MaskOnly | 3, Event0,
                    First | RecordMask, 1, 0, 0, 0, 8}),
              HasSubstr("lanes that its block does not have"));
}

constexpr uint8_t MovedApart = KindMoved | RecordApart;

TEST(TraceVerifier, Numbers) {
  EXPECT_EQ(body({Event0, First, 8, Event0, MovedApart, 2}, {1, 2}), "2");
  EXPECT_THAT(body({Event0, First, 8, Event0, MovedApart, 2}, {1}),
              HasSubstr("the numbers end within an event"));
  EXPECT_THAT(body({Event0, First, 8, Event0, MovedApart, 2}, {1, 2, 3}),
              HasSubstr("1 bytes of numbers that no event"));
  EXPECT_EQ(body({Event0, KindSpatial | RecordFirst | RecordApart, 0x10,
                  ModeAscending},
                 std::vector<uint8_t>(32)),
            "1");
  // Each iteration takes its own.
  const std::vector<uint8_t> Loop = {Event0, First,       8, Event0, MovedApart,
                                     1,      TokenRepeat, 3, 4};
  EXPECT_EQ(body(Loop, {1, 2, 3, 4, 5}), "6");
  EXPECT_THAT(body(Loop, {1, 2, 3, 4}),
              HasSubstr("the numbers end within an event"));
  std::vector<uint8_t> Huge(Loop.begin(), Loop.end() - 1);
  putVarint(Huge, UINT64_MAX);
  EXPECT_THAT(body(Huge, {1, 2}), HasSubstr("byte 6 of the warp"));
  EXPECT_EQ(
      body({Event1 | TokenMaskChanged, MaskRaw | MaskApart}, {1, 0, 0, 0}),
      "1");
  EXPECT_THAT(body({Event1, Event1 | TokenMaskChanged, MaskRaw | MaskApart,
                    TokenRepeat, 2, 1},
                   {0xff, 0xff, 0xff, 0xff}),
              HasSubstr("lanes that stand among the numbers"));
}

TEST(TraceVerifier, BodiesShorterThanTheySay) {
  const CodeTable Code = makeCode({{4}, {}});
  for (std::vector<uint8_t> Bytes :
       {std::vector<uint8_t>{3, Event1}, std::vector<uint8_t>{0x80}}) {
    EXPECT_FALSE(BodyVerifier(Code).verify(Bytes));
    WarpCursor C;
    C.reset(Code, Bytes, {});
    EXPECT_FALSE(C.next());
  }
}

/// Who only checks records finds the same faults, and passes by as many bytes,
/// as who decodes them.
TEST(TraceVerifier, ChecksWhatIsDecoded) {
  const CodeTable Code = makeCode({{4, 8}});
  std::mt19937_64 Random(7);
  const std::vector<uint64_t> Bases(2);
  unsigned Good = 0, Bad = 0, Short = 0;
  for (unsigned Trial = 0; Trial < 20000; ++Trial) {
    std::vector<uint8_t> Bytes(Random() % 80);
    for (uint8_t &B : Bytes)
      B = uint8_t(Random() >> Random() % 56 % 64);
    RecordStates Decoded, Checked;
    Decoded.reset(Code);
    Checked.reset(Code);
    const std::vector<uint8_t> Numbers(Random() % 400);
    CodeReader R{{Bytes.data(), Bytes.data() + Bytes.size()},
                 {Numbers.data(), Numbers.data() + Numbers.size()},
                 Bases.data(),
                 Bases.data() + Bases.size()};
    CodeReader Q = R;
    for (uint32_t N = 0;; ++N) {
      const uint32_t Record = N % 2;
      // Most trials go on for a while.
      if (R.Control.P != R.Control.End && Random() % 4) {
        const bool First = N < 2;
        const uint8_t Kinds[] = {KindAffine, KindSpatial, KindTemporal,
                                 KindCopied, KindMoved};
        Bytes[size_t(R.Control.P - Bytes.data())] = uint8_t(
            Kinds[Random() % (First ? 2 : 5)] | (First ? RecordFirst : 0) |
            (Random() % 2 ? RecordApart : 0));
      }
      const uint32_t Mask = uint32_t(Random() | 1);
      const char *Wrong = decodeRecord(R, Code, Decoded, Record, Mask);
      const char *Also = checkRecord(Q, Code, Checked, Record, Mask);
      ASSERT_EQ(Wrong ? Wrong : "", std::string(Also ? Also : ""));
      ASSERT_EQ(R.failed(), Q.failed());
      if (Wrong || R.failed()) {
        ++(R.failed() ? Short : Bad);
        break;
      }
      ++Good;
      ASSERT_EQ(R.Control.P, Q.Control.P);
      ASSERT_EQ(R.Numbers.P, Q.Numbers.P);
      ASSERT_EQ(R.NextBase, Q.NextBase);
      ASSERT_EQ(Decoded[Record].Access.Mask, Checked[Record].Access.Mask);
      ASSERT_EQ(Decoded[Record].Seen, Checked[Record].Seen);
      ASSERT_EQ(Decoded[Record].Access.Base, Checked[Record].Access.Base);
    }
  }
  EXPECT_GT(Good, 1000u);
  EXPECT_GT(Bad, 1000u);
  EXPECT_GT(Short, 1000u);
}

TEST(TraceVerifier, Repeats) {
  EXPECT_EQ(body({Event1, Event1, TokenRepeat, 1, 9}), "11");
  EXPECT_EQ(body({Event1, TokenRepeat, 1, 9, Event1, TokenRepeat, 5, 2}), "33");
  EXPECT_THAT(body({TokenRepeat, 1, 1}), HasSubstr("before the beginning"));
  EXPECT_THAT(body({Event1, TokenRepeat, 0, 1}),
              HasSubstr("before the beginning"));
  EXPECT_THAT(body({Event1, TokenRepeat, 1, 0}), HasSubstr("zero times"));
  EXPECT_THAT(body({Event1, TokenRepeat, 1, 9, TokenRepeat, 3, 1}),
              HasSubstr("inside"));
  EXPECT_THAT(
      body({Event1, Event1, TokenRepeat, 2, 9, Event1, TokenRepeat, 5, 1}),
      HasSubstr("inside"));
  EXPECT_THAT(body({Event0, First, 8, TokenRepeat, 3, 1}),
              HasSubstr("first execution inside"));
  EXPECT_THAT(body({Event1, Event1 | TokenMaskChanged, MaskWithout | 3,
                    TokenRepeat, 2, 1}),
              HasSubstr("the mask it began with"));
}

TEST(TraceVerifier, RepeatsThatExplode) {
  // Each level doubles or more: past the limit of events, then of depth.
  std::vector<uint8_t> Bytes = {Event1};
  auto Nest = [&](uint64_t Count) {
    size_t Length = Bytes.size();
    putVarint(Bytes, TokenRepeat);
    putVarint(Bytes, Length);
    putVarint(Bytes, Count);
  };
  for (int I = 0; I < 5; ++I)
    Nest(1000);
  EXPECT_THAT(body(Bytes), HasSubstr("more block executions"));
  Bytes = {Event1};
  for (int I = 0; I < 33; ++I)
    Nest(1);
  EXPECT_THAT(body(Bytes), HasSubstr("nested too deeply"));
}

/// What verifies can be replayed, and says as many events as were counted.
TEST(TraceVerifier, DamagedBodiesEitherFailOrReplay) {
  CodeTable Code = makeCode({{4, 8}, {}, {4}});
  std::mt19937_64 Random(1);
  std::vector<BlockEvent> Events;
  for (int I = 0; I < 60; ++I) {
    AccessEvent Gather{2, HEDDLE_SPACE_GLOBAL, 0xff, {}};
    for (uint64_t &A : Gather.Addresses)
      A = Random() % 4096 * 4;
    Events.push_back(
        {0, ~0u, {affine(0, ~0u, I * 4, 4), affine(1, ~0u, I * 8, 8)}});
    if (I % 10 < 3)
      Events.push_back({2, 0xff, {Gather}});
    Events.push_back({1, ~0u, {}});
  }
  const WarpTrace Good = encode(Code, Events);
  BodyVerifier Verifier(Code);
  unsigned Replayed = 0;
  for (unsigned Try = 0; Try < 20000; ++Try) {
    WarpTrace Bad = Good;
    for (unsigned N = 1 + Try % 3; N; --N)
      Bad.Body[Random() % Bad.Body.size()] = uint8_t(Random());
    Result<BodySummary> S = Verifier.verify(Bad.Body);
    if (!S || S->Counts.Events > 100000)
      continue;
    Bad.Bases.assign(S->BaseRecords.size(), 0x1000);
    WarpCursor C(Code, Bad);
    uint64_t Count = 0;
    for (; C.next(); ++Count) {
      ASSERT_LT(C.block(), Code.Blocks.size());
      ASSERT_NE(C.mask(), 0u);
      ASSERT_EQ(C.mask() & ~S->Lanes, 0u);
    }
    ASSERT_EQ(Count, S->Counts.Events);
    ++Replayed;
  }
  EXPECT_GT(Replayed, 100u);
}

} // namespace
