//===- UnfollowedLines.cpp - Where lines that are not followed come from --===//
//
// Of FunctionalMemory: told from the lines that are followed, instruction by
// instruction.
//
//===----------------------------------------------------------------------===//

#include "interval/FunctionalMemory.h"

#include <algorithm>

namespace heddle::interval {

/// Whether DRAM serves \p Sectors of a line that is not followed: as often as
/// it did for lines that are; of the first ones, nothing is known but that
/// they come first.
bool FunctionalMemory::predictFar(uint32_t PC, unsigned Sectors) {
  FarShare &S = Shares[PC];
  S.Debt += S.far() * float(Sectors);
  if (S.Debt < float(Sectors) / 2)
    return false;
  S.Debt -= float(Sectors);
  return true;
}

/// Whether a hit of L2 with its home in the other half comes from there, as
/// often as it did for lines that are followed.
bool FunctionalMemory::predictAcross(uint32_t PC) {
  FarShare &S = Shares[PC];
  S.AcrossDebt += S.across();
  if (S.AcrossDebt < 0.5f)
    return false;
  S.AcrossDebt -= 1;
  return true;
}

void FunctionalMemory::learn(uint32_t PC, unsigned Wanted, unsigned Asked,
                             unsigned Far) {
  constexpr float Memory = 2048; ///< sectors
  FarShare &S = Shares[PC];
  S.Hits |= Asked < Wanted;
  S.Streamed += Asked;
  S.Asked += float(Asked);
  S.Far += float(Far);
  if (S.Turn != Turn)
    S.Turn = Turn, S.AskedNow = S.FarNow = 0;
  S.AskedNow += float(Asked);
  S.FarNow += float(Far);
  if (S.Asked > Memory) {
    S.Asked /= 2;
    S.Far /= 2;
  }
  S.Streams = !S.Hits && S.Streamed >= 64;
  S.AllFar = S.Streams && S.far() > 0.9f;
}

/// As seen in turn \p Now, or before if little was.
float FunctionalMemory::FarShare::farIn(uint64_t Now) const {
  constexpr float Prior = 16; ///< sectors
  return Turn == Now ? (FarNow + Prior * far()) / (AskedNow + Prior) : far();
}

/// Where the undecided sectors of this turn came from. What the SM has asked
/// for before is in L2, unless L2 loses what is asked for again; so of what it
/// asks for first the more comes from DRAM.
void FunctionalMemory::decide() {
  const float FarAgain = AgainFar / std::max(1.0f, AgainAsked);
  for (const Undecided &U : Later) {
    FarShare &S = Shares[U.PC];
    const float All = S.First + S.Again;
    const float Share =
        U.Again ? FarAgain
                : std::clamp((S.farIn(Turn) * All - FarAgain * S.Again) /
                                 std::max(1.0f, S.First),
                             0.0f, 1.0f);
    float &Debt = U.Again ? S.AgainDebt : S.FirstDebt;
    Debt += Share;
    const bool Far = Debt >= 0.5f;
    Debt -= Far;
    U.Table->cameFrom(U.Fetch, U.Sector,
                      {Far, U.Away && (Far || predictAcross(U.PC))});
  }
  Later.clear();
}

} // namespace heddle::interval
