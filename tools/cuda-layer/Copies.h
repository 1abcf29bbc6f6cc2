//===- Copies.h - Boxes of memory, and arrays -------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_COPIES_H
#define HEDDLE_CUDA_LAYER_COPIES_H

#include "Call.h"

namespace heddle::cuda {

/// A box of \p Width bytes in rows and slices.
launch::Region box(size_t Width, size_t Height, size_t Depth, size_t Pitch,
                   size_t SlicePitch);

/// Copies the way that \p Kind says.
cudaError_t copy(const Call &Enter, void *To, const launch::Region &ToAt,
                 const void *From, const launch::Region &FromAt,
                 cudaMemcpyKind Kind);

/// What a cudaArray_t points to: texels in device memory, row after row. The
/// layout of a GPU's own arrays is not documented.
struct ArrayState {
  cudaChannelFormatDesc Format;
  cudaExtent Size; ///< as given: 0 where the array has no such axis
  unsigned Flags;
  char *Texels;

  size_t texelBytes() const {
    return size_t(Format.x + Format.y + Format.z + Format.w) / 8;
  }
  size_t rowBytes() const { return Size.width * texelBytes(); }
  size_t rows() const { return Size.height ? Size.height : 1; }
  size_t slices() const { return Size.depth ? Size.depth : 1; }
};

/// Null if \p Handle is no array. With the device's lock held.
ArrayState *arrayOf(const void *Handle);
/// Checks the format and allocates.
cudaError_t makeArray(const Call &Enter, cudaArray_t *To,
                      const cudaChannelFormatDesc *Format,
                      const cudaExtent &Size, unsigned Flags);

/// Channels of one size, 1, 2 or 4 of them, of 8, 16 or 32 bits.
bool isFormat(const cudaChannelFormatDesc &F);

/// Copies each of \p Count pieces; \p Failed is told the first that is not.
cudaError_t copyAll(const Call &Enter, void *const *To, const void *const *From,
                    const size_t *Bytes, size_t Count,
                    const cudaMemcpyAttributes *Attributes, const size_t *First,
                    size_t NumAttributes, size_t *Failed, cudaStream_t S);

cudaError_t copy3D(const Call &Enter, const cudaMemcpy3DParms *P);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_COPIES_H
