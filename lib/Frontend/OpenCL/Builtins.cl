// OpenCL built-in functions that libclc lacks for NVPTX and that are easier
// said in OpenCL C than in IR: atomics on 64 bits, atomics and sub-groups of
// OpenCL 2. Compiled only for programs that use one of them, without the
// compiler's own declarations of the built-in functions.

#pragma OPENCL EXTENSION all : enable
#define OVERLOAD __attribute__((overloadable, always_inline))
#define RELAXED __ATOMIC_RELAXED
#define SEQ_CST __ATOMIC_SEQ_CST
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;

// The names of OpenCL's enumerations are part of the mangled names.
typedef enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
} memory_order;
typedef enum memory_scope {
  memory_scope_work_item = 0,
  memory_scope_work_group = 1,
  memory_scope_device = 2,
  memory_scope_all_svm_devices = 3,
  memory_scope_sub_group = 4
} memory_scope;

// --- OpenCL 1: atom_* on 64 bits --------------------------------------------------
#define ATOM(space, type, name, operation)                                       \
  OVERLOAD type name(volatile space type *p, type v) {                           \
    return __scoped_atomic_fetch_##operation(p, v, RELAXED, __MEMORY_SCOPE_DEVICE);  \
  }
#define ATOMS(space, type)                                                       \
  ATOM(space, type, atom_add, add)                                               \
  ATOM(space, type, atom_sub, sub)                                               \
  ATOM(space, type, atom_min, min)                                               \
  ATOM(space, type, atom_max, max)                                               \
  ATOM(space, type, atom_and, and)                                               \
  ATOM(space, type, atom_or, or)                                                 \
  ATOM(space, type, atom_xor, xor)                                               \
  OVERLOAD type atom_inc(volatile space type *p) { return atom_add(p, (type)1); }\
  OVERLOAD type atom_dec(volatile space type *p) { return atom_sub(p, (type)1); }\
  OVERLOAD type atom_xchg(volatile space type *p, type v) {                      \
    return __scoped_atomic_exchange_n(p, v, RELAXED, __MEMORY_SCOPE_DEVICE);     \
  }                                                                              \
  OVERLOAD type atom_cmpxchg(volatile space type *p, type expected, type v) {    \
    __scoped_atomic_compare_exchange_n(p, &expected, v, false, RELAXED, RELAXED, \
                                       __MEMORY_SCOPE_DEVICE);                   \
    return expected;                                                             \
  }
ATOMS(global, int) ATOMS(local, int) ATOMS(global, uint) ATOMS(local, uint)
ATOMS(global, long) ATOMS(local, long) ATOMS(global, ulong) ATOMS(local, ulong)

// --- OpenCL 2 atomics -------------------------------------------------------------
// The scope is the device's whatever the program says: it makes no difference
// to the modelled machines.
#define FETCH(atomic, type, operation)                                           \
  OVERLOAD type atomic_fetch_##operation(volatile atomic *p, type v) {           \
    return __opencl_atomic_fetch_##operation(p, v, SEQ_CST, memory_scope_device);\
  }                                                                              \
  OVERLOAD type atomic_fetch_##operation##_explicit(volatile atomic *p, type v,  \
                                                    memory_order order) {        \
    return __opencl_atomic_fetch_##operation(p, v, order, memory_scope_device);  \
  }                                                                              \
  OVERLOAD type atomic_fetch_##operation##_explicit(                             \
      volatile atomic *p, type v, memory_order order, memory_scope scope) {      \
    return __opencl_atomic_fetch_##operation(p, v, order, memory_scope_device);  \
  }
#define COMPARE(atomic, type, strength)                                          \
  OVERLOAD bool atomic_compare_exchange_##strength(volatile atomic *p, type *e, type v) { \
    return __opencl_atomic_compare_exchange_##strength(p, e, v, SEQ_CST, SEQ_CST,\
                                                       memory_scope_device);     \
  }                                                                              \
  OVERLOAD bool atomic_compare_exchange_##strength##_explicit(                   \
      volatile atomic *p, type *e, type v, memory_order success, memory_order failure) {  \
    return __opencl_atomic_compare_exchange_##strength(p, e, v, success, failure,\
                                                       memory_scope_device);     \
  }                                                                              \
  OVERLOAD bool atomic_compare_exchange_##strength##_explicit(                   \
      volatile atomic *p, type *e, type v, memory_order success, memory_order failure,    \
      memory_scope scope) {                                                      \
    return __opencl_atomic_compare_exchange_##strength(p, e, v, success, failure,\
                                                       memory_scope_device);     \
  }
