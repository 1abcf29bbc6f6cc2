//===- LowerPrints.cpp - printf and assert of kernels ---------------------===//
//
// A call that prints becomes one of heddle.print.N, a declaration of its own
// with the format as an attribute: it touches no memory that the kernel sees,
// so it changes nothing that is counted, and no two of them are merged.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>
#include <optional>

using namespace llvm;

namespace heddle {

/// The text that \p V points to, if it is known. In PTX addresses are integers.
static std::optional<StringRef> literal(const Value *V) {
  if (const auto *FromInteger = dyn_cast<IntToPtrInst>(V))
    if (const auto *Address =
            dyn_cast<PtrToIntOperator>(FromInteger->getOperand(0)))
      V = Address->getPointerOperand();
  const auto *G = V->getType()->isPointerTy()
                      ? dyn_cast<GlobalVariable>(V->stripPointerCasts())
                      : nullptr;
  if (!G || !G->hasDefinitiveInitializer())
    return std::nullopt;
  if (isa<ConstantAggregateZero>(G->getInitializer()))
    return "";
  const auto *Data = dyn_cast<ConstantDataSequential>(G->getInitializer());
  if (!Data || !Data->isCString())
    return std::nullopt;
  return Data->getAsCString();
}

/// The arguments that Clang stored into the buffer of a vprintf, in order.
static std::optional<SmallVector<Value *>> unpack(const CallInst &Call) {
  SmallVector<Value *> Values;
  if (!Call.getArgOperand(1)->getType()->isPointerTy())
    return std::nullopt;
  Value *Buffer = Call.getArgOperand(1)->stripPointerCasts();
  if (isa<ConstantPointerNull>(Buffer))
    return Values;
  auto *Slot = dyn_cast<AllocaInst>(Buffer);
  if (!Slot)
    return std::nullopt;
  const DataLayout &DL = Call.getDataLayout();
  std::map<uint64_t, Value *> AtOffset;
  auto Store = [&](User *U, uint64_t Offset) {
    if (auto *S = dyn_cast<StoreInst>(U))
      AtOffset[Offset] = S->getValueOperand();
  };
  for (User *U : Slot->users()) {
    Store(U, 0);
    auto *GEP = dyn_cast<GetElementPtrInst>(U);
    APInt Offset(64, 0);
    if (GEP && GEP->accumulateConstantOffset(DL, Offset))
      for (User *Inner : GEP->users())
        Store(Inner, Offset.getZExtValue());
  }
  for (auto [Offset, V] : AtOffset)
    Values.push_back(V);
  const auto *Struct = dyn_cast<StructType>(Slot->getAllocatedType());
  if (Struct && Struct->getNumElements() != Values.size())
    return std::nullopt;
  return Values;
}

namespace {
/// Brings a format and its arguments into the form of heddlePrint: one scalar
/// of 64 bits for each conversion, literal strings put in.
class PrintBuilder {
public:
  PrintBuilder(CallInst &Call, ArrayRef<Value *> Arguments)
      : B(&Call), Arguments(Arguments) {}
  /// The arguments are read from the \p Buffer of a vprintf, where each has its
  /// natural alignment (CUDA C++ Programming Guide, "Formatted Output").
  PrintBuilder(CallInst &Call, Value *Buffer) : B(&Call), Buffer(Buffer) {}

  bool addFormat(StringRef Format);
  void addText(StringRef Text) {
    for (char C : Text)
      Out += C == '%' ? "%%" : std::string(1, C);
  }
  /// Block and thread, as heddlePrint writes them.
  void addPosition() { Out += "%@"; }
  void finish(Module &M, unsigned Number);

private:
  bool addConversion(StringRef Flags, unsigned Elements, StringRef Length,
                     char Kind);
  Value *word(Value *V, char Kind);
  Value *next(StringRef Length, char Kind) {
    if (Buffer)
      return read(Length, Kind);
    return Next < Arguments.size() ? Arguments[Next++] : nullptr;
  }
  Value *read(StringRef Length, char Kind);

