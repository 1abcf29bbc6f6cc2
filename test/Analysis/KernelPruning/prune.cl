// The pruned IR: widening of indices and address computation are gone, and hand the
// registers that they read to who used them.
// RUN: %heddle kernels %s --code-table --isa ir | FileCheck %s
// CHECK: kernel prune (ir): 3 blocks, 15 instructions, 2 memory records
// CHECK: add {{.*}} [[I:r[0-9]+]] <- {{r[0-9]+,r5}}
// CHECK-NOT: sext
// CHECK: mul {{ *}}mul {{ *}}i64 {{.*}} [[AT:r[0-9]+]] <- [[I]]
// CHECK: sitofp {{ *}}convert {{.*}} [[F:r[0-9]+]] <- [[I]]
// CHECK: br {{ *}}branch
// CHECK-NOT: getelementptr
// CHECK: load {{ *}}load {{.*}} [[V:r[0-9]+]] <- [[I]]{{.*}}global 4 B m0+0
// CHECK-NEXT: llvm.fma.f32 {{ *}}mad {{.*}} [[R:r[0-9]+]] <- [[V]],[[F]]
// CHECK-NEXT: store {{ *}}store {{.*}} <- [[R]],[[AT]]{{.*}}global 4 B m1+0

__kernel void prune(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    long at = (long)i * 3;
    out[at + 1] = in[i] * 2.0f + (float)i;
  }
}
