// Prefix sums over a group of at most a warp.

#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "../own_names.def"

#include "reduce.h"

namespace cooperative_groups {

template <typename Group, typename T, typename F = plus<T>>
__HEDDLE_GROUP T inclusive_scan(const Group &g, T v, F f = {}) {
  for (unsigned distance = 1; distance < g.size(); distance *= 2) {
    T other = g.shfl_up(v, distance);
    if (g.thread_rank() >= distance)
      v = f(other, v);
  }
  return v;
}
template <typename Group, typename T, typename F = plus<T>>
__HEDDLE_GROUP T exclusive_scan(const Group &g, T v, F f = {}) {
  T before = g.shfl_up(inclusive_scan(g, v, f), 1);
  return g.thread_rank() == 0 ? T() : before;
}

} // namespace cooperative_groups

#include "../user_names.def"

#endif
