//===- Binding.h - A launch's arguments for one kernel ----------*- C++ -*-===//

#ifndef HEDDLE_EXEC_BINDING_H
#define HEDDLE_EXEC_BINDING_H

#include "base/Result.h"
#include "exec/DeviceMemory.h"
#include "heddle/ABI/TextureOps.h"
#include "launch/BufferInit.h"
#include "launch/Launch.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::exec {

/// What a kernel takes, without the compiler's types.
struct KernelParam {
  enum Kind { Pointer, SharedPointer, Integer, Float, Bytes };
  std::string Name; ///< empty if unknown
  Kind What = Bytes;
  uint64_t Offset = 0; ///< in the parameter block
  uint64_t SizeBytes = 0;
  /// Pointer: what it points to, where that is a number or a vector of them.
  std::optional<launch::ScalarType> Element;
  /// Integer: PTX does not tell whether it is an address; takes a buffer too.
  bool MayPoint = false;
  /// Bytes: where its pointers lie, and all that could hold one (8 bytes).
  std::vector<uint64_t> PointerOffsets, WordOffsets;

  std::string typeName() const; ///< "pointer", "i32", "struct of 12 bytes", ...
};
struct KernelInterface {
  std::string Name;
  std::vector<KernelParam> Params;
  uint64_t ParamBytes = 0;
  uint64_t StaticSharedBytes = 0;
  uint64_t DynamicSharedOffset = 0;
  bool UsesDynamicShared = false;
  uint64_t LocalBytesPerThread = 0;
};

/// A launch ready to run.
struct BoundLaunch {
  Dim3 Grid, Block, GlobalOffset;
  Dim3 Cluster;                 ///< blocks of a cluster
  bool ExplicitCluster = false; ///< the kernel or the launch says so
  unsigned WorkDim = 1;
  std::vector<uint8_t> Params; ///< pointers to shared memory still zero
  /// Parameters that point into the window of shared memory.
  struct SharedParam {
    uint64_t ParamOffset, SharedOffset;
  };
  std::vector<SharedParam> SharedParams;
  uint64_t SharedBytes = 0; ///< static, dynamic and __local arguments
  uint64_t DynamicSharedBytes = 0;
  uint64_t LocalBytesPerThread = 0;
  /// Arguments that differ point into the same buffer.
  bool ArgumentsOverlap = false;

  unsigned warpsPerBlock() const { return (Block.count() + 31) / 32; }

  /// Takes another grid and other parameters, as many bytes of them.
  void rebind(const Dim3 &NewGrid, std::span<const uint8_t> NewParams,
              const KernelInterface &Kernel, const DeviceMemory &Memory);
};

/// Checks number, kinds and sizes of the arguments, allocates and fills the
/// buffers in their order, and writes the parameter block. Messages name the
/// argument's position (from 1), its parameter, and the line of the file.
/// Contents that the host has no memory for are refused before any is filled.
Result<BoundLaunch> bind(const launch::Launch &L, const KernelInterface &Kernel,
                         DeviceMemory &Memory,
                         const launch::FillCallback &OnFill = {});

using ImageDescriptor = HeddleImage;

/// Allocates an image's texels, called \p Name, and its descriptor: 64 bytes
/// that device code reads (docs/LaunchFile.md). Returns the descriptor's
/// address, which is the image's handle.
Result<uint64_t> placeImage(const launch::ImageArg &Image,
                            const std::string &Name, DeviceMemory &Memory);

} // namespace heddle::exec

#endif // HEDDLE_EXEC_BINDING_H
