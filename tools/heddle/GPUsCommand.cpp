//===- GPUsCommand.cpp - heddle gpus ---------------------------------------===//

#include "Commands.h"

#include <CLI/CLI.hpp>

namespace heddle::tool {

void addGPUsCommand(CLI::App &App) {}

} // namespace heddle::tool
