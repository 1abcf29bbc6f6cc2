//===- BehaviorFileFuzzer.cpp - Hostile behaviour profiles ----------------===//
//
// The input is what a profile holds; it gets the checksum that it needs. Of
// what is accepted clones are planned and written: a plan may be refused, with
// a message.
//
//===----------------------------------------------------------------------===//

#include "JSONMutator.h"

#include "behavior/BehaviorFile.h"
#include "behavior/BehaviorGraph.h"
#include "synthesis/AutoReduction.h"
#include "synthesis/PTXWriter.h"

#include <cstdlib>

using namespace heddle;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

/// Plans and writes clones whose loops are cut by this much.
static void clone(const behavior::Profile &P, uint64_t LoopFactor) {
  synthesis::ReductionOptions O;
  O.LoopFactor = LoopFactor;
  const auto Plan = synthesis::planClone(P, O);
  if (!Plan)
    return require(!Plan.error().Message.empty());
  (void)synthesis::expectedError(*Plan, 80);
  const auto Clone = synthesis::writePTX(*Plan, "sm_70");
  require(Clone || !Clone.error().Message.empty());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Bytes), Size);
  const auto P = behavior::parseContent(Text, "fuzz");
  if (!P) {
    require(!P.error().Message.empty());
    return 0;
  }
  const std::string Written = behavior::writeBehavior(*P, "1");
  const auto Again = behavior::parseBehavior(Written, "again");
  require(Again && behavior::writeBehavior(*Again, "1") == Written);
  (void)behavior::behaviorDot(*P);
  clone(*P, 1);
  clone(*P, 3);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  return fuzz::mutateJSON(Data, 0, Size, MaxSize, Seed);
}
