//===- Selection.cpp - From PTX to the instructions of a machine ----------===//

#include "Selector.h"

#include "heddle/PTX/PTXEmitter.h"
#include "heddle/PTX/PTXStatement.h"
#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::machine {

Inst &Selector::emit(StringRef Name, ArrayRef<Value> Defs,
                     ArrayRef<Value> Uses) {
  Inst I;
  I.Name = Name.str();
  I.Defs.assign(Defs.begin(), Defs.end());
  for (Value U : Uses)
    if (U && !is_contained(I.Uses, U))
      I.Uses.push_back(U);
  I.From = Now;
  if (Now && Now->Guarded && Now->Label.empty()) {
    I.Guard = Ops.resolve(Now->Uses[0]);
    I.Partial = true;
  }
  B->Insts.push_back(std::move(I));
  return B->Insts.back();
}

/// The register that instruction \p Name of this block wrote, from \p Source
/// alone and as wide as a word; 0 if there is none.
Value Selector::writtenBefore(StringRef Name, Value Source) const {
  for (const Inst &Before : reverse(B->Insts)) {
    if (Before.Name == Name && Before.Uses.size() == 1 && !Before.Guard &&
        Before.Uses[0] == Source && C.Widths[Before.Defs[0]] == 1)
      return Before.Defs[0];
    if (is_contained(Before.Defs, Source))
      break;
  }
  return 0;
}

/// Writes a constant to \p V.
void Selector::write(Value V) {
  const bool IsRegister = V < PTX.Registers.size();
  for (unsigned N = 0; N != (IsRegister ? Ops.width(V) : C.Widths[V]); ++N)
    emit("MOV", {V}, N ? ArrayRef<Value>(V) : ArrayRef<Value>()).Partial |=
        N != 0;
}

/// A register with the constant \p Text, written once in the block. A loop of
/// one block reads what the block before it has; ptxas writes the others in
/// each iteration (seen in 9 loops of sm_80), unless it unrolls the loop. What
/// LDC has loaded before (sm_90) serves a loop of one block too.
Value Selector::constant(StringRef Text, unsigned Width, bool IsBank) {
  if (Text == "0" || Text == "0f00000000")
    return 0; // RZ
  const bool Uniform = IsBank && Arch.loadsConstants();
  const std::string Key = (Text + "/" + Twine(Width)).str();
  const unsigned Here = B - C.Blocks.data();
  const unsigned Before = preheader(Here);
  const bool IsMoved = !IsBank && Text.starts_with("%");
  const bool IsBefore =
      C.Blocks[Here].Unrolled || IsMoved || Constants[Before].contains(Key);
  if (Uniform && Before != Here)
    for (unsigned N = Here; N-- != 0;)
      if (auto Known = Constants[N].find(Key);
          Known != Constants[N].end() && Flow.dominates(N, Here))
        return Known->second;
  const unsigned In = IsBefore ? Before : Here;
  auto [It, New] = Constants[In].try_emplace(Key, 0);
  if (!New)
    return It->second;
  const Value V = It->second = C.addValue(Width);
  if (!Uniform) // LDC stands where it is read
    C.Constants[V] = Key;
  Block *Reader = B;
  B = &C.Blocks[In];
  const size_t First = B->Insts.size();
  if (Uniform)
    emit(Width == 2 ? "LDC.64" : "LDC", {V}, {});
  else
    write(V);
  for (Inst &I : MutableArrayRef(B->Insts).drop_front(First)) {
    I.Guard = 0; // others read it too
    I.Partial = &I != &B->Insts[First];
  }
  B = Reader;
  return V;
}

void Selector::read(SmallVectorImpl<Value> &Uses, const Operand &O,
                    bool &Free) {
  if (O.Where == Place::Register && O.Register) {
    const Value R = Ops.resolve(O.Register);
    if (Ops.placeOf(R) == Place::Register) {
      Uses.push_back(R);
      Free &= !Uniform[R] || Found.Copying.contains(Now);
    }
    return;
  }
  if (O.Text == "0" || O.Text == "0f00000000" || O.Text == "_")
    return;
  if (computesUniform()) {
    if (O.Where == Place::Bank)
      Uses.push_back(uniformConstant(O.Text));
    return;
  }
  const StringRef Name =
      O.Register ? StringRef(PTX.Registers[Ops.resolve(O.Register)].Name)
                 : O.Text;
  if (O.Where == Place::Bank && Found.Constants.contains(Name)) {
    Uses.push_back(uniformConstant(O.Text));
    return;
  }
  if (O.Where == Place::Bank && Arch.loadsConstants() && Free &&
      !takesConstantOrUniform(*Now, Ops, Uniform)) {
    Uses.push_back(uniformConstant(O.Text));
    Free = false;
    return;
  }
  if (O.Where == Place::Bank && Arch.loadsConstants()) {
    Uses.push_back(constant(O.Text, 1, true));
    return;
  }
  if (Free) {
    Free = false;
    return;
  }
  Uses.push_back(constant(O.Text, 1, O.Where == Place::Bank));
}

