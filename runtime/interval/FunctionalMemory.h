//===- FunctionalMemory.h - Caches of all SMs, without time -----*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_FUNCTIONALMEMORY_H
#define HEDDLE_INTERVAL_FUNCTIONALMEMORY_H

#include "interval/IntervalProfile.h"
#include "interval/StaticCode.h"
#include "interval/TagArray.h"
#include "memory/AddressMap.h"
#include "memory/Coalescer.h"

namespace heddle::interval {

/// Takes the accesses of warp instructions through L1 and L2 and counts what
/// each level serves.
class FunctionalMemory {
public:
  /// \p L1 is the SM's cache after the carve-out for shared memory.
  FunctionalMemory(const arch::GPUSpec &Spec, const arch::CacheSpec &L1,
                   IntervalProfile &Out);

  /// One execution of \p I, instruction \p PC, by warp slot \p Slot of \p SM;
  /// appends to \p Stream unless it is null.
  void access(unsigned SM, unsigned Slot, uint32_t PC, const StaticInst &I,
              const trace::MemoryAccess &A, WarpStream *Stream);
  /// Accesses after this happen later than a fill takes.
  void nextRound();
  /// Sectors that came into L2 so far.
  uint64_t l2Fills() const { return Fetched; }
  /// Fills in what is known at the end.
  void finish();

private:
  /// 0: L1, 1: L2, 2: DRAM served the slowest of the sectors.
  unsigned read(unsigned SM, const memory::LineAccess &A, bool Cached,
                LineRecord &R);
  unsigned write(unsigned SM, const memory::LineAccess &A, bool Local,
                 bool Atomic, LineRecord &R);
  /// The line of L2 that was looked up last, for accesses to several sectors.
  struct L2Place {
    uint64_t Line = ~uint64_t(0);
    unsigned Slice = 0;
    TagArray::Found F;
  };
  /// Whether DRAM has to deliver any of [Address, Address + Bytes).
  bool readL2(uint64_t Address, uint32_t Bytes, L2Place &At);
  bool writeL2(uint64_t Line, uint16_t Sectors, bool Atomic);
  void spill(uint16_t Victim);
  void toDRAM(unsigned Slice, unsigned Reads, unsigned Writes);

  const arch::GPUSpec &Spec;
  arch::CacheSpec L1Spec;
  IntervalProfile &Out;
  memory::AddressMap Map;
  memory::Coalescer Reads, Writes, Constants;
  std::vector<TagArray> L1, L2;
  std::vector<uint32_t> Fills; ///< of L1, by SM
  /// Work by place in the present stretch of time, and what the busiest place
  /// had in those before.
  struct Balance {
    explicit Balance(size_t Places) : Work(Places) {}
    std::vector<uint64_t> Work;
    uint64_t Now = 0, Sum = 0, Hot = 0;
    void add(size_t Place, uint64_t Count) {
      Work[Place] += Count;
      Now += Count;
    }
    void close(bool Force);
    double share() const { return Sum ? double(Hot) / double(Sum) : 0; }
  };
  Balance Slices, Channels, Atomics;
  unsigned SlicesPerChannel;
  uint64_t Round = 1;
  uint64_t Fetched = 0;
  memory::LineAccess Found[memory::Coalescer::MaxLines];
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_FUNCTIONALMEMORY_H
