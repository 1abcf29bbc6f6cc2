//===- RingBuffer.h - A queue in one piece of memory ------------*- C++ -*-===//

#ifndef HEDDLE_BASE_RINGBUFFER_H
#define HEDDLE_BASE_RINGBUFFER_H

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

/// First in, first out. Grows as needed and keeps its memory, so that a queue
/// that breathes allocates nothing, which std::deque does with every few
/// elements. For small types that are cheap to default-construct.
template <typename T> class RingBuffer {
public:
  bool empty() const { return Count == 0; }
  size_t size() const { return Count; }
  T &operator[](size_t I) { return Slots[(First + I) & (Slots.size() - 1)]; }
  const T &operator[](size_t I) const {
    return Slots[(First + I) & (Slots.size() - 1)];
  }
  T &front() { return Slots[First]; }
  const T &front() const { return Slots[First]; }

  void push_back(const T &Value) {
    if (Count == Slots.size())
      grow();
    (*this)[Count++] = Value;
  }
  void pop_front(size_t Number = 1) {
    First = (First + Number) & (Slots.size() - 1);
    Count -= Number;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Slots, First, Count] = *this;
    A(Slots, First, Count);
  }

private:
  void grow() {
    std::vector<T> Larger(Slots.empty() ? 4 : Slots.size() * 2);
    for (size_t I = 0; I != Count; ++I)
      Larger[I] = std::move((*this)[I]);
    Slots = std::move(Larger);
    First = 0;
  }

  std::vector<T> Slots; ///< a power of two
  size_t First = 0, Count = 0;
};

} // namespace heddle

#endif // HEDDLE_BASE_RINGBUFFER_H
