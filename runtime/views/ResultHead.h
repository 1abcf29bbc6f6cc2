//===- ResultHead.h - What a result is and of which machine -----*- C++ -*-===//

#ifndef HEDDLE_VIEWS_RESULTHEAD_H
#define HEDDLE_VIEWS_RESULTHEAD_H

#include "arch/GPUSpec.h"
#include "views/View.h"

#include <string_view>

namespace heddle::views {

/// What every result begins with: tool, version, and the schema that it keeps
/// to, which is docs/schema/KIND.json ("simulation/1" for kind "simulation").
JSON resultHead(std::string_view Kind, std::string_view Version);

/// Adds "machine": its plain name, the user's file if it comes from one, every
/// field that the user set, and whether --set makes it a what-if.
void addMachine(JSON &Out, const arch::GPUSpec &Machine);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_RESULTHEAD_H
