//===- SMMemory.h - The memory as one SM sees it ----------------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_SMMEMORY_H
#define HEDDLE_PIPELINE_SMMEMORY_H

#include "arch/GPUSpec.h"
#include "memory/Coalescer.h"
#include "pipeline/L2Profile.h"
#include "pipeline/StackCache.h"
#include "timing/DecodedCode.h"
#include "trace/TraceSource.h"

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::pipeline {

/// Work that waits in front of something which serves at a fixed rate. Work
/// arrives in the order of time, or nearly so.
struct Server {
  double Free = 0; ///< when all work that arrived so far is done
  double Busy = 0; ///< work served, for utilisation

  double wait(double Now) const { return Free > Now ? Free - Now : 0; }
  /// Adds \p Work; returns when it is done.
  double serve(double Now, double Work) {
    Free = (Free > Now ? Free : Now) + Work;
    Busy += Work;
    return Free;
  }
};

/// Servers of the memory; the shared ones run at this SM's share of the rate.
enum class Way : uint8_t { Request, Reply, L2, DRAM, Atomics };
inline constexpr unsigned NumWays = 5;

struct MemoryCounters {
  uint64_t GlobalInsts = 0, Lines = 0;
  uint64_t SharedInsts = 0, SharedPasses = 0;
  uint64_t L1Sectors = 0, L1Hits = 0;
  double L2Sectors = 0, DRAMReads = 0, DRAMWrites = 0; ///< sectors
};

/// L1 and constant cache by reuse distance, and behind them the SM's share of
/// interconnect, L2 and DRAM: latencies when nothing waits, plus the longest
/// backlog on the way. What the L2 hits is taken from an L2Profile.
class SMMemory {
public:
  SMMemory(const trace::TraceSource &Source, const arch::GPUSpec &Spec,
           const arch::CacheSpec &L1, const L2Profile &L2);

  /// Warp slot \p Slot executes \p I. \p A: null for kernel parameters. Fills
  /// the buffer that finish uses. Returns how often the access passes through
  /// the load/store unit.
  double start(const timing::DecodedInst &I, const trace::MemoryAccess *A,
               size_t Slot);

  struct Outcome {
    double Ready = 0; ///< loads and atomics: result is there
    double Gone = 0;  ///< stores: everything is accepted
    double Next = 0;  ///< stores: the warp may go on, as far as credits go
  };
  /// \p ActiveSMs share the L2 and the DRAM.
  Outcome finish(double Now, double ActiveSMs);

  const MemoryCounters &counters() const { return Counts; }
  const Server &server(Way W) const { return Servers[unsigned(W)]; }
  double latencyL2() const { return L2Latency; }
  double latencyDRAM() const { return L2Latency + DRAMLatency; }

private:
  enum class Kind : uint8_t { Parameter, Constant, Shared, Cached, Atomic };
  Outcome finishCached(double Now, double ActiveSMs);
  Outcome finishAtomic(double Now, double ActiveSMs);
  double backlog(double Now) const;
  double mshr(double Now);

  const trace::TraceHeader &Launch;
  const arch::GPUSpec &Spec;
  const L2Profile &L2;
  memory::Coalescer Lines, ConstantLines;
  bool HasL1;
  bool WriteAllocate;
  StackCache L1, Constant;
  double L1Latency, L2Latency, DRAMLatency; ///< each beyond the one before
  double L2Clock;                           ///< core cycles per L2 cycle
  double RequestCycles, ReplyCycles;        ///< per byte
  double L2Cycles, DRAMCycles;              ///< per sector, whole GPU to one SM
  std::array<Server, NumWays> Servers;
  std::vector<double> ReadDebt;    ///< fractions of sectors, by record
  std::vector<double> Outstanding; ///< ring, by MSHR
  size_t NextMSHR = 0;
  struct Pending {
    uint64_t Line = ~uint64_t(0);
    double Until = 0;
  };
  std::vector<Pending> InFlight; ///< direct mapped by line

  // The access between start and finish.
  Kind What = Kind::Parameter;
  const timing::DecodedInst *Inst = nullptr;
  unsigned NumLines = 0;
  double Passes = 0;
  memory::LineAccess Found[memory::Coalescer::MaxLines];
  MemoryCounters Counts;
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_SMMEMORY_H
