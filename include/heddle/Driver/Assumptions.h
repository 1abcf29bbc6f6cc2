//===- Assumptions.h - What a result takes for granted ----------*- C++ -*-===//
//
// Notes of a line each on what is not modelled, guessed or ignored, for the
// field "assumptions" of results. "" where there is nothing to say.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DRIVER_ASSUMPTIONS_H
#define HEDDLE_DRIVER_ASSUMPTIONS_H

#include "heddle/Frontend/Compiler.h"

#include <string>

namespace heddle {

/// Of the kernels of \p M, or of \p Only, and the code that level machine
/// builds for \p Arch (sm_NN): products and copies of whole warps, lanes that
/// part, barriers.
std::string moduleAssumptions(const CompiledModule &M, llvm::StringRef Arch,
                              llvm::Function *Only = nullptr);

/// Of what programs launch through the host libraries of CUDA, whose own
/// kernels are closed (tools/cuda-libraries, lib/Frontend/CUDA/thrust).
std::string libraryAssumptions(const CompiledModule &M);

/// Of the functions of the device library that \p Kernel, a prepared one,
/// calls: level machine takes them on one path.
std::string functionAssumptions(const llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_DRIVER_ASSUMPTIONS_H
