// RUN: %frontends --test %s
// FEATURE: texture references of CUDA 11 and before, shuffles without _sync
// LAUNCH: --grid 1 --block 32 --arg o:i32[2] --dump o
// EXPECT: o (i32[2]): 31 496
texture<float, 1> unused;
__global__ void k(int *o) {
  int v = threadIdx.x;
  for (int d = 16; d; d >>= 1)
    v += __shfl_xor(v, d);
  int last = __shfl((int)threadIdx.x, 31);
  o[0] = last;
  o[1] = v;
}
int main() { cudaThreadSynchronize(); }
