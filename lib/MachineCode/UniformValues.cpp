//===- UniformValues.cpp - What lives in uniform registers ----------------===//
//
// From sm_75 on a second datapath computes integers once for the warp and keeps
// them in registers of its own. Code of ptxas 11.8 for test/kernels shows what
// goes there: sums, products, logic and shifts of constants, of the number of
// the block and of each other, such as the counters of loops. An instruction of
// the lanes has one operand that may come from there, from the constant bank or
// from the instruction: what is read beside a constant stays in the lanes'
// registers.
//
//===----------------------------------------------------------------------===//

#include "UniformValues.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace heddle::machine {

namespace {

/// What an instruction reads, folded operations looked through.
struct Leaf {
  Operand O;
  bool InLanes = false; ///< only a register of the lanes will do
};

} // namespace

Convergence::Convergence(const ptx::Kernel &PTX, const Operands &Ops)
    : PTX(PTX), Apart(PTX.Blocks.size()), Divergent(PTX.Registers.size()) {
  for (Value R = 1; R != PTX.Registers.size(); ++R)
    if (Ops.isDivergent(R))
      Divergent.set(R);
  findBehind();
  do
    for (unsigned N = 0; N != PTX.Blocks.size(); ++N)
      part(N);
  while (spread());
}

bool Convergence::isEnd(unsigned N) const {
  const ptx::Block &B = PTX.Blocks[N];
  return B.Successors.empty() && B.Insts.size() <= 1;
}

/// Lanes that go to the end are gone: those that are left stay together.
SmallVector<unsigned, 2> Convergence::waysFrom(unsigned N) const {
  SmallVector<unsigned, 2> Ways;
  for (unsigned S : PTX.Blocks[N].Successors)
    if (!isEnd(S))
      Ways.push_back(S);
  return Ways;
}

/// Blocks from which some way leads on to code behind, and not only to the end.
BitVector Convergence::findLeaving() const {
  BitVector Leaving(PTX.Blocks.size());
  for (unsigned N = 0; N != PTX.Blocks.size(); ++N)
    if (PTX.Blocks[N].Successors.empty() && !isEnd(N))
      Leaving.set(N);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned N = 0; N != PTX.Blocks.size(); ++N)
      if (!Leaving[N] &&
          any_of(waysFrom(N), [&](unsigned S) { return Leaving[S]; })) {
        Leaving.set(N);
        Changed = true;
      }
  }
  return Leaving;
}

void Convergence::findBehind() {
  const unsigned NumBlocks = PTX.Blocks.size();
  const BitVector Leaving = findLeaving();
  Behind.assign(NumBlocks, BitVector(NumBlocks, true));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned N = NumBlocks; N-- != 0;) {
      BitVector All(NumBlocks, true);
      // A loop that only the end follows has a last iteration.
      SmallVector<unsigned, 2> Ways = waysFrom(N);
      if (!Leaving[N])
        Ways.assign(PTX.Blocks[N].Successors.begin(),
                    PTX.Blocks[N].Successors.end());
      for (unsigned S : Ways)
        All &= Behind[S];
      if (Ways.empty())
        All.reset();
      All.set(N);
      if (All != Behind[N]) {
        Behind[N] = std::move(All);
        Changed = true;
      }
    }
  }
}

/// Marks the blocks between a branch on which lanes differ and where all its
/// ways meet.
void Convergence::part(unsigned N) {
  const SmallVector<unsigned, 2> Ways = waysFrom(N);
  // A jump to the other way may follow the branch.
  const auto Branch = find_if(reverse(PTX.Blocks[N].Insts),
                              [](const auto &I) { return I.isConditional(); });
  if (Ways.size() < 2 || Branch == PTX.Blocks[N].Insts.rend() ||
      Branch->Uses.empty() || !Divergent[Branch->Uses[0]])
    return;
  SetVector<unsigned> Reached(Ways.begin(), Ways.end());
  auto Meets = [&](unsigned S) { return S != N && Behind[N][S]; };
  for (size_t I = 0; I != Reached.size(); ++I)
    if (const unsigned At = Reached[I]; !Meets(At)) {
      Apart.set(At);
      Reached.insert_range(waysFrom(At));
    }
}

/// What different lanes may have written, and what is computed from it; false
/// if that is known already.
bool Convergence::spread() {
  const BitVector Before = Divergent;
  BitVector Written(PTX.Registers.size());
  BitVector Again(PTX.Registers.size());
  for (const ptx::Block &B : PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      for (Value D : I.Defs) {
        if (Written[D])
          Again.set(D);
        Written.set(D);
      }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [N, B] : enumerate(PTX.Blocks))
      for (const ptx::Inst &I : B.Insts)
        for (Value D : I.Defs)
          if (!Divergent[D] &&
              ((Apart[N] && Again[D]) ||
               any_of(I.Uses, [&](Value U) { return Divergent[U]; }))) {
            Divergent.set(D);
            Changed = true;
          }
  }
  return Divergent != Before;
}

