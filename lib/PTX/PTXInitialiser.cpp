//===- PTXInitialiser.cpp - First contents of variables in PTX ------------===//

#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXInstructions.h"
#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace heddle::ptx {

/// "generic(name)+8" or "name".
static std::optional<InitialAddress> readAddress(StringRef Text) {
  InitialAddress A;
  const size_t At = std::min(Text.find_first_of("+-"), Text.size());
  StringRef Symbol = Text.take_front(At).trim();
  if (At != Text.size()) {
    const auto Addend = readInteger(Text.drop_front(At));
    if (!Addend)
      return std::nullopt;
    A.AddendBytes = *Addend;
  }
  A.IsGeneric = Symbol.consume_front("generic(") && Symbol.consume_back(")");
  A.Symbol = Symbol.trim().str();
  if (A.Symbol.empty() || isDigit(A.Symbol[0]) || !all_of(A.Symbol, isNamePart))
    return std::nullopt;
  return A;
}

/// "0f3F800000", "0d3FF0000000000000"
static std::string hexadecimal(const APInt &Bits) {
  const bool IsSingle = Bits.getBitWidth() == 32;
  return (IsSingle ? "0f" : "0d") +
         utohexstr(Bits.getZExtValue(), /*LowerCase=*/false, IsSingle ? 8 : 16);
}

/// A variable of more bytes gets no initialiser: all of it is held at once.
static constexpr uint64_t MaxInitialised = uint64_t(1) << 28;

namespace {

class InitialiserReader {
public:
  InitialiserReader(StringRef Text, StringRef Type, ArrayRef<uint64_t> Sizes,
                    Variable &V)
      : Rest(Text.ltrim()), TypeName(Type), Type(*findType(Type)), Sizes(Sizes),
        V(V) {}

  Error read();

private:
  bool consume(char C) {
    if (!Rest.consume_front(StringRef(&C, 1)))
      return false;
    Rest = Rest.ltrim();
    return true;
  }
  bool isFloat() const { return TypeName == "f32" || TypeName == "f64"; }
  /// Bytes of what a brace holds that stands within \p Depth others; 0 if the
  /// initialiser says it.
  uint64_t bytesAt(size_t Depth) const {
    uint64_t Bytes = Type.Bytes;
    for (uint64_t N : Sizes.drop_front(std::min(Depth, Sizes.size())))
      Bytes *= N;
    return Bytes;
  }
  Error readList(size_t Depth);
  Error readElement();
  bool addAddress(StringRef Text);
  Error addInteger(StringRef Text, const APSInt &Number);
  Error addFloat(StringRef Text, const APFloat &Number);
  void append(const APInt &Bits) {
    for (unsigned I = 0; I < Type.Bytes; ++I)
      V.Init.push_back(uint8_t(Bits.extractBitsAsZExtValue(8, 8 * I)));
  }
  Error doesNotFit() const {
    return createStringError("the initialiser of '" + V.Name +
                             "' is not numbers that fit");
  }

