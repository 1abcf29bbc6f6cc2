//===- DrawnAccess.cpp - Irregular accesses by pseudo-random walk ---------===//

#include "synthesis/DrawnAccess.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

namespace heddle::synthesis {

using behavior::Access;

/// Distinct groups among \p Lanes lanes that are spread over a warp.
static double groupsOf(double Lanes, unsigned GroupLanes) {
  double Groups = 32.0 / GroupLanes;
  return std::max(1.0, Groups * (1 - std::pow(1 - 1 / Groups, Lanes)));
}

static double sectorsOf(double Lanes, unsigned GroupLanes, double Stride) {
  double Groups = groupsOf(Lanes, GroupLanes);
  return std::min(Lanes,
                  Groups * std::max(1.0, Lanes / Groups * Stride / 32.0));
}

/// Mean bank-conflict replays where groups of lanes lie at random in 32
/// banks: a fixed sequence of trials.
static double conflictsOf(double Lanes, unsigned GroupLanes, int64_t Stride) {
  constexpr unsigned Trials = 64;
  uint32_t State = 1;
  unsigned Sum = 0;
  for (unsigned T = 0; T < Trials; ++T) {
    std::array<unsigned, 32> PerBank = {};
    uint32_t Place = 0;
    for (unsigned L = 0; L < 32; ++L) {
      if (L % GroupLanes == 0) {
        State = State * 1664525u + 1013904223u;
        Place = (State >> 16) / GroupLanes * GroupLanes;
      }
      State = State * 1664525u + 1013904223u;
      if ((State >> 8) % 32 < Lanes)
        ++PerBank[(Place + L % GroupLanes * Stride / 4) % 32];
    }
    Sum += std::max(*std::max_element(PerBank.begin(), PerBank.end()), 1u) - 1;
  }
  return double(Sum) / Trials;
}

/// Mean sectors of \p Lanes lanes that lie at random behind the sum of \p A,
/// \p GroupLanes of them by the same bytes: a fixed sequence of trials.
static double sectorsNear(const Access &A, double Lanes, unsigned GroupLanes) {
  constexpr unsigned Trials = 64;
  uint32_t State = 1;
  size_t Sum = 0;
  auto Below = [&State](uint64_t Limit) {
    State = State * 1664525u + 1013904223u;
    return Limit * State >> 32;
  };
  for (unsigned T = 0; T < Trials; ++T) {
    std::set<int64_t> Sectors;
    int64_t Behind = 0;
    for (unsigned L = 0; L < 32; ++L) {
      if (L % GroupLanes == 0)
        Behind = int64_t(Below(A.Near / A.Bytes + 1) * A.Bytes);
      if (Below(32) < Lanes)
        Sectors.insert((A.Coefficients[behavior::ThreadX] * L + Behind) >> 5);
    }
    Sum += std::max<size_t>(Sectors.size(), 1);
  }
  return double(Sum) / Trials;
}

/// Behind a sum of indices: groups that give the sectors per request, if any
/// do.
static std::optional<DrawnAccess> planNear(const Access &A, double Lanes,
                                           bool InLoop) {
  constexpr double Alike = 0.25; // in logarithms
  DrawnAccess D;
  double Closest = 1e30;
  for (unsigned G = 1; G <= 32; G *= 2)
    if (double Distance = std::abs(std::log(
            sectorsNear(A, Lanes, G) / std::max(A.SectorsPerRequest, 1.0)));
        Distance <= Closest) {
      Closest = Distance;
      D.GroupLanes = G;
    }
  if (Closest > Alike)
    return std::nullopt;
  D.NearPlaces = uint32_t(A.Near / A.Bytes + 1);
  constexpr double Common = 0.5; // a distance that most have
  D.StaysNear = InLoop && A.StepShare >= Common;
  return D;
}

/// Entropy of one bit if \p Skew copies are joined to it by `and`.
static double bitEntropy(unsigned Skew) {
  double P = std::ldexp(1.0, -int(Skew) - 1);
  return -(P * std::log2(P) + (1 - P) * std::log2(1 - P));
}

uint64_t DrawnAccess::spanBytes(unsigned Bytes) const {
  int64_t Own = int64_t(OwnPlaces) * OwnStride;
  for (int64_t Offset : OwnSequence)
    Own = std::max(Own, Offset);
  return WindowBytes + uint64_t(LaneStride) * (GroupLanes - 1) + Bytes + Own;
}

/// Where the threads of \p A go together: addresses in an order that a fixed
/// sequence decides, each equally often.
static std::vector<int64_t> planSequence(const Access &A) {
  // P places of W bytes anywhere lie in P (1 + W / 128) lines and in
  // P (1 + W / 32) sectors.
  const double More = std::max(A.OwnSectors - A.OwnLines, 0.0);
  const int64_t Places =
                    std::max<int64_t>(std::lround(A.OwnLines - More / 3), 1),
                Bytes = A.Bytes,
                Wide = std::min<int64_t>(std::lround(More * 128 / 3 / Places),
                                         A.OwnBytes) /
                       Bytes * Bytes,
                Apart = (A.OwnBytes - Wide) / std::max<int64_t>(Places - 1, 1) /
                        Bytes * Bytes;
  constexpr int64_t Length = 64;
  std::vector<int64_t> Out;
  uint32_t State = 1;
  auto Below = [&](uint64_t Limit) {
    State = State * 1664525u + 1013904223u;
    return Limit * State >> 32;
  };
  for (int64_t I = 0; I < Length; ++I)
    Out.push_back(I * Places / Length * Apart +
                  int64_t(Below(Wide / Bytes + 1)) * Bytes);
  for (int64_t I = Length - 1; I > 0; --I)
    std::swap(Out[I], Out[Below(I + 1)]);
  return Out;
}

DrawnAccess planDrawn(const Access &A, double Lanes, bool IsShared, bool InLoop,
                      uint64_t SizeBytes) {
  if (A.Near)
    if (const auto Near = planNear(A, Lanes, InLoop))
      return *Near;
  constexpr double Common = 0.5; // a distance that most have
  constexpr int64_t MaxStride = 512;
  DrawnAccess D;
  D.LaneStride = A.Bytes;
  if (int64_t Far = std::abs(A.LaneStride);
      A.LaneShare >= Common && Far > A.Bytes && Far <= MaxStride)
    D.LaneStride = Far;
  constexpr double NearlyAll = 0.9;
  bool Aligned = true;
  const bool Same = A.LaneShare >= 0.9 && A.LaneStride == 0;
  if (Same) {
    D.LaneStride = 0;
  } else if (A.LaneShare >= NearlyAll && !IsShared &&
             std::abs(A.LaneStride) == D.LaneStride) {
    Aligned = false; // the lanes go together, from anywhere
  } else {
    double Closest = 1e30;
    for (unsigned G = 1; G <= 32; G *= 2) {
      double Distance =
          IsShared ? std::abs(conflictsOf(Lanes, G, D.LaneStride) -
                              A.ConflictsPerRequest)
                   : std::abs(std::log(sectorsOf(Lanes, G, D.LaneStride) /
                                       std::max(A.SectorsPerRequest, 1.0)));
      if (Distance <= Closest) {
        Closest = Distance;
        D.GroupLanes = G;
      }
    }
  }
  // What is local has few bytes: groups of lanes fit into it.
  while (SizeBytes && !Same && Aligned && D.GroupLanes > 1 &&
         A.Least + D.LaneStride * int64_t(D.GroupLanes) > int64_t(SizeBytes))
    D.GroupLanes /= 2;
  D.UnitBytes =
      std::bit_ceil(Same || !Aligned ? uint64_t(A.Bytes)
                                     : uint64_t(D.LaneStride) * D.GroupLanes);
  // The footprint; where it is sparse, only what is touched counts.
  uint64_t Range = uint64_t(A.Most - A.Least) + A.Bytes;
  Range = std::max<uint64_t>(
      std::min<uint64_t>(Range, std::max<uint64_t>(A.FootprintSectors, 1) * 32),
      D.UnitBytes);
  constexpr uint64_t MaxWindow = uint64_t(1) << 31;
  D.WindowBytes = uint64_t(1) << std::min(std::lround(std::log2(double(Range))),
                                          long(std::countr_zero(MaxWindow)));
  while (SizeBytes && D.WindowBytes > D.UnitBytes &&
         A.Least + D.spanBytes(A.Bytes) > SizeBytes)
    D.WindowBytes /= 2;
  D.WindowBytes = std::max(D.WindowBytes, D.UnitBytes);
  if (InLoop && A.StepShare >= Common && A.Step != 0)
    D.Step = A.Step;
  if (InLoop && !SizeBytes && !D.Step && A.OwnLines >= 1) {
    D.OwnPlaces = std::lround(A.OwnLines);
    D.OwnStride =
        std::max<int64_t>(A.OwnBytes / D.OwnPlaces, 128) / A.Bytes * A.Bytes;
    if (A.OwnTogether)
      D.OwnSequence = planSequence(A);
  }
  D.WalksOut = D.Step && !SizeBytes;
  // A walk never stays at one address.
  double Bits = std::log2(double(std::max<uint64_t>(A.FootprintSectors, 2)));
  double Best = std::abs(1 - A.SectorEntropy / Bits);
  for (unsigned Skew = 1; Skew <= 3 && !D.Step && !D.OwnPlaces; ++Skew)
    if (double Distance = std::abs(bitEntropy(Skew) - A.SectorEntropy / Bits);
        Distance < Best) {
      Best = Distance;
      D.Skew = Skew;
    }
  return D;
}

} // namespace heddle::synthesis
