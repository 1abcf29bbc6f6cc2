//===- GPUSpec.h - Description of a machine ---------------------*- C++ -*-===//
//
// Everything the models know about a GPU, typed. SpecReader.h fills it from a
// machine file (docs/Machines.md) and checks it; SpecFields.h names every
// field ("sm.count") with unit and range. Times are core clock cycles unless
// the field says otherwise, sizes are bytes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ARCH_GPUSPEC_H
#define HEDDLE_ARCH_GPUSPEC_H

#include "arch/OpTable.h"
#include "base/Makespan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::arch {

enum class SchedulerPolicy : uint8_t {
#define HEDDLE_POLICY(NAME, SPELLING, FIRST) NAME,
#include "arch/SchedulerPolicies.def"
};

/// Which of an SM's blocks the policy serves first.
constexpr FirstServed firstServed(SchedulerPolicy Policy) {
  constexpr FirstServed ByPolicy[] = {
#define HEDDLE_POLICY(NAME, SPELLING, FIRST) FirstServed::FIRST,
#include "arch/SchedulerPolicies.def"
  };
  return ByPolicy[unsigned(Policy)];
}

/// The level of code that is replayed by default (docs/MachineCode.md).
enum class CodeLevel : uint8_t { PTX, Machine };

struct ClockSpec {
  double Core = 0; ///< MHz, SMs
  double L2 = 0;   ///< MHz, interconnect and L2
  double DRAM = 0; ///< MHz, command clock
};

/// A streaming multiprocessor without its memory.
struct SMSpec {
  uint32_t Count = 0;
  uint32_t Schedulers = 0;
  SchedulerPolicy Scheduler = SchedulerPolicy::LooseRoundRobin;
  uint32_t TwoLevelActive = 0; ///< warps in the active set, policy two-level
  uint32_t MaxIssue =
      1; ///< instructions of one warp a scheduler issues per cycle
  bool DualIssueDistinct = true; ///< the second must go to another pipe
  uint32_t MaxWarps = 0;
  uint32_t MaxBlocks = 0;
  uint32_t MaxThreadsPerBlock = 1024;
  uint32_t Registers = 0;           ///< 32-bit registers
  uint32_t RegisterGranularity = 0; ///< registers, allocated per warp
  uint32_t MaxRegistersPerThread = 255;
  uint32_t WarpGranularity = 1; ///< partitions that share out the registers
  bool ExpandInstructions =
      true; ///< HeddleInst::Issued slots are issued; else one
};

/// Fetch, decode and the way to the pipes.
struct FrontEndSpec {
  uint32_t FetchWidth = 0;    ///< warps fetched per cycle and SM; 0 unlimited
  uint32_t FetchInsts = 2;    ///< instructions per fetch
  uint32_t BufferInsts = 2;   ///< instruction buffer of a warp
  uint32_t DecodeLatency = 1; ///< from fetched to issuable
  uint32_t PrefetchLines = 0; ///< of the instruction cache, asked for ahead
  uint32_t InstructionBytes = 8;
  uint32_t IssueToPipe = 0;      ///< read operands: issue to start of execution
  uint32_t WritebackLatency = 0; ///< end of the pipe to dependants may issue
  uint32_t BranchLatency = 0;    ///< until the warp may fetch after a branch
  // Of machine code: what an operation of fixed latency takes longer if the
  // first that needs its result is
  uint32_t OtherPipeDelay = 0; ///< arithmetic of another pipe
  uint32_t AccessDelay = 0;    ///< an access, a shuffle or a texture fetch
  uint32_t GuardDelay = 0;     ///< guarded by it, or a branch
  uint32_t RegisterBanks = 0;  ///< 0: operand reads never conflict
  uint32_t RegisterPorts = 1;  ///< reads per bank and cycle
  uint32_t ReadCycles = 1;     ///< in which an instruction may read
  bool OperandReuse = false;   ///< what the one before it read is at hand
  /// Per scheduler, for pipes that have none of their own; 0: none, operands
  /// are read on the way to the pipe.
  uint32_t OperandCollectors = 0;
};

