//===- TensorMap.cpp - The rules of tensor maps ---------------------------===//
//
// Those that the CUDA driver API (13.0) names for cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col.
//
//===----------------------------------------------------------------------===//

#include "heddle/ABI/TensorMap.h"

#include "launch/Launch.h"

#include <algorithm>

uint32_t heddleTensorElementBytes(uint32_t Type) {
  switch (Type) {
  case HEDDLE_TENSOR_U8:
    return 1;
  case HEDDLE_TENSOR_U16:
  case HEDDLE_TENSOR_F16:
  case HEDDLE_TENSOR_BF16:
    return 2;
  case HEDDLE_TENSOR_U64:
  case HEDDLE_TENSOR_S64:
  case HEDDLE_TENSOR_F64:
    return 8;
  default:
    return 4;
  }
}

static uint32_t checkPixels(const HeddleTensorMap &M) {
  if (M.Rank < 3)
    return HEDDLE_TENSOR_BAD_RANK;
  if (!M.Box[0] || M.Box[0] > 256 || !M.Box[1] || M.Box[1] > 1024)
    return HEDDLE_TENSOR_BAD_PIXELS;
  // Corners have 16, 8 and 5 bits, for 1, 2 and 3 dimensions of space.
  const int Limit = 1 << (M.Rank == 3 ? 15 : M.Rank == 4 ? 7 : 4);
  for (unsigned D = 0; D + 2 < M.Rank; ++D)
    for (int Corner : {M.Lower[D], M.Upper[D]})
      if (Corner < -Limit || Corner >= Limit)
        return HEDDLE_TENSOR_BAD_PIXELS;
  return HEDDLE_TENSOR_FINE;
}

static uint32_t checkBox(const HeddleTensorMap &M) {
  if (M.IsIm2Col) {
    if (const uint32_t Problem = checkPixels(M))
      return Problem;
  } else {
    for (unsigned D = 0; D < M.Rank; ++D)
      if (!M.Box[D] || M.Box[D] > 256)
        return HEDDLE_TENSOR_BAD_BOX;
  }
  const uint32_t Row = M.Box[0] * heddleTensorElementBytes(M.Type);
  if (Row % 16)
    return HEDDLE_TENSOR_BAD_BOX_BYTES;
  if (!M.Swizzle)
    return HEDDLE_TENSOR_FINE;
  const uint32_t Span = 16u << M.Swizzle;
  return Row > Span   ? HEDDLE_TENSOR_WIDE_BOX
         : Row < Span ? HEDDLE_TENSOR_NARROW_BOX
                      : HEDDLE_TENSOR_FINE;
}

uint32_t heddleCheckTensorMap(const HeddleTensorMap *Map) {
  const HeddleTensorMap &M = *Map;
  if (M.Magic != HEDDLE_TENSOR_MAP_MAGIC)
    return HEDDLE_TENSOR_NO_MAP;
  if (M.Type >= HEDDLE_NUM_TENSOR_TYPES)
    return HEDDLE_TENSOR_BAD_TYPE;
  if (!M.Rank || M.Rank > HEDDLE_TENSOR_MAX_RANK)
    return HEDDLE_TENSOR_BAD_RANK;
  if (M.Interleave)
    return HEDDLE_TENSOR_INTERLEAVED;
  if (!M.Address || M.Address % 16)
    return HEDDLE_TENSOR_BAD_ADDRESS;
  for (unsigned D = 1; D < M.Rank; ++D)
    if (M.Strides[D - 1] % 16 || M.Strides[D - 1] >= uint64_t(1) << 40)
      return HEDDLE_TENSOR_BAD_STRIDE;
  // That of dimension 0 is ignored without interleaving.
  for (unsigned D = 0; D < M.Rank; ++D)
    if (!M.ElementStrides[D] || M.ElementStrides[D] > 8)
      return HEDDLE_TENSOR_BAD_ELEMENT_STRIDE;
  if (M.Swizzle >= HEDDLE_NUM_SWIZZLES)
    return HEDDLE_TENSOR_BAD_SWIZZLE;
  const bool IsFloat = M.Type >= HEDDLE_TENSOR_F16;
  if (M.FillsNaN > 1 || (M.FillsNaN && !IsFloat))
    return HEDDLE_TENSOR_BAD_FILL;
  return checkBox(M);
}

const char *heddleTensorProblem(uint32_t Problem) {
  static const char *const Texts[] = {
      "nothing",
      "the 128 bytes are no tensor map; fill them with "
      "cuTensorMapEncodeTiled, or give 'tensor_map' in the launch file",
      "its data type is none that is known; the packed types of 4 and 6 bits "
      "are not",
      "a tensor map has 1 to 5 dimensions, with im2col 3 to 5",
      "its global address must be a multiple of 16, and not null",
      "each dimension has 1 to 2^32 elements",
      "its global strides must be multiples of 16 bytes below 2^40",
      "each side of its box has 1 to 256 elements",
      "the innermost side of its box must be a multiple of 16 bytes",
      "its element strides must be from 1 to 8",
      "its swizzle is none of none, 32B, 64B and 128B",
      "the innermost side of its box is wider than the span of its swizzle; "
      "make the box narrower or the swizzle wider",
      "the innermost side of its box is narrower than the span of its swizzle, "
      "whose layout in shared memory is not documented and is not executed; "
      "choose the swizzle as wide as the box",
      "only floating-point types are filled with NaN",
      "interleaved layouts are not executed; use interleave none",
      "im2col takes 1 to 256 channels, 1 to 1024 pixels, and corners of at "
      "most 16, 8 or 5 bits for 3, 4 or 5 dimensions",
      "the copy and its tensor map differ in the number of dimensions",
      "one of the copy and its tensor map is a tile, the other is im2col",
      "its place in shared memory must be a multiple of 128 bytes",
      "this reduction does not exist for the elements' type",
      "the addresses and the bytes of a bulk copy must be multiples of 16",
      "its place is in the shared memory of another block of the cluster; "
      "from global memory only copies into the block's own and those with "
      "multicast::cluster are executed and timed",
  };
  static_assert(sizeof(Texts) / sizeof(*Texts) == HEDDLE_NUM_TENSOR_PROBLEMS);
  return Texts[std::min<uint32_t>(Problem, HEDDLE_NUM_TENSOR_PROBLEMS - 1)];
}

uint64_t heddle::launch::TensorMapArg::extentBytes() const {
  uint64_t Extent =
      (uint64_t(Map.Dims[0]) + 1) * heddleTensorElementBytes(Map.Type);
  for (unsigned D = 1; D < Map.Rank; ++D)
    Extent += Map.Dims[D] * Map.Strides[D - 1];
  return Extent;
}
