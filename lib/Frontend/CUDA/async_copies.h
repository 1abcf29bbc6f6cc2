// Asynchronous copies: cp.async where the architecture has it.

#ifndef HEDDLE_CUDA_ASYNC_COPIES_H
#define HEDDLE_CUDA_ASYNC_COPIES_H

__HEDDLE_DEVICE void __pipeline_memcpy_async(void *to, const void *from,
                                             size_t n, size_t zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto *shared = (__attribute__((address_space(3))) void *)to;
  auto *global = (__attribute__((address_space(1))) const void *)from;
  if (zeros == 0 && n == 4)
    return __nvvm_cp_async_ca_shared_global_4(shared, global);
  if (zeros == 0 && n == 8)
    return __nvvm_cp_async_ca_shared_global_8(shared, global);
  if (zeros == 0 && n == 16)
    return __nvvm_cp_async_cg_shared_global_16(shared, global);
  if (n == 4)
    return __nvvm_cp_async_ca_shared_global_4(shared, global, int(n - zeros));
  if (n == 8)
    return __nvvm_cp_async_ca_shared_global_8(shared, global, int(n - zeros));
  if (n == 16)
    return __nvvm_cp_async_cg_shared_global_16(shared, global, int(n - zeros));
#endif
  for (size_t i = 0; i < n; i += 4)
    *(unsigned *)((char *)to + i) =
        i < n - zeros ? *(const unsigned *)((const char *)from + i) : 0;
}
__HEDDLE_DEVICE void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  __nvvm_cp_async_commit_group();
#endif
}
/// The number must be a literal in the end; more than 7 wait as 7.
__HEDDLE_DEVICE void __pipeline_wait_prior(size_t n) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  switch (n) {
  case 0:
    return __nvvm_cp_async_wait_group(0);
  case 1:
    return __nvvm_cp_async_wait_group(1);
  case 2:
    return __nvvm_cp_async_wait_group(2);
  case 3:
    return __nvvm_cp_async_wait_group(3);
  case 4:
    return __nvvm_cp_async_wait_group(4);
  case 5:
    return __nvvm_cp_async_wait_group(5);
  case 6:
    return __nvvm_cp_async_wait_group(6);
  default:
    return __nvvm_cp_async_wait_group(7);
  }
#endif
}
/// Whether \p to is shared and \p from global memory, the way of cp.async and
/// of bulk copies. Others are copied at once.
__HEDDLE_DEVICE bool __heddle_loads_shared(const void *to, const void *from) {
  return __isShared(to) && __isGlobal(from);
}
__HEDDLE_DEVICE void __heddle_copy_bytes(void *to, const void *from,
                                         size_t begin, size_t end,
                                         size_t step) {
  for (size_t i = begin; i < end; i += step)
    ((char *)to)[i] = ((const char *)from)[i];
}
/// The pieces \p first, \p first + \p step, ... of \p bytes bytes, whose size
/// is what their type or an aligned_size_t promises; the first also copies what
/// is no whole piece.
template <size_t Alignment>
__HEDDLE_DEVICE void __heddle_copy_pieces(void *to, const void *from,
                                          size_t bytes, size_t first,
                                          size_t step) {
  constexpr size_t Piece = Alignment >= 16 ? 16 : Alignment < 4 ? 1 : Alignment;
  const size_t whole = bytes / Piece * Piece;
  if constexpr (Piece == 1) {
    __heddle_copy_bytes(to, from, first, bytes, step);
  } else if (__heddle_loads_shared(to, from)) {
    for (size_t i = first * Piece; i < whole; i += step * Piece)
      __pipeline_memcpy_async((char *)to + i, (const char *)from + i, Piece);
  } else {
    struct alignas(Piece) Words {
      unsigned word[Piece / 4];
    };
    for (size_t i = first; i < whole / Piece; i += step)
      ((Words *)to)[i] = ((const Words *)from)[i];
  }
  if (Piece > 1 && first == 0)
    __heddle_copy_bytes(to, from, whole, bytes, 1);
}
/// What a size says of alignment beside that of the type.
template <typename Size, typename T>
constexpr size_t __heddle_alignment = alignof(T);
template <typename T> struct __heddle_bytes_of {
  typedef T type;
};
template <> struct __heddle_bytes_of<void> {
  typedef char type;
};

#endif
