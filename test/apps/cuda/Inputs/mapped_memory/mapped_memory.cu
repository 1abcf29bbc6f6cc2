// A buffer that grows in its place, by memory that the program maps itself.
// usage: mapped_memory [none]    none: a kernel uses memory without access
#include "../check.h"
#include <cstring>
#include <cuda.h>
#include <numeric>
#include <vector>

static bool allRight = true;
static void expect(bool right, const char *what) {
  if (!right)
    fprintf(stderr, "wrong: %s\n", what);
  allRight &= right;
}
#define DRIVER(call) expect((call) == CUDA_SUCCESS, #call)

__global__ void count(int *values, int from, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    values[from + i] += from + i;
}

static CUmemAllocationProp properties() {
  CUmemAllocationProp p;
  memset(&p, 0, sizeof(p));
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.location.id = 0;
  return p;
}

struct Growing {
  CUdeviceptr at = 0;
  size_t reserved = 0, size = 0, step = 0;
  std::vector<CUmemGenericAllocationHandle> handles;

  void allow() {
    CUmemAccessDesc access = {};
    access.location = properties().location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    DRIVER(cuMemSetAccess(at, size, &access, 1));
  }
  void reserve(size_t bytes) {
    reserved = bytes;
    DRIVER(cuMemAddressReserve(&at, reserved, 0, 0, 0));
  }
  void grow() {
    const CUmemAllocationProp p = properties();
    CUmemGenericAllocationHandle handle;
    if (size == reserved)
      moveTo(2 * reserved);
    DRIVER(cuMemCreate(&handle, step, &p, 0));
    DRIVER(cuMemMap(at + size, step, 0, handle, 0));
    handles.push_back(handle);
    size += step;
    allow();
  }
  // The same memory at other addresses.
  void moveTo(size_t bytes) {
    DRIVER(cuMemUnmap(at, size));
    DRIVER(cuMemAddressFree(at, reserved));
    reserve(bytes);
    for (size_t i = 0; i < handles.size(); ++i)
      DRIVER(cuMemMap(at + i * step, step, 0, handles[i], 0));
    allow();
  }
  void free() {
    for (CUmemGenericAllocationHandle handle : handles)
      DRIVER(cuMemRelease(handle));
    DRIVER(cuMemUnmap(at, size));
    DRIVER(cuMemAddressFree(at, reserved));
  }
};

