//===- reductions.cu - Level 1: one number of a vector --------------------===//
//
// Blocks leave partial values, which one more block joins; short vectors take
// one block. The order of the sums is that of the threads: results repeat.
//
//===----------------------------------------------------------------------===//

#include "Blas.h"

namespace heddle_blas {

static constexpr int Threads = 256, MaxBlocks = 64;

/// What the reductions have in common: a value of nothing, what an element
/// adds, how two values become one, and the result.
template <typename T> struct Dot {
  using Value = T;
  using Result = T;
  __device__ static Value none() { return 0; }
  __device__ static Value of(T X, T Y, int) { return X * Y; }
  __device__ static Value join(Value A, Value B) { return A + B; }
  __device__ static Result result(Value A) { return A; }
};
template <typename T> struct Asum : Dot<T> {
  __device__ static T of(T X, T, int) { return X < 0 ? -X : X; }
};

/// Scale * Scale * Sum is the sum of squares: it neither overflows nor
/// vanishes.
template <typename T> struct Squares {
  T Scale, Sum;
};
template <typename T> struct Nrm2 {
  using Value = Squares<T>;
  using Result = T;
  __device__ static Value none() { return {0, 0}; }
  __device__ static Value of(T X, T, int) {
    return {X < 0 ? -X : X, X == 0 ? T(0) : T(1)};
  }
  __device__ static Value join(Value A, Value B) {
    if (A.Scale < B.Scale) {
      const Value Other = A;
      A = B;
      B = Other;
    }
    if (A.Scale == 0)
      return A;
    const T Ratio = B.Scale / A.Scale;
    return {A.Scale, A.Sum + Ratio * Ratio * B.Sum};
  }
  __device__ static Result result(Value A) { return A.Scale * sqrt(A.Sum); }
};

/// The first element whose magnitude is the largest (or the smallest), counted
/// from 1.
template <typename T> struct Place {
  T Magnitude;
  int At;
};
template <typename T, bool Largest> struct Extreme {
  using Value = Place<T>;
  using Result = int;
  __device__ static Value none() { return {0, 0}; }
  __device__ static Value of(T X, T, int I) { return {X < 0 ? -X : X, I + 1}; }
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
  __shared__ typename Op::Value All[Threads];
  const int T = threadIdx.x;
  All[T] = Mine;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half)
      All[T] = Op::join(All[T], All[T + Half]);
    __syncthreads();
  }
  return All[0];
}

template <typename Op, typename T>
__global__ void reduce(int N, const T *X, int IncX, const T *Y, int IncY,
                       typename Op::Value *Partial, typename Op::Result *To) {
  typename Op::Value Mine = Op::none();
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N;
       I += gridDim.x * Threads)
    Mine = Op::join(Mine,
                    Op::of(element(X, I, N, IncX), element(Y, I, N, IncY), I));
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

template <typename Op, typename T>
static cublasStatus_t run(cublasHandle_t H, int N, const T *X, int IncX,
                          const T *Y, int IncY, typename Op::Result *To) {
  using Result = typename Op::Result;
  REQUIRE(To);
  const bool ToDevice = H->Mode == CUBLAS_POINTER_MODE_DEVICE;
  if (N <= 0) {
    if (ToDevice)
      return status(cudaMemsetAsync(To, 0, sizeof(*To), H->Stream));
    *To = 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (!H->Workspace &&
      cudaMalloc(&H->Workspace, SlotBytes * (MaxBlocks + 1)) != cudaSuccess)
    return CUBLAS_STATUS_ALLOC_FAILED;
  auto *At = ToDevice ? To : static_cast<Result *>(H->Workspace);
  auto *Partial = reinterpret_cast<typename Op::Value *>(
      static_cast<char *>(H->Workspace) + SlotBytes);
  unsigned Blocks = blocks(N, 4 * Threads);
  if (Blocks > MaxBlocks)
    Blocks = MaxBlocks;
  cublasStatus_t S = launch(H, reduce<Op, T>, Blocks, Threads, N, X, IncX, Y,
                            IncY, Partial, At);
  if (S == CUBLAS_STATUS_SUCCESS && Blocks > 1)
    S = launch(H, finish<Op>, 1, Threads, int(Blocks), Partial, At);
  if (S != CUBLAS_STATUS_SUCCESS || ToDevice)
    return S;
  if (cudaMemcpyAsync(To, At, sizeof(*To), cudaMemcpyDeviceToHost, H->Stream) !=
      cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return status(cudaStreamSynchronize(H->Stream));
}

} // namespace heddle_blas

using namespace heddle_blas;

#define OF_ONE(Name, T, Op, R)                                                 \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, int N, const T *X, int IncX,  \
                               R *To) {                                        \
    ENTER(H);                                                                  \
    return run<Op>(H, IncX > 0 ? N : 0, X, IncX, X, IncX, To);                 \
  }
#define COMMA ,
#define FUNCTIONS(S, I, T)                                                     \
  EXPORTED cublasStatus_t cublas##S##dot_v2(cublasHandle_t H, int N,           \
                                            const T *X, int IncX, const T *Y,  \
                                            int IncY, T *To) {                 \
    ENTER(H);                                                                  \
    return run<Dot<T>>(H, N, X, IncX, Y, IncY, To);                            \
  }                                                                            \
  OF_ONE(cublas##S##nrm2_v2, T, Nrm2<T>, T)                                    \
  OF_ONE(cublas##S##asum_v2, T, Asum<T>, T)                                    \
  OF_ONE(cublas##I##amax_v2, T, Extreme<T COMMA true>, int)                    \
  OF_ONE(cublas##I##amin_v2, T, Extreme<T COMMA false>, int)
FUNCTIONS(S, Is, float)
FUNCTIONS(D, Id, double)
