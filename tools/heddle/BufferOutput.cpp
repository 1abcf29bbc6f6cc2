//===- BufferOutput.cpp - --dump and --expect -----------------------------===//

#include "BufferOutput.h"

#include "Commands.h"
#include "base/OutputFile.h"
#include "launch/BufferInit.h"
#include "launch/ScalarTypes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace heddle::tool {

using launch::ScalarType;

const exec::DeviceBuffer &findBuffer(const exec::DeviceMemory &Memory,
                                     const std::string &Name) {
  auto Position = launch::parseCount(Name, UINT32_MAX);
  uint64_t Index = 0;
  std::string Names;
  for (const auto &B : Memory.buffers()) {
    if (B->Name == Name || (Position && B->IsArgument && Index == *Position))
      return *B;
    Index += B->IsArgument;
    Names += (Names.empty() ? "" : ", ") + B->Name;
  }
  throw CommandError{fmt::format("no buffer '{}'; there are: {}", Name, Names)};
}

/// Variables of the module have no element type: bytes.
static ScalarType typeOf(const exec::DeviceBuffer &B) {
  return B.Type.value_or(ScalarType::U8);
}

std::string dumpBuffer(const exec::DeviceMemory &Memory,
                       const std::string &Option) {
  size_t Equal = Option.find('=');
  const exec::DeviceBuffer &B = findBuffer(Memory, Option.substr(0, Equal));
  std::span<const uint8_t> Bytes = Memory.bytes(B);
  if (Equal != Option.npos) {
    OutputFile File = take(OutputFile::create(Option.substr(Equal + 1)));
    take(File.write(Bytes));
    take(File.commit());
    return {};
  }
  constexpr uint64_t Shown = 16;
  ScalarType Type = typeOf(B);
  size_t Size = launch::sizeOf(Type);
  uint64_t Count = B.SizeBytes / Size;
  std::string Text =
      fmt::format("{} ({}[{}]):", B.Name, launch::nameOf(Type), Count);
  for (uint64_t I = 0; I < std::min(Count, Shown); ++I)
    Text += " " + launch::elementText(Type, Bytes.data() + I * Size);
  return Text + (Count > Shown ? " ...\n" : "\n");
}

namespace {
struct Tolerance {
  double Absolute = 0, Relative = 0;
};
} // namespace

/// Cuts ":abs=A,rel=R" off \p File.
static Tolerance takeTolerance(std::string &File, const std::string &Option) {
  Tolerance T;
  size_t Colon = File.rfind(':');
  if (Colon == File.npos || (File.compare(Colon + 1, 4, "abs=") != 0 &&
                             File.compare(Colon + 1, 4, "rel=") != 0))
    return T;
  std::string Rest = File.substr(Colon + 1);
  File.resize(Colon);
  while (!Rest.empty()) {
    size_t Comma = Rest.find(',');
    std::string Part = Rest.substr(0, Comma);
    Rest = Comma == Rest.npos ? "" : Rest.substr(Comma + 1);
    auto Value = launch::parseFloat(Part.size() > 4 ? Part.substr(4) : "");
    bool IsAbsolute = Part.starts_with("abs=");
    if (!Value || !(*Value >= 0) || (!IsAbsolute && !Part.starts_with("rel=")))
      throw CommandError{
          fmt::format("--expect {}: '{}' is not abs=NUMBER or rel=NUMBER",
                      Option, Part),
          BadUsage};
    (IsAbsolute ? T.Absolute : T.Relative) = *Value;
  }
  return T;
}

Comparison compareBuffer(const exec::DeviceMemory &Memory,
                         const std::string &Option) {
  size_t Equal = Option.find('=');
  if (Equal == Option.npos)
    throw CommandError{
        fmt::format("--expect {}: write NAME=FILE[:abs=A,rel=R]", Option),
        BadUsage};
  std::string File = Option.substr(Equal + 1);
  Tolerance T = takeTolerance(File, Option);
  const exec::DeviceBuffer &B = findBuffer(Memory, Option.substr(0, Equal));
  ScalarType Type = typeOf(B);
  size_t Size = launch::sizeOf(Type);
  launch::BufferArg Wanted{B.Name, Type, B.SizeBytes / Size,
                           launch::InitFile{File}};
  std::vector<uint8_t> Expected(B.SizeBytes);
  take(launch::initialise(Wanted, Expected));

  Comparison C;
  C.Name = B.Name;
  C.Elements = Wanted.Count;
  std::span<const uint8_t> Got = Memory.bytes(B);
  for (uint64_t I = 0; I < C.Elements; ++I) {
    const uint8_t *E = Expected.data() + I * Size, *G = Got.data() + I * Size;
    if (std::memcmp(E, G, Size) == 0)
      continue;
    if (launch::isFloat(Type)) {
      double X = launch::elementValue(Type, E),
             Y = launch::elementValue(Type, G);
      double Error = std::fabs(X - Y);
      if (std::isfinite(Error))
        C.LargestError = std::max(C.LargestError, Error);
      if (X == Y || (std::isnan(X) && std::isnan(Y)) ||
          Error <= T.Absolute + T.Relative * std::fabs(X))
        continue;
    }
    if (C.Mismatches++ == 0) {
      C.FirstIndex = I;
      C.Expected = launch::elementText(Type, E);
      C.Got = launch::elementText(Type, G);
    }
  }
  return C;
}

std::string Comparison::text() const {
  if (!Mismatches)
    return fmt::format("'{}' matches: {} elements", Name, Elements);
  return fmt::format(
      "'{}' differs in {} of {} elements; first at index {}: expected "
      "{}, got {}",
      Name, Mismatches, Elements, FirstIndex, Expected, Got);
}

} // namespace heddle::tool
