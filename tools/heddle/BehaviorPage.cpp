//===- BehaviorPage.cpp - Behaviour profiles on the page ------------------===//

#include "BehaviorPage.h"

#include <array>
#include <cstring>
#include <fstream>

namespace heddle::tool {

using behavior::None;
using views::JSON;

static JSON loopJSON(const behavior::Loop &L) {
  return {{"header", L.Header},
          {"depth", L.Depth},
          {"mean_trips", L.MeanTrips},
          {"least_trips", L.Trips.front()},
          {"median_trips", L.Trips[L.Trips.size() / 2]},
          {"most_trips", L.Trips.back()},
          {"vary_in_warp", L.TripsVaryInWarp}};
}

static JSON accessJSON(const behavior::Access &A) {
  return {{"array", A.Array == None ? JSON() : JSON(A.Array)},
          {"store", A.IsStore},
          {"bytes", A.Bytes},
          {"requests", A.Requests},
          {"affine", A.IsAffine},
          {"sectors", A.SectorsPerRequest},
          {"conflicts", A.ConflictsPerRequest},
          {"lane_stride", A.LaneStride},
          {"step", A.Step},
          {"footprint_sectors", A.FootprintSectors}};
}

JSON behaviorJSON(const behavior::Profile &P, const std::string &Name) {
  JSON B = {{"warp_instructions", P.WarpInstructions},
            {"thread_instructions", P.ThreadInstructions},
            {"registers_per_thread", P.RegistersPerThread},
            {"shared_bytes", P.SharedBytes}};
  std::array<uint64_t, 6> Lanes = {};
  std::map<std::string, uint64_t> Mix;
  for (const behavior::Block &Block : P.Blocks) {
    for (size_t L = 0; L < Lanes.size(); ++L)
      Lanes[L] += Block.Lanes[L] * Block.Chain.size();
    for (const behavior::Instruction &I : Block.Chain)
      if (Block.WarpCount)
        Mix[I.Opcode] += Block.WarpCount;
  }
  B["by_lanes"] = Lanes;
  B["mix"] = Mix;
  for (const char *Key : {"loops", "arrays", "accesses"})
    B[Key] = JSON::array();
  for (const behavior::Loop &L : P.Loops)
    B["loops"].push_back(loopJSON(L));
  static constexpr std::array Spaces = {"global", "shared", "const", "local"};
  for (const behavior::Array &A : P.Arrays)
    B["arrays"].push_back(
        {{"space", Spaces[size_t(A.Where)]}, {"bytes", A.SizeBytes}});
  for (const behavior::Access &A : P.Accesses)
    if (A.Requests)
      B["accesses"].push_back(accessJSON(A));
  return {{"tool", "heddle"},
          {"version", HEDDLE_VERSION},
          {"kernel", Name},
          {"grid", {P.Grid.X, P.Grid.Y, P.Grid.Z}},
          {"block", {P.Threads.X, P.Threads.Y, P.Threads.Z}},
          {"behavior", std::move(B)}};
}

bool holdsBehavior(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  char Head[256] = {};
  File.read(Head, sizeof(Head) - 1);
  return std::strstr(Head, "\"behavior_format\"") != nullptr;
}

} // namespace heddle::tool
