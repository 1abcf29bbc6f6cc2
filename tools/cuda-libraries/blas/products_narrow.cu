//===- products_narrow.cu - Products of bfloat16 and of 8-bit integers ----===//

#include "AnyProduct.h"
#include "Gemv.h"

#include <cuda_bf16.h>

using namespace heddle_blas;

bool heddle_blas::multiplyNarrow(cublasHandle_t H, const AnyProduct &G,
                                 const Types &Of, cublasStatus_t &Status) {
  using Brain = __nv_bfloat16;
  const bool InWhole =
      Of.Sum == CUBLAS_COMPUTE_32I || Of.Sum == CUBLAS_COMPUTE_32I_PEDANTIC;
  if (Of.are(CUDA_R_16BF, CUDA_R_16BF) && Of.inSingle())
    Status = multiplyAny<Brain, Brain, float, float>(H, G);
  else if (Of.are(CUDA_R_16BF, CUDA_R_32F) && Of.inSingle())
    Status = multiplyAny<Brain, float, float, float>(H, G);
  else if (Of.are(CUDA_R_8I, CUDA_R_32I) && InWhole)
    Status = multiplyAny<signed char, int, int, int>(H, G);
  else if (Of.are(CUDA_R_8I, CUDA_R_32F) && Of.inSingle())
    Status = multiplyAny<signed char, float, float, float>(H, G);
  else
    return false;
  return true;
}
