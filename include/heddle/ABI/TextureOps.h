//===- TextureOps.h - Reads of textures and surfaces ------------*- C -*-===//
//
// What compiled kernels and the interpreter call for tex, tld4, suld, sust and
// txq: one call for a warp.
//
// Reads of CUDA's textures follow the CUDA C++ Programming Guide, "Texture
// Fetching": weights have 8 bits of fraction, channels that a texel lacks are
// zero. Reads with a sampler are OpenCL's (OpenCL C specification, section
// 8.2): weights are whole floats, the fourth channel is 1 if it lacks.
//
// A read has two memory records. The first holds for each lane the address of
// the texel with the least coordinates that it reads; the second a word that
// says how many bytes lie behind and beside it (HeddleTextureFootprint).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_TEXTUREOPS_H
#define HEDDLE_ABI_TEXTUREOPS_H

#include "heddle/ABI/WarpKernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the handle of an image points to, in device memory. The launch or the
/// CUDA runtime fills it in.
typedef struct HeddleImage {
  uint64_t Data;
  uint32_t Width, Height, Depth, RowBytes, SliceBytes, Channels;
  uint32_t Kind;  ///< 0 signed, 1 unsigned, 2 floating
  uint32_t Bytes; ///< per channel
  uint32_t Address, Filter, NormalizedCoordinates, NormalizedValues;
  uint32_t Unused[2];
} HeddleImage;

/// HeddleImage::Address, as cudaTextureAddressMode counts.
enum HeddleAddressMode {
  HEDDLE_ADDRESS_WRAP,
  HEDDLE_ADDRESS_CLAMP,
  HEDDLE_ADDRESS_MIRROR,
  HEDDLE_ADDRESS_BORDER,
};

/// Bits of OpenCL's samplers, as Clang writes them.
enum HeddleSamplerBits {
  HEDDLE_SAMPLER_NORMALIZED = 1,
  HEDDLE_SAMPLER_MODES = 14,
  HEDDLE_SAMPLER_BORDER = 4,
  HEDDLE_SAMPLER_REPEAT = 6,
  HEDDLE_SAMPLER_MIRROR = 8,
  HEDDLE_SAMPLER_LINEAR = 0x20,
};

enum HeddleTextureKind {
  HEDDLE_TEXTURE_SAMPLE, ///< coordinates are floats
  HEDDLE_TEXTURE_FETCH,  ///< coordinates are integers; nothing is filtered
  HEDDLE_TEXTURE_GATHER, ///< one channel of the texels that a filter weighs
  HEDDLE_SURFACE_LOAD, ///< the texel's bytes; the first coordinate counts them
  HEDDLE_SURFACE_STORE,
  HEDDLE_TEXTURE_QUERY, ///< width, height or depth, by Component
};

enum HeddleTextureFlags {
  HEDDLE_TEXTURE_LAYERED = 1 << 0,
  HEDDLE_TEXTURE_CUBE = 1 << 1,
  HEDDLE_TEXTURE_SAMPLER = 1 << 2, ///< OpenCL's: the read has a sampler
};

enum HeddleTextureType {
  HEDDLE_TEXTURE_F32,
  HEDDLE_TEXTURE_S32,
  HEDDLE_TEXTURE_U32,
};

/// Of surfaces: what happens outside.
enum HeddleSurfaceMode {
  HEDDLE_SURFACE_ZERO,
  HEDDLE_SURFACE_CLAMP,
  HEDDLE_SURFACE_TRAP,
};

/// What the instruction itself says; engines hand it over as a word.
typedef struct HeddleTextureShape {
  uint8_t Kind;      ///< HeddleTextureKind
  uint8_t Axes;      ///< coordinates; of cubes 3
  uint8_t Flags;     ///< HeddleTextureFlags
  uint8_t Type;      ///< HeddleTextureType of the results
  uint8_t Component; ///< of a gather or query
  uint8_t Elements;  ///< of surfaces: registers
  uint8_t Bytes;     ///< of surfaces: in each
  uint8_t Mode;      ///< HeddleSurfaceMode
} HeddleTextureShape;

/// Rows of 32 words of 32 bits each.
enum HeddleTextureCoordinate {
  HEDDLE_TEXTURE_X,
  HEDDLE_TEXTURE_Y,
  HEDDLE_TEXTURE_Z,
  HEDDLE_TEXTURE_LAYER,
  HEDDLE_TEXTURE_COORDINATES,
};

/// Rows of 32 words of 64 bits each, and the memory records in that order.
enum HeddleTextureRecord {
  HEDDLE_TEXTURE_PLACE,
  HEDDLE_TEXTURE_FOOTPRINT,
  HEDDLE_TEXTURE_RECORDS,
};

/// Bits of a footprint. 0: the lane reads nothing (the border).
enum HeddleTextureFootprint {
  HEDDLE_FOOTPRINT_TEXEL = 0x1f,      ///< bytes of a texel
  HEDDLE_FOOTPRINT_FILTERED = 1 << 5, ///< texels are weighed
  HEDDLE_FOOTPRINT_COLUMNS = 1 << 6,  ///< two texels of a row
  HEDDLE_FOOTPRINT_ROWS = 1 << 7,     ///< two rows
  HEDDLE_FOOTPRINT_SLICES = 1 << 8,   ///< two slices
  HEDDLE_FOOTPRINT_ROW_SHIFT = 16,    ///< bytes from row to row, 24 bits
  HEDDLE_FOOTPRINT_SLICE_SHIFT = 40,  ///< rows from slice to slice, 24 bits
};
#define HEDDLE_FOOTPRINT_PITCH 0xffffffu

/// Reads, writes or asks for each lane of \p Mask. \p Handles holds the row of
/// the images and that of the samplers. \p Data holds the results, four rows of
/// 32-bit words; of surfaces a row of 64-bit words for each register, of stores
/// what is written. Null: nothing is accessed but the images, to fill in
/// \p Records, two rows; null where no one wants these. Returns the lanes that
/// trap.
uint32_t heddleTexture(uint64_t Shape, uint32_t Mask, const uint64_t *Handles,
                       const uint32_t *Coordinates, void *Data,
                       uint64_t *Records);

#ifdef __cplusplus
} // extern "C"
static_assert(sizeof(HeddleImage) == 64, "launches hold these");
static_assert(sizeof(HeddleTextureShape) == 8, "goes where an integer goes");
#endif

#endif // HEDDLE_ABI_TEXTUREOPS_H
