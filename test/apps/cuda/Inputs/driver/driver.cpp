// The driver API: loads PTX from a file beside the program and launches it.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <string>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    CUresult status = (call);                                                  \
    if (status != CUDA_SUCCESS) {                                              \
      const char *text = nullptr;                                              \
      cuGetErrorString(status, &text);                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text);                \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

int main(int argc, char **argv) {
  std::string path = argv[0];
  path = path.substr(0, path.find_last_of('/') + 1) + "squares.ptx";
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
#if CUDA_VERSION >= 13000
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
#else
  CHECK(cuCtxCreate(&context, 0, device));
#endif
  CHECK(cuModuleLoad(&module, path.c_str()));
  CHECK(cuModuleGetFunction(&function, module, "squares"));
  int n = 1000, add = 7;
  CUdeviceptr variable, in, out;
  size_t bytes = 0;
  CHECK(cuModuleGetGlobal(&variable, &bytes, module, "offset"));
  CHECK(cuMemcpyHtoD(variable, &add, sizeof(add)));
  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = i - 500;
  CHECK(cuMemAlloc(&in, n * sizeof(int)));
  CHECK(cuMemAlloc(&out, n * sizeof(int)));
  CHECK(cuMemcpyHtoD(in, a.data(), n * sizeof(int)));
  void *params[] = {&in, &out, &n};
  CHECK(cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr,
                       params, nullptr));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(b.data(), out, n * sizeof(int)));
  bool ok = bytes == sizeof(int);
  for (int i = 0; i < n; ++i)
    ok &= b[i] == a[i] * a[i] + add;
  CUfunction none;
  ok &= cuModuleGetFunction(&none, module, "cubes") == CUDA_ERROR_NOT_FOUND;
  CHECK(cuMemFree(in));
  CHECK(cuMemFree(out));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
  printf("%s\n", ok ? "PASSED" : "FAILED");
  return !ok;
}
