//===- TensorMapReader.cpp - Tensor maps of launch files ------------------===//

#include "launch/TensorMapReader.h"

#include "launch/ScalarTypes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace heddle::launch {

static uint8_t tensorType(ScalarType Type) {
  switch (Type) {
  case ScalarType::U8:
  case ScalarType::I8:
    return HEDDLE_TENSOR_U8;
  case ScalarType::U16:
  case ScalarType::I16:
    return HEDDLE_TENSOR_U16;
  case ScalarType::U32:
    return HEDDLE_TENSOR_U32;
  case ScalarType::I32:
    return HEDDLE_TENSOR_S32;
  case ScalarType::U64:
    return HEDDLE_TENSOR_U64;
  case ScalarType::I64:
    return HEDDLE_TENSOR_S64;
  case ScalarType::F16:
    return HEDDLE_TENSOR_F16;
  case ScalarType::F32:
    return HEDDLE_TENSOR_F32;
  case ScalarType::F64:
    return HEDDLE_TENSOR_F64;
  case ScalarType::BF16:
    return HEDDLE_TENSOR_BF16;
  }
  return HEDDLE_NUM_TENSOR_TYPES;
}

namespace {

/// Throws Error, which readTensorMap turns into the result.
class MapReader {
public:
  explicit MapReader(const YAML::Node &N) : N(N) {}
  HeddleTensorMap read();

private:
  [[noreturn]] static void error(const std::string &Message) {
    throw Error{Message};
  }
  std::vector<uint64_t> list(const char *Key) const;
  uint8_t choose(const char *Key,
                 std::initializer_list<const char *> Names) const;
  void readDimensions();
  void readCorner(const char *Key, int16_t (&Corner)[3]) const;

  const YAML::Node &N;
  HeddleTensorMap Map = {};
};

std::vector<uint64_t> MapReader::list(const char *Key) const {
  std::vector<uint64_t> Numbers;
  const YAML::Node List = N[Key];
  if (!List)
    return Numbers;
  if (!List.IsSequence())
    error(fmt::format("'{}' must be a list of numbers", Key));
  for (const YAML::Node &Element : List) {
    const std::string Text = Element.IsScalar() ? Element.Scalar() : "";
    const auto Number = parseCount(Text, uint64_t(1) << 40);
    if (!Number)
      error(
          fmt::format("'{}' holds '{}', which is no whole number", Key, Text));
    Numbers.push_back(*Number);
  }
  return Numbers;
}

/// The number of the word at \p Key among \p Names; 0 if there is none.
uint8_t MapReader::choose(const char *Key,
                          std::initializer_list<const char *> Names) const {
  const YAML::Node Word = N[Key];
  if (!Word)
    return 0;
  const std::string Text = Word.IsScalar() ? Word.Scalar() : "";
  const auto It = std::ranges::find(Names, Text);
  if (It == Names.end())
    error(fmt::format("'{}' is '{}'; known are: {}", Key, Text,
                      fmt::join(Names, ", ")));
  return uint8_t(It - Names.begin());
}

void MapReader::readDimensions() {
  const auto Dims = list("dims"), Box = list("box"), Strides = list("strides"),
             ElementStrides = list("element_strides");
  const size_t Rank = Dims.size();
  if (!Rank || Rank > HEDDLE_TENSOR_MAX_RANK)
    error(heddleTensorProblem(HEDDLE_TENSOR_BAD_RANK));
  Map.IsIm2Col = bool(N["im2col"]);
  if (Map.IsIm2Col && Box.size() != 2)
    error("'box' of im2col has two sides: channels and pixels");
  if (!Map.IsIm2Col && Box.size() != Rank)
    error("'box' must have as many sides as 'dims'");
  if (!Strides.empty() && Strides.size() != Rank - 1)
    error("'strides' must have one number of bytes for each dimension but the "
          "first");
  if (!ElementStrides.empty() && ElementStrides.size() != Rank)
    error("'element_strides' must have as many numbers as 'dims'");
  Map.Rank = uint8_t(Rank);
  uint64_t Stride = heddleTensorElementBytes(Map.Type);
  for (size_t D = 0; D < Rank; ++D) {
    if (!Dims[D] || Dims[D] > uint64_t(1) << 32)
      error(heddleTensorProblem(HEDDLE_TENSOR_BAD_DIM));
    Map.Dims[D] = uint32_t(Dims[D] - 1);
    if (D < Box.size())
      Map.Box[D] = uint16_t(std::min<uint64_t>(Box[D], UINT16_MAX));
    Map.ElementStrides[D] =
        uint8_t(ElementStrides.empty()
                    ? 1
                    : std::min<uint64_t>(ElementStrides[D], UINT8_MAX));
    if (D + 1 == Rank)
      continue;
    Stride = Strides.empty() ? Stride * Dims[D] : Strides[D];
    Map.Strides[D] = Stride;
  }
}

/// The corner \p Key of the box of pixels: one number for each dimension of
/// space.
void MapReader::readCorner(const char *Key, int16_t (&Corner)[3]) const {
  const YAML::Node List = N["im2col"].IsMap() ? N["im2col"][Key] : YAML::Node();
  if (!List.IsSequence() || List.size() + 2 != Map.Rank)
    error(fmt::format("'im2col' must have the lists 'lower' and 'upper', each "
                      "of {} numbers: all dimensions but the first and last",
                      std::max(Map.Rank, uint8_t(3)) - 2));
  for (size_t D = 0; D < List.size(); ++D) {
    const std::string Text = List[D].IsScalar() ? List[D].Scalar() : "";
    const auto Number = parseInteger(ScalarType::I16, Text);
    if (!Number)
      error(fmt::format("'{}' holds '{}', which is no number of 16 bits", Key,
                        Text));
    Corner[D] = int16_t(*Number);
  }
}

HeddleTensorMap MapReader::read() {
  Map.Magic = HEDDLE_TENSOR_MAP_MAGIC;
  const std::string Name = N["type"].IsScalar() ? N["type"].Scalar() : "";
  const std::optional<ScalarType> Known = scalarType(Name);
  if (!Known)
    error(fmt::format("unknown type '{}'; known are: {}", Name,
                      scalarTypeNames()));
  Map.Type = tensorType(*Known);
  readDimensions();
  if (Map.IsIm2Col) {
    readCorner("lower", Map.Lower);
    readCorner("upper", Map.Upper);
  }
  Map.Swizzle = choose("swizzle", {"none", "32B", "64B", "128B"});
  Map.Interleave = choose("interleave", {"none", "16B", "32B"});
  Map.FillsNaN = choose("fill", {"zero", "nan"});
  // All but the address, which is the buffer's.
  HeddleTensorMap Placed = Map;
  Placed.Address = 16;
  if (const uint32_t Problem = heddleCheckTensorMap(&Placed))
    error(heddleTensorProblem(Problem));
  return Map;
}

} // namespace

Result<HeddleTensorMap> readTensorMap(const YAML::Node &N) {
  try {
    return MapReader(N).read();
  } catch (const Error &E) {
    return std::unexpected(E);
  }
}

} // namespace heddle::launch
