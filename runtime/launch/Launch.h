//===- Launch.h - All that one kernel launch needs --------------*- C++ -*-===//
//
// The content of a launch file (docs/LaunchFile.md) or of --grid, --block and
// --arg: data only. LaunchFile.h reads it, runtime/exec binds it to a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LAUNCH_LAUNCH_H
#define HEDDLE_LAUNCH_LAUNCH_H

#include "base/Dim3.h"
#include "heddle/ABI/TensorMap.h"
#include "launch/HostStep.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace heddle::launch {

enum class ScalarType : uint8_t {
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  F32,
  F64,
  BF16
};

/// How a buffer's elements start. None: zero, but --check reports a read.
struct InitNone {};
struct InitZero {};
struct InitIota {};
struct InitValue {
  double Value = 0;
  int64_t Integer = 0;
};
struct InitUniform {
  double Low = 0, High = 1;
  uint64_t Seed = 0;
};
struct InitFile {
  std::string Path;
}; ///< resolved against the launch file
/// Bytes of the program that makes the launch, which keeps them while it lasts.
struct InitMemory {
  std::span<const uint8_t> Bytes;
};
using Init = std::variant<InitNone, InitZero, InitIota, InitValue, InitUniform,
                          InitFile, InitMemory>;

struct BufferArg {
  std::string Name; ///< empty: "argN"
  ScalarType Type = ScalarType::F32;
  uint64_t Count = 0; ///< elements
  launch::Init Init;
  /// The buffer of this name that an earlier argument, or an earlier launch of
  /// the application, made; the other fields are ignored then.
  bool Reference = false;
  uint64_t OffsetBytes = 0; ///< Reference: where in it the argument points
};
struct ScalarArg {
  ScalarType Type = ScalarType::I32;
  int64_t Integer = 0; ///< integer types
  double Float = 0;    ///< floating types
};
struct LocalArg {
  uint64_t SizeBytes = 0;
}; ///< OpenCL __local pointer
/// A struct or vector passed by value: its bytes, and what it points to.
struct BytesArg {
  struct Pointer {
    uint64_t Offset; ///< in Bytes, which hold zero there
    BufferArg Buffer;
  };
  std::vector<uint8_t> Bytes;
  uint32_t Alignment = 1; ///< as a member of another struct
  std::vector<Pointer> Pointers = {};
};

/// How texels outside of an image and between texels are read. The numbers are
/// cudaTextureAddressMode's.
enum class AddressMode : uint8_t { Wrap, Clamp, Mirror, Border };
struct Sampling {
  AddressMode Address = AddressMode::Clamp;
  bool Linear = false;
  bool Normalized = false; ///< coordinates from 0 to 1
};
/// An image, texture or surface: texels and what describes them.
struct ImageArg {
  BufferArg Texels; ///< Count is all channels of all texels
  uint32_t Width = 1, Height = 1, Depth = 1; ///< Depth: or layers
  uint32_t Channels = 1;
  bool NormalizedValues = false; ///< integers are read as fractions
  launch::Sampling Sampling;
};
/// An OpenCL sampler passed as an argument.
struct SamplerArg {
  launch::Sampling Sampling;
};

/// A tensor map, by value, and the buffer that it describes.
struct TensorMapArg {
  BufferArg Buffer;
  HeddleTensorMap Map = {}; ///< its address is still 0

  /// Bytes of the buffer from the tensor's first to its last element.
  uint64_t extentBytes() const;
};

struct Argument {
  std::variant<BufferArg, ScalarArg, LocalArg, BytesArg, ImageArg, SamplerArg,
               TensorMapArg>
      Value;
  unsigned Line = 0; ///< in the launch file, 0: command line
};

struct Launch {
  std::string File;       ///< for messages; empty: command line
  size_t Program = 0;     ///< in Application::Programs
  std::string Kernel;     ///< empty: the only kernel of the module
  unsigned LeastArch = 0; ///< the kernel needs this one: 80 is sm_80
  Dim3 Grid, Block;
  /// Blocks of a cluster, where the launch says it (the kernel may as well).
  std::optional<Dim3> Cluster;
  Dim3 GlobalOffset{0, 0, 0};
  uint64_t DynamicSharedBytes = 0;
  std::vector<Argument> Args;
  /// The parameters as a program gave them, with addresses of device memory,
  /// instead of Args; the kernel must take as many bytes.
  std::optional<std::vector<uint8_t>> RawParams;
  /// For CUDA's texture and surface references, by the variable's name.
  std::vector<ImageArg> Textures;
  /// First contents of __device__ and __constant__ variables, by their names.
  std::vector<BufferArg> Variables;
};

/// Calls \p Visit with every BufferArg of \p L in the order in which binding
/// makes the buffers: arguments, and what structs among them point to.
template <typename LaunchType, typename Function>
void forEachBuffer(LaunchType &L, Function Visit) {
  for (auto &A : L.Args) {
    if (auto *B = std::get_if<BufferArg>(&A.Value))
      Visit(*B);
    else if (auto *Struct = std::get_if<BytesArg>(&A.Value))
      for (auto &P : Struct->Pointers)
        Visit(P.Buffer);
    else if (auto *Map = std::get_if<TensorMapArg>(&A.Value))
      Visit(Map->Buffer);
  }
}

/// One step of an application: a launch, a call of the host that waits for the
/// device (Sync names it, e.g. "clFinish"), or what the host does to buffers.
struct Step {
  std::string Sync;
  launch::Launch Launch;
  HostStep Host;

  bool isLaunch() const {
    return Sync.empty() && std::holds_alternative<std::monostate>(Host);
  }
};

/// A source and how it is compiled.
struct Program {
  std::string Path;
  std::vector<std::string> ClangArgs;
};

/// The launches of an application in their order, which share buffers by name.
struct Application {
  std::string File;
  std::vector<Step> Steps;
  /// Where the kernels come from; empty: from the source of the command line.
  std::vector<Program> Programs;
};

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_LAUNCH_H
