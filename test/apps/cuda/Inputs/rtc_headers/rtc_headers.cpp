// usage: rtc_headers FOLDER...: compiles a kernel that includes value.h, looked
// for in these folders, and prints what the kernel says.
#include "../check.h"
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static const char source[] = R"(
#include "value.h"
extern "C" __global__ void tell(int *out) { *out = VALUE; }
)";

int main(int argc, char **argv) {
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i)
    folders.push_back("-I" + std::string(argv[i]));
  std::vector<const char *> options;
  for (const std::string &folder : folders)
    options.push_back(folder.c_str());
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "tell.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, int(options.size()), options.data()) !=
      NVRTC_SUCCESS) {
    printf("it does not compile\n");
    return 1;
  }
  size_t size;
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, '\0');
  nvrtcGetPTX(program, ptx.data());
  CUmodule module;
  CUfunction kernel;
  int *out, value;
  CHECK(cudaMalloc(&out, sizeof(int)));
  void *args[] = {&out};
  if (cuModuleLoadData(&module, ptx.c_str()) != CUDA_SUCCESS ||
      cuModuleGetFunction(&kernel, module, "tell") != CUDA_SUCCESS ||
      cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr) !=
          CUDA_SUCCESS)
    return 1;
  CHECK(cudaMemcpy(&value, out, sizeof(int), cudaMemcpyDeviceToHost));
  printf("value %d\n", value);
}
