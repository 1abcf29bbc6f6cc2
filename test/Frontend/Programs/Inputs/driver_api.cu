#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#define checkCu(err) __chk(err, __FILE__, __LINE__)
inline void __chk(CUresult err, const char *file, const int line) {
  if (CUDA_SUCCESS != err) {
    const char *s;
    cuGetErrorString(err, &s);
    fprintf(stderr, "%s %s %d", s, file, line);
    exit(1);
  }
}
extern "C" __global__ void vecAdd(const float *a, const float *b, float *c,
                                  int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
int main() {
  CUdevice dev;
  CUcontext ctx;
  CUmodule mod;
  CUfunction f;
  CUdeviceptr p;
  CUstream s;
  CUevent ev;
  int n, maj, min;
  checkCu(cuInit(0));
  checkCu(cuDeviceGetCount(&n));
  checkCu(cuDeviceGet(&dev, 0));
  cuDeviceGetName((char *)0, 100, dev);
  cuDeviceComputeCapability(&maj, &min, dev);
  cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev);
  size_t tot;
  cuDeviceTotalMem(&tot, dev);
  checkCu(cuCtxCreate(&ctx, CU_CTX_SCHED_AUTO, dev));
  checkCu(cuModuleLoad(&mod, "x.ptx"));
  checkCu(cuModuleGetFunction(&f, mod, "vecAdd"));
  CUjit_option o[2] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_MAX_REGISTERS};
  void *ov[2];
  cuModuleLoadDataEx(&mod, "", 2, o, ov);
  checkCu(cuMemAlloc(&p, 100));
  cuMemcpyHtoD(p, &n, 4);
  cuMemcpyDtoH(&n, p, 4);
  cuMemcpyHtoDAsync(p, &n, 4, s);
  cuMemsetD32(p, 0, 1);
  cuStreamCreate(&s, CU_STREAM_DEFAULT);
  cuEventCreate(&ev, CU_EVENT_DEFAULT);
  cuEventRecord(ev, s);
  void *args[] = {&p, &p, &p, &n};
  checkCu(cuLaunchKernel(f, 1, 1, 1, 256, 1, 1, 0, s, args, NULL));
  cuFuncSetBlockShape(f, 1, 1, 1);
  cuParamSetSize(f, 10);
  cuLaunchGrid(f, 1, 1);
  cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
  cuCtxSynchronize();
  cuMemFree(p);
  cuModuleUnload(mod);
  cuCtxDestroy(ctx);
  cuDevicePrimaryCtxRetain(&ctx, dev);
  cuCtxPushCurrent(ctx);
  CUarray ar;
  CUDA_ARRAY_DESCRIPTOR ad;
  ad.Format = CU_AD_FORMAT_FLOAT;
  ad.NumChannels = 1;
  cuArrayCreate(&ar, &ad);
  CUtexref tr;
  cuModuleGetTexRef(&tr, mod, "t");
  cuTexRefSetArray(tr, ar, CU_TRSA_OVERRIDE_FORMAT);
  CUDA_MEMCPY2D c2;
  c2.srcMemoryType = CU_MEMORYTYPE_HOST;
  cuMemcpy2D(&c2);
  vecAdd<<<1, 1>>>(0, 0, 0, 0);
}
