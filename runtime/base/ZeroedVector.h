//===- ZeroedVector.h - Tables that begin as zeros --------------*- C++ -*-===//

#ifndef HEDDLE_BASE_ZEROEDVECTOR_H
#define HEDDLE_BASE_ZEROEDVECTOR_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

/// Takes memory that is zero already and constructs nothing in it: pages that
/// are not used cost nothing. Elements begin on a line of the host's cache.
template <typename T> struct ZeroAllocator {
  static_assert(std::is_trivially_copyable_v<T> &&
                std::is_trivially_destructible_v<T>);
  using value_type = T;
  using is_always_equal = std::true_type;

  ZeroAllocator() = default;
  template <typename U> ZeroAllocator(const ZeroAllocator<U> &) {}

  T *allocate(size_t Count) {
    void *const Block = std::calloc(Count * sizeof(T) + LineBytes, 1);
    if (!Block)
      throw std::bad_alloc();
    const auto Begin =
        (reinterpret_cast<uintptr_t>(Block) + LineBytes) & ~(LineBytes - 1);
    reinterpret_cast<void **>(Begin)[-1] = Block;
    return reinterpret_cast<T *>(Begin);
  }
  void deallocate(T *Begin, size_t) {
    std::free(reinterpret_cast<void **>(Begin)[-1]);
  }

  void construct(T *) {} // zeros are a T
  template <typename... ArgT> void construct(T *At, ArgT &&...Args) {
    ::new (static_cast<void *>(At)) T(std::forward<ArgT>(Args)...);
  }

  template <typename U> bool operator==(const ZeroAllocator<U> &) const {
    return true;
  }

private:
  static constexpr uintptr_t LineBytes = 64;
};

/// Of a type whose default is all zeros. Grows by resize() of an empty one
/// only: elsewhere new elements would hold what the memory held.
template <typename T> using ZeroedVector = std::vector<T, ZeroAllocator<T>>;

} // namespace heddle

#endif // HEDDLE_BASE_ZEROEDVECTOR_H
