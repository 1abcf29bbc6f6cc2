//===- philox.cu - Numbers of Philox 4x32-10 ------------------------------===//
//
// In the order in which generators of NVIDIA's library on the host give them
// (found by calling that of CUDA 13.0): four numbers after the other are of one
// sequence, and 65536 sequences take turns. Doubles take two counters.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

namespace heddle_rand {

static constexpr unsigned long long Turns = 65536;

/// Makes number \p N of a distribution out of the counter that it belongs to.
struct Block {
  unsigned long long Seed;

  __device__ uint4 words(unsigned long long N, unsigned PerBlock,
                         unsigned Which) const {
    const unsigned long long Four = N / 4, Counter = Four / Turns;
    const unsigned long long At = Counter * PerBlock + Which;
    return __heddle_philox(
        make_uint4(unsigned(At), unsigned(At >> 32), unsigned(Four % Turns), 0),
        make_uint2(unsigned(Seed), unsigned(Seed >> 32)));
  }
  __device__ unsigned bits(unsigned long long N) const {
    const uint4 W = words(N, 1, 0);
    return N % 4 == 0 ? W.x : N % 4 == 1 ? W.y : N % 4 == 2 ? W.z : W.w;
  }
  /// (0, 1], as the functions of a thread have it.
  __device__ float uniform(unsigned long long N, float) const {
    return bits(N) * 2.3283064e-10f + 1.1641532e-10f;
  }
  __device__ double uniform(unsigned long long N, double) const {
    const uint4 W = words(N, 2, N % 4 / 2);
    const unsigned Low = N % 2 ? W.z : W.x, High = N % 2 ? W.w : W.y;
    const unsigned long long Both = Low ^ (unsigned long long)High << 21;
    return (Both & 0x1fffffffffffffull) * 1.1102230246251565e-16 +
           5.5511151231257827e-17;
  }
  /// Box and Muller, of the pair that \p N belongs to.
  __device__ float normal(unsigned long long N, float) const {
    const float U = uniform(N & ~1ull, 0.0f);
    const float V = uniform(N | 1, 0.0f) * 6.2831853f;
    return sqrtf(-2.0f * logf(U)) * (N % 2 ? cosf(V) : sinf(V));
  }
  __device__ double normal(unsigned long long N, double) const {
    const double U = uniform(N & ~1ull, 0.0);
    const double V = uniform(N | 1, 0.0) * 6.2831853071795865;
    return sqrt(-2.0 * log(U)) * (N % 2 ? cos(V) : sin(V));
  }
};

template <typename T>
__global__ void __launch_bounds__(Threads)
    counted(Block From, unsigned long long Position, unsigned long long Count,
            T *To, Request::Distribution Of, T Mean, T Deviation) {
  const unsigned long long I =
      (unsigned long long)blockIdx.x * Threads + threadIdx.x;
  if (I >= Count)
    return;
  const unsigned long long N = Position + I;
  if constexpr (sizeof(T) == sizeof(unsigned) && T(0.5) == T(0)) {
    To[I] = From.bits(N);
  } else if (Of == Request::Uniform) {
    To[I] = From.uniform(N, T());
  } else {
    const T Normal = Mean + Deviation * From.normal(N, T());
    To[I] = Of == Request::Normal ? Normal : T(exp(Normal));
  }
}

template <typename T>
static cudaError_t count(unsigned long long Position, const Request &R,
                         cudaStream_t Stream) {
  return heddle_library::launch(
      Stream, counted<T>, heddle_library::blocks((long long)R.Count, Threads),
      Threads, 0, Block{R.Seed}, Position, R.Count, static_cast<T *>(R.To),
      R.Of, T(R.Mean), T(R.Deviation));
}
/// Only Poisson's numbers, which take as many draws as they need, have states.
static cudaError_t generateCounted(void *States, unsigned long long Position,
                                   const Request &R, cudaStream_t Stream) {
  if (R.Of == Request::Bits)
    return count<unsigned>(Position, R, Stream);
  if (R.Of == Request::Poisson)
    return KindOf<curandStatePhilox4_32_10_t>::generateAll(States, Position, R,
                                                           Stream);
  return R.IsDouble ? count<double>(Position, R, Stream)
                    : count<float>(Position, R, Stream);
}

} // namespace heddle_rand

const heddle_rand::Kind heddle_rand::Philox = {
    KindOf<curandStatePhilox4_32_10_t>::get().StateBytes,
    KindOf<curandStatePhilox4_32_10_t>::seedAll, generateCounted};
