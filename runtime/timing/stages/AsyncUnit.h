//===- AsyncUnit.h - mbarriers and bulk copies of an SM ---------*- C++ -*-===//

#ifndef HEDDLE_TIMING_STAGES_ASYNCUNIT_H
#define HEDDLE_TIMING_STAGES_ASYNCUNIT_H

#include "base/RingBuffer.h"
#include "timing/units/BulkCopies.h"
#include "timing/units/CopyArrivals.h"
#include "timing/units/PhaseBarriers.h"
#include "timing/units/SMState.h"

#include <optional>

namespace heddle::timing {

/// A test of an mbarrier, whose phase has not ended.
struct PhaseWait {
  uint32_t Inst = 0;
  uint32_t Place = 0; ///< of the barrier in shared memory
};

/// The engine that copies in bulk (TMA), and the mbarriers. An operation of a
/// barrier takes effect when the shared memory serves it; a test is answered
/// when its phase has ended. The engine begins an operation after its start
/// latency and sends a request, for a line or the part of one that a row has,
/// in as many cycles as the machine says, past L1, one operation after the
/// other. A load's bytes are complete at its barrier when all of it has come;
/// what was written is done when the memory has answered.
///
/// One request of a multicast copy feeds all blocks of its mask: its last
/// answer is known before the window in which it comes, so that the SMs of the
/// others hear of it in time. What goes to another block's barrier, or to its
/// shared memory by the engine, takes the SM's link to the others.
class AsyncUnit {
public:
  AsyncUnit(SMState &S, LoadTable &Loads)
      : S(S), Loads(Loads), Phases(S.M.BlocksPerSM), Arrivals(S.Warps.size()) {}

  /// The instruction was issued: keeps what its lanes say, for \p Load.
  void issued(unsigned Slot, const DecodedInst &I, uint32_t Load);
  /// Its turn in the memory queue has come. Barriers: the loads whose wait has
  /// ended are added to \p Done; parts that \p Load waits for become pending.
  void serve(uint32_t Load, Cycle Now, std::vector<uint32_t> &Done);
  /// All of the bulk copy \p Load has come.
  void copied(uint32_t Load, std::vector<uint32_t> &Done);
  /// What \p Load does to barriers of other blocks is there at \p There.
  void sendAsks(uint32_t Load, Cycle There);
  /// A part of \p Load will come at \p At, after the window that has ended.
  void foresee(uint32_t Load, Cycle At);
  /// What other blocks did is there by \p Now; calls \p Takes with the bytes
  /// that each brings.
  template <typename F>
  void arrived(Cycle Now, std::vector<uint32_t> &Done, F Takes) {
    std::erase_if(S.Clusters.Coming, [&](const ClusterMessage &M) {
      if (M.At > Now)
        return false;
      if (M.Bytes)
        Takes(M.Bytes);
      take(M, Done);
      return true;
    });
  }
  /// cp.async of \p Slot is issued: its section; it has come.
  uint32_t copyIssued(unsigned Slot) { return Arrivals[Slot].issue(); }
  void copyDone(unsigned Slot, uint32_t Section, std::vector<uint32_t> &Done);
  /// Turns on the banks that the shared memory reads of \p Load take.
  uint32_t readPasses(uint32_t Load) const { return Works[Load].ReadPasses; }

  /// A test whose phase has not ended, if there is one.
  std::optional<PhaseWait> awaits() const;

  /// Sends requests; when it has something to do.
  Cycle next() const { return Next; }
  /// Calls \p Sent with each load whose last request went.
  template <typename F> void send(Cycle Now, F Sent) {
    while (Next <= Now)
      if (uint32_t Load; sendOne(Now, Load))
        Sent(Load);
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Loads, Phases, Arrivals, Works, Copies, Next] = *this;
    A(Phases, Arrivals, Works, Copies, Next);
  }

private:
  /// What one lane asks for.
  struct Ask {
    uint32_t Barrier = 0;
    uint16_t Targets = 0; ///< other blocks that it is for, by rank
    bool IsOwn = true;    ///< it is for the own block
    uint32_t Bytes = 0;   ///< of a copy, in shared memory
    uint64_t Number = 0;  ///< of a barrier's operation
    BulkRows Rows;        ///< of a copy

    template <class Archive> void serialize(Archive &A) {
      auto &[Barrier, Targets, IsOwn, Bytes, Number, Rows] = *this;
      A(Barrier, Targets, IsOwn, Bytes, Number, Rows);
    }
  };
  struct Work {
    std::vector<Ask> Asks;
    size_t NextAsk = 0;
    Cycle From = 0; ///< no request before
    // Of a copy to several blocks: requests, the answers that are known, the
    // last of these, and whether all requests have gone.
    uint64_t Requests = 0, Answers = 0;
    Cycle LastAnswer = 0;
    bool AllSent = false;
    uint32_t ReadPasses = 0;
    uint32_t Section = 0; ///< of cp.async.mbarrier.arrive
    uint8_t Block = 0;
    uint8_t Slot = 0; ///< of the warp

    template <class Archive> void serialize(Archive &A) {
      auto &[Asks, NextAsk, From, Requests, Answers, LastAnswer, AllSent,
             ReadPasses, Section, Block, Slot] = *this;
      A(Asks, NextAsk, From, Requests, Answers, LastAnswer, AllSent, ReadPasses,
        Section, Block, Slot);
    }
  };

  void issuedBulk(unsigned Slot, const DecodedInst &I, CopyLoad &L, Work &W);
  bool sendOne(Cycle Now, uint32_t &Last);
  void sendPart(uint32_t Id, const BulkPart &Part, Cycle Now);
  void sendToBlock(Work &W, const Ask &A, Cycle Now);
  void tell(const Work &W, const Ask &A, uint32_t Action, Cycle At);
  void tellTargets(const Work &W);
  void take(const ClusterMessage &M, std::vector<uint32_t> &Done);
  void arriveForCopies(unsigned Slot, std::vector<uint32_t> &Done);
  unsigned kindOf(uint32_t Load) const {
    return S.M.Code[Loads[Load].Inst].bulkKind();
  }
  /// Lets the next operation of the queue begin after \p Now.
  void begin(Cycle Now);

  SMState &S;
  LoadTable &Loads;
  PhaseBarriers Phases;
  std::vector<CopyArrivals> Arrivals; ///< by warp slot
  std::vector<Work> Works;            ///< by load
  RingBuffer<uint32_t> Copies;
  Cycle Next = NeverCycle;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_ASYNCUNIT_H
