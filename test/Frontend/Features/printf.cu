// RUN: %frontends --test %s
// FEATURE: printf, lane by lane in order
// LAUNCH: --grid 2 --block 2 --arg o:i32[1]
// EXPECT: block 0 thread 1: 1.50 0x1f text
// EXPECT: block 1 thread 0: 0.00 0x1f text
#include <stdio.h>
__global__ void k(int *o) {
  printf("block %d thread %u: %.2f %#x %s\n", blockIdx.x, threadIdx.x,
         1.5f * threadIdx.x, 31, "text");
  *o = 1;
}
