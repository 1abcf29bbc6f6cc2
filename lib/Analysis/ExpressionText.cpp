//===- ExpressionText.cpp - Formulas as one writes them in C --------------===//

#include "heddle/Analysis/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Value.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace llvm;

namespace heddle {

std::string variableName(const Value &Variable) {
  if (!Variable.hasName())
    return "local";
  std::string Name = demangle(Variable.getName());
  size_t Scope = Name.rfind("::");
  return Scope == std::string::npos ? Name : Name.substr(Scope + 2);
}

namespace {

/// Binding strengths of C's operators, the tighter the greater.
enum Strength : unsigned {
  Ternary = 1,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Unary,
  Primary
};

constexpr size_t MaxText = 240;

class Printer {
public:
  Printer(const ExprNames &Names, const ExprPool &Pool)
      : Names(Names), Pool(Pool) {}

  std::string print(const Expr *E, unsigned Outer = 0);

private:
  std::string leaf(const Expr *E);
  std::string argument(uint64_t Number) const;
  std::string call(StringRef Name, const Expr *E);
  std::string infix(const Expr *E, StringRef Operator, Strength S,
                    unsigned Outer);
  std::string sum(const Expr *E, unsigned Outer);
  std::string compare(const Expr *E, unsigned Outer);
  std::string wrap(std::string Text, Strength S, unsigned Outer);

