// A header of kernels on its own.
#pragma once
template <typename T> __global__ void fill(T *p, T v, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) p[i] = v; }
__global__ void scaleBy(float *p, float s) { p[threadIdx.x] *= s; }