/// The last block on the way to this one that all lanes run together.
unsigned Selector::convergentBlock() const {
  const unsigned Here = B - C.Blocks.data();
  unsigned Found = Here;
  for (unsigned N = 0; N < Here && !Lanes.isConvergent(Here); ++N)
    if (Lanes.isConvergent(N) && Flow.dominates(N, Here) &&
        (Found == Here || Flow.dominates(Found, N)))
      Found = N;
  return Found;
}

/// A uniform register with what the bank of constants has for \p Text, written
/// where all lanes are together.
Value Selector::uniformConstant(StringRef Text) {
  auto [It, New] = UniformConstants.try_emplace(Text, 0);
  if (!New)
    return It->second;
  It->second = C.addValue(1, true);
  Block *Reader = B;
  B = &C.Blocks[convergentBlock()];
  Inst &I = emit("ULDC", {It->second}, {});
  I.Guard = 0; // others read it too
  I.Partial = false;
  B = Reader;
  return It->second;
}

/// All source operands, destination left out.
SmallVector<Value, 4> Selector::readAll(const ptx::Inst &I) {
  SmallVector<Value, 4> Uses;
  bool Free = true;
  const SmallVector<Operand, 4> All = Ops.of(I);
  // SHFL has both its distance and its bounds in the instruction.
  const bool TakesAll = StringRef(I.Opcode).starts_with("shfl.");
  for (const Operand &O : ArrayRef<Operand>(All).drop_front(!I.Defs.empty())) {
    if (TakesAll && O.Where == Place::Immediate)
      continue;
    if (O.Register || !StringRef("{[").contains(O.Text.take_front()))
      read(Uses, O, Free);
  }
  // Vectors and addresses: their registers as they are.
  for (Value R : Ops.registersOf(I)) {
    R = Ops.resolve(R);
    if (!is_contained(Uses, R) && Ops.placeOf(R) == Place::Register)
      Uses.push_back(R);
  }
  return Uses;
}

/// Registers that become a pair. What writes a half for this pair alone writes
/// it there at once; any other half, a constant too, is copied.
void Selector::joinHalves(const ptx::Inst &I, unsigned NumHalves) {
  const Value D = I.Defs[0];
  const SmallVector<Value, 4> Halves = Ops.registersOf(I);
  SmallVector<Value, 2> Copied;
  bool HasPart = false;
  for (Inst &W : B->Insts) {
    const bool IsHalf = W.Defs.size() == 1 && is_contained(Halves, W.Defs[0]) &&
                        Ops.isUsedOnce(W.Defs[0]);
    if (!IsHalf || !Ops.definitionOf(D) || !Ops.definitionOf(W.Defs[0]))
      continue;
    Copied.push_back(W.Defs[0]);
    W.Defs = {D};
    W.Partial |= HasPart;
    HasPart = true;
  }
  auto Copy = [&](ArrayRef<Value> From) {
    emit("MOV", {D}, From).Partial = HasPart;
    HasPart = true;
  };
  for (Value Half : Halves)
    if (!is_contained(Copied, Half))
      Copy({Ops.resolve(Half)});
  for (size_t N = Halves.size(); N < NumHalves; ++N)
    Copy({});
}

void Selector::move(const ptx::Inst &I) {
  const StringRef Symbol = I.Symbol;
  if (Symbol.starts_with("%")) {
    emit("S2R", I.Defs, {});
    return;
  }
  const SmallVector<Operand, 4> All = Ops.of(I);
  if (All.size() != 2)
    return;
  // A vector taken apart or put together.
  if (All[0].Text.starts_with("{")) {
    for (Value D : I.Defs)
      if (!Ops.isFolded(D))
        emit("PRMT", {D}, {Ops.resolve(I.Uses[0])});
    return;
  }
  if (All[1].Text.starts_with("{")) {
    if (Ops.width(I.Defs[0]) == 1)
      emit("PRMT", I.Defs, readAll(I));
    else
      joinHalves(I, ptx::splitOperands(All[1].Text.trim("{}")).size());
    return;
  }
  const Value D = I.Defs[0];
  if (All[1].Where == Place::Register) {
    emit("MOV", {D}, {Ops.resolve(All[1].Register)}).IsCopy = true;
    return;
  }
  if (Ops.width(D) == 0)
    emit("PLOP3.LUT", {D}, {});
  else if (Ops.width(D) == 2 && All[1].Text == "0" && !Uniform[D])
    emit("CS2R", {D}, {});
  else if (All[1].Where == Place::Bank && Uniform[D])
    emit(Ops.width(D) == 2 ? "ULDC.64" : "ULDC", {D}, {});
  else
    write(D);
}