  const ExprNames &Names;
  const ExprPool &Pool;
  size_t Spent = 0;
};

} // namespace

std::string Printer::argument(uint64_t Number) const {
  if (Number < Names.Arguments.size() && !Names.Arguments[Number].empty())
    return Names.Arguments[Number];
  return "arg" + std::to_string(Number);
}

static std::string constantText(const Expr *E) {
  if (!E->IsFloat)
    return E->Bits == 1 ? (E->Payload ? "true" : "false")
                        : std::to_string(E->signedValue());
  double Value = E->Bits == 64   ? std::bit_cast<double>(E->Payload)
                 : E->Bits == 32 ? std::bit_cast<float>(uint32_t(E->Payload))
                                 : 0;
  if (E->Bits == 16)
    return "half(0x" + utohexstr(E->Payload) + ")";
  char Text[32];
  snprintf(Text, sizeof(Text), "%g", Value);
  return Text;
}

std::string Printer::leaf(const Expr *E) {
  switch (E->Op) {
  case ExprOp::Constant:
    return constantText(E);
  case ExprOp::Argument:
    return argument(E->Payload);
  case ExprOp::Field:
    return argument(E->Payload >> 32) + ".byte" +
           std::to_string(uint32_t(E->Payload));
  case ExprOp::Object:
    return variableName(*E->Source);
  case ExprOp::Special:
    return nameOf(SpecialValue(E->Payload)).str();
  case ExprOp::Iteration:
    return "L" + std::to_string(E->Payload);
  case ExprOp::State: {
    const Recurrence &R = Pool.recurrence(E->Payload >> 32);
    uint32_t Index = uint32_t(E->Payload);
    return Index < R.Names.size() ? R.Names[Index]
                                  : "s" + std::to_string(Index);
  }
  default:
    break;
  }
  StringRef Label = Pool.label(E);
  return Label.empty() ? "?" : Label.str();
}

std::string Printer::wrap(std::string Text, Strength S, unsigned Outer) {
  return unsigned(S) < Outer ? "(" + Text + ")" : Text;
}

std::string Printer::call(StringRef Name, const Expr *E) {
  std::string Text = Name.str() + "(";
  for (unsigned I = 0; I < E->Operands.size(); ++I)
    Text += (I ? ", " : "") + print(E->Operands[I]);
  return Text + ")";
}

std::string Printer::infix(const Expr *E, StringRef Operator, Strength S,
                           unsigned Outer) {
  std::string Left = print(E->Operands[0], S);
  return wrap(Left + " " + Operator.str() + " " + print(E->Operands[1], S + 1),
              S, Outer);
}

/// a + -1 * b is a - b.
std::string Printer::sum(const Expr *E, unsigned Outer) {
  auto Negative = [](const Expr *X) -> const Expr * {
    return X->Op == ExprOp::Mul && X->Operands[1]->isConstant() &&
                   X->Operands[1]->signedValue() == -1
               ? X->Operands[0]
               : nullptr;
  };
  const Expr *A = E->Operands[0], *B = E->Operands[1];
  if (Negative(A) && !Negative(B) && !B->isConstant())
    std::swap(A, B);
  std::string Left = print(A, Sum);
  if (const Expr *N = Negative(B))
    return wrap(Left + " - " + print(N, Product), Sum, Outer);
  if (B->isConstant() && B->signedValue() < 0)
    return wrap(Left + " - " + std::to_string(0 - uint64_t(B->signedValue())),
                Sum, Outer);
  return wrap(Left + " + " + print(B, Sum), Sum, Outer);
}

std::string Printer::compare(const Expr *E, unsigned Outer) {
  const StringRef Name =
      CmpInst::getPredicateName(CmpInst::Predicate(unsigned(E->Payload)));
  // Without the letters for signed, unsigned, ordered and unordered.
  const StringRef Operator = StringSwitch<StringRef>(Name.ltrim("sou"))
                                 .Case("eq", "==")
                                 .Case("ne", "!=")
                                 .Case("gt", ">")
                                 .Case("ge", ">=")
                                 .Case("lt", "<")
                                 .Case("le", "<=")
                                 .Default("");
  if (Operator.empty())
    return call(Name, E);
  const bool Ordered = Operator[0] == '<' || Operator[0] == '>';
  return infix(E, Operator, Ordered ? Relation : Equality, Outer);
}

namespace {
/// How C writes an operation: between its operands, or as a function of them.
struct Spelling {
  ExprOp Op;
  const char *Text;
  Strength S = Primary; ///< Primary: a function
};
} // namespace

static constexpr Spelling Spellings[] = {
    {ExprOp::Mul, "*", Product},
    {ExprOp::FMul, "*", Product},
    {ExprOp::UDiv, "/", Product},
    {ExprOp::SDiv, "/", Product},
    {ExprOp::FDiv, "/", Product},
    {ExprOp::URem, "%", Product},
    {ExprOp::SRem, "%", Product},
    {ExprOp::FAdd, "+", Sum},
    {ExprOp::FSub, "-", Sum},
    {ExprOp::Shl, "<<", Shift},
    {ExprOp::LShr, ">>", Shift},
    {ExprOp::AShr, ">>", Shift},
    {ExprOp::And, "&", BitAnd},
    {ExprOp::Or, "|", BitOr},
    {ExprOp::Xor, "^", BitXor},
    {ExprOp::SMin, "min"},
    {ExprOp::UMin, "min"},
    {ExprOp::FMin, "min"},
    {ExprOp::SMax, "max"},
    {ExprOp::UMax, "max"},
    {ExprOp::FMax, "max"},
    {ExprOp::Pow, "pow"},
    {ExprOp::FAbs, "fabs"},
    {ExprOp::FSqrt, "sqrt"},
    {ExprOp::FFloor, "floor"},
    {ExprOp::FCeil, "ceil"},
    {ExprOp::FTrunc, "trunc"},
    {ExprOp::FRound, "rint"},
    {ExprOp::FMulAdd, "fma"},
    {ExprOp::PopCount, "popcount"},
    {ExprOp::LeadingZeros, "clz"},
    {ExprOp::TrailingZeros, "ctz"},
    {ExprOp::BitReverse, "bitreverse"},
    {ExprOp::FPToInt, "int"},
    {ExprOp::BitCast, "bits"},
};

std::string Printer::print(const Expr *E, unsigned Outer) {
  if (Spent > MaxText || E->Depth > 200)
    return "...";
  if (E->isLeaf()) {
    std::string Text = leaf(E);
    Spent += Text.size();
    if (E->isConstant() && Text[0] == '-' && Outer > Sum)
      return "(" + Text + ")";
    return Text;
  }
  Spent += 3;
  switch (E->Op) {
  case ExprOp::Add:
    return sum(E, Outer);
  case ExprOp::Mul:
    if (E->Operands[1]->isConstant()) // 4 * n reads better than n * 4
      return wrap(print(E->Operands[1], Product) + " * " +
                      print(E->Operands[0], Product + 1),
                  Product, Outer);
    break;
  case ExprOp::And:
    if (E->Bits == 1)
      return infix(E, "&&", LogicalAnd, Outer);
    break;
  case ExprOp::Or:
    if (E->Bits == 1)
      return infix(E, "||", LogicalOr, Outer);
    break;
  case ExprOp::Xor:
    if (E->Bits == 1 && E->Operands[1]->isConstant(1))
      return "!" + print(E->Operands[0], Unary);
    break;
  case ExprOp::FNeg:
    return "-" + print(E->Operands[0], Unary);
  // Widths are no part of what one reads, but what a narrowing cuts off is.
  case ExprOp::ZExt:
  case ExprOp::SExt:
  case ExprOp::FCast:
    return print(E->Operands[0], Outer);
  case ExprOp::Trunc:
    if (E->Bits == 32 && E->Operands[0]->Bits == 64)
      return print(E->Operands[0], Outer);
    return call("u" + std::to_string(E->Bits), E);
  case ExprOp::IntToFP:
    return call(E->Bits == 64 ? "double" : "float", E);
  case ExprOp::Compare:
    return compare(E, Outer);
  case ExprOp::Select: {
    std::string Text = print(E->Operands[0], Ternary + 1);
    Text += " ? " + print(E->Operands[1], Ternary + 1);
    Text += " : " + print(E->Operands[2], Ternary);
    return wrap(std::move(Text), Ternary, Outer);
  }
  case ExprOp::StateAt: {
    const Recurrence &R = Pool.recurrence(E->Payload >> 32);
    uint32_t Index = uint32_t(E->Payload);
    std::string Name = Index < R.Names.size() ? R.Names[Index] : "s";
    return Name + "[" + print(E->Operands[0]) + "]";
  }
  case ExprOp::FirstTrue:
    return "first L" + std::to_string(E->Payload) + " with " +
           print(E->Operands[0], LogicalOr);
  default:
    break;
  }
  const auto *How = find_if(Spellings, [&](auto &S) { return S.Op == E->Op; });
  if (How == std::end(Spellings))
    return "?";
  return How->S == Primary ? call(How->Text, E)
                           : infix(E, How->Text, How->S, Outer);
}

std::string text(const Expr *E, const ExprNames &Names, const ExprPool &Pool) {
  std::string Text = Printer(Names, Pool).print(E);
  // What a recurrence's states mean, once each.
  SmallVector<uint32_t, 4> Seen;
  SmallVector<const Expr *, 16> Work = {E};
  for (size_t I = 0; I < Work.size() && I < 400; ++I) {
    if (Work[I]->Op == ExprOp::StateAt &&
        !is_contained(Seen, uint32_t(Work[I]->Payload >> 32)))
      Seen.push_back(Work[I]->Payload >> 32);
    Work.append(Work[I]->Operands.begin(), Work[I]->Operands.end());
  }
  for (uint32_t Number : Seen) {
    const Recurrence &R = Pool.recurrence(Number);
    for (unsigned I = 0; I < R.Starts.size() && I < 4; ++I)
      Text += (I ? ", " : " where ") + R.Names[I] + " = " +
              Printer(Names, Pool).print(R.Starts[I]) + ", then " +
              Printer(Names, Pool).print(R.Updates[I]);
  }
  return Text;
}

} // namespace heddle
