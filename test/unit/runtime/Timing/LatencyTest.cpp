//===- LatencyTest.cpp - When a result can be used, and by whom -----------===//

#include "SyntheticLaunch.h"

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// The small machine with a second pipe of the same latency, for integers.
static arch::GPUSpec twoPipes() {
  arch::GPUSpec M = smallMachine();
  M.Pipes.push_back({"int", 1, true, 1});
  M.Ops.at(HEDDLE_OP_ADD, HEDDLE_TYPE_I32) = {3, 4, 1};
  return M;
}

/// The same with one delay for each kind of reader.
static arch::GPUSpec delayMachine() {
  arch::GPUSpec M = twoPipes();
  M.FrontEnd.OtherPipeDelay = 3;
  M.FrontEnd.AccessDelay = 20;
  M.FrontEnd.GuardDelay = 50;
  return M;
}

/// Cycles more with the delays than without, of a sum and what \p Add adds,
/// which reads it from register 100 and may write 101.
template <typename AddT>
static uint64_t delayOf(AddT Add, const char *ISA = "machine") {
  auto cyclesOn = [&](const arch::GPUSpec &M) {
    CodeBuilder Code;
    Code.Table.ISA = ISA;
    Code.add(HEDDLE_OP_ADD, {100}, {1});
    Add(Code);
    Code.add(HEDDLE_OP_ADD, {102}, {101});
    SyntheticSource Source(Code.Table, 1, 32);
    return run(Source, M).Cycles;
  };
  return cyclesOn(delayMachine()) - cyclesOn(twoPipes());
}

static void addOnOtherPipe(CodeBuilder &Code) {
  Code.add(HEDDLE_OP_ADD, {101}, {100}).Type = HEDDLE_TYPE_I32;
}
static void addGuarded(CodeBuilder &Code) {
  Code.add(HEDDLE_OP_ADD, {101}, {100, 2}).Guarded = 1;
}

TEST(Latency, WithinAPipeThereIsNoDelay) {
  EXPECT_EQ(delayOf([](CodeBuilder &C) { C.add(HEDDLE_OP_ADD, {101}, {100}); }),
            0u);
}

TEST(Latency, AnotherPipeHasItLater) {
  // The reader itself has one behind it on the first pipe.
  EXPECT_EQ(delayOf(addOnOtherPipe), 6u);
}

TEST(Latency, AShuffleHasItLater) {
  EXPECT_EQ(
      delayOf([](CodeBuilder &C) { C.add(HEDDLE_OP_SHUFFLE, {101}, {100}); }),
      20u);
}

TEST(Latency, AGuardHasItLaterThanAnOperand) {
  EXPECT_EQ(delayOf(addGuarded), 50u);
  // The second register that it reads is no guard.
  EXPECT_EQ(delayOf([](CodeBuilder &C) {
              C.add(HEDDLE_OP_ADD, {101}, {2, 100}).Guarded = 1;
            }),
            0u);
}

TEST(Latency, TheFirstReaderDecides) {
  EXPECT_EQ(delayOf([](CodeBuilder &C) {
              C.add(HEDDLE_OP_ADD, {101}, {100});
              addGuarded(C);
            }),
            0u);
  // A result that was made anew has other readers.
  EXPECT_EQ(delayOf([](CodeBuilder &C) {
              C.add(HEDDLE_OP_ADD, {100}, {1});
              addGuarded(C);
            }),
            50u);
}

TEST(Latency, VirtualCodeHasNoDelays) {
  EXPECT_EQ(delayOf(addGuarded, "ptx"), 0u);
  EXPECT_EQ(delayOf(addOnOtherPipe, "ptx"), 0u);
}

TEST(Latency, AWarpWaitsWhereItsLanesMeet) {
  auto cyclesOf = [](const char *ISA, HeddleOpClass Class) {
    CodeBuilder Code;
    Code.Table.ISA = ISA;
    Code.add(Class, {}, {});
    Code.add(HEDDLE_OP_ADD, {1}, {});
    SyntheticSource Source(Code.Table, 1, 32);
    return run(Source, smallMachine()).Cycles;
  };
  EXPECT_EQ(cyclesOf("machine", HEDDLE_OP_WARP_SYNC),
            cyclesOf("machine", HEDDLE_OP_NOP) + 4);
  EXPECT_EQ(cyclesOf("ptx", HEDDLE_OP_WARP_SYNC),
            cyclesOf("ptx", HEDDLE_OP_NOP));
}
