//===- KernelBinding.cpp - A kernel as the runtime half sees it -----------===//

#include "heddle/Driver/KernelBinding.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Exec/KernelLayout.h"
#include "heddle/PTX/PTXLifter.h"
#include "heddle/Passes/Pipelines.h"
#include "launch/ScalarTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

using namespace llvm;

namespace heddle {

/// The type of "float4" and the like, nothing for structs and pointers.
static std::optional<launch::ScalarType> elementType(StringRef Text) {
  using enum launch::ScalarType;
  // So are arrays and vectors behind a typedef: "float[2]", "float (*)[2]" and
  // "float __attribute__((ext_vector_type(4)))".
  Text = Text.take_until([](char C) { return C == '[' || C == '('; });
  Text.consume_back(" __attribute__");
  Text = Text.rtrim();
  // Vectors are their elements: cut "4" off "float4".
  while (!Text.empty() && isDigit(Text.back()))
    Text = Text.drop_back();
  return StringSwitch<std::optional<launch::ScalarType>>(Text)
      .Cases({"char", "signed char"}, I8)
      .Cases({"uchar", "unsigned char"}, U8)
      .Case("short", I16)
      .Cases({"ushort", "unsigned short"}, U16)
      .Case("int", I32)
      .Cases({"uint", "unsigned int"}, U32)
      .Cases({"long", "long long"}, I64)
      .Cases({"ulong", "unsigned long", "unsigned long long"}, U64)
      .Case("half", F16)
      .Case("float", F32)
      .Case("double", F64)
      .Default(std::nullopt);
}

/// The type of all numbers in \p Ty; nothing if they differ.
static std::optional<launch::ScalarType> onlyElement(Type *Ty) {
  using enum launch::ScalarType;
  if (auto *Vector = dyn_cast<FixedVectorType>(Ty))
    return onlyElement(Vector->getElementType());
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return onlyElement(Array->getElementType());
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    std::optional<launch::ScalarType> Only;
    for (Type *Member : Struct->elements()) {
      const auto Its = onlyElement(Member);
      if (!Its || (Only && *Only != *Its))
        return std::nullopt;
      Only = Its;
    }
    return Only;
  }
  if (Ty->isHalfTy())
    return F16;
  if (Ty->isFloatTy())
    return F32;
  if (Ty->isDoubleTy())
    return F64;
  return std::nullopt; // integers compare as bytes in any case
}

/// What argument \p A of \p Kernel, a pointer, points to: by the name of the
/// type, by that behind its typedefs, or by the members of the struct.
static std::optional<launch::ScalarType>
pointee(const Function &Kernel, const KernelArgument &A, unsigned Index) {
  if (const auto Named = elementType(A.ElementText))
    return Named;
  StringRef Base;
  if (const MDNode *Types = Kernel.getMetadata("kernel_arg_base_type"))
    if (Index < Types->getNumOperands())
      if (const auto *Text = dyn_cast<MDString>(Types->getOperand(Index)))
        Base = Text->getString().rtrim("* ");
  if (const auto Named = elementType(Base))
    return Named;
  for (StringRef Name : {Base, StringRef(A.ElementText)})
    if (StructType *Struct = StructType::getTypeByName(
            Kernel.getContext(),
            ("struct." + Name.substr(Name.rfind(' ') + 1)).str()))
      return onlyElement(Struct);
  return std::nullopt;
}

/// Where pointers and other values of their size lie in a \p Ty at \p Offset.
static void findPointers(const DataLayout &DL, Type *Ty, uint64_t Offset,
                         exec::KernelParam &To) {
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    const StructLayout *Layout = DL.getStructLayout(Struct);
    for (unsigned I = 0; I < Struct->getNumElements(); ++I)
      findPointers(DL, Struct->getElementType(I),
                   Offset + Layout->getElementOffset(I), To);
  } else if (auto *Array = dyn_cast<ArrayType>(Ty)) {
    // Bytes hold no pointer, and there may be many.
    Type *Element = Array->getElementType();
    const uint64_t Size = DL.getTypeAllocSize(Element);
    for (uint64_t I = 0; Size >= 8 && I < Array->getNumElements(); ++I)
      findPointers(DL, Element, Offset + I * Size, To);
  } else if (!Ty->isVectorTy() && DL.getTypeStoreSize(Ty) == 8) {
    To.WordOffsets.push_back(Offset);
    if (Ty->isPointerTy())
      To.PointerOffsets.push_back(Offset);
  }
}

exec::KernelInterface interfaceOf(const Function &Kernel) {
  const KernelLayout Layout(Kernel);
  const KernelInfo Info = analyzeKernel(Kernel);
  exec::KernelInterface I;
  I.Name = kernelName(Kernel);
  const bool IsPTX = liftedText(*Kernel.getParent()).has_value();
  for (const KernelLayout::Param &P : Layout.Params) {
    exec::KernelParam Param;
    Param.Name = P.Arg->getName();
    Param.Offset = P.Offset;
    Param.SizeBytes = P.SizeBytes;
    if (auto *Ptr = dyn_cast<PointerType>(P.Type))
      Param.What = Ptr->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED
                       ? exec::KernelParam::SharedPointer
                       : exec::KernelParam::Pointer;
    else if (P.Type->isIntegerTy()) {
      Param.What = exec::KernelParam::Integer;
      Param.MayPoint = IsPTX && P.SizeBytes == 8;
    } else if (P.Type->isFloatingPointTy())
      Param.What = exec::KernelParam::Float;
    else
      findPointers(Kernel.getDataLayout(), P.Type, 0, Param);
    if (size_t Index = I.Params.size(); Index < Info.Arguments.size())
      Param.Element = pointee(Kernel, Info.Arguments[Index], Index);
    I.Params.push_back(Param);
  }
  I.ParamBytes = Layout.ParamBytes;
  I.StaticSharedBytes = Layout.StaticSharedBytes;
  I.DynamicSharedOffset = Layout.DynamicSharedOffset;
  for (const auto &[GV, Offset] : Layout.Shared)
    I.UsesDynamicShared |=
        Kernel.getDataLayout().getTypeAllocSize(GV->getValueType()) == 0;
  I.LocalBytesPerThread = Layout.LocalBytes;
  return I;
}

