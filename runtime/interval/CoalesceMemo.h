//===- CoalesceMemo.h - Lines of accesses that were seen before -*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_COALESCEMEMO_H
#define HEDDLE_INTERVAL_COALESCEMEMO_H

#include "memory/Coalescer.h"

#include <span>
#include <vector>

namespace heddle::interval {

/// Most executions of a memory instruction differ from an earlier one by a
/// multiple of the line only: then they touch the same sectors of other lines.
/// Remembers some of each instruction; gives up on those whose shapes do not
/// come again.
class CoalesceMemo {
public:
  /// \p PeriodBytes: bases that are apart by a multiple of it behave alike; a
  /// power of two.
  CoalesceMemo(size_t NumInsts, uint32_t PeriodBytes)
      : Period(PeriodBytes), Places(NumInsts) {}

  struct Entry {
    uint64_t Low = 0;  ///< of the base, below the period
    uint32_t Mask = 0; ///< 0: empty
    bool Affine = false;
    int64_t Stride = 0;
    int64_t Offsets[32] = {};
    std::vector<memory::LineAccess> Lines; ///< relative to the base's period
  };

  /// Whether looking up accesses of \p PC is worth it.
  bool useful(uint32_t PC) const { return !Places[PC].Hopeless; }
  /// What \p PC did for an access like \p A, or null.
  const Entry *find(uint32_t PC, const trace::MemoryAccess &A);
  /// Remembers \p A; the caller fills in the result.
  Entry &make(uint32_t PC, const trace::MemoryAccess &A);
  uint64_t period() const { return Period; }
  uint64_t periodOf(uint64_t Base) const {
    return Base & ~uint64_t(Period - 1);
  }

private:
  static constexpr size_t PerInst = 32;
  struct Place {
    std::vector<Entry> Entries;
    uint32_t Found = 0, Missed = 0;
    bool Hopeless = false;
  };
  size_t slot(const trace::MemoryAccess &A) const {
    return (A.Base & (Period - 1)) / 4 % PerInst;
  }
  uint64_t Period;
  std::vector<Place> Places; ///< by instruction
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_COALESCEMEMO_H
