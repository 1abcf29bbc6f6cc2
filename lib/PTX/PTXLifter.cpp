//===- PTXLifter.cpp - PTX as LLVM IR -------------------------------------===//
//
// Registers are variables at first, which mem2reg makes values. A register
// that is read before it is written holds zero.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/PTXLifter.h"
#include "heddle/Analysis/WarpGroup.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/CallExpansion.h"
#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXReader.h"
#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace heddle {

static constexpr char TextName[] = "heddle.ptx";
static constexpr char RangeName[] = "heddle.ptx.range";

bool isPTX(StringRef Text) {
  return Text.contains(".version") && Text.contains(".target") &&
         Text.contains(".address_size");
}

std::optional<StringRef> liftedText(const Module &M) {
  const NamedMDNode *Node = M.getNamedMetadata(TextName);
  if (!Node)
    return std::nullopt;
  return cast<MDString>(Node->getOperand(0)->getOperand(0))->getString();
}

PTXRange liftedRange(const BasicBlock &Block) {
  const MDNode *Node = Block.getTerminator()->getMetadata(RangeName);
  if (!Node)
    return {};
  auto Number = [&](unsigned I) {
    return unsigned(
        mdconst::extract<ConstantInt>(Node->getOperand(I))->getZExtValue());
  };
  return {Number(0), Number(1)};
}

