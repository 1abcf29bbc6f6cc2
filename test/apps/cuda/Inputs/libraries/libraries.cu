// Kernels of a library that is loaded from a file or from memory, by both APIs.
// usage: libraries FILE
#include "../check.h"
#include <cstring>
#include <cuda.h>
#include <string>
#include <vector>

static bool allRight = true;
static void expect(bool right, const char *what) {
  if (!right)
    fprintf(stderr, "wrong: %s\n", what);
  allRight &= right;
}
#define DRIVER(call) expect((call) == CUDA_SUCCESS, #call)

__global__ void own(int *values, int add) { values[threadIdx.x] += add; }

static std::vector<int> read(const int *from, int n) {
  std::vector<int> values(n);
  CHECK(
      cudaMemcpy(values.data(), from, n * sizeof(int), cudaMemcpyDeviceToHost));
  return values;
}

static void runtime(const char *path, int *in, int *out, int n) {
  cudaLibrary_t library;
  cudaKernel_t squares, negate, none;
  CHECK(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr,
                                nullptr, 0));
  CHECK(cudaLibraryGetKernel(&squares, library, "squares"));
  CHECK(cudaLibraryGetKernel(&negate, library, "negate"));
  expect(cudaLibraryGetKernel(&none, library, "nothing") ==
             cudaErrorSymbolNotFound,
         "no kernel");
  unsigned count = 0;
  CHECK(cudaLibraryGetKernelCount(&count, library));
  cudaKernel_t all[2] = {};
  CHECK(cudaLibraryEnumerateKernels(all, 2, library));
  expect(count == 2 && ((all[0] == squares && all[1] == negate) ||
                        (all[0] == negate && all[1] == squares)),
         "kernels of the library");

  int *offset = nullptr, *shared = nullptr, value = 100;
  size_t size = 0;
  CHECK(cudaLibraryGetGlobal(&offset, &size, library, "offset"));
  expect(size == sizeof(int) && read(offset, 1)[0] == 5, "variable");
  CHECK(cudaMemcpy(offset, &value, sizeof(value), cudaMemcpyHostToDevice));
  CHECK(cudaLibraryGetManaged(&shared, &size, library, "shared"));
  expect(size == sizeof(int) && *shared == 7, "managed variable");
  *shared = 1000;
  expect(cudaLibraryGetManaged(&shared, &size, library, "offset") ==
             cudaErrorSymbolNotFound,
         "not managed");
  void *function = nullptr;
  expect(cudaLibraryGetUnifiedFunction(&function, library, "squares") ==
             cudaErrorSymbolNotFound,
         "no unified function");

  void *args[] = {&in, &out, &n};
  CHECK(cudaLaunchKernel((const void *)squares, 1, n, args, 0, 0));
  expect(read(out, n)[3] == 9 + 1100, "launch by the handle");
  CHECK(cudaKernelSetAttributeForDevice(
      negate, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10, 0));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)negate));
  expect(attributes.maxDynamicSharedSizeBytes == 64 << 10, "attribute");
  void *one[] = {&out};
  CHECK(cudaLaunchKernel((const void *)negate, 1, n, one, 60 << 10, 0));
  expect(read(out, n)[3] == -1109, "launch with much shared memory");

  // A graph takes the handle as well.
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaGraphNode_t node;
  cudaKernelNodeParams params = {};
  params.func = (void *)squares;
  params.gridDim = 1;
  params.blockDim = n;
  params.kernelParams = args;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, 0));
  expect(read(out, n)[3] == 1109, "graph");
  CHECK(cudaLibraryUnload(library));
  expect(cudaLibraryGetKernel(&none, library, "squares") ==
             cudaErrorInvalidResourceHandle,
         "no library");
}

static void driver(const std::string &image, int *in, int *out, int n) {
  CUlibrary library, same;
  CUkernel kernel;
  CUfunction function, byModule;
  CUmodule module;
  CUlibraryOption option = CU_LIBRARY_BINARY_IS_PRESERVED;
  void *value = nullptr;
  DRIVER(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, &option,
                           &value, 1));
  DRIVER(cuLibraryGetKernel(&kernel, library, "squares"));
  DRIVER(cuKernelGetFunction(&function, kernel));
  DRIVER(cuKernelGetLibrary(&same, kernel));
  DRIVER(cuLibraryGetModule(&module, library));
  DRIVER(cuModuleGetFunction(&byModule, module, "squares"));
  expect(same == library, "library of the kernel");
  const char *name = nullptr;
  DRIVER(cuKernelGetName(&name, kernel));
  expect(name && !strcmp(name, "squares"), "name");
  size_t at = 0, size = 0;
  DRIVER(cuKernelGetParamInfo(kernel, 1, &at, &size));
  expect(at == 8 && size == 8, "parameter");
  expect(cuKernelGetParamInfo(kernel, 3, &at, &size) ==
             CUDA_ERROR_INVALID_VALUE,
         "no such parameter");
  int threads = 0;
  DRIVER(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                              kernel, 0));
  expect(threads == 1024, "threads");
  DRIVER(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              4096, kernel, 0));
  expect(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              4096, kernel, 3) == CUDA_ERROR_INVALID_DEVICE,
         "no such device");
  DRIVER(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
  CUdeviceptr offset = 0;
  DRIVER(cuLibraryGetGlobal(&offset, &size, library, "offset"));
  DRIVER(cuMemsetD32(offset, 20, 1));
  void *args[] = {&in, &out, &n};
  DRIVER(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, n, 1, 1, 0, nullptr, args,
                        nullptr));
  expect(read(out, n)[4] == 16 + 27, "launch by the handle");
  DRIVER(cuMemsetD32(offset, 40, 1));
  DRIVER(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, nullptr, args, nullptr));
  expect(read(out, n)[4] == 16 + 47, "launch by the function");
  DRIVER(cuLibraryUnload(library));
  expect(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE, "unloaded");
  option = CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE;
  expect(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, &option,
                           &value, 1) == CUDA_ERROR_NOT_SUPPORTED,
         "tables");
}

int main(int, char **argv) {
  const int n = 32;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i;
  CHECK(cudaMalloc(&in, sizeof(host)));
  CHECK(cudaMalloc(&out, sizeof(host)));
  CHECK(cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice));
  runtime(argv[1], in, out, n);
  std::string image;
  FILE *file = fopen(argv[1], "rb");
  for (int c; (c = fgetc(file)) != EOF;)
    image.push_back(char(c));
  fclose(file);
  driver(image, in, out, n);

  // The program's own kernels have handles, too.
  cudaKernel_t kernel;
  CUfunction function;
  CHECK(cudaGetKernel(&kernel, own));
  DRIVER(cuKernelGetFunction(&function, (CUkernel)kernel));
  int add = 2;
  void *args[] = {&in, &add};
  DRIVER(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, nullptr, args, nullptr));
  CHECK(cudaLaunchKernel((const void *)kernel, 1, n, args, 0, 0));
  expect(read(in, n)[5] == 9, "own kernel");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return verdict(allRight);
}
