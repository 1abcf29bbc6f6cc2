//===- Contract.cpp - What the timing model takes of a machine ------------===//

#include "timing/Simulator.h"

#include "timing/units/Scheduler.h"

using namespace heddle;

static constexpr std::string_view Reads[] = {
    "clock.*", "icnt.*",      "l2.*",
    "dram.*",  "gpc_cache.*", "launch.blocks_per_cycle"};

static_assert(timing::SMLimits[1].Max == timing::Scheduler::MaxPipes);

constinit const arch::ModelContract timing::Contract{
    "timing", Reads, timing::SMReads, timing::SMLimits, {}};
