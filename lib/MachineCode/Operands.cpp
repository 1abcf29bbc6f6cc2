//===- Operands.cpp - What the registers of a PTX kernel hold -------------===//
//
// Hardware folds much of what PTX writes as instructions: arguments are
// operands in the constant bank, a constant that is added to an address is the
// offset of the access, products and shifts that are added are part of the
// addition, signs and negated predicates are modifiers.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::machine {

bool isRenaming(StringRef Opcode) {
  for (StringRef Same :
       {"cvt.u64.u32", "cvt.u32.u64", "cvt.u16.u32", "cvt.u32.u16",
        "cvt.u16.u64", "cvt.u64.u16", "mov.b32", "mov.u32", "mov.b64",
        "mov.u64", "mov.f32", "mov.f64", "mov.b16", "mov.pred", "not.pred"})
    if (Opcode == Same)
      return true;
  return Opcode.starts_with("cvta.");
}

bool isSum(StringRef Opcode) {
  for (StringRef Sum : {"add.s32", "add.u32", "add.s64", "add.u64", "sub.s32",
                        "sub.u32", "sub.s64", "sub.u64"})
    if (Opcode == Sum)
      return true;
  return false;
}

bool isLogic(StringRef Opcode) {
  for (StringRef Base : {"and.b", "or.b", "xor.b"})
    if (Opcode.starts_with(Base))
      return true;
  return false;
}

std::optional<int64_t> integer(StringRef Text) {
  int64_t N;
  if (Text.getAsInteger(0, N))
    return std::nullopt;
  return N;
}

/// Special registers that the driver puts beside the arguments.
static bool isInBank(StringRef Symbol) {
  return Symbol.starts_with("%ntid") || Symbol.starts_with("%nctaid") ||
         Symbol.starts_with("%envreg");
}

static bool isSign(StringRef Opcode) {
  return Opcode.starts_with("neg.f") || Opcode.starts_with("abs.f") ||
         Opcode.starts_with("neg.ftz.f") || Opcode.starts_with("abs.ftz.f");
}

Operands::Operands(const ptx::Kernel &PTX, bool LoadsConstants)
    : PTX(PTX), LoadsConstants(LoadsConstants) {
  findDefinitions();
  findPlaces();
  findNarrow();
  findFolded();
  findDivergent();
  findAlignments();
}

Value Operands::registerNamed(const ptx::Inst &I, StringRef Name) const {
  for (ArrayRef<unsigned> Its : {ArrayRef(I.Uses), ArrayRef(I.Defs)})
    for (Value R : Its)
      if (PTX.Registers[R].Name == Name)
        return R;
  return 0;
}

SmallVector<Operand, 4> Operands::of(const ptx::Inst &I) const {
  StringRef Text = I.Text;
  if (I.Guarded)
    Text = Text.drop_until([](char C) { return isSpace(C); }).ltrim();
  Text = Text.drop_front(std::min(Text.size(), I.Opcode.size())).trim();
  Text.consume_back(";");
  SmallVector<Operand, 4> Out;
  unsigned Depth = 0;
  size_t Start = 0;
  for (size_t N = 0; N <= Text.size(); ++N) {
    if (N < Text.size()) {
      Depth += Text[N] == '{' || Text[N] == '[';
      Depth -= (Text[N] == '}' || Text[N] == ']') && Depth;
      if (Text[N] != ',' || Depth)
        continue;
    }
    Operand O;
    O.Text = Text.slice(Start, N).trim();
    Start = N + 1;
    StringRef Name = O.Text;
    Name.consume_front("!");
    O.Register = registerNamed(I, Name);
    O.Where = O.Register                ? Places[O.Register]
              : O.Text.starts_with("%") ? Place::Bank
                                        : Place::Immediate;
    Out.push_back(O);
  }
  return Out;
}

