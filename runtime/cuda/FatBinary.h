//===- FatBinary.h - Device code inside of a program ------------*- C++ -*-===//
//
// What `heddle cc` puts into an object file, and what nvcc does. Ours begins
// with the eight bytes "HDLCUDA2" and the number of images; each has its
// compute capability times ten (0: made for any), whether it is to be linked
// with others (nvcc's -rdc=true), its size, then LLVM bitcode, and the number
// of its __managed__ variables with the size and the text of each name. Numbers
// have four bytes, sizes eight, all little endian.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_FATBINARY_H
#define HEDDLE_CUDA_FATBINARY_H

#include "base/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cuda {

/// What heddle cc compiles for any device: the first compute capability with
/// all features that Heddle models by default.
constexpr unsigned AnyDeviceCapability = 70;

struct DeviceImage {
  unsigned Capability = 0; ///< 70 for sm_70; 0: runs on any device
  bool Relocatable = false;
  std::string Code;                 ///< LLVM bitcode or PTX
  std::vector<std::string> Managed; ///< variables that the host shares
  unsigned PTXMajor = 0; ///< 9 for nvcc's PTX of version 9.0; 0: not nvcc's
};

/// The container of \p Images.
std::string writeFatBinary(const std::vector<DeviceImage> &Images);

/// The images at \p Data. What a program registers has no size; of a file's
/// contents no more than \p Bytes are read. Fails for what nvcc made without
/// PTX.
Result<std::vector<DeviceImage>> readFatBinary(const void *Data,
                                               size_t Bytes = PTRDIFF_MAX);

/// The best of \p Images for a device of \p Capability, or null.
const DeviceImage *imageFor(const std::vector<DeviceImage> &Images,
                            unsigned Capability);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_FATBINARY_H
