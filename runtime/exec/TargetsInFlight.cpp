//===- TargetsInFlight.cpp - Global memory under bulk copies --------------===//

#include "exec/TargetsInFlight.h"

namespace heddle::exec {

void TargetsInFlight::add(uint64_t Address, uint32_t Bytes, uint64_t Block,
                          const InFlight::Operation &By) {
  const uint64_t End = Address + Bytes;
  auto It = Ranges.upper_bound(Address);
  if (It != Ranges.begin()) {
    Target &Before = std::prev(It)->second;
    // The pieces of a copy follow each other.
    if (Before.End == Address && Before.By == By && Before.Block == Block &&
        (It == Ranges.end() || It->first >= End)) {
      Before.End = End;
      return;
    }
    if (Before.End > Address)
      --It;
  }
  // Cut out what is written again.
  while (It != Ranges.end() && It->first < End) {
    const auto [First, Old] = *It;
    It = Ranges.erase(It);
    if (First < Address)
      Ranges[First] = {Address, Old.Block, Old.By};
    if (Old.End > End)
      It = Ranges.insert_or_assign(End, Old).first;
  }
  Ranges[Address] = {End, Block, By};
}

} // namespace heddle::exec
