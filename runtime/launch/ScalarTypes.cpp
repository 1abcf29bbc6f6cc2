//===- ScalarTypes.cpp - Element types of launch arguments ----------------===//

#include "launch/ScalarTypes.h"

#include "base/Fail.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace heddle::launch {

namespace {
struct TypeInfo {
  std::string_view Name;
  uint8_t Size;
  bool Float, Signed;
};
constexpr TypeInfo Types[] = {
    {"i8", 1, false, true},  {"u8", 1, false, false},
    {"i16", 2, false, true}, {"u16", 2, false, false},
    {"i32", 4, false, true}, {"u32", 4, false, false},
    {"i64", 8, false, true}, {"u64", 8, false, false},
    {"f16", 2, true, true},  {"f32", 4, true, true},
    {"f64", 8, true, true},  {"bf16", 2, true, true},
};
const TypeInfo &info(ScalarType Type) { return Types[size_t(Type)]; }

template <typename T> T load(const uint8_t *From) {
  T V;
  std::memcpy(&V, From, sizeof(T));
  return V;
}

/// bfloat16 is the upper half of a float.
float loadBFloat(const uint8_t *From) {
  return std::bit_cast<float>(uint32_t(load<uint16_t>(From)) << 16);
}
/// Rounds to nearest even; NaN stays NaN.
uint16_t bfloatBits(float Value) {
  const auto Bits = std::bit_cast<uint32_t>(Value);
  if (std::isnan(Value))
    return uint16_t(Bits >> 16 | 0x40);
  return uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
}
} // namespace

std::string_view nameOf(ScalarType Type) { return info(Type).Name; }
size_t sizeOf(ScalarType Type) { return info(Type).Size; }
bool isFloat(ScalarType Type) { return info(Type).Float; }

std::optional<ScalarType> scalarType(std::string_view Name) {
  for (size_t I = 0; I < std::size(Types); ++I)
    if (Types[I].Name == Name)
      return ScalarType(I);
  return std::nullopt;
}

std::string scalarTypeNames() {
  std::string Names;
  for (const TypeInfo &T : Types)
    Names += fmt::format("{}{}", Names.empty() ? "" : ", ", T.Name);
  return Names;
}

void storeInteger(ScalarType Type, int64_t Value, uint8_t *To) {
  if (isFloat(Type))
    return storeFloat(Type, double(Value), To);
  std::memcpy(To, &Value, sizeOf(Type)); // little-endian host and device
}

void storeFloat(ScalarType Type, double Value, uint8_t *To) {
  if (Type == ScalarType::F64) {
    std::memcpy(To, &Value, 8);
  } else if (Type == ScalarType::F32) {
    float V = float(Value);
    std::memcpy(To, &V, 4);
  } else if (Type == ScalarType::F16) {
    _Float16 V = _Float16(Value);
    std::memcpy(To, &V, 2);
  } else if (Type == ScalarType::BF16) {
    uint16_t V = bfloatBits(float(Value));
    std::memcpy(To, &V, 2);
  } else {
    double V = std::floor(Value);
    // Casts outside the range are undefined, so clamp to what 64 bits hold.
    uint64_t Bits = V < 0 ? uint64_t(int64_t(std::max(V, -0x1p63)))
                          : uint64_t(std::min(V, 0x1.fffffffffffffp63));
    std::memcpy(To, &Bits, sizeOf(Type));
  }
}

size_t store(const ScalarArg &Scalar, uint8_t *To) {
  isFloat(Scalar.Type) ? storeFloat(Scalar.Type, Scalar.Float, To)
                       : storeInteger(Scalar.Type, Scalar.Integer, To);
  return sizeOf(Scalar.Type);
}

/// \p Do with the element at \p From as a number that keeps its value.
template <typename Function>
static auto withElement(ScalarType Type, const uint8_t *From, Function Do) {
  switch (Type) {
  case ScalarType::I8:
    return Do(int(load<int8_t>(From)));
  case ScalarType::U8:
    return Do(unsigned(load<uint8_t>(From)));
  case ScalarType::I16:
    return Do(load<int16_t>(From));
  case ScalarType::U16:
    return Do(load<uint16_t>(From));
  case ScalarType::I32:
    return Do(load<int32_t>(From));
  case ScalarType::U32:
    return Do(load<uint32_t>(From));
  case ScalarType::I64:
    return Do(load<int64_t>(From));
  case ScalarType::U64:
    return Do(load<uint64_t>(From));
  case ScalarType::F16:
    return Do(float(load<_Float16>(From)));
  case ScalarType::F32:
    return Do(load<float>(From));
  case ScalarType::F64:
    return Do(load<double>(From));
  case ScalarType::BF16:
    return Do(loadBFloat(From));
  }
  return Do(0);
}

