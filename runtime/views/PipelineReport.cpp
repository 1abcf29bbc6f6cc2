//===- PipelineReport.cpp - What the pipeline estimator has to tell -------===//

#include "views/PipelineReport.h"

#include "views/ResultHead.h"
#include "views/TextTable.h"

#include <fmt/format.h>

#include <cmath>

namespace heddle::views {

static uint64_t whole(double Value) { return uint64_t(std::llround(Value)); }

std::string PipelineView::text() const {
  const arch::Occupancy &O = E.Occupancy;
  TextTable Table("ll");
  Table.line("launch", "grid {}, block {}: {} blocks", dimensions(E.Grid),
             dimensions(E.Block), grouped(E.Grid.count()));
  Table.row({"cycles", cyclesText(E.Cycles, E.LaunchCycles, E.CountedLaunch)});
  std::string Time =
      fmt::format("{:.2f} us at {:.0f} MHz", E.TimeUs, E.CoreMHz);
  if (E.HostUs > 0)
    Time += fmt::format("; {:.2f} us as a host measures it", E.hostTimeUs());
  Table.row({"time", Time});
  Table.row({"limited by", E.BoundShare > 0
                               ? fmt::format("{} ({} busy)", E.Bound,
                                             percent(E.BoundShare, 1))
                               : E.Bound});
  Table.line("warp instructions", "{}, IPC {:.2f}",
             grouped(whole(E.WarpInstructions)), E.IPC);
  Table.line("occupancy",
             "{} blocks, {} of {} warps per SM ({}), limited by {}",
             O.BlocksPerSM, O.WarpsPerSM, O.MaxWarpsPerSM,
             percent(O.Theoretical, 1), O.Limiter);
  Table.line("rounds",
             "{:.2f} on the busiest of {} SMs; simulated {} blocks of one SM "
             "in {} cycles ({} trace)",
             E.Rounds, E.ActiveSMs, E.BlocksSimulated,
             grouped(whole(E.RoundCycles)), E.Producer);
  if (E.BlocksProfiled)
    Table.line("memory",
               "L1 {} hits; DRAM {} read, {} written; footprint {} ({} blocks "
               "profiled)",
               percent(E.L1HitRate, 1), bytes(E.DRAMReadBytes),
               bytes(E.DRAMWriteBytes), bytes(E.Footprint), E.BlocksProfiled);
  if (E.BlocksCounted)
    Table.line(
        "blocks differ",
        "work of {} compared: {} warp instructions each, longest warp {}",
        E.BlocksCounted, grouped(whole(E.MeanInsts)), grouped(E.LongestWarp));
  Table.row({"roofline", rooflineText(E.Roof, E.IPC)});
  if (!E.Ignored.empty())
    Table.row({"ignored", ignoredText(E.Ignored)});
  for (const std::string &Note : E.Assumptions)
    Table.row({"assumption", Note});
  return fmt::format("{} on {}, model {}\n{}", E.Kernel, E.GPU, E.Model,
                     Table.str());
}

void PipelineView::addTo(JSON &Out) const {
  addLaunch(Out,
            {E.Kernel, E.GPU, E.Grid, E.Block, E.Model, E.Ignored, E.Producer});
  if (!E.Assumptions.empty())
    Out["assumptions"] = E.Assumptions;
  Out["cycles"] = whole(E.Cycles);
  Out["launch_overhead_cycles"] = whole(E.LaunchCycles);
  Out["time_us"] = E.TimeUs;
  Out["host_time_us"] = E.hostTimeUs();
  Out["core_mhz"] = E.CoreMHz;
  Out["warp_instructions"] = whole(E.WarpInstructions);
  Out["ipc"] = E.IPC;
  addRoofline(Out, E.Roof, E.IPC);
  Out["bound"] = E.Bound;
  Out["bound_share"] = E.BoundShare;
  Out["occupancy"] = occupancyOf(E.Occupancy);
  Out["rounds"] = E.Rounds;
  Out["blocks_simulated"] = E.BlocksSimulated;
  Out["blocks_profiled"] = E.BlocksProfiled;
  if (E.BlocksCounted)
    Out["blocks_differ"] = {{"compared", E.BlocksCounted},
                            {"mean_warp_instructions", E.MeanInsts},
                            {"longest_warp", E.LongestWarp}};
  Out["round_cycles"] = E.RoundCycles;
  Out["cycles_per_block"] = E.BlockInterval;
  JSON Busy = JSON::object();
  for (const pipeline::RoundResult::Use &U : E.Round.Uses)
    Busy[U.Name] = U.Share;
  Out["busy"] = Busy;
  Out["l1"] = {{"sectors", E.Round.L1Sectors}, {"hit_rate", E.L1HitRate}};
  Out["l2"] = {{"sectors", whole(E.L2Sectors)}};
  Out["dram"] = {{"read_bytes", whole(E.DRAMReadBytes)},
                 {"written_bytes", whole(E.DRAMWriteBytes)}};
  Out["footprint_bytes"] = whole(E.Footprint);
  Out["latency"] = {{"l2", E.LatencyL2}, {"dram", E.LatencyDRAM}};
}

} // namespace heddle::views