namespace {

bool isOneOf(StringRef Opcode, ArrayRef<StringRef> Names) {
  return is_contained(Names, Opcode);
}

bool isProduct(StringRef Opcode) {
  return isOneOf(Opcode, {"mul.lo.s32", "mul.lo.u32", "mad.lo.s32",
                          "mad.lo.u32", "mul.wide.s32", "mul.wide.u32"});
}

bool isShift(StringRef Opcode) {
  return isOneOf(Opcode, {"shl.b32", "shr.s32", "shr.u32", "shr.b32"});
}

/// Whether the uniform datapath has \p I, as far as its opcode says.
bool hasUniformForm(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  if (I.Guarded || I.Defs.size() != 1)
    return false;
  if (StringRef(I.Symbol).starts_with("%"))
    return StringRef(I.Symbol).starts_with("%ctaid");
  return isSum(Opcode) || isProduct(Opcode) || isShift(Opcode) ||
         Opcode.starts_with("ld.param") ||
         isOneOf(Opcode, {"and.b32", "or.b32", "xor.b32", "mov.b32", "mov.u32",
                          "mov.b64", "mov.u64"});
}

bool isSharedAccess(StringRef Opcode) {
  return (Opcode.starts_with("ld.") || Opcode.starts_with("st.")) &&
         Opcode.contains(".shared");
}

/// What has all operands in uniform registers, whatever computes them.
bool wantsUniform(StringRef Opcode) {
  return isBulkCopy(Opcode) || isGroupProduct(Opcode);
}

/// Whether an operand of \p I may come from a uniform register.
bool takesUniform(StringRef Opcode) {
  return wantsUniform(Opcode) || isBarrierAction(Opcode) ||
         isSharedAccess(Opcode) || isSum(Opcode) || isProduct(Opcode) ||
         isShift(Opcode) || Opcode.starts_with("setp.") ||
         Opcode.starts_with("min.") || Opcode.starts_with("max.") ||
         isLogic(Opcode) ||
         isOneOf(Opcode, {"mov.b32", "mov.u32", "selp.b32", "not.b32",
                          "cvt.rn.f32.s32", "cvt.rn.f32.u32"});
}

void collectLeaves(const ptx::Inst &I, const Operands &Ops,
                   SmallVectorImpl<Leaf> &Leaves) {
  const StringRef Opcode = I.Opcode;
  if (wantsUniform(Opcode)) {
    for (Value U : ArrayRef(I.Uses).drop_front(I.Guarded))
      if (const Value R = Ops.resolve(U); Ops.placeOf(R) == Place::Register)
        Leaves.push_back({{"", R, Place::Register}, false});
    return;
  }
  const bool IsShared = isSharedAccess(Opcode) || isBarrierAction(Opcode);
  if (IsShared || (!takesUniform(Opcode) && !isRenaming(Opcode) &&
                   Opcode != "cvt.s64.s32")) {
    const Value Address = IsShared ? Ops.resolve(Ops.addressOf(I).first) : 0;
    for (Value U : ArrayRef(I.Uses).drop_front(I.Guarded))
      if (const Value R =
              IsShared && U == I.addressRegister() ? Address : Ops.resolve(U);
          Ops.placeOf(R) == Place::Register)
        Leaves.push_back({{"", R, Place::Register}, R != Address});
    return;
  }
  const SmallVector<Operand, 4> All = Ops.of(I);
  for (auto [N, Given] : enumerate(drop_begin(All))) {
    Operand O = Given;
    if (O.Register) {
      O.Register = Ops.resolve(O.Register);
      O.Where = Ops.placeOf(O.Register);
    }
    if (O.Register && Ops.isFolded(O.Register)) {
      if (const ptx::Inst *From = Ops.definitionOf(O.Register)) {
        const size_t First = Leaves.size();
        collectLeaves(*From, Ops, Leaves);
        // LEA: how far it shifts is no operand.
        if (StringRef(From->Opcode).starts_with("mul.wide") &&
            !I.Defs.empty() && Ops.isNarrow(I.Defs[0]) &&
            Leaves.size() > First) {
          Leaves.resize(First + 1);
          Leaves[First].InLanes = true;
        }
        if (From->Opcode == "cvt.s64.s32") // LEA.HI.X.SX32
          Leaves.back().InLanes = true;
      }
      continue;
    }
    // An amount of a folded shift is no operand of the sum.
    const bool IsAmount = N == 1 && isShift(Opcode);
    if (IsAmount && Ops.isFolded(I.Defs[0]))
      continue;
    Leaves.push_back({O, isShift(Opcode) && N == 0});
  }
}

/// Whether \p L is a constant that takes the operand which need not be a
/// register of the lanes.
bool isConstant(const Leaf &L) {
  return L.O.Where != Place::Register && L.O.Text != "0";
}

class UniformValues {
public:
  UniformValues(const ptx::Kernel &PTX, const Operands &Ops,
                const Convergence &Lanes, const Architecture &Arch)
      : PTX(PTX), Ops(Ops), Lanes(Lanes), Arch(Arch),
        Uniform(PTX.Registers.size()), Kept(PTX.Registers.size()) {}
  Uniforms run();

private:
  /// An instruction of the machine, by the one that the others fold into.
  struct Root {
    const ptx::Inst *I;
    unsigned Block;
    SmallVector<Leaf, 4> Leaves;
  };
  void findRoots();
  bool isUniform(const Leaf &L) const {
    return L.O.Register && L.O.Where == Place::Register &&
           Uniform[L.O.Register];
  }
  StringRef nameOf(const Leaf &L) const {
    return L.O.Register ? StringRef(PTX.Registers[L.O.Register].Name)
                        : L.O.Text;
  }
  bool isComputed(const Root &R) const;
  bool copiesConstant(const Root &R) const;
  bool canCompute(const Root &R) const;
  bool needsCopy(const Root &R, const Leaf &L) const;
  void findCandidates();
  void keepGroups();
  void keepConstants();
  bool drop(Value V);
  bool dropUnreadable(const Root &R, bool OneOfTwo);

