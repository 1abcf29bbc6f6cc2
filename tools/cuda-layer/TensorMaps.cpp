//===- TensorMaps.cpp - Tensor maps of the driver API ---------------------===//

#include "heddle/ABI/TensorMap.h"

#include "Call.h"
#include "Exported.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

using namespace heddle;
using namespace heddle::cuda;

namespace {

/// What both functions are given.
struct Shape {
  CUtensorMapDataType Type;
  cuuint32_t Rank;
  const void *Address;
  const cuuint64_t *Dims, *Strides;
  const cuuint32_t *ElementStrides;
  CUtensorMapInterleave Interleave;
  CUtensorMapSwizzle Swizzle;
  CUtensorMapL2promotion Promotion;
  CUtensorMapFloatOOBfill Fill;
};

/// All but the box; a HeddleTensorProblem.
uint32_t describe(const Shape &S, HeddleTensorMap &Map) {
  Map.Magic = HEDDLE_TENSOR_MAP_MAGIC;
  Map.Address = reinterpret_cast<uint64_t>(S.Address);
  Map.Type = uint8_t(S.Type);
  Map.Rank = uint8_t(std::min(S.Rank, 255u));
  Map.Swizzle = uint8_t(S.Swizzle);
  Map.Interleave = uint8_t(S.Interleave);
  Map.FillsNaN = uint8_t(S.Fill);
  Map.L2Promotion = uint8_t(S.Promotion);
  if (!S.Rank || S.Rank > HEDDLE_TENSOR_MAX_RANK)
    return HEDDLE_TENSOR_BAD_RANK;
  for (unsigned D = 0; D < S.Rank; ++D) {
    if (!S.Dims[D] || S.Dims[D] > uint64_t(1) << 32)
      return HEDDLE_TENSOR_BAD_DIM;
    Map.Dims[D] = uint32_t(S.Dims[D] - 1);
    Map.ElementStrides[D] = uint8_t(std::min(S.ElementStrides[D], 255u));
    if (D)
      Map.Strides[D - 1] = S.Strides[D - 1];
  }
  Map.ElementStrides[0] = 1; // ignored without interleaving
  return HEDDLE_TENSOR_FINE;
}

CUresult finish(const Call &Enter, CUtensorMap *To, const HeddleTensorMap &Map,
                uint32_t Problem) {
  if (!Problem)
    Problem = heddleCheckTensorMap(&Map);
  if (!To || reinterpret_cast<uint64_t>(To) % 64)
    return CUresult(Enter.refuse(Status::InvalidValue,
                                 "a tensor map must lie at a multiple of 64"));
  if (Problem)
    return CUresult(
        Enter.refuse(Status::InvalidValue, heddleTensorProblem(Problem)));
  std::memcpy(To, &Map, sizeof(Map));
  return CUresult(Enter.done());
}

} // namespace

EXPORTED CUresult cuTensorMapEncodeTiled(
    CUtensorMap *To, CUtensorMapDataType Type, cuuint32_t Rank, void *Address,
    const cuuint64_t *Dims, const cuuint64_t *Strides, const cuuint32_t *Box,
    const cuuint32_t *ElementStrides, CUtensorMapInterleave Interleave,
    CUtensorMapSwizzle Swizzle, CUtensorMapL2promotion Promotion,
    CUtensorMapFloatOOBfill Fill) {
  ENTER;
  if (!Dims || !Box || !ElementStrides || (Rank > 1 && !Strides))
    return CUresult(Enter(Status::InvalidValue));
  HeddleTensorMap Map = {};
  const uint32_t Problem =
      describe({Type, Rank, Address, Dims, Strides, ElementStrides, Interleave,
                Swizzle, Promotion, Fill},
               Map);
  for (unsigned D = 0; !Problem && D < Rank; ++D)
    Map.Box[D] = uint16_t(std::min(Box[D], 65535u));
  return finish(Enter, To, Map, Problem);
}

EXPORTED CUresult cuTensorMapEncodeIm2col(
    CUtensorMap *To, CUtensorMapDataType Type, cuuint32_t Rank, void *Address,
    const cuuint64_t *Dims, const cuuint64_t *Strides, const int *Lower,
    const int *Upper, cuuint32_t Channels, cuuint32_t Pixels,
    const cuuint32_t *ElementStrides, CUtensorMapInterleave Interleave,
    CUtensorMapSwizzle Swizzle, CUtensorMapL2promotion Promotion,
    CUtensorMapFloatOOBfill Fill) {
  ENTER;
  if (!Dims || !Lower || !Upper || !ElementStrides || !Strides)
    return CUresult(Enter(Status::InvalidValue));
  HeddleTensorMap Map = {};
  const uint32_t Problem =
      describe({Type, Rank, Address, Dims, Strides, ElementStrides, Interleave,
                Swizzle, Promotion, Fill},
               Map);
  Map.IsIm2Col = 1;
  Map.Box[0] = uint16_t(std::min(Channels, 65535u));
  Map.Box[1] = uint16_t(std::min(Pixels, 65535u));
  for (unsigned D = 0; !Problem && D + 2 < Rank; ++D) {
    Map.Lower[D] = int16_t(std::clamp(Lower[D], -32768, 32767));
    Map.Upper[D] = int16_t(std::clamp(Upper[D], -32768, 32767));
  }
  return finish(Enter, To, Map, Problem);
}

EXPORTED CUresult cuTensorMapReplaceAddress(CUtensorMap *Map, void *Address) {
  ENTER;
  HeddleTensorMap New = {};
  if (Map)
    std::memcpy(&New, Map, sizeof(New));
  New.Address = reinterpret_cast<uint64_t>(Address);
  return finish(Enter, Map, New, HEDDLE_TENSOR_FINE);
}
