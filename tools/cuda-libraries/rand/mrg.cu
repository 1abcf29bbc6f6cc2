//===- mrg.cu - Numbers of MRG32k3a ---------------------------------------===//
//
// Two linear recurrences modulo primes (L'Ecuyer, "Good Parameters and
// Implementations for Combined Multiple Recursive Random Number Generators",
// Operations Research 47, 1999). Of the paper are the factors; seeds are ours.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

namespace heddle_rand {

static constexpr unsigned long long M1 = 4294967087, M2 = 4294944443;

struct Mrg32k3a {
  unsigned long long X[3], Y[3]; ///< the last three of each, the oldest first
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

__device__ static unsigned curand(Mrg32k3a *S) {
  // Each product has at most 64 bits, a sum of two of them not.
  const unsigned long long X =
      (1403580 * S->X[1] % M1 + (M1 - 810728) * S->X[0] % M1) % M1;
  const unsigned long long Y =
      (527612 * S->Y[2] % M2 + (M2 - 1370589) * S->Y[0] % M2) % M2;
  S->X[0] = S->X[1];
  S->X[1] = S->X[2];
  S->X[2] = X;
  S->Y[0] = S->Y[1];
  S->Y[1] = S->Y[2];
  S->Y[2] = Y;
  return unsigned(X >= Y ? X - Y : X + M1 - Y);
}
__device__ static void skipahead(unsigned long long N, Mrg32k3a *S) {
  while (N-- > 0)
    curand(S);
}
__device__ static void curand_init(unsigned long long Seed,
                                   unsigned long long Sequence,
                                   unsigned long long Offset, Mrg32k3a *S) {
  unsigned long long Mixed = __heddle_mix(Seed ^ __heddle_mix(Sequence));
  for (int I = 0; I < 3; ++I) {
    S->X[I] = 1 + Mixed % (M1 - 1);
    Mixed = __heddle_mix(Mixed);
    S->Y[I] = 1 + Mixed % (M2 - 1);
    Mixed = __heddle_mix(Mixed);
  }
  S->boxmuller_flag = S->boxmuller_flag_double = 0;
  S->boxmuller_extra = 0;
  S->boxmuller_extra_double = 0;
  skipahead(Offset, S);
}

} // namespace heddle_rand

const heddle_rand::Kind heddle_rand::Mrg = KindOf<Mrg32k3a>::get();
