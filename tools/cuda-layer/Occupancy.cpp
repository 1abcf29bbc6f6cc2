//===- Occupancy.cpp - How many blocks an SM holds, in both APIs --------===//

#include "DriverCalls.h"

#include "base/Clusters.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::cuda;

static KernelHandle *kernelOf(const void *Function) {
  return Device::get().kernel(Function);
}
static Status noKernel(CUfunction) { return Status::InvalidHandle; }
static Status noKernel(const void *) { return Status::InvalidDeviceFunction; }

template <typename FunctionT>
static cudaError_t blocks(const Call &Enter, int *To, FunctionT F, int Threads,
                          size_t Shared) {
  KernelHandle *K = kernelOf(F);
  if (!K || !To || Threads <= 0)
    return Enter(K ? Status::InvalidValue : noKernel(F));
  auto Blocks = Enter.device().blocksPerSM(*K, unsigned(Threads), Shared);
  if (!Blocks)
    return Enter.refuse(noKernel(F), Blocks.error().Message);
  return Enter.give(To, int(*Blocks));
}
EXPORTED cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *To, const void *Function, int Threads, size_t Shared) {
  ENTER;
  return blocks(Enter, To, Function, Threads, Shared);
}
EXPORTED cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *To, const void *Function, int Threads, size_t Shared, unsigned) {
  ENTER;
  return blocks(Enter, To, Function, Threads, Shared);
}
EXPORTED CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *To,
                                                              CUfunction F,
                                                              int Threads,
                                                              size_t Shared) {
  ENTER;
  return result(blocks(Enter, To, F, Threads, Shared));
}
EXPORTED CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *To, CUfunction F, int Threads, size_t Shared, unsigned) {
  ENTER;
  return result(blocks(Enter, To, F, Threads, Shared));
}

/// Of the block sizes with the most threads on an SM, the largest.
EXPORTED CUresult cuOccupancyMaxPotentialBlockSize(int *Grid, int *Block,
                                                   CUfunction F,
                                                   CUoccupancyB2DSize SharedOf,
                                                   size_t Shared, int Limit) {
  ENTER;
  KernelHandle *K = kernelOf(F);
  if (!K || !Grid || !Block)
    return result(Enter(K ? Status::InvalidValue : Status::InvalidHandle));
  Device &D = Enter.device();
  auto R = D.resources(*K);
  if (!R)
    return result(Enter.refuse(Status::InvalidHandle, R.error().Message));
  int Most =
      int(R->MaxThreads ? R->MaxThreads : D.machine().SM.MaxThreadsPerBlock);
  if (Limit > 0)
    Most = std::min(Most, Limit);
  unsigned Best = 0;
  for (int Size = (Most + 31) / 32 * 32; Size > 0; Size -= 32) {
    const int Threads = std::min(Size, Most);
    auto Blocks = D.blocksPerSM(*K, unsigned(Threads),
                                SharedOf ? SharedOf(Threads) : Shared);
    if (Blocks && *Blocks * unsigned(Threads) > Best) {
      Best = *Blocks * unsigned(Threads);
      *Block = Threads;
      *Grid = int(*Blocks * D.machine().SM.Count);
    }
  }
  return result(Enter.done());
}
EXPORTED CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *Grid, int *Block, CUfunction F, CUoccupancyB2DSize SharedOf,
    size_t Shared, int Limit, unsigned) {
  ENTER;
  return cuOccupancyMaxPotentialBlockSize(Grid, Block, F, SharedOf, Shared,
                                          Limit);
}

