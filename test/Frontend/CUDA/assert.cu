// A failed assert says where, and stops the launch.
// RUN: %status 1 %heddle run %s --kernel checks --grid 2 --block 4 --arg a:i32[8]=iota 2>&1 | FileCheck %s
// CHECK: assert.cu:[[#@LINE+4]]: {{.*}}checks{{.*}}: block: [0,0,0], thread: [3,0,0] Assertion `a[threadIdx.x] < 3` failed.
// CHECK: assert.cu:[[#@LINE+3]]: the kernel stopped itself
#include <assert.h>
extern "C" __global__ void checks(int *a) {
  assert(a[threadIdx.x] < 3);
}