void Operands::findDefinitions() {
  const size_t N = PTX.Registers.size();
  DefOf.resize(N);
  NumDefs.resize(N);
  Users.resize(N);
  Places.assign(N, Place::Register);
  for (auto [N, B] : enumerate(PTX.Blocks))
    for (const ptx::Inst &I : B.Insts) {
      BlockOf[&I] = N;
      for (Value R : I.Defs)
        DefOf[R] = NumDefs[R]++ || I.Guarded ? nullptr : &I;
      for (Value R : I.Uses)
        Users[R].push_back(&I);
    }
}

void Operands::findPlaces() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [R, I] : enumerate(DefOf)) {
      if (!I || Places[R] != Place::Register ||
          (I->Defs.size() != 1 &&
           !StringRef(I->Opcode).starts_with("ld.param")))
        continue;
      const StringRef Opcode = I->Opcode;
      Place Where = Place::Register;
      if (Opcode.starts_with("ld.param") ||
          Opcode.starts_with("special.globaloffset"))
        Where = Place::Bank;
      else if (Opcode.starts_with("ld.const") && I->Uses.empty())
        Where = Place::Bank;
      else if (isRenaming(Opcode) && I->Uses.size() == 1)
        Where = Places[I->Uses[0]];
      else if (Opcode.starts_with("mov.") && I->Uses.empty())
        Where = isInBank(I->Symbol)                     ? Place::Bank
                : I->Symbol.empty()                     ? Place::Immediate
                : StringRef(I->Symbol).starts_with("%") ? Place::Register
                                                        : Place::Immediate;
      if (Where == Place::Register)
        continue;
      Places[R] = Where;
      Changed = true;
    }
  }
}

bool Operands::onlyUsedBy(Value R, bool (*Takes)(StringRef)) const {
  return !Users[R].empty() && all_of(Users[R], [&](const ptx::Inst *I) {
    return !I->Guarded && Takes(I->Opcode);
  });
}

/// Of the result of an operation.
static bool isSaturation(StringRef Opcode) {
  return Opcode == "cvt.sat.f32.f32" || Opcode == "cvt.sat.ftz.f32.f32";
}

bool Operands::saturates(const ptx::Inst &I) const {
  const ptx::Inst *From = DefOf[I.Uses[0]];
  if (!From || From->Guarded || I.Guarded || !isUsedOnce(I.Uses[0]))
    return false;
  SmallVector<StringRef, 4> Words;
  StringRef(From->Opcode).split(Words, '.');
  constexpr StringRef Arithmetic[] = {"add", "sub", "mul", "fma", "mad"};
  return Words.back() == "f32" && is_contained(Arithmetic, Words.front());
}

static bool isAccess(StringRef Opcode) {
  constexpr StringRef Bases[] = {"ld",  "st",       "atom",
                                 "red", "ldmatrix", "stmatrix"};
  return is_contained(Bases, Opcode.split('.').first);
}

bool Operands::staysUntil(const ptx::Inst &I, const ptx::Inst &At) const {
  return all_of(registersOf(I), [&](Value U) {
    if (NumDefs[U] == 1)
      return !Folded[U] || staysUntil(*DefOf[U], At);
    return BlockOf.lookup(&I) == BlockOf.lookup(&At) && &I < &At &&
           none_of(
               ArrayRef(&I + 1, &At),
               [&](const ptx::Inst &Between) {
                 return is_contained(Between.Defs, U);
               });
  });
}

bool Operands::isFinal(const ptx::Inst &I) const {
  const unsigned Home = BlockOf.lookup(&I);
  SetVector<unsigned> Behind(from_range, PTX.Blocks[Home].Successors);
  for (size_t N = 0; N != Behind.size(); ++N)
    Behind.insert_range(PTX.Blocks[Behind[N]].Successors);
  auto Writes = [&](const ptx::Inst &Other) {
    return is_contained(Other.Defs, I.Uses[0]) &&
           (Behind.contains(BlockOf.lookup(&Other)) ||
            (BlockOf.lookup(&Other) == Home && &Other > &I));
  };
  return none_of(PTX.Blocks,
                 [&](const ptx::Block &B) { return any_of(B.Insts, Writes); });
}

