// Copies of a group, done at once.

#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename Group, typename T>
__HEDDLE_GROUP void memcpy_async(const Group &g, T *to, const T *from,
                                 __SIZE_TYPE__ bytes) {
  for (unsigned long i = g.thread_rank(); i < bytes / sizeof(T); i += g.size())
    to[i] = from[i];
}
template <typename Group> __HEDDLE_GROUP void wait(const Group &g) { g.sync(); }
template <unsigned Stages, typename Group>
__HEDDLE_GROUP void wait_prior(const Group &g) {
  g.sync();
}

} // namespace cooperative_groups

#endif
