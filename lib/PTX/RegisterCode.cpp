//===- RegisterCode.cpp - From PTX to values that need registers ----------===//

#include "heddle/PTX/RegisterModel.h"

#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace llvm;

namespace heddle::registers {

namespace {

unsigned width(ptx::RegisterKind Kind) {
  switch (Kind) {
  case ptx::RegisterKind::Predicate:
    return 0; // predicates have a file of their own
  case ptx::RegisterKind::B16:
  case ptx::RegisterKind::B32:
    return 1;
  case ptx::RegisterKind::B64:
    return 2;
  case ptx::RegisterKind::B128:
    return 4;
  }
  return 1;
}

/// Cycles that the scheduler hides, roughly those of the hardware.
constexpr unsigned GlobalCycles = 40;
constexpr unsigned SharedCycles = 24;
constexpr unsigned SpecialCycles = 20;

bool isAccess(HeddleOpClass Class) {
  return Class >= HEDDLE_OP_LOAD && Class <= HEDDLE_OP_TEXTURE;
}

/// Special registers that the driver puts beside the arguments.
bool isConstantBank(StringRef Symbol) {
  return Symbol.starts_with("%ntid") || Symbol.starts_with("%nctaid") ||
         Symbol.starts_with("%envreg");
}

/// What the uniform datapath computes once for the warp, in registers of its
/// own (since sm_75).
bool isUniformArithmetic(StringRef Opcode) {
  if (Opcode.contains(".f") || Opcode.ends_with(".pred"))
    return false;
  for (StringRef Base : {"add.", "sub.", "mul.lo.", "mul.wide.", "mad.lo.",
                         "shl.", "shr.", "and.", "or.", "xor.", "not.", "cvt."})
    if (Opcode.starts_with(Base))
      return true;
  return false;
}

/// Gives a value another name or type: the upper half of a zero-extended one
/// is known, the lower half of a wide one is a register of it.
bool isRenaming(StringRef Opcode) {
  for (StringRef Same :
       {"mov.b32", "mov.u32", "mov.b64", "mov.u64", "cvt.u64.u32",
        "cvt.u32.u64", "cvt.u16.u32", "cvt.u32.u16"})
    if (Opcode == Same)
      return true;
  return Opcode.starts_with("cvta.");
}

bool isSum(StringRef Opcode) {
  return Opcode == "add.s64" || Opcode == "add.u64";
}

class Builder {
public:
  Builder(const ptx::Kernel &K, bool UniformAddresses)
      : K(K), UniformAddresses(UniformAddresses) {}
  Code build();

private:
  void countDefs();
  void findFree();
  void findNarrow();
  void findAliases();
  bool isFolded(const ptx::Inst &I) const;
  Op convert(const ptx::Inst &I);
  void describeAccess(const ptx::Inst &I, HeddleOpClass Class, Op &O);
  bool describeAddress(const ptx::Inst &I, Op &O);
  void describeData(const ptx::Inst &I, Op &O, bool SameAddress);
  unsigned constant(StringRef Text, unsigned Width);
  void addUse(Op &O, unsigned R) const;

