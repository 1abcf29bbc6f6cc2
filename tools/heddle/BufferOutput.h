//===- BufferOutput.h - --dump and --expect ---------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BUFFEROUTPUT_H
#define HEDDLE_TOOLS_BUFFEROUTPUT_H

#include "exec/DeviceMemory.h"

#include <string>

namespace heddle::tool {

/// "NAME" or "N" (position of the argument from 0) selects a buffer.
const exec::DeviceBuffer &findBuffer(const exec::DeviceMemory &Memory,
                                     const std::string &Name);

/// "NAME[=FILE]": the raw bytes into FILE, or the first elements as text.
std::string dumpBuffer(const exec::DeviceMemory &Memory,
                       const std::string &Option);

/// The outcome of comparing one buffer.
struct Comparison {
  std::string Name;
  uint64_t Elements = 0, Mismatches = 0;
  uint64_t FirstIndex = 0;
  std::string Expected, Got; ///< at FirstIndex
  double LargestError = 0;   ///< |got - expected|, floating types

  std::string text() const;
};

/// "NAME=FILE[:abs=A][,rel=R]": FILE holds the raw elements. An element of a
/// floating type matches if |got - expected| <= A + R * |expected| or both are
/// NaN; without tolerances, and for integers, elements must be equal. Throws
/// CommandError for what cannot be compared.
Comparison compareBuffer(const exec::DeviceMemory &Memory,
                         const std::string &Option);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_BUFFEROUTPUT_H
