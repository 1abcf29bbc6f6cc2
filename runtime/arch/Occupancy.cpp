//===- Occupancy.cpp - How many blocks fit on an SM -----------------------===//

#include "arch/Occupancy.h"

#include "base/Fail.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::arch;

static uint64_t roundUp(uint64_t Value, uint64_t Multiple) {
  return Multiple > 1 ? (Value + Multiple - 1) / Multiple * Multiple : Value;
}

uint64_t heddle::arch::sharedBytesPerBlock(const BlockResources &Block,
                                           const GPUSpec &Spec) {
  uint64_t Need = Block.SharedBytes + Spec.Shared.ReservedPerBlock;
  return roundUp(Need, Spec.Shared.Granularity);
}

unsigned heddle::arch::allocatedRegisters(unsigned RegistersPerThread,
                                          const GPUSpec &Spec) {
  return unsigned(
      roundUp(uint64_t(RegistersPerThread) * 32, Spec.SM.RegisterGranularity) /
      32);
}

Result<Occupancy> heddle::arch::computeOccupancy(const BlockResources &Block,
                                                 const GPUSpec &Spec) {
  const SMSpec &SM = Spec.SM;
  uint64_t Threads = Block.Threads;
  auto TooMuch = [&](std::string_view What, uint64_t Need, uint64_t Limit,
                     std::string_view Advice) {
    return fail(
        "kernel '{}': a block needs {} {}, an SM of {} takes at most {}; {}",
        Block.Kernel, Need, What, Spec.Name, Limit, Advice);
  };
  if (Threads > SM.MaxThreadsPerBlock)
    return TooMuch("threads", Threads, SM.MaxThreadsPerBlock,
                   "make the block smaller");

  Occupancy O;
  O.MaxWarpsPerSM = SM.MaxWarps;
  const unsigned Warps = Block.warps();
  if (Warps > SM.MaxWarps)
    return TooMuch("warps", Warps, SM.MaxWarps, "make the block smaller");
  O.BlocksByWarps = SM.MaxWarps / Warps;
  O.BlocksBySlots = SM.MaxBlocks;

  if (Block.RegistersPerThread > SM.MaxRegistersPerThread)
    return TooMuch("registers per thread", Block.RegistersPerThread,
                   SM.MaxRegistersPerThread,
                   "limit them with __launch_bounds__ or split the kernel");
  // The register file is divided between the SM's partitions, whose number the
  // granularity is: a warp's registers lie in one of them, so what is left over
  // in each is lost. Warp slots are not rounded (CUDA occupancy calculator).
  uint64_t PerWarp =
      roundUp(uint64_t(Block.RegistersPerThread) * 32, SM.RegisterGranularity);
  const uint64_t Parts = std::max(1u, SM.WarpGranularity);
  const uint64_t WarpsByRegisters =
      PerWarp ? SM.Registers / Parts / PerWarp * Parts : 0;
  if (PerWarp && WarpsByRegisters < Warps)
    return TooMuch("registers", PerWarp * Warps,
                   PerWarp * Warps > SM.Registers ? SM.Registers
                                                  : WarpsByRegisters * PerWarp,
                   "make the block smaller or use fewer registers");
  O.BlocksByRegisters =
      PerWarp ? unsigned(WarpsByRegisters / Warps) : SM.MaxBlocks;

  uint64_t Shared = sharedBytesPerBlock(Block, Spec);
  uint64_t SharedLimit =
      Spec.Shared.MaxPerBlock ? Spec.Shared.MaxPerBlock : Spec.Shared.Size;
  if (Block.SharedBytes > SharedLimit || Shared > Spec.Shared.Size)
    return TooMuch("bytes of shared memory", Block.SharedBytes,
                   std::min<uint64_t>(SharedLimit, Spec.Shared.Size),
                   "use less shared memory");
  O.BlocksByShared = Shared ? Spec.Shared.Size / Shared : SM.MaxBlocks;

  O.BlocksPerSM = std::min({O.BlocksByWarps, O.BlocksBySlots,
                            O.BlocksByRegisters, O.BlocksByShared});
  O.Limiter = O.BlocksPerSM == O.BlocksByWarps       ? "warps"
              : O.BlocksPerSM == O.BlocksBySlots     ? "blocks"
              : O.BlocksPerSM == O.BlocksByRegisters ? "registers"
                                                     : "shared memory";
  O.WarpsPerSM = O.BlocksPerSM * Block.warps();
  O.Theoretical = double(O.WarpsPerSM) / SM.MaxWarps;
  return O;
}

Result<void> heddle::arch::checkClusterFits(const GPUSpec &Spec,
                                            const std::string &Kernel,
                                            const Dim3 &Cluster,
                                            unsigned BlocksPerSM) {
  const uint64_t Size = Cluster.count();
  if (Size == 1)
    return {};
  const std::string Asks =
      fmt::format("kernel '{}' is launched in clusters of {} x {} x {} blocks",
                  Kernel, Cluster.X, Cluster.Y, Cluster.Z);
  if (!Spec.Cluster.MaxBlocks)
    return fail("{}; machine '{}' launches no clusters (cluster.max_blocks)",
                Asks, Spec.Name);
  if (Size > Spec.Cluster.MaxBlocks)
    return fail("{}; machine '{}' takes {} at most (cluster.max_blocks)", Asks,
                Spec.Name, Spec.Cluster.MaxBlocks);
  unsigned Most = 0;
  for (unsigned G = 0; G < Spec.Cluster.GPCs; ++G) {
    const auto [First, End] = smsOfGPC(Spec, G);
    Most = std::max(Most, End - First);
  }
  if (Size > uint64_t(Most) * BlocksPerSM)
    return fail("{}; no GPC of machine '{}' holds that many at once ({} SMs, "
                "{} blocks each)",
                Asks, Spec.Name, Most, BlocksPerSM);
  return {};
}
