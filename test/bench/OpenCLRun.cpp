//===- OpenCLRun.cpp - Runs a launch on an OpenCL device ------------------===//
//
// The peer that `utils/reproduce exec` compares with: the same kernel, launch
// and data on whatever OpenCL device there is, which is PoCL on a machine
// without a GPU. Prints JSON: the device and, for each repetition, wall and CPU
// seconds of the launch alone.
//
//===----------------------------------------------------------------------===//

#include "launch/BufferInit.h"
#include "launch/LaunchFile.h"
#include "launch/ScalarTypes.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fmt/format.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace heddle;

namespace {

void check(cl_int Status, const char *What) {
  if (Status != CL_SUCCESS)
    throw Error{fmt::format("{} failed with OpenCL error {}", What, Status)};
}

template <typename T> T take(Result<T> Value) {
  if (!Value)
    throw Value.error();
  return std::move(*Value);
}

struct Device {
  cl_device_id ID = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
  std::string Name;
};

Device openDevice() {
  cl_platform_id Platform;
  cl_uint Count = 0;
  clGetPlatformIDs(1, &Platform, &Count);
  if (Count == 0)
    throw Error{"there is no OpenCL platform; utils/deps installs PoCL"};
  Device D;
  cl_int Status;
  check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &D.ID, nullptr),
        "clGetDeviceIDs");
  D.Context = clCreateContext(nullptr, 1, &D.ID, nullptr, nullptr, &Status);
  check(Status, "clCreateContext");
  D.Queue = clCreateCommandQueue(D.Context, D.ID, 0, &Status);
  check(Status, "clCreateCommandQueue");
  char Name[256] = "", Version[256] = "";
  clGetDeviceInfo(D.ID, CL_DEVICE_NAME, sizeof(Name), Name, nullptr);
  clGetDeviceInfo(D.ID, CL_DEVICE_VERSION, sizeof(Version), Version, nullptr);
  D.Name = fmt::format("{}, {}", Name, Version);
  return D;
}

cl_kernel buildKernel(const Device &D, const std::string &Path,
                      const std::string &Name) {
  std::ifstream File(Path);
  std::ostringstream Text;
  Text << File.rdbuf();
  if (!File)
    throw Error{fmt::format("cannot read '{}'", Path)};
  std::string Source = Text.str();
  const char *Begin = Source.c_str();
  cl_int Status;
  cl_program Program =
      clCreateProgramWithSource(D.Context, 1, &Begin, nullptr, &Status);
  check(Status, "clCreateProgramWithSource");
  if (clBuildProgram(Program, 1, &D.ID, "-cl-std=CL1.2", nullptr, nullptr)) {
    std::string Log(65536, '\0');
    clGetProgramBuildInfo(Program, D.ID, CL_PROGRAM_BUILD_LOG, Log.size(),
                          Log.data(), nullptr);
    throw Error{fmt::format("{} does not compile\n{}", Path, Log.c_str())};
  }
  cl_kernel Kernel = clCreateKernel(Program, Name.c_str(), &Status);
  check(Status, "clCreateKernel");
  return Kernel;
}

struct DeviceBuffer {
  std::string Name;
  cl_mem Memory = nullptr;
  std::vector<uint8_t> Start; ///< contents before the launch
};

std::vector<DeviceBuffer> setArguments(const Device &D, cl_kernel Kernel,
                                       const launch::Launch &Launch) {
  std::vector<DeviceBuffer> Buffers;
  for (cl_uint I = 0; I < Launch.Args.size(); ++I) {
    const auto &Value = Launch.Args[I].Value;
    cl_int Status = CL_SUCCESS;
    if (const auto *Buffer = std::get_if<launch::BufferArg>(&Value)) {
      std::vector<uint8_t> Bytes(Buffer->Count * launch::sizeOf(Buffer->Type));
      if (auto Done = launch::initialise(*Buffer, Bytes); !Done)
        throw Done.error();
      cl_mem Memory =
          clCreateBuffer(D.Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         Bytes.size(), Bytes.data(), &Status);
      check(Status, "clCreateBuffer");
      Buffers.push_back(
          {Buffer->Name.empty() ? fmt::format("arg{}", I) : Buffer->Name,
           Memory, std::move(Bytes)});
      Status = clSetKernelArg(Kernel, I, sizeof(Memory), &Memory);
    } else if (const auto *Scalar = std::get_if<launch::ScalarArg>(&Value)) {
      uint8_t Bytes[8];
      if (launch::isFloat(Scalar->Type))
        launch::storeFloat(Scalar->Type, Scalar->Float, Bytes);
      else
        launch::storeInteger(Scalar->Type, Scalar->Integer, Bytes);
      Status = clSetKernelArg(Kernel, I, launch::sizeOf(Scalar->Type), Bytes);
    } else if (const auto *Local = std::get_if<launch::LocalArg>(&Value)) {
      Status = clSetKernelArg(Kernel, I, Local->SizeBytes, nullptr);
    } else if (const auto *Raw = std::get_if<launch::BytesArg>(&Value)) {
      Status = clSetKernelArg(Kernel, I, Raw->Bytes.size(), Raw->Bytes.data());
    }
    check(Status, "clSetKernelArg");
  }
  return Buffers;
}

