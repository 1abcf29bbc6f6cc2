//===- CacheWarmer.cpp - Fills L2 with what a block accesses --------------===//

#include "timing/CacheWarmer.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::timing;

CacheWarmer::CacheWarmer(const trace::CodeTable &Code,
                         const arch::GPUSpec &Spec,
                         memory::MemorySystem &Memory)
    : Code(Code), Memory(Memory),
      Lines(std::max(32u, Spec.L2.Line), std::max(32u, Spec.L2.Sector)),
      SectorBytes(std::max(32u, Spec.L2.Sector)) {}

void CacheWarmer::warm(const trace::BlockTrace &Block) {
  for (const trace::WarpTrace &Warp : Block.Warps) {
    Cursor.reset(Code, Warp);
    while (Cursor.next())
      for (const HeddleInst &I : Code.insts(Cursor.block()))
        if (I.Memory != HEDDLE_NO_MEMORY)
          warm(I);
  }
}

void CacheWarmer::warm(const HeddleInst &I) {
  const trace::MemoryAccess &A = Cursor.access(I.Memory);
  if (!A.Mask || A.Space != HEDDLE_SPACE_GLOBAL)
    return;
  memory::LineAccess Touched[memory::Coalescer::MaxLines];
  unsigned Count =
      Lines.coalesce(A, I.ByteOffset, I.AccessBytes, false, Touched);
  for (unsigned L = 0; L < Count; ++L)
    for (unsigned S = 0; S < 16; ++S)
      if (Touched[L].Sectors >> S & 1)
        Memory.preload(Touched[L].Line + uint64_t(S) * SectorBytes,
                       SectorBytes);
}
