//===- RowChannel.h - Rows that one DRAM channel opens ----------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_ROWCHANNEL_H
#define HEDDLE_INTERVAL_ROWCHANNEL_H

#include "interval/DirtyLines.h"
#include "memory/AddressMap.h"
#include "memory/RowLocality.h"
#include "memory/TagStore.h"

#include <bit>
#include <vector>

namespace heddle::interval {

/// All lines of one DRAM channel, of all SMs: what its slices of L2 read and
/// write, and how often that opens a row. Lines that are chosen by a hash of
/// their address do not tell, since few of a row's are among them. L1 is left
/// out: what it has, L2 has, too.
class RowChannel {
public:
  /// \p Map outlives this. Loads are of sectors of \p OfLoads bytes, writes
  /// and atomics of L2's, as the coalescer has them.
  RowChannel(const arch::GPUSpec &Spec, const memory::AddressMap &Map,
             uint32_t OfLoads);

  bool has(const memory::AddressMap::Place &P) const {
    return P.Slice - FirstSlice < Slices.size();
  }
  /// Accesses \p Sectors, a mask, of \p Line; an atomic reads and writes. Of
  /// one turn, those of all SMs in the same \p Step come together.
  void access(uint64_t Line, uint16_t Sectors, bool Reads, bool Writes,
              uint32_t Step);
  /// What follows comes later.
  void endTurn();
  /// Of an access that writes, or of a load.
  uint32_t sectorBytes(bool Writes) const {
    return Writes ? L2.Sector : OfLoads;
  }
  /// Rows that are opened for a sector, on average.
  double activates() const;

private:
  struct Way {
    uint64_t Tag = 0;
    uint16_t Valid = 0, Dirty = 0;
  };
  using Tags = memory::TagStore<Way>;
  struct Request {
    uint32_t Step;
    uint16_t Sectors; ///< how many
    bool IsWrite;
    uint64_t Address; ///< in the channel
  };
  Way &wayOf(unsigned Slice, uint64_t Local, uint32_t Step);
  void write(unsigned Slice, const Way &Old, uint32_t Step) {
    ask(Step, std::popcount(Old.Dirty), true,
        inChannel(Slice, Slices[Slice - FirstSlice].lineOf(Old)));
  }
  void ask(uint32_t Step, int Sectors, bool IsWrite, uint64_t Address) {
    OfTurn.push_back({Step, uint16_t(Sectors), IsWrite, Address});
  }
  uint64_t inChannel(unsigned Slice, uint64_t Local) const {
    return Map.channelAddress(Slice - FirstSlice, Local);
  }

  const arch::CacheSpec L2;
  const memory::AddressMap &Map;
  const uint32_t OfLoads;
  std::vector<Tags> Slices;
  std::vector<DirtyLines<Tags>> Dirty; ///< by slice
  const uint32_t FirstSlice;
  std::vector<Request> OfTurn;
  memory::RowLocality Read, Written;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_ROWCHANNEL_H
