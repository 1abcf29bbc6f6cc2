//===- ResultHead.cpp - What a result is and of which machine -------------===//

#include "views/ResultHead.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::views {

/// Of every schema; it grows when a key goes or changes its meaning.
static constexpr unsigned SchemaVersion = 1;

JSON resultHead(std::string_view Kind, std::string_view Version) {
  return {{"tool", "heddle"},
          {"version", Version},
          {"schema", fmt::format("{}/{}", Kind, SchemaVersion)}};
}

std::string dimensions(const Dim3 &D) {
  return fmt::format("{} x {} x {}", D.X, D.Y, D.Z);
}

JSON triple(const Dim3 &D) { return JSON::array({D.X, D.Y, D.Z}); }

void addLaunch(JSON &Out, const LaunchHead &Of) {
  Out["kernel"] = Of.Kernel;
  Out["gpu"] = Of.GPU;
  Out["grid"] = triple(Of.Grid);
  Out["block"] = triple(Of.Block);
  Out["model"] = Of.Model;
  if (!Of.Ignored.empty())
    Out["ignored"] = Of.Ignored;
  Out["trace"] = Of.Producer;
}

JSON occupancyOf(const arch::Occupancy &O) {
  return {{"theoretical", O.Theoretical},
          {"achieved", O.Achieved},
          {"limiter", O.Limiter},
          {"blocks_per_sm", O.BlocksPerSM},
          {"warps_per_sm", O.WarpsPerSM},
          {"max_warps_per_sm", O.MaxWarpsPerSM},
          {"blocks_by_warps", O.BlocksByWarps},
          {"blocks_by_slots", O.BlocksBySlots},
          {"blocks_by_registers", O.BlocksByRegisters},
          {"blocks_by_shared", O.BlocksByShared}};
}

void addMachine(JSON &Out, const arch::GPUSpec &Machine) {
  JSON &To = Out["machine"];
  To["name"] = Machine.PlainName;
  if (!Machine.File.empty())
    To["file"] = Machine.File;
  To["what_if"] =
      std::ranges::any_of(Machine.UserFields, &arch::UserField::IsWhatIf);
  JSON &Fields = To["overrides"] = JSON::object();
  for (const arch::UserField &F : Machine.UserFields)
    Fields[F.Path] = F.Value;
}

std::string rooflineText(const arch::Roofline &Roof, double IPC) {
  return fmt::format(
      "{:.2f} of {:.2f} attainable IPC, bound by {}{}", IPC, Roof.AttainableIPC,
      Roof.isBoundByDRAM() ? "DRAM" : "issue",
      Roof.isBeyond(IPC) ? "; these equations go beyond it" : "");
}

void addRoofline(JSON &Out, const arch::Roofline &Roof, double IPC) {
  Out["roofline"] = {{"instructions_per_byte", Roof.Intensity},
                     {"balance", Roof.Balance},
                     {"peak_ipc", Roof.PeakIPC},
                     {"attainable_ipc", Roof.AttainableIPC},
                     {"is_beyond", Roof.isBeyond(IPC)},
                     {"bound", Roof.isBoundByDRAM() ? "dram" : "issue"}};
}

} // namespace heddle::views
