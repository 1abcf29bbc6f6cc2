// What stands after "--" reaches Clang: macros, include folders, the version
// of the language, relaxed mathematics.
// RUN: %heddle kernels %s --emit-llvm -- -DFACTOR=7 -I %S/Inputs | FileCheck %s
// RUN: %heddle kernels %s --emit-llvm -- -DFACTOR=7 -I %S/Inputs -cl-fast-relaxed-math | FileCheck %s --check-prefix=FAST
// RUN: not %heddle kernels %s -- -I %S/Inputs 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: %heddle kernels %s -- -DFACTOR=7 2>&1 | FileCheck %s --check-prefix=FOUND
// RUN: not %heddle kernels %s -- -DFACTOR=7 -DMISSING 2>&1 | FileCheck %s --check-prefix=INCLUDE
// RUN: not %heddle kernels %s -- -DFACTOR=7 -I %S/Inputs -cl-std=CL9 2>&1 | FileCheck %s --check-prefix=STANDARD

// MACRO: error: use of undeclared identifier 'FACTOR'
// FOUND: note: header 'offset.h' found in {{.*}}Inputs; another one: -I FOLDER after '--'
// INCLUDE: flags.cl:[[#@LINE+4]]:10: fatal error: 'nowhere.h' file not found
// INCLUDE: note: header 'nowhere.h' is not there: give its folder after '--': -I FOLDER
// STANDARD: error: invalid value 'CL9' in '-cl-std=CL9'
#ifdef MISSING
#include "nowhere.h"
#endif
#include "offset.h"

// CHECK: mul {{.*}}i32 %{{.*}}, 7
// CHECK: add {{.*}}i32 %{{.*}}, 42
// CHECK: call float @llvm.sin.f32(
// FAST: call {{.*}}afn float @llvm.sin.f32(
__kernel void k(__global int *a, __global float *f) {
#ifdef MISSING
  a[3] = nowhere();
#endif
  a[0] = a[1] * FACTOR + OFFSET;
  f[0] = sin(f[1]);
}
