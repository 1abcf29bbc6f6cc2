//===- lacking.cpp - Uses what recordings lack, and more ------------------===//
//
// Launches with an image, a sampler and shared virtual memory, whose results
// later launches use, and a pipe.
//
//===----------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "Host.h"

#include <algorithm>

using namespace apps;

static const char *Source = R"(
__kernel void number(__global int *x) { x[get_global_id(0)] += get_global_id(0); }
__kernel void add(__global int *x, __global const int *y) {
  x[get_global_id(0)] += y[get_global_id(0)];
}
__kernel void paint(write_only image2d_t image, __global int *x) {
  int i = get_global_id(0);
  write_imagei(image, (int2)(i % 16, i / 16), (int4)(i, 0, 0, 0));
  x[i] = 3 * i;
}
__kernel void look(sampler_t sampler, read_only image2d_t image,
                   __global int *x) {
  int i = get_global_id(0);
  x[i] += read_imagei(image, sampler, (int2)(i % 16, i / 16)).x;
}
)";

int main() {
  constexpr size_t Count = 256;
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Number = H.kernel(P, "number"), Add = H.kernel(P, "add"),
            Paint = H.kernel(P, "paint");
  cl_mem X = H.buffer(std::vector<int>(Count, 1)),
         Y = H.buffer(std::vector<int>(Count, 2));
  H.launch(Number, {Count}, {}, X);

  cl_image_format Format{CL_R, CL_SIGNED_INT32};
  cl_image_desc Description{};
  Description.image_type = CL_MEM_OBJECT_IMAGE2D;
  Description.image_width = Description.image_height = 16;
  cl_int Status;
  cl_mem Image = clCreateImage(H.Context, CL_MEM_READ_WRITE, &Format,
                               &Description, nullptr, &Status);
  check(Status, "clCreateImage");
  H.launch(Paint, {Count}, {}, Image, Y);
  H.launch(Add, {Count}, {}, X, Y);
  const size_t Origin[3] = {}, Size[3] = {16, 16, 1};
  check(clEnqueueCopyImageToBuffer(H.Queue, Image, Y, Origin, Size, 0, 0,
                                   nullptr, nullptr),
        "clEnqueueCopyImageToBuffer");
  H.launch(Add, {Count}, {}, X, Y);
  cl_sampler Sampler = clCreateSampler(H.Context, CL_FALSE, CL_ADDRESS_CLAMP,
                                       CL_FILTER_NEAREST, &Status);
  check(Status, "clCreateSampler");
  cl_kernel Look = H.kernel(P, "look");
  H.launch(Look, {Count}, {}, Sampler, Image, X);
  clReleaseSampler(Sampler);
  clReleaseMemObject(Image);

  auto *Shared = static_cast<int *>(
      clSVMAlloc(H.Context, CL_MEM_READ_WRITE, Count * sizeof(int), 0));
  require(Shared != nullptr, "clSVMAlloc");
  check(clEnqueueSVMMap(H.Queue, CL_TRUE, CL_MAP_WRITE, Shared,
                        Count * sizeof(int), 0, nullptr, nullptr),
        "clEnqueueSVMMap");
  std::fill_n(Shared, Count, 5);
  check(clEnqueueSVMUnmap(H.Queue, Shared, 0, nullptr, nullptr),
        "clEnqueueSVMUnmap");
  check(clSetKernelArg(Add, 0, sizeof(X), &X), "clSetKernelArg");
  check(clSetKernelArgSVMPointer(Add, 1, Shared), "clSetKernelArgSVMPointer");
  check(clEnqueueNDRangeKernel(H.Queue, Add, 1, nullptr, &Count, nullptr, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  H.launch(Number, {Count}, {}, X);
  const auto Got = H.read<int>(X, Count);
  for (int I = 0; I < int(Count); ++I)
    require(Got[I] == 6 + 7 * I, "sums");
  clSVMFree(H.Context, Shared);
  // Few devices have pipes; asking for one is enough to be named.
  if (cl_mem Pipe = clCreatePipe(H.Context, 0, 4, 16, nullptr, &Status))
    clReleaseMemObject(Pipe);
}
