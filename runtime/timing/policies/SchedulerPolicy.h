//===- SchedulerPolicy.h - Which ready warp issues --------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_POLICIES_SCHEDULERPOLICY_H
#define HEDDLE_TIMING_POLICIES_SCHEDULERPOLICY_H

#include "arch/GPUSpec.h"
#include "timing/Stall.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

namespace heddle::timing {

/// Decides for one scheduler. Warps are slots of the SM, sets of warps masks.
class SchedulerPolicy {
public:
  virtual ~SchedulerPolicy() = default;

  /// One warp of \p Candidates, which is not empty: warps that can issue now.
  virtual unsigned pick(uint64_t Candidates) = 0;
  /// Whether excluded() may have any.
  virtual bool excludes() const { return false; }
  /// Warps that may not issue at all now (outside the active set).
  virtual uint64_t excluded() const { return 0; }

  virtual void warpStarted(unsigned Warp) {}
  virtual void warpEnded(unsigned Warp) {}
  /// The warp has to wait for \p Why, for a time that is not known.
  virtual void warpBlocked(unsigned Warp, Stall Why) {}
  /// It waits no longer.
  virtual void warpReady(unsigned Warp) {}

  /// Sees a number of the state, and may put another one in its place.
  using NumberVisitor = std::function<void(uint64_t &)>;
  /// Of a saved state: passes all that changes to \p Visit.
  virtual void visitState(const NumberVisitor &Visit) = 0;

protected:
  template <typename... NumberT>
  static void visit(const NumberVisitor &Visit, NumberT &...Numbers) {
    auto One = [&Visit](auto &Number) {
      uint64_t Wide = Number;
      Visit(Wide);
      Number = std::remove_reference_t<decltype(Number)>(Wide);
    };
    (One(Numbers), ...);
  }
};

#define HEDDLE_POLICY(NAME, SPELLING, FIRST)                                   \
  std::unique_ptr<SchedulerPolicy> create##NAME(const arch::SMSpec &SM);
#include "arch/SchedulerPolicies.def"

/// The policy of sm.scheduler.
inline std::unique_ptr<SchedulerPolicy> createPolicy(const arch::SMSpec &SM) {
  static constexpr std::unique_ptr<SchedulerPolicy> (*Makers[])(
      const arch::SMSpec &) = {
#define HEDDLE_POLICY(NAME, SPELLING, FIRST) create##NAME,
#include "arch/SchedulerPolicies.def"
  };
  return Makers[unsigned(SM.Scheduler)](SM);
}

} // namespace heddle::timing

#endif // HEDDLE_TIMING_POLICIES_SCHEDULERPOLICY_H
