//===- CacheWarmer.cpp - Fills L2 with what a block accesses --------------===//

#include "timing/CacheWarmer.h"

#include "memory/AddressSpaces.h"
#include "memory/TexelLines.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::timing;

CacheWarmer::CacheWarmer(const trace::CodeTable &Code,
                         const arch::GPUSpec &Spec,
                         memory::MemorySystem &Memory)
    : Code(Code), Memory(Memory),
      Lines(std::max(32u, Spec.L2.Line), std::max(32u, Spec.L2.Sector)),
      SectorBytes(std::max(32u, Spec.L2.Sector)),
      InstructionBytes(Spec.FrontEnd.InstructionBytes),
      LastSM(Spec.SM.Count - 1),
      ConstantSector(std::max({32u, Spec.L2.Sector, Spec.Constant.Sector,
                               Spec.GPCCache.Size ? Spec.L2.Line : 0u})),
      CodeLine(std::max(1u, Spec.ICache.Line)),
      PrefetchedBytes(uint64_t(Spec.FrontEnd.PrefetchLines) * Spec.ICache.Line),
      Fetched(Code.Blocks.size()) {}

void CacheWarmer::warm(const trace::BlockTrace &Block, unsigned On) {
  SM = On;
  for (const trace::WarpTrace &Warp : Block.Warps) {
    Cursor.reset(Code, Warp);
    while (Cursor.next()) {
      fetch(Cursor.block());
      for (const HeddleInst &I : Code.insts(Cursor.block()))
        if (I.Memory != HEDDLE_NO_MEMORY)
          warm(I);
    }
  }
}

/// Code of the block and what is fetched behind it, and what it reads of the
/// banks of constants: parameters, addresses of variables.
void CacheWarmer::fetch(uint32_t BasicBlock) {
  if (Fetched[BasicBlock])
    return;
  Fetched[BasicBlock] = true;
  const HeddleBlock &B = Code.Blocks[BasicBlock];
  const uint64_t First = uint64_t(B.FirstInst) * InstructionBytes;
  const uint64_t Last = First + uint64_t(B.NumInsts) * InstructionBytes;
  const uint64_t From = First / CodeLine * CodeLine;
  const uint64_t To =
      std::min((Last + CodeLine - 1) / CodeLine * CodeLine + PrefetchedBytes,
               (uint64_t(Code.Insts.size()) * InstructionBytes + CodeLine - 1) /
                   CodeLine * CodeLine);
  if (Last > First)
    warmForAll(memory::CodeBase + From, To - From);
  for (const HeddleInst &I : Code.insts(BasicBlock))
    if (I.Memory == HEDDLE_NO_MEMORY &&
        (I.Space == HEDDLE_SPACE_PARAM || I.Space == HEDDLE_SPACE_CONST))
      warmConstant(memory::ParamBase + uint64_t(I.ByteOffset));
}

/// What is fetched around \p Address: a sector of the constant cache, or a line
/// where the GPC's cache asks for it.
void CacheWarmer::warmConstant(uint64_t Address) {
  warmForAll(Address / ConstantSector * ConstantSector, ConstantSector);
}

/// What SMs near to either half read.
void CacheWarmer::warmForAll(uint64_t Address, uint64_t Bytes) {
  for (unsigned Reader : {0u, LastSM})
    Memory.warm(Address, Bytes, Reader, /*Writes=*/false);
}

void CacheWarmer::warm(const HeddleInst &I) {
  const trace::MemoryAccess &A = Cursor.access(I.Memory);
  if (!A.Mask ||
      (A.Space != HEDDLE_SPACE_GLOBAL && A.Space != HEDDLE_SPACE_CONST &&
       A.Space != HEDDLE_SPACE_TEXTURE))
    return;
  const bool Writes = I.Class == HEDDLE_OP_STORE ||
                      I.Class == HEDDLE_OP_ATOMIC ||
                      I.Class == HEDDLE_OP_REDUCTION;
  memory::LineAccess Touched[memory::Coalescer::MaxLines];
  unsigned Count =
      memory::hasFootprints(Code.Memory, I.Memory)
          ? memory::coalesceTexels(
                Lines, A, Cursor.access(I.Memory + HEDDLE_TEXTURE_FOOTPRINT),
                Touched)
          : Lines.coalesce(A, I.ByteOffset, I.AccessBytes, false, Touched);
  for (unsigned L = 0; L < Count; ++L)
    for (unsigned S = 0; S < 16; ++S)
      if (Touched[L].Sectors >> S & 1) {
        const uint64_t Address = Touched[L].Line + uint64_t(S) * SectorBytes;
        ++Accesses;
        Misses += Memory.warm(Address, SectorBytes, SM, Writes);
        if (A.Space == HEDDLE_SPACE_CONST)
          warmConstant(Address);
      }
}
