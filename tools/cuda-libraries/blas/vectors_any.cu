//===- vectors_any.cu - Level 1, with types given at the call -------------===//

#include "Reductions.h"
#include "Vectors.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace heddle_blas;

/// Calls \p Do with a value of the type of elements and one of that of the
/// arithmetic: narrow numbers are computed in single precision.
template <typename F>
static cublasStatus_t withType(const char *Function, cudaDataType Elements,
                               cudaDataType Arithmetic, F Do) {
  const bool InSingle = Arithmetic == CUDA_R_32F;
  if (Elements == CUDA_R_16F && InSingle)
    return Do(__half(), 0.0f);
  if (Elements == CUDA_R_16BF && InSingle)
    return Do(__nv_bfloat16(), 0.0f);
  if (Elements == CUDA_R_32F && InSingle)
    return Do(0.0f, 0.0f);
  if (Elements == CUDA_R_64F && Arithmetic == CUDA_R_64F)
    return Do(0.0, 0.0);
  if (Elements == CUDA_C_32F && Arithmetic == CUDA_C_32F)
    return Do(cuComplex(), cuComplex());
  if (Elements == CUDA_C_64F && Arithmetic == CUDA_C_64F)
    return Do(cuDoubleComplex(), cuDoubleComplex());
  return refuseTypes(Function, Elements, Elements, Arithmetic);
}
/// The arithmetic of \p Elements.
static cudaDataType arithmetic(cudaDataType Elements) {
  return Elements == CUDA_R_16F || Elements == CUDA_R_16BF ? CUDA_R_32F
                                                           : Elements;
}
/// The type of the sizes of \p Elements, and the arithmetic for them.
static cudaDataType sizes(cudaDataType Elements) {
  return Elements == CUDA_C_32F   ? CUDA_R_32F
         : Elements == CUDA_C_64F ? CUDA_R_64F
                                  : Elements;
}

EXPORTED cublasStatus_t cublasAxpyEx(cublasHandle_t H, int N, const void *Alpha,
                                     cudaDataType OfAlpha, const void *X,
                                     cudaDataType OfX, int IncX, void *Y,
                                     cudaDataType OfY, int IncY,
                                     cudaDataType Type) {
  ENTER(H);
  if (OfX != OfY || OfAlpha != Type)
    return refuseTypes(__func__, OfX, OfY, OfAlpha);
  return withType(__func__, OfX, Type, [&](auto E, auto C) {
    return runAxpy(H, N, static_cast<const decltype(C) *>(Alpha),
                   static_cast<const decltype(E) *>(X), IncX,
                   static_cast<decltype(E) *>(Y), IncY);
  });
}
EXPORTED cublasStatus_t cublasScalEx(cublasHandle_t H, int N, const void *Alpha,
                                     cudaDataType OfAlpha, void *X,
                                     cudaDataType OfX, int IncX,
                                     cudaDataType Type) {
  ENTER(H);
  if (OfAlpha != Type)
    return refuseTypes(__func__, OfX, OfX, OfAlpha);
  return withType(__func__, OfX, Type, [&](auto E, auto C) {
    using Compute = decltype(C);
    return runScal<decltype(E), Compute>(H, N,
                                         static_cast<const Compute *>(Alpha),
                                         static_cast<decltype(E) *>(X), IncX);
  });
}
EXPORTED cublasStatus_t cublasCopyEx(cublasHandle_t H, int N, const void *X,
                                     cudaDataType OfX, int IncX, void *Y,
                                     cudaDataType OfY, int IncY) {
  ENTER(H);
  if (OfX != OfY)
    return refuseTypes(__func__, OfX, OfY, OfX);
  return withType(__func__, OfX, arithmetic(OfX), [&](auto E, auto) {
    return runCopy(H, N, static_cast<const decltype(E) *>(X), IncX,
                   static_cast<decltype(E) *>(Y), IncY);
  });
}
EXPORTED cublasStatus_t cublasSwapEx(cublasHandle_t H, int N, void *X,
                                     cudaDataType OfX, int IncX, void *Y,
                                     cudaDataType OfY, int IncY) {
  ENTER(H);
  if (OfX != OfY)
    return refuseTypes(__func__, OfX, OfY, OfX);
  return withType(__func__, OfX, arithmetic(OfX), [&](auto E, auto) {
    return runSwap(H, N, static_cast<decltype(E) *>(X), IncX,
                   static_cast<decltype(E) *>(Y), IncY);
  });
}
EXPORTED cublasStatus_t cublasRotEx(cublasHandle_t H, int N, void *X,
                                    cudaDataType OfX, int IncX, void *Y,
                                    cudaDataType OfY, int IncY,
                                    const void *Cosine, const void *Sine,
                                    cudaDataType OfBoth, cudaDataType Type) {
  ENTER(H);
  REQUIRE(Cosine && Sine);
  if (OfX != OfY || (OfBoth != OfX && OfBoth != sizes(OfX)))
    return refuseTypes(__func__, OfX, OfY, OfBoth);
  const bool IsReal = OfBoth == sizes(OfX);
  return withType(__func__, OfX, Type, [&](auto E, auto C) {
    using Element = decltype(E);
    using Compute = decltype(C);
    // Factors are of the type of the elements or of their parts.
    const auto Run = [&](auto F) {
      using Given = decltype(F);
      return runRot<Element, Compute>(
          H, N, static_cast<Element *>(X), IncX, static_cast<Element *>(Y),
          IncY, factor(H, static_cast<const Given *>(Cosine)),
          factor(H, static_cast<const Given *>(Sine)));
    };
    return IsReal ? Run(RealOf<Element>()) : Run(Element());
  });
}

