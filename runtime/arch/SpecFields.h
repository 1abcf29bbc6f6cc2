//===- SpecFields.h - Names, units and ranges of all fields -----*- C++ -*-===//
//
// The one list of what a machine file can say. The reader, --set, the printers
// and the documentation test go through it. Pipes and operation timings are
// open-ended and have their own syntax (SpecReader.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ARCH_SPECFIELDS_H
#define HEDDLE_ARCH_SPECFIELDS_H

#include "arch/GPUSpec.h"
#include "base/Clusters.h"

#include <span>
#include <string_view>

namespace heddle::arch {

struct FieldInfo {
  std::string_view Name;
  std::string_view Unit;
  double Min, Max; ///< allowed range of numbers
  std::string_view Doc;
};

/// The spellings of an enumeration, by value.
inline std::span<const std::string_view> enumNames(SchedulerPolicy) {
  static constexpr std::string_view Names[] = {
#define HEDDLE_POLICY(NAME, SPELLING, FIRST) SPELLING,
#include "arch/SchedulerPolicies.def"
  };
  return Names;
}
inline std::span<const std::string_view> enumNames(WritePolicy) {
  static constexpr std::string_view Names[] = {
      "write-through", "write-back", "write-evict", "local-write-back"};
  return Names;
}
inline std::span<const std::string_view> enumNames(AllocateOn) {
  static constexpr std::string_view Names[] = {"miss", "fill"};
  return Names;
}
inline std::span<const std::string_view> enumNames(CodeLevel) {
  static constexpr std::string_view Names[] = {"ptx", "machine"};
  return Names;
}
inline std::span<const std::string_view> enumNames(Replacement) {
  static constexpr std::string_view Names[] = {"lru", "not-recent"};
  return Names;
}
inline std::span<const std::string_view> enumNames(SliceHash) {
  static constexpr std::string_view Names[] = {"modulo", "xor", "polynomial"};
  return Names;
}
inline std::span<const std::string_view> enumNames(DRAMPolicy) {
  static constexpr std::string_view Names[] = {"fixed", "fcfs", "fr-fcfs"};
  return Names;
}

/// The fields that every cache has; \p P is its section with a dot.
#define HEDDLE_CACHE_FIELDS(P, C)                                              \
  F(C.Line, {P "line", "bytes", 16, 512, "line (tag) size"});                  \
  F(C.Sector, {P "sector", "bytes", 16, 512, "unit of a fill"});               \
  F(C.Ways, {P "ways", "", 1, 1024, "associativity"});                         \
  F(C.HashSets, {P "hash_sets", "", 0, 1, "set index hashed with the tag"});   \
  F(C.Latency, {P "latency", "cycles", 0, 10000, "hit to dependant"});         \
  F(C.MSHRs, {P "mshrs", "", 1, 65536, "misses on the way"});                  \
  F(C.MSHRMerge,                                                               \
    {P "mshr_merge", "", 1, 65536, "requests waiting on one miss"});           \
  F(C.MergePerSector, {P "merge_per_sector", "", 0, 1,                         \
                       "mshr_merge limits each sector, else each line"});      \
  F(C.Allocate,                                                                \
    {P "allocate_on", "", 0, 0, "when a read miss takes its line"});           \
  F(C.Replace, {P "replacement", "", 0, 0, "which line of a set goes"});
/// What caches have besides that are written to.
#define HEDDLE_WRITTEN_CACHE_FIELDS(P, C)                                      \
  HEDDLE_CACHE_FIELDS(P, C)                                                    \
  F(C.Write, {P "write", "", 0, 0, "what a write does"});                      \
  F(C.WriteAllocate,                                                           \
    {P "write_allocate", "", 0, 1, "a write miss takes a line"});

/// Calls V(FieldInfo, field) for every field of \p S.
template <typename SpecT, typename VisitorT>
void forEachField(SpecT &S, VisitorT &&V) {
  auto F = [&V](auto &Field, const FieldInfo &Info) { V(Info, Field); };
  F(S.Description, {"description", "", 0, 0, "one line about the machine"});
  F(S.Target, {"target", "", 0, 0, "target of the compiler"});
  F(S.Level, {"isa", "", 0, 0, "level of code by default"});

  F(S.Clock.Core, {"clock.core", "MHz", 1, 10000, "SMs"});
  F(S.Clock.L2, {"clock.l2", "MHz", 1, 10000, "interconnect and L2"});
  F(S.Clock.DRAM, {"clock.dram", "MHz", 1, 20000, "DRAM commands"});

  F(S.SM.Count, {"sm.count", "", 1, 1024, "streaming multiprocessors"});
  F(S.SM.Schedulers, {"sm.schedulers", "", 1, 16, "warp schedulers per SM"});
  F(S.SM.Scheduler, {"sm.scheduler", "", 0, 0, "order in which warps issue"});
  F(S.SM.TwoLevelActive, {"sm.two_level_active", "warps", 0, 128,
                          "active set per scheduler, policy two-level"});
  F(S.SM.MaxIssue, {"sm.max_issue", "", 1, 4,
                    "instructions of one warp per cycle and scheduler"});
  F(S.SM.DualIssueDistinct, {"sm.dual_issue_distinct", "", 0, 1,
                             "dual issue needs two different pipes"});
  F(S.SM.MaxWarps, {"sm.max_warps", "", 1, 256, "resident warps"});
  F(S.SM.MaxBlocks, {"sm.max_blocks", "", 1, 256, "resident blocks"});
  F(S.SM.MaxThreadsPerBlock,
    {"sm.max_threads_per_block", "", 32, 4096, "block size limit"});
  F(S.SM.Registers, {"sm.registers", "", 1024, 1048576, "32-bit registers"});
  F(S.SM.RegisterGranularity, {"sm.register_granularity", "registers", 1, 4096,
                               "allocation unit per warp"});
  F(S.SM.MaxRegistersPerThread,
    {"sm.max_registers_per_thread", "", 16, 255, "register limit"});
  F(S.SM.WarpGranularity,
    {"sm.warp_granularity", "warps", 1, 8,
     "parts of an SM that share out its registers by whole warps"});
  F(S.SM.ExpandInstructions, {"sm.expand_instructions", "", 0, 1,
                              "issue what div, sqrt, ... expand to"});

  F(S.FrontEnd.FetchWidth,
    {"front.fetch_width", "warps", 0, 16, "fetched per cycle; 0: no limit"});
  F(S.FrontEnd.FetchInsts,
    {"front.fetch_instructions", "", 1, 16, "per fetch"});
  F(S.FrontEnd.BufferInsts,
    {"front.buffer", "instructions", 1, 64, "buffer of a warp"});
  F(S.FrontEnd.DecodeLatency,
    {"front.decode_latency", "cycles", 0, 64, "fetched to issuable"});
  F(S.FrontEnd.PrefetchLines, {"front.prefetch_lines", "lines", 0, 64,
                               "instruction lines fetched ahead of a new one"});
  F(S.FrontEnd.InstructionBytes,
    {"front.instruction_bytes", "bytes", 4, 32, "encoding"});
  F(S.FrontEnd.IssueToPipe,
    {"front.issue_to_pipe", "cycles", 0, 64, "operand read"});
  F(S.FrontEnd.WritebackLatency, {"front.writeback_latency", "cycles", 0, 64,
                                  "end of the pipe to issue of dependants"});
  F(S.FrontEnd.BranchLatency, {"front.branch_latency", "cycles", 0, 64,
                               "issue of a branch to the next fetch"});
  F(S.FrontEnd.OtherPipeDelay,
    {"front.other_pipe_delay", "cycles", 0, 64,
     "machine code: later for arithmetic of another pipe"});
  F(S.FrontEnd.AccessDelay,
    {"front.access_delay", "cycles", 0, 64,
     "machine code: later for accesses and shuffles, from arithmetic"});
  F(S.FrontEnd.GuardDelay,
    {"front.guard_delay", "cycles", 0, 64,
     "machine code: later for what a predicate guards, and branches"});
  F(S.FrontEnd.RegisterBanks,
    {"front.register_banks", "", 0, 64, "per scheduler; 0: no conflicts"});
  F(S.FrontEnd.RegisterPorts,
    {"front.register_ports", "", 1, 8, "reads per bank and cycle"});
  F(S.FrontEnd.ReadCycles,
    {"front.read_cycles", "cycles", 1, 8,
     "in which an instruction reads its registers, without operand "
     "collectors; more delay it and the next ones"});
  F(S.FrontEnd.OperandReuse,
    {"front.operand_reuse", "", 0, 1,
     "a register that the warp's instruction just before has read is "
     "at hand"});
  F(S.FrontEnd.OperandCollectors,
    {"front.operand_collectors", "", 0, 64, "per scheduler; 0: none"});

  F(S.Shared.Size,
    {"shared.size", "bytes", 0, 1 << 20, "for all blocks of an SM"});
  F(S.Shared.MaxPerBlock,
    {"shared.max_per_block", "bytes", 0, 1 << 20, "for one block"});
  F(S.Shared.Granularity,
    {"shared.granularity", "bytes", 1, 4096, "allocation unit"});
  F(S.Shared.ReservedPerBlock,
    {"shared.reserved_per_block", "bytes", 0, 65536, "taken by the system"});
  F(S.Shared.CarveOuts,
    {"shared.carve_outs", "bytes", 0, 1 << 20, "sizes that can be chosen"});
  F(S.Shared.Banks, {"shared.banks", "", 1, 64, "memory banks"});
  F(S.Shared.BankBytes,
    {"shared.bank_bytes", "bytes", 4, 8, "width of a bank"});
  F(S.Shared.Latency,
    {"shared.latency", "cycles", 1, 1000, "load to dependant"});
  F(S.Shared.AtomicLatency, {"shared.atomic_latency", "cycles", 0, 1000,
                             "per bank cycle of an atomic"});
  F(S.Shared.LanesPerPass,
    {"shared.lanes_per_pass", "lanes", 8, 32, "served together"});
  F(S.Shared.MergeWide,
    {"shared.merge_wide", "", 0, 1,
     "halves or pairs of quarters that read the same words together"});
  F(S.Shared.ConflictFree, {"shared.conflict_free", "", 0, 1,
                            "what if loads and stores never met in a bank"});
  F(S.Shared.Reuse,
    {"shared.reuse", "", 1, 1024,
     "what if one in N loads were left, the rest in registers"});

  F(S.Bulk.Latency, {"bulk.latency", "cycles", 0, 10000,
                     "of the copy engine, to its first request"});
  F(S.Bulk.TensorLatency,
    {"bulk.tensor_latency", "cycles", 0, 10000, "more with a tensor map"});
  F(S.Bulk.RequestCycles,
    {"bulk.request_cycles", "cycles", 1, 100, "for each line, or part of one"});

  F(S.L1.Size, {"l1.size", "bytes", 0, 1 << 24, "0: no L1"});
  HEDDLE_WRITTEN_CACHE_FIELDS("l1.", S.L1)
  F(S.L1.Unified, {"l1.unified", "bytes", 0, 1 << 24,
                   "shared with shared memory; 0: own memory"});
  F(S.L1.CachesGlobal,
    {"l1.caches_global", "", 0, 1, "else only local and read-only data"});
  F(S.L1.Banks, {"l1.banks", "", 1, 64, "sectors per cycle"});
  F(S.L1.BankInterleave, {"l1.bank_interleave", "bytes", 16, 512, "per bank"});
  F(S.L1.MissQueue,
    {"l1.miss_queue", "requests", 1, 4096, "waiting for the interconnect"});
  F(S.L1.Tags, {"l1.tags", "lines", 0, 16,
                "banks of tags, data on shared's banks; 0: l1.banks"});
  F(S.L1.Coalesced,
    {"l1.coalesced", "", 0, 1,
     "what if a warp touched only the sectors that its bytes fill"});

  F(S.ICache.Size, {"icache.size", "bytes", 0, 1 << 24, "0: never misses"});
  HEDDLE_CACHE_FIELDS("icache.", S.ICache)
  F(S.Constant.Size, {"constant.size", "bytes", 0, 1 << 24, "0: never misses"});
  HEDDLE_CACHE_FIELDS("constant.", S.Constant)
  F(S.Constant.PerWord,
    {"constant.per_word", "", 0, 1,
     "a cycle for each different word, else for each line"});
  F(S.Constant2.Size,
    {"constant2.size", "bytes", 0, 1 << 24, "0: no second level"});
  HEDDLE_CACHE_FIELDS("constant2.", S.Constant2)
  F(S.GPCCache.Size, {"gpc_cache.size", "bytes", 0, 1 << 24, "0: none"});
  F(S.GPCCache.Ways, {"gpc_cache.ways", "", 1, 1024, "associativity"});
  F(S.Texture.Size,
    {"texture.size", "bytes", 0, 1 << 24, "0: textures use L1"});
  HEDDLE_CACHE_FIELDS("texture.", S.Texture)
  V(FieldInfo{"texture.quads_per_cycle", "", 0, 32,
              "four lanes each; 0: textures are read as loads are"},
    S.Texture.QuadsPerCycle);
  V(FieldInfo{"texture.filter_bytes", "bytes/cycle", 1, 16,
              "of a lane's texels that are filtered"},
    S.Texture.FilterBytes);
  V(FieldInfo{"texture.filter_latency", "cycles", 0, 10000,
              "from a hit to the result"},
    S.Texture.FilterLatency);

  F(S.Icnt.Latency, {"icnt.latency", "L2 cycles", 1, 10000, "one way, empty"});
  F(S.Icnt.HeaderBytes, {"icnt.header", "bytes", 0, 64, "of a packet"});
  F(S.Icnt.PacketPayload,
    {"icnt.packet_payload", "bytes", 16, 1024, "of a packet at most"});
  F(S.Icnt.FlitBytes,
    {"icnt.flit", "bytes", 1, 1024, "packets take a multiple of this"});
  F(S.Icnt.RequestBytes,
    {"icnt.request_bytes", "bytes/L2 cycle", 1, 4096, "from an SM"});
  F(S.Icnt.ReplyBytes,
    {"icnt.reply_bytes", "bytes/L2 cycle", 1, 4096, "to an SM"});
  F(S.Icnt.SliceBytes,
    {"icnt.slice_bytes", "bytes/L2 cycle", 1, 4096, "to and from an L2 slice"});
  F(S.Icnt.HeadOfLine, {"icnt.head_of_line", "", 0, 1,
                        "a packet that waits holds up those behind it"});
  F(S.Icnt.SectorRequests,
    {"icnt.sector_requests", "", 0, 1, "the sectors of a line travel apart"});
  F(S.Icnt.WriteCredits, {"icnt.write_credits", "packets", 0, 1 << 20,
                          "writes of an SM on the way; 0: no limit"});

  F(S.L2.TotalSize, {"l2.size", "bytes", 0, 1 << 30, "all slices; 0: no L2"});
  HEDDLE_WRITTEN_CACHE_FIELDS("l2.", S.L2)
  F(S.L2.Slices, {"l2.slices", "", 1, 1024, "a multiple of dram.channels"});
  F(S.L2.Hash, {"l2.hash", "", 0, 0, "address to channel"});
  F(S.L2.Interleave,
    {"l2.interleave", "bytes", 32, 65536, "that stay in one channel"});
  F(S.L2.CyclesPerSector,
    {"l2.cycles_per_sector", "L2 cycles", 1, 64, "slice occupancy"});
  F(S.L2.AtomicCycles,
    {"l2.atomic_cycles", "L2 cycles", 1, 1000, "per lane on the same address"});
  F(S.L2.SplitAtomics, {"l2.split_atomics", "", 0, 1,
                        "each lane on the same address is a request"});
  F(S.L2.Halves,
    {"l2.halves", "", 1, 2, "each keeps copies of the other's lines"});
  F(S.L2.FarLatency,
    {"l2.far_latency", "L2 cycles", 0, 10000, "to the other half and back"});
  F(S.L2.DirtyShare, {"l2.dirty_share", "", 0.01, 1,
                      "of a slice's lines that may wait for write-back"});

  F(S.DRAM.Policy, {"dram.policy", "", 0, 0, "order of requests"});
  F(S.DRAM.Channels, {"dram.channels", "", 1, 256, "independent channels"});
  F(S.DRAM.Bandwidth,
    {"dram.bandwidth", "GB/s", 0.1, 100000, "of all channels"});
  F(S.DRAM.Efficiency,
    {"dram.efficiency", "", 0.05, 1,
     "of the bandwidth that ECC leaves, and refresh without dram.trefi"});
  F(S.DRAM.Latency,
    {"dram.latency", "cycles", 0, 10000, "in front of the queue"});
  F(S.DRAM.Queue,
    {"dram.queue", "requests", 1, 4096, "that the scheduler sees"});
  F(S.DRAM.WriteQueue, {"dram.write_queue", "requests", 1, 65536,
                        "writes that wait at a channel; L2 holds more back"});
  F(S.DRAM.WriteHigh, {"dram.write_high", "requests", 0, 4096,
                       "writes that start a batch; 0: writes go like reads"});
  F(S.DRAM.WriteLow,
    {"dram.write_low", "requests", 0, 4096, "writes that end it"});
  F(S.DRAM.BurstBytes, {"dram.burst", "bytes", 16, 256, "of a column command"});
  F(S.DRAM.RowBytes, {"dram.row", "bytes", 256, 65536, "row (page) of a bank"});
  F(S.DRAM.Banks, {"dram.banks", "", 1, 64, "per channel"});
  F(S.DRAM.BankGroups, {"dram.bank_groups", "", 1, 16, "per channel"});
  F(S.DRAM.HashBanks,
    {"dram.hash_banks", "", 0, 1, "bank hashed with the row"});
#define HEDDLE_DRAM_TIME(N, T, D)                                              \
  F(S.DRAM.T, {"dram." N, "DRAM cycles", 0, 1000, D});
  HEDDLE_DRAM_TIME("tcl", TCL, "read command to data")
  HEDDLE_DRAM_TIME("twl", TWL, "write command to data")
  HEDDLE_DRAM_TIME("trcd", TRCD, "activate to column command")
  HEDDLE_DRAM_TIME("trp", TRP, "precharge to activate")
  HEDDLE_DRAM_TIME("tras", TRAS, "activate to precharge")
  HEDDLE_DRAM_TIME("trc", TRC, "activate to activate, one bank")
  HEDDLE_DRAM_TIME("tccd", TCCD, "column to column command")
  HEDDLE_DRAM_TIME("tccdl", TCCDL, "the same within a bank group")
  HEDDLE_DRAM_TIME("trrd", TRRD, "activate to activate, other bank")
  HEDDLE_DRAM_TIME("trtp", TRTP, "read to precharge")
  HEDDLE_DRAM_TIME("twr", TWR, "end of written data to precharge")
  HEDDLE_DRAM_TIME("twtr", TWTR, "end of written data to read")
  HEDDLE_DRAM_TIME("trfc", TRFC, "that refreshing a bank takes")
#undef HEDDLE_DRAM_TIME
  F(S.DRAM.TREFI, {"dram.trefi", "DRAM cycles", 0, 1000000,
                   "from one refresh of a bank to the next; 0: none"});

  F(S.Cluster.MaxBlocks, {"cluster.max_blocks", "", 0, MaxClusterBlocks,
                          "of a cluster; 0: no clusters"});
  F(S.Cluster.GPCs, {"cluster.gpcs", "", 1, 64, "which share the SMs evenly"});
  F(S.Cluster.Latency, {"cluster.latency", "cycles", 0, 10000,
                        "load from another SM to dependant"});
  F(S.Cluster.BytesPerCycle, {"cluster.bytes_per_cycle", "bytes/cycle", 0, 4096,
                              "that an SM sends to others"});

  F(S.Launch.HostTime,
    {"launch.host_time", "us", 0, 1000,
     "that a host measures beyond the kernel; analytic models"});
  F(S.Launch.KernelLatency,
    {"launch.kernel_latency", "cycles", 0, 1000000, "launch to first block"});
  F(S.Launch.BlockLatency, {"launch.block_latency", "cycles", 0, 100000,
                            "free CTA slot to first instruction"});
  F(S.Launch.BlocksPerCycle, {"launch.blocks_per_cycle", "", 0, 1024,
                              "started on the GPU; 0: one per SM"});
  F(S.Launch.DrainStores,
    {"launch.drain_stores", "", 0, 1,
     "a CTA slot is free when L2 has its stores, not when L1 has"});
  F(S.Launch.InCycles, {"launch.in_cycles", "", 0, 1,
                        "results count kernel_latency (--launch-overhead)"});
  F(S.Launch.KeepL2,
    {"launch.keep_l2", "", 0, 1,
     "launches of an application find what those before left in L2"});

  F(S.Host.Bandwidth, {"host.bandwidth", "GB/s", 0, 10000,
                       "of copies from or to the host, each way; 0: unknown"});
}

#undef HEDDLE_CACHE_FIELDS
#undef HEDDLE_WRITTEN_CACHE_FIELDS

} // namespace heddle::arch

#endif // HEDDLE_ARCH_SPECFIELDS_H
