// Thrust's algorithms on vectors of the device beside those of the host's own
// library, in sizes around those of blocks and tiles.
#include "../check.h"
#include <algorithm>
#include <numeric>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

typedef std::vector<int> Ints;

static bool ok = true;
static void expect(bool holds, const char *what, size_t n) {
  if (!holds)
    printf("%s of %zu: wrong\n", what, n);
  ok &= holds;
}
template <typename D, typename H>
static void same(const char *what, const D &is, const H &wanted) {
  thrust::host_vector<typename D::value_type> copy = is;
  expect(copy.size() == wanted.size() &&
             std::equal(copy.begin(), copy.end(), wanted.begin()),
         what, wanted.size());
}
static Ints numbers(size_t n, int range, unsigned seed) {
  Ints v(n);
  for (int &x : v) {
    seed = seed * 1664525 + 1013904223;
    x = int(seed >> 8) % range - range / 3;
  }
  return v;
}

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Square {
  __host__ __device__ long long operator()(int x) const {
    return (long long)x * x;
  }
};
struct SaxPy {
  float a;
  __host__ __device__ float operator()(float x, float y) const {
    return a * x + y;
  }
};
struct ByTens {
  __host__ __device__ bool operator()(int a, int b) const {
    return a / 10 < b / 10;
  }
};

static void elements(size_t n) {
  const Ints h = numbers(n, 1000, 1);
  thrust::device_vector<int> d = h, e(n);
  same("copy", d, h);
  Ints w(n);
  thrust::transform(d.begin(), d.end(), e.begin(), thrust::negate<int>());
  std::transform(h.begin(), h.end(), w.begin(), std::negate<int>());
  same("transform", e, w);
  thrust::device_vector<float> x(n), y(n, 2.0f);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), SaxPy{3});
  std::vector<float> s(n);
  for (size_t i = 0; i < n; ++i)
    s[i] = 3.0f * i + 2;
  same("saxpy", y, s);
  using namespace thrust::placeholders;
  thrust::transform(d.begin(), d.end(), e.begin(), e.begin(), 2 * _1 + _2);
  for (size_t i = 0; i < n; ++i)
    w[i] = 2 * h[i] - h[i];
  same("placeholders", e, w);
  const int shift = 5;
  thrust::for_each(e.begin(), e.end(), [=] __device__(int &v) { v += shift; });
  for (int &v : w)
    v += 5;
  same("for_each", e, w);
  thrust::fill(e.begin(), e.end(), 9);
  same("fill", e, Ints(n, 9));
  thrust::tabulate(e.begin(), e.end(), [] __device__(int i) { return i * i; });
  for (size_t i = 0; i < n; ++i)
    w[i] = int(i * i);
  same("tabulate", e, w);
  thrust::sequence(thrust::device, e.begin(), e.end(), 7, 3);
  for (size_t i = 0; i < n; ++i)
    w[i] = 7 + 3 * int(i);
  same("sequence", e, w);
  thrust::reverse(e.begin(), e.end());
  std::reverse(w.begin(), w.end());
  same("reverse", e, w);
  thrust::replace_if(e.begin(), e.end(), Even(), -1);
  std::replace_if(w.begin(), w.end(), Even(), -1);
  same("replace_if", e, w);
  thrust::adjacent_difference(d.begin(), d.end(), e.begin());
  std::adjacent_difference(h.begin(), h.end(), w.begin());
  same("adjacent_difference", e, w);
  thrust::generate(e.begin(), e.end(), [] __device__() { return 4; });
  same("generate", e, Ints(n, 4));

  // Indices from the last to the first.
  thrust::device_vector<int> at(n);
  thrust::sequence(at.rbegin(), at.rend());
  thrust::gather(at.begin(), at.end(), d.begin(), e.begin());
  w.assign(h.rbegin(), h.rend());
  same("gather", e, w);
  thrust::device_vector<int> scattered(n);
  thrust::scatter(e.begin(), e.end(), at.begin(), scattered.begin());
  same("scatter", scattered, h);
  auto permuted = thrust::make_permutation_iterator(d.begin(), at.begin());
  thrust::copy(permuted, permuted + n, e.begin());
  same("permutation", e, w);
  auto both = thrust::make_zip_iterator(
      thrust::make_tuple(d.begin(), at.begin(), e.begin()));
  thrust::for_each(both, both + n, [] __device__(auto t) {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  });
  for (size_t i = 0; i < n; ++i)
    w[i] = h[i] + int(n - 1 - i);
  same("zip", e, w);
}