  const ptx::Kernel &PTX;
  const Operands &Ops;
  const Convergence &Lanes;
  const Architecture &Arch;
  BitVector Uniform;
  BitVector Kept;             ///< uniform whatever reads them
  StringMap<bool> KeptInBank; ///< the same of constants
  std::vector<Root> Roots;
  StringMap<bool> InLanes; ///< constants that the lanes' registers hold anyway
};

void UniformValues::findRoots() {
  for (auto [N, B] : enumerate(PTX.Blocks))
    for (const ptx::Inst &I : B.Insts) {
      if (!I.Defs.empty() && all_of(I.Defs, [&](Value D) {
            return Ops.isFolded(D) || Ops.placeOf(D) != Place::Register;
          }))
        continue;
      Root &R = Roots.emplace_back(Root{&I, unsigned(N), {}});
      collectLeaves(I, Ops, R.Leaves);
    }
}

bool UniformValues::isComputed(const Root &R) const {
  return R.I->Defs.size() == 1 && Uniform[R.I->Defs[0]];
}

/// Whether \p R copies what the block has set to a constant just before.
bool UniformValues::copiesConstant(const Root &R) const {
  if (!StringRef(R.I->Opcode).starts_with("mov.") || R.I->Uses.size() != 1)
    return false;
  const ptx::Inst *First = PTX.Blocks[R.Block].Insts.data();
  for (const ptx::Inst *I = R.I; I-- != First;)
    if (is_contained(I->Defs, R.I->Uses[0]))
      return StringRef(I->Opcode).starts_with("mov.") && I->Uses.empty() &&
             I->Symbol.empty() && !I->Guarded;
  return false;
}

bool UniformValues::canCompute(const Root &R) const {
  return hasUniformForm(*R.I) && Lanes.isConvergent(R.Block) &&
         (copiesConstant(R) || all_of(R.Leaves, [&](const Leaf &L) {
            return isUniform(L) || L.O.Where == Place::Immediate ||
                   (L.O.Where == Place::Bank && !InLanes.contains(nameOf(L)));
          }));
}

/// Whether the lanes, which run \p R, need a copy of the uniform \p L.
bool UniformValues::needsCopy(const Root &R, const Leaf &L) const {
  if (wantsUniform(R.I->Opcode))
    return false;
  return L.InLanes || !takesUniform(R.I->Opcode) ||
         any_of(R.Leaves, [&](const Leaf &Other) {
           return &Other != &L &&
                  (isUniform(Other) ||
                   (isConstant(Other) &&
                    !(Arch.loadsConstants() && Other.O.Where == Place::Bank)));
         });
}

/// What only reads constants and each other, whatever reads it.
void UniformValues::findCandidates() {
  for (const Root &R : Roots)
    for (Value D : R.I->Defs)
      if (Ops.placeOf(D) == Place::Register && !Ops.isFolded(D) &&
          Ops.width(D) && !Lanes.isDivergent(D))
        Uniform.set(D);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Root &R : Roots)
      if (!isComputed(R) || !canCompute(R))
        for (Value D : R.I->Defs)
          Changed |= drop(D);
  }
}

