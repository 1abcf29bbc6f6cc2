//===- SummaryView.cpp - Cycles, rates and occupancy ----------------------===//

#include "views/SummaryView.h"

#include "views/ResultHead.h"
#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace heddle::timing;

namespace heddle::views {

SummaryView::SummaryView(const SimulationResult &Result) : Result(Result) {
  uint64_t ActiveCycles = 0, Longest = 0;
  for (const SMSummary &SM : Result.SMs) {
    BusySMs += SM.ActiveCycles > 0;
    ActiveCycles += SM.ActiveCycles;
    Longest = std::max(Longest, SM.ActiveCycles);
  }
  if (ActiveCycles) {
    IPCOfBusySM = double(Result.WarpInstructions) / ActiveCycles;
    Imbalance = double(Longest) * BusySMs / ActiveCycles;
  }
  if (Result.WarpInstructions)
    LanesPerInstruction =
        double(Result.ThreadInstructions) / Result.WarpInstructions;
}

std::string SummaryView::text() const {
  const arch::Occupancy &O = Result.Occupancy;
  TextTable Table("ll");
  Table.line("launch", "grid {}, block {}: {} blocks", dimensions(Result.Grid),
             dimensions(Result.Block), grouped(Result.Grid.count()));
  Table.row(
      {"cycles", cyclesText(double(Result.Cycles), double(Result.LaunchCycles),
                            double(Result.CountedLaunch))});
  Table.line("time", "{:.2f} us at {:.0f} MHz", Result.TimeUs, Result.CoreMHz);
  Table.line("warp instructions", "{} ({} issued), {:.1f} lanes each",
             grouped(Result.WarpInstructions),
             grouped(Result.IssuedInstructions), LanesPerInstruction);
  Table.line("IPC", "{:.2f} warp instructions per cycle, {:.2f} per busy SM",
             Result.IPC, IPCOfBusySM);
  Table.line("occupancy",
             "{} of {} warps per SM ({}), limited by {}; achieved {}",
             O.WarpsPerSM, O.MaxWarpsPerSM, percent(O.Theoretical, 1),
             O.Limiter, percent(O.Achieved, 1));
  Table.line("SMs", "{} of {} busy, longest {:.2f} x mean", BusySMs,
             Result.SMs.size(), Imbalance);
  if (!Result.Ignored.empty())
    Table.row({"ignored", ignoredText(Result.Ignored)});
  std::string Text =
      fmt::format("{} on {}\n{}", Result.Kernel, Result.GPU, Table.str());
  if (Result.Truncated)
    Text +=
        fmt::format("  stopped early: {} of {} blocks done; numbers cover what "
                    "was done until then\n",
                    grouped(Result.BlocksDone), grouped(Result.Grid.count()));
  return Text;
}

void SummaryView::addTo(JSON &Out) const {
  addLaunch(Out, {Result.Kernel, Result.GPU, Result.Grid, Result.Block,
                  Result.Model, Result.Ignored, Result.Producer});
  Out["cycles"] = Result.Cycles;
  Out["launch_overhead_cycles"] = Result.LaunchCycles;
  Out["time_us"] = Result.TimeUs;
  Out["core_mhz"] = Result.CoreMHz;
  Out["warp_instructions"] = Result.WarpInstructions;
  Out["issued_instructions"] = Result.IssuedInstructions;
  Out["thread_instructions"] = Result.ThreadInstructions;
  Out["ipc"] = Result.IPC;
  Out["occupancy"] = occupancyOf(Result.Occupancy);
  Out["sms"] = {{"total", Result.SMs.size()},
                {"busy", BusySMs},
                {"ipc_of_busy", IPCOfBusySM},
                {"imbalance", Imbalance}};
  Out["truncated"] = Result.Truncated;
  Out["blocks_done"] = Result.BlocksDone;
}

} // namespace heddle::views
