// A local array that only holds a constant is read where the constant is, by
// every engine and in PTX.
// RUN: %heddle kernels %s --emit-llvm -q -o - | FileCheck %s --check-prefix=IR --implicit-check-not='addrspacecast ptr addrspace({{[14]}}){{.*}} to ptr addrspace(5)'
// RUN: %heddle kernels %s --kernel numbers --ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %heddle run %s --kernel numbers --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=NUMBERS
// RUN: %heddle run %s --kernel numbers --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --engine interpreter -q | FileCheck %s --check-prefix=NUMBERS
// RUN: %heddle kernels %s --kernel numbers --ptx -o %t.ptx
// RUN: %heddle run %t.ptx --grid 1 --block 32 --arg f32[32]=zero --arg i32[32]=iota --dump 0 -q | FileCheck %s --check-prefix=NUMBERS
// RUN: %heddle run %s --kernel structs --grid 1 --block 32 --arg o:f64[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=STRUCTS
// RUN: %heddle run %s --kernel text --grid 1 --block 32 --arg o:i8[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=TEXT
// RUN: %heddle run %s --kernel either --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=EITHER
// RUN: %heddle run %s --kernel written --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=WRITTEN
// RUN: %heddle run %s --kernel table --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=NUMBERS
// RUN: %heddle run %s --kernel late --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --arg i32=3 --dump o --check -q | FileCheck %s --check-prefix=LATE
// RUN: %heddle run %s --kernel around --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s --check-prefix=AROUND
// RUN: %heddle run %s --kernel around --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --engine interpreter -q | FileCheck %s --check-prefix=AROUND
// The instructions that the trace counts are those of the execution.
// RUN: %heddle simulate %s --kernel numbers --grid 1 --block 32 --arg f32[32]=zero --arg i32[32]=iota -q --json - | FileCheck %s --check-prefix=COUNT

// PTX: ld.global.nc.b32
// PTX-NOT: ld.local
// COUNT: "warp_instructions": [[#%u,]]
extern "C" __global__ void numbers(float *out, const int *in) {
  const float w[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};
  // NUMBERS: 1 2 3 4 5 6 7 8.5 1 2
  out[threadIdx.x] = w[in[threadIdx.x] & 7];
}
struct Pair {
  int a;
  float b;
  double c;
};
extern "C" __global__ void structs(double *out, const int *in) {
  Pair p[4] = {{1, 2.f, 3.}, {4, 5.f, 6.}, {7, 8.f, 9.}, {10, 11.f, 12.}};
  Pair one = p[in[threadIdx.x] & 3];
  // STRUCTS: 7 34 79 142 7
  out[threadIdx.x] = one.a + one.b * one.c;
}
extern "C" __global__ void text(char *out, const int *in) {
  char w[] = "abcdefghijklmnopqrstuvwxyz012345";
  const char *q = "ABCDEFGHI";
  // TEXT: 34 36 38
  out[threadIdx.x] = (w[in[threadIdx.x] & 31] + q[in[threadIdx.x] & 7]) & 127;
}
__device__ float pick(const float *p, int i) { return p[i]; }
extern "C" __global__ void either(float *out, const int *in) {
  const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  // EITHER: 5 6 7 8 1 2 3 4 5
  out[threadIdx.x] =
      pick(in[threadIdx.x] & 4 ? a : b, in[threadIdx.x] & 3);
}
extern "C" __global__ void written(float *out, const int *in) {
  float w[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};
  w[in[threadIdx.x] & 3] = 9;
  // WRITTEN: 9 9 9 9 5 6 7 8.5 9
  out[threadIdx.x] = w[in[threadIdx.x] & 7];
}
__constant__ float values[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};
extern "C" __global__ void table(float *out, const int *in) {
  float w[8];
  for (int i = 0; i < 8; ++i)
    w[i] = values[i];
  out[threadIdx.x] = w[in[threadIdx.x] & 7];
}
// Only the back end sees that the store never happens.
extern "C" __global__ void late(float *out, const int *in, int n) {
  unsigned i = in[threadIdx.x];
  float f = 0;
  for (int k = 0; k < (int)(i & 3); ++k) {
    float w[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    if ((i - (short)n) < (i ^ n) &&
        unsigned((249ull << 14 | (unsigned short)k) /
                 (((6ull << (k & 15)) * 788845u) | 1u)) %
            3u)
      w[6] = f;
    f += w[(i + k) & 7];
  }
  // LATE: 0 2 7 15 0 6 15 11 0 2 7 15
  out[threadIdx.x] = f;
}
// The pointer into the array goes round a loop, as the back end makes it.
extern "C" __global__ void around(float *out, const int *in) {
  float f = in[threadIdx.x];
  for (int i = 0, e = in[threadIdx.x] & 7; i < e; ++i) {
    float w[8] = {9, 49, 105, 23, 84, 93, 55, 74};
    if (threadIdx.x % 2 == 1)
      w[i & 7] = f;
    f = fminf(w[i & 7], 900.0f) + 1.0f;
  }
  // AROUND: 0 2 50 6 24 10 94 14 8 10 50 14
  out[threadIdx.x] = f;
}
// IR: define
