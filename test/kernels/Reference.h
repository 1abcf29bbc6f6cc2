//===- Reference.h - What our kernels should compute ------------*- C++ -*-===//
//
// Each kernel of test/kernels/NAME has a function NAME here
// (NAME/reference.cpp) that does on the CPU what the kernel does, for any
// launch of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_KERNELS_REFERENCE_H
#define HEDDLE_TEST_KERNELS_REFERENCE_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::reference {

/// The arguments of a launch with the buffers' contents. Access to an argument
/// that is not there or not of the type asked for is an error in the launch
/// file: it throws Error.
class Arguments {
public:
  static Result<Arguments> create(launch::Launch Launch);

  template <typename T> std::span<T> buffer(size_t Index) {
    std::vector<uint8_t> &Bytes = bytes(Index, sizeof(T));
    return {reinterpret_cast<T *>(Bytes.data()), Bytes.size() / sizeof(T)};
  }
  template <typename T> T scalar(size_t Index) const {
    const launch::ScalarArg &Scalar = scalarAt(Index);
    if constexpr (std::is_floating_point_v<T>)
      return T(Scalar.Float);
    else
      return T(Scalar.Integer);
  }
  Dim3 grid() const { return Launch.Grid; }
  Dim3 block() const { return Launch.Block; }
  const std::string &kernel() const { return Launch.Kernel; }

  /// Writes every buffer to \p Folder/NAME.bin, raw and little-endian.
  Result<void> write(const std::string &Folder) const;

private:
  std::vector<uint8_t> &bytes(size_t Index, size_t ElementSize);
  const launch::ScalarArg &scalarAt(size_t Index) const;

  launch::Launch Launch;
  std::vector<std::vector<uint8_t>> Buffers; ///< by argument
};

#define REFERENCE(NAME) void NAME(Arguments &Args);
#include "References.def"
#undef REFERENCE

} // namespace heddle::reference

#endif // HEDDLE_TEST_KERNELS_REFERENCE_H
