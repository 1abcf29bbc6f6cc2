//===- BlockSupply.cpp - Which block an SM starts next --------------------===//

#include "interval/BlockSupply.h"

#include "base/Makespan.h"

#include <algorithm>
#include <queue>

namespace heddle::interval {

Result<std::vector<BlockSupply::Share>>
BlockSupply::assignAll(unsigned SlotsPerSM, std::vector<uint32_t> &BlockInsts) {
  using Free = std::pair<uint64_t, uint64_t>; ///< when, order of the slots
  using Queue =
      std::priority_queue<Free, std::vector<Free>, std::greater<Free>>;
  std::vector<Queue> Slots(Groups.Count);
  for (uint64_t P = 0; P < uint64_t(Groups.Count) * SlotsPerSM; ++P)
    if (Groups.Clusters.empty() ||
        P / Groups.Count < Groups.Clusters[P % Groups.Count])
      Slots[P % Groups.Count].emplace(0, P);
  std::vector<Share> Shares(Groups.Count);
  for (Share &S : Shares)
    S.Slots.resize(SlotsPerSM);
  std::vector<std::vector<uint32_t>> Chains(Groups.sms());
  // Instructions say no more exactly than this part of a block when one ends:
  // an assumption. Of SMs that have a slot by then, that with least to do has
  // it first.
  constexpr double Vague = 0.25;
  uint64_t Sum = 0, Number = 0;
  auto next = [&] {
    unsigned First = 0;
    for (unsigned G = 1; G < Groups.Count; ++G)
      if (!Slots[G].empty() &&
          (Slots[First].empty() || Slots[G].top() < Slots[First].top()))
        First = G;
    const uint64_t When = Slots[First].top().first;
    if (When == 0)
      return First;
    const uint64_t Until =
        When + uint64_t(Vague * double(Sum) / double(Number));
    for (unsigned G = 0; G < Groups.Count; ++G)
      if (!Slots[G].empty() && Slots[G].top().first <= Until &&
          Shares[G].Insts < Shares[First].Insts)
        First = G;
    return First;
  };
  while (Drawn < Total) {
    const unsigned Group = next();
    const auto [When, Slot] = Slots[Group].top();
    Slots[Group].pop();
    uint64_t Longest = 0;
    for (unsigned Rank = 0; Rank < Groups.Size; ++Rank) {
      const unsigned SM = Group * Groups.Size + Rank;
      HeldBlock &Block = Coming[SM].emplace_back();
      if (Result<void> R = read(Drawn++, Block); !R)
        return std::unexpected(R.error());
      BlockInsts.push_back(short32(Block.Size.Insts));
      Chains[SM].push_back(short32(Block.Size.Chain));
      Shares[Group].Insts += Block.Size.Insts;
      Shares[Group].Slots[Slot / Groups.Count] += Block.Size.Insts;
      Longest = std::max(Longest, Block.Size.Chain);
    }
    Sum += Longest;
    ++Number;
    Slots[Group].emplace(When + Longest, Slot);
  }
  for (unsigned SM = 0; SM < Groups.sms(); ++SM) {
    Share &Its = Shares[SM / Groups.Size];
    Its.Chain = std::max(Its.Chain, uint64_t(makespan(Chains[SM], SlotsPerSM)));
  }
  return Shares;
}

Result<void> BlockSupply::next(unsigned SM, HeldBlock &Out) {
  if (Groups.Size == 1 && Coming[SM].empty())
    return read(Drawn++, Out);
  if (Coming[SM].empty()) {
    const unsigned First = SM / Groups.Size * Groups.Size;
    for (unsigned Rank = 0; Rank < Groups.Size; ++Rank)
      if (Result<void> R = read(Drawn++, Coming[First + Rank].emplace_back());
          !R)
        return R;
  }
  Out = std::move(Coming[SM].front());
  Coming[SM].pop_front();
  return {};
}

} // namespace heddle::interval