static unsigned spaceOf(StringRef Name) {
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

static GlobalVariable *addVariable(Module &M, const ptx::Variable &V) {
  Type *T = contentsType(M.getContext(), V);
  bool Shared = V.Space == "shared";
  Constant *Init =
      Shared ? static_cast<Constant *>(UndefValue::get(T))
      : V.Init.empty() || !V.Addresses.empty()
          ? static_cast<Constant *>(ConstantAggregateZero::get(T))
          : ConstantDataArray::get(M.getContext(), ArrayRef(V.Init));
  auto *G = new GlobalVariable(M, T, V.Space == "const",
                               V.SizeBytes ? GlobalValue::InternalLinkage
                                           : GlobalValue::ExternalLinkage,
                               V.SizeBytes ? Init : nullptr, V.Name, nullptr,
                               GlobalValue::NotThreadLocal, spaceOf(V.Space));
  G->setAlignment(Align(V.AlignBytes));
  // A host may write constant memory before a launch.
  G->setExternallyInitialized(V.Space == "const" && V.SizeBytes);
  return G;
}

using SymbolTable = StringMap<GlobalVariable *>;

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

/// Writes the addresses in \p V, once all variables are there; false if one is
/// of nothing in \p Symbols.
static bool writeAddresses(const ptx::Variable &V, const SymbolTable &Symbols) {
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

static std::string unknownAddresses(StringRef Variable) {
  return "'" + Variable.str() +
         "' is initialised with addresses of what is no variable here";
}

namespace {
class KernelLifter : public StatementLowering {
public:
  KernelLifter(Module &M, const ptx::Entry &Entry, const ptx::Kernel &K,
               SymbolTable Symbols, DIBuilder &Debug, DIFile *File)
      : StatementLowering(M.getContext()), M(M), Entry(Entry), K(K),
        Symbols(std::move(Symbols)), Debug(Debug), File(File) {}
  Error lift();

private:
  Error error(unsigned Line, const Twine &Message) {
    return createStringError("line " + Twine(Line) + ": " + Message);
  }
  bool pointsToMemory(const ptx::Parameter &P) const;
  Error createFunction();
  Error declareLocals();
  bool declareVariable(const ptx::Variable &V);
  Error liftBlock(unsigned Number);
  Error liftInst(const ptx::Inst &I, const ptx::Block &Block);
  Error branch(const ptx::Inst &I);
  Error jumpByIndex(const ptx::Inst &I, const PTXStatement &S);
  void chooseTarget(Value *Index, unsigned First,
                    ArrayRef<BasicBlock *> Targets);
  BasicBlock *blockNamed(StringRef Label) const;
  bool loadParameter(const PTXStatement &S);
  void countFlushes(const PTXStatement &S);
  BasicBlock *newBlock() { return BasicBlock::Create(M.getContext(), "", F); }
  /// Ends the current block, which stands for the instructions before \p Next.
  void seal(Instruction *Terminator, unsigned Next);
  void dropDeadCode();

  Value *valueOf(StringRef Name) override;
  Type *registerType(StringRef Name) override;
  void write(StringRef Name, Value *V) override;
  void declare(StringRef, Type *) override {}
  AllocaInst *registerNamed(StringRef Name) const;

  Module &M;
  const ptx::Entry &Entry;
  const ptx::Kernel &K;
  SymbolTable Symbols;
  DIBuilder &Debug;
  DIFile *File;
  Function *F = nullptr;
  StringMap<std::pair<const ptx::Parameter *, Argument *>> Parameters;
  StringMap<Value *> Locals;
  std::vector<AllocaInst *> Registers; ///< by number
  std::vector<BasicBlock *> Blocks;    ///< first IR block of each PTX block
  const ptx::Inst *Current = nullptr;
  unsigned Position = 0;   ///< PTX instructions lifted so far
  unsigned RangeFirst = 0; ///< of the IR block that is being filled
  /// Arithmetic of single precision, and what of it flushes denormals.
  unsigned Arithmetic = 0, Flushing = 0;
};
} // namespace

/// A 64-bit parameter is a pointer if it is declared so or is what an address
/// conversion takes: only the launch could tell otherwise.
bool KernelLifter::pointsToMemory(const ptx::Parameter &P) const {
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

Error KernelLifter::createFunction() {
  SmallVector<Type *, 8> Types;
  for (const ptx::Parameter &P : Entry.Parameters) {
    if (P.IsStruct)
      Types.push_back(B.getPtrTy());
    else if (pointsToMemory(P))
      Types.push_back(B.getPtrTy(spaceOf(P.PointerSpace)));
    else if (Type *T = typeOf(P.Type))
      Types.push_back(T);
    else
      return error(Entry.Line, "parameter '" + P.Name + "' has the type '" +
                                   P.Type + "', which none can have");
  }
  F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                       GlobalValue::ExternalLinkage, Entry.Name, M);
  F->setCallingConv(CallingConv::PTX_Kernel);
  if (Entry.NeedsCluster)
    F->addFnAttr(NeedsClusterAttribute);
  for (const auto &[Attribute, Numbers] : Entry.Bounds)
    F->addFnAttr(Attribute, Numbers);
  DISubprogram *Subprogram = Debug.createFunction(
      File, Entry.Name, Entry.Name, File, Entry.Line,
      Debug.createSubroutineType(Debug.getOrCreateTypeArray({})), Entry.Line,
      DINode::FlagZero, DISubprogram::SPFlagDefinition);
  F->setSubprogram(Subprogram);
  for (auto [P, A] : zip(Entry.Parameters, F->args())) {
    A.setName(P.Name);
    if (P.IsStruct) {
      A.addAttr(Attribute::getWithByValType(
          M.getContext(), ArrayType::get(B.getInt8Ty(), P.SizeBytes)));
      A.addAttr(Attribute::getWithAlignment(
          M.getContext(), Align(std::max<uint64_t>(P.AlignBytes, 1))));
    }
    Parameters[P.Name] = {&P, &A};
  }
  return Error::success();
}

Error KernelLifter::declareLocals() {
  for (const auto &[Line, Text] : K.Declarations) {
    auto Variables = ptx::parseVariables(Text);
    if (!Variables)
      return error(Line, toString(Variables.takeError()));
    for (const ptx::Variable &V : *Variables)
      if (!declareVariable(V))
        return error(Line, unknownAddresses(V.Name));
  }
  return Error::success();
}

/// False if \p V holds addresses of what is not known.
bool KernelLifter::declareVariable(const ptx::Variable &V) {
  if (V.Space != "local") {
    Symbols[V.Name] = addVariable(M, V);
    return !V.HoldsUnreadAddresses &&
           (V.Addresses.empty() || writeAddresses(V, Symbols));
  }
  AllocaInst *A = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), V.SizeBytes));
  A->setAlignment(Align(V.AlignBytes));
  Locals[V.Name] =
      B.CreateAddrSpaceCast(A, B.getPtrTy(NVPTXAS::ADDRESS_SPACE_LOCAL));
  return true;
}

