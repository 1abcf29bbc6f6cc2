// The parts of CUDA that kernels use, by what they become.
// RUN: %heddle kernels %s --emit-llvm | FileCheck %s --implicit-check-not="call {{.*}}@__" --implicit-check-not="call {{.*}}@_Z"

__constant__ float coefficients[4];
__device__ int counter;

// CHECK-DAG: @coefficients = {{.*}}addrspace(4) externally_initialized constant [4 x float]
// CHECK-DAG: @counter = {{.*}}addrspace(1) externally_initialized global i32
// CHECK-DAG: @_ZZ8geometryE4tile = internal {{.*}}addrspace(3) global [32 x float] undef
// CHECK-DAG: @dynamic = external {{.*}}addrspace(3) global [0 x float]

// CHECK-LABEL: define {{.*}}ptx_kernel void @geometry(
// CHECK-DAG: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-DAG: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK-DAG: call {{.*}}@llvm.nvvm.read.ptx.sreg.ntid.z()
// CHECK-DAG: call {{.*}}@llvm.nvvm.read.ptx.sreg.nctaid.x()
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK: load float, ptr addrspace(3)
// CHECK: atomicrmw add ptr addrspace(1) @counter, i32 1 {{.*}}monotonic
extern "C" __global__ void geometry(float *out) {
  __shared__ float tile[32];
  extern __shared__ float dynamic[];
  tile[threadIdx.x] = coefficients[blockIdx.y & 3];
  dynamic[threadIdx.x] = blockDim.z + gridDim.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1] + dynamic[threadIdx.x ^ 1];
  atomicAdd(&counter, 1);
}

// Pointer arguments are global memory; so are the pointers in a struct.
struct View { float *data; int n; };
// CHECK-LABEL: define {{.*}}ptx_kernel void @pointers(
// CHECK: load float, ptr addrspace(1)
// CHECK: store float {{.*}}, ptr addrspace(1)
extern "C" __global__ void pointers(View view, const float *__restrict__ in) {
  if (threadIdx.x < view.n)
    view.data[threadIdx.x] = in[threadIdx.x];
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @mathematics(
// CHECK-DAG: call {{.*}}float @llvm.sin.f32(
// CHECK-DAG: call {{.*}}float @llvm.pow.f32(
// CHECK-DAG: call {{.*}}double @llvm.exp.f64(
// CHECK-DAG: call {{.*}}@llvm.nvvm.rsqrt.approx.f(
// CHECK-DAG: call {{.*}}float @heddle.math.erf.f32(
// CHECK-DAG: call {{.*}}float @heddle.math.fmod.f32(
// CHECK-DAG: call afn {{.*}}@llvm.sin.f32(
// CHECK-DAG: fdiv afn float
// CHECK-DAG: call {{.*}}float @llvm.fma.f32(
extern "C" __global__ void mathematics(float *f, double *d) {
  float x = f[0];
  f[1] = sinf(x);
  f[2] = powf(x, 2.5f);
  f[3] = rsqrtf(x);
  f[4] = erff(x);
  f[5] = fmodf(x, 3.0f);
  f[6] = __sinf(f[9]);
  f[7] = __fdividef(x, 3.0f);
  f[8] = x * x + 1.0f;
  d[1] = exp(d[0]);
}

// Arithmetic that names its rounding is not fused.
// CHECK-LABEL: define {{.*}}ptx_kernel void @separate(
// CHECK: fmul float
// CHECK: fadd float
// CHECK-NOT: @llvm.fma
extern "C" __global__ void separate(float *f) {
  f[0] = __fadd_rn(__fmul_rn(f[1], f[2]), f[3]);
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @warp(
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %{{.*}}, i32 4, i32 31)
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %{{.*}}, i32 1, i32 6175)
// CHECK-DAG: call {{.*}}float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %{{.*}}, i32 2, i32 0)
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.vote.ballot.sync(i32 -1,
// CHECK-DAG: call {{.*}}i32 @llvm.ctpop.i32(
extern "C" __global__ void warp(int *a, float *f) {
  int x = a[threadIdx.x];
  a[0] = __shfl_down_sync(~0u, x, 4);
  a[1] = __shfl_xor_sync(~0u, x, 1, 8);
  f[0] = __shfl_up_sync(~0u, f[threadIdx.x], 2);
  a[2] = __popc(__ballot_sync(~0u, x > 0));
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @atomics(
// CHECK: atomicrmw umin ptr addrspace(1)
// CHECK: atomicrmw fadd ptr addrspace(1) {{.*}}, double
// CHECK: atomicrmw uinc_wrap ptr addrspace(1)
// CHECK: cmpxchg ptr addrspace(1) {{.*}} i64
extern "C" __global__ void atomics(unsigned *u, double *d, unsigned long long *l) {
  u[1] = atomicMin(u, 3u);
  d[1] = atomicAdd(d, 1.0);
  u[2] = atomicInc(u, 7u);
  l[1] = atomicCAS(l, 1ull, 2ull);
}
