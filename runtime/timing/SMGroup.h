//===- SMGroup.h - SMs with an analytic memory ------------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_SMGROUP_H
#define HEDDLE_TIMING_SMGROUP_H

#include "timing/ClusterExchange.h"

#include <vector>

namespace heddle::timing {

/// What answers behind the ports of SMs that run without the others.
class FarMemory {
public:
  virtual ~FarMemory() = default;
  /// The answer to a request; they come in the order in which they were sent.
  virtual memory::MemoryResponse serve(const memory::MemoryRequest &R) = 0;
  /// No answer comes sooner after its request.
  virtual Cycle minRoundTrip() const = 0;
};

/// Runs blocks on SMs of the timing model, with a memory that knows the time of
/// every answer when the request is sent: what the interval and the pipeline
/// model replay. Of a launch in clusters there are as many SMs as a cluster has
/// blocks, which start together; else there is one.
class SMGroup {
public:
  /// SMs \p First and following, one for each block of a cluster. Only what
  /// \p M records can be seen of what happens.
  SMGroup(const Machine &M, unsigned First, FarMemory &Memory);

  unsigned size() const { return unsigned(SMs.size()); }
  /// One SM: whether more blocks may be able to start in a window than wait.
  /// Several: whether each has a CTA slot that no block waits for.
  bool wantsBlocks() const;
  /// One block for each SM, the blocks of a cluster by rank: they start
  /// together when there is a CTA slot for each, but not before \p NotBefore.
  void give(std::span<const trace::BlockTrace *const> Blocks, Cycle NotBefore);
  bool busy() const;
  /// Simulates for as long as no answer can be due to what is sent meanwhile;
  /// returns the events of that time. Fails where warps wait for what never
  /// comes; throws std::logic_error if the model hangs.
  Result<std::span<const Event>> runWindow();
  /// Hands the memory what blocks that have ended had not sent yet.
  Result<void> sendRest();
  Cycle now() const { return Now; } ///< the end of the last window
  /// When memory has taken all that was written. No block waits for it where
  /// launch.drain_stores is false, but the launch does.
  Cycle storesTaken() const { return StoresTaken; }

  std::vector<SMTotals> totals() const; ///< by rank
  uint64_t issued() const;              ///< warp instructions, of all SMs
  std::span<const InstSample> samples() const { return Samples; }

private:
  void serve();

  const Machine &M;
  FarMemory &Memory;
  const Cycle Window;
  std::vector<std::unique_ptr<SMContext>> SMs;
  const unsigned First; ///< number of the first
  ClusterExchange Exchange;
  std::vector<InstSample> Samples; ///< by instruction
  std::vector<memory::MemoryRequest> Requests;
  std::vector<std::vector<memory::MemoryResponse>> Responses; ///< by SM
  std::vector<Event> Events, OfOne;
  Cycle Now = 0, StoresTaken = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_SMGROUP_H
