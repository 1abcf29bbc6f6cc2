//===- gpuonly.cpp - A program that takes nothing but a GPU ---------------===//
//
// It looks for a GPU on all platforms, asks for its limits, and chooses its
// work-groups by them.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
__kernel void sums(__global const int *in, __global int *out,
                   __local int *part) {
  size_t l = get_local_id(0), n = get_local_size(0);
  part[l] = in[get_global_id(0)];
  for (size_t step = n / 2; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step)
      part[l] += part[l + step];
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
)";

template <typename T> static T info(cl_device_id D, cl_device_info What) {
  T Value{};
  check(clGetDeviceInfo(D, What, sizeof(T), &Value, nullptr),
        "clGetDeviceInfo");
  return Value;
}

/// The first GPU of any platform.
static cl_device_id findGPU() {
  cl_platform_id Platforms[8];
  cl_uint Count;
  check(clGetPlatformIDs(8, Platforms, &Count), "clGetPlatformIDs");
  for (cl_uint P = 0; P < std::min(Count, 8u); ++P) {
    cl_device_id D;
    if (clGetDeviceIDs(Platforms[P], CL_DEVICE_TYPE_GPU, 1, &D, nullptr) ==
        CL_SUCCESS)
      return D;
  }
  std::fprintf(stderr, "there is no GPU\n");
  std::exit(1);
}

int main() {
  const cl_device_id GPU = findGPU();
  char Name[256];
  check(clGetDeviceInfo(GPU, CL_DEVICE_NAME, sizeof(Name), Name, nullptr),
        "clGetDeviceInfo");
  const size_t Group = info<size_t>(GPU, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  std::printf("%s: groups of %zu, %u compute units, %s\n", Name, Group,
              info<cl_uint>(GPU, CL_DEVICE_MAX_COMPUTE_UNITS),
              info<cl_device_type>(GPU, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU
                  ? "a GPU"
                  : "no GPU");
  constexpr size_t Groups = 6;
  Host H;
  cl_kernel Sums = H.kernel(H.build(Source), "sums");
  std::vector<int> Data(Groups * Group), Wanted(Groups);
  for (size_t I = 0; I < Data.size(); ++I)
    Wanted[I / Group] += Data[I] = int(I % 100);
  cl_mem In = H.buffer(Data), Out = H.empty(Groups * sizeof(int));
  H.launch(Sums, {Data.size()}, {Group}, In, Out, Local{Group * sizeof(int)});
  require(H.read<int>(Out, Groups) == Wanted, "sums");
}
