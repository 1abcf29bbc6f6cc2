//===- DirtyLines.h - Lines of a slice of L2 that are dirty -----*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_DIRTYLINES_H
#define HEDDLE_INTERVAL_DIRTYLINES_H

#include "arch/GPUSpec.h"
#include "base/RingBuffer.h"

#include <cstdint>

namespace heddle::interval {

/// Of more dirty lines than a slice may have (`l2.dirty_share`) the one that
/// became so first is written back, and stays as a clean one.
template <typename Tags> class DirtyLines {
public:
  /// Of a slice of \p Bytes.
  DirtyLines(const arch::L2Spec &L2, uint64_t Bytes)
      : Most(L2.DirtyShare < 1 && Bytes
                 ? uint32_t(L2.DirtyShare * double(Bytes / L2.Line))
                 : ~0u) {}

  /// \p Way of \p T, which was clean, is dirty. \p Back(way) is called with one
  /// that is written back, before it is clean.
  template <typename BackT> void soil(Tags &T, uint32_t Way, BackT &&Back) {
    if (Most == ~0u)
      return;
    ++Count;
    Order.push_back({Way, T[Way].Tag});
    for (; !Order.empty() && Count > Most; Order.pop_front()) {
      auto &[Oldest, Tag] = Order.front();
      if (!T[Oldest].Dirty || T[Oldest].Tag != Tag)
        continue;
      Back(T[Oldest]);
      T[Oldest].Dirty = 0;
      --Count;
    }
  }
  /// A dirty line has been replaced.
  void left() { Count -= Most != ~0u; }

private:
  struct Soiled {
    uint32_t Way = 0;
    uint64_t Tag = 0;
  };
  uint32_t Most, Count = 0;
  RingBuffer<Soiled> Order; ///< some have gone
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_DIRTYLINES_H
