//===- AsyncOps.cpp - Asynchronous copies and barriers --------------------===//

#include "heddle/ABI/AsyncOps.h"

#include "heddle/ABI/BulkOps.h"
#include "heddle/ABI/CheckEvents.h"
#include "heddle/ABI/KernelMemory.h"

#include <algorithm>
#include <bit>

namespace {

/// The word of an mbarrier.
struct PhaseWord {
  uint64_t Pending : 20, Expected : 20;
  int64_t Bytes : 22;
  uint64_t IsSet : 1, Parity : 1;

  void endPhase() {
    if (Pending || Bytes)
      return;
    Parity ^= 1;
    Pending = Expected;
  }
  /// False if the phase awaits fewer.
  bool arrive(uint64_t Count, bool Drops) {
    if (!IsSet || Count > Pending)
      return false;
    Pending -= Count;
    if (Drops)
      Expected -= Count;
    endPhase();
    return true;
  }
};
static_assert(sizeof(PhaseWord) == 8);

PhaseWord load(uint64_t Address) {
  PhaseWord Word;
  heddleReadMemory(&Word, Address, sizeof(Word));
  return Word;
}

void store(uint64_t Address, PhaseWord Word) {
  heddleWriteMemory(Address, &Word, sizeof(Word));
}

/// False if \p Word is not ready for it.
bool act(uint32_t Action, PhaseWord &Word, uint64_t Number, uint64_t &Result) {
  Result = std::bit_cast<uint64_t>(Word);
  switch (Action) {
  case HEDDLE_MBARRIER_INIT:
    Word = {Number, Number, 0, 1, 0};
    return Number > 0 && Number < 1 << 20;
  case HEDDLE_MBARRIER_INVAL:
    Word = {};
    return true;
  case HEDDLE_MBARRIER_EXPECT:
    Word.Bytes += int64_t(Number);
    return Word.IsSet;
  case HEDDLE_MBARRIER_COMPLETE:
    Word.Bytes -= int64_t(Number);
    Word.endPhase();
    return Word.IsSet;
  case HEDDLE_MBARRIER_ARRIVE_EXPECT:
  case HEDDLE_MBARRIER_DROP_EXPECT:
    Word.Bytes += int64_t(Number);
    return Word.arrive(1, Action == HEDDLE_MBARRIER_DROP_EXPECT);
  case HEDDLE_MBARRIER_COPIES: // one more, which comes at once
    return Word.IsSet;
  case HEDDLE_MBARRIER_COPIES_NOINC:
    return Word.arrive(1, false);
  case HEDDLE_MBARRIER_ARRIVE:
  case HEDDLE_MBARRIER_DROP:
    return Word.arrive(Number, Action == HEDDLE_MBARRIER_DROP);
  case HEDDLE_MBARRIER_TEST_STATE:
    Result = Word.Parity != std::bit_cast<PhaseWord>(Number).Parity;
    return Word.IsSet;
  default:
    Result = Word.Parity != (Number & 1);
    return Word.IsSet;
  }
}

/// Whether an mbarrier can be at \p Address: a HeddleClusterProblem, or 0.
uint32_t problemAt(const HeddleWarp &W, uint64_t Address) {
  const uint64_t At = Address - reinterpret_cast<uint64_t>(W.ClusterShared);
  if (W.ClusterBlocks > 1 && At >> W.WindowShift >= W.ClusterBlocks)
    return HEDDLE_CLUSTER_NO_BLOCK;
  return Address % sizeof(PhaseWord) ? HEDDLE_BARRIER_UNALIGNED : 0;
}

} // namespace

void heddleCopyPart(uint32_t Bytes, uint32_t Mask, const uint64_t *To,
                    const uint64_t *From, const uint32_t *Read) {
  for (; Mask; Mask &= Mask - 1) {
    const unsigned L = std::countr_zero(Mask);
    uint8_t Copied[16] = {};
    if (Read[L])
      heddleReadMemory(Copied, From[L], std::min(Read[L], Bytes));
    heddleWriteMemory(To[L], Copied, Bytes);
  }
}

uint32_t heddleBarrierParity(uint64_t Word) {
  return std::bit_cast<PhaseWord>(Word).Parity;
}

uint32_t heddleBarrierAction(HeddleWarp *W, uint32_t Action, uint32_t Inst,
                             uint32_t Mask, const uint64_t *Barriers,
                             const uint64_t *Numbers, uint64_t *Results) {
  W->AwaitedInst = 0;
  const bool Tests = heddleIsPhaseTest(Action);
  for (; Mask; Mask &= Mask - 1) {
    const unsigned L = std::countr_zero(Mask);
    const uint32_t Problem = problemAt(*W, Barriers[L]);
    if (Problem) {
      W->ErrorLane = L;
      W->ErrorAddress = Problem;
      return Mask;
    }
    PhaseWord Word = load(Barriers[L]);
    if (!act(Action, Word, Numbers[L], Results[L]))
      return Mask;
    if (Tests && !Results[L]) {
      W->AwaitedInst = Inst;
      W->AwaitedBarrier = Barriers[L] - reinterpret_cast<uint64_t>(W->Shared);
      continue;
    }
    if (!Tests)
      store(Barriers[L], Word);
    ++W->PhaseEvents;
  }
  return 0;
}
