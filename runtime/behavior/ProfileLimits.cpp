//===- ProfileLimits.cpp - How far the numbers of a profile may go --------===//
//
// Clones are planned in 64-bit sums of coefficients times indices. A profile
// from elsewhere may hold anything; what goes beyond the memory of any device
// is refused, so that no sum overflows.
//
//===----------------------------------------------------------------------===//

#include "behavior/BehaviorProfile.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::behavior {

namespace {

/// Bytes, iterations: more than any device has.
constexpr int64_t Reach = int64_t(1) << 48;

bool isWithin(int64_t Value) { return Value >= -Reach && Value <= Reach; }

/// Of a range that may be open on this side.
bool isBound(int64_t Value) {
  return isWithin(Value) || Value == INT64_MIN || Value == INT64_MAX;
}

/// How far indices of each kind count in a launch.
class Extents {
public:
  explicit Extents(const Profile &P) {
    const uint32_t Launch[] = {P.Threads.X, P.Threads.Y, P.Threads.Z,
                               P.Grid.X,    P.Grid.Y,    P.Grid.Z};
    std::ranges::copy(Launch, Most);
    for (const Loop &L : P.Loops) {
      uint64_t &Trips = Most[Iteration0 + L.Depth];
      Trips = std::max(Trips, *std::ranges::max_element(L.Trips));
      Most[EarlierTrips] = std::max(Most[EarlierTrips], Trips);
    }
  }

  /// Whether \p Factor times any index of kind \p Key stays within reach.
  bool hold(int64_t Factor, unsigned Key) const {
    return isWithin(Factor) &&
           uint64_t(std::abs(Factor)) <=
               uint64_t(Reach) / std::max<uint64_t>(Most[Key], 1);
  }
  bool hold(const Keys &Coefficients) const {
    for (unsigned K = 0; K < NumKeys; ++K)
      if (!hold(Coefficients[K], K))
        return false;
    return true;
  }

private:
  uint64_t Most[NumKeys] = {};
};

bool isNear(const Access &A, const Extents &Launch) {
  for (int64_t Bytes :
       {A.Constant, A.Least, A.Most, A.LeaderDistance, A.OwnBytes,
        int64_t(A.Bytes), int64_t(A.Modulus), int64_t(A.Near)})
    if (!isWithin(Bytes))
      return false;
  // A step is taken in each iteration, a stride by each lane.
  for (unsigned Depth = 0; Depth < MaxLoopDepth; ++Depth)
    if (!Launch.hold(A.Step, Iteration0 + Depth))
      return false;
  return A.Least <= A.Most && isWithin(A.LaneStride) &&
         (A.Modulus ? std::ranges::all_of(A.Coefficients, isWithin)
                    : Launch.hold(A.Coefficients)) &&
         std::ranges::all_of(A.Fields, [&](const Field &F) {
           return Launch.hold(F.Factor, F.Key);
         });
}

bool isNear(const Branch &B, const Extents &Launch) {
  for (int64_t Bound : {B.Lower, B.Upper, B.AlsoLower, B.AlsoUpper})
    if (!isBound(Bound))
      return false;
  return Launch.hold(B.Coefficients) && Launch.hold(B.AlsoCoefficients) &&
         isWithin(B.Modulus);
}

} // namespace

const char *findFarNumber(const Profile &P) {
  const Extents Launch(P);
  for (const Array &A : P.Arrays)
    if (A.SizeBytes > uint64_t(Reach))
      return "the size of an array";
  for (const Loop &L : P.Loops)
    if (*std::ranges::max_element(L.Trips) > uint64_t(Reach) ||
        !isWithin(L.TripConstant) || !Launch.hold(L.TripCoefficients))
      return "the trips of a loop";
  for (const Branch &B : P.Branches)
    if (!isNear(B, Launch))
      return "the numbers of a branch";
  for (const Access &A : P.Accesses)
    if (!isNear(A, Launch))
      return "the offsets of an access";
  return nullptr;
}

} // namespace heddle::behavior
