//===- BuiltinMachines.h - Machine files inside the binary ------*- C++ -*-===//

#ifndef HEDDLE_ARCH_BUILTINMACHINES_H
#define HEDDLE_ARCH_BUILTINMACHINES_H

#include <span>
#include <string_view>

namespace heddle::arch {

struct BuiltinMachine {
  std::string_view Name;
  std::string_view Text; ///< of specs/NAME.yaml
};

/// Sorted by name; the build generates the table from specs/*.yaml.
std::span<const BuiltinMachine> builtinMachineFiles();

} // namespace heddle::arch

#endif // HEDDLE_ARCH_BUILTINMACHINES_H