AllocaInst *KernelLifter::registerNamed(StringRef Name) const {
  if (!Current)
    return nullptr;
  auto Match = [&](unsigned N) { return K.Registers[N].Name == Name; };
  if (auto It = find_if(Current->Defs, Match); It != Current->Defs.end())
    return Registers[*It];
  if (auto It = find_if(Current->Uses, Match); It != Current->Uses.end())
    return Registers[*It];
  return nullptr;
}

Value *KernelLifter::valueOf(StringRef Name) {
  if (AllocaInst *A = registerNamed(Name))
    return B.CreateLoad(A->getAllocatedType(), A);
  if (auto It = Symbols.find(Name); It != Symbols.end())
    return It->second;
  // The address of a struct, such as a tensor map's.
  if (auto It = Parameters.find(Name);
      It != Parameters.end() && It->second.first->IsStruct)
    return It->second.second;
  return Locals.lookup(Name);
}

Type *KernelLifter::registerType(StringRef Name) {
  AllocaInst *A = registerNamed(Name);
  return A ? A->getAllocatedType() : nullptr;
}

void KernelLifter::write(StringRef Name, Value *V) {
  B.CreateStore(V, registerNamed(Name));
}

void KernelLifter::seal(Instruction *Terminator, unsigned Next) {
  auto Number = [&](unsigned N) {
    return ConstantAsMetadata::get(B.getInt32(N));
  };
  Terminator->setMetadata(
      RangeName, MDNode::get(M.getContext(),
                             {Number(RangeFirst), Number(Next - RangeFirst)}));
  RangeFirst = Next;
}

/// ld.param: a scalar is the argument itself, a struct lies in memory. Its
/// address may have been moved to a register, as nvcc 13 does.
bool KernelLifter::loadParameter(const PTXStatement &S) {
  Type *T = typeOf(S.Suffix);
  StringRef Address = S.Operands.size() == 2 ? S.Operands[1] : StringRef();
  if (!T || !Address.consume_front("[") || !Address.consume_back("]"))
    return false;
  auto [Name, OffsetText] = Address.split('+');
  Name = Name.trim();
  const auto Offset =
      ptx::readInteger(OffsetText.trim().empty() ? "0" : OffsetText);
  if (!Offset)
    return false;
  StringRef Target = S.Operands[0];
  Value *Struct;
  if (auto It = Parameters.find(Name); It != Parameters.end()) {
    auto [P, A] = It->second;
    if (!P->IsStruct)
      return *Offset == 0 && !Target.starts_with("{") && assign(Target, A);
    Struct = A;
  } else if (registerNamed(Name)) {
    Struct = B.CreateIntToPtr(operand(Name, B.getInt64Ty()), B.getPtrTy());
  } else {
    return false;
  }
  SmallVector<StringRef, 4> Names;
  if (Target.consume_front("{"))
    Target.consume_back("}");
  Target.split(Names, ',');
  Value *Base =
      B.CreateAddrSpaceCast(Struct, B.getPtrTy(NVPTXAS::ADDRESS_SPACE_PARAM));
  uint64_t Bytes = T->getPrimitiveSizeInBits() / 8;
  for (auto [N, Register] : enumerate(Names)) {
    Value *At = B.CreatePtrAdd(Base, B.getInt64(*Offset + N * Bytes));
    if (!assign(Register, B.CreateAlignedLoad(T, At, Align(1))))
      return false;
  }
  return true;
}

