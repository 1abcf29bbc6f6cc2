// An error of one instance of a template is not one of the others, in kernels
// and in what they call; an error of the template itself is one of all.
// RUN: %heddle kernels %s 2>&1 | FileCheck %s
// RUN: %heddle kernels %s -- -DBROKEN 2>&1 | FileCheck %s --check-prefix=BROKEN
// CHECK-DAG: warning: direct<Word> is not compiled
// CHECK-DAG: warning: indirect<Word> is not compiled
// CHECK-DAG: {{^}}void direct<float>(float*)
// CHECK-DAG: {{^}}void indirect<float>(float*)
// CHECK-DAG: {{^}}plain(float*)
// BROKEN-DAG: warning: direct<Word> is not compiled
// BROKEN-DAG: warning: direct<float> is not compiled
// BROKEN-DAG: {{^}}void indirect<float>(float*)
// BROKEN-DAG: {{^}}plain(float*)
struct Word {
  int value;
};
template <class T> __device__ T next(T x) { return x + T(1); }
template <class T> __global__ void direct(T *p) {
#ifdef BROKEN
  nothing();
#endif
  p[threadIdx.x] = p[threadIdx.x] + T(1);
}
template <class T> __global__ void indirect(T *p) {
  p[threadIdx.x] = next(p[threadIdx.x]);
}
__global__ void plain(float *p) { *p = next(*p); }
void host(float *f, Word *w) {
  direct<float><<<1, 32>>>(f);
  direct<Word><<<1, 32>>>(w);
  indirect<float><<<1, 32>>>(f);
  indirect<Word><<<1, 32>>>(w);
}