#define ACCESS(atomic, type)                                                     \
  OVERLOAD void atomic_init(volatile atomic *p, type v) {                        \
    __opencl_atomic_store(p, v, RELAXED, memory_scope_device);                   \
  }                                                                              \
  OVERLOAD void atomic_store(volatile atomic *p, type v) {                       \
    __opencl_atomic_store(p, v, SEQ_CST, memory_scope_device);                   \
  }                                                                              \
  OVERLOAD void atomic_store_explicit(volatile atomic *p, type v, memory_order order) {   \
    __opencl_atomic_store(p, v, order, memory_scope_device);                     \
  }                                                                              \
  OVERLOAD void atomic_store_explicit(volatile atomic *p, type v, memory_order order,     \
                                      memory_scope scope) {                      \
    __opencl_atomic_store(p, v, order, memory_scope_device);                     \
  }                                                                              \
  OVERLOAD type atomic_load(volatile atomic *p) {                                \
    return __opencl_atomic_load(p, SEQ_CST, memory_scope_device);                \
  }                                                                              \
  OVERLOAD type atomic_load_explicit(volatile atomic *p, memory_order order) {   \
    return __opencl_atomic_load(p, order, memory_scope_device);                  \
  }                                                                              \
  OVERLOAD type atomic_load_explicit(volatile atomic *p, memory_order order,     \
                                     memory_scope scope) {                       \
    return __opencl_atomic_load(p, order, memory_scope_device);                  \
  }                                                                              \
  OVERLOAD type atomic_exchange(volatile atomic *p, type v) {                    \
    return __opencl_atomic_exchange(p, v, SEQ_CST, memory_scope_device);         \
  }                                                                              \
  OVERLOAD type atomic_exchange_explicit(volatile atomic *p, type v, memory_order order) { \
    return __opencl_atomic_exchange(p, v, order, memory_scope_device);           \
  }                                                                              \
  OVERLOAD type atomic_exchange_explicit(volatile atomic *p, type v, memory_order order,  \
                                         memory_scope scope) {                   \
    return __opencl_atomic_exchange(p, v, order, memory_scope_device);           \
  }
#define ATOMICS(atomic, type)                                                    \
  ACCESS(atomic, type)                                                           \
  COMPARE(atomic, type, strong)                                                  \
  COMPARE(atomic, type, weak)                                                    \
  FETCH(atomic, type, add)                                                       \
  FETCH(atomic, type, sub)                                                       \
  FETCH(atomic, type, min)                                                       \
  FETCH(atomic, type, max)                                                       \
  FETCH(atomic, type, and)                                                       \
  FETCH(atomic, type, or)                                                        \
  FETCH(atomic, type, xor)
ATOMICS(atomic_int, int) ATOMICS(atomic_uint, uint)
ATOMICS(atomic_long, long) ATOMICS(atomic_ulong, ulong)
ACCESS(atomic_float, float) ACCESS(atomic_double, double)

OVERLOAD bool atomic_flag_test_and_set(volatile atomic_int *p) {
  return __opencl_atomic_exchange(p, 1, SEQ_CST, memory_scope_device);
}
OVERLOAD bool atomic_flag_test_and_set_explicit(volatile atomic_int *p, memory_order order) {
  return __opencl_atomic_exchange(p, 1, order, memory_scope_device);
}
OVERLOAD bool atomic_flag_test_and_set_explicit(volatile atomic_int *p, memory_order order,
                                                memory_scope scope) {
  return __opencl_atomic_exchange(p, 1, order, memory_scope_device);
}
OVERLOAD void atomic_flag_clear(volatile atomic_int *p) {
  __opencl_atomic_store(p, 0, SEQ_CST, memory_scope_device);
}
OVERLOAD void atomic_flag_clear_explicit(volatile atomic_int *p, memory_order order) {
  __opencl_atomic_store(p, 0, order, memory_scope_device);
}
OVERLOAD void atomic_flag_clear_explicit(volatile atomic_int *p, memory_order order,
                                         memory_scope scope) {
  __opencl_atomic_store(p, 0, order, memory_scope_device);
}
OVERLOAD void atomic_work_item_fence(uint flags, memory_order order, memory_scope scope) {
  if (scope == memory_scope_work_group)
    __nvvm_membar_cta();
  else
    __nvvm_membar_gl();
}
__attribute__((overloadable, always_inline, convergent)) void work_group_barrier(uint flags) {
  __syncthreads();
}
__attribute__((overloadable, always_inline, convergent)) void
work_group_barrier(uint flags, memory_scope scope) {
  __syncthreads();
}

