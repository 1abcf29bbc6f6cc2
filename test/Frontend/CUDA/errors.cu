// RUN: not %heddle kernels %s 2>&1 | FileCheck %s
// Messages are Clang's: file, line, caret.
// CHECK: heddle: error: {{.*}}errors.cu does not compile
// CHECK: errors.cu:[[#@LINE+5]]:10: error: no matching function for call to 'host_only'
// CHECK-NEXT: {{.*}}|   a[0] = host_only(a[1]);
// CHECK-NEXT: {{.*}}|          ^
float host_only(float x) { return x; }
__global__ void k(float *a) {
  a[0] = host_only(a[1]);
}
