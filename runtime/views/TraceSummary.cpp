//===- TraceSummary.cpp - What a trace file holds -------------------------===//

#include "views/TraceSummary.h"

#include "views/ResultHead.h"
#include "views/TextTable.h"

#include <fmt/format.h>

namespace heddle::views {

double TraceSummary::bytesPerWarpInstruction() const {
  const uint64_t Insts = File.Counts.WarpInstructions;
  return Insts ? double(File.FileBytes) / double(Insts) : 0;
}

std::string TraceSummary::text() const {
  const trace::TraceCounts &C = File.Counts;
  TextTable Table("ll");
  Table.line("launch", "grid {}, block {}: {} warps", dimensions(Header.Grid),
             dimensions(Header.Block), grouped(numWarps()));
  Table.line("resources",
             "{} registers and {} of local memory per thread, {} of shared "
             "memory per block, {} of parameters",
             Header.RegistersPerThread,
             bytes(double(Header.LocalBytesPerThread)),
             bytes(double(Header.SharedBytesPerBlock)),
             bytes(double(Header.ParamBytes)));
  Table.line("code",
             "{} for {}: {} basic blocks, {} instructions, {} memory records",
             Code.ISA, Header.Target, Code.Blocks.size(), Code.Insts.size(),
             Code.Memory.size());
  Table.line("warp instructions", "{} ({} issued), {:.1f} lanes each",
             grouped(C.WarpInstructions), grouped(C.IssuedInstructions),
             C.WarpInstructions
                 ? double(C.ThreadInstructions) / double(C.WarpInstructions)
                 : 0.0);
  Table.line("events", "{} basic blocks, {} memory accesses", grouped(C.Events),
             grouped(C.Accesses));
  Table.line("bodies", "{} stored", grouped(File.NumBodies));
  Table.line("file", "{} in {} frames, {} uncompressed",
             bytes(double(File.FileBytes)), grouped(File.NumFrames),
             bytes(double(File.RawBytes)));
  Table.line("bytes per warp instruction", "{:.4f}", bytesPerWarpInstruction());
  return fmt::format("{}, {}{}\n{}", Header.Kernel, Header.Producer,
                     Header.Order == trace::LaneOrder::Kept ? ", lanes in order"
                                                            : "",
                     Table.str());
}

void TraceSummary::addTo(JSON &Out) const {
  const trace::TraceCounts &C = File.Counts;
  Out["kernel"] = Header.Kernel;
  Out["grid"] = triple(Header.Grid);
  Out["block"] = triple(Header.Block);
  if (Header.Cluster.count() > 1)
    Out["cluster"] = triple(Header.Cluster);
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
