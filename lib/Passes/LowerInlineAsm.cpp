//===- LowerInlineAsm.cpp - PTX in the source, as IR ----------------------===//
//
// Hand-written PTX is replaced by the IR that means the same. A text with
// anything that is not known stays as it is: analyses count it, execution names
// it.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle {

namespace {
/// Translates one call. Nothing of it is kept if a statement is not known.
class AsmLowering : public StatementLowering {
public:
  explicit AsmLowering(CallInst &Call)
      : StatementLowering(Call.getContext()), Call(Call),
        Asm(*cast<InlineAsm>(Call.getCalledOperand())) {
    B.SetInsertPoint(&Call);
  }
  bool run();

private:
  bool bindOperands();
  Value *valueOf(StringRef Name) override { return Values.lookup(Name); }
  Type *registerType(StringRef Name) override { return Types.lookup(Name); }
  void write(StringRef Name, Value *V) override { Values[Name] = V; }
  void declare(StringRef Name, Type *T) override { Types[Name] = T; }

  CallInst &Call;
  const InlineAsm &Asm;
  StringMap<Value *> Values; ///< by "$N" and by register
  StringMap<Type *> Types;   ///< of outputs and registers
  SmallVector<std::string, 4> Outputs;
};
} // namespace

bool AsmLowering::bindOperands() {
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

bool AsmLowering::run() {
  BasicBlock::iterator Before = Call.getIterator();
  bool AtStart = Before == Call.getParent()->begin();
  if (!AtStart)
    --Before;
  std::optional<std::vector<PTXStatement>> Statements =
      parsePTX(Asm.getAsmString());
  bool Done =
      Statements && bindOperands() &&
      all_of(*Statements, [&](const PTXStatement &S) { return lower(S); });
  Value *Result = nullptr;
  if (Done && !Call.getType()->isVoidTy()) {
    if (!Call.getType()->isStructTy()) {
      Result = Values.lookup(Outputs[0]);
    } else {
      Result = PoisonValue::get(Call.getType());
      for (unsigned I = 0; I < Outputs.size() && Result; ++I) {
        Value *V = Values.lookup(Outputs[I]);
        Result = V ? B.CreateInsertValue(Result, V, I) : nullptr;
      }
    }
    Done = Result != nullptr;
    if (Done && Result->getType() != Call.getType())
      Done = (Result = toType(Result, Call.getType())) != nullptr;
  }
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

bool lowerInlineAsm(CallInst &Call) { return AsmLowering(Call).run(); }

void lowerInlineAsm(Function &F, std::string &Warnings) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
      Calls.push_back(Call);
  bool Warned = false;
  for (CallInst *Call : Calls) {
    StringRef Text = cast<InlineAsm>(Call->getCalledOperand())->getAsmString();
    bool IsMatrix = Text.contains("mma.sync");
    std::string Where = sourcePosition(*Call);
    if (lowerInlineAsm(*Call) && IsMatrix && !Warned) {
      Warned = true;
      Warnings += (Where.empty() ? "" : Where + ": ") +
                  "warning: mma.sync is executed with shuffles; the "
                  "time is not that of tensor cores\n";
    }
  }
}

} // namespace heddle
