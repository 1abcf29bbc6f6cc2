//===- single.cu - Transforms in single precision
//------------------------------===//

#include "Transform.h"

cudaError_t heddle_fft::runSingle(const Pass &P, const void *In, void *Out,
                                  const void *Table, cudaStream_t Stream) {
  return run<float>(P, In, Out, Table, Stream);
}
