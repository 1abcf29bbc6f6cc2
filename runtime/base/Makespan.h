//===- Makespan.h - When the last of a list of blocks ends ------*- C++ -*-===//

#ifndef HEDDLE_BASE_MAKESPAN_H
#define HEDDLE_BASE_MAKESPAN_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <vector>

namespace heddle {

/// When each of \p Slots CTA slots is done with blocks of these sizes that
/// start, in order, in whichever becomes free; ascending, without slots that
/// get none.
inline std::vector<double> slotEnds(const std::vector<uint32_t> &Sizes,
                                    size_t Slots) {
  std::priority_queue<double, std::vector<double>, std::greater<double>> Free;
  for (uint32_t Size : Sizes) {
    double At = 0;
    if (Free.size() == Slots) {
      At = Free.top();
      Free.pop();
    }
    Free.push(At + Size);
  }
  std::vector<double> Ends;
  for (; !Free.empty(); Free.pop())
    Ends.push_back(Free.top());
  return Ends;
}

/// When the last of them ends.
inline double makespan(const std::vector<uint32_t> &Sizes, size_t Slots) {
  const std::vector<double> Ends = slotEnds(Sizes, Slots);
  return Ends.empty() ? 0 : Ends.back();
}

/// The same if blocks go on faster where fewer are left: a share of slots takes
/// that share of the time that all take, but at least \p Alone of it.
inline double makespan(const std::vector<uint32_t> &Sizes, size_t Slots,
                       double Alone) {
  const std::vector<double> Ends = slotEnds(Sizes, Slots);
  double Time = 0, Before = 0;
  for (size_t N = 0; N < Ends.size(); ++N) {
    const double Busy = double(Ends.size() - N) / double(Slots);
    Time += (Ends[N] - Before) * std::max(Alone, Busy);
    Before = Ends[N];
  }
  return Time;
}

/// Sizes of blocks in the time that a slot takes for them where warps of old
/// blocks go first: a block that outlives those beside it goes on as if it were
/// alone, at \p Alone of the time. How long these take is the mean.
inline std::vector<uint32_t> oldestFirst(std::vector<uint32_t> Sizes,
                                         double Alone) {
  const double Mean = std::accumulate(Sizes.begin(), Sizes.end(), 0.0) /
                      double(std::max<size_t>(1, Sizes.size()));
  for (uint32_t &Size : Sizes)
    if (Size > Mean)
      Size = uint32_t(Mean + (Size - Mean) * Alone);
  return Sizes;
}

} // namespace heddle

#endif // HEDDLE_BASE_MAKESPAN_H
