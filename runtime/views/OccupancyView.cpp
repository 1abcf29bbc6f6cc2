//===- OccupancyView.cpp - Why no more warps fit --------------------------===//

#include "views/OccupancyView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <set>

namespace heddle::views {

OccupancyView::OccupancyView(const BlockResources &Block,
                             const arch::GPUSpec &Spec,
                             const arch::Occupancy &Now)
    : Machine(Spec.Name), Registers(Block.RegistersPerThread),
      Shared(Block.SharedBytes) {
  auto resource = [&](std::string Name, uint64_t Need, uint64_t Limit,
                      unsigned Blocks) {
    bool Limits = Blocks == Now.BlocksPerSM;
    Resources.push_back({std::move(Name), Need, Limit, Blocks, Limits});
  };
  resource("warps", Block.warps(), Spec.SM.MaxWarps, Now.BlocksByWarps);
  resource("blocks", 1, Spec.SM.MaxBlocks, Now.BlocksBySlots);
  resource("registers", uint64_t(Registers) * 32 * Block.warps(),
           Spec.SM.Registers, Now.BlocksByRegisters);
  resource("shared memory", arch::sharedBytesPerBlock(Block, Spec),
           Spec.Shared.Size, Now.BlocksByShared);

  std::set<uint64_t> Threads = {Block.Threads};
  for (uint64_t N = 32; N <= Spec.SM.MaxThreadsPerBlock; N *= 2)
    Threads.insert(N);
  for (uint64_t N : Threads) {
    BlockResources Other = Block;
    Other.Threads = N;
    Size New;
    New.Threads = N;
    New.IsLaunch = N == Block.Threads;
    if (Result<arch::Occupancy> O = arch::computeOccupancy(Other, Spec)) {
      New.Blocks = O->BlocksPerSM;
      New.Warps = O->WarpsPerSM;
      New.Share = O->Theoretical;
      New.Limiter = O->Limiter;
    }
    Sizes.push_back(std::move(New));
  }
}

std::string OccupancyView::text() const {
  TextTable ByResource("lrrrl",
                       {"resource", "per block", "per SM", "blocks", ""});
  for (const Resource &R : Resources)
    ByResource.row({R.Name, grouped(R.Need), grouped(R.Limit),
                    grouped(R.Blocks), R.Limits ? "<- limits" : ""});
  TextTable BySize("rrrrll", {"block size", "blocks", "warps", "occupancy",
                              "limited by", ""});
  for (const Size &S : Sizes)
    BySize.row({grouped(S.Threads), grouped(S.Blocks), grouped(S.Warps),
                percent(S.Share, 1),
                S.Limiter.empty() ? "does not fit" : S.Limiter,
                S.IsLaunch ? "<- this launch" : ""});
  return fmt::format("Occupancy ({} registers per thread, {} of shared memory "
                     "per block, on {})\n",
                     Registers, bytes(Shared), Machine) +
         ByResource.str() + "\n" + BySize.str();
}

void OccupancyView::addTo(JSON &Out) const {
  JSON &Table = Out["occupancy_table"] = JSON::object();
  Table["registers_per_thread"] = Registers;
  Table["shared_bytes"] = Shared;
  JSON &ByResource = Table["resources"] = JSON::array();
  for (const Resource &R : Resources)
    ByResource.push_back({{"name", R.Name},
                          {"per_block", R.Need},
                          {"per_sm", R.Limit},
                          {"blocks", R.Blocks},
                          {"limits", R.Limits}});
  JSON &BySize = Table["block_sizes"] = JSON::array();
  for (const Size &S : Sizes)
    BySize.push_back({{"threads", S.Threads},
                      {"blocks", S.Blocks},
                      {"warps", S.Warps},
                      {"occupancy", S.Share},
                      {"limiter", S.Limiter},
                      {"this_launch", S.IsLaunch}});
}

} // namespace heddle::views