// --- sub-groups: warps -------------------------------------------------------------
#define CONVERGENT __attribute__((overloadable, always_inline, convergent))
#define ALL_LANES 0xffffffffu
static uint linear_id(void) {
  return (__nvvm_read_ptx_sreg_tid_z() * __nvvm_read_ptx_sreg_ntid_y() +
          __nvvm_read_ptx_sreg_tid_y()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}
static uint group_size(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
         __nvvm_read_ptx_sreg_ntid_z();
}
OVERLOAD uint get_sub_group_local_id(void) { return linear_id() & 31; }
OVERLOAD uint get_sub_group_id(void) { return linear_id() >> 5; }
OVERLOAD uint get_max_sub_group_size(void) { return 32; }
OVERLOAD uint get_num_sub_groups(void) { return (group_size() + 31) >> 5; }
OVERLOAD uint get_sub_group_size(void) {
  uint left = group_size() - (linear_id() & ~31u);
  return left < 32 ? left : 32;
}
CONVERGENT void sub_group_barrier(uint flags) { __nvvm_bar_warp_sync(ALL_LANES); }
CONVERGENT void sub_group_barrier(uint flags, memory_scope scope) {
  __nvvm_bar_warp_sync(ALL_LANES);
}
CONVERGENT int sub_group_all(int p) { return __nvvm_vote_all_sync(ALL_LANES, p != 0); }
CONVERGENT int sub_group_any(int p) { return __nvvm_vote_any_sync(ALL_LANES, p != 0); }
CONVERGENT int sub_group_broadcast(int v, uint lane) {
  return __nvvm_shfl_sync_idx_i32(ALL_LANES, v, lane, 31);
}
CONVERGENT uint sub_group_broadcast(uint v, uint lane) {
  return __nvvm_shfl_sync_idx_i32(ALL_LANES, v, lane, 31);
}
CONVERGENT float sub_group_broadcast(float v, uint lane) {
  return __nvvm_shfl_sync_idx_f32(ALL_LANES, v, lane, 31);
}
// Words of 64 bits move as two halves.
#define shfl_up_i32(x, n) __nvvm_shfl_sync_up_i32(ALL_LANES, x, n, 0)
#define shfl_up_f32(x, n) __nvvm_shfl_sync_up_f32(ALL_LANES, x, n, 0)
#define shfl_down_i32(x, n) __nvvm_shfl_sync_down_i32(ALL_LANES, x, n, 31)
#define shfl_down_f32(x, n) __nvvm_shfl_sync_down_f32(ALL_LANES, x, n, 31)
#define SHUFFLE64(name, mode, clamp)                                           \
  static __attribute__((always_inline, convergent)) ulong name(ulong x,        \
                                                               uint n) {       \
    uint low = __nvvm_shfl_sync_##mode##_i32(ALL_LANES, (uint)x, n, clamp);    \
    uint high =                                                                \
        __nvvm_shfl_sync_##mode##_i32(ALL_LANES, (uint)(x >> 32), n, clamp);   \
    return (ulong)high << 32 | low;                                            \
  }
SHUFFLE64(shfl64_up, up, 0)
SHUFFLE64(shfl64_down, down, 31)
SHUFFLE64(shfl64_idx, idx, 31)
#define shfl_up_i64(x, n) (long)shfl64_up((ulong)(x), n)
#define shfl_down_i64(x, n) (long)shfl64_down((ulong)(x), n)
#define shfl_up_f64(x, n)                                                      \
  __builtin_astype(shfl64_up(__builtin_astype(x, ulong), n), double)
#define shfl_down_f64(x, n)                                                    \
  __builtin_astype(shfl64_down(__builtin_astype(x, ulong), n), double)
CONVERGENT long sub_group_broadcast(long v, uint lane) {
  return (long)shfl64_idx((ulong)v, lane);
}
CONVERGENT ulong sub_group_broadcast(ulong v, uint lane) {
  return shfl64_idx(v, lane);
}
CONVERGENT double sub_group_broadcast(double v, uint lane) {
  return __builtin_astype(shfl64_idx(__builtin_astype(v, ulong), lane), double);
}
// Lanes of a last, partial warp exchange nothing with lanes that do not exist.
#define REDUCE(type, kind, name, combine)                                     \
  CONVERGENT type sub_group_reduce_##name(type x) {                              \
    uint size = get_sub_group_size(), lane = get_sub_group_local_id();           \
    for (uint distance = 16; distance > 0; distance /= 2) {                      \
      type y = shfl_down_##kind(x, distance);         \
      if (lane + distance < size)                                                \
        x = combine;                                                             \
    }                                                                            \
    return sub_group_broadcast(x, 0);                                            \
  }                                                                              \
  CONVERGENT type sub_group_scan_inclusive_##name(type x) {                      \
    uint lane = get_sub_group_local_id();                                        \
    for (uint distance = 1; distance < 32; distance *= 2) {                      \
      type y = shfl_up_##kind(x, distance);       \
      if (lane >= distance)                                                      \
        x = combine;                                                             \
    }                                                                            \
    return x;                                                                    \
  }