/// Shared memory; in a unified design L1 gets what the carve-out leaves.
struct SharedSpec {
  uint32_t Size = 0; ///< most that blocks of one SM can have together
  uint32_t MaxPerBlock = 0;
  uint32_t Granularity = 0;
  uint32_t ReservedPerBlock = 0;
  std::vector<uint32_t>
      CarveOuts; ///< sizes the driver can choose, ascending; empty: fixed
  uint32_t Banks = 32;
  uint32_t BankBytes = 4;     ///< 4 or 8
  uint32_t Latency = 0;       ///< load without conflict to dependant
  uint32_t AtomicLatency = 0; ///< per bank cycle of an atomic
  uint32_t LanesPerPass = 32; ///< 16: half warps one after the other
  bool MergeWide = false; ///< 8 bytes: the halves of a warp together where they
                          ///< read the same words; 16 bytes: quarters by pairs
  bool ConflictFree = false; ///< for what-ifs: loads and stores never conflict
  /// For what-ifs: of this many loads in a basic block one is left, the values
  /// of the others are in registers.
  uint32_t Reuse = 1;
};

/// The engine of an SM that copies in bulk (cp.async.bulk, TMA).
struct BulkSpec {
  uint32_t Latency = 0;       ///< from its turn to its first request
  uint32_t TensorLatency = 0; ///< more for a tensor map
  uint32_t RequestCycles = 1; ///< for each line, or part of one, of a row
};

enum class WritePolicy : uint8_t {
  WriteThrough, ///< update on a hit, always send on
  WriteBack,
  WriteEvict,     ///< send on, drop the line
  LocalWriteBack, ///< local memory write-back, global write-evict
};
enum class AllocateOn : uint8_t { Miss, Fill };
enum class Replacement : uint8_t { LRU, NotRecent };

/// One cache: L1, constant, texture, instruction, or a slice of L2.
struct CacheSpec {
  uint64_t Size = 0; ///< 0: absent
  uint32_t Line = 128;
  uint32_t Sector = 32; ///< == Line: whole lines are filled
  uint32_t Ways = 4;
  bool HashSets = false;
  uint32_t Latency = 0; ///< hit to dependant
  uint32_t MSHRs = 0;
  uint32_t MSHRMerge = 0;      ///< requests that wait on one entry
  bool MergePerSector = false; ///< an entry is a sector, else a line
  WritePolicy Write = WritePolicy::WriteThrough;
  bool WriteAllocate =
      false; ///< a write miss takes a line (no fetch: bytes are valid)
  AllocateOn Allocate = AllocateOn::Miss;
  Replacement Replace = Replacement::LRU;

  uint32_t sets() const { return Size ? uint32_t(Size / Line / Ways) : 0; }
  uint32_t sectorsPerLine() const { return Line / Sector; }
};

struct L1Spec : CacheSpec {
  uint64_t Unified = 0; ///< bytes shared with shared memory, 0: L1 has its own
  bool CachesGlobal = true; ///< else local and read-only data only
  uint32_t Banks = 1;       ///< sectors (or lines, if not sectored) per cycle
  uint32_t BankInterleave = 32; ///< bytes
  uint32_t MissQueue = 8;       ///< requests waiting for the interconnect
  /// Banks of tags, each of which looks up a line per cycle; loads then read
  /// the banks of shared memory, which is the same memory. 0: Banks limits
  /// sectors.
  uint32_t Tags = 0;
  /// For what-ifs: a warp touches as many sectors as its bytes fill.
  bool Coalesced = false;
};

struct TextureSpec : CacheSpec {
  /// Quads of lanes that the texture pipe takes; 0: there is none, textures are
  /// read as loads are.
  double QuadsPerCycle = 0;
  uint32_t FilterBytes = 4;   ///< of a lane's texels that it filters per cycle
  uint32_t FilterLatency = 0; ///< beyond a hit's
};

struct ConstantSpec : CacheSpec {
  bool PerWord = false; ///< a cycle for each different word, not for each line
};

