//===- WarpTable.h - State of the warp slots of an SM -----------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_WARPTABLE_H
#define HEDDLE_TIMING_UNITS_WARPTABLE_H

#include "base/Units.h"
#include "timing/DecodedCode.h"
#include "trace/WarpCursor.h"

#include <vector>

namespace heddle::timing {

enum class WarpPhase : uint8_t {
  Free,
  Timed,    ///< in the wake wheel, then Ready
  Refetch,  ///< in the wake wheel, then asks for a fetch
  Fetch,    ///< asks for a fetch
  LineMiss, ///< waits for a line of the instruction cache
  Ready,    ///< in the ready set of its scheduler
  Pending,  ///< waits for a register that the memory will deliver
  Barrier,
  Fence,
  Drain, ///< has ended, waits for its memory accesses
};

/// One warp slot. What the slot waits for concerns the instruction at PC; the
/// cycles of the wait are booked when it ends. Fills one line of the host's
/// cache.
struct alignas(64) Warp {
  const DecodedInst *Inst = nullptr; ///< at PC
  Cycle Since = 0;                   ///< first cycle not booked yet
  Cycle ReadyAt = 0;
  /// BusyMeter::busy() of the pipe and the dispatch port at ReadyAt, modulo
  /// 2^32, which no warp waits for.
  uint32_t PipeBusy = 0, DispatchBusy = 0;
  uint32_t PC = 0;        ///< index into the code table
  uint32_t Accesses = 0;  ///< loads and stores under way
  uint16_t SlotsLeft = 0; ///< of an expanded instruction
  WarpPhase Phase = WarpPhase::Free;
  Stall Reason = Stall::Sleeping; ///< of the time until ReadyAt
  uint8_t Buffered = 0;           ///< instructions from PC on in the buffer
  uint8_t Lanes = 0;              ///< active
  uint8_t Scheduler = 0;
  uint8_t Block = 0; ///< block slot
  uint32_t Mask = 0;
  uint32_t BookedAt = 0; ///< instruction that a barrier or fence is booked on
  uint32_t FetchLine = ~0u; ///< of the instruction cache, held
  uint16_t InBlock = 0;
};
static_assert(sizeof(Warp) == 64);

class WarpTable {
public:
  explicit WarpTable(unsigned Slots) : Warps(Slots), Cursors(Slots) {}

  unsigned size() const { return Warps.size(); }
  Warp &operator[](unsigned Slot) { return Warps[Slot]; }
  const Warp &operator[](unsigned Slot) const { return Warps[Slot]; }
  trace::WarpCursor &cursor(unsigned Slot) { return Cursors[Slot]; }
  void start(unsigned Slot, const trace::CodeTable &Code,
             const trace::WarpTrace &Trace) {
    Warps[Slot] = Warp();
    Cursors[Slot].reset(Code, Trace);
  }
  void release(unsigned Slot) { Warps[Slot].Phase = WarpPhase::Free; }

private:
  std::vector<Warp> Warps;
  std::vector<trace::WarpCursor> Cursors;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_WARPTABLE_H
