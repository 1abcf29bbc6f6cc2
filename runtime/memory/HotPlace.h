//===- HotPlace.h - What makes one slice or channel hot ---------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_HOTPLACE_H
#define HEDDLE_MEMORY_HOTPLACE_H

#include <algorithm>

namespace heddle::memory {

/// Work of the busiest of several places, slices of L2 or channels, as a model
/// takes it that looked at a part of the lines or blocks only. Of what was seen
/// there, \p ByChance is what the choice of these explains, so that it says
/// nothing of the place. No less than \p Least is left, which is the mean and
/// what all lines together vary.
inline double beyondChance(double Busiest, double ByChance, double Least) {
  return std::min(Busiest, std::max(Least, Busiest - ByChance));
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_HOTPLACE_H
