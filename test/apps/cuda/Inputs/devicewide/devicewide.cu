// CUB's device-wide algorithms beside loops of the host: asked for memory
// first, then done.
#include "../check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>
#if CUB_VERSION >= 300000 // It leaves these to Thrust and libcu++.
#include <cuda/functional>
#include <cuda/std/functional>
#include <thrust/iterator/transform_iterator.h>
namespace cub {
using Max = ::cuda::maximum<>;
using Sum = ::cuda::std::plus<>;
template <typename T, typename Function, typename Iterator>
using TransformInputIterator =
    ::thrust::transform_iterator<Function, Iterator, T>;
} // namespace cub
#endif

static bool ok = true;

template <typename T> struct Array {
  T *at;
  size_t size;
  explicit Array(size_t n) : size(n) {
    CHECK(cudaMalloc(&at, (n + 1) * sizeof(T)));
    CHECK(cudaMemset(at, 0, (n + 1) * sizeof(T)));
  }
  explicit Array(const std::vector<T> &from) : Array(from.size()) {
    CHECK(
        cudaMemcpy(at, from.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array &) = delete;
  ~Array() { cudaFree(at); }
  operator T *() const { return at; }
  void expect(const char *what, const std::vector<T> &wanted) const {
    std::vector<T> is(wanted.size());
    CHECK(cudaMemcpy(is.data(), at, is.size() * sizeof(T),
                     cudaMemcpyDeviceToHost));
    if (is != wanted) {
      printf("%s of %zu: wrong\n", what, wanted.size());
      ok = false;
    }
  }
};

/// Calls \p function twice, as programs do.
template <typename F> static void twice(F function) {
  void *temporary = nullptr;
  size_t bytes = 0;
  CHECK(function(temporary, bytes));
  CHECK(cudaMalloc(&temporary, bytes));
  CHECK(function(temporary, bytes));
  CHECK(cudaFree(temporary));
}
#define TWICE(...)                                                             \
  twice([&](void *temporary, size_t &bytes) { return cub::__VA_ARGS__; })

template <typename T> static std::vector<T> numbers(size_t n, int range) {
  std::vector<T> v(n);
  unsigned state = unsigned(n) + 5;
  for (T &x : v) {
    state = state * 1664525 + 1013904223;
    x = T(int(state >> 8) % range - range / 3);
  }
  return v;
}

struct Odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct Doubled {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct Least {
  __device__ int operator()(int a, int b) const { return a < b ? a : b; }
};

static void folds(int n) {
  const std::vector<int> h = numbers<int>(n, 1000);
  Array<int> in(h), out(1);
  const int sum = std::accumulate(h.begin(), h.end(), 0);
  TWICE(DeviceReduce::Sum(temporary, bytes, in.at, out.at, n));
  out.expect("Sum", {sum});
  TWICE(DeviceReduce::Min(temporary, bytes, in.at, out.at, n));
  out.expect("Min", {*std::min_element(h.begin(), h.end())});
  TWICE(
      DeviceReduce::Reduce(temporary, bytes, in.at, out.at, n, Least(), -500));
  out.expect("Reduce", {-500});
  cub::TransformInputIterator<int, Doubled, int *> twofold(in, Doubled());
  TWICE(DeviceReduce::Sum(temporary, bytes, twofold, out.at, n));
  out.expect("transformed", {2 * sum});
  Array<cub::KeyValuePair<int, int>> place(1);
  TWICE(DeviceReduce::ArgMax(temporary, bytes, in.at, place.at, n));
  cub::KeyValuePair<int, int> is;
  CHECK(cudaMemcpy(&is, place, sizeof(is), cudaMemcpyDeviceToHost));
  const auto most = std::max_element(h.begin(), h.end());
  if (is.key != most - h.begin() || is.value != *most) {
    printf("ArgMax of %d: %d at %d\n", n, is.value, is.key);
    ok = false;
  }
  // Segments of several lengths, empty ones among them.
  std::vector<int> bounds = {0}, sums;
  for (int s = 0; bounds.back() < n; ++s)
    bounds.push_back(std::min(n, bounds.back() + s * 37 % 900));
  for (size_t s = 0; s + 1 < bounds.size(); ++s)
    sums.push_back(
        std::accumulate(h.begin() + bounds[s], h.begin() + bounds[s + 1], 0));
  const int segments = int(sums.size());
  Array<int> offsets(bounds), each(segments);
  TWICE(DeviceSegmentedReduce::Sum(temporary, bytes, in.at, each.at, segments,
                                   offsets.at, offsets.at + 1));
  each.expect("segments", sums);
}

static void scans(int n) {
  const std::vector<int> h = numbers<int>(n, 100);
  std::vector<int> w(n);
  Array<int> in(h), out(n);
  TWICE(DeviceScan::ExclusiveSum(temporary, bytes, in.at, out.at, n));
  std::exclusive_scan(h.begin(), h.end(), w.begin(), 0);
  out.expect("ExclusiveSum", w);
  TWICE(DeviceScan::InclusiveSum(temporary, bytes, in.at, out.at, n));
  std::partial_sum(h.begin(), h.end(), w.begin());
  out.expect("InclusiveSum", w);
  TWICE(DeviceScan::ExclusiveScan(temporary, bytes, in.at, out.at, cub::Max(),
                                  7, n));
  std::exclusive_scan(h.begin(), h.end(), w.begin(), 7,
                      [](int a, int b) { return std::max(a, b); });
  out.expect("ExclusiveScan", w);

  std::vector<int> keys(n), heads, lengths, sums;
  for (int i = 0; i < n; ++i) {
    keys[i] = i / 6 - i / 100;
    const bool head = i == 0 || keys[i] != keys[i - 1];
    w[i] = head ? h[i] : w[i - 1] + h[i];
    if (head) {
      heads.push_back(keys[i]);
      lengths.push_back(0);
      sums.push_back(0);
    }
    ++lengths.back();
    sums.back() += h[i];
  }
  Array<int> k(keys), unique(n), counts(n), runs(1);
  TWICE(
      DeviceScan::InclusiveSumByKey(temporary, bytes, k.at, in.at, out.at, n));
  out.expect("InclusiveSumByKey", w);
  TWICE(DeviceRunLengthEncode::Encode(temporary, bytes, k.at, unique.at,
                                      counts.at, runs.at, n));
  runs.expect("runs", {int(heads.size())});
  unique.expect("heads", heads);
  counts.expect("lengths", lengths);
  TWICE(DeviceReduce::ReduceByKey(temporary, bytes, k.at, unique.at, in.at,
                                  counts.at, runs.at, cub::Sum(), n));
  counts.expect("ReduceByKey", sums);
}

static void selections(int n) {
  const std::vector<int> h = numbers<int>(n, 64);
  Array<int> in(h), out(n), count(1);
  std::vector<int> odd, rest;
  for (int v : h)
    (v & 1 ? odd : rest).push_back(v);
  TWICE(DeviceSelect::If(temporary, bytes, in.at, out.at, count.at, n, Odd()));
  count.expect("selected", {int(odd.size())});
  out.expect("If", odd);
  TWICE(
      DevicePartition::If(temporary, bytes, in.at, out.at, count.at, n, Odd()));
  std::vector<int> w = odd;
  w.insert(w.end(), rest.rbegin(), rest.rend());
  out.expect("Partition", w);
  std::vector<char> flags(n);
  w.clear();
  for (int i = 0; i < n; ++i)
    if ((flags[i] = i % 3 == 0))
      w.push_back(h[i]);
  Array<char> f(flags);
  TWICE(DeviceSelect::Flagged(temporary, bytes, in.at, f.at, out.at, count.at,
                              n));
  out.expect("Flagged", w);
  w.assign(1, h[0]);
  for (int i = 1; i < n; ++i)
    if (h[i] != h[i - 1])
      w.push_back(h[i]);
  TWICE(DeviceSelect::Unique(temporary, bytes, in.at, out.at, count.at, n));
  out.expect("Unique", w);

  // 8 bins of 8 from -21 on, and of uneven bounds.
  std::vector<int> even(8), uneven(3);
  const std::vector<int> bounds = {-21, -5, 0, 30};
  for (int v : h) {
    if (v >= -21 && v < 43)
      ++even[(v + 21) / 8];
    for (int b = 0; b < 3; ++b)
      uneven[b] += v >= bounds[b] && v < bounds[b + 1];
  }
  Array<int> bins(8), levels(bounds);
  TWICE(DeviceHistogram::HistogramEven(temporary, bytes, in.at, bins.at, 9, -21,
                                       43, n));
  bins.expect("HistogramEven", even);
  TWICE(DeviceHistogram::HistogramRange(temporary, bytes, in.at, bins.at, 4,
                                        levels.at, n));
  bins.expect("HistogramRange", uneven);
}

template <typename T> static void sorts(int n) {
  const std::vector<T> h = numbers<T>(n, 500);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  Array<T> keys(h), out(n);
  Array<int> values(order), moved(n);
  std::vector<T> w = h;
  std::sort(w.begin(), w.end());
  TWICE(DeviceRadixSort::SortKeys(temporary, bytes, keys.at, out.at, n));
  out.expect("SortKeys", w);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return h[b] < h[a]; });
  TWICE(DeviceRadixSort::SortPairsDescending(temporary, bytes, keys.at, out.at,
                                             values.at, moved.at, n));
  std::reverse(w.begin(), w.end());
  out.expect("SortPairsDescending", w);
  moved.expect("values", order);
  // Segments of a hundred.
  std::vector<int> bounds;
  for (int at = 0; at < n + 100; at += 100)
    bounds.push_back(std::min(at, n));
  const int segments = int(bounds.size()) - 1;
  w = h;
  for (int s = 0; s < segments; ++s)
    std::sort(w.begin() + bounds[s], w.begin() + bounds[s + 1]);
  Array<int> offsets(bounds);
  TWICE(DeviceSegmentedRadixSort::SortKeys(temporary, bytes, keys.at, out.at, n,
                                           segments, offsets.at,
                                           offsets.at + 1));
  out.expect("segments", w);
}

static void bits(int n) {
  std::vector<unsigned> h(n), w;
  for (int i = 0; i < n; ++i)
    h[i] = unsigned(i) * 2654435761u;
  w = h;
  std::stable_sort(w.begin(), w.end(), [](unsigned a, unsigned b) {
    return (a >> 4 & 63) < (b >> 4 & 63);
  });
  Array<unsigned> one(h), two(n);
  cub::DoubleBuffer<unsigned> buffer(one, two);
  TWICE(DeviceRadixSort::SortKeys(temporary, bytes, buffer, n, 4, 10));
  std::vector<unsigned> is(n);
  CHECK(cudaMemcpy(is.data(), buffer.Current(), n * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
  if (is != w) {
    printf("bits of %d: wrong\n", n);
    ok = false;
  }
}

// With an argument: a small size only.
int main(int argc, char **) {
  std::vector<int> sizes = {777};
  if (argc == 1)
    sizes = {1, 256, 1024, 1025, 40000};
  for (int n : sizes) {
    folds(n);
    scans(n);
    selections(n);
    sorts<int>(n);
    sorts<float>(n);
    if (argc == 1)
      sorts<short>(n);
    bits(n);
  }
  return verdict(ok);
}
