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
