//===- Dispatcher.h - Gives thread blocks to SMs ----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_DISPATCHER_H
#define HEDDLE_TIMING_DISPATCHER_H

#include "timing/CacheWarmer.h"
#include "timing/LaunchControl.h"
#include "timing/SMContext.h"

#include <memory>

namespace heddle::timing {

/// Blocks start in the order of their linear index, round robin over the SMs
/// and then wherever a place becomes free. SMs run alone for a window, so each
/// is given some blocks ahead and starts them itself at the cycle in which a
/// place becomes free; when blocks run out, those that wait move to SMs that
/// have room. All decisions fall between windows, from the state of all SMs.
class Dispatcher {
public:
  /// \p Control, which may be null, says which blocks to leave out; \p Warmer
  /// takes those that only warm the caches.
  Dispatcher(trace::TraceSource &Source, const arch::GPUSpec &Spec,
             std::vector<std::unique_ptr<SMContext>> &SMs,
             LaunchControl *Control, CacheWarmer &Warmer);

  /// Hands out blocks; \p Now is the end of the last window.
  Result<void> distribute(Cycle Now);
  uint64_t given() const { return NextBlock; }
  uint64_t total() const { return Total; }

private:
  Result<void> skip();
  Result<void> giveTo(SMContext &SM, Cycle NotBefore);
  Result<void> firstWave();
  void rebalance(Cycle Now);
  unsigned aheadPerSM() const;

  trace::TraceSource &Source;
  const arch::GPUSpec &Spec;
  std::vector<std::unique_ptr<SMContext>> &SMs;
  LaunchControl *Control;
  CacheWarmer &Warmer;
  uint64_t NextBlock = 0, Total = 0;
  unsigned BlocksPerSM;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_DISPATCHER_H
