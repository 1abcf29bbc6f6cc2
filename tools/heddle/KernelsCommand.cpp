//===- KernelsCommand.cpp - heddle kernels ---------------------------------------===//

#include "Commands.h"

#include <CLI/CLI.hpp>

namespace heddle::tool {

void addKernelsCommand(CLI::App &App) {}

} // namespace heddle::tool