static void folds(size_t n) {
  const Ints h = numbers(n, 5000, 2);
  const thrust::device_vector<int> d = h;
  const long long sum = std::accumulate(h.begin(), h.end(), 0LL);
  expect(thrust::reduce(d.begin(), d.end()) == int(sum), "reduce", n);
  expect(thrust::reduce(d.begin(), d.end(), 100LL) == sum + 100,
         "reduce from 100", n);
  int most = -10000;
  long long squares = 0, even = 0;
  for (int v : h) {
    most = std::max(most, v);
    squares += (long long)v * v;
    even += v % 2 == 0;
  }
  expect(thrust::reduce(d.begin(), d.end(), -10000, thrust::maximum<int>()) ==
             most,
         "maximum", n);
  expect(thrust::transform_reduce(d.begin(), d.end(), Square(), 0LL,
                                  thrust::plus<long long>()) == squares,
         "transform_reduce", n);
  expect(thrust::inner_product(d.begin(), d.end(), d.begin(), 0.0) ==
             double(squares),
         "inner_product", n);
  expect(thrust::count_if(d.begin(), d.end(), Even()) == even, "count_if", n);
  expect(thrust::count(d.begin(), d.end(), most) ==
             std::count(h.begin(), h.end(), most),
         "count", n);
  auto first = thrust::make_counting_iterator(0LL);
  expect(thrust::reduce(first, first + n) ==
             (long long)n * ((long long)n - 1) / 2,
         "counting", n);
  auto mapped = thrust::make_transform_iterator(d.begin(), Square());
  expect(thrust::reduce(mapped, mapped + n) == squares, "transform_iterator",
         n);
  expect(thrust::max_element(d.begin(), d.end()) - d.begin() ==
             std::max_element(h.begin(), h.end()) - h.begin(),
         "max_element", n);
  expect(thrust::min_element(d.begin(), d.end()) - d.begin() ==
             std::min_element(h.begin(), h.end()) - h.begin(),
         "min_element", n);
  expect(thrust::find(d.begin(), d.end(), most) - d.begin() ==
             std::find(h.begin(), h.end(), most) - h.begin(),
         "find", n);
  expect(thrust::any_of(d.begin(), d.end(), Even()) ==
             std::any_of(h.begin(), h.end(), Even()),
         "any_of", n);
  expect(thrust::all_of(d.begin(), d.end(), Even()) ==
             std::all_of(h.begin(), h.end(), Even()),
         "all_of", n);
  expect(thrust::equal(d.begin(), d.end(), d.begin()), "equal", n);
  expect(thrust::is_sorted(d.begin(), d.end()) ==
             std::is_sorted(h.begin(), h.end()),
         "is_sorted", n);
}

