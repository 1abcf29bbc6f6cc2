// Random numbers of a thread: XORWOW (Marsaglia, "Xorshift RNGs", 2003) and
// Philox 4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3",
// SC 2011). Seeding and skipping are our own: the sequences have the same
// quality and cost as the vendor's but other numbers.

#ifndef HEDDLE_CUDA_CURAND_KERNEL_H
#define HEDDLE_CUDA_CURAND_KERNEL_H

#include "own_names.def"

#include "curand.h"
#include "device_functions.h"
#include "math_functions.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
// The combined multiple recursive generator is drawn from XORWOW here.
struct curandStateMRG32k3a : curandStateXORWOW {};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStateMtgp32 : curandStateXORWOW {};
typedef curandStateMtgp32 curandStateMtgp32_t;
struct mtgp32_kernel_params {};
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateSobol32 {
  unsigned i, x, c, direction[32];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol32 curandStateScrambledSobol32;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef unsigned curandDirectionVectors32_t[32];
struct curandStateSobol64 {
  unsigned long long i, x, c, direction[64];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateSobol64 curandStateScrambledSobol64;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef unsigned long long curandDirectionVectors64_t[64];

__HEDDLE_DEVICE unsigned curand(curandStateXORWOW *s) {
  unsigned t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->v[4] + s->d;
}
__HEDDLE_DEVICE unsigned long long
__heddle_mix(unsigned long long z) { // Steele et al., SplitMix64
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
__HEDDLE_DEVICE void curand_init(unsigned long long seed,
                                 unsigned long long sequence,
                                 unsigned long long offset,
                                 curandStateXORWOW *s) {
  unsigned long long a = __heddle_mix(seed ^ __heddle_mix(sequence));
  unsigned long long b = __heddle_mix(a + offset), c = __heddle_mix(b);
  s->v[0] = (unsigned)a | 1;
  s->v[1] = (unsigned)(a >> 32);
  s->v[2] = (unsigned)b;
  s->v[3] = (unsigned)(b >> 32);
  s->v[4] = (unsigned)c;
  s->d = (unsigned)(c >> 32);
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}
__HEDDLE_DEVICE void curand_init(unsigned long long seed,
                                 unsigned long long sequence,
                                 unsigned long long offset,
                                 curandStateMRG32k3a *s) {
  curand_init(seed, sequence, offset, (curandStateXORWOW *)s);
}
__HEDDLE_DEVICE void skipahead(unsigned long long n, curandStateXORWOW *s) {
  for (unsigned long long i = 0; i < n; ++i)
    curand(s);
}

__HEDDLE_DEVICE uint4 __heddle_philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    unsigned high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    unsigned high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
__HEDDLE_DEVICE void __heddle_advance(curandStatePhilox4_32_10 *s) {
  if (!++s->ctr.x && !++s->ctr.y && !++s->ctr.z)
    ++s->ctr.w;
}
__HEDDLE_DEVICE void curand_init(unsigned long long seed,
                                 unsigned long long sequence,
                                 unsigned long long offset,
                                 curandStatePhilox4_32_10 *s) {
  s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  s->ctr = make_uint4((unsigned)(offset / 4), (unsigned)((offset / 4) >> 32),
                      (unsigned)sequence, (unsigned)(sequence >> 32));
  s->STATE = (unsigned)(offset & 3);
  s->output = __heddle_philox(s->ctr, s->key);
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}
__HEDDLE_DEVICE unsigned curand(curandStatePhilox4_32_10 *s) {
  unsigned r = s->STATE == 0   ? s->output.x
               : s->STATE == 1 ? s->output.y
               : s->STATE == 2 ? s->output.z
                               : s->output.w;
  if (++s->STATE == 4) {
    __heddle_advance(s);
    s->output = __heddle_philox(s->ctr, s->key);
    s->STATE = 0;
  }
  return r;
}
__HEDDLE_DEVICE uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 r = {curand(s), 0, 0, 0};
  r.y = curand(s);
  r.z = curand(s);
  r.w = curand(s);
  return r;
}
__HEDDLE_DEVICE void skipahead(unsigned long long n,
                               curandStatePhilox4_32_10 *s) {
  for (unsigned long long i = 0; i < n; ++i)
    curand(s);
}

// Draws of a sequence are 2^67 apart; here another sequence is another seed.
template <typename State>
__HEDDLE_DEVICE void skipahead_sequence(unsigned long long n, State *s) {
  s->v[0] ^= (unsigned)n * 2654435769u;
  s->v[3] ^= (unsigned)(n >> 32) + 0x9e3779b9u;
}
__HEDDLE_DEVICE void skipahead_sequence(unsigned long long n,
                                        curandStatePhilox4_32_10 *s) {
  s->ctr.z += (unsigned)n;
  s->output = __heddle_philox(s->ctr, s->key);
}

// Sobol's sequence in Gray code (Bratley and Fox, ACM TOMS 14, 1988): the
// direction vectors are the caller's.
#define __HEDDLE_SOBOL(State, word, bits, ctz)                                 \
  __HEDDLE_DEVICE void curand_init(const word *directions, word offset,        \
                                   State *s) {                                 \
    word gray = offset ^ (offset >> 1);                                        \
    s->i = offset;                                                             \
    s->x = s->c = 0;                                                           \
    s->boxmuller_flag = s->boxmuller_flag_double = 0;                          \
    for (int b = 0; b < bits; ++b) {                                           \
      s->direction[b] = directions[b];                                         \
      if (gray >> b & 1)                                                       \
        s->x ^= directions[b];                                                 \
    }                                                                          \
  }                                                                            \
  __HEDDLE_DEVICE void curand_init(const word *directions, word scramble,      \
                                   word offset, State *s) {                    \
    curand_init(directions, offset, s);                                        \
    s->x ^= scramble;                                                          \
  }                                                                            \
  __HEDDLE_DEVICE word curand(State *s) {                                      \
    word result = s->x;                                                        \
    s->x ^= s->direction[ctz(~s->i) & (bits - 1)];                             \
    ++s->i;                                                                    \
    return result;                                                             \
  }                                                                            \
  __HEDDLE_DEVICE void skipahead(word n, State *s) {                           \
    word from = s->i ^ (s->i >> 1);                                            \
    s->i += n;                                                                 \
    word change = from ^ s->i ^ (s->i >> 1);                                   \
    for (int b = 0; b < bits; ++b)                                             \
      if (change >> b & 1)                                                     \
        s->x ^= s->direction[b];                                               \
  }
__HEDDLE_SOBOL(curandStateSobol32, unsigned, 32, __builtin_ctz)
__HEDDLE_SOBOL(curandStateSobol64, unsigned long long, 64, __builtin_ctzll)
#undef __HEDDLE_SOBOL

// A state of 64 bits gives its upper half to functions that take 32.
template <typename State> __HEDDLE_DEVICE unsigned __heddle_word(State *s) {
  return curand(s);
}
__HEDDLE_DEVICE unsigned __heddle_word(curandStateSobol64 *s) {
  return curand(s) >> 32;
}

// (0, 1], as documented.
template <typename State> __HEDDLE_DEVICE float curand_uniform(State *s) {
  return __heddle_word(s) * 2.3283064e-10f + 1.1641532e-10f;
}
template <typename State>
__HEDDLE_DEVICE double curand_uniform_double(State *s) {
  unsigned long long bits =
      ((unsigned long long)__heddle_word(s) << 21) ^ __heddle_word(s);
  return (bits & 0x1fffffffffffffull) * 1.1102230246251565e-16 +
         5.5511151231257827e-17;
}
// Box and Muller, two at a time.
template <typename State> __HEDDLE_DEVICE float2 curand_normal2(State *s) {
  float u = curand_uniform(s), v = curand_uniform(s) * 6.2831853f;
  float r = sqrtf(-2.0f * logf(u));
  return make_float2(r * sinf(v), r * cosf(v));
}
template <typename State> __HEDDLE_DEVICE float curand_normal(State *s) {
  if (s->boxmuller_flag) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 pair = curand_normal2(s);
  s->boxmuller_flag = 1;
  s->boxmuller_extra = pair.y;
  return pair.x;
}
template <typename State>
__HEDDLE_DEVICE double2 curand_normal2_double(State *s) {
  double u = curand_uniform_double(s),
         v = curand_uniform_double(s) * 6.2831853071795865;
  double r = sqrt(-2.0 * log(u));
  return make_double2(r * sin(v), r * cos(v));
}
template <typename State>
__HEDDLE_DEVICE double curand_normal_double(State *s) {
  if (s->boxmuller_flag_double) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  double2 pair = curand_normal2_double(s);
  s->boxmuller_flag_double = 1;
  s->boxmuller_extra_double = pair.y;
  return pair.x;
}
template <typename State>
__HEDDLE_DEVICE float curand_log_normal(State *s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <typename State>
__HEDDLE_DEVICE double curand_log_normal_double(State *s, double mean,
                                                double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
// By products of uniform numbers (Knuth), in parts of at most 16.
template <typename State>
__HEDDLE_DEVICE unsigned curand_poisson(State *s, double mean) {
  unsigned count = 0;
  while (mean > 0) {
    double part = mean < 16 ? mean : 16;
    double limit = exp(-part), product = curand_uniform_double(s);
    for (; product > limit; product *= curand_uniform_double(s))
      ++count;
    mean -= part;
  }
  return count;
}
__HEDDLE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  float4 r = {curand_uniform(s), 0, 0, 0};
  r.y = curand_uniform(s);
  r.z = curand_uniform(s);
  r.w = curand_uniform(s);
  return r;
}
__HEDDLE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  float2 a = curand_normal2(s), b = curand_normal2(s);
  return make_float4(a.x, a.y, b.x, b.y);
}
__HEDDLE_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  double2 r = {curand_uniform_double(s), 0};
  r.y = curand_uniform_double(s);
  return r;
}

#include "user_names.def"

#endif
