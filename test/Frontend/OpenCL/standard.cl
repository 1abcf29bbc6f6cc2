// OpenCL C 2.0 by default; a source that only OpenCL C 1.2 takes compiles too.
// RUN: %heddle kernels %s | FileCheck %s
// CHECK: k  {{.*}}standard.cl:5
// "pipe" is a keyword since 2.0.
__kernel void k(__global float *a) {
  int pipe = get_global_id(0);
  a[pipe] = pipe;
}
