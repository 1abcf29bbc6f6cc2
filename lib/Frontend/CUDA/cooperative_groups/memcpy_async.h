// Copies of a group; each is a group of cp.async.

#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../own_names.def"

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename Group, typename T, typename Size>
__HEDDLE_GROUP void memcpy_async(const Group &g, T *to, const T *from,
                                 const Size &bytes) {
  __heddle_copy_pieces<
      __heddle_alignment<Size, typename __heddle_bytes_of<T>::type>>(
      to, from, static_cast<__SIZE_TYPE__>(bytes), g.thread_rank(), g.size());
  __pipeline_commit();
}
/// As many elements as both places have.
template <typename Group, typename T, typename ToSize, typename FromSize>
__HEDDLE_GROUP void memcpy_async(const Group &g, T *to, const ToSize &room,
                                 const T *from, const FromSize &count) {
  const __SIZE_TYPE__ there = room, here = count;
  __heddle_copy_pieces<__heddle_alignment<ToSize, T>>(
      to, from, (there < here ? there : here) * sizeof(T), g.thread_rank(),
      g.size());
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

#include "../user_names.def"

#endif