bool Operands::staysForUsers(Value R, const ptx::Inst &I) const {
  return all_of(Users[R],
                [&](const ptx::Inst *User) { return staysUntil(I, *User); });
}

SmallVector<Operand, 4> Operands::logicInputs(const ptx::Inst &I,
                                              Value Taken) const {
  SmallVector<Operand, 4> Inputs;
  auto Add = [&](Operand O) {
    if (O.Register) {
      O.Register = resolve(O.Register);
      O.Where = Places[O.Register];
    }
    if (none_of(Inputs, [&](const Operand &Other) {
          return O.Register ? Other.Register == O.Register
                            : !Other.Register && Other.Text == O.Text;
        }))
      Inputs.push_back(O);
  };
  const SmallVector<Operand, 4> All = of(I);
  for (const Operand &O : ArrayRef<Operand>(All).drop_front()) {
    const ptx::Inst *Inner = O.Register ? DefOf[O.Register] : nullptr;
    if (Inner && (Folded[O.Register] || O.Register == Taken) &&
        isLogic(Inner->Opcode))
      for (const Operand &P : logicInputs(*Inner, Taken))
        Add(P);
    else if (O.Text != "-1") // a complement is part of the table
      Add(O);
  }
  return Inputs;
}

/// True if the LOP3 that \p User is part of still has three inputs with the
/// definition of \p R as part of it, one from elsewhere than a register.
bool Operands::fitsLogic(Value R, const ptx::Inst &User) const {
  const ptx::Inst *Root = &User;
  while (Folded[Root->Defs[0]])
    Root = Users[Root->Defs[0]][0];
  auto Fits = [](ArrayRef<Operand> Inputs) {
    return Inputs.size() <= 3 && count_if(Inputs, [](const Operand &O) {
                                   return O.Where != Place::Register;
                                 }) <= 1;
  };
  if (StringRef(Root->Opcode).ends_with(".b64"))
    return Fits(wordLogic(*Root, 0, R).Inputs) &&
           (Narrow[Root->Defs[0]] || Fits(wordLogic(*Root, 1, R).Inputs));
  return Fits(logicInputs(*Root, R));
}

/// Logic of 64 bits that several use is computed in each logic that uses it;
/// that of 32 bits is not (ptxas 11.8, sm_80). False if others need it too.
bool Operands::repeatsLogic(Value R, const ptx::Inst &I) {
  if (!isLogic(I.Opcode) || !StringRef(I.Opcode).ends_with(".b64") ||
      !staysForUsers(R, I))
    return false;
  auto IsLogic = [](const ptx::Inst *User) {
    return isLogic(User->Opcode) && !User->Guarded;
  };
  if (all_of(Users[R], [&](const ptx::Inst *User) {
        return !IsLogic(User) || fitsLogic(R, *User);
      }))
    Repeated.set(R);
  return Repeated[R] && all_of(Users[R], IsLogic);
}

Value Operands::testedLogic(const ptx::Inst &Test) const {
  const SmallVector<Operand, 4> All = of(Test);
  const StringRef Opcode = Test.Opcode;
  if (All.size() != 3 || All[2].Text != "0" ||
      (!Opcode.starts_with("setp.ne.") && !Opcode.starts_with("setp.eq.")))
    return 0;
  const Value R = All[1].Register;
  const ptx::Inst *I = R ? DefOf[R] : nullptr;
  const bool IsMask = I && (StringRef(I->Opcode) == "and.b32" ||
                            StringRef(I->Opcode) == "or.b32");
  return IsMask && Users[R].size() == 1 && staysUntil(*I, Test) ? R : 0;
}

/// One instruction of the hardware for 32 bits, as far as \p Opcode says.
static bool isOneOperation(StringRef Opcode) {
  for (StringRef Start : {"add.", "sub.", "mul.", "mad.lo.", "fma.", "and.b32",
                          "or.b32", "xor.b32", "shl.b32", "shr."})
    if (Opcode.starts_with(Start))
      return !Opcode.starts_with("mul.wide") && !Opcode.starts_with("mul.hi");
  return false;
}