#define PRODUCT(Name, Conjugates)                                              \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, int N, const void *X,         \
                               cudaDataType OfX, int IncX, const void *Y,      \
                               cudaDataType OfY, int IncY, void *To,           \
                               cudaDataType OfTo, cudaDataType Type) {         \
    ENTER(H);                                                                  \
    if (OfX != OfY || OfX != OfTo)                                             \
      return refuseTypes(__func__, OfX, OfY, OfTo);                            \
    return withType(__func__, OfX, Type, [&](auto E, auto C) {                 \
      using Element = decltype(E);                                             \
      return reduceAll<Dot<decltype(C), Conjugates, Element>>(                 \
          H, N, static_cast<const Element *>(X), IncX,                         \
          static_cast<const Element *>(Y), IncY, static_cast<Element *>(To));  \
    });                                                                        \
  }
PRODUCT(cublasDotEx, false)
PRODUCT(cublasDotcEx, true)

#define SIZE(Name, Op)                                                         \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, int N, const void *X,         \
                               cudaDataType OfX, int IncX, void *To,           \
                               cudaDataType OfTo, cudaDataType Type) {         \
    ENTER(H);                                                                  \
    if (OfTo != sizes(OfX) || Type != arithmetic(OfTo))                        \
      return refuseTypes(__func__, OfX, OfTo, Type);                           \
    return withType(__func__, OfX, arithmetic(OfX), [&](auto E, auto C) {      \
      using Element = decltype(E);                                             \
      return reduceOne<Op<decltype(C), RealOf<Element>>>(                      \
          H, N, static_cast<const Element *>(X), IncX,                         \
          static_cast<RealOf<Element> *>(To));                                 \
    });                                                                        \
  }
SIZE(cublasNrm2Ex, Nrm2)
SIZE(cublasAsumEx, Asum)

#define PLACE(Name, Largest)                                                   \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, int N, const void *X,         \
                               cudaDataType OfX, int IncX, int *To) {          \
    ENTER(H);                                                                  \
    return withType(__func__, OfX, arithmetic(OfX), [&](auto E, auto C) {      \
      return reduceOne<Extreme<decltype(C), Largest>>(                         \
          H, N, static_cast<const decltype(E) *>(X), IncX, To);                \
    });                                                                        \
  }
PLACE(cublasIamaxEx, true)
PLACE(cublasIaminEx, false)
