//===- double.cu - Transforms in double precision
//------------------------------===//

#include "Transform.h"

cudaError_t heddle_fft::runDouble(const Pass &P, const void *In, void *Out,
                                  const void *Table, cudaStream_t Stream) {
  return run<double>(P, In, Out, Table, Stream);
}
