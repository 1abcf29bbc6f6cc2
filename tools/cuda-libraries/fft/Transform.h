//===- Transform.h - One pass of a Fourier transform ------------*- C++ -*-===//
//
// A transform of N points is passes over all data, each of N / Radix short
// transforms ("lines"), which blocks do in shared memory by factors of 2 to 7
// or a prime. Both levels are Stockham's, which leaves results in order
// (Govindaraju et al., "High Performance Discrete Fourier Transforms on
// Graphics Processors", SC 2008).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_FFT_TRANSFORM_H
#define HEDDLE_CUDA_LIBRARIES_FFT_TRANSFORM_H

#include "../Library.h"

namespace heddle_fft {

static constexpr unsigned Threads = 256;
static constexpr int MaxSteps = 16, MaxLines = 256;
/// What the lines of a block may take of shared memory, twice.
static constexpr int SharedBytes = 32 << 10;

/// How an array keeps its numbers: all complex, real parts only, or the first
/// half of a symmetric line.
enum class Kind { Complex, Real, Half };

/// Distances in an array, in elements: along the dimension of the pass, along
/// the other two, and from one array of the batch to the next.
struct Place {
  long long Step, Outer, Inner, Batch;
  Kind Of;
};

struct Pass {
  int N;            ///< points along the dimension
  int Radix;        ///< points of a line
  int Before;       ///< product of the radices of earlier passes
  int Outer, Inner; ///< extents of the other two dimensions
  long long Lines;
  int PerBlock; ///< lines of a block; 0: too long for its shared memory
  int Steps, Factors[MaxSteps];
  bool IsInverse;
  bool IsInnermost; ///< neighbours along the dimension are so in memory
  Place From, To;
};

template <typename T> struct alignas(2 * sizeof(T)) Complex {
  T X, Y;
  __device__ Complex operator+(Complex O) const { return {X + O.X, Y + O.Y}; }
  __device__ Complex operator-(Complex O) const { return {X - O.X, Y - O.Y}; }
  __device__ Complex operator*(Complex O) const {
    return {X * O.X - Y * O.Y, X * O.Y + Y * O.X};
  }
};

/// exp(-2 pi i t / N) of t = 0 .. N - 1.
template <typename T> struct Roots {
  const Complex<T> *At;
  bool IsInverse;
  __device__ Complex<T> operator[](long long I) const {
    const Complex<T> W = At[I];
    return {W.X, IsInverse ? -W.Y : W.Y};
  }
};

/// A line: which of those along the dimension, and where it begins.
struct Line {
  int J;
  long long From, To;
};
__device__ inline Line lineOf(const Pass &P, long long L) {
  const int Count = P.N / P.Radix;
  const int First = P.IsInnermost ? Count : P.Inner;
  const int Second = P.IsInnermost ? P.Inner : Count;
  const int A = int(L % First), B = int(L / First % Second);
  const long long Rest = L / First / Second;
  const int J = P.IsInnermost ? A : B, Inner = P.IsInnermost ? B : A;
  const long long Outer = Rest % P.Outer, Batch = Rest / P.Outer;
  auto Begin = [&](const Place &At) {
    return Outer * At.Outer + Inner * At.Inner + Batch * At.Batch;
  };
  return {J, Begin(P.From), Begin(P.To)};
}

/// Point \p R of a line, turned as its place among the lines asks.
template <typename T>
__device__ Complex<T> load(const Pass &P, const Line &L, int R, const void *In,
                           Roots<T> W) {
  const auto *Z = static_cast<const Complex<T> *>(In);
  const long long E = L.J + (long long)R * (P.N / P.Radix);
  Complex<T> V;
  if (P.From.Of == Kind::Real) {
    V = {static_cast<const T *>(In)[L.From + E * P.From.Step], 0};
  } else if (P.From.Of == Kind::Half && E > P.N / 2) {
    V = Z[L.From + (P.N - E) * P.From.Step];
    V.Y = -V.Y;
  } else {
    V = Z[L.From + E * P.From.Step];
  }
  if (P.Before == 1)
    return V;
  const int Turn = L.J % P.Before;
  return V * W[(long long)Turn * R * (P.N / (P.Before * P.Radix))];
}
template <typename T>
__device__ void store(const Pass &P, const Line &L, int R, void *Out,
                      Complex<T> V) {
  const long long E = (long long)(L.J / P.Before) * P.Before * P.Radix +
                      L.J % P.Before + (long long)R * P.Before;
  if (P.To.Of == Kind::Real)
    static_cast<T *>(Out)[L.To + E * P.To.Step] = V.X;
  else if (P.To.Of == Kind::Complex || E <= P.N / 2)
    static_cast<Complex<T> *>(Out)[L.To + E * P.To.Step] = V;
}

/// The transform of F points in registers.
template <int F, typename T>
__device__ void transform(Complex<T> (&V)[F], int N, Roots<T> W) {
  if constexpr (F == 2) {
    const Complex<T> A = V[0];
    V[0] = A + V[1];
    V[1] = A - V[1];
  } else if constexpr (F == 4) {
    const Complex<T> A = V[0] + V[2], B = V[0] - V[2], C = V[1] + V[3],
                     D = V[1] - V[3];
    const Complex<T> Turned =
        W.IsInverse ? Complex<T>{-D.Y, D.X} : Complex<T>{D.Y, -D.X};
    V[0] = A + C;
    V[1] = B + Turned;
    V[2] = A - C;
    V[3] = B - Turned;
  } else {
    Complex<T> Root[F], Sums[F];
#pragma unroll
    for (int I = 0; I < F; ++I)
      Root[I] = W[(long long)I * (N / F)];
#pragma unroll
    for (int K = 0; K < F; ++K) {
      Sums[K] = V[0];
#pragma unroll
      for (int R = 1; R < F; ++R)
        Sums[K] = Sums[K] + V[R] * Root[K * R % F];
    }
#pragma unroll
    for (int K = 0; K < F; ++K)
      V[K] = Sums[K];
  }
}

/// What a step of a line of \p Radix points knows: the product of the factors
/// before its own.
struct Step {
  int N, Radix, Before, Lines;
};
/// A thread takes F points.
template <int F, typename T>
__device__ void step(Step S, const Complex<T> *From, Complex<T> *To,
                     Roots<T> W) {
  const int Each = S.Radix / F;
  for (int I = threadIdx.x; I < S.Lines * Each; I += Threads) {
    const int Begin = I / Each * S.Radix, J = I % Each, Turn = J % S.Before;
    Complex<T> V[F];
#pragma unroll
    for (int R = 0; R < F; ++R) {
      V[R] = From[Begin + J + R * Each];
      if (R && S.Before > 1)
        V[R] = V[R] * W[(long long)Turn * R * (S.N / (S.Before * F))];
    }
    transform<F>(V, S.N, W);
#pragma unroll
    for (int R = 0; R < F; ++R)
      To[Begin + J / S.Before * S.Before * F + Turn + R * S.Before] = V[R];
  }
}
/// A thread makes one point of \p F: for primes that have no registers.
template <typename T>
__device__ void longStep(Step S, int F, const Complex<T> *From, Complex<T> *To,
                         Roots<T> W) {
  const int Each = S.Radix / F;
  for (int I = threadIdx.x; I < S.Lines * S.Radix; I += Threads) {
    const int Begin = I / S.Radix * S.Radix, J = I % Each;
    const int K = I % S.Radix / Each, Turn = J % S.Before;
    Complex<T> Sum = From[Begin + J];
    for (int R = 1; R < F; ++R) {
      const long long At = (long long)Turn * R * (S.N / (S.Before * F)) +
                           (long long)(R * K % F) * (S.N / F);
      Sum = Sum + From[Begin + J + R * Each] * W[At % S.N];
    }
    To[Begin + J / S.Before * S.Before * F + Turn + K * S.Before] = Sum;
  }
}

template <typename T>
__global__ void __launch_bounds__(Threads)
    lines(Pass P, const void *In, void *Out, const Complex<T> *Table) {
  extern __shared__ double2 Shared[];
  __shared__ Line Lines[MaxLines];
  const Roots<T> W = {Table, P.IsInverse};
  auto *Now = reinterpret_cast<Complex<T> *>(Shared);
  auto *Next = Now + P.PerBlock * P.Radix;
  const long long First = (long long)blockIdx.x * P.PerBlock;
  const int Here =
      int(P.Lines - First < P.PerBlock ? P.Lines - First : P.PerBlock);
  for (int L = threadIdx.x; L < Here; L += Threads)
    Lines[L] = lineOf(P, First + L);
  __syncthreads();
  // Neighbouring threads take neighbours in memory.
  const bool Along = P.IsInnermost && P.Radix == P.N;
  for (int I = threadIdx.x; I < Here * P.Radix; I += Threads) {
    const int L = Along ? I / P.Radix : I % Here;
    const int R = Along ? I % P.Radix : I / Here;
    Now[L * P.Radix + R] = load(P, Lines[L], R, In, W);
  }
  __syncthreads();
  Step S = {P.N, P.Radix, 1, Here};
  for (int I = 0; I < P.Steps; ++I) {
    const int F = P.Factors[I];
    switch (F) {
#define CASE(Number)                                                           \
  case Number:                                                                 \
    step<Number>(S, Now, Next, W);                                             \
    break;
      CASE(2)
      CASE(3)
      CASE(4)
      CASE(5)
      CASE(7)
#undef CASE
    default:
      longStep(S, F, Now, Next, W);
    }
    S.Before *= F;
    auto *Other = Now;
    Now = Next;
    Next = Other;
    __syncthreads();
  }
  for (int I = threadIdx.x; I < Here * P.Radix; I += Threads) {
    const int L = Along ? I / P.Radix : I % Here;
    const int R = Along ? I % P.Radix : I / Here;
    store(P, Lines[L], R, Out, Now[L * P.Radix + R]);
  }
}

/// A line whose length is a large prime: a thread sums one point of it.
template <typename T>
__global__ void __launch_bounds__(Threads)
    sums(Pass P, const void *In, void *Out, const Complex<T> *Table) {
  const long long I = (long long)blockIdx.x * Threads + threadIdx.x;
  if (I >= P.Lines * P.Radix)
    return;
  const Roots<T> W = {Table, P.IsInverse};
  const Line L = lineOf(P, I / P.Radix);
  const long long K = I % P.Radix;
  Complex<T> Sum = load(P, L, 0, In, W);
  for (int R = 1; R < P.Radix; ++R)
    Sum = Sum + load(P, L, R, In, W) * W[K * R % P.Radix * (P.N / P.Radix)];
  store(P, L, int(K), Out, Sum);
}

template <typename T>
cudaError_t run(const Pass &P, const void *In, void *Out, const void *Table,
                cudaStream_t Stream) {
  using namespace heddle_library;
  const auto *Roots = static_cast<const Complex<T> *>(Table);
  if (P.PerBlock == 0)
    return launch(Stream, sums<T>, blocks(P.Lines * P.Radix, Threads), Threads,
                  0, P, In, Out, Roots);
  const size_t Shared = 2 * sizeof(Complex<T>) * P.PerBlock * P.Radix;
  return launch(Stream, lines<T>, blocks(P.Lines, unsigned(P.PerBlock)),
                Threads, Shared, P, In, Out, Roots);
}

/// A file for each precision: the device code of a file is compiled as a whole
/// when a program first launches something in it.
cudaError_t runSingle(const Pass &, const void *In, void *Out,
                      const void *Table, cudaStream_t);
cudaError_t runDouble(const Pass &, const void *In, void *Out,
                      const void *Table, cudaStream_t);

} // namespace heddle_fft

#endif // HEDDLE_CUDA_LIBRARIES_FFT_TRANSFORM_H