static void growing() {
  const CUmemAllocationProp p = properties();
  size_t least = 0, best = 0, before = 0, after = 0, total = 0;
  int supported = 0;
  DRIVER(cuDeviceGetAttribute(
      &supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  DRIVER(cuMemGetAllocationGranularity(&least, &p,
                                       CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  DRIVER(cuMemGetAllocationGranularity(&best, &p,
                                       CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  expect(supported && least == 2 << 20 && best % least == 0, "granularity");
  DRIVER(cuMemGetInfo(&before, &total));
  Growing vector;
  vector.step = least;
  vector.reserve(2 * least);
  const int each = int(least / sizeof(int));
  vector.grow();
  DRIVER(cuMemsetD32(vector.at, 1, each));
  count<<<64, 128>>>((int *)vector.at, 0, each);
  vector.grow();
  // A fill and a launch over two pieces.
  DRIVER(cuMemsetD32(vector.at + least / 2, 2, each));
  count<<<64, 128>>>((int *)vector.at, each / 2, each);
  vector.grow(); // at other addresses, with what it holds
  std::vector<int> host(each);
  std::iota(host.begin(), host.end(), 7);
  DRIVER(cuMemcpyHtoD(vector.at + 3 * least / 2, host.data(), 2 * least / 2));
  count<<<64, 128>>>((int *)vector.at, each, each);
  DRIVER(cuMemGetInfo(&after, &total));
  expect(before - after == 3 * least, "memory in use");
  std::vector<int> all(3 * each);
  DRIVER(cuMemcpyDtoH(all.data(), vector.at, 3 * least));
  bool right = true;
  for (int i = 0; i < 3 * each && right; ++i) {
    const bool again = i >= each && i < 2 * each;
    int want = i < each / 2       ? 1 + i
               : i < 3 * each / 2 ? 2 + i
                                  : 7 + i - 3 * each / 2;
    if (i >= 5 * each / 2)
      continue; // never written
    if (again)
      want += i;
    right = all[i] == want;
  }
  expect(right, "contents");
  // Copies within, over the borders of pieces.
  DRIVER(cuMemcpyDtoD(vector.at + least / 4, vector.at + 5 * least / 4,
                      least + 64));
  int two[2];
  DRIVER(cuMemcpyDtoH(two, vector.at + least, sizeof(two)));
  expect(two[0] == all[2 * each], "copy over borders");

  CUmemGenericAllocationHandle handle;
  CUmemAllocationProp known;
  DRIVER(cuMemRetainAllocationHandle(&handle, (void *)(vector.at + least + 4)));
  expect(handle == vector.handles[1], "handle of an address");
  DRIVER(cuMemGetAllocationPropertiesFromHandle(&known, handle));
  expect(known.type == p.type && known.location.id == 0, "properties");
  DRIVER(cuMemRelease(handle));
  unsigned long long flags = 0;
  DRIVER(cuMemGetAccess(&flags, &p.location, vector.at));
  expect(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE, "access");
  vector.free();
  DRIVER(cuMemGetInfo(&after, &total));
  expect(before == after, "all memory is free again");
}

static void errors() {
  const size_t size = 2 << 20;
  CUmemAllocationProp p = properties();
  CUmemGenericAllocationHandle handle;
  CUdeviceptr at, other;
  size_t granularity;
  expect(cuMemCreate(&handle, size + 4096, &p, 0) == CUDA_ERROR_INVALID_VALUE,
         "size");
  p.location.id = 3;
  expect(cuMemGetAllocationGranularity(&granularity, &p,
                                       CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
             CUDA_ERROR_INVALID_DEVICE,
         "device");
  p = properties();
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  expect(cuMemCreate(&handle, size, &p, 0) == CUDA_ERROR_NOT_SUPPORTED,
         "shared by processes");
  p = properties();
  expect(cuMemAddressReserve(&at, 1000, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE,
         "part of a page");
  DRIVER(cuMemAddressReserve(&at, 2 * size, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&other, size, 16 * size, 0, 0));
  expect(other % (16 * size) == 0, "alignment");
  DRIVER(cuMemCreate(&handle, size, &p, 0));
  expect(cuMemMap(at + 2 * size, size, 0, handle, 0) ==
             CUDA_ERROR_INVALID_VALUE,
         "not reserved");
  DRIVER(cuMemMap(at, size, 0, handle, 0));
  expect(cuMemMap(at, size, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE,
         "mapped twice");
  expect(cuMemsetD32(at, 0, 4) == CUDA_ERROR_INVALID_VALUE, "no access");
  expect(cuMemAddressFree(at, 2 * size) == CUDA_ERROR_INVALID_VALUE,
         "still mapped");
  expect(cuMemUnmap(at, size / 2) == CUDA_ERROR_INVALID_VALUE, "half of it");
  expect(cuMemFree(at) == CUDA_ERROR_INVALID_VALUE, "not cuMemFree");
  DRIVER(cuMemRelease(handle)); // mapped, it lives on
  DRIVER(cuMemUnmap(at, size));
  expect(cuMemMap(at, size, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE,
         "released");
  expect(cuMemRetainAllocationHandle(&handle, (void *)at) ==
             CUDA_ERROR_INVALID_VALUE,
         "nothing there");
  DRIVER(cuMemAddressFree(at, 2 * size));
  DRIVER(cuMemAddressFree(other, size));
  expect(cuMemAddressFree(other, size) == CUDA_ERROR_INVALID_VALUE, "freed");
}

static int withoutAccess() {
  Growing vector;
  vector.step = 2 << 20;
  vector.reserve(vector.step);
  vector.grow();
  CUmemAccessDesc access = {};
  access.location = properties().location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  DRIVER(cuMemSetAccess(vector.at, vector.step, &access, 1));
  count<<<1, 32>>>((int *)vector.at, 0, 32);
  const CUresult result = cuCtxSynchronize();
  return verdict(result == CUDA_ERROR_ILLEGAL_ADDRESS && allRight);
}

int main(int argc, char **) {
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(0));
  if (argc > 1)
    return withoutAccess();
  growing();
  errors();
  return verdict(allRight);
}
