//===- ProfileBuilder.cpp - A launch's profile from its counters ----------===//

#include "sampling/ProfileBuilder.h"

#include "heddle/ABI/WarpKernel.h"

namespace heddle::sampling {

ProfileBuilder::ProfileBuilder(const trace::TraceHeader &Header,
                               const trace::CodeTable &Code)
    : Code(Code) {
  Profile.Kernel = Header.Kernel;
  Profile.Grid = Header.Grid;
  Profile.Block = Header.Block;
  Profile.RegistersPerThread = Header.RegistersPerThread;
  Profile.SharedBytesPerBlock = Header.SharedBytesPerBlock;
  Profile.Blocks.resize(Header.Grid.count());
  Atomic.resize(Code.Memory.size());
  for (const HeddleInst &I : Code.Insts)
    if (I.Memory != HEDDLE_NO_MEMORY &&
        (I.Class == HEDDLE_OP_ATOMIC || I.Class == HEDDLE_OP_REDUCTION))
      Atomic[I.Memory] = true;
}

/// Shared and constant memory answer from the SM; the rest stalls a warp.
static bool leavesSM(HeddleMemorySpace Space) {
  return Space != HEDDLE_SPACE_SHARED && Space != HEDDLE_SPACE_CONST &&
         Space != HEDDLE_SPACE_PARAM;
}

void ProfileBuilder::block(uint64_t Index,
                           std::span<const uint64_t> BlockCounters,
                           std::span<const uint64_t> MemoryCounters) {
  BlockWork &Work = Profile.Blocks[Index];
  for (size_t B = 0; B < Code.Blocks.size(); ++B) {
    const uint64_t Insts = Code.Blocks[B].NumInsts;
    Work.WarpInstructions += BlockCounters[B * 2] * Insts;
    Work.ThreadInstructions += BlockCounters[B * 2 + 1] * Insts;
  }
  for (size_t R = 0; R < Code.Memory.size(); ++R) {
    const HeddleMemoryRecord &Record = Code.Memory[R];
    auto Counters = MemoryCounters.subspan(R * HEDDLE_NUM_MEMORY_COUNTERS,
                                           HEDDLE_NUM_MEMORY_COUNTERS);
    Work.Bytes += Counters[HEDDLE_MEM_LANES] * Record.AccessBytes;
    if (leavesSM(HeddleMemorySpace(Record.Space)))
      Work.MemoryRequests += Counters[HEDDLE_MEM_SECTORS];
  }
}

LaunchProfile ProfileBuilder::finish(std::span<const uint64_t> BlockCounters,
                                     std::span<const uint64_t> MemoryCounters) {
  for (size_t B = 0; B < Code.Blocks.size(); ++B) {
    const HeddleBlock &Block = Code.Blocks[B];
    Profile.BasicBlocks.push_back(BlockCounters[B * 2] * Block.NumInsts);
    uint64_t Read = 0, Written = 0;
    for (uint32_t R = Block.FirstMemory;
         R < Block.FirstMemory + Block.NumMemory; ++R) {
      const uint64_t Bytes =
          MemoryCounters[R * HEDDLE_NUM_MEMORY_COUNTERS + HEDDLE_MEM_LANES] *
          Code.Memory[R].AccessBytes;
      (Code.Memory[R].IsStore ? Written : Read) += Bytes;
      if (Atomic[R])
        Read += Bytes;
    }
    Profile.BytesRead.push_back(Read);
    Profile.BytesWritten.push_back(Written);
  }
  return std::move(Profile);
}

} // namespace heddle::sampling
