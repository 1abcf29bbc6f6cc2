//===- LateWrites.cpp - What asynchronous copies still have to write ------===//

#include "exec/LateWrites.h"

#include <algorithm>
#include <cstring>

namespace heddle::exec {

void LateWrites::begin(uint64_t Address, uint32_t Bytes, uint64_t Block,
                       const InFlight::Operation &By, bool IsShared) {
  const auto *From = reinterpret_cast<const uint8_t *>(Address);
  Writes.push_back({Address, Block, By, IsShared, {From, From + Bytes}});
}

void LateWrites::takeOut() {
  // The last one first: where they overlap, the first knows what was there.
  for (size_t N = Writes.size(); N > Out; --N) {
    Write &W = Writes[N - 1];
    std::swap_ranges(W.Bytes.begin(), W.Bytes.end(),
                     reinterpret_cast<uint8_t *>(W.Address));
  }
  Out = Writes.size();
}

void LateWrites::show(const Write &W) {
  std::memcpy(reinterpret_cast<void *>(W.Address), W.Bytes.data(),
              W.Bytes.size());
}

void LateWrites::end() {
  for (size_t N = 0; N < Out; ++N)
    if (!Writes[N].IsShared)
      show(Writes[N]);
  Writes.clear();
  Out = 0;
}

} // namespace heddle::exec
