//===- InFlight.cpp - Asynchronous operations of a block ------------------===//

#include "exec/InFlight.h"

#include <algorithm>

namespace heddle::exec {

/// The kind that counts its groups.
static InFlight::Kind countedBy(InFlight::Kind What) {
  return What == InFlight::Write ? InFlight::Store : What;
}

InFlight::InFlight(unsigned Warps)
    : Warps(Warps), HandedOver(size_t(Warps) * 32) {
  for (auto &Groups : Asked)
    Groups.resize(size_t(Warps) * 32);
}

InFlight::Operation InFlight::begin(Kind What, unsigned Who,
                                    uint32_t Record) const {
  return {What, int16_t(Who), Asked[countedBy(What) - Copy][Who].Ended + 1,
          Record, What == Copy ? uint32_t(HandedOver[Who].size()) : 0};
}

InFlight::Operation InFlight::beginLoad(uint64_t Place, uint32_t Record) {
  return {Load, int16_t(Place / 8), phases(Place).Ended, Record, 0};
}

void InFlight::wait(Kind What, unsigned Who, uint64_t Left) {
  Groups &G = Asked[countedBy(What) - Copy][Who];
  if (Left == ~uint64_t(0)) {
    ++G.Ended;
    return;
  }
  if (Left >= G.Ended)
    return;
  G.Awaited = std::max(G.Awaited, G.Ended - uint32_t(Left));
  if (What == Write)
    G.Written = std::max(G.Written, G.Ended - uint32_t(Left));
}

void InFlight::handOver(unsigned Thread, uint64_t Place) {
  HandedOver[Thread].push_back({int16_t(Place / 8), phases(Place).Ended});
}

InFlight::Phases &InFlight::phases(uint64_t Place) {
  Phases &P = Barriers[int16_t(Place / 8)];
  P.Known.resize(Warps);
  return P;
}

void InFlight::see(uint64_t Place, bool Parity) {
  Phases &P = phases(Place);
  P.Ended += P.Parity != Parity;
  P.Parity = Parity;
}

void InFlight::awaitPhase(uint64_t Place, unsigned Warp) {
  Phases &P = phases(Place);
  P.Known[Warp] = P.KnownToAny = P.Ended;
}

void InFlight::meet(unsigned Warp) {
  for (auto &[Place, P] : Barriers)
    P.KnownToAll = std::max(P.KnownToAll, P.Known[Warp]);
}

bool InFlight::isKnown(const Completion &C, int Warp) const {
  const Phases &P = Barriers.at(C.Who);
  return C.Group < (Warp == AnyWarp
                        ? P.KnownToAny
                        : std::max(P.KnownToAll, P.Known[size_t(Warp)]));
}

bool InFlight::has(const Operation &O, int Warp) const {
  switch (O.What) {
  case None:
    return false;
  case Load:
    return !isKnown({O.Who, O.Group}, Warp);
  case Write:
    return Asked[Store - Copy][O.Who].Written < O.Group;
  case Copy:
    for (size_t N = O.HandOvers; N < HandedOver[O.Who].size(); ++N)
      if (isKnown(HandedOver[O.Who][N], Warp))
        return false;
    [[fallthrough]];
  default:
    return Asked[O.What - Copy][O.Who].Awaited < O.Group;
  }
}

} // namespace heddle::exec