struct IcntSpec {
  uint32_t Latency = 0;        ///< one way, empty network, L2 clock cycles
  uint32_t HeaderBytes = 8;    ///< of each packet
  uint32_t RequestBytes = 0;   ///< per SM port and L2 cycle
  uint32_t ReplyBytes = 0;     ///< per SM port and L2 cycle
  uint32_t SliceBytes = 0;     ///< per slice port and L2 cycle, each direction
  uint32_t PacketPayload = 32; ///< data bytes of one packet at most
  uint32_t FlitBytes = 8;      ///< packets take a multiple of this
  bool HeadOfLine = false;     ///< a packet that waits holds up those behind it
  bool SectorRequests = false; ///< one request per sector, else per line
  uint32_t WriteCredits =
      0; ///< packets of writes an SM may have on the way; 0 unlimited
};

enum class SliceHash : uint8_t { Modulo, XOR, Polynomial };

/// Size, MSHRs and Latency of the CacheSpec are those of one slice;
/// TotalSize is what the machine file states.
struct L2Spec : CacheSpec {
  uint64_t TotalSize = 0; ///< 0: no L2, requests go to DRAM
  uint32_t Slices = 0;
  SliceHash Hash = SliceHash::Modulo;
  uint32_t Interleave = 256;    ///< bytes that stay in one channel
  uint32_t CyclesPerSector = 1; ///< slice occupancy, L2 clock cycles
  uint32_t AtomicCycles = 1; ///< per lane on the same address, L2 clock cycles
  bool SplitAtomics = false; ///< lanes on the same address travel one by one
  /// 2: two halves, each near to half of the SMs and of the channels. A half
  /// keeps copies of what its SMs read from the other one.
  uint32_t Halves = 1;
  uint32_t FarLatency = 0; ///< to the other half and back, L2 clock cycles
  double DirtyShare = 1;   ///< of a slice's lines that may wait for write-back
};

enum class DRAMPolicy : uint8_t { Fixed, FCFS, FRFCFS };

/// Timing in DRAM command clock cycles unless said otherwise.
struct DRAMSpec {
  DRAMPolicy Policy = DRAMPolicy::FRFCFS;
  uint32_t Channels = 0;
  double Bandwidth = 0;       ///< GB/s of the whole GPU
  double Efficiency = 1;      ///< share that ECC leaves, and refresh where
                              ///< TREFI is 0
  uint32_t Latency = 0;       ///< core cycles before the channel's queue
  uint32_t Queue = 64;        ///< requests the scheduler of a channel sees
  uint32_t WriteQueue = 1024; ///< writes of a channel; more wait in L2
  /// Writes go in batches, from WriteHigh waiting ones on until WriteLow are
  /// left; 0: like reads.
  uint32_t WriteHigh = 0, WriteLow = 0;
  uint32_t BurstBytes = 32; ///< of one column command
  uint32_t RowBytes = 2048;
  uint32_t Banks = 16, BankGroups = 4;
  bool HashBanks = false; ///< bank number exclusive-or low bits of the row
  uint32_t TCL = 0, TWL = 0, TRCD = 0, TRP = 0, TRAS = 0, TRC = 0;
  uint32_t TCCD = 1, TCCDL = 1, TRRD = 0, TRTP = 0, TWR = 0, TWTR = 0;
  /// Banks are refreshed in turn, each every TREFI for TRFC; 0: not modelled.
  uint32_t TREFI = 0, TRFC = 0;
};

struct LaunchSpec {
  double HostTime = 0; ///< microseconds that a host measures for a kernel
                       ///< beyond the kernel's own time
  uint32_t KernelLatency = 0; ///< core cycles from launch to the first block
  uint32_t BlockLatency = 0;  ///< from a free slot to the first instruction
  double BlocksPerCycle =
      1; ///< that the dispatcher starts on the whole GPU; 0: one per SM
  /// A block keeps its slot until L2 has taken its stores; else until they
  /// have left L1.
  bool DrainStores = true;
  bool InCycles = false; ///< results count KernelLatency
  bool KeepL2 = false;   ///< a launch finds L2 as the one before left it

