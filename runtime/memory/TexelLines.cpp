//===- TexelLines.cpp - What a warp reads of a texture --------------------===//

#include "memory/TexelLines.h"

#include <algorithm>

namespace heddle::memory {

unsigned coalesceTexels(const Coalescer &Lines,
                        const trace::MemoryAccess &Places,
                        const trace::MemoryAccess &Footprints,
                        LineAccess *Out) {
  unsigned Count = 0;
  LineAccess Found[Coalescer::MaxLines];
  forEachTexelRow(
      Places, Footprints, [&](const trace::MemoryAccess &A, uint32_t Bytes) {
        const unsigned More = Lines.coalesceReads(A, 0, Bytes, Found);
        for (const LineAccess *L = Found; L != Found + More; ++L) {
          LineAccess *Known =
              std::find_if(Out, Out + Count, [&](const LineAccess &Old) {
                return Old.Line == L->Line;
              });
          if (Known != Out + Count)
            Known->Sectors |= L->Sectors;
          else if (Count < Coalescer::MaxLines)
            Out[Count++] = *L;
        }
      });
  return Count;
}

unsigned texelTurns(const trace::MemoryAccess &Footprints,
                    unsigned FilterBytes) {
  unsigned Turns = 0;
  for (unsigned Quad = 0; Quad < 32; Quad += 4) {
    unsigned Most = 0;
    for (unsigned Lane = Quad; Lane < Quad + 4; ++Lane) {
      if (!(Footprints.Mask >> Lane & 1))
        continue;
      const uint64_t Word = Footprints.address(Lane);
      const unsigned Bytes = unsigned(Word & HEDDLE_FOOTPRINT_TEXEL);
      const unsigned Times = Word & HEDDLE_FOOTPRINT_SLICES ? 2 : 1;
      // A lane in the border reads nothing, but takes its place.
      Most = std::max(
          Most, std::max(1u, (Bytes + FilterBytes - 1) / FilterBytes * Times));
    }
    Turns += Most;
  }
  return Turns;
}

} // namespace heddle::memory
