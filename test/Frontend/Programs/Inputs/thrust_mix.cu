#include <algorithm>
#include <iostream>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
struct saxpy_functor {
  const float a;
  saxpy_functor(float _a) : a(_a) {}
  __host__ __device__ float operator()(const float &x, const float &y) const {
    return a * x + y;
  }
};
template <typename T> struct square {
  __host__ __device__ T operator()(const T &x) const { return x * x; }
};
struct is_even : public thrust::unary_function<int, bool> {
  __host__ __device__ bool operator()(int x) { return x % 2 == 0; }
};
struct MonteCarlo {
  template <typename Tuple> __host__ __device__ void operator()(Tuple t) {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  }
};
template <typename T> __global__ void scale(T *x, T s, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= s;
}
template <typename It, typename F> __global__ void apply(It b, size_t n, F f) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = f(b[i]);
}
__global__ void viaptr(thrust::device_ptr<float> p, thrust::tuple<int, float> t,
                       thrust::pair<int, int> q) {
  p[threadIdx.x] = thrust::get<1>(t) + q.first;
}
__global__ void seqk(int *d, int n) {
  thrust::sort(thrust::seq, d, d + n);
  int s = thrust::reduce(thrust::seq, d, d + n);
  d[0] = s;
  thrust::for_each(thrust::seq, d, d + n, [](int &x) { x++; });
}
int main() {
  thrust::host_vector<int> h(1 << 20);
  std::generate(h.begin(), h.end(), rand);
  thrust::device_vector<int> d = h;
  thrust::sort(d.begin(), d.end());
  thrust::copy(d.begin(), d.end(), h.begin());
  thrust::device_vector<float> X(10), Y(10, 1.f);
  thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(),
                    saxpy_functor(2.f));
  float nrm = std::sqrt(thrust::transform_reduce(
      X.begin(), X.end(), square<float>(), 0.f, thrust::plus<float>()));
  int sum = thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>());
  int cnt = thrust::count_if(d.begin(), d.end(), is_even());
  scale<float><<<1, 1>>>(thrust::raw_pointer_cast(X.data()), nrm, X.size());
  scale<<<1, 1>>>(thrust::raw_pointer_cast(&Y[0]), 2.f, Y.size());
  float *raw = thrust::raw_pointer_cast(X.data());
  scale<float><<<1, 1>>>(raw, *thrust::max_element(X.begin(), X.end()), 10);
  auto it = thrust::make_zip_iterator(
      thrust::make_tuple(X.begin(), Y.begin(), X.begin()));
  thrust::for_each(it, it + 10, MonteCarlo());
  thrust::counting_iterator<int> first(0), last = first + 10;
  thrust::transform(first, last, X.begin(),
                    [] __device__(int i) { return i * 2.f; });
  apply<<<1, 1>>>(raw, 10, square<float>());
  apply<<<1, 1>>>(X.begin(), 10, square<float>());
  auto mm = thrust::minmax_element(d.begin(), d.end());
  int mn = *mm.first;
  auto me = thrust::max_element(d.begin(), d.end()) - d.begin();
  auto new_end = thrust::unique(d.begin(), d.end());
  d.erase(new_end, d.end());
  d.resize(new_end - d.begin());
  thrust::device_ptr<float> dp = thrust::device_pointer_cast(raw);
  thrust::inclusive_scan(dp, dp + 10, dp);
  thrust::fill(thrust::device, dp, dp + 10, 0.f);
  viaptr<<<1, 1>>>(dp, thrust::make_tuple(1, 2.f), thrust::make_pair(1, 2));
  seqk<<<1, 1>>>(d.data().get(), sum + cnt + mn + me);
  thrust::default_random_engine rng;
  thrust::uniform_real_distribution<float> u(0, 1);
  u(rng);
  thrust::sort_by_key(d.begin(), d.end(), X.begin(), thrust::greater<int>());
  auto r = thrust::reduce_by_key(d.begin(), d.end(), X.begin(), d.begin(),
                                 Y.begin());
  int m = r.first - d.begin();
  (void)m;
  thrust::stable_sort(thrust::cuda::par.on(0), d.begin(), d.end());
  std::cout << X[0] << std::endl;
  for (auto v : h)
    std::cout << v;
  float dot = thrust::inner_product(X.begin(), X.end(), Y.begin(), 0.0f);
  (void)dot;
  X.push_back(1.f);
  d[3] = 4;
  std::swap(X, Y);
  X.swap(Y);
}
