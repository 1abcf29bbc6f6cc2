//===- AccessSampler.h - A sample of a record's accesses --------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_ACCESSSAMPLER_H
#define HEDDLE_BEHAVIOR_ACCESSSAMPLER_H

#include "behavior/SampleSet.h"
#include "trace/MemoryAccess.h"

#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace heddle::behavior {

/// Counts distances. The commonest is found if it is among the first kinds that
/// come, as one that is common nearly surely is.
class Distances {
public:
  void add(int64_t D) {
    ++All;
    if (auto It = Counts.find(D); It != Counts.end())
      ++It->second;
    else if (Counts.size() < MaxKinds)
      Counts.emplace(D, 1);
  }
  /// The commonest and its share; 0 of none.
  std::pair<int64_t, double> mode() const {
    std::pair<int64_t, uint64_t> Best = {0, 0};
    for (const auto &[D, N] : Counts)
      if (N > Best.second)
        Best = {D, N};
    return {Best.first, All ? double(Best.second) / All : 0};
  }

private:
  static constexpr std::size_t MaxKinds = 256;
  std::map<int64_t, uint64_t> Counts;
  uint64_t All = 0;
};

/// Counts touches of sectors in bounded memory: where there are many sectors,
/// only those whose hash falls into a share of all are followed.
class SectorCounts {
public:
  void touch(uint64_t Sector);
  uint64_t distinct() const { return Counts.size() * OneIn; }
  /// Of the touches over the sectors, in bits.
  double entropy() const;

private:
  static constexpr std::size_t MaxFollowed = 1 << 16;
  std::unordered_map<uint64_t, uint32_t> Counts;
  uint64_t OneIn = 1; ///< a power of two
};

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
  void findNear(uint64_t Base, Access &Out) const;

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
