//===- Contract.cpp - What the pipeline models take of a machine ----------===//

#include "pipeline/PipelineModel.h"
#include "timing/Simulator.h"

using namespace heddle;

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
    "l2.cycles_per_sector", "l2.dirty_share", "l2.hash", "l2.interleave",
    "l2.latency", "l2.halves", "l2.far_latency", "l2.line", "l2.mshr_merge",
    "l2.sector", "l2.size", "l2.slices",

    // Of the whole launch.
    "launch.blocks_per_cycle", "launch.host_time"};

static constexpr std::string_view PaperReads[] = {
    "clock.core", "clock.dram", "clock.l2", "constant.latency", "constant.line",
    "constant.sector", "constant.size", "dram.bandwidth", "dram.latency",
    "dram.tcl", "dram.trcd", "icnt.latency", "l1.latency", "l2.latency",
    "l2.line", "l2.sector", "l2.size",

    // The SM.
    "ops.initiation", "ops.latency", "ops.pipe", "pipes.units",
    "shared.bank_bytes", "shared.banks", "shared.conflict_free",
    "shared.carve_outs", "shared.granularity", "shared.lanes_per_pass",
    "shared.latency", "shared.max_per_block", "shared.merge_wide",
    "shared.reserved_per_block", "shared.size", "sm.count",
    "sm.expand_instructions", "sm.max_blocks", "sm.max_registers_per_thread",
    "sm.max_threads_per_block", "sm.max_warps", "sm.register_granularity",
    "sm.registers", "sm.schedulers", "sm.warp_granularity"};

constinit const arch::ModelContract pipeline::Contract{
    "pipeline", Reads, timing::SMReads, timing::SMLimits, {}};
constinit const arch::ModelContract pipeline::PaperContract{
    "pipeline=paper", PaperReads, {}, timing::SMLimits, {}};
