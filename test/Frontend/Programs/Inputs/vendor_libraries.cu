#include <cufft.h>
#include <cusparse.h>
#include <cusolverDn.h>
#include <cudnn.h>
#include <nvml.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/iterator/zip_iterator.h>
#include <cub/cub.cuh>
typedef float2 Complex;
static __device__ __host__ inline Complex ComplexAdd(Complex a, Complex b) {
  Complex c;
  c.x = a.x + b.x;
  c.y = a.y + b.y;
  return c;
}
static __device__ __host__ inline Complex ComplexMul(Complex, Complex);
static __global__ void ComplexPointwiseMulAndScale(Complex *a, const Complex *b, int size,
                                                   float scale) {
  const int numThreads = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += numThreads)
    a[i] = ComplexMul(a[i], b[i]);
}
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct functor : public thrust::unary_function<float, float> {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
__global__ void hist(thrust::device_ptr<int> p, int *bins) {
  atomicAdd(bins + p.get()[threadIdx.x], 1);
}
static __device__ __host__ inline Complex ComplexMul(Complex a, Complex b) {
  Complex c;
  c.x = a.x * b.x - a.y * b.y;
  c.y = a.x * b.y + a.y * b.x;
  return c;
}
__global__ void bs(float *in, float *out) {
  typedef cub::BlockScan<float, 128> BS;
  __shared__ typename BS::TempStorage t;
  float v = in[threadIdx.x];
  BS(t).ExclusiveSum(v, v);
  out[threadIdx.x] = v;
}
int main() {
  thrust::host_vector<int> h(10);
  thrust::device_vector<int> d = h;
  thrust::sort(d.begin(), d.end());
  int s = thrust::transform_reduce(d.begin(), d.end(), functor(), 0, thrust::plus<int>());
  cufftHandle plan;
  cufftPlan1d(&plan, 10, CUFFT_C2C, 1);
  cufftExecC2C(plan, 0, 0, CUFFT_FORWARD);
  void *tmp = 0;
  size_t bytes;
  cub::DeviceReduce::Sum(tmp, bytes, thrust::raw_pointer_cast(d.data()), (int *)0, 10);
  ComplexPointwiseMulAndScale<<<1, 1>>>(0, 0, 1, 1.f);
  cusparseHandle_t h1;
  cusparseCreate(&h1);
  cudnnHandle_t c;
  cudnnCreate(&c);
  thrust::copy_if(d.begin(), d.end(), h.begin(), is_odd());
  return 0;
}
