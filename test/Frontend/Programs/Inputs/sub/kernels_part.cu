#ifndef KERNELS_PART
#define KERNELS_PART
__global__ void part(int *a) { a[blockIdx.x] = blockDim.x; }
#endif
