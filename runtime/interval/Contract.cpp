//===- Contract.cpp - What the interval models take of a machine ----------===//

#include "interval/IntervalModel.h"
#include "timing/Simulator.h"

using namespace heddle;
using arch::ModelContract;
using arch::SchedulerPolicy;

static constexpr std::string_view Reads[] = {
    // Behind the SMs.
    "clock.dram", "clock.l2", "dram.bandwidth", "dram.banks", "dram.burst",
    "dram.channels", "dram.efficiency", "dram.hash_banks", "dram.latency",
    "dram.policy", "dram.queue", "dram.row", "dram.tcl", "dram.trc",
    "dram.trcd", "dram.trefi", "dram.trfc", "dram.trrd", "dram.twtr",
    "dram.write_high", "dram.write_low", "dram.write_queue", "gpc_cache.size",
    "icnt.flit", "icnt.header", "icnt.latency", "icnt.packet_payload",
    "icnt.reply_bytes", "icnt.request_bytes", "icnt.sector_requests",
    "icnt.slice_bytes", "icnt.write_credits", "l2.atomic_cycles",
    "l2.cycles_per_sector", "l2.hash", "l2.dirty_share", "l2.hash_sets",
    "l2.interleave", "l2.latency", "l2.halves", "l2.far_latency", "l2.line",
    "l2.mshr_merge", "l2.replacement", "l2.sector", "l2.size", "l2.slices",
    "l2.ways", "l2.write", "l2.write_allocate",

    // Of the dispatcher.
    "launch.blocks_per_cycle"};

/// GPUMech's table II: each model reads what the one before does, and more.
static constexpr std::string_view PaperReads[] = {
    "l1.replacement", "l2.replacement", "launch.in_cycles",
    "sm.max_registers_per_thread", "shared.carve_outs",
    "sm.max_threads_per_block", "sm.warp_granularity", "clock.core",
    "clock.dram", "clock.l2", "constant.latency", "dram.bandwidth",
    "dram.latency", "dram.policy", "dram.tcl", "dram.trcd", "icnt.latency",
    "l1.allocate_on", "l1.caches_global", "l1.coalesced", "l1.hash_sets",
    "l1.latency", "l1.line", "l1.sector", "l1.size", "l1.unified", "l1.ways",
    "l1.write", "l1.write_allocate", "l2.dirty_share", "l2.hash",
    "l2.hash_sets", "l2.interleave", "l2.latency", "l2.halves",
    "l2.far_latency", "l2.line", "l2.sector", "l2.size", "l2.slices", "l2.ways",
    "l2.write", "l2.write_allocate", "launch.kernel_latency", "ops.latency",
    "shared.granularity", "shared.latency", "shared.max_per_block",
    "shared.reserved_per_block", "shared.reuse", "shared.size", "sm.count",
    "sm.expand_instructions", "sm.max_blocks", "sm.max_warps",
    "sm.register_granularity", "sm.registers", "sm.schedulers",
    // With multithreading.
    "sm.scheduler",
    // With MSHRs.
    "l1.mshrs"};
static constexpr std::span<const std::string_view> OfMSHRs = PaperReads,
                                                   OfMT = OfMSHRs.first(59),
                                                   OfOneWarp =
                                                       OfMSHRs.first(58);

static constexpr SchedulerPolicy PaperPolicies[] = {
    SchedulerPolicy::LooseRoundRobin, SchedulerPolicy::GreedyThenOldest};

constinit const ModelContract interval::Contracts[NumModels] = {
    {"interval=naive", OfOneWarp, {}, timing::SMLimits, {}},
    {"interval=markov", OfOneWarp, {}, timing::SMLimits, {}},
    {"interval=mt", OfMT, {}, timing::SMLimits, PaperPolicies},
    {"interval=mt-mshr", OfMSHRs, {}, timing::SMLimits, PaperPolicies},
    {"interval=gpumech", OfMSHRs, {}, timing::SMLimits, PaperPolicies},
    {"interval=heddle", Reads, timing::SMReads, timing::SMLimits, {}}};
