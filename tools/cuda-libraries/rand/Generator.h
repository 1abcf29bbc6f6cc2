//===- Generator.h - What a generator of libcurand does ---------*- C++ -*-===//
//
// Number n of a generator is number n / 4096 of sequence n % 4096, as the
// vendor's manual says of its XORWOW. Seeds are our own (curand_kernel.h), so
// the numbers are others.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_RAND_GENERATOR_H
#define HEDDLE_CUDA_LIBRARIES_RAND_GENERATOR_H

#include "../Library.h"

#include <curand.h>
#include <curand_kernel.h>

namespace heddle_rand {

static constexpr unsigned Sequences = 4096, Threads = 256;

/// Numbers of a distribution. Mean is Poisson's lambda too.
struct Request {
  enum Distribution { Bits, Uniform, Normal, LogNormal, Poisson } Of;
  bool IsDouble;
  double Mean, Deviation;
  void *To;
  unsigned long long Count;
  unsigned long long Seed = 0; ///< of the generator
};

/// What there is for a kind of generator; all on a stream.
struct Kind {
  size_t StateBytes; ///< of all sequences
  /// Where the sequences are \p Offset numbers later.
  cudaError_t (*Seed)(void *States, unsigned long long Seed,
                      unsigned long long Offset, cudaStream_t);
  /// The numbers from \p Position on.
  cudaError_t (*Generate)(void *States, unsigned long long Position,
                          const Request &, cudaStream_t);
};
extern const Kind Xorwow, Philox, Mrg;

__device__ inline unsigned sequence() {
  return blockIdx.x * Threads + threadIdx.x;
}

template <typename State>
__global__ void __launch_bounds__(Threads)
    seed(State *States, unsigned long long Seed, unsigned long long Offset) {
  const unsigned S = sequence();
  State Mine;
  curand_init(Seed, S, 0, &Mine);
  skipahead(Offset / Sequences + (S < Offset % Sequences), &Mine);
  States[S] = Mine;
}

template <typename State, typename T, typename Draw>
__global__ void __launch_bounds__(Threads)
    generate(State *States, unsigned long long Position,
             unsigned long long Count, T *To, Draw Next) {
  const unsigned S = sequence();
  unsigned long long I = (S + Sequences - Position % Sequences) % Sequences;
  if (I >= Count)
    return;
  State Mine = States[S];
  for (; I < Count; I += Sequences)
    To[I] = Next(&Mine);
  States[S] = Mine;
}

/// Distributions by the functions of a thread.
struct DrawBits {
  template <typename S> __device__ unsigned operator()(S *From) const {
    return curand(From);
  }
};
template <typename T> struct DrawUniform {
  template <typename S> __device__ T operator()(S *From) const {
    if constexpr (sizeof(T) == 8)
      return curand_uniform_double(From);
    else
      return curand_uniform(From);
  }
};
template <typename T> struct DrawNormal {
  T Mean, Deviation;
  template <typename S> __device__ T operator()(S *From) const {
    if constexpr (sizeof(T) == 8)
      return Mean + Deviation * curand_normal_double(From);
    else
      return Mean + Deviation * curand_normal(From);
  }
};
template <typename T> struct DrawLogNormal {
  T Mean, Deviation;
  template <typename S> __device__ T operator()(S *From) const {
    if constexpr (sizeof(T) == 8)
      return curand_log_normal_double(From, Mean, Deviation);
    else
      return curand_log_normal(From, Mean, Deviation);
  }
};
struct DrawPoisson {
  double Lambda;
  template <typename S> __device__ unsigned operator()(S *From) const {
    return curand_poisson(From, Lambda);
  }
};

template <typename State> struct KindOf {
  static cudaError_t seedAll(void *States, unsigned long long Seed,
                             unsigned long long Offset, cudaStream_t Stream) {
    return heddle_library::launch(Stream, seed<State>, Sequences / Threads,
                                  Threads, 0, static_cast<State *>(States),
                                  Seed, Offset);
  }
  template <typename T, typename Draw>
  static cudaError_t draw(void *States, unsigned long long Position,
                          const Request &R, cudaStream_t Stream, Draw Next) {
    return heddle_library::launch(Stream, heddle_rand::generate<State, T, Draw>,
                                  Sequences / Threads, Threads, 0,
                                  static_cast<State *>(States), Position,
                                  R.Count, static_cast<T *>(R.To), Next);
  }
  template <typename T>
  static cudaError_t real(void *States, unsigned long long Position,
                          const Request &R, cudaStream_t Stream) {
    const T Mean = T(R.Mean), Deviation = T(R.Deviation);
    if (R.Of == Request::Uniform)
      return draw<T>(States, Position, R, Stream, DrawUniform<T>());
    if (R.Of == Request::Normal)
      return draw<T>(States, Position, R, Stream,
                     DrawNormal<T>{Mean, Deviation});
    return draw<T>(States, Position, R, Stream,
                   DrawLogNormal<T>{Mean, Deviation});
  }
  static cudaError_t generateAll(void *States, unsigned long long Position,
                                 const Request &R, cudaStream_t Stream) {
    if (R.Of == Request::Bits)
      return draw<unsigned>(States, Position, R, Stream, DrawBits());
    if (R.Of == Request::Poisson)
      return draw<unsigned>(States, Position, R, Stream, DrawPoisson{R.Mean});
    return R.IsDouble ? real<double>(States, Position, R, Stream)
                      : real<float>(States, Position, R, Stream);
  }
  static constexpr Kind get() {
    return {Sequences * sizeof(State), seedAll, generateAll};
  }
};

} // namespace heddle_rand

#endif // HEDDLE_CUDA_LIBRARIES_RAND_GENERATOR_H
