// CUDA as plain Clang takes it: no header, no toolkit.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

struct Shape {
  float *Out;
  int N;
};

__device__ float table[16] = {1, 2, 3};
__device__ extern "C" float sinf(float);
__device__ extern "C" int printf(const char *, ...);
__device__ extern "C" void *malloc(unsigned long);
__device__ void elsewhere(float *); // opaque

__device__ __attribute__((noinline)) float twice(float x) { return 2 * x; }
__device__ __attribute__((noinline)) float square(float x) { return x * x; }
__device__ float (*functions[2])(float) = {twice, square};
__device__ __attribute__((noinline)) int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void everything(Shape s, const float *in, int mode) {
  __shared__ volatile float tile[128];
  int i = __nvvm_read_ptx_sreg_tid_x();
  s.N += 1;
  tile[i & 127] = in[i];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < s.N; ++j)
    sum += tile[(i + j) & 127] * table[j & 15];
  switch (mode) {
  case 0: sum = sinf(sum); break;
  case 1: sum = functions[i & 1](sum); break;
  case 2: sum = fibonacci(s.N); break;
  case 3: elsewhere(s.Out); break;
  case 4: printf("%d\n", i); break;
  case 5: *(void **)s.Out = malloc(4); break;
  case 6: sum = __builtin_fmodf(sum, 3.0f); break;
  }
  asm("{ .reg .f32 t; add.f32 t, %1, %1; mov.f32 %0, t; }" : "=f"(sum) : "f"(sum));
  char buffer[100];
  __builtin_memset(buffer, mode, sizeof(buffer));
  __builtin_memcpy(buffer, in, s.N);
  __atomic_fetch_add((int *)s.Out, buffer[mode], __ATOMIC_SEQ_CST);
  s.Out[i] = sum;
}

__global__ void small(float *p) { *p = 1; }