  const ptx::Kernel &K;
  bool UniformAddresses;
  std::map<std::string, unsigned> Constants; ///< of the block
  Code C;
  std::vector<unsigned> NumDefs;
  std::vector<const ptx::Inst *> DefOf; ///< the only one, or null
  BitVector Free; ///< registers that need none of the hardware's
  /// Registers that stand for others: copies, addresses with an offset,
  /// products that the additions take in.
  std::vector<unsigned> StandsFor;
  BitVector Folded;
};

void Builder::countDefs() {
  NumDefs.resize(K.Registers.size());
  DefOf.resize(K.Registers.size());
  for (const ptx::Block &B : K.Blocks)
    for (const ptx::Inst &I : B.Insts)
      for (unsigned R : I.Defs)
        DefOf[R] = NumDefs[R]++ || I.Guarded ? nullptr : &I;
}

/// Kernel arguments stay in the constant bank, from which arithmetic reads
/// them, and constants are part of the instruction: the registers that PTX
/// loads them into cost nothing.
void Builder::findFree() {
  Free.resize(K.Registers.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [R, I] : enumerate(DefOf)) {
      if (!I || Free[R])
        continue;
      StringRef Opcode = I->Opcode;
      const bool Copy =
          Opcode.starts_with("mov.") || Opcode.starts_with("cvta.");
      const bool Uniform = isUniformArithmetic(Opcode) &&
                           all_of(I->Uses, [&](unsigned U) { return Free[U]; });
      if (Opcode.starts_with("ld.param") || Uniform ||
          (Copy && isConstantBank(I->Symbol)) ||
          (Copy && !StringRef(I->Symbol).starts_with("%") &&
           all_of(I->Uses, [&](unsigned U) { return Free[U]; }))) {
        Free.set(R);
        Changed = true;
      }
    }
  }
}

/// Addresses in shared memory are 64 bits wide in PTX and 32 in hardware.
void Builder::findNarrow() {
  BitVector Wide(K.Registers.size());
  auto IsShared = [](StringRef Opcode) { return Opcode.contains(".shared"); };
  auto IsSum64 = [](StringRef Opcode) {
    return Opcode == "add.s64" || Opcode == "mov.b64" || Opcode == "mov.u64" ||
           Opcode.starts_with("mul.wide.") || Opcode == "shl.b64";
  };
  for (bool Changed = true; Changed;) {
    BitVector Before = Wide;
    for (const ptx::Block &B : K.Blocks)
      for (const ptx::Inst &I : B.Insts) {
        if (IsSum64(I.Opcode)) {
          if (any_of(I.Defs, [&](unsigned R) { return Wide[R]; }))
            for (unsigned R : I.Uses)
              Wide.set(R);
          continue;
        }
        const bool Writes = !StringRef(I.Opcode).starts_with("st.");
        for (auto [N, R] : enumerate(I.Uses))
          // The first use of a shared access is its address.
          if (!IsShared(I.Opcode) || N != I.Guarded)
            Wide.set(R);
        if (Writes)
          for (unsigned R : I.Defs)
            Wide.set(R);
      }
    Changed = Wide != Before;
  }
  C.Widths.resize(K.Registers.size());
  C.Odd.resize(K.Registers.size());
  for (auto [R, Register] : enumerate(K.Registers)) {
    C.Widths[R] = width(Register.Kind);
    if (Register.Kind == ptx::RegisterKind::B64 && !Wide[R])
      C.Widths[R] = 1;
  }
}

/// Copies, and sums with a constant that only address memory: the constant is
/// the offset of the access. Products and shifts that only additions read are
/// part of those (IMAD.WIDE, LEA).
void Builder::findAliases() {
  const unsigned N = K.Registers.size();
  StandsFor.resize(N);
  Folded.resize(N);
  std::vector<unsigned> Users(N), Addresses(N), Sums(N);
  for (const ptx::Block &B : K.Blocks)
    for (const ptx::Inst &I : B.Insts) {
      for (unsigned R : I.Uses)
        ++Users[R];
      if (I.addressRegister() && isAccess(classOf(I.Opcode)))
        ++Addresses[I.addressRegister()];
      if (isSum(I.Opcode))
        for (unsigned R : I.Uses)
          ++Sums[R];
    }
  for (auto [R, I] : enumerate(DefOf)) {
    if (!I || Free[R] || I->Defs.size() != 1 || I->Uses.size() != 1)
      continue;
    const unsigned Source = I->Uses[0];
    // Text that refers to what comes later could go round in a circle.
    if (Free[Source] ||
        (DefOf[Source] && DefOf[Source]->TextLine >= I->TextLine))
      continue;
    StringRef Opcode = I->Opcode;
    const bool Product = Opcode.starts_with("mul.wide.") || Opcode == "shl.b64";
    if (Product
            ? Sums[R] && Users[R] == Sums[R]
            : DefOf[Source] && (isRenaming(Opcode) ||
                                (isSum(Opcode) && Users[R] == Addresses[R]))) {
      Folded.set(R);
      StandsFor[R] = Source;
    }
  }
}

void Builder::addUse(Op &O, unsigned R) const {
  if (Free[R])
    return;
  if (!Folded[R]) {
    O.Uses.push_back(R);
    return;
  }
  addUse(O, StandsFor[R]);
}

/// The value of this block that holds what \p Text says.
unsigned Builder::constant(StringRef Text, unsigned Width) {
  auto [It, New] = Constants.try_emplace(
      (Text.trim() + "/" + Twine(Width)).str(), C.Widths.size());
  if (New) {
    C.addValue(Width, false);
    Op O;
    O.LatencyCycles = ArithmeticCycles;
    O.Defs.push_back(It->second);
    C.Blocks.back().Ops.push_back(O);
  }
  return It->second;
}

/// Where the access \p I goes: its base, and whether that is the same for all
/// lanes because it comes from arguments alone.
bool Builder::describeAddress(const ptx::Inst &I, Op &O) {
  O.Offset = I.Offset;
  unsigned Root = I.addressRegister();
  while (Root && Folded[Root]) {
    if (isSum(DefOf[Root]->Opcode))
      O.Offset += lastConstant(*DefOf[Root]);
    Root = StandsFor[Root];
  }
  O.Base = Root;
  if (Root && !Free[Root])
    return false;
  while (Root && DefOf[Root]->Uses.size() == 1)
    Root = DefOf[Root]->Uses[0];
  O.Base = Root;
  // Such an address goes into registers first, once for the block.
  const bool Global = Root || StringRef(I.Opcode).contains(".global");
  if (Global && !O.Shared && !UniformAddresses) {
    O.Base = constant(Root ? K.Registers[Root].Name : I.Symbol, 2);
    O.Uses.push_back(O.Base);
  }
  return true;
}

/// What \p I stores: constants go into registers first.
void Builder::describeData(const ptx::Inst &I, Op &O, bool SameAddress) {
  const unsigned Width = StringRef(I.Opcode).ends_with("64") ? 2 : 1;
  SmallVector<StringRef, 4> Parts;
  StringRef(I.Text).split(']').second.split(Parts, ',', -1, false);
  for (StringRef Part : Parts) {
    Part = Part.trim(" \t{}");
    if (Part.empty())
      continue;
    const auto *It = find_if(
        I.Uses, [&](unsigned R) { return K.Registers[R].Name == Part; });
    unsigned R = It == I.Uses.end() ? 0 : *It;
    if (!R || Free[R]) {
      R = constant(Part, Width);
      O.Uses.push_back(R);
    }
    if (C.Widths[R] == 1 && !(UniformAddresses && SameAddress))
      C.Odd.set(R);
  }
}

void Builder::describeAccess(const ptx::Inst &I, HeddleOpClass Class, Op &O) {
  StringRef Opcode = I.Opcode;
  O.Shared = Opcode.contains(".shared");
  O.LatencyCycles = O.Shared ? SharedCycles : GlobalCycles;
  const bool Stores = Class == HEDDLE_OP_STORE || Class == HEDDLE_OP_REDUCTION;
  if (Stores)
    O.LatencyCycles = 1;
  if (Opcode.contains(".volatile"))
    O.Kind = OpKind::Fence;
  else if (Opcode.starts_with("ld.const") || Opcode.contains(".nc") ||
           Opcode.starts_with("tex.") || Opcode.starts_with("tld4."))
    O.Kind = OpKind::Read;
  else if (Class == HEDDLE_OP_LOAD)
    O.Kind = OpKind::Load;
  else
    O.Kind = OpKind::Store;
  unsigned Bits = 32;
  Opcode.take_back(2).getAsInteger(10, Bits);
  O.SizeBytes = std::max(Bits / 8, 1u) * I.NumElements;
  const bool SameAddress = describeAddress(I, O);
  if (Stores || Class == HEDDLE_OP_ATOMIC)
    describeData(I, O, SameAddress);
}

Op Builder::convert(const ptx::Inst &I) {
  Op O;
  StringRef Opcode = I.Opcode;
  O.Guarded = I.Guarded;
  const HeddlePTXForm Form =
      findInstruction(Opcode).value_or(HeddlePTXForm{nullptr, 0, 0, 1, 0});
  O.LatencyCycles = Form.Issued ? ArithmeticCycles + Form.Issued - 1 : 0;
  O.Temporaries = Form.Temporaries;
  const auto Class = HeddleOpClass(Form.Row ? Form.Row->Class : HEDDLE_OP_CALL);
  const unsigned Effect = Form.Row ? Form.Row->Effect : HEDDLE_PTX_None;
  if (isAccess(Class)) {
    describeAccess(I, Class, O);
  } else if (Effect == HEDDLE_PTX_Barrier || Effect == HEDDLE_PTX_Fence) {
    O.Kind = OpKind::Fence;
  } else if (Effect == HEDDLE_PTX_Control) {
    O.Kind = OpKind::Branch;
  } else if (StringRef(I.Symbol).starts_with("%") ||
             Class == HEDDLE_OP_SHUFFLE) {
    O.LatencyCycles = SpecialCycles;
  }
  O.Convergent = Effect == HEDDLE_PTX_Warp;
  for (unsigned R : I.Uses)
    addUse(O, R);
  for (unsigned R : I.Defs)
    O.Defs.push_back(R);
  O.IsCopy = Opcode.starts_with("mov.") && O.Uses.size() == 1 &&
             O.Defs.size() == 1 && !I.Guarded;
  if (isSum(Opcode) && I.Uses.size() == 1 && O.Uses.size() == 1 && !I.Guarded) {
    O.IsIncrement = true;
    O.Offset = lastConstant(I);
  }
  // The factor of a product that is added needs a register.
  if (isSum(Opcode))
    for (unsigned R : I.Uses)
      if (!Free[R] && Folded[R] && DefOf[R] &&
          StringRef(DefOf[R]->Opcode).starts_with("mul.wide."))
        O.Uses.push_back(
            constant(StringRef(DefOf[R]->Text).rsplit(',').second, 1));
  return O;
}

bool Builder::isFolded(const ptx::Inst &I) const {
  return !I.Defs.empty() &&
         all_of(I.Defs, [&](unsigned R) { return Free[R] || Folded[R]; });
}

Code Builder::build() {
  countDefs();
  findFree();
  findNarrow();
  findAliases();
  for (const ptx::Block &B : K.Blocks) {
    OpBlock &Out = C.Blocks.emplace_back();
    Out.Successors.assign(B.Successors.begin(), B.Successors.end());
    for (const ptx::Inst &I : B.Insts)
      if (!isFolded(I)) {
        // Which may put constants in front.
        Op O = convert(I);
        Out.Ops.push_back(std::move(O));
      }
    Constants.clear();
    const unsigned Number = C.Blocks.size() - 1;
    if (Unrolling How = unrollingOf(K, Number))
      unroll(C, Out, Number, How);
  }
  return std::move(C);
}

} // namespace

Code buildCode(const ptx::Kernel &K, bool UniformAddresses) {
  return Builder(K, UniformAddresses).build();
}

} // namespace heddle::registers
