// Every built-in ends as inlined IR, an intrinsic or a heddle.* call.
// RUN: %heddle kernels %s --emit-llvm | FileCheck %s --implicit-check-not="call {{.*}}@_Z" --implicit-check-not="call {{.*}}@__"

// CHECK-LABEL: define {{.*}}ptx_kernel void @work_items(
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-DAG: call i32 @heddle.special.globaloffset.x()
// CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
// CHECK-DAG: call i32 @heddle.special.workdim()
// CHECK-DAG: call i32 @heddle.special.globaloffset.z()
__kernel void work_items(__global uint *o) {
  o[0] = get_global_id(0);
  o[1] = get_num_groups(1);
  o[2] = get_work_dim();
  o[3] = get_global_offset(2);
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @accurate(
// CHECK-DAG: call float @llvm.sin.f32(
// CHECK-DAG: call float @llvm.exp.f32(
// CHECK-DAG: call float @llvm.sqrt.f32(
// CHECK-DAG: call float @llvm.nvvm.rsqrt.approx.f(
// CHECK-DAG: call float @heddle.math.erf.f32(
// CHECK-DAG: call double @heddle.math.cbrt.f64(
// CHECK-DAG: call double @llvm.pow.f64(
// CHECK-DAG: call float @llvm.fma.f32(
__kernel void accurate(__global float *f, __global double *d) {
  float x = f[0];
  f[1] = sin(x);
  f[2] = exp(x);
  f[3] = sqrt(x);
  f[4] = rsqrt(x);
  f[5] = erf(x);
  f[6] = mad(x, x, 1.0f);
  d[1] = cbrt(d[0]);
  d[2] = pow(d[0], 2.5);
}

// Approximate functions keep the flag that says so, and there are only five.
// CHECK-LABEL: define {{.*}}ptx_kernel void @approximate(
// CHECK-DAG: call afn {{.*}}@llvm.sin.f32(
// CHECK-DAG: call afn {{.*}}@llvm.exp2.f32(
// CHECK-DAG: call afn {{.*}}@llvm.log2.f32(
// CHECK-DAG: call afn {{.*}}@llvm.sqrt.f32(
// CHECK-NOT: @llvm.exp.f32
// CHECK-NOT: @llvm.pow.f32
__kernel void approximate(__global float *f) {
  float x = f[0];
  f[1] = native_sin(x);
  f[2] = native_exp(x);
  f[3] = native_log(x);
  f[4] = native_sqrt(x);
  f[5] = native_powr(x, 3.0f);
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @vectors(
// CHECK: load <4 x float>
// CHECK-COUNT-4: call float @llvm.sin.f32(
// CHECK-NOT: {{(fadd|fmul|fma).*<4 x float>}}
// CHECK: store <4 x float>
__kernel void vectors(__global float4 *v) {
  float4 x = v[0];
  v[1] = sin(x) * x + clamp(x, 0.0f, 1.0f);
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @atomics(
// CHECK: atomicrmw add ptr addrspace(1) %a, i32
// CHECK: atomicrmw umax ptr addrspace(1) %u, i32
// CHECK: cmpxchg ptr addrspace(3) %l, i32
// CHECK: atomicrmw add ptr addrspace(1) %w, i64
// CHECK: atomicrmw add ptr addrspace(1) %c, i32 {{.*}} monotonic
__kernel void atomics(__global int *a, __global uint *u, __local int *l,
                      __global long *w, __global atomic_int *c) {
  atomic_add(a, 1);
  atomic_max(u, 2u);
  a[1] = atomic_cmpxchg(l, 1, 2);
  w[1] = atom_add(w, 3L);
  a[2] = atomic_fetch_add_explicit(c, 1, memory_order_relaxed);
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @barriers(
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK: call {{.*}}@llvm.nvvm.shfl.sync.idx.i32(
__kernel void barriers(__global int *a, __local int *l) {
  l[get_local_id(0)] = a[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_local_id(0)] = sub_group_broadcast(l[get_local_id(0) ^ 1], 0);
}
