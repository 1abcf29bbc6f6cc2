//===- PackHalves.cpp - Two operations on halves as one -------------------===//

#include "MachineInst.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <numeric>

using namespace llvm;

namespace heddle::machine {

namespace {

/// Where a half lies: the register that holds two, which of them it is and the
/// statement that takes it out; null for what an operation on both writes.
struct Lane {
  Value Register;
  unsigned Number;
  const ptx::Inst *From = nullptr;
};

class HalfPacker {
public:
  HalfPacker(Code &C, const ptx::Kernel &PTX, const Architecture &Arch,
             bool MayAssume);
  /// Whether what was assumed holds; if not, the code is of no use.
  bool run();

private:
  Value find(Value V) const;
  std::optional<Lane> laneOf(Value V) const;
  bool mayMoveUp(const Block &B, size_t To, size_t From) const;
  bool isHalfOp(const Inst &I) const;
  bool isMadeOnce(Value V) const { return NumDefs[V] == 1; }
  bool isPair(Value First, Value Second) const;
  void join(Value First, Value Second);
  bool joinConversions(Block &B, size_t Before, Value First, Value Second);
  bool joinOperands(Block &B, size_t Before, const Inst &First,
                    const Inst &Second);
  Value moved(Value Register, const Inst &For, size_t Before);
  void moveHalves(Inst &First, const Inst &Second, size_t Before);
  bool packNext(Block &B, size_t At);
  bool isWhole(const Inst &I) const;
  void joinLoaded(Inst &I);
  void joinStored(Block &B, size_t At);
  void packBlock(Block &B);

