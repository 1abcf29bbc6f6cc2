//===- SelectAtomic.cpp - Atomics that one lane does for all --------------===//

#include "Selector.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::machine {

/// What ptxas 11.8 does for sm_70 to sm_90 with an atomic of all lanes at one
/// address, if it is one of 32 bits. Sums of different values up to sm_75 are
/// left out: lanes add them by shuffles where the warp is whole.
OneLane Selector::oneLaneFor(const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode;
  SmallVector<StringRef, 6> Parts;
  Opcode.split(Parts, '.');
  const StringRef Type = Parts.back();
  const bool IsAtomic = Parts[0] == "atom" || Parts[0] == "red";
  const bool HasSpace =
      Opcode.contains(".global") ||
      (Opcode.contains(".shared") && !Opcode.contains(".shared::cluster"));
  if (!IsAtomic || !HasSpace || I.Guarded || Arch.Number < 70 ||
      (Type != "u32" && Type != "s32" && Type != "b32"))
    return OneLane::None;
  const Value Address = Ops.addressOf(I).first;
  if (Address && Lanes.isDivergent(Address))
    return OneLane::None;
  const Operand Data = Ops.of(I).back();
  const bool Varies = Data.Register && Lanes.isDivergent(Data.Register);
  if (is_contained(Parts, "add") && !Varies)
    return OneLane::Count;
  static constexpr StringRef Joined[] = {"add", "min", "max",
                                         "and", "or",  "xor"};
  const bool Joins =
      any_of(Parts, [](StringRef Part) { return is_contained(Joined, Part); });
  return Joins && Arch.Number >= 80 && reduces(I) ? OneLane::Join
                                                  : OneLane::None;
}

/// What the first lane takes to memory for all: \p Data of each of those in
/// \p Mask, which is 1 if there is no register for it.
Value Selector::dataOfAll(const ptx::Inst &I, OneLane How, Value Mask,
                          Value Data) {
  const Value All = C.addValue(1);
  if (How == OneLane::Join) {
    const Value Joined = C.addValue(1, true);
    emit("REDUX", {Joined}, {Data});
    emit("MOV", {All}, {Joined});
    return All;
  }
  emit("POPC", {All}, {Mask});
  if (!Data)
    return All;
  const Value Product = C.addValue(1);
  emit("IMAD", {Product}, {All, Data});
  return Product;
}

/// The access \p Name at \p Root, by the first of the lanes that are here. Each
/// has the old value and what the lanes before it have added.
Inst &Selector::accessByOneLane(const ptx::Inst &I, OneLane How, StringRef Name,
                                Value Root, Value Data) {
  const bool Reduces = reduces(I), OnUniform = Arch.hasUniformDatapath();
  const Value Lane = C.addValue(1), IsFirst = C.addValue(0),
              Mask = C.addValue(1, OnUniform),
              First = C.addValue(1, OnUniform && Reduces),
              Old = Reduces ? 0 : C.addValue(1);
  emit("S2R", {Lane}, {});
  emit(OnUniform ? "VOTEU.ANY" : "VOTE.ANY", {Mask}, {});
  emit(C.isUniform(First) ? "UFLO.U32" : "FLO.U32", {First}, {Mask});
  const Value All = dataOfAll(I, How, Mask, Data);
  emit("ISETP.EQ.U32.AND", {IsFirst}, {First, Lane});
  const size_t Access = B->Insts.size();
  emit(Name, Reduces ? ArrayRef<Value>() : ArrayRef(Old), {Root, All}).Guard =
      IsFirst;
  B->Insts.back().IsOneLane = true;
  if (!Reduces) {
    const Value Below = C.addValue(1), Earlier = C.addValue(1),
                Rank = C.addValue(1), FromFirst = C.addValue(1);
    emit("S2R", {Below}, {});
    emit("LOP3.LUT", {Earlier}, {Below, Mask});
    emit("POPC", {Rank}, {Earlier});
    emit("SHFL.IDX", {FromFirst}, {Old, First});
    emit(Data ? "IMAD" : "IADD3", {I.Defs[0]}, {Rank, Data, FromFirst});
  }
  return B->Insts[Access];
}

} // namespace heddle::machine
