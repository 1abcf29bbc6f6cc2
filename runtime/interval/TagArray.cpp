//===- TagArray.cpp - What a cache holds, without its time ----------------===//

#include "interval/TagArray.h"

#include <algorithm>
#include <bit>

namespace heddle::interval {

static constexpr uint16_t None = 0xffff;

/// A miniature of a cache may have fewer lines than one of its sets.
static uint32_t ways(uint64_t SizeBytes, const arch::CacheSpec &Spec) {
  if (!SizeBytes || !Spec.Line || !Spec.Ways)
    return 0;
  return uint32_t(std::clamp<uint64_t>(SizeBytes / Spec.Line, 1, Spec.Ways));
}

static uint64_t sets(uint64_t SizeBytes, const arch::CacheSpec &Spec) {
  const uint32_t Ways = ways(SizeBytes, Spec);
  return Ways ? std::max<uint64_t>(1, SizeBytes / Spec.Line / Ways) : 0;
}

TagArray::TagArray(uint64_t SizeBytes, const arch::CacheSpec &Spec)
    : Sets(uint32_t(sets(SizeBytes, Spec))), NumWays(ways(SizeBytes, Spec)),
      Places(size_t(Sets) * NumWays) {
  if (!Sets)
    return;
  LineShift = std::countr_zero(Spec.Line);
  HashSets = Spec.HashSets;
  Ways.resize(size_t(Sets) * NumWays);
  Uses.assign(Sets, {0, uint16_t(NumWays - 1)});
  for (size_t I = 0; I < Ways.size(); ++I) {
    const uint16_t InSet = uint16_t(I % NumWays);
    Ways[I].Older = InSet ? InSet - 1 : None;
    Ways[I].Newer = InSet + 1u < NumWays ? InSet + 1 : None;
  }
}

uint32_t TagArray::setOf(uint64_t Line) const {
  uint64_t Number = Line >> LineShift;
  if (HashSets)
    Number ^= uint32_t(((Number >> 3) * 0x9E3779B97F4A7C15ull) >> 32);
  return uint32_t(std::has_single_bit(Sets) ? Number & (Sets - 1)
                                            : Number % Sets);
}

/// The way becomes the newest of its set.
void TagArray::touch(uint32_t Set, uint16_t InSet) {
  Way *const First = &Ways[size_t(Set) * NumWays];
  Way &W = First[InSet];
  if (W.Newer == None)
    return;
  SetUse &Use = Uses[Set];
  First[W.Newer].Older = W.Older;
  if (W.Older == None)
    Use.Oldest = W.Newer;
  else
    First[W.Older].Newer = W.Newer;
  First[Use.Newest].Newer = InSet;
  W.Older = Use.Newest;
  W.Newer = None;
  Use.Newest = InSet;
}

TagArray::Found TagArray::find(uint64_t Line) {
  const uint32_t At = Places.find(
      Line >> LineShift, [&](uint32_t W) { return Ways[W].Tag == Line + 1; });
  if (At == memory::LineMap::None)
    return {};
  touch(At / NumWays, uint16_t(At % NumWays));
  return {&Ways[At], 0};
}

TagArray::Found TagArray::findOrTake(uint64_t Line) {
  if (Found F = find(Line); F.W)
    return F;
  const uint32_t Set = setOf(Line);
  const uint16_t InSet = Uses[Set].Oldest;
  const uint32_t At = Set * NumWays + InSet;
  Way &W = Ways[At];
  Found F{&W, W.Dirty};
  if (W.Tag)
    Places.erase((W.Tag - 1) >> LineShift, At);
  Places.insert(Line >> LineShift, At);
  W.Tag = Line + 1;
  W.Ready = 0;
  W.Valid = W.Dirty = 0;
  touch(Set, InSet);
  return F;
}

} // namespace heddle::interval
