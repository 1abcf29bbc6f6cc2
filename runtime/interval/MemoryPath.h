//===- MemoryPath.h - From one SM's load/store unit to DRAM -----*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_MEMORYPATH_H
#define HEDDLE_INTERVAL_MEMORYPATH_H

#include "interval/IntervalProfile.h"
#include "interval/TagArray.h"
#include "memory/LinkCost.h"
#include "timing/DecodedCode.h"

#include <deque>
#include <queue>

namespace heddle::interval {

using timing::DecodedCode;
using timing::DecodedInst;
using timing::InstKind;

/// When an access is over, and which part of its time is whose.
struct AccessTime {
  double Done = 0;    ///< data or acknowledgement is there
  double Served = 0;  ///< the load/store unit is free for the next
  double MSHR = 0;    ///< of the time until Done: waiting for an MSHR
  double Queue = 0;   ///< ... for interconnect, L2 or DRAM
  unsigned Level = 0; ///< 0: L1, 1: L2, 2: DRAM
};

/// Load/store unit, L1 with MSHRs, port, and this SM's share of L2 and DRAM as
/// servers that know when they are free again. Accesses come in the order in
/// which they are issued, so each can be timed when it is issued.
class MemoryPath {
public:
  /// \p OthersShare: SMStream's.
  MemoryPath(const IntervalProfile &Profile, const arch::GPUSpec &Spec,
             double OthersShare);

  /// A memory instruction with addresses reaches the unit at \p At.
  AccessTime access(double At, const DecodedInst &I, const AccessRecord &R,
                    const LineRecord *Lines);
  /// A kernel parameter or constant.
  AccessTime constant(double At, uint64_t Address);
  /// The instruction at code address \p Address is wanted at \p At.
  double fetchLine(double At, uint64_t Address, uint64_t CodeBytes);

  double dramWork() const { return DRAMWork; }
  double l2Work() const { return L2Work; }

private:
  struct Server {
    double FreeAt = 0;
    /// Serves one request of this SM, for which \p Cycles are taken; returns
    /// the wait.
    double serve(double At, double Cycles) {
      double Wait = std::max(0.0, FreeAt - At);
      FreeAt = At + Wait + Cycles;
      return Wait;
    }
  };
  /// The same for requests that do not come in order: time in bins, each of
  /// which holds as much work as it is long.
  class Calendar {
  public:
    double serve(double At, double Cycles);

  private:
    static constexpr double BinCycles = 16;
    static constexpr size_t NumBins = 4096;
    std::vector<float> Used = std::vector<float>(NumBins, 0.0f);
    std::vector<uint64_t> Of = std::vector<uint64_t>(NumBins, 0);
  };
  using Heap =
      std::priority_queue<double, std::vector<double>, std::greater<double>>;

  double turn(double Turn, const LineRecord &L, uint32_t SectorBytes);
  double portRoom(double Turn);
  double load(double At, const LineRecord &L, bool Cached, AccessTime &T);
  void write(double At, const LineRecord &L, bool Atomic, bool Returns,
             AccessTime &T);
  /// Sends \p Sectors of L2's size at \p At; returns when the answer is there.
  double roundTrip(double At, double Sectors, double MissSectors, double Reads,
                   bool DataOut, bool DataBack, double SlotCycles,
                   AccessTime &T);

  const arch::GPUSpec &Spec;
  const IntervalProfile &Profile;
  arch::CacheSpec L1Spec;
  memory::LinkCost Cost;
  TagArray L1, Constant, Code;
  double PerL2Cycle; ///< core cycles of one of L2's
  double BusySMs = 1;
  double SliceShare = 1, AtomicShare = 1; ///< of the busiest slice
  double ChannelExcess = 1;               ///< busiest DRAM channel over mean
  double DRAMBytesPerCycle = 1;           ///< all channels, core cycles
  double DRAMExtra = 0; ///< core cycles in the DRAM itself, without queue
  double ReplyPerByte = 0, RequestPerByte = 0, SlicePerByte = 0;
  double QueueCycles = 0;
  Server Request, L2, Atomics, DRAM;
  Calendar Reply;
  double UnitFree = 0;
  Heap MSHRs, Credits;
  uint64_t BanksTaken = 0;
  std::vector<uint16_t> Delivered; ///< sectors of LineRecord::Fill from DRAM
  double DRAMWork = 0, L2Work = 0;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_MEMORYPATH_H
