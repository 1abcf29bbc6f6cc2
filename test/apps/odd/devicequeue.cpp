//===- devicequeue.cpp - Asks for a queue on the device -------------------===//
//
// After a launch. Few devices have one; PoCL ends the program.
//
//===----------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 200
#include "Host.h"

using namespace apps;

int main() {
  Host H;
  cl_program P = H.build("__kernel void number(__global int *x) {"
                         "  x[get_global_id(0)] += get_global_id(0);"
                         "}");
  cl_mem X = H.buffer(std::vector<int>(64, 1));
  H.launch(H.kernel(P, "number"), {64}, {}, X);
  require(H.readOne<int>(X) == 1, "sum");
  const cl_queue_properties OnDevice[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int Status;
  if (cl_command_queue Queue = clCreateCommandQueueWithProperties(
          H.Context, H.Device, OnDevice, &Status))
    clReleaseCommandQueue(Queue);
}
