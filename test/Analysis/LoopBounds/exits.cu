// Loops with several tests: the one at the top does not run the body when it
// ends the loop, the others have run a part of it.
// RUN: %heddle analyze %s | FileCheck %s
// RUN: %heddle analyze %s --kernel two --grid 1 --block 32 --arg f32[64] --arg i32=40 --arg i32=7 | FileCheck %s --check-prefix=SEVEN
// RUN: %heddle analyze %s --kernel two --grid 1 --block 32 --arg f32[64] --arg i32=5 --arg i32=7 | FileCheck %s --check-prefix=FIVE
// RUN: %heddle analyze %s --compiler clang --kernel unrolled --grid 1 --block 32 --arg f32[64] --arg i32=0 | FileCheck %s --check-prefix=NONE
// RUN: %heddle analyze %s --compiler nvcc --kernel unrolled --grid 1 --block 32 --arg f32[64] --arg i32=0 | FileCheck %s --check-prefix=NONE
// NONE: loop {{.*}} = 0{{$}}
// NONE-NOT: loop
// SEVEN: loop {{.*}} = 8{{$}}
// FIVE: loop {{.*}} = 5{{$}}

// CHECK-LABEL: {{^}}two{{$}}
// CHECK: loop {{.*}} L0: min({{.*}}max(n, 0){{.*}}) [scalar evolution]
extern "C" __global__ void two(float *o, int n, int m) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
    s += o[i];
    if (i == m)
      break;
    s *= 2;
  }
  o[threadIdx.x] = s;
}
// CHECK-LABEL: {{^}}constants{{$}}
// CHECK: loop {{.*}} L0: 11 [constant]
extern "C" __global__ void constants(float *o) {
  float s = 0;
  for (int i = 0; i < 100; ++i) {
    s += o[i];
    if (i == 10)
      break;
    s *= o[3 * i];
  }
  o[threadIdx.x] = s;
}
// CHECK-LABEL: {{^}}top_first{{$}}
// CHECK: loop {{.*}} L0: 100 [constant]
extern "C" __global__ void top_first(float *o) {
  float s = 0;
  for (int i = 0; i < 100; ++i) {
    s += o[i];
    if (i == 200)
      break;
    s *= o[3 * i];
  }
  o[threadIdx.x] = s;
}
// Another exit, which data decides: the test at the top still bounds the body.
// What is only added up decides nothing.
// CHECK-LABEL: {{^}}data{{$}}
// CHECK: loop {{.*}} L0: at most max(n, 0) [scalar evolution]; may end earlier by a[...] at {{.*}}exits.cu:[[#@LINE+7]]{{$}}
extern "C" __global__ void data(float *o, const int *a, int n, int m) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
    float v = o[i];
    if (v > 3)
      s += v;
    if (a[i] == m)
      break;
  }
  o[threadIdx.x] = s;
}
// CHECK-LABEL: {{^}}only_data{{$}}
// CHECK: loop {{.*}} L0: data, decided by a[...] at {{.*}}exits.cu:[[#@LINE+7]]{{$}}
extern "C" __global__ void only_data(float *o, const int *a, int m) {
  float s = 0;
  for (int i = 0;; ++i) {
    float v = o[i];
    if (v > 3)
      s += v;
    if (a[i] == m)
      break;
  }
  o[threadIdx.x] = s;
}
// Data decides whether the exit is tested.
// CHECK-LABEL: {{^}}behind_data{{$}}
// CHECK: loop {{.*}}may end earlier by a[...]
extern "C" __global__ void behind_data(float *o, const int *a, int n, int m) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
    s += o[i];
    if (a[i] > 3) {
      s += 3;
      if (i == m)
        break;
    }
    s *= 2;
  }
  o[threadIdx.x] = s;
}
// An unrolled loop that the launch does not enter has no iterations.
// CHECK-LABEL: {{^}}unrolled{{$}}
// CHECK: loop {{.*}} L0: max(n, 0) [scalar evolution]
extern "C" __global__ void unrolled(float *o, int n) {
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    o[i * 32 + threadIdx.x] += 1;
}
// A branch in front of the loop keeps all threads from it, or some: those that
// come to it count.
// RUN: %heddle analyze %s --kernel guarded --grid 1 --block 32 --arg f32[64] --arg i32=0 | FileCheck %s --check-prefix=NEVER
// RUN: %heddle analyze %s --kernel guarded --grid 1 --block 32 --arg f32[64] --arg i32=9 | FileCheck %s --check-prefix=SOME
// RUN: %heddle analyze %s --kernel guarded --grid 1 --block 32 --arg f32[64] --arg i32=0 -q --json - | FileCheck %s --check-prefix=JSON
// NEVER-COUNT-5: loop {{.*}} = 0{{$}}
// NEVER-NOT: loop
// SOME: loop {{.*}} L0: n - 4 [scalar evolution] = 5{{$}}
// SOME-NEXT: loop {{.*}} L1: n - 5 + 1 [scalar evolution] = 5{{$}}
// SOME-NEXT: loop {{.*}} L2: {{.*}} = 1 to 9{{$}}
// SOME-NEXT: loop {{.*}} L3: {{.*}} = 9{{$}}
// SOME-NEXT: loop {{.*}} L4: n - 2 + 1 {{.*}} = 8{{$}}
// JSON: "launch": {
// JSON-NEXT: "least": 0,
// JSON-NEXT: "mean": 0,
// JSON-NEXT: "most": 0
extern "C" __global__ void guarded(float *o, int n) {
  float s = 0;
  if (n > 4)
    for (int i = 0; i < n - 4; ++i)
      s += o[i];
  if (n > 4) {
    int i = 0;
    do
      s *= o[2 * i];
    while (++i < n - 4);
  }
  // Threads for which the difference wraps do not come to it.
  if (threadIdx.x < n) {
    unsigned i = threadIdx.x;
    do
      s += o[3 * i];
    while (++i != n);
  }
  for (int i = 0; i < n; ++i)
    if (n > 1) {
      int j = 1;
      do
        s *= o[i * j];
      while (++j != n);
    }
  o[threadIdx.x] = s;
}
