// Halves of a register, each negated with saturation: sm_90 has no instruction for both.
__global__ void halves(const unsigned *a, unsigned *out) { out[threadIdx.x] = __vnegss2(a[threadIdx.x]); }
