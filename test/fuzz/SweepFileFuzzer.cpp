//===- SweepFileFuzzer.cpp - Any bytes as a description of a sweep --------===//

#include "../../tools/heddle/SweepPlan.h"
#include "ScratchFolder.h"

#include <cstdlib>

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  static const fuzz::ScratchFolder Folder;
  const std::string_view Text(reinterpret_cast<const char *>(Bytes), Size);
  auto Plan = tool::readSweepFile(Folder.write("sweep.yaml", Text));
  if (!Plan ? Plan.error().Message.empty() : Plan->canonical().empty())
    std::abort();
  // The same bytes as an option.
  tool::SweepPlan Other;
  const auto Added = tool::addVary(Other, std::string(Text));
  if (!Added && Added.error().Message.empty())
    std::abort();
  if (Added && Other.size() && Other.size() < tool::MaxSweepPoints)
    (void)Other.point(Other.size() - 1);
  return 0;
}
