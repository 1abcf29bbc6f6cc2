// Arrays, textures and surfaces of programs that `heddle cc` compiles
// (tools/cuda-layer/Arrays.cpp and Textures.cpp).

#ifndef HEDDLE_CUDA_PROGRAM_IMAGES_H
#define HEDDLE_CUDA_PROGRAM_IMAGES_H

extern "C" {
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *,
                                                 cudaTextureObject_t);
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *,
                            size_t, size_t = 0, unsigned = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *,
                              cudaExtent, unsigned = 0);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *, unsigned *,
                             cudaArray_t);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *, cudaArray_const_t);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t,
                              cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t,
                                size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void *,
                                   size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromArrayAsync(void *, cudaArray_const_t, size_t, size_t,
                                     size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *,
                                size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *,
                                     size_t, size_t, size_t, cudaMemcpyKind,
                                     cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t,
                                  size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *, size_t, cudaArray_const_t,
                                       size_t, size_t, size_t, size_t,
                                       cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t,
                                     cudaArray_const_t, size_t, size_t, size_t,
                                     size_t,
                                     cudaMemcpyKind = cudaMemcpyDeviceToDevice);

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *,
                                    const cudaResourceDesc *,
                                    const cudaTextureDesc *,
                                    const cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *,
                                             cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *,
                                            cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *,
                                    const cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *,
                                             cudaSurfaceObject_t);

cudaError_t cudaBindTexture(size_t *, const textureReference *, const void *,
                            const cudaChannelFormatDesc *, size_t);
cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const void *,
                              const cudaChannelFormatDesc *, size_t, size_t,
                              size_t);
cudaError_t cudaBindTextureToArray(const textureReference *, cudaArray_const_t,
                                   const cudaChannelFormatDesc *);
cudaError_t cudaUnbindTexture(const textureReference *);
cudaError_t cudaGetTextureAlignmentOffset(size_t *, const textureReference *);
cudaError_t cudaBindSurfaceToArray(const surfaceReference *, cudaArray_const_t,
                                   const cudaChannelFormatDesc *);
}

#ifdef __cplusplus
/// Channels of the type of a texel.
template <typename T> cudaChannelFormatDesc cudaCreateChannelDesc() {
  using E = typename __heddle_texel<T>::element;
  const int bits = 8 * sizeof(E), n = __heddle_texel<T>::count;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
          (E)0.5f != (E)0 ? cudaChannelFormatKindFloat
          : (E)-1 < (E)0  ? cudaChannelFormatKindSigned
                          : cudaChannelFormatKindUnsigned};
}
// References by their names. The format is their own where none is given.
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &t,
                            const void *at, const cudaChannelFormatDesc &format,
                            size_t bytes = ~0u) {
  return cudaBindTexture(offset, (const textureReference *)&t, at, &format,
                         bytes);
}
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &t,
                            const void *at, size_t bytes = ~0u) {
  return cudaBindTexture(offset, t, at, cudaCreateChannelDesc<T>(), bytes);
}
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t,
                              const void *at,
                              const cudaChannelFormatDesc &format, size_t width,
                              size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference *)&t, at, &format,
                           width, height, pitch);
}
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t,
                              const void *at, size_t width, size_t height,
                              size_t pitch) {
  return cudaBindTexture2D(offset, t, at, cudaCreateChannelDesc<T>(), width,
                           height, pitch);
}
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &t,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc &format) {
  return cudaBindTextureToArray((const textureReference *)&t, array, &format);
}
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &t,
                                   cudaArray_const_t array) {
  return cudaBindTextureToArray((const textureReference *)&t, array, nullptr);
}
template <typename T, int D, cudaTextureReadMode M>
cudaError_t cudaUnbindTexture(const texture<T, D, M> &t) {
  return cudaUnbindTexture((const textureReference *)&t);
}
template <typename T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &s,
                                   cudaArray_const_t array) {
  return cudaBindSurfaceToArray((const surfaceReference *)&s, array, nullptr);
}
template <typename T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &s,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc &format) {
  return cudaBindSurfaceToArray((const surfaceReference *)&s, array, &format);
}
#endif

#endif
