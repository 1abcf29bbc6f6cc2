//===- SMMemory.h - The memory as one SM sees it ----------------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_SMMEMORY_H
#define HEDDLE_PIPELINE_SMMEMORY_H

#include "memory/AddressMap.h"
#include "memory/CommonLines.h"
#include "memory/LinkCost.h"
#include "memory/WriteBatches.h"
#include "pipeline/L2Profile.h"
#include "timing/SMGroup.h"

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

/// Servers of the memory; the shared ones, from L2 on, run at the share of the
/// rate that the SMs of the round have.
enum class Way : uint8_t { Request, Reply, L2, DRAM, Atomics };
inline constexpr unsigned NumWays = 5;

/// What stands behind the port of an SM, or of those of one cluster, which are
/// numbered from 0: their share of interconnect, L2 and DRAM as
/// latencies when nothing waits, plus the longest backlog on the way. What L2
/// holds is taken from an L2Profile. Lines that this does not know (code,
/// parameters, constants, local memory) come from DRAM once.
class SMMemory final : public timing::FarMemory {
public:
  SMMemory(const timing::DecodedCode &Code, const arch::GPUSpec &Spec,
           const L2Profile &L2, unsigned SMs);

  memory::MemoryResponse serve(const memory::MemoryRequest &R) override;
  Cycle minRoundTrip() const override { return RoundTrip; }
  /// So many SMs share L2 and DRAM from now on.
  void setActiveSMs(double Number) { ActiveSMs = Number; }

  /// Atomics of the other SMs, by memory record, in turns for each of those
  /// simulated.
  void setAtomicsOfOthers(std::vector<double> Ratios) {
    AtomicRatios = std::move(Ratios);
  }

  /// Work that \p W has served, of an SM's own ways that of one of them.
  double busy(Way W) const;
  /// Sectors so far.
  double l2Sectors() const { return L2Sectors; }
  double dramReads() const { return DRAMReads; }
  double dramWrites() const { return DRAMWrites; }
  /// Cycles that the atomics of the simulated SMs take in their slices.
  double atomicCycles() const { return AtomicCycles; }
  /// When what the first of them asks for may be back; 0 without one.
  double firstAtomic() const { return FirstAtomic; }

private:
  double readsOf(const memory::MemoryRequest &R, const RecordTraffic *T,
                 bool &Misses);
  double backlog(double Now, unsigned SM) const;
  bool isAway(const memory::MemoryRequest &R);
  double acrossL2(const memory::MemoryRequest &R, const RecordTraffic *T,
                  bool Misses);
  double turnsOf(const memory::MemoryRequest &R, const RecordTraffic *T,
                 bool Misses);
  double slowestStep(const memory::MemoryRequest &R, const RecordTraffic *T,
                     double Out, double Back) const;

  const timing::DecodedCode &Code;
  const arch::GPUSpec &Spec;
  const L2Profile &L2;
  memory::LinkCost Cost;
  Cycle RoundTrip;
  double L2Clock;                    ///< core cycles per L2 cycle
  double RequestCycles, ReplyCycles; ///< per byte
  double L2Cycles;                   ///< per sector, one slice
  double SliceCycles;                ///< per byte of its port to the network
  double ReadCycles, WriteCycles;    ///< of DRAM, per sector, whole GPU
  double DRAMLatency;                ///< beyond that of L2's half
  double AcrossLatency = 0;          ///< to the other half of L2 and back
  memory::AddressMap Map;
  std::vector<memory::CommonLines> Common; ///< by SM
  double ActiveSMs = 1;
  std::array<Server, NumWays> Shared; ///< from L2 on
  Server SliceIn, SliceOut; ///< links of a slice of L2, whose turn is Shared's
  memory::WriteBatches Batches;
  struct OwnWays {
    double Requested = 0; ///< work; the port has had the requests
    Server Reply;
  };
  std::vector<OwnWays> Own; ///< by SM
  /// By record: fractions of misses, and of hits that cross L2.
  std::vector<double> ReadDebt, AcrossDebt;
  double AwayDebt = 0;
  std::vector<double> AtomicRatios;  ///< by record; empty: 1
  std::unordered_set<uint64_t> Seen; ///< lines that the profile does not know
  double L2Sectors = 0, DRAMReads = 0, DRAMWrites = 0;
  double AtomicCycles = 0, FirstAtomic = 0;
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_SMMEMORY_H
