//===- IndexPlan.cpp - Addresses that loaded indices decide ---------------===//

#include "synthesis/IndexPlan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace heddle::synthesis {

using namespace behavior;

static std::string_view baseOf(std::string_view Opcode) {
  return Opcode.substr(0, Opcode.find('.'));
}

static uint64_t footprintBytes(const Access &A) {
  return std::min<uint64_t>(A.Most - A.Least + A.Bytes,
                            std::max<uint64_t>(A.FootprintSectors, 1) * 32);
}

/// Whether lanes and iterations touch all sectors of the footprint alike and
/// apart from each other.
bool IndexPlan::isUniform(const Access &A, unsigned B) const {
  constexpr double Common = 0.5, EvenShare = 0.97, LeastApart = 0.85;
  if (A.IsAffine || A.Leader != None || !A.Requests || A.StepShare >= Common ||
      A.LaneShare >= Common)
    return false;
  const double Sectors = std::max<double>(A.FootprintSectors, 2);
  if (A.SectorEntropy < EvenShare * std::log2(Sectors))
    return false;
  const Block &Own = P.Blocks[B];
  const double Lanes =
      double(Own.ECount) / std::max<uint64_t>(Own.WarpCount, 1);
  return A.SectorsPerRequest >=
         LeastApart * Sectors * (1 - std::pow(1 - 1 / Sectors, Lanes));
}

/// From \p Register back to the load of an index, through instructions that
/// keep it, scale it or add what is zero in the clone.
bool IndexPlan::follow(unsigned B, size_t Before, unsigned Register,
                       Chain &Out) const {
  constexpr size_t MostSteps = 6;
  static constexpr std::array Keeps = {"cvt", "mov", "add", "or", "shl", "mul"};
  for (;;) {
    ChainBlocks::Slot *S = Blocks.producer(B, Before, Register);
    if (!S) {
      const Definition &D = Definitions[Register];
      if (D.Count != 1)
        return false;
      B = D.Block;
      Before = D.Index + 1;
      S = &Blocks[B].Slots[D.Index];
    }
    for (Before = 0; &Blocks[B].Slots[Before] != S;)
      ++Before;
    const std::string &Opcode = S->From->Opcode;
    const std::string_view Base = baseOf(Opcode);
    const auto Parts = partsOf(Opcode);
    if (Base == "ld" && S->From->Access != None && S->Shape.Elements == 1) {
      const Access &A = P.Accesses[S->From->Access];
      if (A.Array == None || P.Arrays[A.Array].Where != Space::Global ||
          Stored[A.Array] || A.Bytes > 4 || Parts.back() == "s8" ||
          Parts.back() == "s16" || S->Shape.IsFloat)
        return false;
      Out.Array = A.Array;
      Out.Bytes = A.Bytes;
      Out.Register = Register;
      Out.Block = B;
      return true;
    }
    if (std::find(Keeps.begin(), Keeps.end(), Base) == Keeps.end() ||
        S->Shape.IsFloat || S->Shape.IsMemory || S->From->IsSpecial ||
        Out.Slots.size() == MostSteps || Parts.back() == "s8" ||
        Parts.back() == "s16" || (Base == "mul" && Parts[1] == "hi"))
      return false;
    unsigned Carrier = 0, Carriers = 0;
    for (unsigned R : S->From->Uses)
      if (!Blocks.isZero(R)) {
        Carrier = R;
        ++Carriers;
      }
    const bool Scales = Base == "shl" || Base == "mul";
    if (Carriers != 1 || (Scales && (Out.Scaling || S->From->Uses.size() != 1)))
      return false;
    if (Scales)
      Out.Scaling = S;
    Out.Slots.push_back(S);
    Register = Carrier;
  }
}

void IndexPlan::planAccess(unsigned B, size_t Index) {
  ChainBlocks::Slot &S = Blocks[B].Slots[Index];
  const Access &A = P.Accesses[S.From->Access];
  if (A.Array == None || !Blocks.readsAddress(S) || !isUniform(A, B))
    return;
  // The last addition joins the index and the array.
  ChainBlocks::Slot *Add = Blocks.producer(B, Index, S.From->Uses[0]);
  if (!Add ||
      (Add->From->Opcode != "add.s64" && Add->From->Opcode != "add.u64") ||
      !Add->PassedOn.empty())
    return;
  unsigned Carrier = 0, Carriers = 0;
  for (unsigned R : Add->From->Uses)
    if (!Blocks.isZero(R)) {
      Carrier = R;
      ++Carriers;
    }
  Chain C;
  size_t Before = 0;
  while (&Blocks[B].Slots[Before] != Add)
    ++Before;
  if (Carriers != 1 || !follow(B, Before, Carrier, C))
    return;
  uint64_t Scale = 1;
  if (C.Scaling) {
    if (!C.Scaling->Scale)
      C.Scaling->Scale = std::bit_floor(std::max(A.Bytes, 1u));
    Scale = C.Scaling->Scale;
  }
  IndexContents &Held = Contents[C.Array];
  if (Held.Bytes && Held.Bytes != C.Bytes)
    return;
  uint64_t Limit = std::max<uint64_t>(footprintBytes(A) / Scale, 1);
  Limit = std::min(Limit, C.Bytes == 4 ? uint64_t(INT32_MAX)
                                       : uint64_t(1) << 8 * C.Bytes);
  Held.Bytes = C.Bytes;
  Held.Limit = Held.Limit ? std::min(Held.Limit, Limit) : Limit;
  for (ChainBlocks::Slot *Part : C.Slots)
    Part->Pinned = true;
  Add->Pinned = true;
  Indexed[S.From] = Carrier;
  if (C.Block == B && Blocks.kind(C.Register) == Kind::B32)
    LoadedIn[B] = C;
}

IndexPlan::Loaded IndexPlan::loadedIn(unsigned Block) const {
  auto It = LoadedIn.find(Block);
  if (It == LoadedIn.end())
    return {};
  return {It->second.Register, Contents[It->second.Array].Limit};
}

void IndexPlan::plan() {
  Stored.assign(P.Arrays.size(), false);
  for (const Access &A : P.Accesses)
    if (A.IsStore && A.Array != None)
      Stored[A.Array] = true;
  // No load counts as zero while indices are looked for.
  Blocks.findZeroes(std::vector<bool>(P.Arrays.size(), true));
  Definitions.assign(P.NumRegisters + 1, {});
  for (unsigned B = 0; B < Blocks.size(); ++B)
    for (size_t I = 0; I < Blocks[B].Slots.size(); ++I)
      for (unsigned R : Blocks[B].Slots[I].From->Defs)
        Definitions[R] = {Definitions[R].Count + 1, B, I};
  for (unsigned B = 0; B < Blocks.size(); ++B)
    for (size_t I = 0; I < Blocks[B].Slots.size() && P.Blocks[B].ECount; ++I)
      if (Blocks[B].Slots[I].From->Access != None)
        planAccess(B, I);
}

} // namespace heddle::synthesis
