//===- IndexPlan.cpp - Addresses that loaded indices decide ---------------===//

#include "synthesis/IndexPlan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace heddle::synthesis {

using namespace behavior;

/// The range, or the part of it that was touched where most was not.
static uint64_t footprintBytes(const Access &A) {
  constexpr double NearlyAll = 0.75; // few touches leave gaps by chance
  const uint64_t Range = A.Most - A.Least + A.Bytes,
                 Touched = std::max<uint64_t>(A.FootprintSectors, 1) * 32;
  return Touched >= NearlyAll * Range ? Range : Touched;
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

double shareOfLanes(const Profile &P, const Branch &Branch, double Alike) {
  const Block &Own = P.Blocks[Branch.Block];
  if (!Own.WarpCount)
    return 0;
  double Taken = 0;
  for (const Edge &E : P.Edges)
    if (E.From == Branch.Block && E.To == Branch.Taken)
      Taken = double(E.Count) / Own.ECount;
  const double Lanes = double(Own.ECount) / Own.WarpCount;
  return Branch.Mixed < Alike * (1 - std::pow(Taken, Lanes) -
                                 std::pow(1 - Taken, Lanes))
             ? 0
             : Taken;
}

/// Whether \p S loads a number of its own for each lane, from where nothing is
/// written.
bool IndexPlan::holdsNumber(const ChainBlocks::Slot &S) const {
  if (baseOf(S.From->Opcode) != "ld" || S.From->Access == None ||
      S.Shape.Elements != 1)
    return false;
  const Access &A = P.Accesses[S.From->Access];
  const Kind K = Blocks.kind(S.From->Defs[0]);
  if (A.Array == None || P.Arrays[A.Array].Where != Space::Global ||
      Stored[A.Array] || A.Bytes > 4 || (K != Kind::B32 && K != Kind::B16))
    return false;
  constexpr double Common = 0.5;
  return A.IsAffine ? A.Coefficients[ThreadX] != 0
                    : A.LaneStride != 0 || A.LaneShare < Common;
}

/// The last loads of numbers that no other branch tests, from which the
/// original computes the condition of \p Branch.
void IndexPlan::planDecision(const Branch &Branch) {
  const unsigned B = Branch.Block;
  ChainBlocks::Slot *Comparison = Blocks.lastComparison(B);
  if (Branch.IsFixed || !Comparison || shareOfLanes(P, Branch, LeastMixed) <= 0)
    return;
  std::vector<ChainBlocks::Slot> &Slots = Blocks[B].Slots;
  std::vector<bool> Wanted(P.NumRegisters + 1), Later(P.NumRegisters + 1);
  for (size_t I = Slots.size(); Slots.data() + --I != Comparison;)
    for (unsigned R : Slots[I].From->Defs)
      Later[R] = true;
  for (unsigned R : Comparison->From->Uses)
    Wanted[R] = true;
  Loaded &Out = Deciding[B];
  for (size_t I = Comparison - Slots.data(); I-- > 0 && !Out.Second;) {
    const ChainBlocks::Slot &S = Slots[I];
    bool Makes = false;
    for (unsigned R : S.From->Defs)
      if (Wanted[R]) {
        Makes = true;
        Wanted[R] = false;
      }
    if (!Makes)
      continue;
    if (!S.Shape.IsMemory) {
      for (unsigned R : S.From->Uses)
        Wanted[R] = true;
    } else if (holdsNumber(S) && !Later[S.From->Defs[0]]) {
      const Access &A = P.Accesses[S.From->Access];
      // Below half of the range of its bytes, so that signs do not matter.
      const uint64_t Half = uint64_t(1) << (8 * A.Bytes - 1);
      IndexContents &Held = Contents[A.Array];
      if (Held.Limit && (Held.Bytes != A.Bytes || Held.Limit != Half))
        continue;
      // Two are added to each other.
      if (Out.Register && (A.Array == Out.Array || Half != Out.Limit ||
                           Blocks.kind(S.From->Defs[0]) != Kind::B32))
        continue;
      Held = {A.Bytes, Half};
      if (Out.Register)
        Out.Second = S.From->Defs[0];
      else
        Out = {S.From->Defs[0], Half, 0, A.Array};
    }
  }
}

IndexPlan::Loaded IndexPlan::loadedIn(unsigned Block) const {
  if (auto It = Deciding.find(Block);
      It != Deciding.end() && It->second.Register)
    return It->second;
  auto It = LoadedIn.find(Block);
  if (It == LoadedIn.end())
    return {};
  return {It->second.Register, Contents[It->second.Array].Limit, 0,
          It->second.Array};
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
  for (const Branch &Branch : P.Branches)
    if (P.Blocks[Branch.Block].ECount)
      planDecision(Branch);
}

} // namespace heddle::synthesis
