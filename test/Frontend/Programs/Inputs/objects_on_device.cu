#include <cstdio>
struct Base {
  __device__ virtual int f(int x) const { return x; }
  __device__ virtual ~Base() {}
};
struct D1 : Base {
  int k;
  __device__ D1(int k) : k(k) {}
  __device__ int f(int x) const override { return x * k; }
};
__global__ void mk(Base **o) { o[threadIdx.x] = new D1(threadIdx.x); }
__global__ void use(Base **o, int *r) { r[threadIdx.x] = o[threadIdx.x]->f(3); }
__global__ void del(Base **o) { delete o[threadIdx.x]; }
__global__ void ml(int **o) {
  int *p = (int *)malloc(16 * sizeof(int));
  memset(p, 0, 64);
  p[0] = 1;
  o[0] = p;
  free(p);
}
__global__ void pl(int *o) {
  D1 d(2);
  Base *b = &d;
  o[0] = b->f(3);
}
typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t table[2] = {add, mul};
__constant__ op_t ctable[2] = {add, mul};
__global__ void fp(float *x, int op) {
  x[0] = table[op](x[0], x[1]) + ctable[op](x[2], x[3]);
}
__global__ void fparg(float *x, op_t f) { x[0] = f(x[0], x[1]); }
template <op_t F> __global__ void fpt(float *x) { x[0] = F(x[0], x[1]); }
__device__ int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
__global__ void recur(int *o) { o[0] = fact(o[1]); }
__device__ __noinline__ int fib(int n) {
  if (n < 2)
    return n;
  return fib(n - 1) + fib(n - 2);
}
__global__ void fibk(int *o) { o[threadIdx.x] = fib(threadIdx.x); }
int main() { fpt<add><<<1, 1>>>(0); }
