#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(__half h, __nv_bfloat16 b, float *out,
                       const __nv_bfloat16 *in) {
  if (threadIdx.x == 0) {
    out[0] = __half2float(h);
    out[1] = __bfloat162float(b) + __bfloat162float(in[5]);
  }
}
