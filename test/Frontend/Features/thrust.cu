// RUN: %frontends --test %s
// FEATURE: Thrust: tuples, complex numbers and functors in kernels
// LAUNCH: --grid 1 --block 1 --arg o:f32[10] --dump o
// EXPECT: o (f32[10]): 3 -3 4 7 14 25 19 6 30 9
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct Product {
  template <typename T> __host__ __device__ float operator()(const T &t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};
__device__ void iterators(float *o) {
  const float a[] = {1, 2, 3, 4};
  float b[] = {5, 6, 7, 8};
  auto z = thrust::make_zip_iterator(a, b);
  float x, y;
  x = thrust::get<0>(*(z + 1)), y = thrust::get<1>(z[1]);
  o[0] = z[1] == thrust::make_tuple(x, y) ? x * y + 2 : 0; // 14
  thrust::get<1>(z[3]) = 9; // through a tuple that is not named
  o[1] = thrust::make_transform_iterator(a, Square())[3] + b[3]; // 25
  o[2] = thrust::transform_reduce(thrust::seq, z, z + 2, Product(), 2.0f,
                                  thrust::plus<float>()); // 19
  o[3] = thrust::make_permutation_iterator(
             b, thrust::make_counting_iterator(1))[0]; // 6
  o[4] = thrust::reduce(thrust::seq, thrust::make_transform_iterator(a, Square()),
                        thrust::make_transform_iterator(a + 4, Square())); // 30
  o[5] = *thrust::make_reverse_iterator(b + 4); // 9
}
__global__ void k(float *o) {
  thrust::tuple<int, float> t = thrust::make_tuple(3, 4.0f);
  thrust::complex<float> z(1, 2);
  o[0] = thrust::get<0>(t);
  o[1] = (z * z).real();
  o[2] = (z * z).imag();
  o[3] = thrust::plus<float>()(thrust::get<0>(t), thrust::get<1>(t));
  iterators(o + 4);
}
