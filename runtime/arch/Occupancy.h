//===- Occupancy.h - How many blocks fit on an SM ---------------*- C++ -*-===//

#ifndef HEDDLE_ARCH_OCCUPANCY_H
#define HEDDLE_ARCH_OCCUPANCY_H

#include "arch/GPUSpec.h"
#include "base/BlockResources.h"
#include "base/Dim3.h"
#include "base/Result.h"

#include <cstdint>
#include <string>
#include <utility>

namespace heddle::arch {

struct Occupancy {
  unsigned BlocksPerSM = 0; ///< that fit at once
  unsigned WarpsPerSM = 0;
  unsigned MaxWarpsPerSM = 0;
  unsigned BlocksByWarps = 0, BlocksBySlots = 0; ///< limit by each resource
  unsigned BlocksByRegisters = 0, BlocksByShared = 0;
  std::string Limiter;    ///< "warps", "blocks", "registers" or "shared memory"
  double Theoretical = 0; ///< WarpsPerSM / MaxWarpsPerSM
  double Achieved = 0;    ///< mean resident warps of busy SMs / MaxWarpsPerSM
};

/// Blocks of a launch that one SM holds at once, by warp slots, block slots,
/// registers and shared memory, with the machine's allocation granularities
/// (equations 1-7 of the hybrid estimator). Fails, naming resource, need and
/// limit, if not even one fits.
Result<Occupancy> computeOccupancy(const BlockResources &Block,
                                   const GPUSpec &Spec);

/// SMs of a TPC, of which a GPC consists (H100 white paper, 2022): chips lack
/// whole TPCs, so that a GPC has an even number of SMs.
inline constexpr uint64_t SMsPerTPC = 2;

/// The SMs [first, end) of a GPC: all GPCs have as many TPCs, up to one. With
/// fewer TPCs than GPCs, or an odd number of SMs, as many SMs, up to one.
inline std::pair<unsigned, unsigned> smsOfGPC(const GPUSpec &Spec,
                                              unsigned GPC) {
  const uint64_t Count = Spec.SM.Count, GPCs = Spec.Cluster.GPCs;
  const bool Whole = Count % SMsPerTPC == 0 && Count / SMsPerTPC >= GPCs;
  const uint64_t Unit = Whole ? SMsPerTPC : 1;
  return {unsigned(GPC * (Count / Unit) / GPCs * Unit),
          unsigned((GPC + 1) * (Count / Unit) / GPCs * Unit)};
}

/// Whether the machine can start clusters of \p Cluster blocks, of which an SM
/// holds \p BlocksPerSM: an error that says why not.
Result<void> checkClusterFits(const GPUSpec &Spec, const std::string &Kernel,
                              const Dim3 &Cluster, unsigned BlocksPerSM);

/// Registers that each thread of a warp is given where a kernel has \p
/// RegistersPerThread, rounded as the machine rounds them.
unsigned allocatedRegisters(unsigned RegistersPerThread, const GPUSpec &Spec);

/// Shared memory that one block takes, rounded as the machine rounds it.
uint64_t sharedBytesPerBlock(const BlockResources &Block, const GPUSpec &Spec);

} // namespace heddle::arch

#endif // HEDDLE_ARCH_OCCUPANCY_H
