//===- SpecReader.h - Machine files -----------------------------*- C++ -*-===//

#ifndef HEDDLE_ARCH_SPECREADER_H
#define HEDDLE_ARCH_SPECREADER_H

#include "arch/GPUSpec.h"
#include "base/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::arch {

/// Names of the machines that are built in, sorted.
std::vector<std::string_view> builtinMachines();

/// Reads a machine: \p NameOrFile is a built-in name, in letters of any case
/// and with or without dashes and spaces, or the path of a machine file. \p
/// Sets are "field=value" changes, applied last and in order. Errors name file,
/// line, field, value and allowed range.
Result<GPUSpec> loadMachine(std::string_view NameOrFile,
                            std::span<const std::string> Sets = {});

/// Name of the built-in machine that loadMachine takes \p NameOrFile for; empty
/// if it is a file or unknown.
std::string_view builtinName(std::string_view NameOrFile);

/// What the file of \p NameOrFile starts from, as loadMachine takes it; empty
/// if it starts from nothing.
Result<std::string> baseOfMachine(std::string_view NameOrFile);

/// Reads the text of a machine file; \p File is its name in messages.
Result<GPUSpec> parseMachine(std::string_view Text, std::string_view File,
                             std::span<const std::string> Sets = {});

} // namespace heddle::arch

#endif // HEDDLE_ARCH_SPECREADER_H
