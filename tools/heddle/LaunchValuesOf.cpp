//===- LaunchValuesOf.cpp - A launch as formulas see it -------------------===//

#include "LaunchValuesOf.h"

#include "heddle/Analysis/KernelInfo.h"

#include "llvm/IR/Module.h"

#include <bit>
#include <cstring>

using namespace llvm;

namespace heddle::tool {

static uint64_t bitsOf(const launch::ScalarArg &A) {
  switch (A.Type) {
  case launch::ScalarType::F32:
    return std::bit_cast<uint32_t>(float(A.Float));
  case launch::ScalarType::F64:
    return std::bit_cast<uint64_t>(A.Float);
  default:
    return uint64_t(A.Integer);
  }
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
      V.Arguments.push_back(bitsOf(*Scalar));
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

} // namespace heddle::tool
