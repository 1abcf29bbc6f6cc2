//===- CacheWarmer.h - Fills L2 with what a block accesses ------*- C++ -*-===//

#ifndef HEDDLE_TIMING_CACHEWARMER_H
#define HEDDLE_TIMING_CACHEWARMER_H

#include "memory/Coalescer.h"
#include "memory/MemorySystem.h"
#include "trace/TraceSource.h"
#include "trace/WarpCursor.h"

namespace heddle::timing {

/// Functional warming: replays the accesses of blocks that are not simulated
/// into the tags of L2, their code and parameters too, without time. Local
/// memory is left out: where it lies depends on the warp slot. L1 is left
/// alone: what it holds is replaced within the first block that is simulated
/// again.
class CacheWarmer {
public:
  CacheWarmer(const trace::CodeTable &Code, const arch::GPUSpec &Spec,
              memory::MemorySystem &Memory);
  /// As if the block ran on \p SM, which matters where L2 has halves.
  void warm(const trace::BlockTrace &Block, unsigned SM);

  /// Sectors that were accessed so far, once for each warp instruction.
  uint64_t accesses() const { return Accesses; }
  /// Of which L2 did not have.
  uint64_t misses() const { return Misses; }

private:
  void warm(const HeddleInst &I);
  void warmConstant(uint64_t Address);
  void warmForAll(uint64_t Address, uint64_t Bytes);
  void fetch(uint32_t BasicBlock);

  const trace::CodeTable &Code;
  memory::MemorySystem &Memory;
  memory::Coalescer Lines;
  uint32_t SectorBytes, InstructionBytes;
  const unsigned LastSM; ///< near to the other half than the first
  unsigned SM = 0;       ///< of the block
  uint64_t ConstantSector, CodeLine;
  uint64_t PrefetchedBytes;  ///< of code, behind what is executed
  std::vector<bool> Fetched; ///< basic blocks
  uint64_t Accesses = 0, Misses = 0;
  trace::WarpCursor Cursor;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_CACHEWARMER_H
