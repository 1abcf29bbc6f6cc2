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
#define HEDDLE_POLICY(NAME, SPELLING) SPELLING,
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
  static constexpr std::string_view Names[] = {"lru", "random"};
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
  V(FieldInfo{P "line", "bytes", 16, 512, "line (tag) size"}, C.Line);         \
  V(FieldInfo{P "sector", "bytes", 16, 512, "unit of a fill"}, C.Sector);      \
  V(FieldInfo{P "ways", "", 1, 1024, "associativity"}, C.Ways);                \
  V(FieldInfo{P "hash_sets", "", 0, 1, "set index hashed with the tag"},       \
    C.HashSets);                                                               \
  V(FieldInfo{P "latency", "cycles", 0, 10000, "hit to dependant"},            \
    C.Latency);                                                                \
  V(FieldInfo{P "mshrs", "", 1, 65536, "misses on the way"}, C.MSHRs);         \
  V(FieldInfo{P "mshr_merge", "", 1, 65536, "requests waiting on one miss"},   \
    C.MSHRMerge);                                                              \
  V(FieldInfo{P "merge_per_sector", "", 0, 1,                                  \
              "mshr_merge limits each sector, else each line"},                \
    C.MergePerSector);                                                         \
  V(FieldInfo{P "allocate_on", "", 0, 0, "when a read miss takes its line"},   \
    C.Allocate);                                                               \
  V(FieldInfo{P "replacement", "", 0, 0, "which line of a set goes"},          \
    C.Replace);
/// What caches have besides that are written to.
#define HEDDLE_WRITTEN_CACHE_FIELDS(P, C)                                      \
  HEDDLE_CACHE_FIELDS(P, C)                                                    \
  V(FieldInfo{P "write", "", 0, 0, "what a write does"}, C.Write);             \
  V(FieldInfo{P "write_allocate", "", 0, 1, "a write miss takes a line"},      \
    C.WriteAllocate);

