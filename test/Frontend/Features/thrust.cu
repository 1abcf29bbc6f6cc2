// RUN: %frontends --test %s
// FEATURE: Thrust: tuples, complex numbers and functors in kernels
// LAUNCH: --grid 1 --block 1 --arg o:f32[4] --dump o
// EXPECT: o (f32[4]): 3 -3 4 7
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/tuple.h>
__global__ void k(float *o) {
  thrust::tuple<int, float> t = thrust::make_tuple(3, 4.0f);
  thrust::complex<float> z(1, 2);
  o[0] = thrust::get<0>(t);
  o[1] = (z * z).real();
  o[2] = (z * z).imag();
  o[3] = thrust::plus<float>()(thrust::get<0>(t), thrust::get<1>(t));
}
