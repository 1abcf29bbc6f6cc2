// A failed assert says where, and stops the launch; malloc is refused by name.
// RUN: %status 1 %heddle run %s --kernel checks --grid 2 --block 4 --arg a:i32[8]=iota 2>&1 | FileCheck %s
// CHECK: assert.cu:[[#@LINE+6]]: {{.*}}checks{{.*}}: block: [0,0,0], thread: [3,0,0] Assertion `a[threadIdx.x] < 3` failed.
// CHECK: assert.cu:[[#@LINE+5]]: the kernel stopped itself
// RUN: %status 1 %heddle run %s --kernel heap --grid 1 --block 1 --arg i32[8] 2>&1 | FileCheck %s --check-prefix=HEAP
// HEAP: assert.cu:[[#@LINE+6]]: the kernel allocates memory
#include <assert.h>
extern "C" __global__ void checks(int *a) {
  assert(a[threadIdx.x] < 3);
}
extern "C" __global__ void heap(int *a) {
  a[0] = *(int *)malloc(4);
}
