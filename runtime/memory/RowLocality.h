//===- RowLocality.h - How often a channel opens a row ----------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_ROWLOCALITY_H
#define HEDDLE_MEMORY_ROWLOCALITY_H

#include "arch/GPUSpec.h"
#include "memory/DRAMChannel.h"
#include "memory/LevelLatency.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::memory {

/// Counts how often a DRAM channel opens a row, for models that follow neither
/// banks nor queues. FR-FCFS serves together what is in the queue for a row
/// (Rixner, Dally, Kapasi, Mattson, Owens: Memory access scheduling, ISCA
/// 2000). So a row that is opened serves all requests for it that come less
/// than a queue's length after the first one, and those that come before its
/// bank opens another. Requests come in the order of time.
class RowLocality {
public:
  /// Of a channel whose queue holds \p Queue requests. Of those of one source
  /// it holds \p OfOne at once, which are fewer where some sources stand for
  /// more that are not looked at: others of these come between. \p DRAM
  /// outlives this.
  RowLocality(const arch::DRAMSpec &DRAM, uint32_t Interleave, uint32_t Queue,
              uint32_t OfOne)
      : DRAM(DRAM),
        RowShift(std::countr_zero(std::max(DRAM.RowBytes, Interleave))),
        Queue(std::max(1u, Queue)), OfOne(std::max(1u, OfOne)),
        Rows(std::bit_ceil(this->Queue * 8)), Open(DRAM.Banks) {}

  /// A request of \p Source for \p Count sectors at \p Address of the channel.
  void add(uint64_t Address, unsigned Count, uint64_t Source) {
    const uint64_t Row = (Address >> RowShift) + 1;
    uint64_t &OpenRow = Open[bankOf(DRAM, Address >> RowShift)];
    ++Requests;
    Sectors += Count;
    // Fibonacci hashing.
    Seen &S = Rows[Row * 0x9E3779B97F4A7C15ull >> 32 & (Rows.size() - 1)];
    const uint32_t Window = S.Source == Source ? OfOne : Queue;
    if (OpenRow != Row && (S.Row != Row || Requests - S.Request > Window)) {
      ++Activates;
      OpenRow = Row;
      S = {Row, Requests, Source};
    }
  }
  double sectors() const { return Sectors; }
  double activates() const { return Activates; }

private:
  struct Seen {
    uint64_t Row = 0;     ///< from 1 on; 0: none
    uint64_t Request = 0; ///< that opened it
    uint64_t Source = 0;  ///< whose that was
  };
  const arch::DRAMSpec &DRAM;
  const int RowShift;
  const uint32_t Queue, OfOne;
  std::vector<Seen> Rows;     ///< by hash, the latest
  std::vector<uint64_t> Open; ///< by bank
  uint64_t Requests = 0;
  double Sectors = 0, Activates = 0;
};

/// Writes that wait where a channel has nothing else to do.
inline uint32_t writesAtOnce(const arch::DRAMSpec &DRAM) {
  return DRAM.WriteHigh ? DRAM.WriteQueue : DRAM.Queue;
}

/// Cycles of DRAM from one activate to the next where all rows are others:
/// tRRD, or tRC over the banks. Banks take their turn in the order in which
/// they ask, so one that is refreshed holds up those behind it for what its
/// refresh takes longer than the turns before its own. With \p Requests at
/// random, Q of them, B Q / (Q + B - 1) of B banks have any: a closed network
/// of equal servers (Gordon, Newell: Closed queuing systems with exponential
/// servers, Operations research 15, 1967).
inline double cyclesPerRow(const arch::DRAMSpec &DRAM, uint32_t Requests) {
  const double Apart =
      std::max<double>(DRAM.TRRD, double(DRAM.TRC) / DRAM.Banks);
  if (!DRAM.TREFI)
    return Apart;
  const double Queue = std::max(1u, Requests);
  const double Asked = Queue / (Queue + DRAM.Banks - 1);
  const double Turns = Asked * DRAM.Banks * Apart;
  // The bank asks at any time while the others have a turn each.
  const double Late = std::max(0.0, DRAM.TRFC - Turns);
  const double Wait =
      Late < Turns ? Late * Late / (2 * Turns) : Late - Turns / 2;
  const double Held = Asked * Wait * DRAM.Banks / DRAM.TREFI;
  return Apart / (1 - std::min(Held, 0.5));
}

/// How much longer than the data takes on the bus a channel is busy where each
/// sector opens \p Activates rows, where as many as \p Requests wait.
inline double rowFactor(const arch::GPUSpec &Spec, double Activates,
                        uint32_t Requests) {
  if (Spec.DRAM.Policy == arch::DRAMPolicy::Fixed)
    return 1;
  const double PerCycle = sustainedBandwidth(Spec.DRAM) * 1000 /
                          Spec.Clock.DRAM / Spec.DRAM.Channels;
  const double Sector = std::max(Spec.L2.Sector, Spec.DRAM.BurstBytes);
  return std::max(1.0, Activates * cyclesPerRow(Spec.DRAM, Requests) *
                           PerCycle / Sector);
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_ROWLOCALITY_H
