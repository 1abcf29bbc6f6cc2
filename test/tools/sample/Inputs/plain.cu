__global__ void idle(float a) { if (a == 3.25f && threadIdx.x > 2000) __trap(); }
__global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
