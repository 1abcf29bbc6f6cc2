//===- AccessSampler.h - A sample of a record's accesses --------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_ACCESSSAMPLER_H
#define HEDDLE_BEHAVIOR_ACCESSSAMPLER_H

#include "behavior/Distances.h"
#include "behavior/SampleSet.h"
#include "behavior/SectorCounts.h"
#include "trace/MemoryAccess.h"

#include <functional>

namespace heddle::behavior {

/// Keeps addresses of some executions of one memory record, chosen by a
/// pseudo-random sequence that depends on nothing but their order, and what all
/// of the chosen ones say about sectors and banks.
class AccessSampler {
public:
  /// One more execution; \p Where gives the keys of a lane, \p Entry tells the
  /// entries of the innermost loop by all warps apart.
  void add(const trace::MemoryAccess &A, unsigned Bytes, uint64_t Entry,
           const std::function<Keys(unsigned Lane)> &Where);

  uint64_t requests() const { return Requests; }
  HeddleMemorySpace space() const { return Space; }
  /// The address of \p Lane in the last execution, if that was in loop entry
  /// \p Entry; else null.
  const uint64_t *last(unsigned Lane, uint64_t Entry) const {
    return Entry == LastEntry && (LastMask >> Lane & 1) ? &Last[Lane] : nullptr;
  }
  /// Fills in all of \p Out that follows from the sample but for its array;
  /// addresses are relative to \p Base.
  void finish(uint64_t Base, Access &Out) const;
  uint64_t middleAddress() const;

private:
  static constexpr size_t MaxSamples = 6000;
  /// Lines of 128 bytes that one lane touches in one entry of a loop.
  struct Neighbourhood {
    unsigned Lane = 32; ///< 32: this entry is not followed
    /// Each with a bit for each of its sectors that was touched.
    std::vector<std::pair<uint64_t, uint8_t>> Lines;
    uint64_t Least = 0, Most = 0, Touches = 0;
  };
  void follow(const trace::MemoryAccess &A, bool IsNew);

  SampleSet Samples = SampleSet(MaxSamples);
  uint64_t Requests = 0, Measured = 0, Sectors = 0, Conflicts = 0;
  uint64_t Least = UINT64_MAX, Most = 0;
  SectorCounts Touched;
  Distances Steps, Strides;
  uint64_t LastEntry = UINT64_MAX;
  uint32_t LastMask = 0;
  std::array<uint64_t, 32> Last = {};
  Neighbourhood Own;
  uint64_t StepsSeen = 0, CommonSteps = 0; ///< as another lane's at once
  uint64_t Followed = 0, EntriesSeen = 0;  ///< entries
  /// Sums over them.
  double OwnLines = 0, OwnSectors = 0, OwnBytes = 0, OwnTouches = 0;
  HeddleMemorySpace Space = HEDDLE_SPACE_NONE;
};

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_ACCESSSAMPLER_H
