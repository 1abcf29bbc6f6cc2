// Function pointers, virtual functions and recursion execute: a pointer is
// compared with the functions whose address is taken, recursion is written out.
//
// RUN: %heddle run %s --kernel tables --grid 1 --block 4 --arg f32[4]=iota --arg i32=1 --dump 0 2>&1 | FileCheck %s --check-prefix=TABLES
// RUN: %heddle run %s --kernel tables --grid 1 --block 4 --arg f32[4]=iota --arg i32=1 --dump 0 --engine interpreter 2>&1 | FileCheck %s --check-prefix=TABLES
// RUN: %heddle run %s --kernel virtuals --grid 1 --block 4 --arg i32[4]=zero --dump 0 2>&1 | FileCheck %s --check-prefix=VIRTUAL
// RUN: %heddle run %s --kernel virtuals --grid 1 --block 4 --arg i32[4]=zero --dump 0 --engine interpreter 2>&1 | FileCheck %s --check-prefix=VIRTUAL
// RUN: %heddle run %s --kernel factorials --grid 1 --block 8 --arg i32[8]=zero --dump 0 2>/dev/null | FileCheck %s --check-prefix=FACTORIAL
// RUN: not %heddle run %s --kernel factorials --grid 1 --block 32 --arg i32[32]=zero 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %heddle run %s --kernel factorials --grid 1 --block 32 --arg i32[32]=zero --engine interpreter 2>&1 | FileCheck %s --check-prefix=DEEP
//
// What cannot be executed is named, counted as a call and stops a launch that
// comes to it; everything else of the file stands.
//
// RUN: %heddle kernels %s 2>&1 | FileCheck %s
// RUN: not %heddle run %s --kernel parent --grid 1 --block 32 --arg i32[32]=zero 2>&1 | FileCheck %s --check-prefix=LAUNCH

typedef float (*Op)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ Op table[2] = {add, mul};
__constant__ Op constants[2] = {add, mul};
// TABLES: x (f32[4]): 2 6 8 8
__global__ void tables(float *x, int op) {
  x[threadIdx.x] = table[(threadIdx.x + op) & 1](x[threadIdx.x], 3.f) +
                   constants[op](x[1], x[2]);
}

struct Shape {
  __device__ virtual int area(int x) const { return x; }
};
struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area(int x) const override { return x * side; }
};
// VIRTUAL: o (i32[4]): 3 8 5 12
__global__ void virtuals(int *o) {
  Square square(2);
  Shape plain;
  Shape *shape = threadIdx.x & 1 ? &square : &plain;
  o[threadIdx.x] = shape->area(3 + threadIdx.x);
}
// A pointer that the host sets: none of the file's functions need to fit.
__global__ void host_pointer(float *x, Op op) { x[0] = op(x[0], x[1]); }

// FACTORIAL: o (i32[8]): 1 1 2 6 24 120 720 5040
// DEEP: pointers.cu:[[#@LINE+2]]: the kernel recurses deeper than is written out; this is not executed
// CHECK: pointers.cu:[[#@LINE+1]]: warning: kernel 'factorials(int*)' recurses deeper than is written out; this is not executed
__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__global__ void factorials(int *o) { o[threadIdx.x] = factorial(threadIdx.x); }

__global__ void child(int *d, int n) { d[threadIdx.x] += n; }
// LAUNCH: pointers.cu:[[#@LINE+4]]: the kernel launches a kernel itself (dynamic parallelism); this is not executed
// CHECK: pointers.cu:[[#@LINE+3]]: warning: kernel 'parent(int*)' launches a kernel itself (dynamic parallelism); this is not executed
__global__ void parent(int *d) {
  if (threadIdx.x == 0) {
    child<<<1, 32>>>(d, 3);
    cudaDeviceSynchronize();
  }
  __syncthreads();
  d[threadIdx.x]++;
}

__device__ float elsewhere(float);
// CHECK: pointers.cu:[[#@LINE+1]]: warning: kernel 'linked(float*)' calls 'elsewhere(float)', which has no body here and is no known device function; this is not executed
__global__ void linked(float *x) { x[0] = elsewhere(x[0]); }

// CHECK-DAG: {{^}}tables(float*, int)
// CHECK-DAG: {{^}}virtuals(int*)
// CHECK-DAG: {{^}}host_pointer(
// CHECK-DAG: {{^}}parent(int*)
// CHECK-DAG: {{^}}child(int*, int)
// CHECK-DAG: {{^}}linked(float*)