/// Null if no block has the name.
BasicBlock *KernelLifter::blockNamed(StringRef Label) const {
  BasicBlock *Found = nullptr;
  for (auto [Number, Block] : enumerate(K.Blocks))
    if (!Label.empty() && Block.Label == Label)
      Found = Blocks[Number];
  return Found;
}

/// Goes to the one of \p Targets, of which the first has the index \p First,
/// by comparisons that no instruction stands for.
void KernelLifter::chooseTarget(Value *Index, unsigned First,
                                ArrayRef<BasicBlock *> Targets) {
  if (all_equal(Targets)) {
    seal(B.CreateBr(Targets[0]), Position + 1);
    return;
  }
  const unsigned Half = Targets.size() / 2;
  BasicBlock *Lower = newBlock(), *Upper = newBlock();
  Value *IsLower = B.CreateICmpULT(Index, B.getInt32(First + Half));
  seal(B.CreateCondBr(IsLower, Lower, Upper), Position + 1);
  B.SetInsertPoint(Lower);
  chooseTarget(Index, First, Targets.take_front(Half));
  B.SetInsertPoint(Upper);
  chooseTarget(Index, First + Half, Targets.drop_front(Half));
}

/// brx.idx. Beyond the list, which PTX leaves open, it goes to the last label.
Error KernelLifter::jumpByIndex(const ptx::Inst &I, const PTXStatement &S) {
  Value *Index = operand(S.Operands[0], B.getInt32Ty());
  if (!Index)
    return error(I.TextLine, "'" + I.Text + "' is not known");
  SmallVector<BasicBlock *, 8> Targets;
  for (const std::string &Label : K.BranchTargets.lookup(I.Label))
    Targets.push_back(blockNamed(Label));
  chooseTarget(Index, 0, Targets);
  return Error::success();
}

Error KernelLifter::branch(const ptx::Inst &I) {
  BasicBlock *Target = blockNamed(I.Label);
  if (!I.Guarded) {
    seal(Target ? static_cast<Instruction *>(B.CreateBr(Target))
                : B.CreateRetVoid(),
         Position + 1);
    return Error::success();
  }
  if (!Target) { // a guarded return
    Target = newBlock();
    ReturnInst::Create(M.getContext(), Target);
  }
  Value *Guard = operand(K.Registers[I.Uses[0]].Name, B.getInt1Ty());
  BasicBlock *Rest = newBlock();
  seal(I.GuardNegated ? B.CreateCondBr(Guard, Rest, Target)
                      : B.CreateCondBr(Guard, Target, Rest),
       Position + 1);
  B.SetInsertPoint(Rest);
  return Error::success();
}

/// What computes with single precision. Approximations are left out: nvcc's
/// expf() has rcp.approx.ftz and ex2.approx.ftz whatever -ftz says.
void KernelLifter::countFlushes(const PTXStatement &S) {
  if (S.Suffix != "f32" ||
      !is_contained(ArrayRef<StringRef>{"add", "sub", "mul", "fma", "mad",
                                        "div", "sqrt", "min", "max", "setp"},
                    S.Name))
    return;
  ++Arithmetic;
  Flushing += S.has("ftz");
}

