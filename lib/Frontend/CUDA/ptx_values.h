// cuda::ptx: what computes a value, and special registers.

#ifndef HEDDLE_CUDA_PTX_VALUES_H
#define HEDDLE_CUDA_PTX_VALUES_H

__HEDDLE_SYNC bool elect_sync(unsigned members) {
  unsigned chosen;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, %1;\n"
               "selp.u32 %0, 1, 0, p;\n}"
               : "=r"(chosen)
               : "r"(members));
  return chosen;
}
__HEDDLE_SYNC void trap() { __trap(); }
__HEDDLE_SYNC void exit() { asm volatile("exit;"); }

#define __HEDDLE_FIND(TYPE, TEXT, OPERAND)                                     \
  __HEDDLE_SYNC unsigned bfind(TYPE a) {                                       \
    unsigned at;                                                               \
    asm("bfind." TEXT " %0, %1;" : "=r"(at) : OPERAND(a));                     \
    return at;                                                                 \
  }                                                                            \
  __HEDDLE_SYNC unsigned bfind_shiftamt(TYPE a) {                              \
    unsigned by;                                                               \
    asm("bfind.shiftamt." TEXT " %0, %1;" : "=r"(by) : OPERAND(a));            \
    return by;                                                                 \
  }
__HEDDLE_FIND(unsigned, "u32", "r")
__HEDDLE_FIND(int, "s32", "r")
__HEDDLE_FIND(unsigned long, "u64", "l")
__HEDDLE_FIND(unsigned long long, "u64", "l")
__HEDDLE_FIND(long, "s64", "l")
__HEDDLE_FIND(long long, "s64", "l")
#undef __HEDDLE_FIND

#define __HEDDLE_WORDS(NAME, TEXT)                                             \
  __HEDDLE_SYNC unsigned NAME(unsigned a, unsigned b) {                        \
    unsigned d;                                                                \
    asm(TEXT " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));                       \
    return d;                                                                  \
  }
__HEDDLE_WORDS(bmsk_clamp, "bmsk.clamp.b32")
__HEDDLE_WORDS(bmsk_wrap, "bmsk.wrap.b32")
#undef __HEDDLE_WORDS

/// A shift by more bits than there are is one by all of them; that to the right
/// brings in the sign of a signed number.
#define __HEDDLE_SHIFT(NAME, OP, AT_LEAST_ALL)                                 \
  template <typename T> __HEDDLE_SYNC T NAME(T a, unsigned by) {               \
    return by < 8 * sizeof(T) ? T(a OP by) : T(AT_LEAST_ALL);                  \
  }
__HEDDLE_SHIFT(shl, <<, 0)
__HEDDLE_SHIFT(shr, >>, a < T(0) ? -1 : 0)
#undef __HEDDLE_SHIFT

#define __HEDDLE_PERMUTATION(NAME, MODE)                                       \
  template <typename T, typename U>                                            \
  __HEDDLE_SYNC unsigned NAME(T a, U b, unsigned c) {                          \
    static_assert(sizeof(T) == 4 && sizeof(U) == 4);                           \
    unsigned d;                                                                \
    asm("prmt.b32" MODE " %0, %1, %2, %3;"                                     \
        : "=r"(d)                                                              \
        : "r"(__builtin_bit_cast(unsigned, a)),                                \
          "r"(__builtin_bit_cast(unsigned, b)), "r"(c));                       \
    return d;                                                                  \
  }
__HEDDLE_PERMUTATION(prmt, )
__HEDDLE_PERMUTATION(prmt_f4e, ".f4e")
__HEDDLE_PERMUTATION(prmt_b4e, ".b4e")
__HEDDLE_PERMUTATION(prmt_rc8, ".rc8")
__HEDDLE_PERMUTATION(prmt_ecl, ".ecl")
__HEDDLE_PERMUTATION(prmt_ecr, ".ecr")
__HEDDLE_PERMUTATION(prmt_rc16, ".rc16")
#undef __HEDDLE_PERMUTATION

/// The last number of the instruction is the clamp and the mask of segments.
#define __HEDDLE_SHUFFLE(MODE)                                                 \
  template <typename T>                                                        \
  __HEDDLE_SYNC T shfl_sync_##MODE(T a, unsigned lane, unsigned segments,      \
                                   unsigned members) {                         \
    static_assert(sizeof(T) == 4);                                             \
    unsigned d;                                                                \
    asm volatile("shfl.sync." #MODE ".b32 %0, %1, %2, %3, %4;"                 \
                 : "=r"(d)                                                     \
                 : "r"(__builtin_bit_cast(unsigned, a)), "r"(lane),            \
                   "r"(segments), "r"(members));                               \
    return __builtin_bit_cast(T, d);                                           \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_SYNC T shfl_sync_##MODE(T a, bool &is_inside, unsigned lane,        \
                                   unsigned segments, unsigned members) {      \
    static_assert(sizeof(T) == 4);                                             \
    unsigned d, inside;                                                        \
    asm volatile("{\n.reg .pred p;\nshfl.sync." #MODE                          \
                 ".b32 %0|p, %2, %3, %4, %5;\nselp.u32 %1, 1, 0, p;\n}"        \
                 : "=r"(d), "=r"(inside)                                       \
                 : "r"(__builtin_bit_cast(unsigned, a)), "r"(lane),            \
                   "r"(segments), "r"(members));                               \
    is_inside = inside;                                                        \
    return __builtin_bit_cast(T, d);                                           \
  }
__HEDDLE_SHUFFLE(idx)
__HEDDLE_SHUFFLE(up)
__HEDDLE_SHUFFLE(down)
__HEDDLE_SHUFFLE(bfly)
#undef __HEDDLE_SHUFFLE

#define __HEDDLE_SPECIAL_AS(TYPE, OPERAND, MOVE, NAME, TEXT)                   \
  __HEDDLE_SYNC TYPE get_sreg_##NAME() {                                       \
    TYPE n;                                                                    \
    asm volatile(MOVE " %0, %%" TEXT ";" : OPERAND(n));                        \
    return n;                                                                  \
  }
