// An access through a cast is aligned as the type that is cast to, as by nvcc, and
// not as the variable behind it: one instruction each. --check finds those that are
// not aligned so.
// RUN: %heddle kernels %s --ptx -o - | FileCheck %s
// DEFINE: %{kernel} = rows
// DEFINE: %{run} = %heddle run %s --kernel %{kernel} --grid 1 --block 32 --arg p:f32[256]=iota --dump p -q
// RUN: %{run} | FileCheck %s --check-prefix=ROWS
// RUN: %{run} --engine interpreter --check | FileCheck %s --check-prefix=ROWS
// ROWS: p (f32[256]): 6 22 38 54 70 86 102 118
// REDEFINE: %{kernel} = odd
// RUN: %status 1 %{run} --check 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: {{.*}}cast-alignment.cu:[[#@LINE+63]]: misaligned read of 4 bytes at an address that is 1 more than a multiple: it needs a multiple of 4

__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

// CHECK-LABEL: .entry rows(
// CHECK: ld.shared.v4.b32
// CHECK-NOT: ld.shared
extern "C" __global__ void rows(float *p) {
  __shared__ float tile[32][4];
  for (int i = 0; i < 4; ++i)
    tile[threadIdx.x][i] = p[threadIdx.x * 4 + i];
  __syncthreads();
  p[threadIdx.x] = sum(*reinterpret_cast<float4 *>(&tile[threadIdx.x][0]));
}

// CHECK-LABEL: .entry reference(
// CHECK: ld.shared.v4.b32
// CHECK-NOT: ld.shared
extern "C" __global__ void reference(float *p) {
  __shared__ float tile[128];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = sum(reinterpret_cast<float4 &>(tile[threadIdx.y * 4]));
}

// CHECK-LABEL: .entry bytes(
// CHECK: st.shared.b32
// CHECK: ld.shared.b32
// CHECK-NOT: ld.shared
extern "C" __global__ void bytes(float *p) {
  extern __shared__ char raw[];
  ((float *)raw)[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = ((float *)raw)[threadIdx.x ^ 1];
}

struct Record {
  int count;
  char data[60];
};
// CHECK-LABEL: .entry members(
// CHECK-COUNT-1: ld.global
// CHECK-NOT: ld.global
extern "C" __global__ void members(const Record *records, int *out) {
  out[threadIdx.x] = *(const int *)records[threadIdx.x].data;
}

// What is packed stays as it is.
struct __attribute__((packed)) Packed {
  char tag;
  int value;
};
// CHECK-LABEL: .entry packed(
// CHECK-COUNT-4: ld.global{{.*}}.b8
extern "C" __global__ void packed(const Packed *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x].value;
}

extern "C" __global__ void odd(float *p) {
  __shared__ char raw[256];
  for (int i = threadIdx.x; i < 256; i += 32)
    raw[i] = i;
  __syncthreads();
  p[threadIdx.x] = *(float *)(raw + threadIdx.x * 4 + (int(p[33]) & 3));
}