  /// Cycles by which the last of \p Blocks, which go around \p SMs, starts
  /// later than the block of \p SM in the same round.
  double lastBehind(uint64_t Blocks, uint64_t SMs, uint64_t SM) const {
    const uint64_t Last = (Blocks - 1) % SMs;
    return BlocksPerCycle > 0 && Last > SM ? double(Last - SM) / BlocksPerCycle
                                           : 0;
  }
  /// Cycles from the start of the first of \p Blocks to that of the last, at
  /// the least; \p Together of them, a cluster, start at once.
  double dispatchCycles(uint64_t Blocks, uint64_t Together = 1) const {
    return BlocksPerCycle > 0 && Blocks > Together
               ? double(Blocks - Together) / BlocksPerCycle
               : 0;
  }
  /// Cycles before the first block that results count.
  uint32_t countedLatency() const { return InCycles ? KernelLatency : 0; }
};

/// The way between the host's memory and the GPU's.
struct HostSpec {
  double Bandwidth = 0; ///< GB/s of copies, each way; 0: not known
};

/// Thread-block clusters: blocks that start together in one GPC and reach each
/// other's shared memory over a network between its SMs.
struct ClusterSpec {
  uint32_t MaxBlocks = 0; ///< of a cluster; 0: the machine launches none
  uint32_t GPCs = 1;      ///< which share the SMs evenly
  uint32_t Latency = 0; ///< load from another SM without conflict to dependant
  double BytesPerCycle = 0; ///< that an SM sends to others
};

/// The cache of each GPC (ClusterSpec::GPCs) for code and constants, of lines
/// as long as L2's.
struct GPCCacheSpec {
  uint64_t Size = 0; ///< bytes; 0: none
  uint32_t Ways = 4;
};

/// A field that the user set: by --set, or to another value than that of the
/// machine file's base.
struct UserField {
  std::string Path, Value; ///< "sm.count", "40"
  bool IsWhatIf = false;   ///< --set changed the machine
};

struct GPUSpec {
  /// What results call the machine: its name, and what a what-if changed. "v100
  /// with sm.count=40" is never taken for the v100.
  std::string Name;
  std::string PlainName; ///< without the what-if
  std::string File;      ///< of the user; empty: built in
  std::string Description;
  std::string Target;               ///< compiler target, e.g. "sm_70"
  CodeLevel Level = CodeLevel::PTX; ///< of code, where nothing else is said
  ClockSpec Clock;
  SMSpec SM;
  FrontEndSpec FrontEnd;
  std::vector<PipeSpec> Pipes;
  OpTable Ops;
  SharedSpec Shared;
  BulkSpec Bulk;
  L1Spec L1;
  CacheSpec ICache;      ///< Size 0: every fetch hits
  ConstantSpec Constant; ///< Size 0: every access hits in Latency
  CacheSpec Constant2;   ///< behind it; Size 0: L2 is
  GPCCacheSpec GPCCache; ///< of code and constants, between SMs and L2
  TextureSpec Texture;   ///< Size 0: texture accesses use L1
  IcntSpec Icnt;
  L2Spec L2;
  DRAMSpec DRAM;
  LaunchSpec Launch;
  ClusterSpec Cluster;
  HostSpec Host;
  /// In the order in which they were first set; what says nothing to a model
  /// (description, target) is not among them.
  std::vector<UserField> UserFields;

  /// L1 when blocks of one SM use \p SharedBytes together: the smallest
  /// carve-out that holds them, L1 gets the rest of the unified memory.
  CacheSpec l1For(uint64_t SharedBytes) const;

  /// Whether instructions pass operand collectors; all do or none.
  bool hasCollectors() const {
    return FrontEnd.OperandCollectors ||
           std::ranges::any_of(Pipes, &PipeSpec::Collectors);
  }
};

} // namespace heddle::arch

#endif // HEDDLE_ARCH_GPUSPEC_H
