//===- TraceCommand.cpp - heddle trace ---------------------------------------===//

#include "Commands.h"

#include <CLI/CLI.hpp>

namespace heddle::tool {

void addTraceCommand(CLI::App &App) {}

} // namespace heddle::tool
