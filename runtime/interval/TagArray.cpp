//===- TagArray.cpp - What a cache holds, without its time ----------------===//

#include "interval/TagArray.h"

#include <algorithm>
#include <bit>

namespace heddle::interval {

TagArray::TagArray(uint64_t SizeBytes, const arch::CacheSpec &Spec) {
  if (!SizeBytes || !Spec.Line || !Spec.Ways)
    return;
  LineShift = std::countr_zero(Spec.Line);
  NumWays = Spec.Ways;
  Sets = std::max<uint64_t>(1, SizeBytes / Spec.Line / Spec.Ways);
  HashSets = Spec.HashSets;
  Tags.resize(size_t(Sets) * NumWays);
  Ways.resize(Tags.size());
}

uint32_t TagArray::setOf(uint64_t Line) const {
  uint64_t Number = Line >> LineShift;
  if (HashSets)
    Number ^= uint32_t(((Number >> 3) * 0x9E3779B97F4A7C15ull) >> 32);
  return uint32_t(std::has_single_bit(Sets) ? Number & (Sets - 1)
                                            : Number % Sets);
}

TagArray::Found TagArray::find(uint64_t Line) {
  const uint64_t *Set = Tags.data() + size_t(setOf(Line)) * NumWays;
  for (uint32_t W = 0; W != NumWays; ++W)
    if (Set[W] == Line + 1) {
      Way &Hit = Ways[Set - Tags.data() + W];
      Hit.Used = ++Clock;
      return {&Hit, 0};
    }
  return {};
}

TagArray::Found TagArray::findOrTake(uint64_t Line) {
  if (Found F = find(Line); F.W)
    return F;
  const size_t First = size_t(setOf(Line)) * NumWays;
  auto Oldest = std::min_element(
      Ways.begin() + First, Ways.begin() + First + NumWays,
      [](const Way &A, const Way &B) { return A.Used < B.Used; });
  Found F{&*Oldest, Oldest->Dirty};
  Tags[Oldest - Ways.begin()] = Line + 1;
  *Oldest = {.Used = ++Clock};
  return F;
}

} // namespace heddle::interval
