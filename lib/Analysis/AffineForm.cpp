//===- AffineForm.cpp - Formulas as sums of multiples ---------------------===//

#include "heddle/Analysis/Expression.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace heddle {

const Expr *AffineForm::factorOf(const Expr *Variable) const {
  for (const Term &T : Terms)
    if (T.Variable == Variable)
      return T.Factor;
  return nullptr;
}

namespace {

class Decomposer {
public:
  Decomposer(ExprPool &Pool, unsigned Mask, AffineForm &Out)
      : Pool(Pool), Mask(Mask), Out(Out) {
    Out.Rest = Pool.constant(0, 64);
  }

  /// Adds \p E * \p Factor, \p E taken as signed or not.
  bool add(const Expr *E, const Expr *Factor, bool Signed, unsigned Depth = 0);

private:
  bool isVariable(const Expr *E) const {
    return (E->Op == ExprOp::Special || E->Op == ExprOp::Iteration) &&
           E->dependsOn(Mask);
  }
  void addTerm(const Expr *Variable, const Expr *Factor);
  bool scaled(const Expr *E, const Expr *Factor, bool Signed, unsigned Depth);

  ExprPool &Pool;
  unsigned Mask;
  AffineForm &Out;
  unsigned Steps = 0;
};

} // namespace

void Decomposer::addTerm(const Expr *Variable, const Expr *Factor) {
  for (AffineForm::Term &T : Out.Terms)
    if (T.Variable == Variable) {
      T.Factor = Pool.binary(ExprOp::Add, T.Factor, Factor);
      return;
    }
  Out.Terms.push_back({Variable, Factor});
}

/// A product or a shift to the left.
bool Decomposer::scaled(const Expr *E, const Expr *Factor, bool Signed,
                        unsigned Depth) {
  const Expr *A = E->Operands[0], *B = E->Operands[1];
  if (E->Op == ExprOp::Shl) {
    if (B->dependsOn(Mask))
      return false;
    // A constant shift is the multiplication it stands for.
    const Expr *Scale = B->isConstant() && B->Payload < 63
                            ? Pool.constant(uint64_t(1) << B->Payload, 64)
                            : Pool.binary(ExprOp::Shl, Pool.constant(1, 64),
                                          Pool.resize(B, 64, false));
    return add(A, Pool.binary(ExprOp::Mul, Factor, Scale), Signed, Depth + 1);
  }
  if (B->dependsOn(Mask))
    std::swap(A, B);
  if (B->dependsOn(Mask))
    return false;
  // A negative constant stays negative whatever the operation's type.
  bool ScaleSigned = Signed || B->isConstant();
  return add(A,
             Pool.binary(ExprOp::Mul, Factor, Pool.resize(B, 64, ScaleSigned)),
             Signed, Depth + 1);
}

bool Decomposer::add(const Expr *E, const Expr *Factor, bool Signed,
                     unsigned Depth) {
  if (++Steps > 400 || Depth > 100)
    return false;
  if (isVariable(E)) {
    addTerm(E, Factor);
    return true;
  }
  if (!E->dependsOn(Mask)) {
    Out.Rest = Pool.binary(
        ExprOp::Add, Out.Rest,
        Pool.binary(ExprOp::Mul, Pool.resize(E, 64, Signed || E->isConstant()),
                    Factor));
    return true;
  }
  switch (E->Op) {
  case ExprOp::Add:
    Out.WrapAssumed |= E->Bits < 64;
    return add(E->Operands[0], Factor, Signed, Depth + 1) &&
           add(E->Operands[1], Factor, Signed, Depth + 1);
  case ExprOp::Mul:
  case ExprOp::Shl:
    Out.WrapAssumed |= E->Bits < 64;
    return scaled(E, Factor, Signed, Depth);
  case ExprOp::SExt:
    return add(E->Operands[0], Factor, true, Depth + 1);
  case ExprOp::ZExt:
    return E->Operands[0]->Bits > 1 &&
           add(E->Operands[0], Factor, false, Depth + 1);
  case ExprOp::Trunc:
    Out.WrapAssumed = true;
    return E->Bits >= 32 && add(E->Operands[0], Factor, Signed, Depth + 1);
  default:
    return false;
  }
}

bool affineForm(const Expr *E, unsigned Mask, ExprPool &Pool, AffineForm &Out,
                bool Signed) {
  Out = AffineForm();
  if (E->IsFloat ||
      !Decomposer(Pool, Mask, Out).add(E, Pool.constant(1, 64), Signed)) {
    // The terms found so far are not all.
    Out = AffineForm();
    return false;
  }
  erase_if(Out.Terms,
           [](const AffineForm::Term &T) { return T.Factor->isConstant(0); });
  return true;
}

} // namespace heddle
