//===- Refused.cpp - Functions that are there by name only ---------------===//
//
// A program that the toolkit's compiler has built links them, whether it comes
// to call them or not. Programs that heddle cc compiles get the same from the
// headers, which list them.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <algorithm>
#include <string_view>

EXPORTED cudaError_t __heddle_refuse(const char *Function);

#undef HEDDLE_CUDA_DRIVER_API_FUNCTIONS_H
#undef HEDDLE_CUDA_HOST_API_FUNCTIONS_H
#define __HEDDLE_REFUSED(name)                                                 \
  EXPORTED cudaError_t name() { return __heddle_refuse(#name); }
#include <driver_api_functions.h>
#include <host_api_functions.h>
// As cuda.h renames some of them.
__HEDDLE_REFUSED(cuGraphicsResourceGetMappedPointer_v2)
__HEDDLE_REFUSED(cuGraphicsResourceSetMapFlags_v2)
__HEDDLE_REFUSED(cuIpcOpenMemHandle_v2)
__HEDDLE_REFUSED(cuMemcpy3DBatchAsync_v2)
__HEDDLE_REFUSED(cuTexRefGetAddress_v2)
__HEDDLE_REFUSED(cuTexRefSetAddress2D_v3)
__HEDDLE_REFUSED(cuTexRefSetAddress_v2)
#undef __HEDDLE_REFUSED

#undef HEDDLE_CUDA_DRIVER_API_FUNCTIONS_H
#undef HEDDLE_CUDA_HOST_API_FUNCTIONS_H
#define __HEDDLE_REFUSED(name) #name,
static constexpr std::string_view Refused[] = {
#include <driver_api_functions.h>
#include <host_api_functions.h>
};

bool heddle::cuda::isRefused(std::string_view Function) {
  return std::ranges::find(Refused, Function) != std::end(Refused);
}
