//===- LowerInlineAsm.cpp - PTX in the source, as IR ----------------------===//
//
// Hand-written PTX is replaced by the IR that means the same. A text with
// anything that is not known stays as it is: analyses count it, execution names
// it.
//
// If asked for, an empty assembly stays behind until the code is optimised:
// nvcc does not count on any assembly to end, and moves no access past one that
// is volatile.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle {

namespace {
/// Translates one call: straight into its block where all statements compute,
/// else into blocks of their own, with registers as variables.
class AsmLowering : public StatementLowering {
public:
  explicit AsmLowering(CallInst &Call)
      : StatementLowering(Call.getContext()), Call(Call),
        Asm(*cast<InlineAsm>(Call.getCalledOperand())) {}
  bool run();

private:
  bool bindOperands();
  bool lowerStraight(ArrayRef<PTXStatement> Statements);
  bool lowerFlow(ArrayRef<PTXStatement> Statements);
  bool buildFlow(ArrayRef<PTXStatement> Statements, BasicBlock *Begin);
  bool lowerInFlow(const PTXStatement &S);
  Value *result();

  Value *valueOf(StringRef Name) override;
  Type *registerType(StringRef Name) override { return Types.lookup(Name); }
  void write(StringRef Name, Value *V) override;
  void declare(StringRef Name, Type *T) override { Types[Name] = T; }
  bool isVolatile() const override { return Asm.hasSideEffects(); }

  CallInst &Call;
  const InlineAsm &Asm;
  StringMap<Value *> Values; ///< by "$N" and by register
  StringMap<Type *> Types;   ///< of outputs and registers
  SmallVector<std::string, 4> Outputs;
  // With control flow:
  BasicBlock *Entry = nullptr;       ///< where variables are made
  StringMap<AllocaInst *> Variables; ///< registers that are written
  StringMap<BasicBlock *> Labels;
  SmallPtrSet<BasicBlock *, 4> Placed; ///< those that the text has
};
} // namespace

Value *AsmLowering::valueOf(StringRef Name) {
  if (AllocaInst *Variable = Variables.lookup(Name))
    return B.CreateLoad(Variable->getAllocatedType(), Variable);
  return Values.lookup(Name);
}

void AsmLowering::write(StringRef Name, Value *V) {
  if (!Entry) {
    Values[Name] = V;
    return;
  }
  AllocaInst *&Variable = Variables[Name];
  if (!Variable) {
    IRBuilder<> AtEntry(Entry, Entry->getFirstInsertionPt());
    Variable = AtEntry.CreateAlloca(V->getType());
  }
  B.CreateStore(V, Variable);
}

bool AsmLowering::bindOperands() {
  Values.clear();
  Types.clear();
  Outputs.clear();
  unsigned Number = 0, Input = 0;
  auto *Result = dyn_cast<StructType>(Call.getType());
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    std::string Name = "$" + std::to_string(Number++);
    if (C.isIndirect)
      return false;
    if (C.Type == InlineAsm::isOutput) {
      Type *T =
          Result ? Result->getElementType(Outputs.size()) : Call.getType();
      Types[Name] = T;
      Outputs.push_back(Name);
      continue;
    }
    if (C.Type != InlineAsm::isInput || Input >= Call.arg_size())
      return false;
    Values[Name] = Call.getArgOperand(Input++);
    unsigned Tied = 0;
    if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied))
      Values["$" + std::to_string(Tied)] = Values[Name];
  }
  return true;
}

/// What the outputs hold, as the call returns them; null if one holds nothing.
Value *AsmLowering::result() {
  Value *Result = nullptr;
  if (!Call.getType()->isStructTy()) {
    Result = valueOf(Outputs[0]);
  } else {
    Result = PoisonValue::get(Call.getType());
    for (unsigned I = 0; I < Outputs.size() && Result; ++I) {
      Value *V = valueOf(Outputs[I]);
      Result = V ? B.CreateInsertValue(Result, V, I) : nullptr;
    }
  }
  return Result ? toType(Result, Call.getType()) : nullptr;
}