/// An argument whose register is written elsewhere too.
void Selector::readArgument(const ptx::Inst &I) {
  const Value D = I.Defs[0];
  if (Uniform[D])
    emit(Ops.width(D) == 2 ? "ULDC.64" : "ULDC", {D}, {});
  else if (Arch.loadsConstants())
    emit(Ops.width(D) == 2 ? "LDC.64" : "LDC", {D}, {});
  else
    write(D);
}

void Selector::branch(const ptx::Inst &I) {
  if (I.Guarded) {
    B->Branch = &I;
    B->Condition = Ops.resolve(I.Uses[0]);
    B->Divergent = Ops.isDivergent(I.Uses[0]);
  }
}

/// A table in the constant bank says how far BRX jumps.
void Selector::jumpByIndex(const ptx::Inst &I) {
  if (B->Successors.size() < 2)
    return;
  const Value Place = C.addValue(1), Distance = C.addValue(2);
  emit("SHF.L.U32", {Place}, readAll(I));
  emit("LDC", {Distance}, {Place});
  emit("SHF.R.S32.HI", {Distance}, {Distance}).Partial = true;
  B->Branch = &I;
  B->Condition = Distance;
  B->Divergent = !I.Uses.empty() && Ops.isDivergent(I.Uses[0]);
}

/// Whether there is a lowering of \p I.
bool Selector::selectInst(const ptx::Inst &I) {
  if (!I.Defs.empty() && all_of(I.Defs, [&](Value R) {
        return Ops.placeOf(R) != Place::Register || Ops.isFolded(R);
      }))
    return true;
  return selectOperation(I);
}

bool Selector::selectOperation(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const StringRef Base = Opcode.split('.').first;
  if (Opcode.starts_with("ld.param") && I.Defs.size() == 1)
    readArgument(I);
  else if (Base == "ld" || Base == "ldu" || Base == "st" || Base == "atom" ||
           Base == "red" || Base == "ldmatrix" || Base == "stmatrix")
    access(I);
  else if (isFragmentAccess(Opcode))
    fragment(I);
  else if (I.isIndexedJump())
    jumpByIndex(I);
  else if (!I.Label.empty())
    branch(I);
  else if (Base == "ret" || Base == "exit") {
    if (I.Guarded)
      emit("EXIT", {}, {});
  } else if (Opcode.starts_with(MathOpcodePrefix)) {
    if (!sequence(I))
      expand(I);
  } else if (isCopy(I))
    copy(I);
  else if (asynchronous(I) || texture(I))
    return true;
  else if (Opcode.starts_with(SpecialOpcodePrefix))
    emit("MOV", I.Defs, {});
  else if (Base == "mov")
    move(I);
  else if (isSum(Opcode))
    sum(I);
  else if ((Opcode.starts_with("mul.wide") || Opcode == "shl.b64") &&
           Ops.isNarrow(I.Defs[0]))
    scale(I);
  else if (Opcode == "and.pred" || Opcode == "or.pred" || Opcode == "xor.pred")
    predicateLogic(I);
  else if (isLogic(Opcode) || Base == "lop3" || Opcode == "not.b32" ||
           Opcode == "not.b16")
    logic(I);
  else if (extract(I) || shift64(I) || insert64(I) || contract(I))
    return true;
  else if (Base == "setp" || Base == "set")
    compare(I, {}, I.Defs);
  else if (Base == "selp")
    choose(I);
  else if (isRenaming(Opcode))
    emit("MOV", I.Defs, readAll(I)).IsCopy = true;
  else
    return sequence(I);
  return true;
}

/// What stands at the start of every kernel.
void Selector::prologue() {
  Now = nullptr;
  emit(Arch.loadsConstants() ? "LDC" : "MOV", {C.addValue(0)}, {});
  if (Arch.Number < 75)
    emit("SHFL.IDX", {}, {}); // @!PT
  const bool Global = any_of(PTX.Blocks, [](const ptx::Block &B) {
    return any_of(B.Insts, [](const ptx::Inst &I) {
      return StringRef(I.Opcode).contains(".global");
    });
  });
  if (Arch.hasDescriptors() && Global)
    emit("ULDC.64", {C.addValue(0)}, {});
}

