//===- BlockRange.h - FIRST:COUNT thread blocks of a grid -------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BLOCKRANGE_H
#define HEDDLE_TOOLS_BLOCKRANGE_H

#include <cstdint>
#include <string>

namespace heddle::tool {

struct BlockRange {
  uint64_t First = 0, Count = 0;
};

/// Reads the value of an option `--blocks`; a count beyond the \p Total thread
/// blocks of the grid means those that are there. Throws CommandError.
BlockRange parseBlockRange(const std::string &Text, uint64_t Total);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_BLOCKRANGE_H
