// Sub-groups beyond OpenCL 2: cl_khr_subgroup_* and cl_intel_subgroups, on warps
// of 32 lanes. Compiled only for programs that use one of them, without the
// compiler's own declarations of the built-in functions.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CONVERGENT __attribute__((overloadable, always_inline, convergent))
#define ALL_LANES 0xffffffffu
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint uint4 __attribute__((ext_vector_type(4)));

static uint lane_id(void) {
  return ((__nvvm_read_ptx_sreg_tid_z() * __nvvm_read_ptx_sreg_ntid_y() +
           __nvvm_read_ptx_sreg_tid_y()) *
              __nvvm_read_ptx_sreg_ntid_x() +
          __nvvm_read_ptx_sreg_tid_x()) &
         31;
}
static uint lanes_here(void) {
  uint all = __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
             __nvvm_read_ptx_sreg_ntid_z();
  uint first = ((__nvvm_read_ptx_sreg_tid_z() * __nvvm_read_ptx_sreg_ntid_y() +
                 __nvvm_read_ptx_sreg_tid_y()) *
                    __nvvm_read_ptx_sreg_ntid_x() +
                __nvvm_read_ptx_sreg_tid_x()) &
               ~31u;
  return all - first < 32 ? all - first : 32;
}
CONVERGENT static uint active(void) { return __nvvm_activemask(); }
#define FIRST(mask) ((uint)__builtin_ctz(mask))

// Any scalar moves as a word or as two.
CONVERGENT static uint from_lane(uint x, uint lane) {
  return __nvvm_shfl_sync_idx_i32(ALL_LANES, x, lane, 31);
}
CONVERGENT static ulong from_lane(ulong x, uint lane) {
  uint low = from_lane((uint)x, lane), high = from_lane((uint)(x >> 32), lane);
  return (ulong)high << 32 | low;
}
#define TO_char(x) ((uint)(int)(x))
#define TO_uchar(x) ((uint)(x))
#define TO_short(x) ((uint)(int)(x))
#define TO_ushort(x) ((uint)(x))
#define TO_int(x) ((uint)(x))
#define TO_uint(x) (x)
#define TO_long(x) ((ulong)(x))
#define TO_ulong(x) (x)
#define TO_half(x) ((uint)__builtin_astype(x, ushort))
#define TO_float(x) __builtin_astype(x, uint)
#define TO_double(x) __builtin_astype(x, ulong)
#define OF_char(x) ((char)(x))
#define OF_uchar(x) ((uchar)(x))
#define OF_short(x) ((short)(x))
#define OF_ushort(x) ((ushort)(x))
#define OF_int(x) ((int)(x))
#define OF_uint(x) (x)
#define OF_long(x) ((long)(x))
#define OF_ulong(x) (x)
#define OF_half(x) __builtin_astype((ushort)(x), half)
#define OF_float(x) __builtin_astype(x, float)
#define OF_double(x) __builtin_astype(x, double)

#define INTEGERS(FOR)                                                          \
  FOR(char) FOR(uchar) FOR(short) FOR(ushort) FOR(int) FOR(uint) FOR(long)     \
  FOR(ulong)
#define TYPES(FOR) INTEGERS(FOR) FOR(half) FOR(float) FOR(double)

