//===- Makespan.h - When the last of a list of blocks ends ------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_MAKESPAN_H
#define HEDDLE_INTERVAL_MAKESPAN_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace heddle::interval {

/// When blocks of these sizes end that start, in order, in whichever of \p
/// Slots CTA slots becomes free.
inline double makespan(const std::vector<uint32_t> &Sizes, size_t Slots) {
  std::priority_queue<double, std::vector<double>, std::greater<double>> Free;
  double End = 0;
  for (uint32_t Size : Sizes) {
    double At = 0;
    if (Free.size() == Slots) {
      At = Free.top();
      Free.pop();
    }
    Free.push(At + Size);
    End = std::max(End, At + Size);
  }
  return End;
}

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_MAKESPAN_H
