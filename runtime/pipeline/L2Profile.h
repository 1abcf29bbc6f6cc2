//===- L2Profile.h - What the L2 serves, from some of the blocks -*- C++
//-*-===//

#ifndef HEDDLE_PIPELINE_L2PROFILE_H
#define HEDDLE_PIPELINE_L2PROFILE_H

#include "arch/GPUSpec.h"
#include "memory/Coalescer.h"
#include "pipeline/BlockCensus.h"
#include "pipeline/BlockSample.h"
#include "timing/LocalWaits.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::pipeline {

/// What a memory record asks of the L2 and what the L2 asks of DRAM for it,
/// as shares of the sectors that it sends there.
struct RecordTraffic {
  double Sectors = 0;     ///< of all blocks looked at
  double DRAMReads = 0;   ///< share that DRAM has to deliver
  double Moved = 1;       ///< sectors that DRAM's bursts move for each of these
  double Waits = 0;       ///< share that waits for DRAM, also for what another
                          ///< block has asked for a moment before
  double DRAMWrites = 0;  ///< share that ends as a write of DRAM
  double AtomicLines = 0; ///< distinct lines with atomics, whole launch
  bool Local = false;     ///< a thread's own memory
  double OneLine = 0;     ///< share that one line gets, as of a flag
  double HotAtomic = 0;   ///< share of the atomics' busiest slice; 0: unknown
};

struct L2Profile {
  std::vector<RecordTraffic> Records; ///< by memory record
  double ReadFootprint = 0; ///< bytes read at least once, whole launch
  double ReadMoved = 1;     ///< by DRAM's bursts, for each of these
  double WriteMoved = 1;    ///< sectors, for each that is written
  double WriteFootprint = 0;
  /// Share of what is written that L2 takes before it begins to write back.
  double HeldBack = 0;
  double LocalFootprint = 0; ///< local memory of the resident threads
  bool Resident = false;     ///< all of it is in L2 from an earlier run
  /// Share of the work of the busiest slice, as blocks that run side by side
  /// ask for the same lines at the same time. What goes to one line all the
  /// time is not in it.
  double SliceShare = 0;
  double SectorsPerWrite = 1; ///< of a line that L2 writes back
  double Activates = 0;       ///< rows that DRAM opens for a sector it reads
  double WriteActivates = 0;  ///< for a sector that it writes
  /// Where L2 has halves and all blocks run at once: of what a warp reads, the
  /// share with its home in the half that is not its SM's, the most of all.
  std::optional<double> Away;
  uint64_t Blocks = 0; ///< that were looked at
};

struct L2Question {
  std::span<const uint64_t> Blocks; ///< look at these, ascending
  uint64_t Rows = 1; ///< of the grid that these lie in, as many of each
  uint64_t GridColumns = 1;
  uint64_t BlocksAtOnce = 0; ///< resident on the whole GPU
  uint64_t BlocksPerSM = 1;  ///< of these
  uint64_t SMs = 1;          ///< that have any
  uint64_t Grid = 0;         ///< blocks of the launch
  uint64_t L1Lines = 0;      ///< share of one block; 0: nothing stays in L1
  /// Says where local memory lies; null leaves that out.
  const trace::TraceHeader *Launch = nullptr;
  bool Warm = false; ///< an earlier run left its data in the L2
  const BlockCensus *Spread = nullptr; ///< bounds footprints, where taken
};

/// The lines that the accesses of one event after the other ask L1 or L2 for.
/// Sectors are those of L2: a load asks for all that a sector of L1 has.
class EventLines {
public:
  EventLines(const timing::DecodedCode &Code, const arch::GPUSpec &Spec)
      : Code(Code), Spec(Spec), Waits(timing::localWaits(Code)),
        Loads(Spec.L1, Spec.L2, Spec.L1.Coalesced),
        Writes(inSectorsOfL2(Spec), Spec.L2, Spec.L1.Coalesced),
        LineBytes(Spec.L1.Size ? Spec.L1.Line : Spec.L2.Line),
        SectorBytes(Spec.L1.Size ? Spec.L1.Sector : Spec.L2.Sector) {}

  /// Where local memory of what comes next lies: without that it has no lines.
  void setLocal(uint64_t Base) { Local = Base; }

  /// Calls \p Do with each instruction of the event at \p C that L2 may see,
  /// the space that it accesses, and its lines.
  template <class Callback> void each(trace::WarpCursor &C, Callback Do) {
    if (Code.table().Blocks[C.block()].NumMemory == 0)
      return;
    for (const timing::DecodedInst &I : Code.insts(C.block()))
      ask(C, I, Do);
  }
  /// The same, but only from instruction \p From of the event to where the warp
  /// needs what it has asked for to go on with its own memory, and \p Awaits
  /// it. Returns the instruction there, or 0 at the event's end.
  template <class Callback>
  uint32_t eachUntilWait(trace::WarpCursor &C, uint32_t From,
                         const bool &Awaits, Callback Do) {
    const std::span<const timing::DecodedInst> Its = Code.insts(C.block());
    const uint32_t First = Code.table().Blocks[C.block()].FirstInst;
    for (uint32_t N = From; N != Its.size(); ++N) {
      if (N > From && Waits[First + N] && Awaits)
        return N;
      ask(C, Its[N], Do);
    }
    return 0;
  }
  /// The same for all events of \p Block.
  template <class Callback>
  void each(const trace::BlockTrace &Block, Callback Do) {
    for (const trace::WarpTrace &W : Block.Warps) {
      trace::WarpCursor C(Code.table(), W);
      while (C.next())
        each(C, Do);
    }
  }

private:
  template <class Callback>
  void ask(trace::WarpCursor &C, const timing::DecodedInst &I, Callback &Do) {
    if (!I.hasAddresses())
      return;
    Found.clear();
    const uint8_t Space = find(C, I);
    if (!Found.empty())
      Do(I, Space, std::span<const memory::LineAccess>(Found));
  }
  uint8_t find(trace::WarpCursor &C, const timing::DecodedInst &I);
  void splitSectors();
  static arch::CacheSpec inSectorsOfL2(const arch::GPUSpec &Spec) {
    arch::CacheSpec L1 = Spec.L1;
    L1.Sector = std::min(L1.Sector, Spec.L2.Sector);
    return L1;
  }

  const timing::DecodedCode &Code;
  const arch::GPUSpec &Spec;
  const std::vector<char> Waits; ///< by instruction
  memory::Coalescer Loads, Writes;
  const uint32_t LineBytes, SectorBytes;
  std::vector<memory::LineAccess> Found;
  std::optional<uint64_t> Local;
};

/// Feeds the accesses of the first blocks, interleaved as they would run, to
/// an L2 by reuse distance. The blocks are a part of what runs at once: the
/// capacity is their share of it, and lines that blocks have in common are
/// found by how the footprint grows from half of the blocks to all of them,
/// carried on to as many blocks as the L2 can hold.
L2Profile profileL2(const BlockSample &Sample, const timing::DecodedCode &Code,
                    const arch::GPUSpec &Spec, const L2Question &Question);

/// Lines that one block asks the memory for: what profiling it costs.
uint64_t countLines(const trace::BlockTrace &Block,
                    const timing::DecodedCode &Code, const arch::GPUSpec &Spec);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_L2PROFILE_H