REDUCE(int, i32, add, x + y)
REDUCE(int, i32, min, y < x ? y : x)
REDUCE(int, i32, max, x < y ? y : x)
REDUCE(uint, i32, add, x + y)
REDUCE(uint, i32, min, y < x ? y : x)
REDUCE(uint, i32, max, x < y ? y : x)
REDUCE(float, f32, add, x + y)
REDUCE(float, f32, min, y < x ? y : x)
REDUCE(float, f32, max, x < y ? y : x)
#define REDUCE64(type, kind)                                                   \
  REDUCE(type, kind, add, x + y)                                               \
  REDUCE(type, kind, min, y < x ? y : x)                                       \
  REDUCE(type, kind, max, x < y ? y : x)
REDUCE64(long, i64)
REDUCE64(ulong, i64)
REDUCE64(double, f64)

// Exclusive scans: the inclusive one of the lane before.
#define EXCLUSIVE(type, kind, name, identity)                                 \
  CONVERGENT type sub_group_scan_exclusive_##name(type x) {                    \
    type y = shfl_up_##kind(sub_group_scan_inclusive_##name(x), 1);            \
    return get_sub_group_local_id() ? y : (type)(identity);                    \
  }
#define EXCLUSIVES(FOR)                                                        \
  FOR(int, i32, add, 0)                                                        \
  FOR(int, i32, min, 0x7fffffff)                                               \
  FOR(int, i32, max, -0x7fffffff - 1)                                          \
  FOR(uint, i32, add, 0)                                                       \
  FOR(uint, i32, min, 0xffffffffu)                                             \
  FOR(uint, i32, max, 0)                                                       \
  FOR(float, f32, add, 0.0f)                                                   \
  FOR(float, f32, min, __builtin_inff())                                       \
  FOR(float, f32, max, -__builtin_inff())                                      \
  FOR(long, i64, add, 0)                                                       \
  FOR(long, i64, min, 0x7fffffffffffffffL)                                     \
  FOR(long, i64, max, -0x7fffffffffffffffL - 1)                                \
  FOR(ulong, i64, add, 0)                                                      \
  FOR(ulong, i64, min, 0xffffffffffffffffUL)                                   \
  FOR(ulong, i64, max, 0)                                                      \
  FOR(double, f64, add, 0.0)                                                   \
  FOR(double, f64, min, __builtin_inf())                                       \
  FOR(double, f64, max, -__builtin_inf())
EXCLUSIVES(EXCLUSIVE)

