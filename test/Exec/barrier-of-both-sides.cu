// The optimiser sends thread 0 around the barrier where it knows that nobody wants it. Otherwise all threads meet there.
// DEFINE: %{mode} = 1
// DEFINE: %{of} = %s --grid 1 --block 64 --arg i32[64]=iota --arg o:i32[64]=zero --arg i32=%{mode}
// RUN: %heddle run %{of} --dump o -q | FileCheck %s
// RUN: %heddle run %{of} --dump o -q --engine interpreter | FileCheck %s
// RUN: %heddle trace %{of} -q -o %t.j
// RUN: %heddle trace %{of} -q --engine interpreter -o %t.i
// RUN: cmp %t.j %t.i
// CHECK: o (i32[64]): 63 62 61 60 59 58
// REDEFINE: %{mode} = 2
// RUN: %heddle run %{of} --dump o -q | FileCheck %s --check-prefix=NONE
// RUN: %heddle run %{of} --dump o -q --engine interpreter | FileCheck %s --check-prefix=NONE
// NONE: o (i32[64]): 0 1 2 3
extern "C" __global__ void reverse(const int *In, int *Out, int Mode) {
  __shared__ int Tile[64];
  const int T = threadIdx.x;
  Tile[63 - T] = In[T];
  if (T == 0) {
    if (Mode != 2) {
      Tile[0] += Mode == 3 ? 1000 : 0;
      __threadfence_block();
    }
    if (Mode != 2)
      Tile[1] += In[0];
  }
  if (Mode != 1) {
    volatile int *Own = &Tile[T];
    *Own = In[T];
    while (*Own == 77)
      ;
  } else {
    __syncthreads();
  }
  Out[T] = Tile[T];
}
