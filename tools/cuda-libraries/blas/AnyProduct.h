//===- AnyProduct.h - Products whose types are given at the call -*- C++
//-*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_ANYPRODUCT_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_ANYPRODUCT_H

#include "Product.h"

namespace heddle_blas {

/// What a product has beside its types.
struct AnyProduct {
  Product P;
  const void *Alpha, *Beta;
  bool IsListed; ///< A, B and C are lists of matrices
  const void *A, *B;
  void *C;
  long long StrideA, StrideB, StrideC;

  template <typename E> Batch<const E> a() const {
    return IsListed ? listed<const E>(static_cast<const E *const *>(A))
                    : strided(static_cast<const E *>(A), StrideA);
  }
  template <typename E> Batch<const E> b() const {
    return IsListed ? listed<const E>(static_cast<const E *const *>(B))
                    : strided(static_cast<const E *>(B), StrideB);
  }
  template <typename E> Batch<E> c() const {
    return IsListed ? listed<E>(static_cast<E *const *>(C))
                    : strided(static_cast<E *>(C), StrideC);
  }
};

template <typename In, typename Out, typename Sum, typename F>
cublasStatus_t multiplyAny(cublasHandle_t H, const AnyProduct &G) {
  return multiply<In, Out, Sum>(H, G.P, static_cast<const F *>(G.Alpha),
                                G.a<In>(), G.b<In>(),
                                static_cast<const F *>(G.Beta), G.c<Out>());
}

/// The types of a product.
struct Types {
  cudaDataType A, B, C;
  cublasComputeType_t Sum;

  bool are(cudaDataType In, cudaDataType Out) const {
    return A == In && B == In && C == Out;
  }
  bool inSingle() const;
};

/// Each does a product if it has its types (products_half.cu and
/// products_narrow.cu): whether it did, with the status.
bool multiplyHalves(cublasHandle_t H, const AnyProduct &G, const Types &Of,
                    cublasStatus_t &Status);
bool multiplyNarrow(cublasHandle_t H, const AnyProduct &G, const Types &Of,
                    cublasStatus_t &Status);

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_ANYPRODUCT_H
