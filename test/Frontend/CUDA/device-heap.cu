// malloc, free, new and delete in kernels: 8 MiB, null when they are used up, and
// what --check says of blocks of them.
// DEFINE: %{kernel} = objects
// DEFINE: %{run} = %heddle run %s --grid 2 --block 32 --kernel %{kernel} --arg o:i32[64]=zero --dump o -q
// DEFINE: %{text} = OBJECTS
// DEFINE: %{each} = %{run} --engine jit 2>/dev/null | FileCheck %s --check-prefix=%{text} && %{run} --engine interpreter 2>/dev/null | FileCheck %s --check-prefix=%{text} && %{run} --check 2>/dev/null | FileCheck %s --check-prefix=%{text}
// RUN: %{each}
// REDEFINE: %{kernel} = exhaust
// REDEFINE: %{text} = EXHAUST
// RUN: %{each}
// DEFINE: %{wrong} = %status 1 %{run} --check 2>&1 | FileCheck %s
// REDEFINE: %{kernel} = after_free
// RUN: %{wrong} --check-prefix=FREED
// REDEFINE: %{kernel} = past_end
// RUN: %{wrong} --check-prefix=PAST
// REDEFINE: %{kernel} = before
// RUN: %{wrong} --check-prefix=BEFORE
// REDEFINE: %{kernel} = across_end
// RUN: %{wrong} --check-prefix=ACROSS
// REDEFINE: %{kernel} = twice
// RUN: %status 1 %{run} 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %status 1 %{run} --engine interpreter 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %{wrong} --check-prefix=TWICE
//
// What their time stands for is said; a kernel without them says nothing.
// RUN: %heddle simulate %s --kernel objects --grid 2 --block 32 --arg i32[64]=zero --json - 2>/dev/null | FileCheck %s --check-prefix=JSON
// RUN: %heddle simulate %s --kernel plain --grid 2 --block 32 --arg i32[64]=zero --json - 2>/dev/null | FileCheck %s --check-prefix=NONE
// JSON: kernel 'objects': malloc and free are our own, executed and timed as their code
// NONE-NOT: malloc and free
#include <cstdlib>
#include <new>

struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
struct Line : Shape {
  __device__ int area() const override { return -1; }
};
// Blocks are aligned, lie apart, and are used again.
// OBJECTS: o (i32[64]): 0 -1 4 -1 16 -1 36 -1 64 -1 100 -1 144 -1 196 -1
extern "C" __global__ void objects(int *o) {
  int errors = 0;
  for (int round = 0; round < 4; ++round) {
    Shape *shape = threadIdx.x % 2 ? (Shape *)new Line : new Square(threadIdx.x);
    int *list = new int[threadIdx.x + 1];
    char *text = (char *)malloc(5);
    errors += (size_t)text % 16 + (size_t)list % 16 + (size_t)shape % 16;
    for (int i = 0; i <= threadIdx.x; ++i)
      list[i] = blockIdx.x + i;
    for (int i = 0; i < 5; ++i)
      text[i] = i;
    for (int i = 0; i <= threadIdx.x; ++i)
      errors += list[i] != blockIdx.x + i;
    for (int i = 0; i < 5; ++i)
      errors += text[i] != i;
    o[blockIdx.x * 32 + threadIdx.x] = shape->area() + 1000 * errors;
    free(text);
    delete[] list;
    delete shape;
  }
  free(nullptr);
}
// 32 lanes ask for 384 KiB each, which becomes 448 KiB: 18 have room. None has 9 MiB.
// EXHAUST: o (i32[64]): 18 0 1 1
extern "C" __global__ void exhaust(int *o) {
  if (blockIdx.x)
    return;
  char *p = (char *)malloc(384 << 10);
  const int some = __popc(__ballot_sync(~0u, p != nullptr));
  const bool none = malloc(9 << 20) == nullptr && malloc((size_t)-1) == nullptr;
  if (p)
    p[(384 << 10) - 1] = 1;
  free(p);
  __syncwarp();
  char *again = (char *)malloc(384 << 10);
  const int others = __popc(__ballot_sync(~0u, again != nullptr));
  if (threadIdx.x == 0) {
    o[0] = some;
    o[1] = some - others;
    o[2] = none;
    o[3] = new char[9 << 20] == nullptr;
  }
}
extern "C" __global__ void after_free(int *o) {
  int *p = (int *)malloc(40);
  free(p);
  // FREED: error: {{.*}}device-heap.cu:[[#@LINE+1]]: write of 4 bytes after free, at byte 8 of a block of 40 bytes of the heap (block (0, 0, 0), thread (0, 0, 0)), and 63 more
  p[2] = o[threadIdx.x];
}
extern "C" __global__ void past_end(int *o) {
  int *p = (int *)malloc(40);
  // PAST: error: {{.*}}device-heap.cu:[[#@LINE+1]]: read of 4 bytes 0 bytes past the end of a block of 40 bytes of the heap (block (0, 0, 0), thread (0, 0, 0)), and 63 more
  o[threadIdx.x] = p[10];
  free(p);
}
extern "C" __global__ void before(int *o) {
  malloc(48);
  int *p = (int *)malloc(48);
  // BEFORE: error: {{.*}}device-heap.cu:[[#@LINE+1]]: read of 4 bytes 12 bytes past the end of a block of 48 bytes of the heap (block (0, 0, 0), thread (0, 0, 0)), and 63 more
  o[threadIdx.x] = p[-1];
  free(p);
}
extern "C" __global__ void across_end(int *o) {
  int *p = (int *)malloc(10);
  // ACROSS: error: {{.*}}device-heap.cu:[[#@LINE+1]]: write of 4 bytes at byte 8 of a block of 10 bytes of the heap (block
  p[2] = o[threadIdx.x];
  free(p);
}
extern "C" __global__ void twice(int *o) {
  int *p = (int *)malloc(16);
  free(p);
  // TWICE: Assertion `malloc or new has returned it, and nothing has freed it` failed.
  // TWICE: error: {{.*}}device-heap.cu:[[#@LINE+2]]: the kernel stopped itself
  if (threadIdx.x == 5)
    free(p);
}
extern "C" __global__ void plain(int *o) { o[threadIdx.x] = 1; }
