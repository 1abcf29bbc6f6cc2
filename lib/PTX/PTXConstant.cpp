//===- PTXConstant.cpp - Constant expressions of PTX ----------------------===//

#include "heddle/PTX/PTXConstant.h"

#include "heddle/ABI/WarpKernel.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::ptx {

namespace {

APSInt integerOf(uint64_t Bits, bool IsUnsigned) {
  return APSInt(APInt(64, Bits), IsUnsigned);
}

/// An operator between two operands; a higher level binds tighter.
struct BinaryOperator {
  StringLiteral Text;
  unsigned Level;
};

/// What begins with another stands before it.
constexpr BinaryOperator BinaryOperators[] = {
    {"||", 1}, {"&&", 2}, {"<<", 8}, {">>", 8}, {"==", 6}, {"!=", 6},
    {"<=", 7}, {">=", 7}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
    {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

std::optional<Constant> combineFloats(StringRef Op, APFloat X,
                                      const APFloat &Y) {
  const auto Order = X.compare(Y);
  const bool Less = Order == APFloat::cmpLessThan,
             Equal = Order == APFloat::cmpEqual,
             Greater = Order == APFloat::cmpGreaterThan;
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  if (Op == "+")
    X.add(Y, Nearest);
  else if (Op == "-")
    X.subtract(Y, Nearest);
  else if (Op == "*")
    X.multiply(Y, Nearest);
  else if (Op == "/")
    X.divide(Y, Nearest);
  else if (Op == "==" || Op == "!=")
    return integerOf(Equal == (Op == "=="), false);
  else if (Op == "<" || Op == "<=")
    return integerOf(Less || (Equal && Op == "<="), false);
  else if (Op == ">" || Op == ">=")
    return integerOf(Greater || (Equal && Op == ">="), false);
  else
    return std::nullopt;
  return X;
}

/// A truth value; nothing for other operators.
std::optional<bool> compareIntegers(StringRef Op, const APSInt &X,
                                    const APSInt &Y) {
  if (Op == "==")
    return X == Y;
  if (Op == "!=")
    return X != Y;
  if (Op == "<")
    return X < Y;
  if (Op == "<=")
    return X <= Y;
  if (Op == ">")
    return X > Y;
  if (Op == ">=")
    return X >= Y;
  if (Op == "&&")
    return !X.isZero() && !Y.isZero();
  if (Op == "||")
    return !X.isZero() || !Y.isZero();
  return std::nullopt;
}

std::optional<Constant> combineIntegers(StringRef Op, APSInt X, APSInt Y) {
  // The left operand alone says how a shift is done, modulo 64.
  const unsigned Amount = Y.getZExtValue() % 64;
  if (Op == "<<")
    return X << Amount;
  if (Op == ">>")
    return X >> Amount;
  const bool IsUnsigned = X.isUnsigned() || Y.isUnsigned();
  X.setIsUnsigned(IsUnsigned);
  Y.setIsUnsigned(IsUnsigned);
  if (const auto Holds = compareIntegers(Op, X, Y))
    return integerOf(*Holds, false);
  switch (Op[0]) {
  case '+':
    return X + Y;
  case '-':
    return X - Y;
  case '*':
    return X * Y;
  case '|':
    return X | Y;
  case '^':
    return X ^ Y;
  case '&':
    return X & Y;
  }
  if (Y.isZero())
    return std::nullopt;
  return Op == "/" ? X / Y : X % Y;
}

std::optional<Constant> combine(StringRef Op, const Constant &X,
                                const Constant &Y) {
  if (X.index() != Y.index())
    return std::nullopt;
  if (const auto *Number = std::get_if<APFloat>(&X))
    return combineFloats(Op, *Number, std::get<APFloat>(Y));
  return combineIntegers(Op, std::get<APSInt>(X), std::get<APSInt>(Y));
}

/// The bits of "0d3FF0000000000000", whose prefix has been read.
std::optional<APInt> bitsOf(StringRef Digits, unsigned Width) {
  APInt Bits;
  if (Digits.size() > Width / 4 || Digits.getAsInteger(16, Bits))
    return std::nullopt;
  return Bits.zextOrTrunc(Width);
}

class ConstantReader {
public:
  explicit ConstantReader(StringRef Text) : Rest(Text.ltrim()) {}

  std::optional<Constant> read() {
    auto Value = readChoice();
    return Rest.empty() ? Value : std::nullopt;
  }

private:
  bool consume(StringRef Text) {
    if (!Rest.consume_front(Text))
      return false;
    Rest = Rest.ltrim();
    return true;
  }

  std::optional<Constant> readChoice();
  std::optional<Constant> readBinary(unsigned Level);
  std::optional<Constant> readUnary();
  std::optional<Constant> readOperator(char Op);
  std::optional<Constant> readPrimary();
  std::optional<Constant> readFloat();
  std::optional<Constant> readLiteral();

  StringRef Rest;
  unsigned Depth = 0;
  static constexpr unsigned MaxDepth = 256;
};

/// "A ? B : C"
std::optional<Constant> ConstantReader::readChoice() {
  if (++Depth > MaxDepth)
    return std::nullopt;
  auto Value = readBinary(1);
  if (Value && consume("?")) {
    const auto *Condition = std::get_if<APSInt>(&*Value);
    const auto Then = readChoice();
    if (!Condition || !Then || !consume(":"))
      return std::nullopt;
    const auto Else = readChoice();
    const auto *X = std::get_if<APSInt>(&*Then),
               *Y = Else ? std::get_if<APSInt>(&*Else) : nullptr;
    if (!X || !Y)
      return std::nullopt;
    APSInt Chosen = Condition->isZero() ? *Y : *X;
    Chosen.setIsUnsigned(X->isUnsigned() || Y->isUnsigned());
    Value = Chosen;
  }
  --Depth;
  return Value;
}

/// Operators of \p Level and of those that bind tighter.
std::optional<Constant> ConstantReader::readBinary(unsigned Level) {
  auto Value = readUnary();
  while (Value) {
    const auto *Op = find_if(BinaryOperators, [&](const BinaryOperator &O) {
      return Rest.starts_with(O.Text);
    });
    if (Op == std::end(BinaryOperators) || Op->Level < Level)
      break;
    consume(Op->Text);
    const auto Right = readBinary(Op->Level + 1);
    Value = Right ? combine(Op->Text, *Value, *Right) : std::nullopt;
  }
  return Value;
}

std::optional<Constant> ConstantReader::readUnary() {
  for (char Op : {'+', '-', '!', '~'})
    if (consume(StringRef(&Op, 1)))
      return readOperator(Op);
  for (bool IsUnsigned : {false, true}) {
    if (!consume(IsUnsigned ? "(.u64)" : "(.s64)"))
      continue;
    auto Value = readOperator('+');
    auto *Number = Value ? std::get_if<APSInt>(&*Value) : nullptr;
    if (!Number)
      return std::nullopt;
    Number->setIsUnsigned(IsUnsigned);
    return Value;
  }
  return readPrimary();
}

/// The operand of \p Op, which has been read, and what it makes of it.
std::optional<Constant> ConstantReader::readOperator(char Op) {
  if (++Depth > MaxDepth)
    return std::nullopt;
  auto Value = readUnary();
  --Depth;
  if (!Value || Op == '+')
    return Value;
  if (auto *Number = std::get_if<APFloat>(&*Value)) {
    if (Op != '-')
      return std::nullopt;
    Number->changeSign();
    return Value;
  }
  const APSInt &Number = std::get<APSInt>(*Value);
  if (Op == '!')
    return integerOf(Number.isZero(), false);
  return Op == '-' ? -Number : ~Number;
}

std::optional<Constant> ConstantReader::readPrimary() {
  if (consume("(")) {
    auto Value = readChoice();
    return consume(")") ? Value : std::nullopt;
  }
  if (Rest.empty() || (!isDigit(Rest[0]) && Rest[0] != '.' &&
                       Rest.take_while(isNamePart) != "WARP_SZ"))
    return std::nullopt;
  auto Value = readLiteral();
  Rest = Rest.ltrim();
  return Value;
}

/// "1.5", "1e-3", ".5" or "0d3FF0000000000000"; what neither is zero nor a
/// normal number is refused, as ptxas does.
std::optional<Constant> ConstantReader::readFloat() {
  if (Rest.consume_front_insensitive("0d")) {
    const StringRef Digits = Rest.take_while(isHexDigit);
    Rest = Rest.drop_front(Digits.size());
    const auto Bits = bitsOf(Digits, 64);
    if (!Bits)
      return std::nullopt;
    return APFloat(APFloat::IEEEdouble(), *Bits);
  }
  StringRef Text = Rest;
  auto SkipDigits = [&] { Text = Text.drop_while(isDigit); };
  SkipDigits();
  if (Text.consume_front("."))
    SkipDigits();
  if (Text.consume_front_insensitive("e")) {
    if (!Text.consume_front("-"))
      Text.consume_front("+");
    SkipDigits();
  }
  Text = StringRef(Rest.data(), Text.data() - Rest.data());
  Rest = Rest.drop_front(Text.size());
  if (!isDigit(Text.back()) && Text.back() != '.') // "1e", which LLVM takes
    return std::nullopt;
  APFloat Number(APFloat::IEEEdouble());
  auto Status = Number.convertFromString(Text, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return std::nullopt;
  }
  if (*Status & (APFloat::opOverflow | APFloat::opUnderflow))
    return std::nullopt;
  return Number;
}

/// An integer, decimal, octal, binary or hexadecimal; WARP_SZ; a float.
std::optional<Constant> ConstantReader::readLiteral() {
  const StringRef Word = Rest.take_while(isNamePart);
  const StringRef Digits = Rest.take_while(isDigit);
  const StringRef Behind = Rest.drop_front(Digits.size());
  if (Behind.starts_with(".") || Behind.starts_with_insensitive("e") ||
      Rest.starts_with_insensitive("0d"))
    return readFloat();
  Rest = Rest.drop_front(Word.size());
  if (Word == "WARP_SZ")
    return integerOf(HEDDLE_WARP_SIZE, false);
  StringRef Number = Word;
  const bool IsUnsigned = Number.consume_back("U");
  APInt Bits;
  if (Number.getAsInteger(0, Bits) || Bits.getActiveBits() > 64)
    return std::nullopt;
  Bits = Bits.zextOrTrunc(64);
  return APSInt(Bits, IsUnsigned || Bits.isNegative());
}

} // namespace

std::optional<Constant> readConstant(StringRef Text) {
  return ConstantReader(Text).read();
}

std::optional<int64_t> readInteger(StringRef Text) {
  const auto Value = readConstant(Text);
  const auto *Number = Value ? std::get_if<APSInt>(&*Value) : nullptr;
  if (!Number)
    return std::nullopt;
  return int64_t(Number->getZExtValue());
}

std::optional<APFloat> readSingle(StringRef Text) {
  Text = Text.trim();
  if (!Text.consume_front_insensitive("0f"))
    return std::nullopt;
  const auto Bits = bitsOf(Text, 32);
  if (!Bits)
    return std::nullopt;
  return APFloat(APFloat::IEEEsingle(), *Bits);
}

APFloat roundedTo(APFloat Number, const fltSemantics &Semantics) {
  // Else a signalling NaN would become a quiet one.
  if (&Number.getSemantics() == &Semantics)
    return Number;
  bool LosesInfo;
  Number.convert(Semantics, APFloat::rmNearestTiesToEven, &LosesInfo);
  return Number;
}

} // namespace heddle::ptx