  IRBuilder<> B;
  ArrayRef<Value *> Arguments;
  Value *Buffer = nullptr;
  size_t Next = 0; ///< of Arguments, or bytes of Buffer
  std::string Out;
  SmallVector<Value *> Words;
};
} // namespace

/// \p V as the 64 bits that heddlePrint takes.
Value *PrintBuilder::word(Value *V, char Kind) {
  Type *T = V->getType();
  if (T->isPointerTy())
    return B.CreatePtrToInt(
        T->getPointerAddressSpace()
            ? B.CreateAddrSpaceCast(V, PointerType::get(B.getContext(), 0))
            : V,
        B.getInt64Ty());
  if (T->isFloatingPointTy())
    return B.CreateBitCast(B.CreateFPExt(V, B.getDoubleTy()), B.getInt64Ty());
  return B.CreateIntCast(V, B.getInt64Ty(), Kind == 'd' || Kind == 'i');
}

/// The next argument of the buffer. C promotes to int and double.
Value *PrintBuilder::read(StringRef Length, char Kind) {
  Type *T = StringRef("fFeEgGaA").contains(Kind) ? B.getDoubleTy()
            : !Length.trim('h').empty() || Kind == 's' || Kind == 'p'
                ? B.getInt64Ty()
                : B.getInt32Ty();
  const size_t Bytes = T->getPrimitiveSizeInBits() / 8;
  const size_t Offset = alignTo(Next, Bytes);
  Next = Offset + Bytes;
  return B.CreateLoad(T, B.CreatePtrAdd(Buffer, B.getInt64(Offset)));
}

bool PrintBuilder::addConversion(StringRef Flags, unsigned Elements,
                                 StringRef Length, char Kind) {
  if (!StringRef("diouxXcfFeEgGaAps").contains(Kind))
    return false;
  for (char C : Flags)
    if (C == '*') {
      Value *Width = next("", 'd');
      if (!Width)
        return false;
      Words.push_back(word(Width, 'd'));
    }
  Value *V = next(Length, Kind);
  if (!V)
    return false;
  if (Kind == 's')
    if (std::optional<StringRef> Text = literal(V); Text && Flags.empty()) {
      addText(*Text);
      return true;
    }
  std::string Conversion = ("%" + Flags + Length + Twine(Kind)).str();
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  if (!Vector) {
    Out += Conversion;
    Words.push_back(word(V, Kind));
    return Elements == 1;
  }
  for (unsigned I = 0; I < std::min(Elements, Vector->getNumElements()); ++I) {
    Out += (I ? "," : "") + Conversion;
    Words.push_back(word(B.CreateExtractElement(V, I), Kind));
  }
  return Elements > 1;
}

bool PrintBuilder::addFormat(StringRef Format) {
  while (!Format.empty()) {
    if (!Format.consume_front("%")) {
      Out += Format.front();
      Format = Format.drop_front();
      continue;
    }
    if (Format.consume_front("%")) {
      Out += "%%";
      continue;
    }
    auto Take = [&](StringRef Chars) {
      size_t N = std::min(Format.find_first_not_of(Chars), Format.size());
      StringRef Taken = Format.take_front(N);
      Format = Format.drop_front(N);
      return Taken;
    };
    StringRef Flags = Take("-+ #0123456789.*");
    unsigned Elements = 1;
    if (Format.consume_front("v") &&
        (Format.consumeInteger(10, Elements) || Elements < 2))
      return false;
    StringRef Length = Take("hljztL");
    if (Format.empty())
      return false;
    // OpenCL's "hl" is 32 bits in a vector, as nothing is elsewhere.
    if (!addConversion(Flags, Elements, Length == "hl" ? "" : Length,
                       Format.front()))
      return false;
    Format = Format.drop_front();
  }
  return true;
}

void PrintBuilder::finish(Module &M, unsigned Number) {
  SmallVector<Type *> Types(Words.size(), B.getInt64Ty());
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                             GlobalValue::ExternalLinkage,
                             "heddle.print." + Twine(Number), M);
  F->addFnAttr("heddle-format", Out);
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::WillReturn);
  if (!StringRef(Out).contains('s')) // a string is read from memory
    F->setOnlyAccessesInaccessibleMemory();
  B.CreateCall(F, Words);
}

