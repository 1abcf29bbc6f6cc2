//===- SMMemory.h - The memory as one SM sees it ----------------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_SMMEMORY_H
#define HEDDLE_PIPELINE_SMMEMORY_H

#include "memory/LinkCost.h"
#include "pipeline/L2Profile.h"
#include "timing/LoneSM.h"

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace heddle::pipeline {

/// Work that waits in front of something which serves at a fixed rate. Work
/// arrives in the order of time, or nearly so.
struct Server {
  double Free = 0; ///< when all work that arrived so far is done
  double Busy = 0; ///< work served, for utilisation

  double wait(double Now) const { return Free > Now ? Free - Now : 0; }
  void serve(double Now, double Work) {
    Free = (Free > Now ? Free : Now) + Work;
    Busy += Work;
  }
};

/// Servers of the memory; the shared ones run at this SM's share of the rate.
enum class Way : uint8_t { Request, Reply, L2, DRAM, Atomics };
inline constexpr unsigned NumWays = 5;

/// What stands behind the SM's port: its share of interconnect, L2 and DRAM as
/// latencies when nothing waits, plus the longest backlog on the way. What L2
/// holds is taken from an L2Profile. Lines that this does not know (code,
/// parameters, constants, local memory) come from DRAM once.
class SMMemory final : public timing::FarMemory {
public:
  SMMemory(const timing::DecodedCode &Code, const arch::GPUSpec &Spec,
           const L2Profile &L2);

  memory::MemoryResponse serve(const memory::MemoryRequest &R) override;
  Cycle minRoundTrip() const override { return RoundTrip; }
  /// So many SMs share L2 and DRAM from now on.
  void setActiveSMs(double Number) { ActiveSMs = Number; }

  const Server &server(Way W) const { return Servers[unsigned(W)]; }
  /// Sectors so far.
  double l2Sectors() const { return L2Sectors; }
  double dramReads() const { return DRAMReads; }
  double dramWrites() const { return DRAMWrites; }

private:
  double readsOf(const memory::MemoryRequest &R, const RecordTraffic *T,
                 bool &Misses);
  double backlog(double Now) const;

  const timing::DecodedCode &Code;
  const arch::GPUSpec &Spec;
  const L2Profile &L2;
  memory::LinkCost Cost;
  Cycle RoundTrip;
  double L2Clock;                    ///< core cycles per L2 cycle
  double RequestCycles, ReplyCycles; ///< per byte
  double L2Cycles;                   ///< per sector, one slice
  double DRAMCycles;                 ///< per sector, whole GPU
  double DRAMLatency;                ///< beyond that of L2
  double ActiveSMs = 1;
  std::array<Server, NumWays> Servers;
  std::vector<double> ReadDebt;      ///< fractions of misses, by record
  std::unordered_set<uint64_t> Seen; ///< lines that the profile does not know
  double L2Sectors = 0, DRAMReads = 0, DRAMWrites = 0;
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_SMMEMORY_H
