//===- Host.h - What the host programs of test/apps share -------*- C++ -*-===//
//
// The plain OpenCL C API with errors that end the program: device, programs
// beside the sources, buffers, launches. Nothing here knows of Heddle.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_APPS_HOST_H
#define HEDDLE_TEST_APPS_HOST_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace apps {

inline void check(cl_int Status, const char *What) {
  if (Status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed with OpenCL error %d\n", What, Status);
  std::exit(1);
}

/// Bytes of __local memory for an argument.
struct Local {
  size_t Bytes;
};

class Host {
public:
  Host() {
    cl_platform_id Platform;
    check(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
          "clGetDeviceIDs");
    cl_int Status;
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Status);
    check(Status, "clCreateContext");
    Queue = clCreateCommandQueue(Context, Device, 0, &Status);
    check(Status, "clCreateCommandQueue");
  }
  ~Host() {
    for (cl_kernel K : Kernels)
      clReleaseKernel(K);
    for (cl_mem M : Buffers)
      clReleaseMemObject(M);
    for (cl_program P : Programs)
      clReleaseProgram(P);
    clReleaseCommandQueue(Queue);
    clReleaseContext(Context);
  }
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  cl_program build(const char *Source, const char *Options = "") {
    cl_int Status;
    cl_program P =
        clCreateProgramWithSource(Context, 1, &Source, nullptr, &Status);
    check(Status, "clCreateProgramWithSource");
    if (clBuildProgram(P, 1, &Device, Options, nullptr, nullptr)) {
      std::string Log(65536, '\0');
      clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_LOG, Log.size(),
                            Log.data(), nullptr);
      std::fprintf(stderr, "%s\n", Log.c_str());
      std::exit(1);
    }
    Programs.push_back(P);
    return P;
  }
  cl_kernel kernel(cl_program P, const char *Name) {
    cl_int Status;
    cl_kernel K = clCreateKernel(P, Name, &Status);
    check(Status, Name);
    Kernels.push_back(K);
    return K;
  }

  cl_mem empty(size_t Bytes, cl_mem_flags Flags = CL_MEM_READ_WRITE) {
    return make(Bytes, Flags, nullptr);
  }
  template <typename T>
  cl_mem buffer(const std::vector<T> &Data,
                cl_mem_flags Flags = CL_MEM_READ_WRITE) {
    return make(Data.size() * sizeof(T), Flags | CL_MEM_COPY_HOST_PTR,
                const_cast<T *>(Data.data()));
  }

  template <typename T> std::vector<T> read(cl_mem M, size_t Count) {
    std::vector<T> Out(Count);
    check(clEnqueueReadBuffer(Queue, M, CL_TRUE, 0, Count * sizeof(T),
                              Out.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return Out;
  }
  template <typename T> T readOne(cl_mem M) { return read<T>(M, 1)[0]; }
  template <typename T> void write(cl_mem M, const std::vector<T> &Data) {
    check(clEnqueueWriteBuffer(Queue, M, CL_TRUE, 0, Data.size() * sizeof(T),
                               Data.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  template <typename T> void fill(cl_mem M, T Value, size_t Count) {
    check(clEnqueueFillBuffer(Queue, M, &Value, sizeof(T), 0, Count * sizeof(T),
                              0, nullptr, nullptr),
          "clEnqueueFillBuffer");
  }
  void copy(cl_mem From, cl_mem To, size_t Bytes) {
    check(
        clEnqueueCopyBuffer(Queue, From, To, 0, 0, Bytes, 0, nullptr, nullptr),
        "clEnqueueCopyBuffer");
  }
  void finish() { check(clFinish(Queue), "clFinish"); }

  /// Sets all arguments and launches; an empty \p Group leaves the local size
  /// to the device.
  template <typename... Args>
  void launch(cl_kernel K, std::vector<size_t> Global,
              std::vector<size_t> Group, const Args &...Values) {
    cl_uint Index = 0;
    (set(K, Index++, Values), ...);
    check(clEnqueueNDRangeKernel(
              Queue, K, cl_uint(Global.size()), nullptr, Global.data(),
              Group.empty() ? nullptr : Group.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

  cl_command_queue Queue = nullptr;
  cl_context Context = nullptr;
  cl_device_id Device = nullptr;

private:
  template <typename T> void set(cl_kernel K, cl_uint Index, const T &Value) {
    check(clSetKernelArg(K, Index, sizeof(T), &Value), "clSetKernelArg");
  }
  void set(cl_kernel K, cl_uint Index, const Local &Value) {
    check(clSetKernelArg(K, Index, Value.Bytes, nullptr), "clSetKernelArg");
  }
  cl_mem make(size_t Bytes, cl_mem_flags Flags, void *Data) {
    cl_int Status;
    cl_mem M = clCreateBuffer(Context, Flags, Bytes, Data, &Status);
    check(Status, "clCreateBuffer");
    Buffers.push_back(M);
    return M;
  }

  std::vector<cl_program> Programs;
  std::vector<cl_kernel> Kernels;
  std::vector<cl_mem> Buffers;
};

/// The same numbers everywhere: a 32-bit linear congruential generator.
class Numbers {
public:
  explicit Numbers(uint32_t Seed) : State(Seed) {}
  uint32_t next() { return (State = State * 1664525u + 1013904223u) >> 8; }
  uint32_t below(uint32_t End) { return next() % End; }
  float uniform(float Low, float High) {
    return Low + (High - Low) * float(next()) / 16777216.0f;
  }

private:
  uint32_t State;
};

/// The N-th argument of the program as a number.
inline int argument(int Argc, char **Argv, int N, int Default) {
  return Argc > N ? std::atoi(Argv[N]) : Default;
}

/// Ends the program with a message if \p Condition does not hold.
inline void require(bool Condition, const char *What) {
  if (Condition)
    return;
  std::fprintf(stderr, "wrong result: %s\n", What);
  std::exit(1);
}

} // namespace apps

#endif // HEDDLE_TEST_APPS_HOST_H
