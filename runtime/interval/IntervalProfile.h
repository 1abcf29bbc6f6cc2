//===- IntervalProfile.h - What the interval models know of a launch -*- C++
//-*-===//
//
// Data only. ProfileCollector.h fills it once; PaperModels.h and SMReplay.h
// read it, as often as machines are compared. It stays valid for machines that
// differ in fields that are in no CollectionKey.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_INTERVAL_INTERVALPROFILE_H
#define HEDDLE_INTERVAL_INTERVALPROFILE_H

#include "arch/ClusterPlacement.h"
#include "arch/GPUSpec.h"
#include "interval/FetchTable.h"
#include "trace/TraceSource.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::interval {

struct BlockStream {
  uint64_t Insts = 0; ///< warp instructions
  trace::BlockTrace Trace;
};

/// One SM whose blocks were kept, in the order in which they started. Of a
/// launch in clusters, as many SMs follow each other as a cluster has blocks,
/// and hold the blocks of one cluster each time.
struct SMStream {
  unsigned SM = 0;
  std::vector<BlockStream> Blocks;
  FetchTable Fetches;             ///< of these blocks
  std::vector<uint32_t> AllInsts; ///< of every block that ran there
  std::vector<uint32_t> Chains;   ///< ... of each one's longest warp
  /// Instructions in each CTA slot of this SM, or group, that has any,
  /// ascending; none: all SMs have as many.
  std::vector<uint64_t> Slots;
  /// Turns that its atomics take in slices of L2, as far as the launch was
  /// read.
  double AtomicTurns = 0;
  uint64_t Requests = 0; ///< that it has for L2, as far as it was read
  double Away = 0;       ///< as of IntervalProfile, of one of its warps
};

/// Where the executions of one memory instruction were served: the request
/// that came from farthest decides (GPUMech, section V-B).
struct MemorySite {
  uint64_t Executions = 0;
  uint64_t ByLevel[3] = {}; ///< L1, L2, DRAM
  uint64_t Requests = 0;    ///< lines
  uint64_t L1Misses = 0;    ///< lines that left the SM, writes too
  uint64_t L2Misses = 0;    ///< lines that DRAM served

  double share(unsigned Level) const {
    return Executions ? double(ByLevel[Level]) / double(Executions) : 0;
  }
  double perExecution(uint64_t Count) const {
    return Executions ? double(Count) / double(Executions) : 0;
  }
};

/// Warps with equal bodies: the same blocks in the same order, so with one
/// latency per instruction the same intervals.
struct WarpClass {
  std::vector<uint32_t> Blocks; ///< executed basic blocks, the first of them
  uint64_t Insts = 0;           ///< of all of them
  uint64_t Count = 0;           ///< warps
};

/// Sectors (lines of whole-line caches).
struct LevelCounters {
  uint64_t Accesses = 0, Hits = 0, Writes = 0;
};

/// The machine fields that a profile depends on, as text to compare.
std::string collectionKey(const arch::GPUSpec &Spec);

struct IntervalProfile {
  std::string Key; ///< collectionKey of the machine it was collected on
  trace::TraceHeader Launch;
  trace::CodeTable Code;
  arch::Occupancy Occupancy;
  arch::SMGroups Groups;         ///< that run the launch
  std::vector<MemorySite> Sites; ///< by instruction
  std::vector<WarpClass> Classes;
  std::vector<SMStream> SMs; ///< kept for replay
  /// The longest block, or one of the longest, as if an SM had it alone; none
  /// of clusters.
  SMStream Longest;
  /// Of the instructions, those that went through the caches; the counters
  /// below are scaled to all.
  double CollectedShare = 1;
  uint64_t ReplayInsts = 0; ///< of each of SMs that represent it
  std::vector<uint64_t>
      Slots;             ///< as SMStream's, of all SMs that have their own
  bool Critical = false; ///< SMs are those that have most to do, not any two
  std::vector<uint32_t> BlockInsts; ///< warp instructions of every block
  bool Alike = true; ///< these differ by a tenth at most, as a deviation
  /// When the last of all blocks ends, counted in instructions (Makespan.h).
  double Span = 0;
  uint64_t Warps = 0, WarpInsts = 0, ThreadInsts = 0;
  LevelCounters L1, L2;
  uint64_t DRAMReadSectors = 0, DRAMWriteSectors = 0; ///< of L2's size
  /// Sectors that some SM waited for DRAM to deliver. More than
  /// DRAMReadSectors where several SMs want the same data at once.
  uint64_t AwaitedSectors = 0;
  uint64_t L2WrittenSectors = 0;
  uint64_t DRAMWriteRequests = 0; ///< that the written sectors of DRAM go in
  /// Of L2WrittenSectors, those before L2 has as much dirty as it may have and
  /// so begins to write back.
  double HeldBackSectors = 0;
  /// Shares of the busiest L2 slice in sectors, of the busiest channel in DRAM
  /// sectors and of the busiest slice in serialised atomic operations, each in
  /// the stretch of time in which they meet, on average.
  double HotSlice = 0, HotChannel = 0, HotAtomic = 0;
  double AtomicTurns = 0; ///< of all SMs
  double Activates = 0;   ///< rows that DRAM opens for a sector
  /// Of what a warp reads, the share with its home in the half of L2 that is
  /// not its SM's: the most that one of the longest warps has, where the launch
  /// ends with these.
  double Away = 0;
  double AcrossOfHits = 0; ///< of L2 with such a home, those without a copy

  /// SMs that have anything to do.
  uint64_t busySMs() const {
    return std::max<uint64_t>(
        1, std::min<uint64_t>(Groups.sms(), Launch.Grid.count()));
  }
  double dramReadsPerAwaited() const {
    return AwaitedSectors ? double(DRAMReadSectors) / double(AwaitedSectors)
                          : 0;
  }
  double dramWritesPerWritten() const {
    return L2WrittenSectors
               ? double(DRAMWriteSectors) / double(L2WrittenSectors)
               : 0;
  }
  /// The same once L2 writes back.
  double dramWritesPerLateWritten() const {
    const double Late = double(L2WrittenSectors) - HeldBackSectors;
    return Late > 0 ? double(DRAMWriteSectors) / Late : 0;
  }
  double sectorsPerDRAMWrite() const {
    return DRAMWriteRequests
               ? double(DRAMWriteSectors) / double(DRAMWriteRequests)
               : 1;
  }
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_INTERVALPROFILE_H
