// Calls of both APIs that few programs make, each with its effect.
#include "../check.h"
#include <cstring>
#include <cuda.h>

static bool allRight = true;
static void expect(bool right, const char *what) {
  if (!right)
    fprintf(stderr, "wrong: %s\n", what);
  allRight &= right;
}
#define DRIVER(call) expect((call) == CUDA_SUCCESS, #call)

__global__ void twice(int *values) { values[threadIdx.x] *= 2; }

static void memory() {
  const int width = 8, height = 3, depth = 2, n = width * height * depth;
  int host[n], back[n], *managed;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  CHECK(cudaMallocManaged(&managed, 64));
  int preferred = 0, mostly = 1;
  void *data[] = {&preferred, &mostly};
  size_t sizes[] = {sizeof(int), sizeof(int)};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributePreferredLocation,
                                   cudaMemRangeAttributeReadMostly};
  CHECK(cudaMemRangeGetAttributes(data, sizes, which, 2, managed, 64));
  expect(preferred == cudaInvalidDeviceId && mostly == 0, "range");
  expect(cudaMemRangeGetAttributes(data, sizes, which, 0, managed, 64) ==
             cudaErrorInvalidValue,
         "no attributes");
  CUmem_range_attribute of = CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  DRIVER(
      cuMemRangeGetAttributes(data, sizes, &of, 1, (CUdeviceptr)managed, 64));
  CHECK(cudaFree(managed));

  cudaPitchedPtr from, to;
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  CHECK(cudaMalloc3D(&from, extent));
  CHECK(cudaMalloc3D(&to, extent));
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(host, width * sizeof(int),
                                   width * sizeof(int), height);
  box.dstPtr = from;
  box.extent = extent;
  box.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&box));
  cudaMemcpy3DPeerParms peer;
  memset(&peer, 0, sizeof(peer));
  peer.srcPtr = from;
  peer.dstPtr = to;
  peer.extent = extent;
  CHECK(cudaMemcpy3DPeerAsync(&peer, 0));
  peer.dstDevice = 1;
  expect(cudaMemcpy3DPeer(&peer) == cudaErrorInvalidDevice, "no such device");
  box.srcPtr = to;
  box.dstPtr = make_cudaPitchedPtr(back, width * sizeof(int),
                                   width * sizeof(int), height);
  box.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&box));
  expect(!memcmp(host, back, sizeof(host)), "copy between devices");
  CUDA_MEMCPY3D_PEER copy;
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = (CUdeviceptr)to.ptr;
  copy.dstDevice = (CUdeviceptr)from.ptr;
  copy.WidthInBytes = 4 * sizeof(int);
  copy.Height = copy.Depth = 1;
  DRIVER(cuMemsetD32((CUdeviceptr)to.ptr, 77, 4));
  DRIVER(cuMemcpy3DPeer(&copy));
  CHECK(cudaMemcpy(back, from.ptr, 16, cudaMemcpyDeviceToHost));
  expect(back[3] == 77, "copy between contexts");
  CHECK(cudaFree(from.ptr));
  CHECK(cudaFree(to.ptr));
}

static void batches() {
  int first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8}, back[4];
  int *values;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&values, 8 * sizeof(int)));
  void *to[] = {values, values + 4};
  void *from[] = {first, second};
  size_t sizes[] = {sizeof(first), sizeof(second)}, index = 0;
  cudaMemcpyAttributes how;
  memset(&how, 0, sizeof(how));
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
#if CUDART_VERSION >= 13000
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &how, &index, 1, stream));
#else
  size_t failed = 0;
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &how, &index, 1, &failed,
                             stream));
#endif
  CUstreamBatchMemOpParams ops[2];
  memset(ops, 0, sizeof(ops));
  ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  ops[0].writeValue.address = (CUdeviceptr)(values + 6);
  ops[0].writeValue.value = 70;
  ops[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  ops[1].waitValue.address = (CUdeviceptr)(values + 6);
  ops[1].waitValue.value = 70;
  ops[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  DRIVER(cuStreamBatchMemOp((CUstream)stream, 2, ops, 0));
  CHECK(cudaMemcpy(back, values + 4, sizeof(back), cudaMemcpyDeviceToHost));
  expect(back[0] == 5 && back[2] == 70 && back[3] == 8, "batches");
  float ms = -1;
  CUevent begin, end;
  DRIVER(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  DRIVER(cuEventCreate(&end, CU_EVENT_DEFAULT));
  DRIVER(cuEventRecord(begin, (CUstream)stream));
  DRIVER(cuEventRecord(end, (CUstream)stream));
  DRIVER(cuEventSynchronize(end));
  DRIVER(cuEventElapsedTime(&ms, begin, end));
  expect(ms >= 0, "time");
  DRIVER(cuEventDestroy(begin));
  DRIVER(cuEventDestroy(end));
  CHECK(cudaFree(values));
  CHECK(cudaStreamDestroy(stream));
}

static void pools() {
  cudaMemPool_t pool, same;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned));
  CHECK(cudaDeviceGetDefaultMemPool(&same, 0));
  expect(pool == same, "default pool");
  CHECK(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, pool));
  CHECK(cudaMemGetMemPool(&same, &here, cudaMemAllocationTypePinned));
  expect(pool == same, "current pool");
  here.type = cudaMemLocationTypeHost;
  expect(cudaMemGetMemPool(&same, &here, cudaMemAllocationTypePinned) ==
             cudaErrorNotSupported,
         "pool of the host");
  CUmemoryPool driverPool;
  CUmemLocation there = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  DRIVER(cuMemGetDefaultMemPool(&driverPool, &there,
                                CU_MEM_ALLOCATION_TYPE_PINNED));
  expect((void *)driverPool == (void *)pool, "the driver's pool");
}