Error KernelLifter::liftInst(const ptx::Inst &I, const ptx::Block &Block) {
  Current = &I;
  B.SetCurrentDebugLocation(
      DILocation::get(M.getContext(), I.TextLine, 0, F->getSubprogram()));
  auto Parsed = parseStatement(I.Text);
  auto Unknown = [&] {
    return error(I.TextLine, "'" + I.Text + "' is not known");
  };
  if (!Parsed)
    return Unknown();
  PTXStatement &S = *Parsed;
  if (isControl(S))
    return I.isIndexedJump() ? jumpByIndex(I, S) : branch(I);
  BasicBlock *After = nullptr;
  if (I.Guarded && needsBranch(S)) {
    Value *Guard = operand(K.Registers[I.Uses[0]].Name, B.getInt1Ty());
    BasicBlock *Inside = newBlock();
    After = newBlock();
    seal(S.GuardNegated ? B.CreateCondBr(Guard, After, Inside)
                        : B.CreateCondBr(Guard, Inside, After),
         Position);
    B.SetInsertPoint(Inside);
    S.Guard = "";
  }
  countFlushes(S);
  bool IsParameter = S.Name == "ld" && S.has("param");
  if (!(IsParameter ? loadParameter(S) : lower(S)))
    return Unknown();
  if (After) {
    seal(B.CreateBr(After), Position + 1);
    B.SetInsertPoint(After);
  }
  return Error::success();
}

Error KernelLifter::liftBlock(unsigned Number) {
  const ptx::Block &Block = K.Blocks[Number];
  B.SetInsertPoint(Blocks[Number]);
  RangeFirst = Position;
  for (const ptx::Inst &I : Block.Insts) {
    if (B.GetInsertBlock()->getTerminator()) {
      // What stands behind a jump never runs.
      B.SetInsertPoint(newBlock());
      RangeFirst = Position;
    }
    if (Error E = liftInst(I, Block))
      return E;
    ++Position;
  }
  if (!B.GetInsertBlock()->getTerminator())
    seal(Number + 1 < Blocks.size()
             ? static_cast<Instruction *>(B.CreateBr(Blocks[Number + 1]))
             : B.CreateRetVoid(),
         Position);
  return Error::success();
}

/// Computations without a use cost time on the machine, which the code table
/// knows, but not here. Accesses stay.
void KernelLifter::dropDeadCode() {
  SmallPtrSet<Instruction *, 32> Live;
  SmallVector<Instruction *, 32> Work;
  for (Instruction &I : instructions(*F))
    if (I.isTerminator() || I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
      Work.push_back(&I);
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    if (!Live.insert(I).second)
      continue;
    for (Value *Operand : I->operands())
      if (auto *Used = dyn_cast<Instruction>(Operand))
        Work.push_back(Used);
  }
  SmallVector<Instruction *, 32> Dead;
  for (Instruction &I : instructions(*F))
    if (!Live.contains(&I))
      Dead.push_back(&I);
  for (Instruction *I : Dead)
    I->dropAllReferences();
  for (Instruction *I : Dead)
    I->eraseFromParent();
}

