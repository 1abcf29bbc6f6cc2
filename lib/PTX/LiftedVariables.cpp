//===- LiftedVariables.cpp - Variables of PTX as globals ------------------===//

#include "LiftedVariables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

unsigned addressSpaceNamed(StringRef Name) {
  return Name == "shared"  ? NVPTXAS::ADDRESS_SPACE_SHARED
         : Name == "const" ? NVPTXAS::ADDRESS_SPACE_CONST
         : Name == "local" ? NVPTXAS::ADDRESS_SPACE_LOCAL
                           : NVPTXAS::ADDRESS_SPACE_GLOBAL;
}

/// The type of \p V's contents: bytes, with words for the addresses in it.
static Type *contentsType(LLVMContext &C, const ptx::Variable &V) {
  Type *Byte = Type::getInt8Ty(C);
  if (V.Addresses.empty())
    return ArrayType::get(Byte, V.SizeBytes);
  SmallVector<Type *, 8> Parts;
  uint64_t End = 0;
  for (const ptx::InitialAddress &A : V.Addresses) {
    Parts.push_back(ArrayType::get(Byte, A.OffsetBytes - End));
    Parts.push_back(Type::getInt64Ty(C));
    End = A.OffsetBytes + 8;
  }
  Parts.push_back(ArrayType::get(Byte, V.SizeBytes - End));
  return StructType::get(C, Parts, /*isPacked=*/true);
}

GlobalVariable *addVariable(Module &M, const ptx::Variable &V) {
  Type *T = contentsType(M.getContext(), V);
  bool Shared = V.Space == "shared";
  Constant *Init =
      Shared ? static_cast<Constant *>(UndefValue::get(T))
      : V.Init.empty() || !V.Addresses.empty()
          ? static_cast<Constant *>(ConstantAggregateZero::get(T))
          : ConstantDataArray::get(M.getContext(), ArrayRef(V.Init));
  auto *G = new GlobalVariable(
      M, T, V.Space == "const",
      V.SizeBytes ? GlobalValue::InternalLinkage : GlobalValue::ExternalLinkage,
      V.SizeBytes ? Init : nullptr, V.Name, nullptr,
      GlobalValue::NotThreadLocal, addressSpaceNamed(V.Space));
  G->setAlignment(Align(V.AlignBytes));
  // A host may write constant memory before a launch.
  G->setExternallyInitialized(V.Space == "const" && V.SizeBytes);
  return G;
}

static Constant *addressFor(const ptx::InitialAddress &A,
                            GlobalVariable &Target) {
  LLVMContext &C = Target.getContext();
  Type *Word = Type::getInt64Ty(C);
  Constant *Address = ConstantExpr::getGetElementPtr(
      Type::getInt8Ty(C), &Target, ConstantInt::getSigned(Word, A.AddendBytes));
  if (A.IsGeneric)
    Address =
        ConstantExpr::getAddrSpaceCast(Address, PointerType::getUnqual(C));
  return ConstantExpr::getPtrToInt(Address, Word);
}

bool writeAddresses(const ptx::Variable &V, const SymbolTable &Symbols) {
  GlobalVariable &G = *Symbols.lookup(V.Name);
  LLVMContext &C = G.getContext();
  SmallVector<Constant *, 8> Parts;
  ArrayRef<uint8_t> Left = V.Init;
  for (const ptx::InitialAddress &A : V.Addresses) {
    GlobalVariable *Target = Symbols.lookup(A.Symbol);
    if (!Target)
      return false;
    const size_t Before = A.OffsetBytes - (V.Init.size() - Left.size());
    Parts.push_back(ConstantDataArray::get(C, Left.take_front(Before)));
    Parts.push_back(addressFor(A, *Target));
    Left = Left.drop_front(Before + 8);
  }
  Parts.push_back(ConstantDataArray::get(C, Left));
  G.setInitializer(
      ConstantStruct::get(cast<StructType>(G.getValueType()), Parts));
  return true;
}

std::string unknownAddresses(StringRef Variable) {
  return "'" + Variable.str() +
         "' is initialised with addresses of what is no variable here";
}

/// Whether \p Text has the identifier \p Name.
static bool mentions(StringRef Text, StringRef Name) {
  auto IsPart = [](char C) { return isAlnum(C) || C == '_' || C == '$'; };
  for (size_t At = Text.find(Name); At != Text.npos;
       At = Text.find(Name, At + 1)) {
    const size_t End = At + Name.size();
    if ((At == 0 || !IsPart(Text[At - 1])) &&
        (End == Text.size() || !IsPart(Text[End])))
      return true;
  }
  return false;
}

StringSet<> writeAllAddresses(ArrayRef<ptx::Variable> Variables,
                              const SymbolTable &Symbols) {
  StringSet<> Unknown;
  for (const ptx::Variable &V : Variables)
    if (V.HoldsUnreadAddresses ||
        (!V.Addresses.empty() && !writeAddresses(V, Symbols)))
      Unknown.insert(V.Name);
  for (unsigned Before = ~0u; Before != Unknown.size();) {
    Before = Unknown.size();
    for (const ptx::Variable &V : Variables)
      if (any_of(V.Addresses, [&](const ptx::InitialAddress &A) {
            return Unknown.contains(A.Symbol);
          }))
        Unknown.insert(V.Name);
  }
  return Unknown;
}

Error checkVariables(const ptx::Kernel &K, const StringSet<> &Unknown) {
  for (StringRef Name : Unknown.keys())
    for (const ptx::Block &Block : K.Blocks)
      for (const ptx::Inst &I : Block.Insts)
        if (mentions(I.Text, Name))
          return createStringError("line " + Twine(I.TextLine) + ": " +
                                   unknownAddresses(Name));
  return Error::success();
}

bool pointsToMemory(const ptx::Parameter &P, const ptx::Kernel &K) {
  if (P.IsPointer)
    return true;
  if (P.SizeBytes != 8 || P.IsStruct || P.Type == "f64")
    return false;
  SmallVector<unsigned, 2> Holders;
  for (const ptx::Block &Block : K.Blocks)
    for (const ptx::Inst &I : Block.Insts) {
      if (I.Symbol == P.Name && !I.Defs.empty())
        Holders.push_back(I.Defs[0]);
      bool Dereferences = StringRef(I.Opcode).starts_with("cvta.to.global") ||
                          StringRef(I.Opcode).starts_with("ld.global") ||
                          StringRef(I.Opcode).starts_with("st.global");
      if (Dereferences && is_contained(Holders, I.firstUse()))
        return true;
    }
  return false;
}

} // namespace heddle
