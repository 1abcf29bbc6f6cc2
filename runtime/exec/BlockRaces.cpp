//===- BlockRaces.cpp - Races between thread blocks -----------------------===//

#include "exec/BlockRaces.h"

#include <utility>

namespace heddle::exec {

BlockRaces::Byte *BlockRaces::at(uint64_t Address) {
  auto It = Pages.find(Address / PageBytes);
  if (It == Pages.end()) {
    Full |= Pages.size() >= MaxPages;
    if (Full)
      return nullptr;
    It = Pages.emplace(Address / PageBytes, std::make_unique<Page>()).first;
  }
  return &(*It->second)[Address % PageBytes];
}

static void note(int32_t &Who, bool &Many, uint32_t Block) {
  Many |= Who != -1 && Who != int32_t(Block);
  Who = int32_t(Block);
}

void BlockRaces::update(Byte &B, bool Ordered, const Race &Place) {
  B.Ordered |= Ordered;
  const int32_t Other = B.Updater;
  note(B.Updater, B.ManyUpdaters, Place.Block);
  if (!B.Ordered || !B.ManyUpdaters || Other == int32_t(Place.Block))
    return;
  Race &R = Found.emplace_back(Place);
  R.Other = uint32_t(Other);
  R.IsOrder = true;
}

void BlockRaces::access(uint64_t Address, uint32_t Bytes, Kind What,
                        const Race &Place) {
  for (uint32_t I = 0; I < Bytes; ++I) {
    Byte *B = at(Address + I);
    if (!B)
      return;
    if (What == Kind::Write) {
      // Whether it changes anything shows when it has happened.
      Write &W = Pending.emplace_back();
      W.Place = Place;
      W.Place.Address = Address + I;
      W.Old = *reinterpret_cast<const uint8_t *>(Address + I);
      continue;
    }
    if (B->Writer != -1 && B->Writer != int32_t(Place.Block)) {
      Race &R = Found.emplace_back(Place);
      R.Address = Address + I;
      R.Other = uint32_t(B->Writer);
    }
    if (What == Kind::Read)
      note(B->Reader, B->ManyReaders, Place.Block);
    else
      update(*B, What == Kind::OrderedUpdate, Place);
  }
}

std::vector<BlockRaces::Race> BlockRaces::settle() {
  for (const Write &W : Pending) {
    Byte *B = at(W.Place.Address);
    if (!B)
      break;
    if (*reinterpret_cast<const uint8_t *>(W.Place.Address) == W.Old) {
      note(B->Keeper, B->ManyKeepers, W.Place.Block);
      continue;
    }
    const int32_t Own = int32_t(W.Place.Block);
    auto Other = [Own](int32_t Who, bool Many) {
      return Who != -1 && (Who != Own || Many) ? Who : -1;
    };
    int32_t With = Other(B->Writer, false);
    if (With == -1)
      With = Other(B->Updater, B->ManyUpdaters);
    if (With == -1)
      With = Other(B->Reader, B->ManyReaders);
    if (With == -1)
      With = Other(B->Keeper, B->ManyKeepers);
    if (With != -1) {
      Race &R = Found.emplace_back(W.Place);
      R.Other = uint32_t(With);
    }
    B->Writer = Own;
  }
  Pending.clear();
  return std::exchange(Found, {});
}

} // namespace heddle::exec