// --- cl_khr_subgroup_shuffle, _shuffle_relative, _rotate, _ballot (values) -------
#define MOVES(T)                                                               \
  CONVERGENT T sub_group_shuffle(T x, uint lane) {                             \
    return OF_##T(from_lane(TO_##T(x), lane));                                 \
  }                                                                            \
  CONVERGENT T sub_group_shuffle_xor(T x, uint mask) {                         \
    return sub_group_shuffle(x, lane_id() ^ mask);                             \
  }                                                                            \
  CONVERGENT T sub_group_shuffle_up(T x, uint delta) {                         \
    return sub_group_shuffle(x, lane_id() - delta);                            \
  }                                                                            \
  CONVERGENT T sub_group_shuffle_down(T x, uint delta) {                       \
    return sub_group_shuffle(x, lane_id() + delta);                            \
  }                                                                            \
  CONVERGENT T sub_group_clustered_rotate(T x, int delta, uint size) {         \
    uint lane = lane_id();                                                     \
    return sub_group_shuffle(x, (lane & ~(size - 1)) |                         \
                                    ((lane + (uint)delta) & (size - 1)));      \
  }                                                                            \
  CONVERGENT T sub_group_rotate(T x, int delta) {                              \
    uint n = lanes_here();                                                     \
    int to = ((int)lane_id() + delta) % (int)n;                                \
    return sub_group_shuffle(x, (uint)(to < 0 ? to + (int)n : to));            \
  }                                                                            \
  CONVERGENT T sub_group_broadcast_first(T x) {                                \
    return sub_group_shuffle(x, FIRST(active()));                              \
  }                                                                            \
  CONVERGENT T sub_group_non_uniform_broadcast(T x, uint lane) {               \
    return sub_group_shuffle(x, lane);                                         \
  }                                                                            \
  CONVERGENT int sub_group_non_uniform_all_equal(T x) {                        \
    uint mask = active();                                                      \
    T first = sub_group_shuffle(x, FIRST(mask));                               \
    return (__nvvm_vote_ballot_sync(mask, x == first) & mask) == mask;         \
  }
TYPES(MOVES)
// cl_khr_subgroup_extended_types: those that OpenCL 2 lacks.
#define BROADCAST(T)                                                           \
  CONVERGENT T sub_group_broadcast(T x, uint lane) {                           \
    return sub_group_shuffle(x, lane);                                         \
  }
BROADCAST(char) BROADCAST(uchar) BROADCAST(short) BROADCAST(ushort)
BROADCAST(half)

// --- cl_khr_subgroup_non_uniform_vote, _ballot -----------------------------------
CONVERGENT int sub_group_elect(void) { return lane_id() == FIRST(active()); }
CONVERGENT int sub_group_non_uniform_all(int p) {
  uint mask = active();
  return (__nvvm_vote_ballot_sync(mask, p != 0) & mask) == mask;
}
CONVERGENT int sub_group_non_uniform_any(int p) {
  uint mask = active();
  return (__nvvm_vote_ballot_sync(mask, p != 0) & mask) != 0;
}
CONVERGENT uint4 sub_group_ballot(int p) {
  uint mask = active();
  return (uint4)(__nvvm_vote_ballot_sync(mask, p != 0) & mask, 0, 0, 0);
}
static uint existing(void) {
  uint n = lanes_here();
  return n == 32 ? ALL_LANES : (1u << n) - 1;
}
static uint below(void) { return (1u << lane_id()) - 1; }
static uint own(void) { return 1u << lane_id(); }
CONVERGENT int sub_group_inverse_ballot(uint4 v) { return (v.x & own()) != 0; }
CONVERGENT int sub_group_ballot_bit_extract(uint4 v, uint i) {
  return i < 32 && (v.x >> i & 1);
}
CONVERGENT uint sub_group_ballot_bit_count(uint4 v) {
  return (uint)__builtin_popcount(v.x & existing());
}
CONVERGENT uint sub_group_ballot_inclusive_scan(uint4 v) {
  return (uint)__builtin_popcount(v.x & (below() | own()));
}
CONVERGENT uint sub_group_ballot_exclusive_scan(uint4 v) {
  return (uint)__builtin_popcount(v.x & below());
}
CONVERGENT uint sub_group_ballot_find_lsb(uint4 v) {
  uint bits = v.x & existing();
  return bits ? FIRST(bits) : 0;
}
CONVERGENT uint sub_group_ballot_find_msb(uint4 v) {
  uint bits = v.x & existing();
  return bits ? 31 - (uint)__builtin_clz(bits) : 0;
}
CONVERGENT uint4 get_sub_group_eq_mask(void) { return (uint4)(own(), 0, 0, 0); }
CONVERGENT uint4 get_sub_group_ge_mask(void) {
  return (uint4)(existing() & ~below(), 0, 0, 0);
}
CONVERGENT uint4 get_sub_group_gt_mask(void) {
  return (uint4)(existing() & ~below() & ~own(), 0, 0, 0);
}
CONVERGENT uint4 get_sub_group_le_mask(void) {
  return (uint4)(below() | own(), 0, 0, 0);
}
CONVERGENT uint4 get_sub_group_lt_mask(void) { return (uint4)(below(), 0, 0, 0); }

