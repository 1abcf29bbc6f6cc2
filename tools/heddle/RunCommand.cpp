//===- RunCommand.cpp - heddle run ---------------------------------------===//

#include "Commands.h"

#include <CLI/CLI.hpp>

namespace heddle::tool {

void addRunCommand(CLI::App &App) {}

} // namespace heddle::tool
