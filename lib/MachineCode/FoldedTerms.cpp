//===- FoldedTerms.cpp - What sums take in from other instructions --------===//
//
// A sum reads one of its terms as a product or a shift by a constant:
// IMAD.WIDE, LEA.HI and FFMA do both. The rules are those of ptxas 11.8 for
// sm_80, from small kernels with each operation and one or two users.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

const ptx::Inst *Operands::productIn(const ptx::Inst &Shift) const {
  if (StringRef(Shift.Opcode) != "shl.b64" || Shift.Guarded)
    return nullptr;
  const SmallVector<Operand, 4> All = of(Shift);
  const ptx::Inst *Product = All[1].Register ? DefOf[All[1].Register] : nullptr;
  if (!Product || !StringRef(Product->Opcode).starts_with("mul.wide.") ||
      !integer(All[2].Text) || !integer(of(*Product).back().Text) ||
      Narrow[Shift.Defs[0]])
    return nullptr;
  return Product;
}

/// Whether \p R is a product by a constant that is only shifted by constants
/// in sums: ptxas 11.8 multiplies by both, in the IMAD.WIDE of each sum.
bool Operands::isScaledProduct(Value R) const {
  return !Users[R].empty() && all_of(Users[R], [&](const ptx::Inst *Shift) {
    return productIn(*Shift) && DefOf[R] == productIn(*Shift) &&
           Folded[Shift->Defs[0]] && staysForUsers(Shift->Defs[0], *DefOf[R]);
  });
}

bool isContractable(StringRef Product) {
  return Product == "mul.f32" || Product == "mul.ftz.f32" ||
         Product == "mul.f64";
}

static bool isWordProduct(StringRef Opcode) {
  return Opcode == "mul.lo.s32" || Opcode == "mul.lo.u32";
}

/// Whether \p R, which \p I writes, is part of every sum that reads it: a word
/// shifted right by a constant is, a product of words, and one of floats whose
/// rounding PTX leaves open. If anything else reads it, it has a register for
/// all; of two products of a sum one has.
bool Operands::foldsIntoSums(Value R, const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode;
  const bool Words = isWordProduct(Opcode), Product = isContractable(Opcode);
  const bool Shift = (Opcode == "shr.u32" || Opcode == "shr.s32") &&
                     integer(of(I).back().Text).has_value();
  if (I.Guarded || (!Product && !Shift && !Words) || !staysForUsers(R, I))
    return false;
  const StringRef Type = Opcode.drop_front(StringRef("mul").size());
  // A shift is part of the sum as well, and one instruction takes in one term.
  auto IsTerm = [&](Value Other) {
    const StringRef By = DefOf[Other] ? StringRef(DefOf[Other]->Opcode) : "";
    return Words ? By.starts_with("sh") || (Folded[Other] && isWordProduct(By))
                 : Folded[Other] && isContractable(By);
  };
  auto IsAlone = [&](const ptx::Inst &Sum) {
    return none_of(Sum.Uses, [&](Value Other) {
      return (Other != R && IsTerm(Other)) || count(Sum.Uses, Other) > 1;
    });
  };
  return !Users[R].empty() && all_of(Users[R], [&](const ptx::Inst *User) {
    const StringRef U = User->Opcode;
    if (User->Guarded)
      return false;
    if (Shift)
      return U == "add.s32" || U == "add.u32";
    return (Words ? U == "add.s32" || U == "add.u32"
                  : U == ("add" + Type).str() || U == ("sub" + Type).str()) &&
           IsAlone(*User) && !keepsProductOfConstants(I, *User);
  });
}

/// A product of constants stays in front of a loop where both would have to be
/// loaded in it.
bool Operands::keepsProductOfConstants(const ptx::Inst &Product,
                                       const ptx::Inst &Sum) const {
  return LoadsConstants && isWordProduct(Product.Opcode) &&
         registersOf(Product).empty() &&
         BlockOf.lookup(&Product) != BlockOf.lookup(&Sum);
}

} // namespace heddle::machine
