//===- ModelContract.h - What a model takes of a machine --------*- C++ -*-===//
//
// Each model declares, in one table beside it, the fields of a machine that its
// answer depends on, the policies that it has and the largest numbers that it
// can represent. test/models/fields.test perturbs every field of several
// machines and holds the tables to be true.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ARCH_MODELCONTRACT_H
#define HEDDLE_ARCH_MODELCONTRACT_H

#include "arch/GPUSpec.h"
#include "base/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::arch {

/// The name under which a contract declares \p Field, a path as in --set:
/// "pipes.units" for "pipes.sfu.units", without what a machine file chooses.
std::string declaredName(std::string_view Field);

/// The largest number that a model can represent.
struct FieldLimit {
  std::string_view Field; ///< of SpecFields.h, or "pipes": how many there are
  double Max;
  std::string_view Why; ///< what in the model sets the limit
};

struct ModelContract {
  std::string_view Model; ///< as the user knows it, e.g. "interval=heddle"
  /// Names of SpecFields.h; "dram.*" stands for the whole section. Of pipes and
  /// operations "pipes.units", "ops.latency" and so on stand for all of them.
  std::span<const std::string_view> Reads;
  /// What it reads besides by replaying an SM (timing::SMReads); else empty.
  std::span<const std::string_view> OnSM;
  std::span<const FieldLimit> Limits;
  /// The scheduling policies that it has; empty: all of SchedulerPolicies.def.
  std::span<const SchedulerPolicy> Policies;

  /// Whether the answer can depend on \p Field, a path as in --set.
  bool reads(std::string_view Field) const;
  /// Fails if \p Spec lies beyond a limit or asks for another policy, naming
  /// field, value and limit.
  Result<void> check(const GPUSpec &Spec) const;
  /// The fields that the user of \p Spec set and that have no influence.
  std::vector<std::string> ignored(const GPUSpec &Spec) const;
};

} // namespace heddle::arch

#endif // HEDDLE_ARCH_MODELCONTRACT_H
