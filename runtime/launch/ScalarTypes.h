//===- ScalarTypes.h - Element types of launch arguments --------*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_SCALARTYPES_H
#define HEDDLE_LAUNCH_SCALARTYPES_H

#include "launch/Launch.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_SCALARTYPES_H