static void scans(size_t n) {
  const Ints h = numbers(n, 50, 3);
  thrust::device_vector<int> d = h, e(n);
  Ints w(n);
  thrust::inclusive_scan(d.begin(), d.end(), e.begin());
  std::partial_sum(h.begin(), h.end(), w.begin());
  same("inclusive_scan", e, w);
  thrust::exclusive_scan(d.begin(), d.end(), e.begin(), 10);
  std::exclusive_scan(h.begin(), h.end(), w.begin(), 10);
  same("exclusive_scan", e, w);
  thrust::inclusive_scan(d.begin(), d.end(), d.begin(), thrust::maximum<int>());
  std::partial_sum(h.begin(), h.end(), w.begin(),
                   [](int a, int b) { return std::max(a, b); });
  same("in place", d, w);
  e = h; // sums of sums would overflow
  thrust::transform_exclusive_scan(e.begin(), e.end(), d.begin(),
                                   thrust::negate<int>(), 0,
                                   thrust::plus<int>());
  thrust::host_vector<int> before = e;
  std::transform_exclusive_scan(before.begin(), before.end(), w.begin(), 0,
                                std::plus<int>(), std::negate<int>());
  same("transform_exclusive_scan", d, w);

  // Runs of equal keys.
  Ints keys(n), sums, heads;
  for (size_t i = 0; i < n; ++i) {
    keys[i] = int(i / 7 + i / 300);
    const bool head = i == 0 || keys[i] != keys[i - 1];
    w[i] = head ? h[i] : w[i - 1] + h[i];
    if (head) {
      heads.push_back(keys[i]);
      sums.push_back(0);
    }
    sums.back() += h[i];
  }
  thrust::device_vector<int> k = keys, outKeys(n), outSums(n);
  d = h;
  thrust::inclusive_scan_by_key(k.begin(), k.end(), d.begin(), e.begin());
  same("inclusive_scan_by_key", e, w);
  auto ends = thrust::reduce_by_key(k.begin(), k.end(), d.begin(),
                                    outKeys.begin(), outSums.begin());
  outKeys.resize(ends.first - outKeys.begin());
  outSums.resize(ends.second - outSums.begin());
  same("keys", outKeys, heads);
  same("reduce_by_key", outSums, sums);
  auto count = thrust::reduce_by_key(
      k.begin(), k.end(), thrust::make_constant_iterator(1),
      thrust::make_discard_iterator(), e.begin());
  expect(count.second - e.begin() == std::ptrdiff_t(heads.size()), "runs", n);
  thrust::exclusive_scan_by_key(k.begin(), k.end(), d.begin(), d.begin());
  for (size_t i = 0; i < n; ++i)
    w[i] -= h[i];
  same("exclusive_scan_by_key", d, w);
}

static void sorts(size_t n) {
  const Ints h = numbers(n, 300, 4);
  thrust::device_vector<int> d = h, values(n);
  Ints w = h;
  thrust::sort(d.begin(), d.end());
  std::sort(w.begin(), w.end());
  same("sort", d, w);
  thrust::sort(d.begin(), d.end(), thrust::greater<int>());
  std::reverse(w.begin(), w.end());
  same("greater", d, w);
  d = w = h;
  thrust::stable_sort(d.begin(), d.end(), ByTens());
  std::stable_sort(w.begin(), w.end(), ByTens());
  same("stable_sort", d, w);
  d = h;
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(d.begin(), d.end(), values.begin());
  Ints order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return h[a] < h[b]; });
  same("sort_by_key", values, order);
  // Pairs of two vectors, by the second.
  thrust::device_vector<int> a = h, b(n);
  thrust::transform(a.begin(), a.end(), b.begin(), thrust::negate<int>());
  auto pairs =
      thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::sort(pairs, pairs + n,
               [] __device__(const thrust::tuple<int, int> &x,
                             const thrust::tuple<int, int> &y) {
                 return thrust::get<1>(x) < thrust::get<1>(y);
               });
  w = h;
  std::sort(w.rbegin(), w.rend());
  same("sort of pairs", a, w);
}

