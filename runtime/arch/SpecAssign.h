//===- SpecAssign.h - "field = value" onto a machine ------------*- C++ -*-===//

#ifndef HEDDLE_ARCH_SPECASSIGN_H
#define HEDDLE_ARCH_SPECASSIGN_H

#include "arch/GPUSpec.h"
#include "base/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::arch {

/// One scalar or list of a machine file, or one --set.
struct Assignment {
  std::string Path; ///< dotted, e.g. "sm.count", "ops.mad|mul.f32.latency"
  std::vector<std::string> Values;
  bool IsList = false;
  std::string Where; ///< "FILE:LINE" or "--set"
  /// The user's change of a machine: listed in GPUSpec::UserFields.
  enum class From { Machine, UserFile, Option } Origin = From::Machine;
};

/// Reads "FIELD=VALUE" or "FIELD=[VALUE,VALUE]", as --set has it.
Result<Assignment> parseSet(const std::string &Set);

/// Letters to insert, delete or replace to make \p A of \p B (Levenshtein).
size_t editDistance(std::string_view A, std::string_view B);

/// Collects assignments into a machine and remembers where each field comes
/// from, so that later checks can say so.
class SpecAssigner {
public:
  explicit SpecAssigner(GPUSpec &Spec) : Spec(Spec) {}

  Result<void> assign(const Assignment &A);
  /// Where \p Field was set last; empty if nowhere.
  std::string where(std::string_view Field) const;

private:
  void note(const Assignment &A, bool IsOption);
  Result<void> assignField(const Assignment &A);
  Result<void> assignPipe(const Assignment &A);
  Result<void> assignOp(const Assignment &A);
  Result<void> checkNesting(const Assignment &A) const;
  Result<void> unknownField(const Assignment &A) const;

  GPUSpec &Spec;
  bool Changed = false; ///< the field has another value than before
  std::map<std::string, std::string, std::less<>> Origins;
};

} // namespace heddle::arch

#endif // HEDDLE_ARCH_SPECASSIGN_H
