//===- KernelInfo.cpp - What a launch must know of a kernel ---------------===//

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace llvm;

namespace heddle {

std::vector<const GlobalVariable *> globalsOf(const Function &Kernel) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 32> Worklist;
  for (const Instruction &I : instructions(Kernel))
    for (const Value *Operand : I.operands())
      if (isa<Constant>(Operand))
        Worklist.push_back(Operand);
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second || isa<Function>(V))
      continue;
    for (const Value *Operand : cast<User>(V)->operands())
      if (isa<Constant>(Operand))
        Worklist.push_back(Operand);
  }
  std::vector<const GlobalVariable *> Globals;
  for (const GlobalVariable &G : Kernel.getParent()->globals())
    if (Seen.contains(&G))
      Globals.push_back(&G);
  return Globals;
}

/// Entry \p Index of the string list that front ends attach as \p Name.
static StringRef argumentMetadata(const Function &Kernel, StringRef Name,
                                  unsigned Index) {
  const MDNode *Node = Kernel.getMetadata(Name);
  if (!Node || Index >= Node->getNumOperands())
    return "";
  const auto *Text = dyn_cast<MDString>(Node->getOperand(Index));
  return Text ? Text->getString() : "";
}

static std::string typeText(const Type *T) {
  if (const auto *Vector = dyn_cast<FixedVectorType>(T))
    return typeText(Vector->getElementType()) +
           std::to_string(Vector->getNumElements());
  if (T->isFloatTy())
    return "float";
  if (T->isDoubleTy())
    return "double";
  if (T->isHalfTy())
    return "half";
  if (T->isIntegerTy(8))
    return "char";
  if (T->isIntegerTy(16))
    return "short";
  if (T->isIntegerTy(32))
    return "int";
  if (T->isIntegerTy(64))
    return "long";
  if (T->isPointerTy())
    return "void*";
  std::string Text;
  raw_string_ostream Stream(Text);
  T->print(Stream, /*IsForDebug=*/false, /*NoDetails=*/true);
  return Text;
}

static ArgumentKind pointerKind(unsigned AddressSpace) {
  switch (AddressSpace) {
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return ArgumentKind::LocalPointer;
  case NVPTXAS::ADDRESS_SPACE_CONST:
    return ArgumentKind::ConstantPointer;
  default:
    return ArgumentKind::GlobalPointer;
  }
}

/// The argument but for its offset.
static KernelArgument describe(const Argument &Arg) {
  const Function &Kernel = *Arg.getParent();
  const DataLayout &DL = Kernel.getDataLayout();
  unsigned Index = Arg.getArgNo();
  Type *T = Arg.hasByValAttr() ? Arg.getParamByValType() : Arg.getType();

  KernelArgument Result;
  StringRef Name = argumentMetadata(Kernel, "kernel_arg_name", Index);
  if (Name.empty())
    Name = Arg.getName();
  Result.Name = Name.empty() ? "arg" + std::to_string(Index) : Name.str();
  StringRef TypeName = argumentMetadata(Kernel, "kernel_arg_type", Index);
  Result.TypeText = TypeName.empty() ? typeText(T) : TypeName.str();
  Result.SizeBytes = DL.getTypeAllocSize(T);
  Result.AlignBytes = DL.getABITypeAlign(T).value();

  if (Arg.hasByValAttr()) {
    Result.Kind = ArgumentKind::Struct;
    Result.AlignBytes = std::max<uint64_t>(
        Result.AlignBytes, Arg.getParamAlign().valueOrOne().value());
  } else if (T->isPointerTy()) {
    Result.Kind = pointerKind(T->getPointerAddressSpace());
    if (TypeName.consume_back("*"))
      Result.ElementText = TypeName.rtrim().str();
    Result.IsReadOnly = Arg.onlyReadsMemory();
    Result.IsWriteOnly = Arg.hasAttribute(Attribute::WriteOnly);
    Result.IsRestrict = Arg.hasNoAliasAttr();
  } else if (T->isStructTy() || T->isArrayTy()) {
    Result.Kind = ArgumentKind::Struct;
  } else {
    Result.IsFloat = T->getScalarType()->isFloatingPointTy();
    if (const auto *Vector = dyn_cast<FixedVectorType>(T))
      Result.Lanes = Vector->getNumElements();
  }
  return Result;
}

static void addArguments(const Function &Kernel, KernelInfo &Info) {
  for (const Argument &Arg : Kernel.args()) {
    KernelArgument A = describe(Arg);
    A.OffsetBytes = alignTo(Info.ParameterBytes, A.AlignBytes);
    Info.ParameterBytes = A.OffsetBytes + A.SizeBytes;
    Info.UsesDynamicShared |= A.Kind == ArgumentKind::LocalPointer;
    Info.Arguments.push_back(std::move(A));
  }
}

static void addMemory(const Function &Kernel, KernelInfo &Info) {
  const DataLayout &DL = Kernel.getDataLayout();
  for (const GlobalVariable *G : globalsOf(Kernel)) {
    uint64_t Bytes = DL.getTypeAllocSize(G->getValueType());
    switch (G->getAddressSpace()) {
    case NVPTXAS::ADDRESS_SPACE_SHARED:
      if (Bytes == 0) // extern __shared__ T name[]
        Info.UsesDynamicShared = true;
      else
        Info.StaticSharedBytes =
            alignTo(Info.StaticSharedBytes, DL.getPreferredAlign(G)) + Bytes;
      break;
    case NVPTXAS::ADDRESS_SPACE_CONST:
      Info.ConstantBytes += Bytes;
      break;
    default:
      Info.GlobalBytes += Bytes;
    }
  }
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (std::optional<TypeSize> Size = Alloca->getAllocationSize(DL))
        Info.LocalBytes = alignTo(Info.LocalBytes, Alloca->getAlign()) +
                          Size->getFixedValue();
}