void writeBuffers(const Device &D, const std::vector<DeviceBuffer> &Buffers,
                  const std::string &Folder) {
  for (const DeviceBuffer &Buffer : Buffers) {
    std::vector<char> Bytes(Buffer.Start.size());
    check(clEnqueueReadBuffer(D.Queue, Buffer.Memory, CL_TRUE, 0, Bytes.size(),
                              Bytes.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    std::string Path = fmt::format("{}/{}.bin", Folder, Buffer.Name);
    std::ofstream File(Path, std::ios::binary);
    File.write(Bytes.data(), std::streamsize(Bytes.size()));
    if (!File.flush())
      throw Error{fmt::format("cannot write '{}'", Path)};
  }
}

double cpuSeconds() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  auto Seconds = [](timeval T) { return double(T.tv_sec) + 1e-6 * T.tv_usec; };
  return Seconds(Usage.ru_utime) + Seconds(Usage.ru_stime);
}

void run(int Argc, char **Argv) {
  std::string Source = Argv[1], Folder;
  int Repeats = 1;
  for (int I = 3; I + 1 < Argc; I += 2) {
    std::string_view Option = Argv[I];
    if (Option == "-o")
      Folder = Argv[I + 1];
    else if (Option == "--repeat")
      Repeats = std::max(1, std::atoi(Argv[I + 1]));
    else
      throw Error{fmt::format("unknown option '{}'", Option)};
  }
  launch::Launch Launch = take(launch::readLaunchFile(Argv[2]));
  Device D = openDevice();
  cl_kernel Kernel = buildKernel(D, Source, Launch.Kernel);
  std::vector<DeviceBuffer> Buffers = setArguments(D, Kernel, Launch);
  size_t Local[] = {Launch.Block.X, Launch.Block.Y, Launch.Block.Z};
  size_t Global[] = {Local[0] * Launch.Grid.X, Local[1] * Launch.Grid.Y,
                     Local[2] * Launch.Grid.Z};
  auto Execute = [&] {
    check(clEnqueueNDRangeKernel(D.Queue, Kernel, 3, nullptr, Global, Local, 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(D.Queue), "clFinish");
  };
  // The first launch also compiles; its results are those to compare.
  Execute();
  if (!Folder.empty())
    writeBuffers(D, Buffers, Folder);
  std::string Wall, CPU;
  for (int I = 0; I < Repeats; ++I) {
    // Every repetition starts from the same data.
    for (const DeviceBuffer &Buffer : Buffers)
      check(clEnqueueWriteBuffer(D.Queue, Buffer.Memory, CL_TRUE, 0,
                                 Buffer.Start.size(), Buffer.Start.data(), 0,
                                 nullptr, nullptr),
            "clEnqueueWriteBuffer");
    auto Begin = std::chrono::steady_clock::now();
    double CPUBegin = cpuSeconds();
    Execute();
    std::chrono::duration<double> Seconds =
        std::chrono::steady_clock::now() - Begin;
    Wall += fmt::format("{}{:.9f}", I ? ", " : "", Seconds.count());
    CPU += fmt::format("{}{:.9f}", I ? ", " : "", cpuSeconds() - CPUBegin);
  }
  fmt::print(
      "{{\"device\": \"{}\", \"seconds\": [{}], \"cpu_seconds\": [{}]}}\n",
      D.Name, Wall, CPU);
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 3 || Argc % 2 == 0) {
    std::fprintf(stderr, "usage: opencl-run KERNEL.cl LAUNCH.yaml [--repeat N] "
                         "[-o FOLDER]\n");
    return 2;
  }
  try {
    run(Argc, Argv);
    return 0;
  } catch (const Error &E) {
    std::fprintf(stderr, "opencl-run: error: %s\n", E.Message.c_str());
    return 1;
  }
}
