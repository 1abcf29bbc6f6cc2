//===- Typed.h - The element type of a file, and names of functions -*- C++
//-*-//
//
// Each file in typed/ is compiled once for each type of elements, with OF_S,
// OF_D, OF_C or OF_Z defined: the device code of an object is compiled as a
// whole when a program first launches something in it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_TYPED_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_TYPED_H

#include "Blas.h"

// NAME: most functions. NORM: those with a real result. INDEX: those with the
// place of an element. MIXED: complex vectors with real factors.
#if defined(OF_S)
using T = float;
#define NAME(Function) cublasS##Function
#define NORM(Function) cublasS##Function
#define INDEX(Function) cublasIs##Function
#elif defined(OF_D)
using T = double;
#define NAME(Function) cublasD##Function
#define NORM(Function) cublasD##Function
#define INDEX(Function) cublasId##Function
#elif defined(OF_C)
using T = cuComplex;
#define NAME(Function) cublasC##Function
#define NORM(Function) cublasSc##Function
#define INDEX(Function) cublasIc##Function
#define MIXED(Function) cublasCs##Function
#else
using T = cuDoubleComplex;
#define NAME(Function) cublasZ##Function
#define NORM(Function) cublasDz##Function
#define INDEX(Function) cublasIz##Function
#define MIXED(Function) cublasZd##Function
#endif
/// The type of the parts of a complex number; a real number's own.
using R = heddle_blas::RealOf<T>;

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_TYPED_H
