//===- StudyView.cpp - What an application does ---------------------------===//

#include "views/StudyView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::views {

using sampling::AllStudyClasses;
using sampling::KernelStudy;

/// Of CUDA's runtime and driver: what launches kernels, and what a host waits
/// in.
static CallKind kindOfCUDACall(std::string_view Name) {
  if (Name.contains("Async"))
    return CallKind::Other;
  for (std::string_view Part :
       {"LaunchKernel", "LaunchCooperativeKernel", "GraphLaunch"})
    if (Name.contains(Part))
      return CallKind::Launch;
  for (std::string_view Part : {"Synchronize", "cudaMemcpy", "cuMemcpy"})
    if (Name.contains(Part))
      return CallKind::Synchronisation;
  return CallKind::Other;
}

static bool isCUDA(std::string_view Name) { return Name.starts_with("cu"); }

CallKind kindOfCall(const std::string &Name) {
  if (isCUDA(Name))
    return kindOfCUDACall(Name);
  // The seven of GT-Pin, section V.
  static constexpr std::array<std::string_view, 7> Synchronisation = {
      "clFinish",
      "clWaitForEvents",
      "clFlush",
      "clEnqueueReadBuffer",
      "clEnqueueReadImage",
      "clEnqueueCopyBuffer",
      "clEnqueueCopyImageToBuffer"};
  if (Name == "clEnqueueNDRangeKernel" || Name == "clEnqueueTask")
    return CallKind::Launch;
  return std::ranges::find(Synchronisation, Name) != Synchronisation.end()
             ? CallKind::Synchronisation
             : CallKind::Other;
}

/// Calls by kind.
static std::array<uint64_t, 3>
mixOf(const std::map<std::string, uint64_t> &Calls) {
  std::array<uint64_t, 3> Mix{};
  for (const auto &[Name, Count] : Calls)
    Mix[size_t(kindOfCall(Name))] += Count;
  return Mix;
}

std::string StudyView::calls() const {
  if (Calls.empty())
    return {};
  const auto [Launches, Syncs, Others] = mixOf(Calls);
  const double All = double(Launches + Syncs + Others);
  TextTable Mix("lrr");
  Mix.row({"launches", grouped(Launches), percent(double(Launches), All)});
  Mix.row({"synchronisation", grouped(Syncs), percent(double(Syncs), All)});
  Mix.row({"other", grouped(Others), percent(double(Others), All)});
  std::vector<std::pair<uint64_t, std::string>> Sorted;
  for (const auto &[Name, Count] : Calls)
    Sorted.push_back({Count, Name});
  std::ranges::sort(Sorted, std::greater(), [](auto &P) { return P.first; });
  TextTable Each("lr");
  for (const auto &[Count, Name] : Sorted)
    Each.row({Name, grouped(Count)});
  return (isCUDA(Calls.begin()->first) ? "CUDA calls\n" : "OpenCL calls\n") +
         Mix.str() + "\n" + Each.str() + "\n";
}

std::string StudyView::kernels() const {
  std::vector<std::string> Header = {"kernel",     "launches",   "blocks",
                                     "executions", "warp insts", "lanes"};
  for (sampling::StudyClass C : AllStudyClasses)
    Header.push_back(std::string(nameOf(C)));
  Header.push_back("bytes read/written");
  TextTable Table("lrrrrrrrrrrr", Header);
  auto Row = [&](const KernelStudy &K) {
    const double Insts = double(K.WarpInstructions);
    std::vector<std::string> Cells = {
        shortName(K.Name),
        grouped(K.Launches),
        fmt::format("{}/{}", K.ExecutedBlocks, K.Blocks),
        grouped(K.BlockExecutions),
        grouped(K.WarpInstructions),
        fmt::format("{:.1f}",
                    Insts ? double(K.ThreadInstructions) / Insts : 0)};
    for (uint64_t Count : K.ByClass)
      Cells.push_back(percent(double(Count), Insts));
    Cells.push_back(
        fmt::format("{}/{}", grouped(K.BytesRead), grouped(K.BytesWritten)));
    Table.row(Cells);
  };
  for (const KernelStudy &K : Study.Kernels)
    Row(K);
  KernelStudy Sum = Study.total();
  Sum.Name = "all";
  Row(Sum);
  return "Kernels\n" + Table.str() + "\n";
}

std::string StudyView::ranges() const {
  if (Study.Ranges.empty())
    return {};
  const double All = double(Study.total().WarpInstructions);
  TextTable Table("lrrr", {"range", "launches", "warp insts", "share"});
  for (const sampling::RangeStudy &R : Study.Ranges)
    Table.row({R.Path, grouped(R.Launches), grouped(R.WarpInstructions),
               percent(double(R.WarpInstructions), All)});
  return "Ranges of the program, with those inside of them\n" + Table.str() +
         "\n";
}

std::string StudyView::lanes() const {
  const double All = double(Study.total().WarpInstructions);
  TextTable Table("lr");
  struct {
    unsigned First, Last;
  } const Ranges[] = {{0, 1}, {2, 4}, {5, 8}, {9, 16}, {17, 31}, {32, 32}};
  for (auto [First, Last] : Ranges) {
    uint64_t Sum = 0;
    for (unsigned L = First; L <= Last; ++L)
      Sum += Study.ByLanes[L];
    Table.row({First == Last ? fmt::format("{}", Last)
                             : fmt::format("{}-{}", First, Last),
               percent(double(Sum), All)});
  }
  return "Warp instructions by active lanes, mean of their basic block\n" +
         Table.str();
}

std::string StudyView::text() const {
  return calls() + kernels() + ranges() + lanes();
}

void StudyView::addTo(JSON &Out) const {
  JSON &A = Out["application"];
  if (!Calls.empty()) {
    const auto [Launches, Syncs, Others] = mixOf(Calls);
    A["calls"] = {
        {"launches", Launches}, {"synchronisation", Syncs}, {"other", Others}};
    for (const auto &[Name, Count] : Calls)
      A["calls"]["by_function"][Name] = Count;
  }
  auto Object = [](const KernelStudy &K) {
    JSON J = {{"kernel", K.Name},
              {"launches", K.Launches},
              {"blocks", K.Blocks},
              {"executed_blocks", K.ExecutedBlocks},
              {"block_executions", K.BlockExecutions},
              {"warp_instructions", K.WarpInstructions},
              {"thread_instructions", K.ThreadInstructions},
              {"bytes_read", K.BytesRead},
              {"bytes_written", K.BytesWritten}};
    for (sampling::StudyClass C : AllStudyClasses)
      J["classes"][std::string(nameOf(C))] = K.ByClass[size_t(C)];
    return J;
  };
  KernelStudy Sum = Study.total();
  Sum.Name = "all";
  A["total"] = Object(Sum);
  A["kernels"] = JSON::array();
  for (const KernelStudy &K : Study.Kernels)
    A["kernels"].push_back(Object(K));
  for (const sampling::RangeStudy &R : Study.Ranges)
    A["ranges"].push_back({{"range", R.Path},
                           {"launches", R.Launches},
                           {"warp_instructions", R.WarpInstructions}});
  A["by_lanes"] = Study.ByLanes;
}

} // namespace heddle::views
