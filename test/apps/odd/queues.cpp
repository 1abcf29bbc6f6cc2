//===- queues.cpp - Several queues, events, an out-of-order queue ---------===//
//
// Two launches that may overlap or not, as the argument says. queues: in two
// queues; one: in one queue; event: the second queue waits for an event of the
// first; host: the host waits for the first queue; any: in an out-of-order
// queue; list: there with a wait list; barrier: with a barrier between them.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <cstring>

using namespace apps;

static const char *Source = R"(
__kernel void spin(__global float *data, int rounds) {
  int i = get_global_id(0);
  float x = data[i];
  for (int r = 0; r < rounds; ++r)
    x = x * 0.5f + 1.0f;
  data[i] = x;
}
)";

int main(int Count, char **Arguments) {
  const char *What = Count > 1 ? Arguments[1] : "queues";
  auto Is = [&](const char *Name) { return std::strcmp(What, Name) == 0; };
  constexpr size_t Items = 16 * 256, Group = 256;
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Spin = H.kernel(P, "spin");
  std::vector<float> Zeros(Items);
  cl_mem Data[2] = {H.buffer(Zeros), H.buffer(Zeros)};

  const bool AnyOrder = Is("any") || Is("list") || Is("barrier");
  cl_command_queue Queues[2];
  for (cl_command_queue &Q : Queues) {
    cl_int Status;
    Q = clCreateCommandQueue(
        H.Context, H.Device,
        AnyOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &Status);
    check(Status, "clCreateCommandQueue");
  }
  cl_command_queue Second = AnyOrder || Is("one") ? Queues[0] : Queues[1];
  auto Launch = [&](cl_command_queue Q, cl_mem M, const cl_event *After,
                    cl_event *Done) {
    const cl_int Rounds = 400;
    check(clSetKernelArg(Spin, 0, sizeof(M), &M), "clSetKernelArg");
    check(clSetKernelArg(Spin, 1, sizeof(Rounds), &Rounds), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(Q, Spin, 1, nullptr, &Items, &Group,
                                 After ? 1 : 0, After, Done),
          "clEnqueueNDRangeKernel");
  };
  cl_event First;
  Launch(Queues[0], Data[0], nullptr, &First);
  if (Is("host"))
    check(clFinish(Queues[0]), "clFinish");
  if (Is("barrier"))
    check(clEnqueueBarrierWithWaitList(Second, 0, nullptr, nullptr),
          "clEnqueueBarrierWithWaitList");
  Launch(Second, Data[1], Is("event") || Is("list") ? &First : nullptr,
         nullptr);
  for (cl_command_queue Q : Queues)
    check(clFinish(Q), "clFinish");
  for (cl_mem M : Data)
    for (float X : H.read<float>(M, Items))
      require(X > 1.99f && X < 2.01f, "spin");
  clReleaseEvent(First);
  for (cl_command_queue Q : Queues)
    clReleaseCommandQueue(Q);
}
