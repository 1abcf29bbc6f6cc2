// What stands after "--" reaches Clang: macros, include folders, the version
// of the language, relaxed mathematics.
// RUN: %heddle kernels %s --emit-llvm -- -DFACTOR=7 -I %S/Inputs | FileCheck %s
// RUN: %heddle kernels %s --emit-llvm -- -DFACTOR=7 -I %S/Inputs -cl-fast-relaxed-math | FileCheck %s --check-prefix=FAST
// RUN: not %heddle kernels %s -- -I %S/Inputs 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not %heddle kernels %s -- -DFACTOR=7 2>&1 | FileCheck %s --check-prefix=INCLUDE
// RUN: not %heddle kernels %s -- -DFACTOR=7 -I %S/Inputs -cl-std=CL9 2>&1 | FileCheck %s --check-prefix=STANDARD

// MACRO: error: use of undeclared identifier 'FACTOR'
// INCLUDE: flags.cl:[[#@LINE+2]]:10: fatal error: 'offset.h' file not found
// STANDARD: error: invalid value 'CL9' in '-cl-std=CL9'
#include "offset.h"

// CHECK: mul {{.*}}i32 %{{.*}}, 7
// CHECK: add {{.*}}i32 %{{.*}}, 42
// CHECK: call float @llvm.sin.f32(
// FAST: call {{.*}}afn float @llvm.sin.f32(
__kernel void k(__global int *a, __global float *f) {
  a[0] = a[1] * FACTOR + OFFSET;
  f[0] = sin(f[1]);
}
