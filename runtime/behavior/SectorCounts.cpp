//===- SectorCounts.cpp - How often which sectors were touched ------------===//

#include "behavior/SectorCounts.h"

#include <cmath>

namespace heddle::behavior {

/// Fibonacci hashing; the upper bits depend on all of the lower ones.
static uint64_t hashOf(uint64_t Sector) {
  return (Sector * 0x9E3779B97F4A7C15ull) >> 32;
}

void SectorCounts::touch(uint64_t Sector) {
  if (hashOf(Sector) & (OneIn - 1))
    return;
  ++Counts[Sector];
  if (Counts.size() <= MaxFollowed)
    return;
  OneIn *= 2;
  std::erase_if(Counts, [&](const auto &C) {
    return (hashOf(C.first) & (OneIn - 1)) != 0;
  });
}

double SectorCounts::entropy() const {
  // The followed ones stand for all: each for OneIn alike.
  double Touches = 0, Sum = 0;
  for (const auto &[Sector, N] : Counts) {
    Touches += N;
    Sum += N * std::log2(double(N));
  }
  return Touches ? std::log2(Touches * OneIn) - Sum / Touches : 0;
}

} // namespace heddle::behavior