// --- cl_khr_subgroup_non_uniform_arithmetic, _clustered_reduce ---------------------
// The lanes that are here, lowest first.
#define COMBINE(T, name, combine)                                              \
  CONVERGENT T sub_group_non_uniform_reduce_##name(T v) {                      \
    uint mask = active();                                                      \
    T x = sub_group_shuffle(v, FIRST(mask));                                   \
    for (mask &= mask - 1; mask; mask &= mask - 1) {                           \
      T y = sub_group_shuffle(v, FIRST(mask));                                 \
      x = combine;                                                             \
    }                                                                          \
    return x;                                                                  \
  }                                                                            \
  CONVERGENT T sub_group_non_uniform_scan_inclusive_##name(T v) {              \
    uint mask = active(), lane = lane_id();                                    \
    T x = sub_group_shuffle(v, FIRST(mask));                                   \
    for (mask &= mask - 1; mask; mask &= mask - 1) {                           \
      T y = sub_group_shuffle(v, FIRST(mask));                                 \
      if (FIRST(mask) <= lane)                                                 \
        x = combine;                                                           \
    }                                                                          \
    return x;                                                                  \
  }                                                                            \
  CONVERGENT T sub_group_clustered_reduce_##name(T x, uint size) {             \
    for (uint distance = 1; distance < size; distance *= 2) {                  \
      T y = sub_group_shuffle(x, lane_id() ^ distance);                        \
      x = combine;                                                             \
    }                                                                          \
    return x;                                                                  \
  }
// The one of the lane before, or what changes nothing.
#define EXCLUSIVE(T, name, identity)                                           \
  CONVERGENT T sub_group_non_uniform_scan_exclusive_##name(T v) {              \
    T x = sub_group_non_uniform_scan_inclusive_##name(v);                      \
    uint before = active() & below();                                          \
    T y = sub_group_shuffle(                                                   \
        x, before ? 31 - (uint)__builtin_clz(before) : lane_id());             \
    return before ? y : (T)(identity);                                         \
  }
#define ARITHMETIC(T, lowest, highest)                                         \
  COMBINE(T, add, (T)(x + y))                                                  \
  COMBINE(T, mul, (T)(x * y))                                                  \
  COMBINE(T, min, y < x ? y : x)                                               \
  COMBINE(T, max, x < y ? y : x)                                               \
  EXCLUSIVE(T, add, 0)                                                         \
  EXCLUSIVE(T, mul, 1)                                                         \
  EXCLUSIVE(T, min, highest)                                                   \
  EXCLUSIVE(T, max, lowest)
ARITHMETIC(char, -128, 127)
ARITHMETIC(uchar, 0, 255)
ARITHMETIC(short, -32768, 32767)
ARITHMETIC(ushort, 0, 65535)
ARITHMETIC(int, -0x7fffffff - 1, 0x7fffffff)
ARITHMETIC(uint, 0, 0xffffffffu)
ARITHMETIC(long, -0x7fffffffffffffffL - 1, 0x7fffffffffffffffL)
ARITHMETIC(ulong, 0, 0xffffffffffffffffUL)
ARITHMETIC(half, -__builtin_inff(), __builtin_inff())
ARITHMETIC(float, -__builtin_inff(), __builtin_inff())
ARITHMETIC(double, -__builtin_inf(), __builtin_inf())
#define BITWISE(T)                                                             \
  COMBINE(T, and, (T)(x & y))                                                  \
  COMBINE(T, or, (T)(x | y))                                                   \
  COMBINE(T, xor, (T)(x ^ y))                                                  \
  EXCLUSIVE(T, and, ~0)                                                        \
  EXCLUSIVE(T, or, 0)                                                          \
  EXCLUSIVE(T, xor, 0)
INTEGERS(BITWISE)
COMBINE(int, logical_and, x && y)
COMBINE(int, logical_or, x || y)
COMBINE(int, logical_xor, !x != !y)
EXCLUSIVE(int, logical_and, 1)
EXCLUSIVE(int, logical_or, 0)
EXCLUSIVE(int, logical_xor, 0)