/// Into the call's block. Nothing is kept if a statement is not known.
bool AsmLowering::lowerStraight(ArrayRef<PTXStatement> Statements) {
  B.SetInsertPoint(&Call);
  BasicBlock::iterator Before = Call.getIterator();
  bool AtStart = Before == Call.getParent()->begin();
  if (!AtStart)
    --Before;
  bool Done = bindOperands() && all_of(Statements, [&](const PTXStatement &S) {
                return lower(S);
              });
  Value *Result = nullptr;
  if (Done && !Call.getType()->isVoidTy())
    Done = (Result = result()) != nullptr;
  if (Done) {
    if (Result)
      Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
    return true;
  }
  // Take back what was built.
  BasicBlock::iterator First =
      AtStart ? Call.getParent()->begin() : std::next(Before);
  while (std::prev(Call.getIterator()) != std::prev(First) &&
         Call.getIterator() != First) {
    Instruction &Last = *std::prev(Call.getIterator());
    bool IsFirst = &Last == &*First;
    Last.replaceAllUsesWith(PoisonValue::get(Last.getType()));
    if (IsFirst) {
      Last.eraseFromParent();
      break;
    }
    Last.eraseFromParent();
  }
  return false;
}

bool AsmLowering::lowerInFlow(const PTXStatement &S) {
  auto blockOf = [this](StringRef Label) {
    BasicBlock *&Block = Labels[Label];
    return Block ? Block : Block = newBlock();
  };
  if (S.Name == ":") {
    BasicBlock *Block = blockOf(S.Operands[0]);
    if (!Placed.insert(Block).second)
      return false; // named twice
    B.CreateBr(Block);
    B.SetInsertPoint(Block);
    return true;
  }
  // A guard is a branch around the statement.
  BasicBlock *After = nullptr;
  if (!S.Guard.empty()) {
    Value *Guard = operand(S.Guard, B.getInt1Ty());
    if (!Guard)
      return false;
    BasicBlock *Then = newBlock();
    After = newBlock();
    B.CreateCondBr(Guard, S.GuardNegated ? After : Then,
                   S.GuardNegated ? Then : After);
    B.SetInsertPoint(Then);
  }
  if (S.Name == "bra") {
    if (S.Operands.size() != 1)
      return false;
    B.CreateBr(blockOf(S.Operands[0]));
    B.SetInsertPoint(After ? After : newBlock());
    return true;
  }
  if (S.Name == "exit") { // the pass makes a return of it
    B.CreateIntrinsic(Intrinsic::nvvm_exit, {});
    B.CreateUnreachable();
    B.SetInsertPoint(After ? After : newBlock());
    return true;
  }
  PTXStatement Unguarded = S;
  Unguarded.Guard = "";
  if (!lower(Unguarded))
    return false;
  if (After) {
    B.CreateBr(After);
    B.SetInsertPoint(After);
  }
  return true;
}

/// Into blocks from \p Begin on, which is not finished; B is at the end of the
/// last one afterwards.
bool AsmLowering::buildFlow(ArrayRef<PTXStatement> Statements,
                            BasicBlock *Begin) {
  Variables.clear();
  Labels.clear();
  Placed.clear();
  Entry = &Begin->getParent()->getEntryBlock();
  B.SetInsertPoint(Begin);
  if (!bindOperands())
    return false;
  for (const std::string &Output : Outputs)
    if (Value *Initial = Values.lookup(Output)) // tied to an input
      if (!assign(Output, Initial))
        return false;
  return all_of(Statements,
                [&](const PTXStatement &S) { return lowerInFlow(S); }) &&
         Placed.size() == Labels.size();
}