  StringRef Rest, TypeName;
  const HeddlePTXType &Type;
  ArrayRef<uint64_t> Sizes;
  Variable &V;
};

/// What stands between braces within \p Depth others; the rest of it is zero.
Error InitialiserReader::readList(size_t Depth) {
  if (Depth > Sizes.size())
    return doesNotFit();
  const size_t Begin = V.Init.size();
  while (!V.HoldsUnreadAddresses && !consume('}')) {
    if (Error E = consume('{') ? readList(Depth + 1) : readElement())
      return E;
    if (!consume(',') && !Rest.starts_with("}"))
      return doesNotFit();
  }
  if (V.HoldsUnreadAddresses)
    return Error::success();
  uint64_t End = Begin + bytesAt(Depth);
  if (const uint64_t Row = bytesAt(Depth + 1); Depth == 0 && End == 0 && Row)
    End = alignTo(V.Init.size(), Row);
  if (End > MaxInitialised)
    return createStringError("'" + V.Name + "' is too large to be initialised");
  if (V.Init.size() > End)
    return doesNotFit();
  V.Init.resize(End);
  return Error::success();
}

Error InitialiserReader::readElement() {
  size_t End = 0;
  for (unsigned Depth = 0; End < Rest.size(); ++End) {
    if (!Depth && StringRef(",{}").contains(Rest[End]))
      break;
    Depth += Rest[End] == '(';
    Depth -= Depth && Rest[End] == ')';
  }
  const StringRef Text = Rest.take_front(End).rtrim();
  Rest = Rest.drop_front(End);
  if (const auto Single = readSingle(Text))
    return addFloat(Text, *Single);
  if (const auto Value = readConstant(Text)) {
    if (const auto *Number = std::get_if<APSInt>(&*Value))
      return addInteger(Text, *Number);
    return addFloat(Text, std::get<APFloat>(*Value));
  }
  if (addAddress(Text)) {
    append(APInt::getZero(64));
    return Error::success();
  }
  if (Text.empty() || (!isAlpha(Text[0]) && Text[0] != '_' && Text[0] != '$' &&
                       !Text.contains('(')))
    return doesNotFit();
  V.HoldsUnreadAddresses = true;
  return Error::success();
}

/// An address in an array of words, or "0xFF00(generic(name))", a byte of one
/// in an array of bytes that has all eight in order.
bool InitialiserReader::addAddress(StringRef Text) {
  unsigned Byte = 0;
  if (Type.Bytes == 1) {
    auto [Mask, Inner] = Text.split('(');
    uint64_t Bits;
    if (Mask.getAsInteger(0, Bits) || !Inner.consume_back(")") || !Bits ||
        Bits != uint64_t(0xff) << countr_zero(Bits))
      return false;
    Byte = countr_zero(Bits) / 8;
    Text = Inner;
  }
  std::optional<InitialAddress> A = readAddress(Text);
  if (!A || (Type.Bytes != 1 && Type.Bytes != 8))
    return false;
  A->OffsetBytes = V.Init.size() - Byte;
  const bool Overlaps = !V.Addresses.empty() &&
                        V.Init.size() < V.Addresses.back().OffsetBytes + 8;
  if (Byte == 0 && !Overlaps)
    V.Addresses.push_back(*A);
  return !V.Addresses.empty() && V.Addresses.back() == *A;
}

Error InitialiserReader::addInteger(StringRef Text, const APSInt &Number) {
  if (!isFloat()) {
    append(Number.extOrTrunc(8 * Type.Bytes));
    return Error::success();
  }
  APFloat Meant(TypeName == "f32" ? APFloat::IEEEsingle()
                                  : APFloat::IEEEdouble());
  Meant.convertFromAPInt(Number, Number.isSigned(),
                         APFloat::rmNearestTiesToEven);
  const std::string Advice =
      Text.starts_with_insensitive("0x")
          ? hexadecimal(Number.extOrTrunc(8 * Type.Bytes)) +
                " if these are its bits"
          : toString(Number, 10) + ".0 or " +
                hexadecimal(Meant.bitcastToAPInt());
  return createStringError(
      "'" + V.Name + "' is of type ." + TypeName + " and '" + Text +
      "' is an integer, which PTX does not convert: write " + Advice);
}

/// An .f32 and a .b32 get the number in single, others in double precision.
Error InitialiserReader::addFloat(StringRef Text, const APFloat &Number) {
  const bool IsSingle = Type.Bytes == 4,
             Fits = isFloat() || TypeName == "b32" || TypeName == "b64";
  // The bits of a single in a double are no number that anybody means.
  if (Fits && (IsSingle || &Number.getSemantics() == &APFloat::IEEEdouble())) {
    append(roundedTo(Number,
                     IsSingle ? APFloat::IEEEsingle() : APFloat::IEEEdouble())
               .bitcastToAPInt());
    return Error::success();
  }
  return createStringError(
      "'" + V.Name + "' is of type ." + TypeName + " and cannot hold '" + Text +
      "': " +
      (Fits ? "write a decimal number, or 0d and the bits of a double"
            : "declare it .f32 or .f64, or write an integer"));
}

Error InitialiserReader::read() {
  if (TypeName.contains("f16"))
    return createStringError(
        "'" + V.Name + "' is of type ." + TypeName +
        ", which has no initialiser in PTX: declare it .b" +
        Twine(8 * Type.Bytes));
  // A number alone begins an array too, as it always did here.
  if (Error E = consume('{') ? readList(0) : readElement())
    return E;
  if (!V.HoldsUnreadAddresses && !Rest.empty())
    return doesNotFit();
  if (V.SizeBytes == 0)
    V.SizeBytes = V.Init.size();
  if (V.Init.size() > V.SizeBytes || V.SizeBytes == 0)
    return doesNotFit();
  if (!V.Addresses.empty() && V.Addresses.back().OffsetBytes + 8 > V.SizeBytes)
    V.HoldsUnreadAddresses = true;
  if (V.HoldsUnreadAddresses)
    V.Addresses.clear();
  V.Init.resize(V.HoldsUnreadAddresses ? 0 : V.SizeBytes);
  return Error::success();
}

} // namespace

Error readInitialiser(StringRef Text, StringRef Type, ArrayRef<uint64_t> Sizes,
                      Variable &V) {
  return InitialiserReader(Text, Type, Sizes, V).read();
}

} // namespace heddle::ptx