// --- cl_intel_subgroups ---------------------------------------------------------------
#define INTEL(T)                                                               \
  CONVERGENT T intel_sub_group_shuffle(T x, uint lane) {                       \
    return sub_group_shuffle(x, lane);                                         \
  }                                                                            \
  CONVERGENT T intel_sub_group_shuffle_xor(T x, uint mask) {                   \
    return sub_group_shuffle(x, lane_id() ^ mask);                             \
  }                                                                            \
  CONVERGENT T intel_sub_group_shuffle_down(T here, T next, uint delta) {      \
    uint to = lane_id() + delta, n = lanes_here();                             \
    T a = sub_group_shuffle(here, to), b = sub_group_shuffle(next, to - n);    \
    return to < n ? a : b;                                                     \
  }                                                                            \
  CONVERGENT T intel_sub_group_shuffle_up(T last, T here, uint delta) {        \
    uint lane = lane_id();                                                     \
    T a = sub_group_shuffle(here, lane - delta),                               \
      b = sub_group_shuffle(last, lane - delta + lanes_here());                \
    return delta <= lane ? a : b;                                              \
  }
TYPES(INTEL)
// Vectors move element by element.
#define INTEL_VECTOR(T, N)                                                     \
  typedef T T##N __attribute__((ext_vector_type(N)));                          \
  CONVERGENT T##N intel_sub_group_shuffle(T##N x, uint lane) {                 \
    T##N r;                                                                    \
    for (int i = 0; i < N; ++i)                                                \
      r[i] = sub_group_shuffle(x[i], lane);                                    \
    return r;                                                                  \
  }                                                                            \
  CONVERGENT T##N intel_sub_group_shuffle_xor(T##N x, uint mask) {             \
    return intel_sub_group_shuffle(x, lane_id() ^ mask);                       \
  }
INTEL_VECTOR(int, 2) INTEL_VECTOR(int, 4) INTEL_VECTOR(int, 8)
INTEL_VECTOR(float, 2) INTEL_VECTOR(float, 4) INTEL_VECTOR(float, 8)
INTEL_VECTOR(uint, 2) INTEL_VECTOR(uint, 8)
CONVERGENT uint4 intel_sub_group_shuffle(uint4 x, uint lane) {
  uint4 r;
  for (int i = 0; i < 4; ++i)
    r[i] = sub_group_shuffle(x[i], lane);
  return r;
}
CONVERGENT uint4 intel_sub_group_shuffle_xor(uint4 x, uint mask) {
  return intel_sub_group_shuffle(x, lane_id() ^ mask);
}

// A row of the block holds an element of each lane.
#define BLOCK(T, space, suffix)                                                \
  CONVERGENT T intel_sub_group_block_read##suffix(const space T *p) {          \
    return p[lane_id()];                                                       \
  }                                                                            \
  CONVERGENT void intel_sub_group_block_write##suffix(space T *p, T v) {       \
    p[lane_id()] = v;                                                          \
  }
#define ROWS(T, space, suffix, N)                                              \
  CONVERGENT T##N intel_sub_group_block_read##suffix##N(const space T *p) {    \
    uint lane = lane_id(), n = lanes_here();                                   \
    T##N r;                                                                    \
    for (int i = 0; i < N; ++i)                                                \
      r[i] = p[lane + i * n];                                                  \
    return r;                                                                  \
  }                                                                            \
  CONVERGENT void intel_sub_group_block_write##suffix##N(space T *p, T##N v) { \
    uint lane = lane_id(), n = lanes_here();                                   \
    for (int i = 0; i < N; ++i)                                                \
      p[lane + i * n] = v[i];                                                  \
  }
#define VECTORS(T)                                                             \
  typedef T T##2 __attribute__((ext_vector_type(2)));                          \
  typedef T T##4 __attribute__((ext_vector_type(4)));                          \
  typedef T T##8 __attribute__((ext_vector_type(8)));
VECTORS(uchar) VECTORS(ushort) VECTORS(ulong)
#define BLOCKS(T, space, suffix)                                               \
  BLOCK(T, space, suffix)                                                      \
  ROWS(T, space, suffix, 2)                                                    \
  ROWS(T, space, suffix, 4)                                                    \
  ROWS(T, space, suffix, 8)
BLOCKS(uint, global, ) BLOCKS(uint, global, _ui)
BLOCKS(uchar, global, _uc) BLOCKS(ushort, global, _us)
BLOCKS(ulong, global, _ul)
BLOCKS(uint, local, ) BLOCKS(ushort, local, _us)
