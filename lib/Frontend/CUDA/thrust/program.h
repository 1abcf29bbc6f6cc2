// Thrust for programs that run: each algorithm with a policy or without, on the
// device or the host by where its iterators lead.

#ifndef HEDDLE_CUDA_THRUST_PROGRAM_H
#define HEDDLE_CUDA_THRUST_PROGRAM_H

#include "orders.h"
#include "placeholders.h"
#include "vectors.h"

namespace heddle_thrust {

template <typename P>
constexpr bool isPolicy = ::std::is_base_of_v<thrust::__heddle_policy, P> ||
                          ::std::is_same_v<thrust::__heddle_stream_policy, P>;
/// What the algorithms take for a policy themselves.
template <typename W>
constexpr bool isPlace =
    ::std::is_same_v<W, OnHost> || ::std::is_same_v<W, OnDevice>;

inline OnHost placeOf(const thrust::__heddle_host_policy &) { return {}; }
inline OnDevice placeOf(const thrust::__heddle_device_policy &) { return {}; }
inline OnDevice placeOf(const thrust::__heddle_stream_policy &p) {
  return {p.stream};
}
template <typename... A> auto placeOf() {
  return ::std::conditional_t<systemOf<A...>() == Host, OnHost, OnDevice>();
}

/// What an algorithm on bare iterators gave, as one of the iterators \p X that
/// the program gave it.
template <typename R> R restored(R result) { return result; }
template <typename R, typename First, typename... X> auto restored(R result) {
  if constexpr (::std::is_same_v<R, BareOf<First>>)
    return Bare<First>::back(result);
  else
    return restored<R, X...>(result);
}
template <typename... X> struct Restored {
  template <typename R> static auto of(R result) {
    return restored<R, X...>(result);
  }
  template <typename A, typename B> static auto of(thrust::pair<A, B> result) {
    return thrust::make_pair(of(result.first), of(result.second));
  }
};

} // namespace heddle_thrust

namespace thrust {

#define __HEDDLE_ALGORITHM(name)                                               \
  template <typename W, typename... A> auto __heddle_##name(W where, A... a) { \
    typedef decltype(heddle_thrust::name(where, heddle_thrust::bare(a)...)) R; \
    if constexpr (::std::is_void_v<R>)                                         \
      heddle_thrust::name(where, heddle_thrust::bare(a)...);                   \
    else                                                                       \
      return heddle_thrust::Restored<A...>::of(                                \
          heddle_thrust::name(where, heddle_thrust::bare(a)...));              \
  }                                                                            \
  template <typename P, typename... A,                                         \
            ::std::enable_if_t<heddle_thrust::isPolicy<P>, int> = 0>           \
  auto name(const P &policy, A... a) {                                         \
    return __heddle_##name(heddle_thrust::placeOf(policy), a...);              \
  }                                                                            \
  template <                                                                   \
      typename I, typename... A,                                               \
      ::std::enable_if_t<                                                      \
          !heddle_thrust::isPolicy<I> && !heddle_thrust::isPlace<I>, int> = 0> \
  auto name(I i, A... a) {                                                     \
    return __heddle_##name(heddle_thrust::placeOf<I, A...>(), i, a...);        \
  }
