// The driver API beyond the basics: pitched memory, 2D copies and fills, arrays,
// occupancy, events between streams, and a stream that captures a launch.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    CUresult status = (call);                                                  \
    if (status != CUDA_SUCCESS) {                                              \
      const char *name = "?";                                                  \
      cuGetErrorName(status, &name);                                           \
      fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call,     \
              name);                                                           \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

static const char *source = ".version 6.0\n"
                            ".target sm_70\n"
                            ".address_size 64\n"
                            ".visible .entry twice(.param .u64 p, .param .u32 n)\n"
                            "{\n"
                            "  .reg .pred %q;\n"
                            "  .reg .b32 %r<5>;\n"
                            "  .reg .b64 %d<3>;\n"
                            "  ld.param.u64 %d0, [p];\n"
                            "  ld.param.u32 %r0, [n];\n"
                            "  mov.u32 %r1, %tid.x;\n"
                            "  mov.u32 %r2, %ctaid.x;\n"
                            "  mov.u32 %r3, %ntid.x;\n"
                            "  mad.lo.s32 %r1, %r2, %r3, %r1;\n"
                            "  setp.ge.u32 %q, %r1, %r0;\n"
                            "  @%q bra END;\n"
                            "  cvta.to.global.u64 %d0, %d0;\n"
                            "  mul.wide.u32 %d1, %r1, 4;\n"
                            "  add.s64 %d2, %d0, %d1;\n"
                            "  ld.global.u32 %r4, [%d2];\n"
                            "  add.s32 %r4, %r4, %r4;\n"
                            "  st.global.u32 [%d2], %r4;\n"
                            "END:\n"
                            "  ret;\n"
                            "}\n";

int main() {
  const size_t width = 100, height = 10;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction twice;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
#if CUDA_VERSION >= 13000
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
#else
  CHECK(cuCtxCreate(&context, 0, device));
#endif
  CHECK(cuModuleLoadDataEx(&module, source, 0, nullptr, nullptr));
  CHECK(cuModuleGetFunction(&twice, module, "twice"));

  CUdeviceptr memory, begin;
  size_t pitch, bytes;
  CHECK(cuMemAllocPitch(&memory, &pitch, width * 4, height, 4));
  CHECK(cuMemGetAddressRange(&begin, &bytes, memory + 8));
  bool ok = begin == memory && bytes == pitch * height;
  CHECK(cuMemsetD2D32(memory, pitch, 21, width, height));

  int blocks = 0, grid = 0, block = 0;
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 128, 0));
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, twice, nullptr, 0, 0));
  ok &= blocks > 0 && block == 1024 && grid > 0;
  CHECK(cuFuncSetAttribute(
      twice, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));

  CUstream first, second;
  CUevent ready;
  CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, 0));
  CHECK(cuEventCreate(&ready, CU_EVENT_DEFAULT));
  unsigned n = (unsigned)(pitch * height / 4);
  void *args[] = {&memory, &n};
  CHECK(cuLaunchKernel(twice, (n + 127) / 128, 1, 1, 128, 1, 1, 0, first, args,
                       nullptr));
  CHECK(cuEventRecord(ready, first));
  CHECK(cuStreamWaitEvent(second, ready, 0));
  CUDA_MEMCPY2D copy = {};
  std::vector<int> host(width * height);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host.data();
  copy.dstPitch = width * 4;
  copy.WidthInBytes = width * 4;
  copy.Height = height;
  CHECK(cuMemcpy2DAsync(&copy, second));
  CHECK(cuStreamSynchronize(second));
  CHECK(cuEventQuery(ready));
  for (int v : host)
    ok &= v == 42;

  // Through an array and back.
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR shape = {width, height, CU_AD_FORMAT_SIGNED_INT32, 1};
  CHECK(cuArrayCreate(&array, &shape));
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * 4;
  copy.Height = height;
  CHECK(cuMemcpy2D(&copy));
  int row[2];
  CHECK(cuMemcpyAtoH(row, array, width * 4 * (height - 1), sizeof(row)));
  ok &= row[0] == 42 && row[1] == 42;
  CHECK(cuArrayDestroy(array));

  // Twice twice.
  CUgraph graph;
  CUgraphExec run;
  CHECK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuLaunchKernel(twice, (n + 127) / 128, 1, 1, 128, 1, 1, 0, first, args,
                       nullptr));
  CHECK(cuStreamEndCapture(first, &graph));
  CHECK(cuGraphInstantiateWithFlags(&run, graph, 0));
  CHECK(cuGraphLaunch(run, first));
  CHECK(cuGraphLaunch(run, first));
  CHECK(cuMemcpyDtoH(row, memory, sizeof(row)));
  ok &= row[0] == 168;
  CHECK(cuGraphExecDestroy(run));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
  printf("%s\n", ok ? "PASSED" : "FAILED");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