// --- the work-group: warps, then their results through local memory ---------
__local ulong *__heddle_scratch(void);
CONVERGENT int work_group_all(int p) { return __nvvm_bar0_and(p); }
CONVERGENT int work_group_any(int p) { return __nvvm_bar0_or(p); }
#define PLUS_add(a, b) ((a) + (b))
#define PLUS_min(a, b) ((b) < (a) ? (b) : (a))
#define PLUS_max(a, b) ((a) < (b) ? (b) : (a))
#define WORK_GROUP(type, kind, name, identity)                                 \
  CONVERGENT type work_group_reduce_##name(type x) {                           \
    __local type *of_warp = (__local type *)__heddle_scratch();                \
    x = sub_group_reduce_##name(x);                                            \
    if (get_sub_group_local_id() == 0)                                         \
      of_warp[get_sub_group_id()] = x;                                         \
    __syncthreads();                                                           \
    x = of_warp[0];                                                            \
    for (uint i = 1; i < get_num_sub_groups(); ++i) {                          \
      type y = of_warp[i];                                                     \
      x = PLUS_##name(x, y);                                                   \
    }                                                                          \
    __syncthreads();                                                           \
    return x;                                                                  \
  }                                                                            \
  CONVERGENT type work_group_scan_inclusive_##name(type x) {                   \
    __local type *of_warp = (__local type *)__heddle_scratch();                \
    x = sub_group_scan_inclusive_##name(x);                                    \
    if (get_sub_group_local_id() == get_sub_group_size() - 1)                  \
      of_warp[get_sub_group_id()] = x;                                         \
    __syncthreads();                                                           \
    for (int i = (int)get_sub_group_id() - 1; i >= 0; --i) {                   \
      type y = of_warp[i];                                                     \
      x = PLUS_##name(y, x);                                                   \
    }                                                                          \
    __syncthreads();                                                           \
    return x;                                                                  \
  }                                                                            \
  CONVERGENT type work_group_scan_exclusive_##name(type x) {                   \
    __local type *of_warp = (__local type *)__heddle_scratch();                \
    type last = sub_group_scan_inclusive_##name(x);                            \
    type y = shfl_up_##kind(last, 1);                                          \
    x = get_sub_group_local_id() ? y : (type)(identity);                       \
    if (get_sub_group_local_id() == get_sub_group_size() - 1)                  \
      of_warp[get_sub_group_id()] = last;                                      \
    __syncthreads();                                                           \
    for (int i = (int)get_sub_group_id() - 1; i >= 0; --i) {                   \
      type y = of_warp[i];                                                     \
      x = PLUS_##name(y, x);                                                   \
    }                                                                          \
    __syncthreads();                                                           \
    return x;                                                                  \
  }
EXCLUSIVES(WORK_GROUP)
#define BROADCAST_FROM(type, is_sender, ...)                                   \
  CONVERGENT type work_group_broadcast(type v, __VA_ARGS__) {                  \
    __local type *word = (__local type *)__heddle_scratch();                   \
    if (is_sender)                                                             \
      *word = v;                                                               \
    __syncthreads();                                                           \
    v = *word;                                                                 \
    __syncthreads();                                                           \
    return v;                                                                  \
  }
#define IS_X (__nvvm_read_ptx_sreg_tid_x() == (uint)x)
#define IS_XY (IS_X && __nvvm_read_ptx_sreg_tid_y() == (uint)y)
#define IS_XYZ (IS_XY && __nvvm_read_ptx_sreg_tid_z() == (uint)z)
#define BROADCAST(type)                                                        \
  BROADCAST_FROM(type, IS_X, size_t x)                                         \
  BROADCAST_FROM(type, IS_XY, size_t x, size_t y)                              \
  BROADCAST_FROM(type, IS_XYZ, size_t x, size_t y, size_t z)
BROADCAST(int)
BROADCAST(uint)
BROADCAST(long)
BROADCAST(ulong)
BROADCAST(float)
BROADCAST(double)
OVERLOAD uint get_enqueued_num_sub_groups(void) { return get_num_sub_groups(); }

// --- cl_khr_integer_dot_product: one instruction each ----------------------------
typedef char char4 __attribute__((ext_vector_type(4)));
typedef unsigned char uchar4 __attribute__((ext_vector_type(4)));
#define DOT(result, a, A, b, B, name, packed)                                  \
  static result heddle_dot_##name(uint x, uint y, result sum) {                \
    result value;                                                              \
    __asm__("dp4a." #a "." #b " %0, %1, %2, %3;"                               \
            : "=r"(value)                                                      \
            : "r"(x), "r"(y), "r"(sum));                                       \
    return value;                                                              \
  }                                                                            \
  OVERLOAD result dot(A x, B y) {                                              \
    return heddle_dot_##name(__builtin_astype(x, uint),                        \
                             __builtin_astype(y, uint), 0);                    \
  }                                                                            \
  OVERLOAD result dot_4x8packed_##packed(uint x, uint y) {                     \
    return heddle_dot_##name(x, y, 0);                                         \
  }                                                                            \
  OVERLOAD result dot_acc_sat(A x, B y, result sum) {                          \
    return __builtin_elementwise_add_sat(dot(x, y), sum);                      \
  }                                                                            \
  OVERLOAD result dot_acc_sat_4x8packed_##packed(uint x, uint y, result sum) { \
    return __builtin_elementwise_add_sat(heddle_dot_##name(x, y, 0), sum);     \
  }
DOT(uint, u32, uchar4, u32, uchar4, uu, uu_uint)
DOT(int, s32, char4, s32, char4, ss, ss_int)
DOT(int, u32, uchar4, s32, char4, us, us_int)
DOT(int, s32, char4, u32, uchar4, su, su_int)
