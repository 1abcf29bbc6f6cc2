// Functions of the driver API that few programs need, each with its effect.
#include "../check.h"
#include <cstring>
#include <cuda.h>
#include <vector>

// As libraries had them before CUDA 4; headers of today do not declare them.
extern "C" {
CUresult cuFuncSetBlockShape(CUfunction, int, int, int);
CUresult cuParamSetSize(CUfunction, unsigned);
CUresult cuParamSetv(CUfunction, int, void *, unsigned);
CUresult cuParamSetf(CUfunction, int, float);
CUresult cuParamSeti(CUfunction, int, unsigned);
CUresult cuLaunchGrid(CUfunction, int, int);
}

#define DRIVER(call)                                                           \
  do {                                                                         \
    CUresult status = (call);                                                  \
    if (status != CUDA_SUCCESS) {                                              \
      const char *text = nullptr;                                              \
      cuGetErrorString(status, &text);                                         \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, text);     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static bool allRight = true;
static void expect(bool right, const char *what) {
  if (!right)
    fprintf(stderr, "wrong: %s\n", what);
  allRight &= right;
}

__global__ void scale(float *values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= factor;
}
__global__ void sample(float *to, cudaTextureObject_t texture, int width,
                       int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height)
    to[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

static std::vector<float> read(CUdeviceptr from, size_t n) {
  std::vector<float> values(n);
  DRIVER(cuMemcpyDtoH(values.data(), from, n * sizeof(float)));
  return values;
}

static void context() {
  CUcontext current, other;
  DRIVER(cuCtxGetCurrent(&current));
  unsigned version = 0, flags = 0;
  int active = 0, least = 1, greatest = 1, peer = 1;
  size_t limit = 0;
  DRIVER(cuCtxGetApiVersion(current, &version));
  expect(version >= 3010, "version");
  DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  DRIVER(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  expect(limit == 4096, "limit");
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  expect(active == 1, "state");
  DRIVER(cuCtxGetStreamPriorityRange(&least, &greatest));
  expect(least == 0 && greatest < 0, "priorities");
  DRIVER(cuDeviceCanAccessPeer(&peer, 0, 0));
  expect(peer == 0, "peer");
  char bus[32];
  CUdevice device = -1;
  DRIVER(cuDeviceGetPCIBusId(bus, sizeof(bus), 0));
  DRIVER(cuDeviceGetByPCIBusId(&device, bus));
  expect(device == 0, "bus");
  expect(cuDeviceGetByPCIBusId(&device, "0000:17:00.0") ==
             CUDA_ERROR_INVALID_DEVICE,
         "no such bus");
  CUdevprop properties;
  DRIVER(cuDeviceGetProperties(&properties, 0));
  expect(properties.SIMDWidth == 32 && properties.maxThreadsPerBlock == 1024,
         "properties");
  DRIVER(cuStreamGetCtx(nullptr, &other));
  expect(other == current, "stream's context");
}

static void launches(CUfunction function, CUdeviceptr values, int n) {
  float factor = 3;
  void *params[] = {&values, &factor, &n};
  CUlaunchConfig config = {};
  config.gridDimX = (n + 127) / 128;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 128;
  DRIVER(cuLaunchKernelEx(&config, function, params, nullptr));
  const char *name = nullptr;
  size_t at = 0, size = 0;
  CUmodule module;
  DRIVER(cuFuncGetName(&name, function));
  expect(strstr(name, "scale") != nullptr, "name");
  DRIVER(cuFuncGetModule(&module, function));
  DRIVER(cuFuncGetParamInfo(function, 2, &at, &size));
  expect(at == 12 && size == 4, "parameter");
  expect(cuFuncGetParamInfo(function, 3, &at, &size) ==
             CUDA_ERROR_INVALID_VALUE,
         "no such parameter");
  expect(read(values, n)[5] == 15, "launch");
  DRIVER(cuFuncSetBlockShape(function, 64, 1, 1));
  DRIVER(cuParamSetv(function, 0, &values, sizeof(values)));
  DRIVER(cuParamSetf(function, 8, 2));
  DRIVER(cuParamSeti(function, 12, n));
  DRIVER(cuParamSetSize(function, 16));
  DRIVER(cuLaunchGrid(function, (n + 63) / 64, 1));
  expect(read(values, n)[5] == 30, "parameter by parameter");
  int blocks = 0;
  size_t shared = 0;
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function,
                                                              128, 0, 0));
  DRIVER(cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 2, 128));
  int two = 0, less = 0;
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&two, function, 128,
                                                     shared));
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&less, function, 128,
                                                     shared + 1024));
  expect(blocks > 2 && two >= 2 && less < 3, "occupancy");
}

static void graph(CUfunction function, CUdeviceptr values, int n) {
  CUgraph graph;
  CUgraphNode fill, kernel;
  CUgraphExec run;
  DRIVER(cuGraphCreate(&graph, 0));
  CUcontext current;
  DRIVER(cuCtxGetCurrent(&current));
  CUDA_MEMSET_NODE_PARAMS set = {};
  set.dst = values;
  set.value = 0x40000000; // 2.0f
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  DRIVER(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, current));
  float factor = 5;
  void *params[] = {&values, &factor, &n};
  CUDA_KERNEL_NODE_PARAMS launch = {};
  launch.func = function;
  launch.gridDimX = (n + 63) / 64;
  launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
  launch.blockDimX = 64;
  launch.kernelParams = params;
  DRIVER(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  size_t count = 0;
  DRIVER(cuGraphGetNodes(graph, nullptr, &count));
  CUgraphNodeType type;
  DRIVER(cuGraphNodeGetType(kernel, &type));
  expect(count == 2 && type == CU_GRAPH_NODE_TYPE_KERNEL, "nodes");
  DRIVER(cuGraphInstantiateWithFlags(&run, graph, 0));
  DRIVER(cuGraphLaunch(run, nullptr));
  expect(read(values, n)[n - 1] == 10, "graph");
  factor = 7;
  DRIVER(cuGraphExecKernelNodeSetParams(run, kernel, &launch));
  DRIVER(cuGraphLaunch(run, nullptr));
  expect(read(values, n)[n - 1] == 14, "changed graph");
  DRIVER(cuGraphExecDestroy(run));
  DRIVER(cuGraphDestroy(graph));
}