namespace {
/// What a call says: the format, and where its arguments are.
struct PrintCall {
  CallInst *Call;
  enum { Printf, VPrintf, Assert } Kind;
};
} // namespace

/// Calls of these functions with the operands that they have in C.
static SmallVector<PrintCall> findCalls(Module &M) {
  struct Printer {
    StringLiteral Name;
    decltype(PrintCall::Kind) Kind;
    unsigned Operands; ///< at least
  };
  static constexpr Printer Printers[] = {
      {"printf", PrintCall::Printf, 1},
      {"vprintf", PrintCall::VPrintf, 2},
      {"__assert_fail", PrintCall::Assert, 4},
      {"__assertfail", PrintCall::Assert, 4}};
  SmallVector<PrintCall> Calls;
  for (auto [Name, Kind, Operands] : Printers)
    if (Function *F = M.getFunction(Name); F && F->isDeclaration())
      for (User *U : F->users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && Call->getCalledFunction() == F &&
            Call->arg_size() >= Operands &&
            Call->getArgOperand(0)->getType()->isPointerTy())
          Calls.push_back({Call, Kind});
  return Calls;
}

/// Puts heddle.print.\p Number before the call; false if the format is not
/// known or does not fit the arguments.
static bool lowerPrint(Module &M, const PrintCall &P, unsigned Number) {
  CallInst &Call = *P.Call;
  if (P.Kind == PrintCall::Assert) {
    // __assert_fail(expression, file, line, function): a line as CUDA prints.
    auto Text = [&](unsigned N) {
      return literal(Call.getArgOperand(N)).value_or("?").str();
    };
    const auto *Line = dyn_cast<ConstantInt>(Call.getArgOperand(2));
    PrintBuilder Builder(Call, {});
    Builder.addText(Text(1) + ":" +
                    (Line ? utostr(Line->getZExtValue()) : "?") + ": " +
                    Text(3) + ": ");
    Builder.addPosition();
    Builder.addText(" Assertion `" + Text(0) + "` failed.\n");
    Builder.finish(M, Number);
    return true;
  }
  std::optional<StringRef> Format = literal(Call.getArgOperand(0));
  std::optional<SmallVector<Value *>> Arguments;
  if (P.Kind == PrintCall::VPrintf)
    Arguments = unpack(Call);
  else
    Arguments.emplace(drop_begin(Call.args()));
  if (!Format)
    return false;
  PrintBuilder Builder = Arguments ? PrintBuilder(Call, *Arguments)
                                   : PrintBuilder(Call, Call.getArgOperand(1));
  if (!Builder.addFormat(*Format))
    return false;
  Builder.finish(M, Number);
  return true;
}

PreservedAnalyses LowerPrintsPass::run(Module &M, ModuleAnalysisManager &) {
  unsigned Number = 0;
  SmallVector<PrintCall> Calls = findCalls(M);
  for (const PrintCall &P : Calls) {
    bool Prints = Keep && lowerPrint(M, P, Number++);
    if (P.Kind == PrintCall::Assert)
      IRBuilder<>(P.Call).CreateIntrinsic(Intrinsic::trap, {});
    else if (!Prints)
      diagnose(*P.Call->getFunction(), P.Call->getDebugLoc(), DS_Warning,
               Keep ? "printf is ignored: its format is not a literal that "
                      "fits its arguments"
                    : "printf costs nothing here; 'heddle run' prints");
    if (!P.Call->getType()->isVoidTy())
      P.Call->replaceAllUsesWith(Constant::getNullValue(P.Call->getType()));
    P.Call->eraseFromParent();
  }
  bool Changed = !Calls.empty();
  for (StringRef Name : {"printf", "vprintf", "__assert_fail", "__assertfail"})
    if (Function *F = M.getFunction(Name);
        F && F->isDeclaration() && F->use_empty()) {
      F->eraseFromParent();
      Changed = true;
    }
  return preserved(Changed);
}

} // namespace heddle
