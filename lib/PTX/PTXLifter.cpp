//===- PTXLifter.cpp - PTX as LLVM IR -------------------------------------===//
//
// Registers are variables at first, which mem2reg makes values. A register
// that is read before it is written holds zero.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/PTXLifter.h"

#include "LiftedVariables.h"

#include "heddle/Analysis/WarpGroup.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/CallExpansion.h"
#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXReader.h"
#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringMap.h"
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
  Error createFunction();
  Error declareLocals();
  bool declareVariable(const ptx::Variable &V);
  Error liftBlock(unsigned Number);
  Error liftInst(const ptx::Inst &I, const ptx::Block &Block);
  Error branch(const ptx::Inst &I);
  bool lowerStack(const PTXStatement &S) override;
  void makeStack();
  Value *takeFromStack(Value *Bytes, uint64_t AlignBytes);
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
  /// What alloca takes from, and how much of it is taken.
  AllocaInst *Stack = nullptr, *Taken = nullptr;
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

Error KernelLifter::createFunction() {
  SmallVector<Type *, 8> Types;
  for (const ptx::Parameter &P : Entry.Parameters) {
    if (P.IsStruct)
      Types.push_back(B.getPtrTy());
    else if (pointsToMemory(P, K))
      Types.push_back(B.getPtrTy(addressSpaceNamed(P.PointerSpace)));
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

/// The size of a thread's stack that the driver gives (cudaLimitStackSize).
static constexpr uint64_t StackBytes = 1024;
static constexpr uint64_t StackAlign = 128;

void KernelLifter::makeStack() {
  BasicBlock &Entry = F->getEntryBlock();
  IRBuilder<> Begin(&Entry, Entry.begin());
  Stack = Begin.CreateAlloca(ArrayType::get(B.getInt8Ty(), StackBytes));
  Stack->setAlignment(Align(StackAlign));
  Taken = Begin.CreateAlloca(B.getInt64Ty());
  Begin.CreateStore(B.getInt64(0), Taken);
}

/// The address of \p Bytes more; a thread that asks for too many ends the
/// launch.
Value *KernelLifter::takeFromStack(Value *Bytes, uint64_t AlignBytes) {
  Value *Begin = B.CreateLoad(B.getInt64Ty(), Taken);
  Begin = B.CreateAnd(B.CreateAdd(Begin, B.getInt64(AlignBytes - 1)),
                      ~(AlignBytes - 1));
  Value *End = B.CreateAdd(Begin, Bytes);
  Value *Most = B.getInt64(StackBytes);
  Value *Fits =
      B.CreateAnd(B.CreateICmpULE(Bytes, Most), B.CreateICmpULE(End, Most));
  BasicBlock *Over = newBlock(), *Rest = newBlock();
  seal(B.CreateCondBr(Fits, Rest, Over), Position);
  B.SetInsertPoint(Over);
  lower(*parseStatement("call.refused.stack _"));
  seal(B.CreateBr(Rest), Position);
  B.SetInsertPoint(Rest);
  B.CreateStore(End, Taken);
  return B.CreateAddrSpaceCast(B.CreatePtrAdd(Stack, Begin),
                               B.getPtrTy(NVPTXAS::ADDRESS_SPACE_LOCAL));
}

/// alloca.u64 d, bytes{, alignment}; stacksave.u64 d; stackrestore.u64 a.
bool KernelLifter::lowerStack(const PTXStatement &S) {
  if (!Stack)
    makeStack();
  if (S.Operands.empty())
    return false;
  if (S.Name == "stacksave")
    return assign(S.Operands[0], B.CreateLoad(B.getInt64Ty(), Taken));
  Value *Given = operand(
      S.Operands[S.Name == "alloca" && S.Operands.size() > 1], B.getInt64Ty());
  if (!Given)
    return false;
  if (S.Name == "stackrestore") {
    B.CreateStore(Given, Taken);
    return true;
  }
  const auto Aligned =
      ptx::readInteger(S.Operands.size() == 3 ? S.Operands[2] : "8");
  return S.Operands.size() > 1 && Aligned && isPowerOf2_64(*Aligned) &&
         uint64_t(*Aligned) <= StackAlign &&
         assign(S.Operands[0], takeFromStack(Given, *Aligned));
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
