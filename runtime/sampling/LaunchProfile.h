//===- LaunchProfile.h - What every thread block of a launch did -*- C++
//-*-===//
//
// The one profile that sampling reads: it holds for any machine, so one
// functional execution serves every question about every GPU.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_LAUNCHPROFILE_H
#define HEDDLE_SAMPLING_LAUNCHPROFILE_H

#include "base/BlockResources.h"
#include "base/Dim3.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::sampling {

/// Work of one thread block. Instructions are those of the code table's level.
struct BlockWork {
  uint64_t WarpInstructions = 0;
  uint64_t ThreadInstructions = 0;
  /// Sectors of 32 bytes that the global and local accesses of its warps touch:
  /// TBPoint's memory requests.
  uint64_t MemoryRequests = 0;
  uint64_t Bytes = 0; ///< that its threads read and write, all spaces

  BlockWork &operator+=(const BlockWork &Other) {
    WarpInstructions += Other.WarpInstructions;
    ThreadInstructions += Other.ThreadInstructions;
    MemoryRequests += Other.MemoryRequests;
    Bytes += Other.Bytes;
    return *this;
  }
  bool operator==(const BlockWork &) const = default;
};

/// One launch, block by block.
struct LaunchProfile {
  std::string Kernel;
  Dim3 Grid, Block;
  unsigned RegistersPerThread = 0;
  uint64_t SharedBytesPerBlock = 0;
  std::vector<BlockWork> Blocks; ///< by linear index
  /// Warp instructions executed in each basic block of the IR: the basic-block
  /// vector, weighted by instructions.
  std::vector<uint64_t> BasicBlocks;
  /// Bytes that the threads read and write in each basic block; atomics do
  /// both.
  std::vector<uint64_t> BytesRead, BytesWritten;
  std::string Arguments; ///< values and buffers, as text
  std::string Range;     ///< of the program, "outer/inner"; empty: none
  /// The host waited for the device between the launch before and this one.
  bool AfterSync = false;

  BlockWork total() const {
    BlockWork Sum;
    for (const BlockWork &B : Blocks)
      Sum += B;
    return Sum;
  }
  BlockResources blockResources() const {
    return {Kernel, Block.count(), RegistersPerThread, SharedBytesPerBlock};
  }
};

/// The launches of an application, in order.
struct ApplicationProfile {
  std::vector<LaunchProfile> Launches;
  /// What they depend on that no source says, a note each.
  std::vector<std::string> Assumptions = {};
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_LAUNCHPROFILE_H
