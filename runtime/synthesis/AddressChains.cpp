//===- AddressChains.cpp - What an access waits for -----------------------===//

#include "synthesis/AddressChains.h"

#include <algorithm>
#include <optional>

namespace heddle::synthesis {

namespace {

using CarriedBases = std::map<const ChainBlocks::Slot *, std::string>;

bool carries(const CarriedBases &Carried, const ChainBlocks::Slot &S) {
  return !S.Removed && !S.PassedOn.empty() && Carried.contains(&S);
}

/// Registers that hold planned addresses, or what is computed from them, and
/// are no longer the zeroes that they were in the chain.
std::vector<bool> addressRegisters(ChainBlocks &Blocks,
                                   const CarriedBases &Carried,
                                   unsigned NumRegisters) {
  std::vector<bool> Held(NumRegisters + 1);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned B = 0; B < Blocks.size(); ++B)
      for (const ChainBlocks::Slot &S : Blocks[B].Slots) {
        const auto &Uses = S.From->Uses;
        if (S.Removed || !(carries(Carried, S) ||
                           (!S.Shape.IsMemory &&
                            std::any_of(Uses.begin(), Uses.end(),
                                        [&](unsigned R) { return Held[R]; }))))
          continue;
        for (unsigned R : S.From->Defs)
          if (!Held[R])
            Held[R] = Changed = true;
      }
  }
  return Held;
}

class BlockChains {
public:
  BlockChains(ChainBlocks &Blocks, unsigned B, const CarriedBases &Carried,
              const std::vector<bool> &Addresses)
      : Blocks(Blocks), Slots(Blocks[B].Slots), Carried(Carried),
        Addresses(Addresses) {}

  void chain() {
    for (size_t I = 0; I < Slots.size(); ++I)
      if (carries(Carried, Slots[I]))
        chain(I);
  }

private:
  bool isZero(unsigned Register) const {
    return Blocks.isZero(Register) && !Addresses[Register];
  }

  /// The slot before \p Before that writes \p Register, there or not.
  std::optional<size_t> writer(size_t Before, unsigned Register) const {
    for (size_t I = Before; I-- > 0;) {
      const auto &Defs = Slots[I].From->Defs;
      if (std::find(Defs.begin(), Defs.end(), Register) != Defs.end())
        return I;
    }
    return std::nullopt;
  }

  void chain(size_t I) {
    ChainBlocks::Slot &S = Slots[I];
    if (!Blocks.isZero(S.ZeroSource))
      return; // a loaded index
    for (unsigned R : S.From->Uses)
      if (auto W = writer(I, R); W && carries(Carried, Slots[*W]) &&
                                 Carried.at(&Slots[*W]) == Carried.at(&S)) {
        S.PassedOn = Blocks.name(R);
        S.ZeroSource = 0;
        return;
      }
    if (unsigned R = madeZero(I, S, Kind::B64))
      S.ZeroSource = R;
    else if (unsigned Narrow = madeZero(I, S, Kind::B32))
      S.ZeroSource = Narrow;
    else if (!isZero(S.ZeroSource))
      S.ZeroSource = 0;
  }

  /// A zero register of kind \p Wanted that slots before \p I write and \p S
  /// reads, directly or through replaced slots; or 0.
  unsigned madeZero(size_t I, const ChainBlocks::Slot &S, Kind Wanted) const {
    for (unsigned R : S.From->Uses) {
      auto W = writer(I, R);
      if (!W)
        continue;
      const ChainBlocks::Slot &Made = Slots[*W];
      if (!Made.Removed && isZero(R) && Blocks.kind(R) == Wanted)
        return R;
      if (unsigned Through = Made.Removed ? madeZero(*W, Made, Wanted) : 0)
        return Through;
    }
    return 0;
  }

  ChainBlocks &Blocks;
  std::vector<ChainBlocks::Slot> &Slots;
  const CarriedBases &Carried;
  const std::vector<bool> &Addresses;
};

} // namespace

void chainAdditions(ChainBlocks &Blocks, const CarriedBases &Carried,
                    unsigned NumRegisters) {
  const std::vector<bool> Addresses =
      addressRegisters(Blocks, Carried, NumRegisters);
  for (unsigned B = 0; B < Blocks.size(); ++B)
    BlockChains(Blocks, B, Carried, Addresses).chain();
}

} // namespace heddle::synthesis
