// Reductions over a group of at most a warp.

#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../own_names.def"

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define __HEDDLE_FUNCTOR(name, expression)                                     \
  template <typename T = void> struct name {                                   \
    __HEDDLE_GROUP T operator()(T a, T b) const { return expression; }         \
  };                                                                           \
  template <> struct name<void> {                                              \
    template <typename T> __HEDDLE_GROUP T operator()(T a, T b) const {        \
      return expression;                                                       \
    }                                                                          \
  };
__HEDDLE_FUNCTOR(plus, a + b)
__HEDDLE_FUNCTOR(less, b < a ? b : a)
__HEDDLE_FUNCTOR(greater, a < b ? b : a)
__HEDDLE_FUNCTOR(bit_and, a &b)
__HEDDLE_FUNCTOR(bit_or, a | b)
__HEDDLE_FUNCTOR(bit_xor, a ^ b)
#undef __HEDDLE_FUNCTOR

template <unsigned Size, typename Parent, typename T, typename F>
__HEDDLE_GROUP T reduce(const thread_block_tile<Size, Parent> &g, T v, F f) {
  for (int distance = Size / 2; distance > 0; distance /= 2)
    v = f(v, g.shfl_xor(v, distance));
  return v;
}
template <typename T, typename F>
__HEDDLE_GROUP T reduce(const coalesced_group &g, T v, F f) {
  T sum = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); ++i)
    sum = f(sum, g.shfl(v, i));
  return sum;
}

} // namespace cooperative_groups

#include "../user_names.def"

#endif