bool AsmLowering::lowerFlow(ArrayRef<PTXStatement> Statements) {
  Function &F = *Call.getFunction();
  // First where it can be thrown away.
  Function *Trial = Function::Create(FunctionType::get(B.getVoidTy(), false),
                                     GlobalValue::InternalLinkage,
                                     "heddle.asm.trial", F.getParent());
  // What is known depends on the architecture.
  Trial->addFnAttr(F.getFnAttribute("target-cpu"));
  bool Known =
      buildFlow(Statements, BasicBlock::Create(F.getContext(), "", Trial)) &&
      (Call.getType()->isVoidTy() || result());
  for (BasicBlock &Block : *Trial)
    Block.dropAllReferences();
  Trial->eraseFromParent();
  if (!Known)
    return false;
  BasicBlock *Begin = Call.getParent();
  BasicBlock *End = Begin->splitBasicBlock(&Call);
  Begin->getTerminator()->eraseFromParent();
  buildFlow(Statements, Begin);
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(result());
  B.CreateBr(End);
  Call.eraseFromParent();
  // What follows a jump and has no label.
  for (BasicBlock &Block : F)
    if (!Block.getTerminator())
      new UnreachableInst(F.getContext(), &Block);
  return true;
}

bool AsmLowering::run() {
  const std::string Text = ptx::blankComments(Asm.getAsmString());
  std::optional<std::vector<PTXStatement>> Statements = parsePTX(Text);
  return Statements && (lowerStraight(*Statements) || lowerFlow(*Statements));
}

bool lowerInlineAsm(CallInst &Call) { return AsmLowering(Call).run(); }

bool LowerInlineAsmPass::isWanted(const CallInst &Call) const {
  if (!Call.isInlineAsm() || isHeldConversion(Call))
    return false;
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  return (!Textures && !Exits) || isAssemblyMark(Call) ||
         (Textures && isTextureAssembly(Call)) ||
         (Exits && Asm.getAsmString().contains("exit"));
}

/// In a kernel, to leave is to return.
static bool returnAtExits(Function &Kernel) {
  bool Changed = false;
  for (BasicBlock &Block : Kernel) {
    auto IsExit = [](const Instruction &I) {
      const auto *Call = dyn_cast<IntrinsicInst>(&I);
      return Call && Call->getIntrinsicID() == Intrinsic::nvvm_exit;
    };
    const auto Exit = find_if(Block, IsExit);
    if (Exit == Block.end())
      continue;
    changeToUnreachable(&*Exit);
    ReplaceInstWithInst(Block.getTerminator(),
                        ReturnInst::Create(Kernel.getContext()));
    Changed = true;
  }
  return Changed;
}

bool isAssemblyMark(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isInlineAsm() && Call->arg_empty() &&
         Call->getType()->isVoidTy() &&
         cast<InlineAsm>(Call->getCalledOperand())->getAsmString().empty();
}

/// Not convergent, as an assembly from Clang is: loops around it are unrolled.
static CallInst *markBehind(CallInst &Assembly) {
  IRBuilder<> B(Assembly.getNextNode());
  auto *Type = FunctionType::get(B.getVoidTy(), false);
  CallInst *Mark =
      B.CreateCall(InlineAsm::get(Type, "", "", /*hasSideEffects=*/true));
  Mark->setDoesNotThrow();
  if (Assembly.doesNotAccessMemory())
    Mark->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return Mark;
}

PreservedAnalyses LowerInlineAsmPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  SmallVector<CallInst *, 8> Calls;
  for (Function &F : M) {
    Calls.clear();
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && isWanted(*Call))
        Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      // What has no other form.
      if (isMatrixMove(*Call) || groupProduct(*Call) || bulkOperation(*Call))
        continue;
      const auto &Asm = *cast<InlineAsm>(Call->getCalledOperand());
      DebugLoc Where = Call->getDebugLoc();
      CallInst *Mark = Marks ? markBehind(*Call) : nullptr;
      if (lowerInlineAsm(*Call)) {
        Changed = true;
        continue;
      }
      if (Mark)
        Mark->eraseFromParent();
      if (!Asm.getAsmString().empty())
        diagnose(F, Where, DS_Remark,
                 "inline assembly stays as it is: '" + Asm.getAsmString() +
                     "'");
    }
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      Changed |= returnAtExits(F);
  }
  return preserved(Changed);
}

} // namespace heddle
