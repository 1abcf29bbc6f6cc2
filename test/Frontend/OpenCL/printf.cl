// RUN: %heddle kernels %s --emit-llvm 2>&1 | FileCheck %s
// CHECK: printf.cl:[[#@LINE+4]]: warning: printf costs nothing here; 'heddle run' prints
// CHECK-NOT: @printf
__kernel void k(__global int *a) {
  int i = get_global_id(0);
  printf("%d\n", i);
  a[i] = i;
}
