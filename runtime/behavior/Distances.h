//===- Distances.h - The commonest of many distances ------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_DISTANCES_H
#define HEDDLE_BEHAVIOR_DISTANCES_H

#include <cstddef>
#include <cstdint>
#include <map>
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

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_DISTANCES_H
