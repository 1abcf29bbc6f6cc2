//===- overlap.cpp - Arguments that are the same memory -------------------===//
//
// One buffer passed twice, and parts of one buffer that overlap: what a
// work-item writes through one pointer it reads through the other.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
// in[j + shift] is out[j].
__kernel void chain(__global float *out, __global const float *in, int shift,
                    int steps) {
  int base = get_global_id(0) * (steps + 1);
  for (int k = 0; k < steps; ++k)
    out[base + k + 1] = 0.5f * in[base + k + shift] + 1.0f;
}
)";

int main() {
  constexpr int Items = 64, Steps = 31, Shift = 256;
  constexpr size_t Count = Items * (Steps + 1);
  Host H;
  cl_kernel Chain = H.kernel(H.build(Source), "chain");
  Numbers N(81);
  std::vector<float> Data(Count + Shift);
  for (float &D : Data)
    D = N.uniform(0, 8);
  cl_mem Whole = H.buffer(Data);
  auto Part = [&](size_t Offset) {
    cl_buffer_region Region{Offset * 4, Count * 4};
    cl_int Status;
    cl_mem M =
        clCreateSubBuffer(Whole, CL_MEM_READ_WRITE,
                          CL_BUFFER_CREATE_TYPE_REGION, &Region, &Status);
    check(Status, "clCreateSubBuffer");
    return M;
  };
  cl_mem Low = Part(0), High = Part(Shift);
  auto Expect = [&](size_t First) {
    for (size_t I = 0; I < Count; I += Steps + 1)
      for (int K = 0; K < Steps; ++K)
        Data[First + I + K + 1] = 0.5f * Data[First + I + K] + 1.0f;
    require(H.read<float>(Whole, Data.size()) == Data, "chain");
  };
  H.launch(Chain, {Items}, {32}, Whole, Whole, 0, Steps);
  Expect(0);
  H.launch(Chain, {Items}, {32}, High, Low, Shift, Steps);
  Expect(Shift);
  H.launch(Chain, {Items}, {32}, High, High, 0, Steps);
  Expect(Shift);
  clReleaseMemObject(Low);
  clReleaseMemObject(High);
}
