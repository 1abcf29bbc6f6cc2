//===- ScalarTypes.h - Element types of launch arguments --------*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_SCALARTYPES_H
#define HEDDLE_LAUNCH_SCALARTYPES_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::launch {

/// "f32", "u8", ...
std::string_view nameOf(ScalarType Type);
/// The type called \p Name.
std::optional<ScalarType> scalarType(std::string_view Name);
/// All names, for messages.
std::string scalarTypeNames();
size_t sizeOf(ScalarType Type);
bool isFloat(ScalarType Type);

/// Writes one element at \p To; integers wrap to the size of the type.
void storeInteger(ScalarType Type, int64_t Value, uint8_t *To);
/// Rounds to a floating type, truncates towards minus infinity to an integer.
void storeFloat(ScalarType Type, double Value, uint8_t *To);
/// Writes the number in its own type; returns the bytes that it has.
size_t store(const ScalarArg &Scalar, uint8_t *To);
/// The element at \p From as text: shortest form that reads back the same.
std::string elementText(ScalarType Type, const uint8_t *From);
/// The element at \p From as a number; 64-bit integers lose low bits.
double elementValue(ScalarType Type, const uint8_t *From);

/// Parses a whole number (decimal or 0x, with sign) that \p Type can hold.
std::optional<int64_t> parseInteger(ScalarType Type, std::string_view Text);
/// Parses a finite or infinite number or nan.
std::optional<double> parseFloat(std::string_view Text);
/// Parses an unsigned count; nothing if it is not one or above \p Max.
std::optional<uint64_t> parseCount(std::string_view Text, uint64_t Max);

/// Lays out the members of a struct as C does: each at the next multiple of its
/// own alignment, the whole rounded up to the largest one. The elements of a
/// vector are aligned like an array's; wider alignment takes explicit padding.
class StructMembers {
public:
  /// Appends \p Member. A buffer is a pointer; local memory, images and
  /// samplers cannot be members.
  Result<void> add(const Argument &Member);
  /// Leaves out \p SizeBytes.
  Result<void> pad(uint64_t SizeBytes);
  /// The struct of the members so far.
  BytesArg finish();

private:
  uint8_t *append(uint64_t SizeBytes, uint32_t Alignment);

  BytesArg Struct;
};

/// The most bytes of parameters that a kernel takes (PTX ISA: 32764 from
/// sm_70 on).
constexpr uint64_t MaxStructBytes = 32764;

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_SCALARTYPES_H
