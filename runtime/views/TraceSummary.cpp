//===- TraceSummary.cpp - What a trace file holds -------------------------===//

#include "views/TraceSummary.h"

#include "views/TextTable.h"

#include <fmt/format.h>

namespace heddle::views {

double TraceSummary::bytesPerWarpInstruction() const {
  const uint64_t Insts = File.Counts.WarpInstructions;
  return Insts ? double(File.FileBytes) / double(Insts) : 0;
}

std::string TraceSummary::text() const {
  auto Triple = [](const Dim3 &D) {
    return fmt::format("{} x {} x {}", D.X, D.Y, D.Z);
  };
  const trace::TraceCounts &C = File.Counts;
  TextTable Table({TextTable::Left, TextTable::Left});
  Table.row(
      {"launch", fmt::format("grid {}, block {}: {} warps", Triple(Header.Grid),
                             Triple(Header.Block), grouped(numWarps()))});
  Table.row(
      {"resources",
       fmt::format(
           "{} registers and {} of local memory per thread, {} of shared "
           "memory per block, {} of parameters",
           Header.RegistersPerThread, bytes(double(Header.LocalBytesPerThread)),
           bytes(double(Header.SharedBytesPerBlock)),
           bytes(double(Header.ParamBytes)))});
  Table.row(
      {"code",
       fmt::format(
           "{} for {}: {} basic blocks, {} instructions, {} memory records",
           Code.ISA, Header.Target, Code.Blocks.size(), Code.Insts.size(),
           Code.Memory.size())});
  Table.row(
      {"warp instructions",
       fmt::format("{} ({} issued), {:.1f} lanes each",
                   grouped(C.WarpInstructions), grouped(C.IssuedInstructions),
                   C.WarpInstructions ? double(C.ThreadInstructions) /
                                            double(C.WarpInstructions)
                                      : 0.0)});
  Table.row({"events", fmt::format("{} basic blocks, {} memory accesses",
                                   grouped(C.Events), grouped(C.Accesses))});
  Table.row({"bodies", fmt::format("{} stored", grouped(File.NumBodies))});
  Table.row({"file",
             fmt::format("{} in {} frames, {} uncompressed",
                         bytes(double(File.FileBytes)), grouped(File.NumFrames),
                         bytes(double(File.RawBytes)))});
  Table.row({"bytes per warp instruction",
             fmt::format("{:.4f}", bytesPerWarpInstruction())});
  return fmt::format("{}, {}{}\n{}", Header.Kernel, Header.Producer,
                     Header.Order == trace::LaneOrder::Kept ? ", lanes in order"
                                                            : "",
                     Table.str());
}

void TraceSummary::addTo(JSON &Out) const {
  auto Triple = [](const Dim3 &D) { return JSON::array({D.X, D.Y, D.Z}); };
  const trace::TraceCounts &C = File.Counts;
  Out["kernel"] = Header.Kernel;
  Out["grid"] = Triple(Header.Grid);
  Out["block"] = Triple(Header.Block);
  if (Header.Cluster.count() > 1)
    Out["cluster"] = Triple(Header.Cluster);
  Out["trace"] = Header.Producer;
  Out["lane_order"] = Header.Order == trace::LaneOrder::Kept;
  Out["isa"] = Code.ISA;
  Out["target"] = Header.Target;
#define HEDDLE_TRACE_NUMBER(NAME, TYPE, KEY, WHAT) Out[KEY] = Header.NAME;
#include "trace/HeaderNumbers.def"
  Out["basic_blocks"] = Code.Blocks.size();
  Out["instructions"] = Code.Insts.size();
  Out["memory_records"] = Code.Memory.size();
  Out["warps"] = numWarps();
  Out["warp_instructions"] = C.WarpInstructions;
  Out["issued_instructions"] = C.IssuedInstructions;
  Out["thread_instructions"] = C.ThreadInstructions;
  Out["events"] = C.Events;
  Out["accesses"] = C.Accesses;
  Out["bodies"] = File.NumBodies;
  Out["frames"] = File.NumFrames;
  Out["file_bytes"] = File.FileBytes;
  Out["raw_bytes"] = File.RawBytes;
  Out["bytes_per_warp_instruction"] = bytesPerWarpInstruction();
}

} // namespace heddle::views
