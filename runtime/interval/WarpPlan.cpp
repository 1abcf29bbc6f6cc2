//===- WarpPlan.cpp - The lines of warps that do the same -----------------===//

#include "interval/WarpPlan.h"

#include "timing/LocalWaits.h"

#include <algorithm>

namespace heddle::interval {

std::vector<BlockAccesses> accessesOf(const trace::CodeTable &Table,
                                      const DecodedCode &Code) {
  std::vector<BlockAccesses> Out;
  Out.reserve(Table.Blocks.size());
  const std::vector<char> Waits = timing::localWaits(Code);
  for (const HeddleBlock &B : Table.Blocks) {
    BlockAccesses A;
    for (uint32_t I = B.FirstInst; I < B.FirstInst + B.NumInsts; ++I) {
      if (Waits[I])
        A.Waits.push_back(uint32_t(A.OffChip.size()));
      if (!Code[I].hasAddresses())
        continue;
      A.All.push_back(I);
      if (Code[I].isBulkCopy() || !staysInSMs(Code[I].Space))
        A.OffChip.push_back(I);
    }
    Out.push_back(std::move(A));
  }
  return Out;
}

/// Null where a plan would be too long, or does not say everything: the place
/// of local memory depends on the SM, the rows of bulk copies on more than one
/// base.
std::unique_ptr<WarpPlan>
WarpPlans::make(std::span<const uint8_t> Body,
                std::span<const uint64_t> Bases) const {
  constexpr uint32_t Unknown = ~0u;
  auto Plan = std::make_unique<WarpPlan>();
  std::vector<uint32_t> BaseOf(Table.Memory.size(), Unknown);
  uint32_t NextBase = 0;
  memory::LineAccess Lines[memory::Coalescer::MaxLines];
  trace::WarpCursor C;
  C.reset(Table, Body, Bases);
  for (unsigned Quiet = 0; C.next();) {
    // Bases stand in the order of first execution.
    const HeddleBlock &B = Table.Blocks[C.block()];
    for (uint32_t R = B.FirstMemory; R < B.FirstMemory + B.NumMemory; ++R)
      if (BaseOf[R] == Unknown && C.access(R).Mask)
        BaseOf[R] = NextBase++;
    const BlockAccesses &S = Blocks[C.block()];
    for (uint32_t PC : S.OffChip) {
      const trace::MemoryAccess &A = C.access(Code[PC].Memory);
      if (A.Space == HEDDLE_SPACE_LOCAL || (A.Mask && Code[PC].isBulkCopy()))
        return nullptr;
      if (!A.Mask || staysInSMs(A.Space))
        continue;
      const uint32_t Base = BaseOf[Code[PC].Memory];
      if (Base >= Bases.size())
        return nullptr;
      const unsigned Count = Memory.linesOf(Code[PC], A, Lines);
      Plan->Accesses.push_back({PC, uint32_t(Plan->Lines.size()), Base,
                                uint16_t(Count), uint8_t(A.Space)});
      for (unsigned L = 0; L < Count; ++L) {
        Lines[L].Line -= origin(Bases[Base]);
        Plan->Lines.push_back(Lines[L]);
      }
    }
    if (S.All.empty() && ++Quiet < MaxQuietEvents)
      continue;
    Quiet = 0;
    Plan->Turns.push_back(uint32_t(Plan->Accesses.size()));
    if (Plan->Turns.size() > MaxTurns || Plan->Lines.size() > MaxEntries)
      return nullptr;
  }
  return Plan;
}

const WarpPlan *WarpPlans::find(size_t Class, std::span<const uint8_t> Body,
                                std::span<const uint64_t> Bases) {
  OfClass &C = Classes[Class];
  if (C.Hopeless)
    return nullptr;
  auto fits = [&](const WarpPlan &P) {
    return std::ranges::equal(P.Phases, Bases, {}, {}, [this](uint64_t Base) {
      return Base - origin(Base);
    });
  };
  if (C.Last < C.Plans.size() && fits(*C.Plans[C.Last]))
    return C.Plans[C.Last].get();
  for (size_t N = 0; N < C.Plans.size(); ++N)
    if (fits(*C.Plans[N])) {
      C.Last = N;
      return C.Plans[N].get();
    }
  if (C.Plans.size() == MaxPerClass || Entries > MaxEntries)
    return nullptr;
  std::unique_ptr<WarpPlan> New = make(Body, Bases);
  C.Hopeless = !New;
  if (!New)
    return nullptr;
  for (uint64_t Base : Bases)
    New->Phases.push_back(Base - origin(Base));
  Entries += New->Turns.size() / 4 + New->Accesses.size() + New->Lines.size();
  C.Last = C.Plans.size();
  C.Plans.push_back(std::move(New));
  return C.Plans.back().get();
}

} // namespace heddle::interval