/// Whether \p I, which writes \p R, can run under the predicate of \p Select:
/// the other value is needed no more. An integer that is updated by itself has
/// a new register (seen with ptxas 11.8).
bool Operands::updates(Value R, const ptx::Inst &I,
                       const ptx::Inst &Select) const {
  const SmallVector<Operand, 4> All = of(Select);
  if (!isOneOperation(I.Opcode) || width(R) != 1 || All.size() != 4)
    return false;
  const Value Other = All[All[1].Register == R ? 2 : 1].Register;
  if (!Other || Other == R || Folded[Other] ||
      Places[Other] != Place::Register || width(Other) != 1)
    return false;
  if (!StringRef(I.Opcode).contains(".f32") && is_contained(I.Uses, Other))
    return false;
  return all_of(Users[Other],
                [&](const ptx::Inst *U) { return U == &I || U == &Select; });
}

const ptx::Inst *Operands::updateOf(const ptx::Inst &Select) const {
  for (Value R : Select.Uses)
    if (Folded[R] && DefOf[R] && isOneOperation(DefOf[R]->Opcode) &&
        !Narrow[R] && width(R) == 1)
      return DefOf[R];
  return nullptr;
}

/// "mov.b32 %f1, {0, %rs1}": a bfloat16 as a float, one PRMT (ptxas 11.8).
static bool joinsConstant(const ptx::Inst &I) {
  return I.Opcode == "mov.b32" && I.Uses.size() == 1 &&
         StringRef(I.Text).split(',').second.ltrim().starts_with("{");
}

bool Operands::folds(Value R, const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const bool Single = Users[R].size() == 1;
  if (isSign(Opcode))
    return true;
  if (isSaturation(Opcode))
    return saturates(I);
  if (isRenaming(Opcode))
    // A copy of what is written once has its place for good.
    return I.Uses.size() == 1 && !joinsConstant(I) &&
           (NumDefs[I.Uses[0]] == 1 || staysForUsers(R, I) || isFinal(I));
  const SmallVector<Value, 4> From = registersOf(I);
  if (isSum(Opcode) && From.size() == 1 && Opcode.starts_with("add") &&
      none_of(of(I), [](const Operand &O) { return O.Where == Place::Bank; }) &&
      staysForUsers(R, I) && !Users[R].empty() &&
      all_of(Users[R], [&](const ptx::Inst *U) {
        return (isAccess(U->Opcode) && U->addressRegister() == R &&
                llvm::count(U->Uses, R) == 1) ||
               (isSum(U->Opcode) &&
                (Narrow[R] || (registersOf(*U).size() == 1 &&
                               !U->Defs.empty() && Folded[U->Defs[0]])));
      }))
    return true;
  if (isScaledProduct(R) || foldsIntoSums(R, I))
    return true;
  if (Opcode.starts_with("mul.wide.") || Opcode == "shl.b64" ||
      Opcode == "shl.b32")
    // A shift of two words is done once where several sums take it; one of a
    // word is part of each (ptxas 11.8, sm_70 and sm_80).
    return (Single || Opcode != "shl.b64") && staysForUsers(R, I) &&
           onlyUsedBy(R,
                      [](StringRef U) {
                        return U.starts_with("add.s") || U.starts_with("add.u");
                      }) &&
           (Opcode.starts_with("mul.wide") ||
            integer(of(I).back().Text).has_value());
  if (!Single)
    return repeatsLogic(R, I);
  if (Users[R][0]->Guarded)
    return false;
  const StringRef User = Users[R][0]->Opcode;
  if (!staysForUsers(R, I))
    return false;
  // IADD3 and LEA.HI.X.SX32.
  if (Opcode == "cvt.s64.s32")
    return (User == "add.s64" || User == "add.u64") && !Narrow[R];
  if (Opcode == "mul.lo.s32" || Opcode == "mul.lo.u32")
    return (User == "add.s32" || User == "add.u32") &&
           !keepsProductOfConstants(I, *Users[R][0]);
  if (User == "selp.b32" || User == "selp.f32")
    return updates(R, I, *Users[R][0]);
  if (isSum(Opcode) && !Opcode.ends_with("64"))
    // Three operands, one of them a constant at most.
    return isSum(User) && !User.ends_with("64") && I.Uses.size() <= 2 &&
           none_of(Users[R][0]->Uses, [&](Value U) { return Folded[U]; });
  if (isLogic(Opcode) && !Opcode.ends_with("pred"))
    return testedLogic(*Users[R][0]) == R ||
           (isLogic(User) && fitsLogic(R, *Users[R][0]));
  if (Opcode.starts_with("setp."))
    return (User == "and.pred" || User == "or.pred" || User == "xor.pred") &&
           !Opcode.contains("64") && none_of(Users[R][0]->Uses, [&](Value U) {
             return Folded[U] && !isRenaming(DefOf[U]->Opcode);
           });
  return false;
}

