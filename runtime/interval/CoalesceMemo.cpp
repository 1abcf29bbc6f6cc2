//===- CoalesceMemo.cpp - Lines of accesses that were seen before ---------===//

#include "interval/CoalesceMemo.h"

#include <algorithm>
#include <cstring>

namespace heddle::interval {

const CoalesceMemo::Entry *CoalesceMemo::find(uint32_t PC,
                                              const trace::MemoryAccess &A) {
  // So many misses in a row of this length mean that shapes follow the data.
  constexpr uint32_t Trial = 256;
  Place &P = Places[PC];
  if (P.Entries.empty())
    P.Entries.resize(PerInst);
  const Entry &E = P.Entries[slot(A)];
  const bool Same =
      E.Mask == A.Mask && E.Low == (A.Base & (Period - 1)) &&
      E.Affine == A.Affine &&
      (A.Affine ? E.Stride == A.Stride
                : !std::memcmp(E.Offsets, A.Offsets, sizeof(E.Offsets)));
  if (Same) {
    ++P.Found;
    return &E;
  }
  if (++P.Missed == Trial) {
    P.Hopeless = P.Found < P.Missed;
    P.Found = P.Missed = 0;
  }
  return nullptr;
}

CoalesceMemo::Entry &CoalesceMemo::make(uint32_t PC,
                                        const trace::MemoryAccess &A) {
  Entry &E = Places[PC].Entries[slot(A)];
  E.Low = A.Base & (Period - 1);
  E.Mask = A.Mask;
  E.Affine = A.Affine;
  E.Stride = A.Stride;
  if (!A.Affine)
    std::copy_n(A.Offsets, 32, E.Offsets);
  E.Lines.clear();
  return E;
}

} // namespace heddle::interval
