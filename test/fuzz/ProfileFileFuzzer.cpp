//===- ProfileFileFuzzer.cpp - Hostile profiles of applications -----------===//
//
// The first byte says what the rest is: a profile, or a full simulation of the
// application that a small profile describes. What is accepted is written and
// read again as the same.
//
//===----------------------------------------------------------------------===//

#include "JSONMutator.h"

#include "sampling/FullSimulation.h"
#include "sampling/ProfileFile.h"

#include <cstdlib>

using namespace heddle;
using namespace heddle::sampling;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

static void fuzzProfile(const std::string &Text) {
  const auto P = parseProfile(Text, "fuzz");
  if (!P)
    return require(!P.error().Message.empty());
  const std::string Written = writeProfile(*P, "1");
  const auto Again = parseProfile(Written, "again");
  require(Again && writeProfile(*Again, "1") == Written);
}

static void fuzzSimulation(const std::string &Text) {
  ApplicationProfile Profile;
  LaunchProfile &L = Profile.Launches.emplace_back();
  L.Kernel = "k";
  L.BasicBlocks = {1, 1, 1, 1};
  L.Blocks.resize(2);
  for (BlockWork &Block : L.Blocks)
    Block.WarpInstructions = 50;
  const auto Full = parseFullSimulation(Text, "fuzz", Profile, "v100", 100);
  if (!Full)
    return require(!Full.error().Message.empty());
  require(Full->cyclesOfLaunch().size() == 1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  if (Size == 0)
    return 0;
  const std::string Text(reinterpret_cast<const char *>(Bytes + 1), Size - 1);
  Bytes[0] % 2 ? fuzzSimulation(Text) : fuzzProfile(Text);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  return fuzz::mutateJSON(Data, 1, Size, MaxSize, Seed);
}
