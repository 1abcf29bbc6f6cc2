//===- JSONMutator.h - Mutations that stay JSON -----------------*- C++ -*-===//
//
// Bytes changed anywhere in JSON are hardly ever JSON again, so that the reader
// behind the parser is not reached. This changes values instead: numbers to
// their neighbours and extremes, lists by an element, members of objects.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_FUZZ_JSONMUTATOR_H
#define HEDDLE_TEST_FUZZ_JSONMUTATOR_H

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

namespace heddle::fuzz {

using JSON = nlohmann::ordered_json;

inline void collectValues(JSON &At, std::vector<JSON *> &Out) {
  Out.push_back(&At);
  if (At.is_structured())
    for (JSON &Part : At)
      collectValues(Part, Out);
}

inline JSON someNumber(const JSON &Old, std::mt19937 &Random) {
  const JSON Extremes[] = {
      0,          1,         -1,
      32,         1023,      UINT16_MAX,
      UINT32_MAX, INT64_MIN, UINT64_MAX,
      0.5,        1e300,     std::numeric_limits<double>::denorm_min()};
  if (Old.is_number_integer() && Random() % 2)
    return int64_t(Old.get<uint64_t>() + Random() % 5 - 2);
  return Extremes[Random() % std::size(Extremes)];
}

/// Changes one value below \p Root.
inline void mutateValue(JSON &Root, std::mt19937 &Random) {
  std::vector<JSON *> All;
  collectValues(Root, All);
  JSON &At = *All[Random() % All.size()];
  if (At.is_number()) {
    At = someNumber(At, Random);
  } else if (At.is_boolean()) {
    At = !At.get<bool>();
  } else if (At.is_array() && !At.empty()) {
    const size_t I = Random() % At.size();
    if (Random() % 2) {
      At.erase(I);
    } else {
      const JSON Copy = At[I]; // a reference into the list would not last
      At.push_back(Copy);
    }
  } else if (At.is_object() && !At.empty() && Random() % 8 == 0) {
    At.erase(std::next(At.begin(), ptrdiff_t(Random() % At.size())));
  } else if (Random() % 8 == 0) {
    const JSON Other = *All[Random() % All.size()];
    At = Other;
  }
}

/// For LLVMFuzzerCustomMutator: the first \p Skip bytes are no JSON.
inline size_t mutateJSON(uint8_t *Data, size_t Skip, size_t Size,
                         size_t MaxSize, unsigned Seed) {
  std::mt19937 Random(Seed);
  JSON Root;
  if (Size > Skip)
    Root = JSON::parse(Data + Skip, Data + Size, nullptr, false);
  if (Size <= Skip || Root.is_discarded() || Random() % 16 == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  for (unsigned Times = 1 + Random() % 3; Times; --Times)
    mutateValue(Root, Random);
  const std::string Text =
      Root.dump(-1, ' ', false, JSON::error_handler_t::replace);
  if (Text.size() > MaxSize - Skip)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  std::ranges::copy(Text, Data + Skip);
  return Skip + Text.size();
}

} // namespace heddle::fuzz

#endif // HEDDLE_TEST_FUZZ_JSONMUTATOR_H
