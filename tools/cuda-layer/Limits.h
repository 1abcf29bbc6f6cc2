//===- Limits.h - Numbers and texts of the APIs -----------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_LIMITS_H
#define HEDDLE_CUDA_LAYER_LIMITS_H

#include "cuda/Device.h"

#include <optional>

namespace heddle::cuda {

/// The attribute with the number \p Which, the same in both APIs; nothing for
/// one that is unknown.
std::optional<int> deviceAttribute(Device &D, int Which);

struct ErrorRow {
  int Code;
  const char *Name;       ///< of cudaError_t
  const char *DriverName; ///< of CUresult; null: it has no such code
  const char *Text;
};
/// "cudaErrorUnknown" for codes that the library never gives.
const ErrorRow &errorRow(int Code);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_LIMITS_H