/// Keeps groups of values that are computed from each other and from the same
/// constants where their operations are several for each copy that the lanes
/// need: a loop over planes has its strides and counters there (ptxas 11.8).
void UniformValues::keepGroups() {
  // Assumed: it tells the loops of test/kernels apart that ptxas 11.8 keeps
  // there from those that it does not.
  constexpr unsigned OperationsPerCopy = 3;
  struct Group {
    unsigned Operations = 0, Copies = 0;
  };
  EquivalenceClasses<StringRef> Groups;
  auto Join = [&](const Root &R) {
    for (const Leaf &L : R.Leaves)
      if (isUniform(L) || L.O.Where == Place::Bank)
        Groups.unionSets(PTX.Registers[R.I->Defs[0]].Name, nameOf(L));
  };
  for (const Root &R : Roots)
    if (isComputed(R)) {
      Groups.insert(PTX.Registers[R.I->Defs[0]].Name);
      Join(R);
    }
  StringMap<Group> Sizes;
  auto GroupOf = [&](StringRef Name) -> Group * {
    auto It = Groups.findLeader(Name);
    return It == Groups.member_end() ? nullptr : &Sizes[*It];
  };
  for (const Root &R : Roots) {
    if (isComputed(R)) {
      GroupOf(PTX.Registers[R.I->Defs[0]].Name)->Operations +=
          !StringRef(R.I->Opcode).starts_with("mov.");
      continue;
    }
    for (const Leaf &L : R.Leaves) {
      // What computes with a constant may read the bank all the same.
      const bool Stays = L.O.Where == Place::Bank &&
                         (Arch.loadsConstants() ||
                          StringRef(R.I->Opcode).starts_with("setp."));
      if ((isUniform(L) || Stays) && needsCopy(R, L))
        if (Group *G = GroupOf(nameOf(L)))
          ++G->Copies;
    }
  }
  auto IsWorthIt = [&](StringRef Name) {
    const Group *G = GroupOf(Name);
    return G && G->Copies && G->Operations >= OperationsPerCopy * G->Copies;
  };
  for (const Root &R : Roots)
    for (const Leaf &L : R.Leaves)
      if (L.O.Where == Place::Bank && IsWorthIt(nameOf(L)))
        KeptInBank[nameOf(L)] = true;
  for (Value V : Uniform.set_bits())
    if (IsWorthIt(PTX.Registers[V].Name))
      Kept.set(V);
}

/// A constant of the bank that an instruction reads beside one of its own is in
/// a register of the lanes, and read there.
void UniformValues::keepConstants() {
  for (const Root &R : Roots)
    if (!isComputed(R) && takesUniform(R.I->Opcode) &&
        any_of(R.Leaves, [](const Leaf &L) {
          return isConstant(L) && L.O.Where == Place::Immediate;
        }))
      for (const Leaf &L : R.Leaves)
        if (L.O.Where == Place::Bank && !KeptInBank.contains(nameOf(L)))
          InLanes[nameOf(L)] = true;
}

/// Leaves \p V to the lanes; false if it is so already, or may not be.
bool UniformValues::drop(Value V) {
  const bool Drops = Uniform[V] && !Kept[V];
  if (Drops)
    Uniform.reset(V);
  return Drops;
}

/// Leaves to the lanes what \p R, which they run, cannot read; with
/// \p OneOfTwo one of two as well that it cannot read both, what is written
/// once before what a loop counts.
bool UniformValues::dropUnreadable(const Root &R, bool OneOfTwo) {
  if (wantsUniform(R.I->Opcode))
    return false;
  bool Dropped = false;
  const unsigned NumConstants = count_if(R.Leaves, [&](const Leaf &L) {
    return isConstant(L) &&
           !(Arch.loadsConstants() && L.O.Where == Place::Bank);
  });
  SmallVector<Value, 4> Read;
  for (const Leaf &L : R.Leaves) {
    if (!isUniform(L))
      continue;
    if (L.InLanes || NumConstants || !takesUniform(R.I->Opcode))
      Dropped |= drop(L.O.Register);
    else if (is_contained(Read, L.O.Register))
      Dropped |= drop(L.O.Register);
    else
      Read.push_back(L.O.Register);
  }
  if (Dropped || Read.size() < 2 || !OneOfTwo)
    return Dropped;
  llvm::stable_sort(Read, [&](Value A, Value B) {
    return (Ops.definitionOf(A) != nullptr) > (Ops.definitionOf(B) != nullptr);
  });
  return drop(Read[0]);
}