static void selections(size_t n) {
  const Ints h = numbers(n, 40, 5);
  thrust::device_vector<int> d = h, e(n);
  Ints w;
  auto end = thrust::copy_if(d.begin(), d.end(), e.begin(), Even());
  std::copy_if(h.begin(), h.end(), std::back_inserter(w), Even());
  e.resize(end - e.begin());
  same("copy_if", e, w);
  d.erase(thrust::remove_if(d.begin(), d.end(), Even()), d.end());
  w = h;
  w.erase(std::remove_if(w.begin(), w.end(), Even()), w.end());
  same("remove_if", d, w);
  d = w = h;
  thrust::sort(d.begin(), d.end());
  std::sort(w.begin(), w.end());
  d.erase(thrust::unique(d.begin(), d.end()), d.end());
  w.erase(std::unique(w.begin(), w.end()), w.end());
  same("unique", d, w);
  d = w = h;
  auto middle = thrust::stable_partition(d.begin(), d.end(), Even());
  auto wanted = std::stable_partition(w.begin(), w.end(), Even());
  expect(middle - d.begin() == wanted - w.begin(), "middle", n);
  same("partition", d, w);

  // Two sorted ranges.
  Ints a = numbers(n, 60, 6), b = numbers(n / 2 + 3, 60, 7);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const thrust::device_vector<int> da = a, db = b;
  auto sets = [&](const char *what, auto ours, auto theirs) {
    thrust::device_vector<int> out(a.size() + b.size());
    out.resize(ours(out.begin()) - out.begin());
    Ints all;
    theirs(std::back_inserter(all));
    same(what, out, all);
  };
#define SETS(name)                                                             \
  sets(                                                                        \
      #name,                                                                   \
      [&](auto to) {                                                           \
        return thrust::name(da.begin(), da.end(), db.begin(), db.end(), to);   \
      },                                                                       \
      [&](auto to) {                                                           \
        return std::name(a.begin(), a.end(), b.begin(), b.end(), to);          \
      })
  SETS(merge);
  SETS(set_union);
  SETS(set_intersection);
  SETS(set_difference);
  SETS(set_symmetric_difference);
  thrust::device_vector<int> at(b.size());
  thrust::lower_bound(da.begin(), da.end(), db.begin(), db.end(), at.begin());
  Ints bounds;
  for (int v : b)
    bounds.push_back(std::lower_bound(a.begin(), a.end(), v) - a.begin());
  same("lower_bound", at, bounds);
  expect(thrust::upper_bound(da.begin(), da.end(), 5) - da.begin() ==
             std::upper_bound(a.begin(), a.end(), 5) - a.begin(),
         "upper_bound", n);
  expect(thrust::binary_search(da.begin(), da.end(), 5) ==
             std::binary_search(a.begin(), a.end(), 5),
         "binary_search", n);
}

static void vectors() {
  thrust::device_vector<int> d(3, 1);
  d.push_back(7);
  d[1] = d[3];
  d[2] += 4;
  same("elements", d, Ints{1, 7, 5, 7});
  d.insert(d.begin() + 1, 9);
  d.erase(d.begin());
  same("insert and erase", d, Ints{9, 7, 5, 7});
  expect(d.front() == 9 && d.back() == 7 && int(d[2]) == 5, "reads", 4);
  thrust::device_vector<double> wide(d);
  same("conversion", wide, std::vector<double>{9, 7, 5, 7});
  thrust::host_vector<int> h(d.begin(), d.end());
  expect(h == d, "host_vector", 4);
  thrust::sort(h.begin(), h.end()); // on the host
  same("host", h, Ints{5, 7, 7, 9});
  // Memory of the program, with a policy and on a stream.
  int *raw;
  cudaStream_t stream;
  CHECK(cudaMalloc(&raw, 100 * sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  thrust::sequence(thrust::cuda::par.on(stream), raw, raw + 100, 1);
  expect(thrust::reduce(thrust::device, raw, raw + 100) == 5050, "policy", 100);
  thrust::device_ptr<int> p = thrust::device_pointer_cast(raw);
  thrust::exclusive_scan(p, p + 100, p);
  expect(p[99] == 99 * 100 / 2, "device_ptr", 100);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(raw));
  bool thrown = false;
  try {
    thrust::device_vector<int> huge(size_t(1) << 60);
  } catch (const std::bad_alloc &) {
    thrown = cudaGetLastError() == cudaSuccess; // Thrust has cleared it.
  }
  expect(thrown, "too large", 0);
}

// With an argument: a small size only.
int main(int argc, char **) {
  vectors();
  std::vector<size_t> sizes = {300};
  if (argc == 1)
    sizes = {1, 255, 1024, 1025, 5000, 300000};
  for (size_t n : sizes) {
    elements(n);
    folds(n);
    scans(n);
    sorts(n);
    selections(n);
  }
  return verdict(ok);
}