Error KernelLifter::lift() {
  if (Error E = createFunction())
    return E;
  B.SetInsertPoint(newBlock());
  if (Error E = declareLocals())
    return E;
  Registers.push_back(nullptr);
  for (const ptx::Register &R : drop_begin(K.Registers)) {
    static constexpr unsigned Bits[] = {1, 16, 32, 64, 128};
    Type *T = B.getIntNTy(Bits[unsigned(R.Kind)]);
    Registers.push_back(B.CreateAlloca(T));
    B.CreateStore(ConstantInt::get(T, 0), Registers.back());
  }
  Blocks.push_back(B.GetInsertBlock());
  // A jump to the first block needs an entry of its own before it.
  bool Looped = any_of(K.Blocks, [](const ptx::Block &Block) {
    return is_contained(Block.Successors, 0u);
  });
  if (Looped) {
    Blocks[0] = newBlock();
    seal(B.CreateBr(Blocks[0]), 0);
  }
  for (size_t N = 1; N < K.Blocks.size(); ++N)
    Blocks.push_back(newBlock());
  for (size_t N = 0; N < K.Blocks.size(); ++N)
    if (Error E = liftBlock(N))
      return E;
  if (K.Blocks.empty())
    seal(B.CreateRetVoid(), 0);
  if (Flushing && Flushing == Arithmetic)
    F->addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  else if (Flushing)
    F->addFnAttr(MixesDenormals);
  for (BasicBlock &Block : make_early_inc_range(*F))
    if (&Block != &F->getEntryBlock() && pred_empty(&Block) &&
        Block.size() == 1)
      Block.eraseFromParent();
  // Every block in the order of the text.
  DominatorTree Dominators(*F);
  SmallVector<AllocaInst *, 32> Variables; // registers and the carry
  for (Instruction &I : F->getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  PromoteMemToReg(Variables, Dominators);
  widenSharedAddresses(*F);
  dropDeadCode();
  return Error::success();
}

/// What is wrong, with the line but without what was read.
static std::string reasonOf(Error E) {
  const std::string Message = toString(std::move(E));
  StringRef Reason = Message;
  Reason.consume_front("PTX ");
  return Reason.str();
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

/// Writes the addresses in variables; the result are those whose contents are
/// not known for an address of something else, and those that lead to them.
static StringSet<> writeAllAddresses(ArrayRef<ptx::Variable> Variables,
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

static Error checkVariables(const ptx::Kernel &K, const StringSet<> &Unknown) {
  for (StringRef Name : Unknown.keys())
    for (const ptx::Block &Block : K.Blocks)
      for (const ptx::Inst &I : Block.Insts)
        if (mentions(I.Text, Name))
          return createStringError("line " + Twine(I.TextLine) + ": " +
                                   unknownAddresses(Name));
  return Error::success();
}

static Error liftEntry(Module &M, StringRef Text, const ptx::Entry &Entry,
                       const StringSet<> &Unknown, const SymbolTable &Symbols,
                       DIBuilder &Debug, DIFile *File) {
  auto K = ptx::readKernel(Text, Entry.Name);
  if (!K)
    return K.takeError();
  if (Error E = checkVariables(*K, Unknown))
    return E;
  Error E = KernelLifter(M, Entry, *K, Symbols, Debug, File).lift();
  // What was built until then refers to itself alone.
  if (Function *F = E ? M.getFunction(Entry.Name) : nullptr) {
    F->deleteBody();
    F->eraseFromParent();
  }
  return E;
}

Expected<std::unique_ptr<Module>>
liftPTX(LLVMContext &Context, StringRef Text, StringRef Path,
        std::vector<UnliftedKernel> &Unlifted) {
  const std::string Inlined = ptx::replaceGridBarriers(ptx::expandCalls(Text));
  Text = Inlined;
  auto Read = ptx::readModule(Text);
  if (!Read)
    return createStringError(Path + ": " + reasonOf(Read.takeError()));
  auto M = std::make_unique<Module>(Path, Context);
  M->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  M->getOrInsertNamedMetadata(PTXTargetMetadata)
      ->addOperand(MDNode::get(Context, MDString::get(Context, Read->Target)));
  DIBuilder Debug(*M);
  DIFile *File = Debug.createFile(Path, ".");
  Debug.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), File,
                          "heddle", false, "", 0);
  SymbolTable Symbols;
  for (const ptx::Variable &V : Read->Variables)
    Symbols[V.Name] = addVariable(*M, V);
  const StringSet<> Unknown = writeAllAddresses(Read->Variables, Symbols);
  for (const ptx::Entry &Entry : Read->Entries)
    if (Error E = liftEntry(*M, Text, Entry, Unknown, Symbols, Debug, File))
      Unlifted.push_back({Entry.Name, Entry.Line, reasonOf(std::move(E))});
  if (Unlifted.size() == Read->Entries.size())
    return createStringError(Path + ": " + Unlifted.front().Reason);
  Debug.finalize();
  M->getOrInsertNamedMetadata(TextName)->addOperand(
      MDNode::get(Context, MDString::get(Context, Text)));
  M->addModuleFlag(Module::Warning, "Debug Info Version",
                   DEBUG_METADATA_VERSION);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*M, &Stream))
    return createStringError(Path + ": lifted to malformed IR: " + Broken);
  return std::move(M);
}

} // namespace heddle
