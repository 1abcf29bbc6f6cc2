//===- SimulationResult.h - What a simulated launch did ---------*- C++ -*-===//
//
// Plain numbers; runtime/views turns them into text and JSON. Unless a name
// says otherwise counts are over all SMs and the whole launch, and cycles are
// cycles of the core clock.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TIMING_SIMULATIONRESULT_H
#define HEDDLE_TIMING_SIMULATIONRESULT_H

#include "arch/Occupancy.h"
#include "base/Dim3.h"
#include "timing/Stall.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::timing {

/// One level of cache. Accesses = Hits + PendingHits + Misses; an access is
/// one 32-byte sector, or one line in a whole-line cache.
struct CacheCounters {
  uint64_t Accesses = 0;
  uint64_t Hits = 0;
  uint64_t PendingHits = 0; ///< found in an MSHR: the data was on its way
  uint64_t Misses = 0;
  uint64_t Writes = 0;      ///< of Accesses
  uint64_t WriteBacks = 0;  ///< sectors or lines sent down dirty
  uint64_t StallCycles = 0; ///< waiting for an MSHR, a way or a queue
  double hitRate() const { return Accesses ? double(Hits) / Accesses : 0; }
};

struct DRAMCounters {
  uint64_t Reads = 0; ///< column accesses
  uint64_t Writes = 0;
  uint64_t Activates = 0;
  uint64_t RowHits = 0;
  uint64_t ReadBytes = 0;
  uint64_t WriteBytes = 0;
  uint64_t BusyCycles = 0; ///< data-bus cycles of the DRAM clock, all channels
  double Utilization = 0;  ///< of the data buses over the launch, 0..1
};

struct InterconnectCounters {
  uint64_t Requests = 0, Responses = 0;
  uint64_t RequestBytes = 0, ResponseBytes = 0;
  uint64_t QueueCycles = 0; ///< waiting for a port, requests and responses
};

/// Work of one kind of pipe, summed over the SMs.
struct PipeCounters {
  std::string Name;
  uint64_t Issued = 0;
  uint64_t BusyCycles = 0;
  unsigned Instances = 0;
  double Utilization = 0; ///< BusyCycles / (Instances * cycles)
};

/// How well the memory instructions of one space coalesce.
struct SpaceCounters {
  uint64_t Instructions = 0; ///< warp instructions
  uint64_t Transactions =
      0; ///< sectors (global, local, const); passes (shared)

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Instructions, Transactions] = *this;
    A(Instructions, Transactions);
  }
};

/// What happened at one instruction of the code table. The frequent states
/// share the first line of the host's cache with the counts.
struct alignas(64) InstSample {
  uint64_t Issued = 0;  ///< warp instructions
  uint64_t Threads = 0; ///< active lanes, summed
  StallCycles Cycles{}; ///< warp-cycles spent before it issued, by state

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Issued, Threads, Cycles] = *this;
    A(Issued, Threads, Cycles);
  }
  InstSample &operator+=(const InstSample &O) {
    Issued += O.Issued;
    Threads += O.Threads;
    for (unsigned I = 0; I < NumStalls; ++I)
      Cycles[I] += O.Cycles[I];
    return *this;
  }
};

/// Parts of long_scoreboard: latency of L1, L2 and DRAM, time without an MSHR,
/// queues of the load/store unit, interconnect, L2 and DRAM.
inline constexpr unsigned NumLoadWaits = 5, LoadWaitMSHR = 3, LoadWaitQueue = 4;
using LoadWaitCycles = std::array<uint64_t, NumLoadWaits>;

struct LineSample {
  uint32_t File = 0; ///< index into Files
  uint32_t Line = 0;
  InstSample Sample;
};

struct SMSummary {
  uint64_t Blocks = 0;
  uint64_t WarpInstructions = 0;
  uint64_t ActiveCycles = 0; ///< with at least one resident warp
  uint64_t IssueCycles = 0;  ///< with at least one instruction issued
};

struct SimulationResult {
  std::string Kernel;
  std::string GPU; ///< name of the machine description
  std::string Model = "timing";
  std::string Producer; ///< of the trace
  /// Fields of the machine that the user set and that the model does not read.
  std::vector<std::string> Ignored;
  Dim3 Grid, Block;
  uint64_t Cycles = 0;        ///< of the kernel, and CountedLaunch
  uint64_t LaunchCycles = 0;  ///< launch overhead
  uint64_t CountedLaunch = 0; ///< of it, in Cycles (launch.in_cycles)
  double CoreMHz = 0;
  double TimeUs = 0;
  uint64_t WarpInstructions = 0;   ///< of the code table's level
  uint64_t IssuedInstructions = 0; ///< after expansion
  uint64_t ThreadInstructions = 0;
  double IPC = 0; ///< warp instructions per cycle, whole GPU
  arch::Occupancy Occupancy;
  StallCycles Stalls{};             ///< warp-cycles by state, all warps
  LoadWaitCycles LoadWaits{};       ///< of Stalls, those for loads by part
  uint64_t WarpCycles = 0;          ///< sum of Stalls
  std::vector<InstSample> Insts;    ///< by index into the code table
  std::vector<LineSample> Lines;    ///< by (file, line), ascending
  std::vector<std::string> Opcodes; ///< copies of the code table's names,
  std::vector<uint32_t> InstOpcode; ///< by instruction
  std::vector<std::string> Files;
  std::vector<PipeCounters> Pipes;
  SpaceCounters Global, Shared, Local, Constant, Atomics, Texture;
  uint64_t SharedConflictCycles = 0; ///< passes beyond the first
  uint64_t BarrierWaits = 0;         ///< warp arrivals
  CacheCounters L1, ConstCache, TextureCache, InstCache, L2;
  CacheCounters GPCCache; ///< of all GPCs, in lines of L2
  InterconnectCounters Interconnect;
  DRAMCounters DRAM;
  std::vector<SMSummary> SMs;
  bool Truncated = false; ///< stopped at --max-cycles or by an interrupt
  uint64_t BlocksDone = 0;
  /// Of blocks that were left out, with L2 kept warm: sectors accessed, and
  /// those of them that L2 did not have.
  uint64_t WarmedSectors = 0, WarmedMisses = 0;
  double SecondsCPU = 0; ///< of the model alone, all threads
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_SIMULATIONRESULT_H
