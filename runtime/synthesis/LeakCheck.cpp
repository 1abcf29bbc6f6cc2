//===- LeakCheck.cpp - Nothing of the original in a clone -----------------===//

#include "synthesis/LeakCheck.h"

#include <cctype>

namespace heddle::synthesis {

static bool isWord(char C) {
  return std::isalnum((unsigned char)C) || C == '_' || C == '.';
}

std::optional<std::string> findLeak(const std::string &Text,
                                    std::span<const std::string> Names) {
  constexpr size_t MinLetters = 4;
  for (const std::string &Name : Names) {
    if (Name.size() < MinLetters)
      continue;
    for (size_t At = Text.find(Name); At != Text.npos;
         At = Text.find(Name, At + 1)) {
      bool Begins = At == 0 || !isWord(Text[At - 1]);
      size_t End = At + Name.size();
      if (Begins && (End == Text.size() || !isWord(Text[End])))
        return Name;
    }
  }
  return std::nullopt;
}

} // namespace heddle::synthesis
