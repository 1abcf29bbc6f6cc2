// RUN: %heddle kernels %s --emit-llvm | FileCheck %s
// A kernel that writes a struct passed by value writes its own copy; one that
// reads it reads the parameter.

typedef struct { float scale; int table[4]; } Settings;

// CHECK-LABEL: define {{.*}}ptx_kernel void @reads(
// CHECK-NOT: alloca
// CHECK: [[S:%.*]] = addrspacecast ptr %s to ptr addrspace(101)
// CHECK: load float, ptr addrspace(101) [[S]]
__kernel void reads(__global float *a, Settings s) { a[0] *= s.scale; }

// CHECK-LABEL: define {{.*}}ptx_kernel void @writes(
// CHECK: %s.copy{{[0-9]*}} = alloca
// CHECK-NOT: store {{.*}}, ptr addrspace(101)
__kernel void writes(__global float *a, Settings s) {
  s.table[get_local_id(0) & 3] = 5;
  a[0] *= s.table[get_local_id(1) & 3];
}
