//===- WarpTable.h - State of the warp slots of an SM -----------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_WARPTABLE_H
#define HEDDLE_TIMING_UNITS_WARPTABLE_H

#include "base/Units.h"
#include "timing/DecodedCode.h"
#include "trace/WarpCursor.h"

#include <stdexcept>
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

  /// Of a saved state; Inst follows from PC (SMState).
  template <class Archive> void serialize(Archive &A) {
    auto &[Inst, Since, ReadyAt, PipeBusy, DispatchBusy, PC, Accesses,
           SlotsLeft, Phase, Reason, Buffered, Lanes, Scheduler, Block, Mask,
           BookedAt, FetchLine, InBlock] = *this;
    A(Since, ReadyAt, PipeBusy, DispatchBusy, PC, Accesses, SlotsLeft, Phase,
      Reason, Buffered, Lanes, Scheduler, Block, Mask, BookedAt, FetchLine,
      InBlock);
  }
};
static_assert(sizeof(Warp) == 64);

class WarpTable {
public:
  explicit WarpTable(unsigned Slots)
      : Warps(Slots), Cursors(Slots), Left(Slots) {}

  unsigned size() const { return Warps.size(); }
  Warp &operator[](unsigned Slot) { return Warps[Slot]; }
  const Warp &operator[](unsigned Slot) const { return Warps[Slot]; }
  trace::WarpCursor &cursor(unsigned Slot) { return Cursors[Slot]; }
  void start(unsigned Slot, const trace::CodeTable &Code,
             const trace::WarpTrace &Trace) {
    Warps[Slot] = Warp();
    Cursors[Slot].reset(Code, Trace);
    Left[Slot].Stores = 0;
    ++Left[Slot].Generation;
  }
  void release(unsigned Slot) { Warps[Slot].Phase = WarpPhase::Free; }

  // Stores that a warp need not wait for at its end (launch.drain_stores): what
  // names one tells the slot and which of its warps in turn has sent it.
  static unsigned slotOf(uint32_t Owner) { return Owner & 0xff; }
  uint32_t leaveStore(unsigned Slot) {
    ++Left[Slot].Stores;
    return Slot | Left[Slot].Generation << 8;
  }
  /// False if the warp has ended.
  bool takeStore(uint32_t Owner) {
    StoresLeft &L = Left[slotOf(Owner)];
    if (L.Generation << 8 != (Owner & ~0xffu))
      return false;
    --L.Stores;
    return Warps[slotOf(Owner)].Phase != WarpPhase::Free;
  }
  uint32_t storesLeft(unsigned Slot) const { return Left[Slot].Stores; }

  /// Of a saved state, but for the cursors, which need the traces.
  template <class Archive> void serialize(Archive &A) {
    auto &[Warps, Cursors, Left] = *this;
    A(Warps, Left);
    if (Warps.size() != Cursors.size() || Left.size() != Cursors.size())
      throw std::runtime_error("it has slots for warps that the SM has not");
  }

private:
  struct StoresLeft {
    uint32_t Stores = 0, Generation = 0;

    template <class Archive> void serialize(Archive &A) {
      auto &[Stores, Generation] = *this;
      A(Stores, Generation);
    }
  };

  std::vector<Warp> Warps;
  std::vector<trace::WarpCursor> Cursors;
  std::vector<StoresLeft> Left;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_WARPTABLE_H
