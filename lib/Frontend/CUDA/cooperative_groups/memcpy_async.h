// Copies of a group; each is a group of cp.async.

#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename Group, typename T>
__HEDDLE_GROUP void memcpy_async(const Group &g, T *to, const T *from,
                                 __SIZE_TYPE__ bytes) {
  __heddle_copy_async(to, from, bytes, g.thread_rank(), g.size());
  __pipeline_commit();
}
template <typename Group> __HEDDLE_GROUP void wait(const Group &g) {
  __pipeline_wait_prior(0);
  g.sync();
}
template <unsigned Stages, typename Group>
__HEDDLE_GROUP void wait_prior(const Group &g) {
  __pipeline_wait_prior(Stages);
  g.sync();
}

} // namespace cooperative_groups

#endif
