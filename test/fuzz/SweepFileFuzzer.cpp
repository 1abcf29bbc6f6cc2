//===- SweepFileFuzzer.cpp - Any bytes as a description of a sweep --------===//

#include "../../tools/heddle/SweepPlan.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace heddle;

static std::string path() {
  std::string Path =
      (std::filesystem::temp_directory_path() / "heddle-fuzz-XXXXXX").string();
  if (!::mkdtemp(Path.data()))
    std::abort();
  return Path + "/sweep.yaml";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  static const std::string Path = path();
  std::ofstream(Path, std::ios::binary)
      .write(reinterpret_cast<const char *>(Bytes), std::streamsize(Size));
  auto Plan = tool::readSweepFile(Path);
  if (!Plan ? Plan.error().Message.empty() : Plan->canonical().empty())
    std::abort();
  // The same bytes as an option.
  tool::SweepPlan Other;
  const auto Added = tool::addVary(
      Other, std::string(reinterpret_cast<const char *>(Bytes), Size));
  if (!Added && Added.error().Message.empty())
    std::abort();
  if (Added && Other.size() && Other.size() < tool::MaxSweepPoints)
    (void)Other.point(Other.size() - 1);
  return 0;
}