/// Dynamic shared memory with which an SM still holds \p Blocks blocks.
template <typename FunctionT>
static cudaError_t sharedLeft(const Call &Enter, size_t *To, FunctionT F,
                              int Blocks, int Threads) {
  KernelHandle *K = kernelOf(F);
  if (!K || !To || Blocks <= 0 || Threads <= 0)
    return Enter(K ? Status::InvalidValue : noKernel(F));
  Device &D = Enter.device();
  // More never fits where less does not.
  uint64_t Fits = 0, Most = D.machine().Shared.MaxPerBlock + 1;
  auto Holds = [&](uint64_t Shared) {
    auto N = D.blocksPerSM(*K, unsigned(Threads), Shared);
    return N && *N >= unsigned(Blocks);
  };
  if (!Holds(0))
    return Enter.refuse(Status::InvalidValue,
                        "an SM does not hold so many blocks");
  while (Most - Fits > 1) {
    const uint64_t Middle = (Fits + Most) / 2;
    (Holds(Middle) ? Fits : Most) = Middle;
  }
  return Enter.give(To, size_t(Fits));
}
EXPORTED cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    size_t *To, const void *Function, int Blocks, int Threads) {
  ENTER;
  return sharedLeft(Enter, To, Function, Blocks, Threads);
}
EXPORTED CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *To,
                                                          CUfunction F,
                                                          int Blocks,
                                                          int Threads) {
  ENTER;
  return result(sharedLeft(Enter, To, F, Blocks, Threads));
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// The largest cluster that \p K may be launched with; 0 without clusters.
static unsigned largestCluster(Device &D, const KernelHandle &K) {
  const unsigned Most = D.machine().Cluster.MaxBlocks;
  return K.LargeClusters ? Most
                         : std::min<unsigned>(Most, MaxPortableClusterBlocks);
}

/// Clusters of \p Shape that the GPU holds at once.
template <typename FunctionT>
static cudaError_t clusters(const Call &Enter, int *To, FunctionT F,
                            const LaunchShape &Shape) {
  KernelHandle *K = kernelOf(F);
  if (!K || !To)
    return Enter(K ? Status::InvalidValue : noKernel(F));
  Device &D = Enter.device();
  const uint64_t Size = Shape.Cluster ? Shape.Cluster->count() : 1;
  if (!Size || Size > largestCluster(D, *K))
    return Enter.refuse(Status::InvalidClusterSize,
                        "the machine has no clusters of this size");
  auto Blocks =
      D.blocksPerSM(*K, unsigned(Shape.Block.count()), Shape.DynamicShared);
  if (!Blocks)
    return Enter.refuse(noKernel(F), Blocks.error().Message);
  return Enter.give(To, int(*Blocks * D.machine().SM.Count / Size));
}
template <typename FunctionT>
static cudaError_t clusterSize(const Call &Enter, int *To, FunctionT F) {
  KernelHandle *K = kernelOf(F);
  return K ? Enter.give(To, int(largestCluster(Enter.device(), *K)))
           : Enter(noKernel(F));
}
static LaunchShape shapeOf(const cudaLaunchConfig_t &C) {
  LaunchShape Shape = {{C.gridDim.x, C.gridDim.y, C.gridDim.z},
                       {C.blockDim.x, C.blockDim.y, C.blockDim.z},
                       C.dynamicSmemBytes,
                       false};
  applyAttributes(Shape, C.attrs, C.numAttrs);
  return Shape;
}
static LaunchShape shapeOf(const CUlaunchConfig &C) {
  LaunchShape Shape = {{C.gridDimX, C.gridDimY, C.gridDimZ},
                       {C.blockDimX, C.blockDimY, C.blockDimZ},
                       C.sharedMemBytes,
                       false};
  applyAttributes(Shape, reinterpret_cast<const cudaLaunchAttribute *>(C.attrs),
                  C.numAttrs);
  return Shape;
}
EXPORTED cudaError_t cudaOccupancyMaxActiveClusters(
    int *To, const void *Function, const cudaLaunchConfig_t *Config) {
  ENTER;
  return Config ? clusters(Enter, To, Function, shapeOf(*Config))
                : Enter.refuseNull();
}
EXPORTED CUresult cuOccupancyMaxActiveClusters(int *To, CUfunction F,
                                               const CUlaunchConfig *Config) {
  ENTER;
  return result(Config ? clusters(Enter, To, F, shapeOf(*Config))
                       : Enter.refuseNull());
}
EXPORTED cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *To, const void *Function, const cudaLaunchConfig_t *) {
  ENTER;
  return clusterSize(Enter, To, Function);
}
EXPORTED CUresult cuOccupancyMaxPotentialClusterSize(int *To, CUfunction F,
                                                     const CUlaunchConfig *) {
  ENTER;
  return result(clusterSize(Enter, To, F));
}
