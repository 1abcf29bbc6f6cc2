//===- RefuseFragments.cpp - Fragments that a product cannot read ---------===//
//
// PTX leaves open how wmma.load lays a matrix out in registers. A product may
// only read fragments of its own shape, type and layout; others differ from one
// GPU to the next.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/PTX/FragmentAccess.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace heddle {

/// Whether \p I hands on registers, or parts of them, as they are.
static bool isSameRegister(const Instruction &I) {
  return isa<BitCastInst, ExtractValueInst, InsertValueInst, FreezeInst,
             ExtractElementInst, InsertElementInst, PHINode>(I);
}

/// A wmma.load whose registers \p V may be, and that is no \p Text.
static const Instruction *otherFragment(const Value *V, StringRef Text) {
  SmallSetVector<const Value *, 16> From;
  From.insert(V);
  for (size_t N = 0; N < From.size(); ++N) {
    const auto *I = dyn_cast<Instruction>(From[N]);
    if (!I)
      continue;
    if (const MDNode *Mark = I->getMetadata(FragmentMetadata)) {
      if (cast<MDString>(Mark->getOperand(0))->getString() != Text)
        return I;
    } else if (isSameRegister(*I)) {
      for (const Use &U : I->operands())
        From.insert(U);
    }
  }
  return nullptr;
}

bool refuseFragments(CallBase &Call) {
  const auto P = matrixProduct(Call);
  if (!P || !Call.getCalledFunction()->getName().contains(".wmma."))
    return false;
  SmallVector<StringRef, 10> Words;
  Call.getCalledFunction()->getName().split(Words, '.');
  SmallVector<bool, 2> RowMajor;
  for (StringRef Word : Words)
    if (Word == "row" || Word == "col")
      RowMajor.push_back(Word == "row");
  Fragment F;
  F.Shape = P->Shape;
  const unsigned Counts[] = {P->NumA, P->NumB, P->NumC};
  const unsigned Types[] = {P->Shape.A, P->Shape.B, P->Shape.C};
  for (unsigned N = 0, First = 0; N < 3; First += Counts[N++]) {
    F.Use = char('a' + N);
    F.Type = HeddleMatrixType(Types[N]);
    F.IsRowMajor = N == 2 || RowMajor[N];
    const std::string Text = F.text();
    for (unsigned Arg = First; Arg < First + Counts[N]; ++Arg) {
      const Instruction *Load = otherFragment(Call.getArgOperand(Arg), Text);
      if (!Load)
        continue;
      const std::string Where = sourcePosition(Load->getDebugLoc());
      refuseCall(
          Call, "fragment",
          "reads a fragment that wmma.load has loaded" +
              (Where.empty() ? "" : " at " + Where) + " as " +
              cast<MDString>(Load->getMetadata(FragmentMetadata)->getOperand(0))
                  ->getString() +
              ", where wmma.mma takes " + Text +
              "; load it with the shape, layout and type of the product");
      return true;
    }
  }
  return false;
}

} // namespace heddle