#define __HEDDLE_SPECIAL(NAME)                                                 \
  __HEDDLE_SPECIAL_AS(unsigned, "=r", "mov.u32", NAME, #NAME)
#define __HEDDLE_SPECIALS(NAME)                                                \
  __HEDDLE_SPECIAL_AS(unsigned, "=r", "mov.u32", NAME##_x, #NAME ".x")         \
  __HEDDLE_SPECIAL_AS(unsigned, "=r", "mov.u32", NAME##_y, #NAME ".y")         \
  __HEDDLE_SPECIAL_AS(unsigned, "=r", "mov.u32", NAME##_z, #NAME ".z")
__HEDDLE_SPECIALS(tid)
__HEDDLE_SPECIALS(ntid)
__HEDDLE_SPECIALS(ctaid)
__HEDDLE_SPECIALS(nctaid)
__HEDDLE_SPECIALS(clusterid)
__HEDDLE_SPECIALS(nclusterid)
__HEDDLE_SPECIALS(cluster_ctaid)
__HEDDLE_SPECIALS(cluster_nctaid)
__HEDDLE_SPECIAL(cluster_ctarank)
__HEDDLE_SPECIAL(cluster_nctarank)
__HEDDLE_SPECIAL(laneid)
__HEDDLE_SPECIAL(lanemask_eq)
__HEDDLE_SPECIAL(lanemask_le)
__HEDDLE_SPECIAL(lanemask_lt)
__HEDDLE_SPECIAL(lanemask_ge)
__HEDDLE_SPECIAL(lanemask_gt)
__HEDDLE_SPECIAL(warpid)
__HEDDLE_SPECIAL(nwarpid)
__HEDDLE_SPECIAL(smid)
__HEDDLE_SPECIAL(nsmid)
__HEDDLE_SPECIAL(clock)
__HEDDLE_SPECIAL(clock_hi)
__HEDDLE_SPECIAL(globaltimer_lo)
__HEDDLE_SPECIAL(globaltimer_hi)
__HEDDLE_SPECIAL(total_smem_size)
__HEDDLE_SPECIAL(dynamic_smem_size)
__HEDDLE_SPECIAL_AS(unsigned long long, "=l", "mov.u64", gridid, "gridid")
__HEDDLE_SPECIAL_AS(unsigned long long, "=l", "mov.u64", clock64, "clock64")
__HEDDLE_SPECIAL_AS(unsigned long long, "=l", "mov.u64", globaltimer,
                    "globaltimer")
#undef __HEDDLE_SPECIALS
#undef __HEDDLE_SPECIAL
#undef __HEDDLE_SPECIAL_AS
__HEDDLE_SYNC bool get_sreg_is_explicit_cluster() {
  unsigned is;
  asm volatile("{\n.reg .pred p;\nmov.pred p, %%is_explicit_cluster;\n"
               "selp.u32 %0, 1, 0, p;\n}"
               : "=r"(is));
  return is;
}

#endif
