//===- Contract.cpp - What the timing model takes of a machine ------------===//

#include "timing/Simulator.h"

#include "timing/units/Scheduler.h"

using namespace heddle;

static constexpr std::string_view Reads[] = {"clock.*",
                                             "sm.*",
                                             "front.*",
                                             "pipes.*",
                                             "ops.*",
                                             "shared.*",
                                             "l1.*",
                                             "icache.allocate_on",
                                             "icache.hash_sets",
                                             "icache.latency",
                                             "icache.line",
                                             "icache.merge_per_sector",
                                             "icache.mshr_merge",
                                             "icache.mshrs",
                                             "icache.sector",
                                             "icache.size",
                                             "icache.ways",
                                             "icache.replacement",
                                             "icnt.*",
                                             "l2.*",
                                             "constant.allocate_on",
                                             "constant.hash_sets",
                                             "constant.latency",
                                             "constant.line",
                                             "constant.merge_per_sector",
                                             "constant.mshr_merge",
                                             "constant.mshrs",
                                             "constant.sector",
                                             "constant.size",
                                             "constant.ways",
                                             "constant.per_word",
                                             "constant.replacement",
                                             "constant2.*",
                                             "texture.allocate_on",
                                             "texture.hash_sets",
                                             "texture.latency",
                                             "texture.line",
                                             "texture.merge_per_sector",
                                             "texture.mshr_merge",
                                             "texture.mshrs",
                                             "texture.sector",
                                             "texture.size",
                                             "texture.ways",
                                             "texture.replacement",
                                             "dram.*",
                                             "launch.kernel_latency",
                                             "launch.block_latency",
                                             "launch.blocks_per_cycle",
                                             "launch.drain_stores",
                                             "launch.in_cycles"};

static_assert(timing::SMLimits[1].Max == timing::Scheduler::MaxPipes);

constinit const arch::ModelContract timing::Contract{
    "timing", Reads, timing::SMLimits, {}};