Uniforms UniformValues::run() {
  findRoots();
  findCandidates();
  keepGroups();
  for (bool Changed = true, OneOfTwo = false; Changed || !OneOfTwo;) {
    OneOfTwo = !Changed;
    Changed = false;
    keepConstants();
    for (const Root &R : Roots) {
      if (isComputed(R) && canCompute(R))
        continue;
      for (Value D : R.I->Defs)
        Changed |= drop(D);
      const bool Here = dropUnreadable(R, OneOfTwo);
      Changed |= Here;
      if (Here && OneOfTwo)
        break;
    }
  }
  Uniforms Found = {std::move(Uniform), std::move(KeptInBank), {}};
  Uniform = Found.Values;
  for (const Root &R : Roots)
    if (!isComputed(R) && any_of(R.Leaves, [&](const Leaf &L) {
          return (isUniform(L) || Found.Constants.contains(nameOf(L))) &&
                 needsCopy(R, L);
        }))
      Found.Copying.insert(R.I);
  return Found;
}

} // namespace

Uniforms findUniformValues(const ptx::Kernel &PTX, const Operands &Ops,
                           const Convergence &Lanes, const Architecture &Arch) {
  if (!Arch.hasUniformDatapath())
    return {BitVector(PTX.Registers.size()), {}, {}};
  return UniformValues(PTX, Ops, Lanes, Arch).run();
}

bool takesConstantOrUniform(const ptx::Inst &I, const Operands &Ops,
                            const BitVector &Uniform) {
  SmallVector<Leaf, 4> Leaves;
  collectLeaves(I, Ops, Leaves);
  return any_of(Leaves, [&](const Leaf &L) {
    return L.O.Where == Place::Register
               ? L.O.Register && Uniform[L.O.Register]
               : L.O.Where == Place::Immediate && L.O.Text != "0";
  });
}

static std::string uniformName(StringRef Name) {
  if (Name == "S2R")
    return "S2UR";
  if (Name.starts_with("IMAD.MOV"))
    return "UMOV";
  for (StringRef Start : {"IADD3", "IMAD", "LEA", "LOP3", "SHF", "MOV"})
    if (Name.starts_with(Start))
      return ("U" + Name).str();
  return Name.str();
}

/// Gives \p I, which cannot read uniform registers as it does, what it can: a
/// comparison of nothing else runs there and hands its predicate on, others
/// read a copy. \p Before is for the copies, \p Behind for the predicate.
static void copyUniform(Code &C, Inst &I, std::vector<Inst> &Before,
                        std::vector<Inst> &Behind) {
  auto IsUniform = [&](Value V) { return C.isUniform(V); };
  auto Copy = [&](StringRef Name, Value To, Value From) {
    Inst Made;
    Made.Name = Name.str();
    Made.Defs = {To};
    Made.Uses = {From};
    Made.From = I.From;
    Made.Step = I.Step;
    return Made;
  };
  if (StringRef(I.Name).starts_with("ISETP") && I.Defs.size() == 1 &&
      !I.Guard && all_of(I.Uses, IsUniform)) {
    const Value Result = C.addValue(1, true);
    Behind.push_back(Copy("PLOP3.LUT", I.Defs[0], Result));
    I.Name = "U" + I.Name;
    I.Defs = {Result};
    return;
  }
  for (Value &U : I.Uses)
    if (C.isUniform(U)) {
      const unsigned Width = C.UniformWidths[U];
      const Value InLanes = C.addValue(Width);
      for (unsigned N = 0; N != Width; ++N) {
        Before.push_back(Copy("IMAD.U32", InLanes, U));
        Before.back().Partial = N != 0;
      }
      U = InLanes;
    }
}

void nameUniform(Code &C) {
  for (Block &B : C.Blocks) {
    std::vector<Inst> Insts;
    for (Inst &I : B.Insts) {
      std::vector<Inst> Behind;
      if (!I.Defs.empty() &&
          all_of(I.Defs, [&](Value D) { return C.isUniform(D); }))
        I.Name = uniformName(I.Name);
      else if (C.CopiesUniform.contains(I.From))
        copyUniform(C, I, Insts, Behind);
      Insts.push_back(std::move(I));
      append_range(Insts, Behind);
    }
    B.Insts = std::move(Insts);
  }
}

} // namespace heddle::machine
