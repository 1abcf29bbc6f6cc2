//===- LoneSM.h - One SM with an analytic memory ----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_LONESM_H
#define HEDDLE_TIMING_LONESM_H

#include "timing/SMContext.h"

#include <vector>

namespace heddle::timing {

/// What answers behind the port of an SM that runs without the others.
class FarMemory {
public:
  virtual ~FarMemory() = default;
  /// The answer to a request; they come in the order in which they were sent.
  virtual memory::MemoryResponse serve(const memory::MemoryRequest &R) = 0;
  /// No answer comes sooner after its request.
  virtual Cycle minRoundTrip() const = 0;
};

/// Runs blocks on the SM of the timing model, with a memory that knows the time
/// of every answer when the request is sent: what the interval and the pipeline
/// model replay.
class LoneSM {
public:
  /// Only what \p M records can be seen of what happens.
  LoneSM(const Machine &M, unsigned Index, FarMemory &Memory)
      : M(M), Memory(Memory), SM(M, Index),
        Samples(std::max<size_t>(1, M.Code.size())) {}

  /// Whether more blocks may be able to start in a window than wait.
  bool wantsBlock() const { return SM.waiting() < M.BlocksPerSM; }
  /// It starts when there is a CTA slot for it but not before \p NotBefore.
  void give(const trace::BlockTrace &Block, Cycle NotBefore);
  bool busy() const { return SM.busy(); }
  /// Simulates for as long as no answer can be due to what is sent meanwhile;
  /// returns the events of that time. Throws std::logic_error if the model
  /// hangs.
  std::span<const Event> runWindow();
  Cycle now() const { return Now; } ///< the end of the last window

  const SMCounters &counters() const { return SM.counters(); }
  SMTotals totals() const { return SM.totals(Now); }
  std::span<const InstSample> samples() const { return Samples; }

private:
  const Machine &M;
  FarMemory &Memory;
  SMContext SM;
  std::vector<InstSample> Samples; ///< by instruction
  std::vector<memory::MemoryRequest> Requests;
  std::vector<memory::MemoryResponse> Responses;
  std::vector<Event> Events;
  Cycle Now = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_LONESM_H