static void images(CUfunction function) {
  const int width = 8, height = 4;
  std::vector<float> texels(width * height);
  for (int i = 0; i < width * height; ++i)
    texels[i] = 0.5f * i;
  CUDA_ARRAY3D_DESCRIPTOR shape = {};
  shape.Width = width;
  shape.Height = height;
  shape.Format = CU_AD_FORMAT_FLOAT;
  shape.NumChannels = 1;
  CUarray array;
  DRIVER(cuArray3DCreate(&array, &shape));
  CUDA_ARRAY_DESCRIPTOR told;
  DRIVER(cuArrayGetDescriptor(&told, array));
  expect(told.Width == width && told.Height == height &&
             told.Format == CU_AD_FORMAT_FLOAT && told.NumChannels == 1,
         "descriptor");
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = width * sizeof(float);
  copy.srcHeight = height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * sizeof(float);
  copy.Height = height;
  copy.Depth = 1;
  DRIVER(cuMemcpy3D(&copy));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture;
  DRIVER(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  CUdeviceptr to;
  DRIVER(cuMemAlloc(&to, texels.size() * sizeof(float)));
  int w = width, h = height;
  void *params[] = {&to, &texture, &w, &h};
  DRIVER(cuLaunchKernel(function, height, 1, 1, 32, 1, 1, 0, nullptr, params,
                        nullptr));
  expect(read(to, texels.size()) == texels, "texture");
  CUDA_RESOURCE_DESC given;
  DRIVER(cuTexObjectGetResourceDesc(&given, texture));
  expect(given.res.array.hArray == array, "resource");
  DRIVER(cuTexObjectDestroy(texture));
  DRIVER(cuMemFree(to));
  DRIVER(cuArrayDestroy(array));
}

static void pointers(CUdeviceptr values, size_t bytes) {
  unsigned type = 0;
  CUdeviceptr start = 0;
  size_t size = 0;
  int ordinal = -1;
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               values + 8));
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                 CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *to[] = {&start, &size, &ordinal};
  DRIVER(cuPointerGetAttributes(3, which, to, values + 8));
  expect(type == CU_MEMORYTYPE_DEVICE && start == values && size == bytes &&
             ordinal == 0,
         "pointer");
  int local = 0;
  expect(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               (CUdeviceptr)&local) == CUDA_ERROR_INVALID_VALUE,
         "pointer of the host");
}

static void calledBack(CUstream, CUresult status, void *data) {
  *(int *)data = status == CUDA_SUCCESS ? 1 : -1;
}
static void streams(CUdeviceptr values) {
  CUstream stream;
  DRIVER(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
  unsigned flags = 0;
  int priority = 0, called = 0;
  DRIVER(cuStreamGetFlags(stream, &flags));
  DRIVER(cuStreamGetPriority(stream, &priority));
  expect(flags == CU_STREAM_NON_BLOCKING && priority == -1, "stream");
  DRIVER(cuStreamAddCallback(stream, calledBack, &called, 0));
  DRIVER(cuStreamSynchronize(stream));
  expect(called == 1, "callback");
  DRIVER(cuStreamWriteValue32(stream, values, 0x3f800000, 0)); // 1.0f
  DRIVER(cuStreamWaitValue32(stream, values, 0x3f800000,
                             CU_STREAM_WAIT_VALUE_EQ));
  expect(read(values, 1)[0] == 1, "value");
  CUstreamCaptureStatus capture;
  DRIVER(cuStreamIsCapturing(stream, &capture));
  expect(capture == CU_STREAM_CAPTURE_STATUS_NONE, "capture");
  DRIVER(cuStreamDestroy(stream));
}

static void pool() {
  CUmemoryPool pool;
  CUdeviceptr block;
  cuuint64_t used = 0;
  DRIVER(cuDeviceGetDefaultMemPool(&pool, 0));
  DRIVER(cuMemAllocFromPoolAsync(&block, 1000, pool, nullptr));
  DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  expect(used >= 1000, "pool");
  DRIVER(cuMemFreeAsync(block, nullptr));
  void *function = nullptr;
  CUdriverProcAddressQueryResult found;
  DRIVER(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &found));
  expect(function && found == CU_GET_PROC_ADDRESS_SUCCESS, "address");
}

int main() {
  CHECK(cudaFree(nullptr));
  cudaFunction_t scaleFunction, sampleFunction;
  CHECK(cudaGetFuncBySymbol(&scaleFunction, scale));
  CHECK(cudaGetFuncBySymbol(&sampleFunction, sample));
  const int n = 300;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  CUdeviceptr at;
  DRIVER(cuMemAlloc(&at, n * sizeof(float)));
  DRIVER(cuMemcpyHtoD(at, values.data(), n * sizeof(float)));
  context();
  launches(scaleFunction, at, n);
  graph(scaleFunction, at, n);
  images(sampleFunction);
  pointers(at, n * sizeof(float));
  streams(at);
  pool();
  DRIVER(cuMemFree(at));
  return verdict(allRight);
}
