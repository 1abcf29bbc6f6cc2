//===- TensorMap.h - What a tensor map says ---------------------*- C -*-===//
//
// The 128 bytes of a CUtensorMap. CUDA leaves their layout open; this one is
// our own. Who makes one (cuTensorMapEncodeTiled, a launch file) calls
// heddleCheckTensorMap, and so does every copy that uses one.
//
// The numbers of types, swizzles and fills are those of cuda.h (CUDA driver
// API 13.0, "Tensor Map Object Management").
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_TENSORMAP_H
#define HEDDLE_ABI_TENSORMAP_H

#include <stdint.h>

#define HEDDLE_TENSOR_MAX_RANK 5
#define HEDDLE_TENSOR_MAP_MAGIC 0x70614d736f736e54ull

enum HeddleTensorType {
  HEDDLE_TENSOR_U8,
  HEDDLE_TENSOR_U16,
  HEDDLE_TENSOR_U32,
  HEDDLE_TENSOR_S32,
  HEDDLE_TENSOR_U64,
  HEDDLE_TENSOR_S64,
  HEDDLE_TENSOR_F16,
  HEDDLE_TENSOR_F32,
  HEDDLE_TENSOR_F64,
  HEDDLE_TENSOR_BF16,
  HEDDLE_TENSOR_F32_FTZ, ///< denormal numbers become zero on loads
  HEDDLE_TENSOR_TF32,    ///< copied as f32
  HEDDLE_TENSOR_TF32_FTZ,
  HEDDLE_NUM_TENSOR_TYPES
};

enum HeddleTensorSwizzle {
  HEDDLE_SWIZZLE_NONE,
  HEDDLE_SWIZZLE_32B,
  HEDDLE_SWIZZLE_64B,
  HEDDLE_SWIZZLE_128B,
  HEDDLE_NUM_SWIZZLES
};

/// What is wrong with a tensor map or with a copy that uses one.
enum HeddleTensorProblem {
  HEDDLE_TENSOR_FINE,
  HEDDLE_TENSOR_NO_MAP,
  HEDDLE_TENSOR_BAD_TYPE,
  HEDDLE_TENSOR_BAD_RANK,
  HEDDLE_TENSOR_BAD_ADDRESS,
  HEDDLE_TENSOR_BAD_DIM,
  HEDDLE_TENSOR_BAD_STRIDE,
  HEDDLE_TENSOR_BAD_BOX,
  HEDDLE_TENSOR_BAD_BOX_BYTES,
  HEDDLE_TENSOR_BAD_ELEMENT_STRIDE,
  HEDDLE_TENSOR_BAD_SWIZZLE,
  HEDDLE_TENSOR_WIDE_BOX,
  HEDDLE_TENSOR_NARROW_BOX,
  HEDDLE_TENSOR_BAD_FILL,
  HEDDLE_TENSOR_INTERLEAVED,
  HEDDLE_TENSOR_BAD_PIXELS,
  // Of a copy:
  HEDDLE_TENSOR_OTHER_RANK,
  HEDDLE_TENSOR_OTHER_MODE,
  HEDDLE_TENSOR_BAD_PLACE,
  HEDDLE_TENSOR_BAD_REDUCTION,
  HEDDLE_TENSOR_UNALIGNED,
  HEDDLE_TENSOR_OTHER_BLOCK,
  HEDDLE_NUM_TENSOR_PROBLEMS
};

typedef struct HeddleTensorMap {
  uint64_t Magic;
  uint64_t Address;
  uint64_t Strides[HEDDLE_TENSOR_MAX_RANK - 1]; ///< bytes, from dimension 1 on
  uint32_t Dims[HEDDLE_TENSOR_MAX_RANK];        ///< elements, less one
  uint16_t Box[HEDDLE_TENSOR_MAX_RANK]; ///< elements; im2col: channels, pixels
  int16_t Lower[3], Upper[3];           ///< im2col: corners of the pixels' box
  uint8_t ElementStrides[HEDDLE_TENSOR_MAX_RANK];
  uint8_t Type;    ///< HeddleTensorType
  uint8_t Rank;    ///< 1 to 5
  uint8_t Swizzle; ///< HeddleTensorSwizzle
  uint8_t Interleave;
  uint8_t FillsNaN;
  uint8_t IsIm2Col;
  uint8_t L2Promotion; ///< a hint
  uint8_t Reserved[26];
} HeddleTensorMap;

#ifdef __cplusplus
static_assert(sizeof(HeddleTensorMap) == 128, "as large as a CUtensorMap");
extern "C" {
#endif

/// Bytes of an element of \p Type, a HeddleTensorType.
uint32_t heddleTensorElementBytes(uint32_t Type);

/// The first rule of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col that
/// \p Map breaks, a HeddleTensorProblem; 0: none.
uint32_t heddleCheckTensorMap(const HeddleTensorMap *Map);

/// \p Problem in words, as what is wrong and what to do.
const char *heddleTensorProblem(uint32_t Problem);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // HEDDLE_ABI_TENSORMAP_H
