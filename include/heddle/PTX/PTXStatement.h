//===- PTXStatement.h - Statements of hand-written PTX ----------*- C++ -*-===//

#ifndef HEDDLE_PTX_PTXSTATEMENT_H
#define HEDDLE_PTX_PTXSTATEMENT_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// `@!p ld.global.ca.u32 $0, [$1+4];` has the name `ld`, the modifiers
/// `global` and `ca`, the suffix `u32` and two operands. `.reg .u32 a, b;` has
/// the name `.reg`, the suffix `u32` and the registers as operands. The label
/// `L:` has the name `:` and the operand `L`.
struct PTXStatement {
  std::string Name, Suffix;
  std::vector<std::string> Modifiers; ///< in order, without the suffix
  std::vector<llvm::StringRef> Operands;
  std::string Guard; ///< register, empty if there is none
  bool GuardNegated = false;

  bool has(llvm::StringRef Modifier) const {
    return llvm::is_contained(Modifiers, Modifier) || Suffix == Modifier;
  }
};

/// The statements of \p Text, or nothing if its form is not known: directives
/// other than .reg. Operands point into \p Text.
std::optional<std::vector<PTXStatement>> parsePTX(llvm::StringRef Text);

} // namespace heddle

#endif // HEDDLE_PTX_PTXSTATEMENT_H
