//===- BlockRange.cpp - FIRST:COUNT thread blocks of a grid ---------------===//

#include "BlockRange.h"

#include "Commands.h"

#include <algorithm>
#include <charconv>

namespace heddle::tool {

BlockRange parseBlockRange(const std::string &Text, uint64_t Total) {
  BlockRange Range;
  const char *End = Text.data() + Text.size();
  auto [Colon, Error] = std::from_chars(Text.data(), End, Range.First);
  bool Good = Error == std::errc() && Colon != End && *Colon == ':';
  if (Good) {
    auto [At, Bad] = std::from_chars(Colon + 1, End, Range.Count);
    Good = Bad == std::errc() && At == End;
  }
  if (!Good || Range.Count == 0 || Range.First >= Total)
    throw CommandError{
        "--blocks takes FIRST:COUNT with FIRST below the grid's " +
            std::to_string(Total) + " thread blocks, not '" + Text + "'",
        BadUsage};
  Range.Count = std::min(Range.Count, Total - Range.First);
  return Range;
}

} // namespace heddle::tool
