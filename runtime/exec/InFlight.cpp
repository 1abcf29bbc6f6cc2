//===- InFlight.cpp - Asynchronous operations of a block ------------------===//

#include "exec/InFlight.h"

#include <algorithm>

namespace heddle::exec {

InFlight::InFlight(unsigned Warps) : Warps(Warps) {
  for (auto &Groups : Asked)
    Groups.resize(size_t(Warps) * 32);
}

InFlight::Operation InFlight::begin(Kind What, unsigned Who,
                                    uint32_t Record) const {
  return {What, int16_t(Who), Asked[What - Copy][Who].Ended + 1, Record};
}

InFlight::Operation InFlight::beginLoad(uint64_t Place, uint32_t Record) {
  return {Load, int16_t(Place / 8), phases(Place).Ended, Record};
}

void InFlight::wait(Kind What, unsigned Who, uint64_t Left) {
  Groups &G = Asked[What - Copy][Who];
  if (Left == ~uint64_t(0))
    ++G.Ended;
  else if (Left < G.Ended)
    G.Awaited = std::max(G.Awaited, G.Ended - uint32_t(Left));
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

bool InFlight::has(const Operation &O, int Warp) const {
  if (O.What == None)
    return false;
  if (O.What != Load)
    return Asked[O.What - Copy][O.Who].Awaited < O.Group;
  const Phases &P = Barriers.at(O.Who);
  return O.Group >= (Warp == AnyWarp
                         ? P.KnownToAny
                         : std::max(P.KnownToAll, P.Known[size_t(Warp)]));
}

} // namespace heddle::exec
