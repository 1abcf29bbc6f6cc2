//===- Reductions.h - Level 1: one number of a vector -----------*- C++ -*-===//
//
// Blocks leave partial values, which one more block joins; short vectors take
// one block. The order of the sums is that of the threads: results repeat.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_REDUCTIONS_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_REDUCTIONS_H

#include "Blas.h"

namespace heddle_blas {

static constexpr int ReductionThreads = 256, MaxBlocks = 64;

/// What the reductions have in common: the type of the arithmetic and of the
/// result in memory, a value of nothing, what an element adds, and how two
/// values become one.
template <typename C, bool Conjugates, typename To = C> struct Dot {
  using Number = C;
  using Value = C;
  using Result = To;
  __device__ static Value none() { return C{}; }
  __device__ static Value of(C X, C Y, int) {
    return conjugateIf(Conjugates, X) * Y;
  }
  __device__ static Value join(Value A, Value B) { return A + B; }
  __device__ static Result result(Value A) { return as<To>(A); }
};
template <typename C, typename To = RealOf<C>> struct Asum {
  using Number = C;
  using Value = RealOf<C>;
  using Result = To;
  __device__ static Value none() { return 0; }
  __device__ static Value of(C X, C, int) { return size(X); }
  __device__ static Value join(Value A, Value B) { return A + B; }
  __device__ static Result result(Value A) { return as<To>(A); }
};

/// Scale * Scale * Sum is the sum of squares: it neither overflows nor
/// vanishes.
template <typename R> struct Squares {
  R Scale, Sum;
};
template <typename C, typename To = RealOf<C>> struct Nrm2 {
  using Number = C;
  using Real = RealOf<C>;
  using Value = Squares<Real>;
  using Result = To;
  __device__ static Value none() { return {0, 0}; }
  __device__ static Value square(Real X) {
    return {X < 0 ? -X : X, X == 0 ? Real(0) : Real(1)};
  }
  __device__ static Value of(C X, C, int) {
    if constexpr (IsComplex<C>)
      return join(square(X.x), square(X.y));
    else
      return square(X);
  }
  __device__ static Value join(Value A, Value B) {
    if (A.Scale < B.Scale) {
      const Value Other = A;
      A = B;
      B = Other;
    }
    if (A.Scale == 0)
      return A;
    const Real Ratio = B.Scale / A.Scale;
    return {A.Scale, A.Sum + Ratio * Ratio * B.Sum};
  }
  __device__ static Result result(Value A) {
    return as<To>(Real(A.Scale * sqrt(A.Sum)));
  }
};

/// The first element whose magnitude is the largest (or the smallest), counted
/// from 1.
template <typename R> struct Place {
  R Magnitude;
  int At;
};
template <typename C, bool Largest> struct Extreme {
  using Number = C;
  using Value = Place<RealOf<C>>;
  using Result = int;
  __device__ static Value none() { return {0, 0}; }
  __device__ static Value of(C X, C, int I) { return {size(X), I + 1}; }
  __device__ static Value join(Value A, Value B) {
    if (A.At == 0 || B.At == 0)
      return A.At == 0 ? B : A;
    if (A.Magnitude == B.Magnitude)
      return A.At < B.At ? A : B;
    return (A.Magnitude > B.Magnitude) == Largest ? A : B;
  }
  __device__ static Result result(Value A) { return A.At; }
};

/// The value of the whole block, in its first thread.
template <typename Op>
__device__ typename Op::Value joinBlock(typename Op::Value Mine) {
  __shared__ typename Op::Value All[ReductionThreads];
  const int T = threadIdx.x;
  All[T] = Mine;
  __syncthreads();
  for (int Half = ReductionThreads / 2; Half > 0; Half /= 2) {
    if (T < Half)
      All[T] = Op::join(All[T], All[T + Half]);
    __syncthreads();
  }
  return All[0];
}

template <typename Op, typename E>
__global__ void reduce(int N, const E *X, int IncX, const E *Y, int IncY,
                       typename Op::Value *Partial, typename Op::Result *To) {
  typename Op::Value Mine = Op::none();
  for (int I = blockIdx.x * ReductionThreads + threadIdx.x; I < N;
       I += gridDim.x * ReductionThreads)
    Mine = Op::join(Mine,
                    Op::of(as<typename Op::Number>(element(X, I, N, IncX)),
                           as<typename Op::Number>(element(Y, I, N, IncY)), I));
  const typename Op::Value Whole = joinBlock<Op>(Mine);
  if (threadIdx.x != 0)
    return;
  if (gridDim.x == 1)
    *To = Op::result(Whole);
  else
    Partial[blockIdx.x] = Whole;
}
template <typename Op>
__global__ void finish(int N, const typename Op::Value *Partial,
                       typename Op::Result *To) {
  const int T = threadIdx.x;
  const typename Op::Value Whole =
      joinBlock<Op>(T < N ? Partial[T] : Op::none());
  if (T == 0)
    *To = Op::result(Whole);
}

/// A place for the result, then one for each block.
static constexpr size_t SlotBytes = 16;
static_assert(sizeof(Squares<double>) <= SlotBytes);

template <typename Op, typename E>
cublasStatus_t reduceAll(cublasHandle_t H, int N, const E *X, int IncX,
                         const E *Y, int IncY, typename Op::Result *To) {
  using Result = typename Op::Result;
  REQUIRE(To);
  const bool ToDevice = H->Mode == CUBLAS_POINTER_MODE_DEVICE;
  if (N <= 0) {
    if (ToDevice)
      return status(cudaMemsetAsync(To, 0, sizeof(*To), H->Stream));
    *To = Result{};
    return CUBLAS_STATUS_SUCCESS;
  }
  if (!H->Workspace &&
      cudaMalloc(&H->Workspace, SlotBytes * (MaxBlocks + 1)) != cudaSuccess)
    return CUBLAS_STATUS_ALLOC_FAILED;
  auto *At = ToDevice ? To : static_cast<Result *>(H->Workspace);
  auto *Partial = reinterpret_cast<typename Op::Value *>(
      static_cast<char *>(H->Workspace) + SlotBytes);
  unsigned Blocks = blocks(N, 4 * ReductionThreads);
  if (Blocks > MaxBlocks)
    Blocks = MaxBlocks;
  cublasStatus_t S = launch(H, reduce<Op, E>, Blocks, ReductionThreads, N, X,
                            IncX, Y, IncY, Partial, At);
  if (S == CUBLAS_STATUS_SUCCESS && Blocks > 1)
    S = launch(H, finish<Op>, 1, ReductionThreads, int(Blocks), Partial, At);
  if (S != CUBLAS_STATUS_SUCCESS || ToDevice)
    return S;
  if (cudaMemcpyAsync(To, At, sizeof(*To), cudaMemcpyDeviceToHost, H->Stream) !=
      cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return status(cudaStreamSynchronize(H->Stream));
}

/// Of one vector, which a step of 0 or less makes empty.
template <typename Op, typename E>
cublasStatus_t reduceOne(cublasHandle_t H, int N, const E *X, int IncX,
                         typename Op::Result *To) {
  return reduceAll<Op>(H, IncX > 0 ? N : 0, X, IncX, X, IncX, To);
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_REDUCTIONS_H