__HEDDLE_ALGORITHM(adjacent_difference)
__HEDDLE_ALGORITHM(all_of)
__HEDDLE_ALGORITHM(any_of)
__HEDDLE_ALGORITHM(binary_search)
__HEDDLE_ALGORITHM(copy_if)
__HEDDLE_ALGORITHM(count)
__HEDDLE_ALGORITHM(count_if)
__HEDDLE_ALGORITHM(equal)
__HEDDLE_ALGORITHM(equal_range)
__HEDDLE_ALGORITHM(exclusive_scan)
__HEDDLE_ALGORITHM(exclusive_scan_by_key)
__HEDDLE_ALGORITHM(fill)
__HEDDLE_ALGORITHM(fill_n)
__HEDDLE_ALGORITHM(find)
__HEDDLE_ALGORITHM(find_if)
__HEDDLE_ALGORITHM(find_if_not)
__HEDDLE_ALGORITHM(for_each)
__HEDDLE_ALGORITHM(for_each_n)
__HEDDLE_ALGORITHM(gather)
__HEDDLE_ALGORITHM(gather_if)
__HEDDLE_ALGORITHM(generate)
__HEDDLE_ALGORITHM(generate_n)
__HEDDLE_ALGORITHM(inclusive_scan)
__HEDDLE_ALGORITHM(inclusive_scan_by_key)
__HEDDLE_ALGORITHM(inner_product)
__HEDDLE_ALGORITHM(is_sorted)
__HEDDLE_ALGORITHM(is_sorted_until)
__HEDDLE_ALGORITHM(lower_bound)
__HEDDLE_ALGORITHM(max_element)
__HEDDLE_ALGORITHM(merge)
__HEDDLE_ALGORITHM(min_element)
__HEDDLE_ALGORITHM(minmax_element)
__HEDDLE_ALGORITHM(mismatch)
__HEDDLE_ALGORITHM(none_of)
__HEDDLE_ALGORITHM(partition)
__HEDDLE_ALGORITHM(partition_copy)
__HEDDLE_ALGORITHM(reduce)
__HEDDLE_ALGORITHM(reduce_by_key)
__HEDDLE_ALGORITHM(remove)
__HEDDLE_ALGORITHM(remove_copy_if)
__HEDDLE_ALGORITHM(remove_if)
__HEDDLE_ALGORITHM(replace)
__HEDDLE_ALGORITHM(replace_if)
__HEDDLE_ALGORITHM(reverse)
__HEDDLE_ALGORITHM(reverse_copy)
__HEDDLE_ALGORITHM(scatter)
__HEDDLE_ALGORITHM(scatter_if)
__HEDDLE_ALGORITHM(sequence)
__HEDDLE_ALGORITHM(set_difference)
__HEDDLE_ALGORITHM(set_intersection)
__HEDDLE_ALGORITHM(set_symmetric_difference)
__HEDDLE_ALGORITHM(set_union)
__HEDDLE_ALGORITHM(sort)
__HEDDLE_ALGORITHM(sort_by_key)
__HEDDLE_ALGORITHM(stable_partition)
__HEDDLE_ALGORITHM(stable_sort)
__HEDDLE_ALGORITHM(stable_sort_by_key)
__HEDDLE_ALGORITHM(swap_ranges)
__HEDDLE_ALGORITHM(tabulate)
__HEDDLE_ALGORITHM(transform)
__HEDDLE_ALGORITHM(transform_exclusive_scan)
__HEDDLE_ALGORITHM(transform_if)
__HEDDLE_ALGORITHM(transform_inclusive_scan)
__HEDDLE_ALGORITHM(transform_reduce)
__HEDDLE_ALGORITHM(uninitialized_fill)
__HEDDLE_ALGORITHM(unique)
__HEDDLE_ALGORITHM(unique_by_key)
__HEDDLE_ALGORITHM(unique_copy)
__HEDDLE_ALGORITHM(upper_bound)
#undef __HEDDLE_ALGORITHM

// Copies may go from one side to the other. With a policy of the device, plain
// pointers are its own.
template <typename I, typename O,
          ::std::enable_if_t<!heddle_thrust::isPolicy<I>, int> = 0>
O copy(I f, I l, O out) {
  return heddle_thrust::copyAnywhere(nullptr, f, l, out);
}
template <typename P, typename I, typename O,
          ::std::enable_if_t<heddle_thrust::isPolicy<P>, int> = 0>
O copy(const P &policy, I f, I l, O out) {
  const auto place = heddle_thrust::placeOf(policy);
  constexpr auto from = heddle_thrust::SystemOf<I>::value,
                 to = heddle_thrust::SystemOf<O>::value;
  if constexpr (place.system == heddle_thrust::Device &&
                ((from == heddle_thrust::Host && !::std::is_pointer_v<I>) ||
                 (to == heddle_thrust::Host && !::std::is_pointer_v<O>)))
    return heddle_thrust::copyAnywhere(place.stream, f, l, out);
  else
    return heddle_thrust::copy(place, f, l, out);
}
template <typename I, typename N, typename O,
          ::std::enable_if_t<!heddle_thrust::isPolicy<I>, int> = 0>
O copy_n(I f, N n, O out) {
  return copy(f, ::std::next(f, n), out);
}
template <typename P, typename I, typename N, typename O,
          ::std::enable_if_t<heddle_thrust::isPolicy<P>, int> = 0>
O copy_n(const P &policy, I f, N n, O out) {
  return copy(policy, f, f + n, out);
}
template <typename... A> auto uninitialized_copy(A... a) { return copy(a...); }

template <typename I> __HEDDLE_HD auto distance(I f, I l) { return l - f; }
template <typename I, typename N> __HEDDLE_HD void advance(I &f, N n) {
  f += n;
}
template <typename I> __HEDDLE_HD I next(I f, ::std::ptrdiff_t n = 1) {
  return f + n;
}
template <typename I> __HEDDLE_HD I prev(I f, ::std::ptrdiff_t n = 1) {
  return f - n;
}

} // namespace thrust

#endif
