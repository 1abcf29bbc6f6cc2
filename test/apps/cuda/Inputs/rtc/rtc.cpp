// NVRTC: the program writes its kernel for the polynomial that it is given,
// compiles it with a header in memory, and launches two of its instances.
#define NVRTC_GET_TYPE_NAME 1
#include "check.h"
#include <cmath>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#define RTC(call)                                                              \
  do {                                                                         \
    nvrtcResult status = (call);                                               \
    if (status != NVRTC_SUCCESS) {                                             \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              nvrtcGetErrorString(status));                                    \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define DRIVER(call)                                                           \
  do {                                                                         \
    CUresult status = (call);                                                  \
    if (status != CUDA_SUCCESS) {                                              \
      fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, (int)status);   \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static const char header[] = R"(
#pragma once
template <typename T> T horner(T x) {
  T sum = 0;
  for (int i = DEGREE; i >= 0; --i)
    sum = sum * x + T(numbers::coefficients[i]);
  return sum;
}
)";
static const char source[] = R"(
namespace numbers {
__constant__ float coefficients[DEGREE + 1];
}
#include "horner.cuh"

namespace poly {
template <typename T, int Step>
__global__ void evaluate(const T *in, T *out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * Step;
  for (int i = first; i < first + Step && i < n; ++i)
    out[i] = horner(in[i]);
}
}
)";

template <typename T> bool check(CUmodule module, const char *name, int step) {
  const int n = 1000;
  std::vector<T> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = T(i - 500) / 250;
  CUfunction function;
  CUdeviceptr from, to;
  int count = n;
  DRIVER(cuModuleGetFunction(&function, module, name));
  DRIVER(cuMemAlloc(&from, n * sizeof(T)));
  DRIVER(cuMemAlloc(&to, n * sizeof(T)));
  DRIVER(cuMemcpyHtoD(from, in.data(), n * sizeof(T)));
  void *params[] = {&from, &to, &count};
  DRIVER(cuLaunchKernel(function, (n + 64 * step - 1) / (64 * step), 1, 1, 64,
                        1, 1, 0, nullptr, params, nullptr));
  DRIVER(cuMemcpyDtoH(out.data(), to, n * sizeof(T)));
  DRIVER(cuMemFree(from));
  DRIVER(cuMemFree(to));
  for (int i = 0; i < n; ++i) {
    const double x = in[i], wanted = 1 + x * (-2 + x * (0.5 + x * 3));
    if (std::fabs(out[i] - wanted) > 1e-4)
      return false;
  }
  return true;
}

int main() {
  nvrtcProgram program;
  const char *headers[] = {header}, *names[] = {"horner.cuh"};
  RTC(nvrtcCreateProgram(&program, source, "polynomial.cu", 1, headers, names));
  std::string type;
  RTC(nvrtcGetTypeName<double>(&type));
  const std::string first = "poly::evaluate<float, 4>",
                    second = "poly::evaluate<" + type + ", 1>";
  RTC(nvrtcAddNameExpression(program, first.c_str()));
  RTC(nvrtcAddNameExpression(program, second.c_str()));
  RTC(nvrtcAddNameExpression(program, "&numbers::coefficients"));
  const char *options[] = {"--gpu-architecture=compute_70", "-std=c++17",
                           "-DDEGREE=3", "-default-device", "--fmad=false"};
  RTC(nvrtcCompileProgram(program, 5, options));
  size_t size = 0, log_size = 0, cubin = 1;
  RTC(nvrtcGetPTXSize(program, &size));
  RTC(nvrtcGetProgramLogSize(program, &log_size));
  RTC(nvrtcGetCUBINSize(program, &cubin));
  std::vector<char> ptx(size);
  RTC(nvrtcGetPTX(program, ptx.data()));
  bool ok = log_size == 1 && cubin == 0 && ptx.back() == '\0' &&
            std::string(ptx.data()).find(".target sm_70") != std::string::npos;

  CUdevice device;
  CUcontext context;
  CUmodule module;
  DRIVER(cuInit(0));
  DRIVER(cuDeviceGet(&device, 0));
#if CUDA_VERSION >= 13000
  DRIVER(cuCtxCreate(&context, nullptr, 0, device));
#else
  DRIVER(cuCtxCreate(&context, 0, device));
#endif
  DRIVER(cuModuleLoadData(&module, ptx.data()));
  const char *name = nullptr;
  RTC(nvrtcGetLoweredName(program, "&numbers::coefficients", &name));
  CUdeviceptr variable;
  size_t bytes = 0;
  const float coefficients[] = {1, -2, 0.5f, 3};
  DRIVER(cuModuleGetGlobal(&variable, &bytes, module, name));
  ok &= bytes == sizeof(coefficients);
  DRIVER(cuMemcpyHtoD(variable, coefficients, bytes));
  RTC(nvrtcGetLoweredName(program, first.c_str(), &name));
  ok &= check<float>(module, name, 4);
  RTC(nvrtcGetLoweredName(program, second.c_str(), &name));
  ok &= check<double>(module, name, 1);
  RTC(nvrtcDestroyProgram(&program));
  DRIVER(cuModuleUnload(module));
  DRIVER(cuCtxDestroy(context));
  return verdict(ok && !program);
}