static void streams() {
  CUstream stream, other;
  CUstreamAttrValue value;
  DRIVER(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
  DRIVER(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  DRIVER(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  expect(value.priority == -1, "priority");
  memset(&value, 0, sizeof(value));
  value.accessPolicyWindow.num_bytes = 4096;
  DRIVER(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                              &value));
  DRIVER(cuStreamCopyAttributes(other, stream));
  memset(&value, 0, sizeof(value));
  DRIVER(cuStreamGetAttribute(other, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                              &value));
  expect(value.accessPolicyWindow.num_bytes == 4096, "window");

  CUcontext context;
  CUevent event;
  int *values, one = 0;
  CHECK(cudaMalloc(&values, 32 * sizeof(int)));
  CHECK(cudaMemset(values, 1, 32 * sizeof(int)));
  DRIVER(cuCtxGetCurrent(&context));
  DRIVER(cuEventCreate(&event, CU_EVENT_DEFAULT));
  twice<<<1, 32, 0, stream>>>(values);
  DRIVER(cuCtxRecordEvent(context, event));
  DRIVER(cuCtxWaitEvent(context, event));
  twice<<<1, 32, 0, other>>>(values);
  DRIVER(cuEventSynchronize(event));
  DRIVER(cuStreamSynchronize(other));
  CHECK(cudaMemcpy(&one, values, sizeof(one), cudaMemcpyDeviceToHost));
  expect(one == 0x04040404, "events of the context");
  DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  expect(cuCtxRecordEvent(context, event) ==
             CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
         "capture");
  CUgraph graph;
  expect(cuStreamEndCapture(stream, &graph) ==
             CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
         "capture ended");
  // An event is no stream, nor the other way round.
  expect(cuStreamSynchronize((CUstream)event) == CUDA_ERROR_INVALID_HANDLE &&
             cuEventSynchronize((CUevent)stream) == CUDA_ERROR_INVALID_HANDLE &&
             cuStreamDestroy((CUstream)event) == CUDA_ERROR_INVALID_HANDLE,
         "kinds of handles");
  DRIVER(cuEventDestroy(event));
  DRIVER(cuStreamDestroy(stream));
  DRIVER(cuStreamDestroy(other));
  CHECK(cudaFree(values));
}

static void images() {
  cudaArray_t array, plane;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 16, 16));
  cudaArrayMemoryRequirements requirements;
  cudaArraySparseProperties sparse;
  expect(cudaArrayGetMemoryRequirements(&requirements, array, 0) ==
                 cudaErrorInvalidValue &&
             cudaArrayGetSparseProperties(&sparse, array) ==
                 cudaErrorInvalidValue &&
             cudaArrayGetPlane(&plane, array, 0) == cudaErrorInvalidValue,
         "kinds of arrays");
  expect(cudaMallocArray(&plane, &format, 16, 16, cudaArrayDeferredMapping) ==
             cudaErrorNotSupported,
         "memory that is mapped later");
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC sampling, known;
  CUDA_RESOURCE_VIEW_DESC view;
  CUtexObject texture;
  memset(&resource, 0, sizeof(resource));
  memset(&sampling, 0, sizeof(sampling));
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = (CUarray)array;
  sampling.filterMode = CU_TR_FILTER_MODE_LINEAR;
  sampling.flags = CU_TRSF_NORMALIZED_COORDINATES;
  sampling.addressMode[0] = sampling.addressMode[1] = sampling.addressMode[2] =
      CU_TR_ADDRESS_MODE_WRAP;
  DRIVER(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  DRIVER(cuTexObjectGetTextureDesc(&known, texture));
  expect(known.filterMode == CU_TR_FILTER_MODE_LINEAR &&
             known.flags & CU_TRSF_NORMALIZED_COORDINATES &&
             known.addressMode[1] == CU_TR_ADDRESS_MODE_WRAP,
         "sampling");
  expect(cuTexObjectGetResourceViewDesc(&view, texture) ==
             CUDA_ERROR_INVALID_VALUE,
         "no view");
  DRIVER(cuTexObjectDestroy(texture));
  CHECK(cudaFreeArray(array));
}

static void occupancy() {
  int grid = 0, block = 0, same = 0, other = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, twice));
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&same, &other, twice, 0, 0,
                                                    cudaOccupancyDefault));
  expect(grid == same && block == other && block >= 32, "block size");
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &same, &other, twice, [](int threads) { return size_t(64 * threads); }, 0,
      cudaOccupancyDefault));
  expect(other > 0 && other <= block, "block size with shared memory");
}

int main() {
  CHECK(cudaSetDevice(0));
  memory();
  batches();
  pools();
  streams();
  images();
  occupancy();
  return verdict(allRight);
}