/// The position in the kernel's own source: inlined code stands where the
/// innermost location says.
static std::string lineOf(const Instruction &I) {
  const DebugLoc &Loc = I.getDebugLoc();
  if (!Loc || !Loc.getLine())
    return {};
  return fmt::format("{}:{}", Loc->getFilename().str(), Loc.getLine());
}

exec::SourceMap sourceMapOf(const KernelNumbering &Numbering) {
  exec::SourceMap Map;
  for (unsigned N = 1; N <= Numbering.numInsts(); ++N) {
    Map.OfInst.push_back(lineOf(*Numbering.inst(N)));
    const auto *Call = dyn_cast<CallBase>(Numbering.inst(N));
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Callee->hasFnAttribute(RefusedReason))
      Map.NotExecuted[N] =
          Callee->getFnAttribute(RefusedReason).getValueAsString().str();
  }
  for (unsigned B = 0; B < Numbering.numBlocks(); ++B) {
    std::string Found;
    for (const Instruction &I : *Numbering.block(B))
      if (Found.empty())
        Found = lineOf(I);
    Map.OfBlock.push_back(Found);
  }
  return Map;
}

trace::CodeTable traceCode(const KernelCode &Code) {
  trace::CodeTable Table;
  Table.Kernel = Code.Kernel;
  Table.ISA = nameOf(Code.Level).str();
  Table.Insts = Code.Insts;
  Table.Blocks = Code.Blocks;
  Table.Memory = Code.Memory;
  Table.Opcodes = Code.Opcodes;
  Table.Files = Code.Files;
  Table.NumRegisters = Code.NumRegisters;
  return Table;
}

trace::CodeTable engineCode(const KernelCode &Code) {
  trace::CodeTable Table = traceCode(Code);
  if (Code.Steps.empty())
    return Table;
  Table.Insts.clear();
  Table.Blocks = Code.IRBlocks;
  Table.Memory = Code.IRMemory;
  return Table;
}

std::unique_ptr<trace::TraceSource>
inBlocksOf(const KernelCode &Code, std::unique_ptr<trace::TraceSource> Source) {
  if (Code.Steps.empty())
    return Source;
  return std::make_unique<trace::MachineTrace>(std::move(Source),
                                               traceCode(Code), Code.Steps);
}

LaunchValues launchValuesOf(const launch::Launch &L, const Function &Kernel) {
  LaunchValues V;
  V.Grid = {L.Grid.X, L.Grid.Y, L.Grid.Z};
  V.Block = {L.Block.X, L.Block.Y, L.Block.Z};
  V.GlobalOffset = {L.GlobalOffset.X, L.GlobalOffset.Y, L.GlobalOffset.Z};
  V.WorkDim = L.Grid.Z > 1 || L.Block.Z > 1   ? 3
              : L.Grid.Y > 1 || L.Block.Y > 1 ? 2
                                              : 1;
  uint64_t Next = uint64_t(1) << 32;
  for (const launch::Argument &A : L.Args) {
    V.Structs.emplace_back();
    if (const auto *Scalar = std::get_if<launch::ScalarArg>(&A.Value)) {
      std::array<uint8_t, 8> Bits = {};
      const size_t Size = launch::store(*Scalar, Bits.data());
      V.Arguments.push_back(launch::isFloat(Scalar->Type)
                                ? std::bit_cast<uint64_t>(Bits)
                                : uint64_t(Scalar->Integer));
      V.Structs.back().assign(Bits.begin(), Bits.begin() + Size);
    } else if (const auto *Bytes = std::get_if<launch::BytesArg>(&A.Value)) {
      V.Arguments.push_back(std::nullopt);
      V.Structs.back() = Bytes->Bytes;
      for (const launch::BytesArg::Pointer &P : Bytes->Pointers) {
        std::memcpy(V.Structs.back().data() + P.Offset, &Next, 8);
        Next += (P.Buffer.Count * 8 + 511) / 256 * 256;
      }
    } else if (std::holds_alternative<launch::SamplerArg>(A.Value)) {
      V.Arguments.push_back(std::nullopt);
    } else {
      V.Arguments.push_back(Next);
      uint64_t Size = 0;
      if (const auto *Buffer = std::get_if<launch::BufferArg>(&A.Value))
        Size = Buffer->Count * 8;
      else if (const auto *Local = std::get_if<launch::LocalArg>(&A.Value))
        Size = Local->SizeBytes; // an image's is that of its descriptor
      Next += (Size + 511) / 256 * 256;
    }
  }
  for (const GlobalVariable *G : globalsOf(Kernel)) {
    V.Objects[G] = Next;
    Next += (Kernel.getDataLayout().getTypeAllocSize(G->getValueType()) + 511) /
            256 * 256;
  }
  return V;
}

} // namespace heddle
