// A pointer that is local, or else what memory holds: the access is generic, whichever of the
// two the analysis meets first. It was local, to --check a wild one, and models crashed.
// RUN: %heddle run %s --grid 1 --block 32 --arg out:u32[32]=zero --arg u32[32]=iota --arg u32=5 --check --dump out -q | FileCheck %s
// CHECK: out (u32[32]): 0 7 12 12 7 0 2147483649 2147483649 0 0 3 3 12 12 3 12
// RUN: %heddle simulate %s --gpu v100 --grid 1 --block 32 --arg out:u32[32]=zero --arg u32[32]=iota --arg u32=5 -q --json %t.json
// RUN: %heddle kernels %s --code-table --isa ptx | FileCheck %s --check-prefix=SPACE
// SPACE: ld.b32 {{.*}} generic 4 B
__device__ unsigned words[8] = {7, 1u << 30, 12, 0xffff, 3, 0, 99, 0x80000001};
__device__ unsigned *rows[4] = {words, words + 5, words + 2, words};
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned local[8];
  unsigned v = in[threadIdx.x];
  for (unsigned i = 0; i < 8; ++i)
    local[i] = v * i;
  const unsigned *p = v * 3 > n % (v | 1)             ? rows[v / n & 3]
                      : v / 5 < threadIdx.y && v % 3u ? rows[n / (v | 1) & 3]
                                                      : local;
  out[threadIdx.x] = p[v & 2];
}