/// "256" or "16,16,1" of a function attribute.
static SmallVector<unsigned, 3> numbersOf(const Function &Kernel,
                                          StringRef Attribute) {
  SmallVector<StringRef, 3> Parts;
  Kernel.getFnAttribute(Attribute).getValueAsString().split(Parts, ',', -1,
                                                            false);
  SmallVector<unsigned, 3> Numbers;
  for (StringRef Part : Parts) {
    unsigned N = 0;
    Part.trim().getAsInteger(10, N);
    Numbers.push_back(N);
  }
  return Numbers;
}

LaunchBounds launchBounds(const Function &Kernel) {
  LaunchBounds Bounds;
  if (auto Max = numbersOf(Kernel, "nvvm.maxntid"); !Max.empty()) {
    Bounds.MaxThreads = 1;
    for (unsigned N : Max)
      Bounds.MaxThreads *= N;
  }
  if (auto Min = numbersOf(Kernel, "nvvm.minctasm"); !Min.empty())
    Bounds.MinBlocks = Min[0];
  if (auto Most = numbersOf(Kernel, "nvvm.maxnreg"); !Most.empty())
    Bounds.MaxRegisters = Most[0];
  SmallVector<unsigned, 3> Required = numbersOf(Kernel, "nvvm.reqntid");
  if (const MDNode *Node = Kernel.getMetadata("reqd_work_group_size");
      Node && Required.empty())
    for (const MDOperand &Operand : Node->operands())
      Required.push_back(
          mdconst::extract<ConstantInt>(Operand)->getZExtValue());
  if (!Required.empty()) {
    Bounds.RequiredBlock = {1, 1, 1};
    for (unsigned I = 0; I < std::min<size_t>(3, Required.size()); ++I)
      Bounds.RequiredBlock[I] = Required[I];
  }
  SmallVector<unsigned, 3> Cluster = numbersOf(Kernel, ClusterAttribute);
  std::copy_n(Cluster.begin(), std::min<size_t>(3, Cluster.size()),
              Bounds.Cluster.begin());
  Bounds.HasCluster = !Cluster.empty();
  return Bounds;
}

bool wantsNoDenormals(const Function &Kernel) {
  return Kernel.getDenormalMode(APFloat::IEEEsingle()).Output ==
         DenormalMode::PreserveSign;
}

bool flushesDenormals(const Function &Kernel) {
  auto Keeps = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return I.getType()->getScalarType()->isDoubleTy() ||
           any_of(I.operand_values(),
                  [](const Value *V) {
                    return V->getType()->getScalarType()->isDoubleTy();
                  }) ||
           (Call && (matrixProduct(*Call) || groupProduct(*Call)));
  };
  return wantsNoDenormals(Kernel) && none_of(instructions(Kernel), Keeps);
}

std::string kernelName(const Function &Kernel) {
  std::string Symbol = Kernel.getName().str();
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Symbol.c_str()))
    return Symbol;
  char *Name = Demangler.getFunctionName(nullptr, nullptr);
  std::string Result = Name ? Name : Symbol;
  std::free(Name);
  return Result;
}

KernelInfo analyzeKernel(const Function &Kernel) {
  KernelInfo Info;
  Info.Name = Kernel.getName();
  Info.Demangled = demangle(Kernel.getName());
  if (const DISubprogram *Program = Kernel.getSubprogram()) {
    SmallString<128> File(Program->getFilename());
    if (!sys::path::is_absolute(File) && !Program->getDirectory().empty() &&
        Program->getDirectory() != ".") {
      File = Program->getDirectory();
      sys::path::append(File, Program->getFilename());
    }
    Info.File = std::string(File);
    Info.Line = Program->getLine();
  }
  addArguments(Kernel, Info);
  addMemory(Kernel, Info);
  Info.Bounds = launchBounds(Kernel);
  Info.NumBlocks = Kernel.size();
  for (const Instruction &I : instructions(Kernel)) {
    HeddleOpClass Class = classOf(I);
    if (Class == HEDDLE_OP_NOP)
      continue;
    ++Info.NumInstructions;
    ++Info.Mix[Class];
    Info.NumBarriers += Class == HEDDLE_OP_BARRIER;
  }
  return Info;
}

void setPartsOfAtomic(Instruction &Atomic, unsigned Parts) {
  LLVMContext &C = Atomic.getContext();
  auto *Number = ConstantInt::get(Type::getInt32Ty(C), Parts);
  Atomic.setMetadata(PartsOfAtomic,
                     MDNode::get(C, ConstantAsMetadata::get(Number)));
}

unsigned partsOfAtomic(const Instruction &Atomic) {
  const MDNode *Node = Atomic.getMetadata(PartsOfAtomic);
  return Node ? mdconst::extract<ConstantInt>(Node->getOperand(0))
                    ->getZExtValue()
              : 0;
}

} // namespace heddle
