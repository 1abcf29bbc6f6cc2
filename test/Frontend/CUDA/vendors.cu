// What nvcc takes and Clang does not: braces in a launch's configuration,
// 'register', more host errors than Clang prints; and flags of nvcc.
// RUN: %heddle kernels %s -- -gencode arch=compute_70,code=sm_70 -Xptxas -v -lineinfo --expt-relaxed-constexpr -Xcompiler -DTWO=2 2>&1 | FileCheck %s
// RUN: %heddle kernels %s --ptx -- -use_fast_math -DTWO=2 | FileCheck %s --check-prefix=FAST
// CHECK: note: '-gencode arch=compute_70,code=sm_70' is another compiler's and left out
// CHECK: note: {{[0-9]+}} errors outside of kernels ignored
// CHECK: void add<16>(float*)
// FAST: sin.approx
template <int N> __global__ void add(float *a) {
  register int i = threadIdx.x + blockIdx.x * N;
  a[i] = sinf(a[i]) + TWO;
}
// The header is not there; the kernel before it is none the worse.
#include <mpi.h>
int main() {
  A0(); A1(); A2(); A3(); A4(); A5(); A6(); A7(); A8(); A9(); A10(); A11();
  B0(); B1(); B2(); B3(); B4(); B5(); B6(); B7(); B8(); B9(); B10(); B11();
  add<16><<<dim3(1), {16, 1, 1}>>>(nullptr);
}
// Launches whose configuration names what is not known, in a macro and outside.
// CHECK: void scale<float>(float*)
// CHECK: void scale<double>(double*)
template <typename T> __global__ void scale(T *a) { a[threadIdx.x] *= TWO; }
#define LAUNCH(...) __VA_ARGS__
void launches(float *f, double *d) {
  scale<float><<<lib::blocks(3), 32, 0, lib::stream()>>>(f);
  LAUNCH([&] { scale<double><<<1, 32, 0, lib::stream()>>>(d); }());
}