/// Later uses first, so that a chain of sums folds from its end.
void Operands::findFolded() {
  Folded.resize(PTX.Registers.size());
  Repeated.resize(PTX.Registers.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [R, I] : enumerate(DefOf)) {
      // The parts of a vector are those of its register.
      if (!I || (I->Defs.size() != 1 && !isRenaming(I->Opcode)) || Folded[R] ||
          Places[R] != Place::Register || !folds(R, *I))
        continue;
      Folded.set(R);
      Changed = true;
    }
  }
  // What an access adds its offset to is in a register.
  for (const ptx::Block &B : PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      if (isAccess(I.Opcode))
        if (const Value Base = resolve(addressOf(I).first);
            Places[Base] == Place::Register)
          Folded.reset(Base);
}

/// From thread numbers and what memory holds along operands, and to what is
/// written more than once (where a branch may have chosen).
void Operands::findDivergent() {
  Divergent.resize(PTX.Registers.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const ptx::Block &B : PTX.Blocks)
      for (const ptx::Inst &I : B.Insts) {
        const StringRef Opcode = I.Opcode;
        const bool Source =
            StringRef(I.Symbol).starts_with("%tid") ||
            StringRef(I.Symbol).starts_with("%lane") ||
            StringRef(I.Symbol).starts_with("%warpid") ||
            (Opcode.starts_with("ld.") && !Opcode.starts_with("ld.param") &&
             !Opcode.starts_with("ld.const")) ||
            Opcode.starts_with("atom") || Opcode.starts_with("shfl") ||
            Opcode.starts_with("tex") || Opcode.starts_with("elect");
        if (!Source && none_of(I.Uses, [&](Value R) { return Divergent[R]; }))
          continue;
        for (Value R : I.Defs)
          if (!Divergent[R]) {
            Divergent.set(R);
            Changed = true;
          }
      }
  }
}

SmallVector<Value, 4> Operands::registersOf(const ptx::Inst &I) const {
  SmallVector<Value, 4> Out;
  for (Value R : ArrayRef(I.Uses).drop_front(I.Guarded))
    if (Places[R] == Place::Register)
      Out.push_back(R);
  return Out;
}

/// The constants that the sum \p I adds to its register. Variables lie apart.
int64_t Operands::constantOf(const ptx::Inst &I) const {
  int64_t Sum = 0;
  const SmallVector<Operand, 4> All = of(I);
  for (const Operand &O : ArrayRef<Operand>(All).drop_front()) {
    if (O.Where != Place::Immediate)
      continue;
    StringRef Text = O.Text;
    if (O.Register)
      Text = of(*DefOf[O.Register]).back().Text;
    if (auto N = integer(Text))
      Sum += *N;
    else
      Sum += placeOfVariable(Text);
  }
  return Sum;
}

int64_t Operands::placeOfVariable(StringRef Name) const {
  constexpr int64_t Apart = int64_t(1) << 32;
  return Symbols.try_emplace(Name, (Symbols.size() + 1) * Apart).first->second;
}

