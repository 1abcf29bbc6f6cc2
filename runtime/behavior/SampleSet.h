//===- SampleSet.h - A bounded sample of a stream ---------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_SAMPLESET_H
#define HEDDLE_BEHAVIOR_SAMPLESET_H

#include "behavior/AccessFit.h"

#include <vector>

namespace heddle::behavior {

/// Keeps some of many values, chosen by a pseudo-random sequence that depends
/// on nothing but their order; the more there were, the fewer are kept.
class SampleSet {
public:
  explicit SampleSet(size_t MaxSamples) : MaxSamples(MaxSamples) {}

  /// Whether the next value is wanted.
  bool wants() { return KeepOneIn == 1 || random() % KeepOneIn == 0; }
  void add(const AddressSample &S) {
    Samples.push_back(S);
    if (Samples.size() < MaxSamples)
      return;
    KeepOneIn *= 2;
    std::erase_if(Samples, [&](const AddressSample &) { return random() & 1; });
  }
  uint32_t random() {
    State = State * 1664525u + 1013904223u;
    return State >> 8;
  }
  const std::vector<AddressSample> &samples() const { return Samples; }

private:
  size_t MaxSamples;
  std::vector<AddressSample> Samples;
  uint32_t State = 12345;
  uint32_t KeepOneIn = 1;
};

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_SAMPLESET_H