std::string elementText(ScalarType Type, const uint8_t *From) {
  return withElement(Type, From, [](auto V) { return fmt::format("{}", V); });
}

double elementValue(ScalarType Type, const uint8_t *From) {
  return withElement(Type, From, [](auto V) { return double(V); });
}

std::optional<int64_t> parseInteger(ScalarType Type, std::string_view Text) {
  bool Negative = !Text.empty() && Text[0] == '-';
  std::string_view Digits = Text;
  if (Negative || (!Text.empty() && Text[0] == '+'))
    Digits.remove_prefix(1);
  int Base = 10;
  if (Digits.starts_with("0x") || Digits.starts_with("0X")) {
    Digits.remove_prefix(2);
    Base = 16;
  }
  uint64_t Magnitude = 0;
  auto [End, Code] = std::from_chars(
      Digits.data(), Digits.data() + Digits.size(), Magnitude, Base);
  if (Digits.empty() || Code != std::errc() ||
      End != Digits.data() + Digits.size())
    return std::nullopt;
  unsigned Bits = unsigned(sizeOf(Type)) * 8;
  bool Signed = info(Type).Signed;
  // Hexadecimal may spell out the bits of a negative number.
  uint64_t Max = Signed && (Negative || Base == 10)
                     ? (uint64_t(1) << (Bits - 1)) - (Negative ? 0 : 1)
                     : ~uint64_t(0) >> (64 - Bits);
  if (Magnitude > Max || (Negative && !Signed && Magnitude))
    return std::nullopt;
  return int64_t(Negative ? 0 - Magnitude : Magnitude);
}

std::optional<double> parseFloat(std::string_view Text) {
  if (Text.starts_with('+'))
    Text.remove_prefix(1);
  if (Text == ".nan" || Text == "nan" || Text == ".NaN")
    return std::numeric_limits<double>::quiet_NaN();
  if (Text == ".inf" || Text == "inf")
    return std::numeric_limits<double>::infinity();
  if (Text == "-.inf" || Text == "-inf")
    return -std::numeric_limits<double>::infinity();
  double Value = 0;
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Text.empty() || Code != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

std::optional<uint64_t> parseCount(std::string_view Text, uint64_t Max) {
  uint64_t Value = 0;
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Text.empty() || Code != std::errc() || End != Text.data() + Text.size() ||
      Value > Max)
    return std::nullopt;
  return Value;
}

uint8_t *StructMembers::append(uint64_t SizeBytes, uint32_t Alignment) {
  uint64_t Offset =
      (Struct.Bytes.size() + Alignment - 1) / Alignment * Alignment;
  Struct.Bytes.resize(Offset + SizeBytes);
  Struct.Alignment = std::max(Struct.Alignment, Alignment);
  return Struct.Bytes.data() + Offset;
}

static Result<void> checkSize(uint64_t SizeBytes) {
  if (SizeBytes > MaxStructBytes)
    return fail("a struct has more than the {} bytes that a kernel takes",
                MaxStructBytes);
  return {};
}

Result<void> StructMembers::add(const Argument &Member) {
  if (const auto *B = std::get_if<BufferArg>(&Member.Value)) {
    append(8, 8);
    Struct.Pointers.push_back({Struct.Bytes.size() - 8, *B});
  } else if (const auto *S = std::get_if<ScalarArg>(&Member.Value)) {
    const size_t Size = sizeOf(S->Type);
    uint8_t *To = append(Size, uint32_t(Size));
    store(*S, To);
  } else if (const auto *Inner = std::get_if<BytesArg>(&Member.Value)) {
    if (Result<void> Ok = checkSize(Inner->Bytes.size()); !Ok)
      return Ok;
    uint8_t *To = append(Inner->Bytes.size(), Inner->Alignment);
    std::copy(Inner->Bytes.begin(), Inner->Bytes.end(), To);
    for (const BytesArg::Pointer &P : Inner->Pointers)
      Struct.Pointers.push_back(
          {uint64_t(To - Struct.Bytes.data()) + P.Offset, P.Buffer});
  } else {
    return fail("local memory, images and samplers cannot be members of a "
                "struct");
  }
  return checkSize(Struct.Bytes.size());
}

Result<void> StructMembers::pad(uint64_t SizeBytes) {
  if (SizeBytes > MaxStructBytes)
    return checkSize(SizeBytes);
  append(SizeBytes, 1);
  return checkSize(Struct.Bytes.size());
}

BytesArg StructMembers::finish() {
  append(0, Struct.Alignment);
  return std::move(Struct);
}

} // namespace heddle::launch
