// Thrust's algorithms in device code, with a policy before the range: one
// thread does them in order, whatever the policy says.

#ifndef HEDDLE_CUDA_THRUST_DEVICE_ALGORITHMS_H
#define HEDDLE_CUDA_THRUST_DEVICE_ALGORITHMS_H

#include "device_searches.h"

namespace thrust {

#ifndef __HEDDLE_PROGRAM
struct __heddle_policy {
  template <typename T> __heddle_policy on(T) const;
  template <typename T> __heddle_policy operator()(T) const;
};
#endif

#define __HEDDLE_WITH_POLICY(name)                                             \
  template <typename... A>                                                     \
  __HEDDLE_SEQ decltype(auto) name(const __heddle_policy &, A... a) {          \
    return __HEDDLE_IN_ORDER::name(a...);                                      \
  }
__HEDDLE_WITH_POLICY(sort)
__HEDDLE_WITH_POLICY(stable_sort)
__HEDDLE_WITH_POLICY(sort_by_key)
__HEDDLE_WITH_POLICY(stable_sort_by_key)
__HEDDLE_WITH_POLICY(reduce)
__HEDDLE_WITH_POLICY(transform_reduce)
__HEDDLE_WITH_POLICY(inner_product)
__HEDDLE_WITH_POLICY(for_each)
__HEDDLE_WITH_POLICY(for_each_n)
__HEDDLE_WITH_POLICY(transform)
__HEDDLE_WITH_POLICY(inclusive_scan)
__HEDDLE_WITH_POLICY(exclusive_scan)
__HEDDLE_WITH_POLICY(copy)
__HEDDLE_WITH_POLICY(copy_n)
__HEDDLE_WITH_POLICY(copy_if)
__HEDDLE_WITH_POLICY(fill)
__HEDDLE_WITH_POLICY(fill_n)
__HEDDLE_WITH_POLICY(sequence)
__HEDDLE_WITH_POLICY(count)
__HEDDLE_WITH_POLICY(count_if)
__HEDDLE_WITH_POLICY(find)
__HEDDLE_WITH_POLICY(find_if)
__HEDDLE_WITH_POLICY(any_of)
__HEDDLE_WITH_POLICY(all_of)
__HEDDLE_WITH_POLICY(none_of)
__HEDDLE_WITH_POLICY(equal)
__HEDDLE_WITH_POLICY(lower_bound)
__HEDDLE_WITH_POLICY(upper_bound)
__HEDDLE_WITH_POLICY(binary_search)
__HEDDLE_WITH_POLICY(max_element)
__HEDDLE_WITH_POLICY(min_element)
__HEDDLE_WITH_POLICY(reverse)
__HEDDLE_WITH_POLICY(remove)
__HEDDLE_WITH_POLICY(remove_if)
__HEDDLE_WITH_POLICY(replace)
__HEDDLE_WITH_POLICY(unique)
__HEDDLE_WITH_POLICY(gather)
__HEDDLE_WITH_POLICY(scatter)
__HEDDLE_WITH_POLICY(merge)
#undef __HEDDLE_WITH_POLICY
#undef __HEDDLE_VALUE
#undef __HEDDLE_SEQ
#undef __HEDDLE_IN_ORDER

} // namespace thrust

#endif
