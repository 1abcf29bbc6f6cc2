//===- BlockFences.cpp - Fences that the warps of a block ran -------------===//

#include "exec/BlockFences.h"

#include <algorithm>

namespace heddle::exec {

void BlockFences::meet(unsigned Warp) {
  auto &[Meetings, Fence, KnownFence, ProductFences] = Of[Warp];
  // Several in a row are one: nothing lies between them that they would order.
  if (!Meetings.empty() && Meetings.back() == Now)
    return;
  Meetings.push_back(++Now);
  KnownFence = Fence;
}

bool BlockFences::isFenced(const Write &W, unsigned Reader) const {
  if (W.Warp < 0)
    return true;
  const Warp &Writer = Of[size_t(W.Warp)];
  if (Writer.Fence > W.Time)
    return true;
  const auto Met = std::ranges::upper_bound(Writer.Meetings, W.Time);
  if (Met == Writer.Meetings.end())
    return false;
  return std::ranges::any_of(Of, [&](const Warp &Other) {
    const bool Reads = &Other == &Of[Reader];
    return (Reads ? Other.Fence : Other.KnownFence) > *Met;
  });
}

} // namespace heddle::exec
