//===- AsyncUnit.h - mbarriers and bulk copies of an SM ---------*- C++ -*-===//

#ifndef HEDDLE_TIMING_STAGES_ASYNCUNIT_H
#define HEDDLE_TIMING_STAGES_ASYNCUNIT_H

#include "base/RingBuffer.h"
#include "timing/units/BulkCopies.h"
#include "timing/units/PhaseBarriers.h"
#include "timing/units/SMState.h"

namespace heddle::timing {

/// The engine that copies in bulk (TMA), and the mbarriers. An operation of a
/// barrier takes effect when the shared memory serves it; a test is answered
/// when its phase has ended. The engine begins an operation after its start
/// latency and sends a request, for a line or the part of one that a row has,
/// in as many cycles as the machine says, past L1, one operation after the
/// other. A load's bytes are complete at its barrier when all of it has come;
/// what was written is done when the memory has answered.
class AsyncUnit {
public:
  AsyncUnit(SMState &S, LoadTable &Loads)
      : S(S), Loads(Loads), Phases(S.M.BlocksPerSM) {}

  /// The instruction was issued: keeps what its lanes say, for \p Load.
  void issued(unsigned Slot, const DecodedInst &I, uint32_t Load);
  /// Its turn in the memory queue has come. Barriers: the loads whose wait has
  /// ended are added to \p Done; parts that \p Load waits for become pending.
  void serve(uint32_t Load, Cycle Now, std::vector<uint32_t> &Done);
  /// All of the bulk copy \p Load has come.
  void copied(uint32_t Load, std::vector<uint32_t> &Done);
  /// Turns on the banks that the shared memory reads of \p Load take.
  uint32_t readPasses(uint32_t Load) const { return Works[Load].ReadPasses; }

  /// Sends requests; when it has something to do.
  Cycle next() const { return Next; }
  /// Calls \p Sent with each load whose last request went.
  template <typename F> void send(Cycle Now, F Sent) {
    while (Next <= Now)
      if (uint32_t Load; sendOne(Now, Load))
        Sent(Load);
  }

private:
  /// What one lane asks for.
  struct Ask {
    uint32_t Barrier = 0;
    uint32_t Bytes = 0;  ///< of a copy, in shared memory
    uint64_t Number = 0; ///< of a barrier's operation
    BulkRows Rows;       ///< of a copy
  };
  struct Work {
    std::vector<Ask> Asks;
    size_t NextAsk = 0;
    Cycle From = 0; ///< no request before
    uint32_t ReadPasses = 0;
    uint8_t Block = 0;
  };

  void issuedBulk(unsigned Slot, const DecodedInst &I, Load &L, Work &W);
  bool sendOne(Cycle Now, uint32_t &Last);
  void sendPart(uint32_t Id, const BulkPart &Part, Cycle Now);
  /// Lets the next operation of the queue begin after \p Now.
  void begin(Cycle Now);

  SMState &S;
  LoadTable &Loads;
  PhaseBarriers Phases;
  std::vector<Work> Works; ///< by load
  RingBuffer<uint32_t> Copies;
  Cycle Next = NeverCycle;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_ASYNCUNIT_H
