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

} // namespace heddle::views
