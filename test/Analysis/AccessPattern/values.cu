// Addresses that are no formulas: by what they are computed, and how they move
// from thread to thread where that is known.
// RUN: %heddle analyze %s | FileCheck %s

// CHECK-LABEL: {{^}}computed{{$}}
// CHECK: branch {{.*}} by data, may diverge: {{.*}}clock
// CHECK: store 4 B global o: computed{{$}}
// CHECK: store 4 B global o: computed{{$}}
extern "C" __global__ void computed(float *o, int n) {
  o[int(__powf(2.f, threadIdx.x & 7))] = 1;
  o[clock() & 1023] = 2;
  if (clock() & 1)
    o[n] = 2;
}
// What is no sum of multiples has no multiples.
// CHECK-LABEL: {{^}}formula{{$}}
// CHECK: store 4 B global o: formula o + 4 * {{.*}}threadIdx.x % 3
extern "C" __global__ void formula(float *o) {
  o[threadIdx.x * 2 + threadIdx.x % 3] = 1;
}
// A row whose beginning is loaded, by all lanes from the same place.
// CHECK-LABEL: {{^}}rows{{$}}
// CHECK: store 4 B global o: data threadIdx.x * 4 B by b[...] at {{.*}} [4.00 sectors, 1.00 lines per request]
extern "C" __global__ void rows(float *o, const int *b) {
  o[b[blockIdx.x] + threadIdx.x] = 3;
}
// CHECK-LABEL: {{^}}gather{{$}}
// CHECK: store 4 B global o: data by b[...] at {{[^ ]*$}}
extern "C" __global__ void gather(float *o, const int *b) {
  o[b[threadIdx.x] + threadIdx.x] = 3;
}
// A constant moves lanes over the ends of sectors and lines.
// CHECK-LABEL: {{^}}shifted{{$}}
// CHECK: load 8 B global d: affine threadIdx.x * 8 B{{.*}}[9.00 sectors, 3.00 lines per request]
// CHECK: load 4 B global f: affine threadIdx.x * 4 B{{.*}}[5.00 sectors, 2.00 lines per request]
// CHECK: load 4 B global f: affine threadIdx.x * 4 B{{.*}}[4.00 sectors, 2.00 lines per request]
// CHECK: store 8 B global d: affine threadIdx.x * 8 B{{.*}}[8.00 sectors, 2.00 lines per request]
extern "C" __global__ void shifted(double *d, const float *f, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  d[t] = d[t + 1] + f[n + t - 1] + f[t + 8];
}
