//===- NvrtcOptions.h - The options of nvrtcCompileProgram ------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_NVRTCOPTIONS_H
#define HEDDLE_CUDA_LAYER_NVRTCOPTIONS_H

#include "base/Result.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::cuda {

/// Compute capabilities that device code is compiled for.
std::span<const int> supportedArchs();

struct NvrtcOptions {
  std::string Arch = "sm_70"; ///< where none is given
  bool IsReal = false;        ///< sm_70, not compute_70: machine code is asked
  bool AllAreDevice = false;  ///< --device-as-default-execution-space
  std::vector<std::string> Flags; ///< of Clang
};

/// Reads \p Words: "--NAME=VALUE", "-NVALUE", or the value as the next word.
/// What only concerns machine code changes nothing.
Result<NvrtcOptions> parseNvrtc(const std::vector<std::string> &Words);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_NVRTCOPTIONS_H
