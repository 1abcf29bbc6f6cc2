//===- CloneRunFuzzer.cpp - Hostile results of clones ---------------------===//
//
// The input is a list of pairs: a clone's plan and the result of its
// simulation, as `heddle clone --project` reads them from folders.
//
//===----------------------------------------------------------------------===//

#include "JSONMutator.h"
#include "ScratchFolder.h"

#include "synthesis/Projection.h"

#include <cstdlib>

using namespace heddle;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  static const fuzz::ScratchFolder Folder;
  const auto All = fuzz::JSON::parse(Bytes, Bytes + Size, nullptr, false);
  if (!All.is_array())
    return 0;
  std::vector<synthesis::CloneRun> Runs;
  for (const auto &Pair : All) {
    if (!Pair.is_array() || Pair.size() != 2 || Runs.size() == 8)
      return 0;
    for (int I = 0; I < 2; ++I)
      Folder.write(
          I ? "result.json" : "clone.json",
          Pair[I].dump(-1, ' ', false, fuzz::JSON::error_handler_t::replace));
    auto Run = synthesis::readCloneRun(Folder.path());
    if (!Run)
      return require(!Run.error().Message.empty()), 0;
    Runs.push_back(std::move(*Run));
  }
  const auto Whole = synthesis::project(Runs);
  require(Whole || !Whole.error().Message.empty());
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  return fuzz::mutateJSON(Data, 0, Size, MaxSize, Seed);
}