std::pair<Value, int64_t> Operands::addressOf(const ptx::Inst &Access) const {
  if (!Access.addressRegister())
    return {0, placeOfVariable(Access.Symbol) + Access.Offset};
  auto [Base, Offset] = addressOf(Access.addressRegister());
  return {Base, Offset + Access.Offset};
}

std::pair<Value, int64_t> Operands::addressOf(Value R) const {
  int64_t Offset = 0;
  while (R && Folded[R]) {
    const ptx::Inst &I = *DefOf[R];
    const SmallVector<Value, 4> From = registersOf(I);
    if (From.size() != 1 || (!isRenaming(I.Opcode) && !isSum(I.Opcode)))
      break;
    if (isSum(I.Opcode))
      Offset += constantOf(I);
    R = From[0];
  }
  // The address of a variable is no register.
  if (R && Places[R] == Place::Immediate && DefOf[R]) {
    const SmallVector<Operand, 4> All = of(*DefOf[R]);
    const auto N = integer(All.back().Text);
    return {0, Offset + (N ? *N : placeOfVariable(All.back().Text))};
  }
  return {R, Offset};
}

Value Operands::resolve(Value R) const {
  while (Folded[R] &&
         (isRenaming(DefOf[R]->Opcode) || isSign(DefOf[R]->Opcode) ||
          isSaturation(DefOf[R]->Opcode)))
    R = DefOf[R]->Uses[0];
  return R;
}

/// Shared variables begin at multiples of that.
constexpr unsigned MostAlignment = 16;

/// What all that write a register agree on. Starts from the most, so that a
/// pointer that a loop moves by a multiple stays aligned.
void Operands::findAlignments() {
  Alignments.assign(PTX.Registers.size(), MostAlignment);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const ptx::Block &B : PTX.Blocks)
      for (const ptx::Inst &I : B.Insts) {
        if (I.Defs.empty())
          continue;
        const unsigned After = alignmentAfter(I);
        for (Value R : I.Defs)
          if (After < Alignments[R]) {
            Alignments[R] = After;
            Changed = true;
          }
      }
  }
}

/// What the results of \p I are multiples of, by what its operands are.
unsigned Operands::alignmentAfter(const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode;
  const SmallVector<Operand, 4> All = of(I);
  auto At = [&](unsigned N) {
    if (N >= All.size())
      return 1u;
    if (All[N].Register)
      return Alignments[All[N].Register];
    if (auto C = integer(All[N].Text))
      return *C ? unsigned(std::min<uint64_t>(uint64_t(*C) & -uint64_t(*C),
                                              MostAlignment))
                : MostAlignment;
    // Parts of a value, a special register or a variable.
    return StringRef("{%").contains(All[N].Text.front()) ? 1u : MostAlignment;
  };
  if (isSum(Opcode))
    return std::min(At(1), At(2));
  if (Opcode.starts_with("mul.") || Opcode.starts_with("mad.lo")) {
    const unsigned Product = std::min(At(1) * At(2), MostAlignment);
    return Opcode.starts_with("mad") ? std::min(Product, At(3)) : Product;
  }
  if (Opcode.starts_with("shl.b") && All.size() == 3)
    if (auto C = integer(All[2].Text))
      return std::min(At(1) << std::clamp<int64_t>(*C, 0, 4), MostAlignment);
  if (Opcode.starts_with("and.b"))
    return std::max(At(1), At(2));
  if (Opcode.starts_with("or.b"))
    return std::min(At(1), At(2));
  if (isRenaming(Opcode) || Opcode == "cvt.s64.s32")
    return At(1);
  return 1;
}

unsigned Operands::width(Value R) const {
  switch (PTX.Registers[R].Kind) {
  case ptx::RegisterKind::Predicate:
    return 0;
  case ptx::RegisterKind::B16:
  case ptx::RegisterKind::B32:
    return 1;
  case ptx::RegisterKind::B64:
    return Narrow[R] ? 1 : 2;
  case ptx::RegisterKind::B128:
    return 4;
  }
  return 1;
}

} // namespace heddle::machine
