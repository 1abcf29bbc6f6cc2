//===- SimulateCommand.cpp - heddle simulate ---------------------------------------===//

#include "Commands.h"

#include <CLI/CLI.hpp>

namespace heddle::tool {

void addSimulateCommand(CLI::App &App) {}

} // namespace heddle::tool