/// Calls V(FieldInfo, field) for every field of \p S.
template <typename SpecT, typename VisitorT>
void forEachField(SpecT &S, VisitorT &&V) {
  V(FieldInfo{"description", "", 0, 0, "one line about the machine"},
    S.Description);
  V(FieldInfo{"target", "", 0, 0, "target of the compiler"}, S.Target);
  V(FieldInfo{"isa", "", 0, 0, "level of code by default"}, S.Level);

  V(FieldInfo{"clock.core", "MHz", 1, 10000, "SMs"}, S.Clock.Core);
  V(FieldInfo{"clock.l2", "MHz", 1, 10000, "interconnect and L2"}, S.Clock.L2);
  V(FieldInfo{"clock.dram", "MHz", 1, 20000, "DRAM commands"}, S.Clock.DRAM);

  V(FieldInfo{"sm.count", "", 1, 1024, "streaming multiprocessors"},
    S.SM.Count);
  V(FieldInfo{"sm.schedulers", "", 1, 16, "warp schedulers per SM"},
    S.SM.Schedulers);
  V(FieldInfo{"sm.scheduler", "", 0, 0, "order in which warps issue"},
    S.SM.Scheduler);
  V(FieldInfo{"sm.two_level_active", "warps", 0, 128,
              "active set per scheduler, policy two-level"},
    S.SM.TwoLevelActive);
  V(FieldInfo{"sm.max_issue", "", 1, 4,
              "instructions of one warp per cycle and scheduler"},
    S.SM.MaxIssue);
  V(FieldInfo{"sm.dual_issue_distinct", "", 0, 1,
              "dual issue needs two different pipes"},
    S.SM.DualIssueDistinct);
  V(FieldInfo{"sm.max_warps", "", 1, 256, "resident warps"}, S.SM.MaxWarps);
  V(FieldInfo{"sm.max_blocks", "", 1, 256, "resident blocks"}, S.SM.MaxBlocks);
  V(FieldInfo{"sm.max_threads_per_block", "", 32, 4096, "block size limit"},
    S.SM.MaxThreadsPerBlock);
  V(FieldInfo{"sm.registers", "", 1024, 1048576, "32-bit registers"},
    S.SM.Registers);
  V(FieldInfo{"sm.register_granularity", "registers", 1, 4096,
              "allocation unit per warp"},
    S.SM.RegisterGranularity);
  V(FieldInfo{"sm.max_registers_per_thread", "", 16, 255, "register limit"},
    S.SM.MaxRegistersPerThread);
  V(FieldInfo{"sm.warp_granularity", "warps", 1, 8,
              "parts of an SM that share out its registers by whole warps"},
    S.SM.WarpGranularity);
  V(FieldInfo{"sm.expand_instructions", "", 0, 1,
              "issue what div, sqrt, ... expand to"},
    S.SM.ExpandInstructions);

  V(FieldInfo{"front.fetch_width", "warps", 0, 16,
              "fetched per cycle; 0: no limit"},
    S.FrontEnd.FetchWidth);
  V(FieldInfo{"front.fetch_instructions", "", 1, 16, "per fetch"},
    S.FrontEnd.FetchInsts);
  V(FieldInfo{"front.buffer", "instructions", 1, 64, "buffer of a warp"},
    S.FrontEnd.BufferInsts);
  V(FieldInfo{"front.decode_latency", "cycles", 0, 64, "fetched to issuable"},
    S.FrontEnd.DecodeLatency);
  V(FieldInfo{"front.prefetch_lines", "lines", 0, 64,
              "instruction lines fetched ahead of a new one"},
    S.FrontEnd.PrefetchLines);
  V(FieldInfo{"front.instruction_bytes", "bytes", 4, 32, "encoding"},
    S.FrontEnd.InstructionBytes);
  V(FieldInfo{"front.issue_to_pipe", "cycles", 0, 64, "operand read"},
    S.FrontEnd.IssueToPipe);
  V(FieldInfo{"front.writeback_latency", "cycles", 0, 64,
              "end of the pipe to issue of dependants"},
    S.FrontEnd.WritebackLatency);
  V(FieldInfo{"front.branch_latency", "cycles", 0, 64,
              "issue of a branch to the next fetch"},
    S.FrontEnd.BranchLatency);
  V(FieldInfo{"front.register_banks", "", 0, 64,
              "per scheduler; 0: no conflicts"},
    S.FrontEnd.RegisterBanks);
  V(FieldInfo{"front.register_ports", "", 1, 8, "reads per bank and cycle"},
    S.FrontEnd.RegisterPorts);
  V(FieldInfo{"front.read_cycles", "cycles", 1, 8,
              "in which an instruction reads its registers, without operand "
              "collectors; more delay it and the next ones"},
    S.FrontEnd.ReadCycles);
  V(FieldInfo{"front.operand_reuse", "", 0, 1,
              "a register that the warp's instruction just before has read is "
              "at hand"},
    S.FrontEnd.OperandReuse);
  V(FieldInfo{"front.operand_collectors", "", 0, 64, "per scheduler; 0: none"},
    S.FrontEnd.OperandCollectors);

  V(FieldInfo{"shared.size", "bytes", 0, 1 << 20, "for all blocks of an SM"},
    S.Shared.Size);
  V(FieldInfo{"shared.max_per_block", "bytes", 0, 1 << 20, "for one block"},
    S.Shared.MaxPerBlock);
  V(FieldInfo{"shared.granularity", "bytes", 1, 4096, "allocation unit"},
    S.Shared.Granularity);
  V(FieldInfo{"shared.reserved_per_block", "bytes", 0, 65536,
              "taken by the system"},
    S.Shared.ReservedPerBlock);
  V(FieldInfo{"shared.carve_outs", "bytes", 0, 1 << 20,
              "sizes that can be chosen"},
    S.Shared.CarveOuts);
  V(FieldInfo{"shared.banks", "", 1, 64, "memory banks"}, S.Shared.Banks);
  V(FieldInfo{"shared.bank_bytes", "bytes", 4, 8, "width of a bank"},
    S.Shared.BankBytes);
  V(FieldInfo{"shared.latency", "cycles", 1, 1000, "load to dependant"},
    S.Shared.Latency);
  V(FieldInfo{"shared.atomic_latency", "cycles", 0, 1000,
              "per bank cycle of an atomic"},
    S.Shared.AtomicLatency);
  V(FieldInfo{"shared.lanes_per_pass", "lanes", 8, 32, "served together"},
    S.Shared.LanesPerPass);
  V(FieldInfo{"shared.merge_wide", "", 0, 1,
              "halves or pairs of quarters that read the same words together"},
    S.Shared.MergeWide);
  V(FieldInfo{"shared.conflict_free", "", 0, 1,
              "what if loads and stores never met in a bank"},
    S.Shared.ConflictFree);
  V(FieldInfo{"shared.reuse", "", 1, 1024,
              "what if one in N loads were left, the rest in registers"},
    S.Shared.Reuse);

  V(FieldInfo{"bulk.latency", "cycles", 0, 10000,
              "of the copy engine, to its first request"},
    S.Bulk.Latency);
  V(FieldInfo{"bulk.tensor_latency", "cycles", 0, 10000,
              "more with a tensor map"},
    S.Bulk.TensorLatency);
  V(FieldInfo{"bulk.request_cycles", "cycles", 1, 100,
              "for each line, or part of one"},
    S.Bulk.RequestCycles);

  V(FieldInfo{"l1.size", "bytes", 0, 1 << 24, "0: no L1"}, S.L1.Size);
  HEDDLE_WRITTEN_CACHE_FIELDS("l1.", S.L1)
  V(FieldInfo{"l1.unified", "bytes", 0, 1 << 24,
              "shared with shared memory; 0: own memory"},
    S.L1.Unified);
  V(FieldInfo{"l1.caches_global", "", 0, 1,
              "else only local and read-only data"},
    S.L1.CachesGlobal);
  V(FieldInfo{"l1.banks", "", 1, 64, "sectors per cycle"}, S.L1.Banks);
  V(FieldInfo{"l1.bank_interleave", "bytes", 16, 512, "per bank"},
    S.L1.BankInterleave);
  V(FieldInfo{"l1.miss_queue", "requests", 1, 4096,
              "waiting for the interconnect"},
    S.L1.MissQueue);
  V(FieldInfo{"l1.tags", "lines", 0, 16,
              "banks of tags, data on shared's banks; 0: l1.banks"},
    S.L1.Tags);
  V(FieldInfo{"l1.coalesced", "", 0, 1,
              "what if a warp touched only the sectors that its bytes fill"},
    S.L1.Coalesced);

  V(FieldInfo{"icache.size", "bytes", 0, 1 << 24, "0: never misses"},
    S.ICache.Size);
  HEDDLE_CACHE_FIELDS("icache.", S.ICache)
  V(FieldInfo{"constant.size", "bytes", 0, 1 << 24, "0: never misses"},
    S.Constant.Size);
  HEDDLE_CACHE_FIELDS("constant.", S.Constant)
  V(FieldInfo{"constant.per_word", "", 0, 1,
              "a cycle for each different word, else for each line"},
    S.Constant.PerWord);
  V(FieldInfo{"constant2.size", "bytes", 0, 1 << 24, "0: no second level"},
    S.Constant2.Size);
  HEDDLE_CACHE_FIELDS("constant2.", S.Constant2)
  V(FieldInfo{"texture.size", "bytes", 0, 1 << 24, "0: textures use L1"},
    S.Texture.Size);
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

  V(FieldInfo{"icnt.latency", "L2 cycles", 1, 10000, "one way, empty"},
    S.Icnt.Latency);
  V(FieldInfo{"icnt.header", "bytes", 0, 64, "of a packet"},
    S.Icnt.HeaderBytes);
  V(FieldInfo{"icnt.packet_payload", "bytes", 16, 1024, "of a packet at most"},
    S.Icnt.PacketPayload);
  V(FieldInfo{"icnt.flit", "bytes", 1, 1024, "packets take a multiple of this"},
    S.Icnt.FlitBytes);
  V(FieldInfo{"icnt.request_bytes", "bytes/L2 cycle", 1, 4096, "from an SM"},
    S.Icnt.RequestBytes);
  V(FieldInfo{"icnt.reply_bytes", "bytes/L2 cycle", 1, 4096, "to an SM"},
    S.Icnt.ReplyBytes);
  V(FieldInfo{"icnt.slice_bytes", "bytes/L2 cycle", 1, 4096,
              "to and from an L2 slice"},
    S.Icnt.SliceBytes);
  V(FieldInfo{"icnt.head_of_line", "", 0, 1,
              "a packet that waits holds up those behind it"},
    S.Icnt.HeadOfLine);
  V(FieldInfo{"icnt.sector_requests", "", 0, 1,
              "the sectors of a line travel apart"},
    S.Icnt.SectorRequests);
  V(FieldInfo{"icnt.write_credits", "packets", 0, 1 << 20,
              "writes of an SM on the way; 0: no limit"},
    S.Icnt.WriteCredits);

  V(FieldInfo{"l2.size", "bytes", 0, 1 << 30, "all slices; 0: no L2"},
    S.L2.TotalSize);
  HEDDLE_WRITTEN_CACHE_FIELDS("l2.", S.L2)
  V(FieldInfo{"l2.slices", "", 1, 1024, "a multiple of dram.channels"},
    S.L2.Slices);
  V(FieldInfo{"l2.hash", "", 0, 0, "address to channel"}, S.L2.Hash);
  V(FieldInfo{"l2.interleave", "bytes", 32, 65536, "that stay in one channel"},
    S.L2.Interleave);
  V(FieldInfo{"l2.cycles_per_sector", "L2 cycles", 1, 64, "slice occupancy"},
    S.L2.CyclesPerSector);
  V(FieldInfo{"l2.atomic_cycles", "L2 cycles", 1, 1000,
              "per lane on the same address"},
    S.L2.AtomicCycles);
  V(FieldInfo{"l2.split_atomics", "", 0, 1,
              "each lane on the same address is a request"},
    S.L2.SplitAtomics);
  V(FieldInfo{"l2.halves", "", 1, 2, "each keeps copies of the other's lines"},
    S.L2.Halves);
  V(FieldInfo{"l2.far_latency", "L2 cycles", 0, 10000,
              "to the other half and back"},
    S.L2.FarLatency);
  V(FieldInfo{"l2.dirty_share", "", 0.01, 1,
              "of a slice's lines that may wait for write-back"},
    S.L2.DirtyShare);

  V(FieldInfo{"dram.policy", "", 0, 0, "order of requests"}, S.DRAM.Policy);
  V(FieldInfo{"dram.channels", "", 1, 256, "independent channels"},
    S.DRAM.Channels);
  V(FieldInfo{"dram.bandwidth", "GB/s", 0.1, 100000, "of all channels"},
    S.DRAM.Bandwidth);
  V(FieldInfo{"dram.efficiency", "", 0.05, 1,
              "of the bandwidth that refresh and ECC leave"},
    S.DRAM.Efficiency);
  V(FieldInfo{"dram.latency", "cycles", 0, 10000, "in front of the queue"},
    S.DRAM.Latency);
  V(FieldInfo{"dram.queue", "requests", 1, 4096, "that the scheduler sees"},
    S.DRAM.Queue);
  V(FieldInfo{"dram.write_queue", "requests", 1, 65536,
              "writes that wait at a channel; L2 holds more back"},
    S.DRAM.WriteQueue);
  V(FieldInfo{"dram.write_high", "requests", 0, 4096,
              "writes that start a batch; 0: writes go like reads"},
    S.DRAM.WriteHigh);
  V(FieldInfo{"dram.write_low", "requests", 0, 4096, "writes that end it"},
    S.DRAM.WriteLow);
  V(FieldInfo{"dram.burst", "bytes", 16, 256, "of a column command"},
    S.DRAM.BurstBytes);
  V(FieldInfo{"dram.row", "bytes", 256, 65536, "row (page) of a bank"},
    S.DRAM.RowBytes);
  V(FieldInfo{"dram.banks", "", 1, 64, "per channel"}, S.DRAM.Banks);
  V(FieldInfo{"dram.bank_groups", "", 1, 16, "per channel"}, S.DRAM.BankGroups);
  V(FieldInfo{"dram.hash_banks", "", 0, 1, "bank hashed with the row"},
    S.DRAM.HashBanks);
#define HEDDLE_DRAM_TIME(N, F, D)                                              \
  V(FieldInfo{"dram." N, "DRAM cycles", 0, 1000, D}, S.DRAM.F);
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
#undef HEDDLE_DRAM_TIME

  V(FieldInfo{"cluster.max_blocks", "", 0, MaxClusterBlocks,
              "of a cluster; 0: no clusters"},
    S.Cluster.MaxBlocks);
  V(FieldInfo{"cluster.gpcs", "", 1, 64, "which share the SMs evenly"},
    S.Cluster.GPCs);
  V(FieldInfo{"cluster.latency", "cycles", 0, 10000,
              "load from another SM to dependant"},
    S.Cluster.Latency);
  V(FieldInfo{"cluster.bytes_per_cycle", "bytes/cycle", 0, 4096,
              "that an SM sends to others"},
    S.Cluster.BytesPerCycle);

  V(FieldInfo{"launch.host_time", "us", 0, 1000,
              "that a host measures beyond the kernel; analytic models"},
    S.Launch.HostTime);
  V(FieldInfo{"launch.kernel_latency", "cycles", 0, 1000000,
              "launch to first block"},
    S.Launch.KernelLatency);
  V(FieldInfo{"launch.block_latency", "cycles", 0, 100000,
              "free CTA slot to first instruction"},
    S.Launch.BlockLatency);
  V(FieldInfo{"launch.blocks_per_cycle", "", 0, 1024,
              "started on the GPU; 0: one per SM"},
    S.Launch.BlocksPerCycle);
  V(FieldInfo{"launch.drain_stores", "", 0, 1,
              "a CTA slot is free when L2 has its stores, not when L1 has"},
    S.Launch.DrainStores);
  V(FieldInfo{"launch.in_cycles", "", 0, 1,
              "results count kernel_latency (--launch-overhead)"},
    S.Launch.InCycles);
  V(FieldInfo{"launch.keep_l2", "", 0, 1,
              "launches of an application find what those before left in L2"},
    S.Launch.KeepL2);
}

#undef HEDDLE_CACHE_FIELDS
#undef HEDDLE_WRITTEN_CACHE_FIELDS

} // namespace heddle::arch

#endif // HEDDLE_ARCH_SPECFIELDS_H