/// The block before block \p N if that is a loop of its own, else \p N.
unsigned Selector::preheader(unsigned N) const {
  if (!is_contained(PTX.Blocks[N].Successors, N))
    return N;
  unsigned Before = N;
  for (auto [P, From] : enumerate(PTX.Blocks))
    if (P != N && is_contained(From.Successors, N)) {
      if (Before != N || P > N)
        return N;
      Before = P;
    }
  return Before;
}

/// A shuffle or vote of the lanes that its last operand names.
static bool isCollective(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  return Opcode.starts_with("shfl.sync") || Opcode.starts_with("vote.sync");
}

/// The branch to code for lanes that have parted.
void Selector::branchApart(StringRef Name, ArrayRef<Value> Uses) {
  Inst &Branch = emit(Name, {}, Uses);
  Branch.Guard = 0;
  Branch.Partial = false;
}

/// A shuffle or vote of some lanes where others may be elsewhere: it asks
/// whether these are together, by a mask in a uniform register.
void Selector::askForLanes(const ptx::Inst &I) {
  const Operand Lanes = Ops.of(I).back();
  const bool Varies = Lanes.Register && Lanes.Where == Place::Register;
  Value Mask = 0;
  if (Arch.Number >= 75) {
    Mask = C.addValue(1, true);
    if (Varies)
      emit(Arch.Number >= 80 ? "REDUX.OR" : "R2UR", {Mask},
           {Ops.resolve(Lanes.Register)});
    else
      emit("UMOV", {Mask}, {});
  }
  branchApart("BRA.CONV", {Mask});
}

/// Where other lanes of the warp may be elsewhere, BRA.DIV goes in front of the
/// first shuffle or vote of all lanes in a block, to code that does them for
/// lanes that have parted. Down to the last one nothing leaves these
/// instructions and nothing comes in (ptxas 11.8, sm_70 to sm_90: behind a
/// branch, and in loops that lanes leave apart).
void Selector::selectBlock(const ptx::Block &From, bool Apart,
                           const ptx::Inst *&Missing) {
  auto WantsAll = [&](const ptx::Inst &I) {
    return isCollective(I) && integer(Ops.of(I).back().Text) == -1;
  };
  const ptx::Inst *First = nullptr, *Last = nullptr;
  if (Apart)
    for (const ptx::Inst &I : From.Insts)
      if (WantsAll(I)) {
        First = First ? First : &I;
        Last = &I;
      }
  for (const ptx::Inst &I : From.Insts) {
    Now = &I;
    const bool IsAlone = Apart && isCollective(I) && !WantsAll(I);
    if (&I == First)
      branchApart("BRA.DIV", {});
    else if (IsAlone)
      askForLanes(I);
    if (!selectInst(I)) {
      Missing = &I;
      return;
    }
    if (&I == Last || IsAlone)
      B->Insts.back().EndsRegion = true;
  }
}

std::optional<Code> Selector::run(const ptx::Inst *&Missing) {
  for (Value R = 0; R != PTX.Registers.size(); ++R)
    C.addValue(R ? Ops.width(R) : 0, Uniform[R]);
  Constants.resize(PTX.Blocks.size());
  for (auto [N, From] : enumerate(PTX.Blocks)) {
    B = &C.Blocks.emplace_back();
    B->Steps.push_back({IRBlocks[N], false});
    B->Unrolled = registers::unrollingOf(PTX, N);
    if (B->Unrolled)
      B->Unrolled.Test = Ops.resolve(B->Unrolled.Test);
    B->Successors.assign(From.Successors.begin(), From.Successors.end());
    if (N == 0)
      prologue();
    selectBlock(From, !Lanes.isConvergent(N), Missing);
    if (Missing)
      return std::nullopt;
  }
  C.Alignments.resize(C.Widths.size());
  for (Value R = 1; R != PTX.Registers.size(); ++R)
    C.Alignments[R] = Ops.alignmentOf(R);
  return std::move(C);
}

std::optional<Code> select(const ptx::Kernel &PTX, ArrayRef<unsigned> IRBlocks,
                           const Architecture &Arch,
                           const ptx::Inst *&Missing) {
  return Selector(PTX, IRBlocks, Arch).run(Missing);
}

} // namespace heddle::machine
