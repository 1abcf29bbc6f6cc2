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
