// A chain of one DPX function: each warp applies it to its last result and to
// eight words that it has loaded, so that no compiler can leave any out.

#define CHAIN(name, call)                                                      \
  extern "C" __global__ void name(unsigned *values, const unsigned *words,     \
                                  int rounds) {                                \
    unsigned v = values[threadIdx.x], s[8], t[8];                              \
    bool first = false, second = false;                                        \
    for (int i = 0; i < 8; ++i) {                                              \
      s[i] = words[i];                                                         \
      t[i] = words[i + 8];                                                     \
    }                                                                          \
    for (int round = 0; round < rounds; ++round)                               \
      _Pragma("unroll") for (int i = 0; i < 8; ++i) v = call;                  \
    values[threadIdx.x] = v + first + second;                                  \
  }
#define THREE(name) CHAIN(name, __##name(v, s[i], t[i]))
#define TWO(name) CHAIN(name, __##name(v, s[i]))

THREE(viaddmax_s16x2)
THREE(viaddmax_s16x2_relu)
THREE(viaddmax_s32)
THREE(viaddmax_s32_relu)
THREE(viaddmax_u32)
THREE(viaddmin_s32)
THREE(vimax3_s16x2)
THREE(vimax3_s16x2_relu)
THREE(vimax3_s32)
THREE(vimax3_s32_relu)
TWO(vimax_s16x2_relu)
TWO(vimax_s32_relu)
CHAIN(vibmax_s16x2, __vibmax_s16x2(v, s[i], &first, &second))
CHAIN(vibmax_s32, __vibmax_s32(v, s[i], &first))
