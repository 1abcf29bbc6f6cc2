// Everything that a CUDA source sees without including it.

#ifndef HEDDLE_CUDA_CUDA_RUNTIME_H
#define HEDDLE_CUDA_CUDA_RUNTIME_H

#include "own_names.def"

// Warnings are for the program's own code.
#ifndef __CUDA_ARCH__
#pragma GCC system_header
#endif

#ifdef __CUDA__
namespace std {
/// The library's own is for host code, which device code may not name even
/// where nothing is evaluated. In front of the library, whose concepts use it.
template <typename T>
__attribute__((device)) __add_rvalue_reference(T) declval() noexcept;
} // namespace std
#endif

#include "cuda_runtime_api.h"
#ifdef __CUDA__
#include "conversion_functions.h"
#include "device_functions.h"
#include "device_runtime.h"
#include "device_variables.h"
#include "dpx_functions.h"
#include "host_defines.h"
#include "math_functions.h"
#include "simd_functions.h"
#include "texture_functions.h"
#endif
#include "vector_types.h"

// Programs rely on what a toolkit's own header brings with it.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user_names.def"

#endif
