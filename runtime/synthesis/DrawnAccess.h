//===- DrawnAccess.h - Irregular accesses by pseudo-random walk -*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_DRAWNACCESS_H
#define HEDDLE_SYNTHESIS_DRAWNACCESS_H

#include "behavior/BehaviorProfile.h"

namespace heddle::synthesis {

/// How a clone draws the addresses of an access that no function describes: a
/// counter that steps by an odd constant visits the units of a window, whose
/// size is a power of two, in an order that looks random. Neighbouring lanes in
/// a group share a unit.
struct DrawnAccess {
  unsigned GroupLanes = 32; ///< a power of two
  int64_t LaneStride = 0;   ///< bytes from lane to lane of a group
  uint64_t UnitBytes = 1;   ///< a power of two
  uint64_t WindowBytes = 1; ///< a power of two
  /// Number of shifted copies of the counter that are joined by `and`: units at
  /// the window's start are drawn more often.
  unsigned Skew = 0;
  /// Bytes by which the thread walks on; 0: it draws each time.
  int64_t Step = 0;
  /// A walk may leave the window, whose buffer is larger.
  bool WalksOut = false;
  /// Unless 0: an origin is drawn per entry of the loop, and each access goes
  /// to one of OwnPlaces addresses from there on, OwnStride bytes apart.
  unsigned OwnPlaces = 0;
  int64_t OwnStride = 0;
  /// Unless empty: all threads use the same offset at once. Offsets in bytes
  /// from the origin, one access after the other, then again from the first;
  /// their number is a power of two.
  std::vector<int64_t> OwnSequence;

  /// Unless 0: each group draws one of this many places, Bytes apart, behind
  /// the access's sum of indices; once per entry of the loop if it StaysNear.
  uint32_t NearPlaces = 0;
  bool StaysNear = false;

  uint32_t mask() const { return uint32_t(WindowBytes - UnitBytes); }
  /// Bytes from the window's start to the end of its last access.
  uint64_t spanBytes(unsigned Bytes) const;
};

/// Chooses for \p A, of whose requests \p Lanes lanes are active on average,
/// the group that gives its sectors per request (in shared memory its bank
/// conflicts), a window of its footprint within \p SizeBytes (0: no limit), and
/// the skew that gives its entropy. \p InLoop: it is executed in a loop.
DrawnAccess planDrawn(const behavior::Access &A, double Lanes, bool IsShared,
                      bool InLoop, uint64_t SizeBytes);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_DRAWNACCESS_H
