//===- LaunchLimits.cpp - What a GPU refuses to launch --------------------===//

#include "cuda/Device.h"

#include "arch/Occupancy.h"
#include "base/Clusters.h"
#include "launch/LaunchFile.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::cuda {

/// The default limit of shared memory for a block, static and dynamic
/// (CUDA C++ Programming Guide, "Shared Memory" of every architecture).
static constexpr uint64_t DefaultShared = 48 * 1024;

static uint64_t maxDynamicShared(const KernelHandle &K, uint64_t StaticShared) {
  return std::max(K.MaxDynamicShared,
                  DefaultShared - std::min(DefaultShared, StaticShared));
}

uint64_t Device::maxDynamicShared(const KernelHandle &K) const {
  const exec::KernelInterface *I =
      K.Module->Loaded ? K.Module->Loaded->kernel(K.Name) : nullptr;
  return cuda::maxDynamicShared(K, I ? I->StaticSharedBytes : 0);
}

/// Registers of a kernel are an estimate, nine of ten less than a third off
/// (`utils/reproduce nvcc`), so a launch is refused only beyond that.
Status Device::checkRegisters(KernelHandle &K, unsigned Threads,
                              const char *Call) {
  constexpr unsigned MostOfThread = 255; // by the instruction set
  if (Threads * MostOfThread <= Machine.SM.Registers ||
      Threads <= K.FittingThreads)
    return Status::Success;
  const auto R = resources(K);
  if (R && uint64_t(R->RegistersPerThread) * Threads * 3 >
               uint64_t(Machine.SM.Registers) * 4)
    return report(
        Status::OutOfResources, Call,
        fmt::format("kernel '{}': {} threads of about {} registers each; a "
                    "block of {} has {}. Launch fewer threads, or give it "
                    "__launch_bounds__",
                    K.Name, Threads, R->RegistersPerThread, Machine.Name,
                    Machine.SM.Registers));
  K.FittingThreads = Threads;
  return Status::Success;
}

Status Device::checkShape(KernelHandle &K, const LaunchShape &Shape,
                          const exec::KernelInterface &I, const char *Call) {
  const Dim3 &G = Shape.Grid, &B = Shape.Block;
  // Compute capability 3.0 and later (CUDA C++ Programming Guide, "Technical
  // Specifications per Compute Capability").
  const bool GridFits =
      G.X && G.Y && G.Z && G.X <= 0x7fffffffu && G.Y <= 65535 && G.Z <= 65535;
  const bool BlockFits = B.X && B.Y && B.Z && B.X <= 1024 && B.Y <= 1024 &&
                         B.Z <= 64 &&
                         B.count() <= Machine.SM.MaxThreadsPerBlock;
  if (!GridFits || !BlockFits)
    return report(
        Status::InvalidConfiguration, Call,
        fmt::format("kernel '{}': a {} of {} x {} x {} is out of limits ({})",
                    K.Name, GridFits ? "block" : "grid", GridFits ? B.X : G.X,
                    GridFits ? B.Y : G.Y, GridFits ? B.Z : G.Z,
                    GridFits ? fmt::format("1024 x 1024 x 64, {} threads",
                                           Machine.SM.MaxThreadsPerBlock)
                             : "2147483647 x 65535 x 65535"));
  if (Shape.Cluster) {
    const Dim3 &C = *Shape.Cluster;
    const unsigned Blocks = K.LargeClusters
                                ? Machine.Cluster.MaxBlocks
                                : std::min<unsigned>(Machine.Cluster.MaxBlocks,
                                                     MaxPortableClusterBlocks);
    if (!C.X || !C.Y || !C.Z || C.X > Blocks || C.Y > Blocks || C.Z > Blocks ||
        C.count() > Blocks)
      return report(Status::InvalidClusterSize, Call,
                    fmt::format("kernel '{}': clusters of {} x {} x {} blocks; "
                                "{} launches up to {}{}",
                                K.Name, C.X, C.Y, C.Z, Machine.Name, Blocks,
                                K.LargeClusters || !Blocks
                                    ? ""
                                    : ", or more after cudaFuncSetAttribute"));
    if (auto Ok = launch::checkCluster(Shape.Grid, C); !Ok)
      return report(Status::InvalidClusterSize, Call,
                    fmt::format("kernel '{}': {}", K.Name, Ok.error().Message));
  }
  const uint64_t Most = cuda::maxDynamicShared(K, I.StaticSharedBytes);
  if (Shape.DynamicShared > Most)
    return report(
        Status::InvalidValue, Call,
        fmt::format("kernel '{}': {} bytes of dynamic shared memory, {} are "
                    "allowed; cudaFuncSetAttribute allows more",
                    K.Name, Shape.DynamicShared, Most));
  if (Status S = checkRegisters(K, unsigned(B.count()), Call);
      S != Status::Success)
    return S;
  if (!Shape.Cooperative)
    return Status::Success;
  auto Fit = blocksPerSM(K, unsigned(B.count()), Shape.DynamicShared);
  const uint64_t Blocks = Fit ? uint64_t(*Fit) * Machine.SM.Count : G.count();
  if (G.count() > Blocks)
    return report(Status::CooperativeTooLarge, Call,
                  fmt::format("kernel '{}': a cooperative grid of {} blocks; "
                              "{} holds {} at once",
                              K.Name, G.count(), Machine.Name, Blocks));
  return Status::Success;
}

Result<KernelResources> Device::resources(KernelHandle &K) {
  if (load(*K.Module, "cudaFuncGetAttributes") != Status::Success)
    return fail("its module is not loaded");
  return K.Module->Loaded->resources(K.Name);
}

Result<unsigned> Device::blocksPerSM(KernelHandle &K, unsigned Threads,
                                     uint64_t Shared) {
  auto R = resources(K);
  if (!R)
    return std::unexpected(R.error());
  BlockResources Block;
  Block.Threads = Threads;
  Block.RegistersPerThread = R->RegistersPerThread;
  Block.SharedBytes = R->StaticSharedBytes + Shared;
  auto O = arch::computeOccupancy(Block, Machine);
  return O ? O->BlocksPerSM : 0;
}

} // namespace heddle::cuda
