//===- TablesFuzzer.cpp - Hostile tables of measurements ------------------===//
//
// The first byte says which of the tables that `heddle calibrate --from` knows
// the rest is.
//
//===----------------------------------------------------------------------===//

#include "ScratchFolder.h"

#include "arch/SpecReader.h"
#include "calibration/Tables.h"

#include <cstdlib>
#include <filesystem>
#include <iterator>

using namespace heddle;

static constexpr const char *Names[] = {
    "latency_by_footprint",      "latency_by_footprint_hopper",
    "stream_by_occupancy",       "l1_bandwidth_by_footprint",
    "l2_bandwidth_by_footprint", "small_kernels",
    "small_kernels_graph"};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  static const fuzz::ScratchFolder Folder;
  static const auto Base = arch::loadMachine("v100");
  if (Size == 0)
    return 0;
  const std::string Path =
      Folder.write(std::string(Names[Bytes[0] % std::size(Names)]) + ".csv",
                   {reinterpret_cast<const char *>(Bytes + 1), Size - 1});
  const auto Read = calibration::readTables(Folder.path(), "", *Base);
  std::filesystem::remove(Path);
  if (!Read && Read.error().Message.empty())
    std::abort();
  return 0;
}
