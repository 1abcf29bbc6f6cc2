//===- MachineView.h - Machine descriptions as text and JSON ----*- C++ -*-===//

#ifndef HEDDLE_VIEWS_MACHINEVIEW_H
#define HEDDLE_VIEWS_MACHINEVIEW_H

#include "arch/GPUSpec.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace heddle::views {

/// One line per machine: size, clocks, caches, bandwidth.
std::string machineTable(std::span<const arch::GPUSpec> Machines);

/// Every field with its value, unit and meaning, then pipes and operations.
std::string machineText(const arch::GPUSpec &Machine);

/// The fields nested as in a machine file; pipes and ops as lists.
nlohmann::ordered_json machineJSON(const arch::GPUSpec &Machine);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_MACHINEVIEW_H
