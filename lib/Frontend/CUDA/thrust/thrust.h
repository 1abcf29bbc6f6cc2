// Thrust for programs that have kernels of their own beside it: tuples, pairs,
// complex numbers, functors, pointers and generators work on the device.
// Containers and algorithms are those of program.h where the program runs, else
// declared for host code that is parsed only.

#ifndef HEDDLE_CUDA_THRUST_THRUST_H
#define HEDDLE_CUDA_THRUST_THRUST_H

#include "../own_names.def"

#include "containers.h"
#include "device_algorithms.h"
#include "numbers.h"
#ifdef __HEDDLE_PROGRAM
#include "program.h"
#else

namespace thrust {

// --- policies and algorithms, for the host -----------------------------------
static const __heddle_policy host, device, seq;
namespace cuda {
static const __heddle_policy par, par_nosync;
}
namespace omp {
static const __heddle_policy par;
}
struct host_system_tag {};
struct device_system_tag {};
template <typename... T> struct device_allocator {};
template <typename... T> struct device_malloc_allocator {};
struct system_error : ::std::exception {};
#define __HEDDLE_ALGORITHM(name)                                               \
  template <typename... A> __heddle_any name(const A &...);
__HEDDLE_ALGORITHM(adjacent_difference)
__HEDDLE_ALGORITHM(advance)
__HEDDLE_ALGORITHM(all_of)
__HEDDLE_ALGORITHM(any_of)
__HEDDLE_ALGORITHM(binary_search)
__HEDDLE_ALGORITHM(copy)
__HEDDLE_ALGORITHM(copy_if)
__HEDDLE_ALGORITHM(copy_n)
__HEDDLE_ALGORITHM(count)
__HEDDLE_ALGORITHM(count_if)
__HEDDLE_ALGORITHM(distance)
__HEDDLE_ALGORITHM(equal)
__HEDDLE_ALGORITHM(exclusive_scan)
__HEDDLE_ALGORITHM(exclusive_scan_by_key)
__HEDDLE_ALGORITHM(fill)
__HEDDLE_ALGORITHM(fill_n)
__HEDDLE_ALGORITHM(find)
__HEDDLE_ALGORITHM(find_if)
__HEDDLE_ALGORITHM(for_each)
__HEDDLE_ALGORITHM(for_each_n)
__HEDDLE_ALGORITHM(gather)
__HEDDLE_ALGORITHM(generate)
__HEDDLE_ALGORITHM(inclusive_scan)
__HEDDLE_ALGORITHM(inclusive_scan_by_key)
__HEDDLE_ALGORITHM(inner_product)
__HEDDLE_ALGORITHM(is_sorted)
__HEDDLE_ALGORITHM(lower_bound)
__HEDDLE_ALGORITHM(max_element)
__HEDDLE_ALGORITHM(merge)
__HEDDLE_ALGORITHM(min_element)
__HEDDLE_ALGORITHM(minmax_element)
__HEDDLE_ALGORITHM(next)
__HEDDLE_ALGORITHM(none_of)
__HEDDLE_ALGORITHM(partition)
__HEDDLE_ALGORITHM(reduce)
__HEDDLE_ALGORITHM(reduce_by_key)
__HEDDLE_ALGORITHM(remove)
__HEDDLE_ALGORITHM(remove_if)
__HEDDLE_ALGORITHM(replace)
__HEDDLE_ALGORITHM(replace_if)
__HEDDLE_ALGORITHM(reverse)
__HEDDLE_ALGORITHM(scatter)
__HEDDLE_ALGORITHM(scatter_if)
__HEDDLE_ALGORITHM(sequence)
__HEDDLE_ALGORITHM(set_difference)
__HEDDLE_ALGORITHM(set_intersection)
__HEDDLE_ALGORITHM(set_union)
__HEDDLE_ALGORITHM(shuffle)
__HEDDLE_ALGORITHM(sort)
__HEDDLE_ALGORITHM(sort_by_key)
__HEDDLE_ALGORITHM(stable_partition)
__HEDDLE_ALGORITHM(stable_sort)
__HEDDLE_ALGORITHM(stable_sort_by_key)
__HEDDLE_ALGORITHM(tabulate)
__HEDDLE_ALGORITHM(transform)
__HEDDLE_ALGORITHM(transform_exclusive_scan)
__HEDDLE_ALGORITHM(transform_if)
__HEDDLE_ALGORITHM(transform_inclusive_scan)
__HEDDLE_ALGORITHM(transform_reduce)
__HEDDLE_ALGORITHM(uninitialized_copy)
__HEDDLE_ALGORITHM(uninitialized_fill)
__HEDDLE_ALGORITHM(unique)
__HEDDLE_ALGORITHM(unique_by_key)
__HEDDLE_ALGORITHM(unique_copy)
__HEDDLE_ALGORITHM(upper_bound)
#undef __HEDDLE_ALGORITHM

// The type of the start value is the result's.
template <typename I, typename T> T reduce(I, I, T);
template <typename I, typename T, typename O> T reduce(I, I, T, O);
template <typename I, typename F, typename T, typename O>
T transform_reduce(I, I, F, T, O);
template <typename I, typename J, typename T> T inner_product(I, I, J, T);
template <typename I, typename T> T reduce(const __heddle_policy &, I, I, T);
template <typename I, typename T, typename O>
T reduce(const __heddle_policy &, I, I, T, O);
template <typename I, typename F, typename T, typename O>
T transform_reduce(const __heddle_policy &, I, I, F, T, O);

namespace placeholders {
static const __heddle_any _1, _2, _3;
}

} // namespace thrust

#endif // __HEDDLE_PROGRAM

#include "../user_names.def"

#endif