  Code &C;
  const Architecture &Arch;
  std::vector<Value> Parent; ///< of what has become one register
  std::vector<unsigned> NumDefs;
  DenseMap<Value, Lane> Lanes;
  /// How many instructions make both of two values that several make.
  DenseMap<std::pair<Value, Value>, unsigned> Joined;
  /// Such values may be halves of one register, if all that make them do both.
  const bool MayAssume;
  /// Of the block, by result: the numbers of those to a half.
  DenseMap<Value, size_t> Conversions;
  /// Of the block, by register: one with the same two halves, moved together.
  DenseMap<Value, Value> Moved;
  /// Of the block: instructions in front of the one with that number.
  std::vector<std::pair<size_t, Inst>> Added;
};

/// Which half of its operand the first result of \p I is; none if it is another
/// statement: "mov.b32 {lo, hi}, r", "mov.b32 {_, hi}, r" or "cvt.u16.u32 lo,
/// r".
static std::optional<unsigned> firstLane(const ptx::Inst &I) {
  if (I.Uses.size() != 1 || I.Defs.empty())
    return std::nullopt;
  if (I.Opcode == "cvt.u16.u32")
    return 0;
  if (I.Opcode != "mov.b32" || !StringRef(I.Text).contains('{'))
    return std::nullopt;
  return StringRef(I.Text).split('{').second.ltrim().starts_with("_") ? 1 : 0;
}

/// What does \p I, on an integer of 16 bits, with both halves of a register;
/// empty if nothing does. Names as ptxas 12.4 has them on sm_90.
static StringRef pairName(const ptx::Inst &I) {
  return StringSwitch<StringRef>(I.Opcode)
      .Case("add.s16", "VIADD.16x2")
      .Cases({"max.s16", "min.s16"}, "VIMNMX.S16x2")
      .Cases({"max.u16", "min.u16"}, "VIMNMX.U16x2")
      .Default("");
}

HalfPacker::HalfPacker(Code &C, const ptx::Kernel &PTX,
                       const Architecture &Arch, bool MayAssume)
    : C(C), Arch(Arch), Parent(C.Widths.size()), NumDefs(C.Widths.size()),
      MayAssume(MayAssume && Arch.hasPairedIntegers()) {
  std::iota(Parent.begin(), Parent.end(), 0);
  for (const Block &B : C.Blocks)
    for (const Inst &I : B.Insts)
      for (Value D : I.Defs)
        ++NumDefs[D];
  for (const ptx::Block &B : PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      if (const auto Lane = firstLane(I))
        for (auto [N, D] : enumerate(I.Defs))
          Lanes.insert({D, {I.Uses[0], *Lane + unsigned(N), &I}});
}

Value HalfPacker::find(Value V) const {
  while (Parent[V] != V)
    V = Parent[V];
  return V;
}

std::optional<Lane> HalfPacker::laneOf(Value V) const {
  auto It = Lanes.find(V);
  if (It == Lanes.end())
    return std::nullopt;
  return Lane{find(It->second.Register), It->second.Number, It->second.From};
}

bool HalfPacker::isHalfOp(const Inst &I) const {
  if (I.Guard || I.Partial || !I.From || I.Defs.size() != 1 ||
      I.Defs != SmallVector<Value, 2>(I.From->Defs))
    return false;
  if (!pairName(*I.From).empty())
    return Arch.hasPairedIntegers() && (MayAssume || isMadeOnce(I.Defs[0]));
  return isMadeOnce(I.Defs[0]) &&
         (StringRef(I.From->Opcode).ends_with(".f16") ||
          StringRef(I.From->Opcode).ends_with(".bf16")) &&
         (I.Name == "HMUL2" || I.Name == "HADD2" || I.Name == "HFMA2");
}

/// Whether the two halves of one register are \p First and \p Second.
bool HalfPacker::isPair(Value First, Value Second) const {
  const auto A = laneOf(First), B = laneOf(Second);
  return A && B && A->Register == B->Register && A->Number == 0 &&
         B->Number == 1;
}

void HalfPacker::join(Value First, Value Second) {
  if (!isMadeOnce(First) || !isMadeOnce(Second))
    ++Joined[{First, Second}];
  Lanes.insert({First, {First, 0}});
  Lanes.insert({Second, {First, 1}});
  Parent[find(Second)] = find(First);
}

/// From sm_80 on one F2FP converts two floats to a register of halves: those
/// that \p B converts to \p First and \p Second in front of \p Before.
bool HalfPacker::joinConversions(Block &B, size_t Before, Value First,
                                 Value Second) {
  if (!Arch.convertsTwo() || !Conversions.contains(First) ||
      !Conversions.contains(Second) || laneOf(First) || laneOf(Second))
    return false;
  const size_t Of[] = {Conversions[First], Conversions[Second]};
  if (B.Insts[Of[0]].From->Opcode != B.Insts[Of[1]].From->Opcode)
    return false;
  const auto [Early, Late] = std::minmax(Of[0], Of[1]);
  for (size_t N = Early + 1; N < Late; ++N)
    if (is_contained(B.Insts[N].Uses, B.Insts[Early].Defs[0]))
      return false;
  if (Late >= Before)
    return false;
  B.Insts[Late].Uses = {B.Insts[Of[0]].Uses[0], B.Insts[Of[1]].Uses[0]};
  B.Insts[Late].Defs = {First};
  B.Insts[Early].Defs.clear();
  join(First, Second);
  return true;
}

/// Whether \p Second does with the upper halves, or with what is the same for
/// both, what \p First does with the lower ones. Joins two conversions in front
/// of \p Before for that.
bool HalfPacker::joinOperands(Block &B, size_t Before, const Inst &First,
                              const Inst &Second) {
  if (First.Name != Second.Name || First.Uses.size() != Second.Uses.size() ||
      First.From->Uses.size() != Second.From->Uses.size() ||
      (!pairName(*First.From).empty() &&
       (First.From->Opcode != Second.From->Opcode ||
        constantIn(*First.From) != constantIn(*Second.From))))
    return false;
  SmallVector<std::pair<Value, Value>, 2> Apart;
  for (auto [F, S] : zip_equal(First.From->Uses, Second.From->Uses))
    if (F != S && !isPair(F, S))
      Apart.push_back({F, S});
  if (Apart.size() > 1 ||
      (!Apart.empty() &&
       !joinConversions(B, Before, Apart[0].first, Apart[0].second)))
    return false;
  return all_of(zip_equal(First.Uses, Second.Uses), [&](const auto &Pair) {
    return find(std::get<0>(Pair)) == find(std::get<1>(Pair));
  });
}

/// The register with the halves of \p Register that two PRMT in front of
/// instruction \p Before move together for \p For.
Value HalfPacker::moved(Value Register, const Inst &For, size_t Before) {
  auto [It, New] = Moved.try_emplace(Register);
  if (!New)
    return It->second;
  Value Last = 0;
  for (unsigned Half : {1, 0}) {
    Inst Move;
    Move.Name = "PRMT";
    Move.Uses = {Register};
    if (!Half)
      Move.Uses.push_back(Last);
    Last = C.addValue(1);
    Parent.push_back(Last);
    Move.Defs = {Last};
    Move.From = For.From;
    Move.Step = For.Step;
    Added.push_back({Before, std::move(Move)});
  }
  return It->second = Last;
}

/// ptxas 11.8 does not see from sm_80 on that a register has two halves in
/// place already that different statements have taken out of it (cvt.u16.u32
/// and mov.b32 in a product with weights of four bits).
void HalfPacker::moveHalves(Inst &First, const Inst &Second, size_t Before) {
  if (!Arch.movesHalves())
    return;
  for (auto [F, S] : zip_equal(First.From->Uses, Second.From->Uses)) {
    const auto A = laneOf(F), B = laneOf(S);
    if (F == S || !A || !B || A->From == B->From || !A->From || !B->From)
      continue;
    for (Value &U : First.Uses)
      if (find(U) == A->Register)
        U = moved(A->Register, First, Before);
  }
}

/// Whether nothing from \p To on stands in the way of the operation at \p From:
/// where its result is made in several places, others may read the old one, or
/// write to an operand.
bool HalfPacker::mayMoveUp(const Block &B, size_t To, size_t From) const {
  const Inst &Moved = B.Insts[From];
  if (isMadeOnce(Moved.Defs[0]) &&
      all_of(Moved.Uses, [&](Value U) { return NumDefs[U] <= 1; }))
    return true;
  return none_of(
      ArrayRef(B.Insts).slice(To + 1, From - To - 1), [&](const Inst &I) {
        return is_contained(I.Uses, Moved.Defs[0]) ||
               is_contained(I.Defs, Moved.Defs[0]) ||
               any_of(Moved.Uses,
                      [&](Value U) { return is_contained(I.Defs, U); });
      });
}

/// Makes one of the operation at \p At and the next that fits.
bool HalfPacker::packNext(Block &B, size_t At) {
  for (size_t N = At + 1; N != B.Insts.size(); ++N) {
    Inst &First = B.Insts[At], &Second = B.Insts[N];
    if (!isHalfOp(Second) || !mayMoveUp(B, At, N))
      continue;
    const bool InOrder = joinOperands(B, At, First, Second);
    if (!InOrder && !joinOperands(B, At, Second, First))
      continue;
    moveHalves(First, Second, At);
    join((InOrder ? First : Second).Defs[0],
         (InOrder ? Second : First).Defs[0]);
    if (!InOrder)
      First.Defs[0] = Second.Defs[0];
    if (const StringRef Name = pairName(*First.From); !Name.empty())
      First.Name = Name.str();
    Second.Defs.clear();
    return true;
  }
  return false;
}

/// Whether \p I puts two halves in a register that lie there already.
bool HalfPacker::isWhole(const Inst &I) const {
  return I.From && I.From->Opcode == "mov.b32" && I.From->Uses.size() == 2 &&
         I.Defs.size() == 1 && isMadeOnce(I.Defs[0]) && !I.Guard &&
         isPair(I.From->Uses[0], I.From->Uses[1]) &&
         NumDefs[laneOf(I.From->Uses[0])->Register] != 0;
}

/// A load of a vector of halves writes two of them to each register.
void HalfPacker::joinLoaded(Inst &I) {
  const StringRef Opcode = I.From ? StringRef(I.From->Opcode) : "";
  if (!Opcode.starts_with("ld.") || !Opcode.ends_with("16") ||
      !Opcode.contains(".v") || I.Defs.size() % 2 ||
      !all_of(I.Defs, [&](Value D) {
        return (MayAssume || isMadeOnce(D)) && !Lanes.contains(D);
      }))
    return;
  SmallVector<Value, 2> Registers;
  for (size_t N = 0; N != I.Defs.size(); N += 2) {
    join(I.Defs[N], I.Defs[N + 1]);
    Registers.push_back(I.Defs[N]);
  }
  I.Defs = std::move(Registers);
}

/// A store of a vector of halves takes two of them from each register: two that
/// were converted for it are converted at once.
void HalfPacker::joinStored(Block &B, size_t At) {
  const ptx::Inst *From = B.Insts[At].From;
  const StringRef Opcode = From ? StringRef(From->Opcode) : "";
  if (!Opcode.starts_with("st.") || !Opcode.ends_with("16") ||
      !Opcode.contains(".v") || From->Uses.size() < From->NumElements)
    return;
  const auto Stored = ArrayRef(From->Uses).take_back(From->NumElements);
  for (size_t N = 0; N + 1 < Stored.size(); N += 2)
    joinConversions(B, At, Stored[N], Stored[N + 1]);
}

void HalfPacker::packBlock(Block &B) {
  Conversions.clear();
  Moved.clear();
  Added.clear();
  for (auto [N, I] : enumerate(B.Insts))
    if (I.From &&
        (I.From->Opcode == "cvt.rn.f16.f32" ||
         I.From->Opcode == "cvt.rn.bf16.f32") &&
        !I.Guard && I.Uses.size() == 1 && isMadeOnce(I.Defs[0]))
      Conversions[I.Defs[0]] = N;
  for (size_t N = 0; N != B.Insts.size(); ++N) {
    Inst &I = B.Insts[N];
    if (isHalfOp(I)) {
      packNext(B, N);
    } else if (I.IsAccess) {
      joinLoaded(I);
      joinStored(B, N);
    } else if (isWhole(I)) {
      Parent[I.Defs[0]] = laneOf(I.From->Uses[0])->Register;
      I.Defs.clear();
    }
  }
}

bool HalfPacker::run() {
  for (Block &B : C.Blocks) {
    std::vector<bool> Wrote;
    for (const Inst &I : B.Insts)
      Wrote.push_back(!I.Defs.empty());
    packBlock(B);
    std::vector<Inst> Left;
    llvm::stable_sort(Added, less_first());
    auto Next = Added.begin();
    for (auto [N, I] : enumerate(B.Insts)) {
      for (; Next != Added.end() && Next->first == N; ++Next)
        Left.push_back(std::move(Next->second));
      if (!I.Defs.empty() || !Wrote[N])
        Left.push_back(std::move(I));
    }
    B.Insts = std::move(Left);
  }
  for (const auto &[Pair, Number] : Joined)
    if (Number != NumDefs[Pair.first] || Number != NumDefs[Pair.second])
      return false;
  for (Block &B : C.Blocks)
    for (Inst &I : B.Insts) {
      for (Value &U : I.Uses)
        U = find(U);
      for (Value &D : I.Defs)
        D = find(D);
    }
  return true;
}

} // namespace

void packHalves(Code &C, const ptx::Kernel &PTX, const Architecture &Arch) {
  Code Before = Arch.hasPairedIntegers() ? C : Code();
  if (HalfPacker(C, PTX, Arch, true).run())
    return;
  C = std::move(Before);
  HalfPacker(C, PTX, Arch, false).run();
}

} // namespace heddle::machine
