//===- CacheWarmer.h - Fills L2 with what a block accesses ------*- C++ -*-===//

#ifndef HEDDLE_TIMING_CACHEWARMER_H
#define HEDDLE_TIMING_CACHEWARMER_H

#include "memory/Coalescer.h"
#include "memory/MemorySystem.h"
#include "trace/TraceSource.h"
#include "trace/WarpCursor.h"

namespace heddle::timing {

/// Functional warming: replays the global accesses of blocks that are not
/// simulated into the tags of L2, without time. L1 is left alone: what it holds
/// is replaced within the first block that is simulated again.
class CacheWarmer {
public:
  CacheWarmer(const trace::CodeTable &Code, const arch::GPUSpec &Spec,
              memory::MemorySystem &Memory);
  void warm(const trace::BlockTrace &Block);

private:
  void warm(const HeddleInst &I);

  const trace::CodeTable &Code;
  memory::MemorySystem &Memory;
  memory::Coalescer Lines;
  uint32_t SectorBytes;
  trace::WarpCursor Cursor;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_CACHEWARMER_H
