//===- ResultBuilder.cpp - Sums up a simulation ---------------------------===//

#include "timing/ResultBuilder.h"

#include "timing/Simulator.h"

#include <algorithm>
#include <map>

using namespace heddle;
using namespace heddle::timing;

static void operator+=(SpaceCounters &A, const SpaceCounters &B) {
  A.Instructions += B.Instructions;
  A.Transactions += B.Transactions;
}

static void addCache(CacheCounters &Sum, const memory::CacheCounters &C) {
  Sum.Accesses += C.Reads + C.Writes;
  Sum.Hits += C.ReadHits + C.WriteHits;
  Sum.PendingHits += C.PendingHits;
  Sum.Misses += C.ReadMisses + C.WriteMisses;
  Sum.Writes += C.Writes;
  Sum.WriteBacks += C.Writebacks;
  Sum.StallCycles += C.MSHRStalls + C.MergeStalls + C.WayStalls;
}

ResultBuilder::ResultBuilder(const Machine &M, const arch::Occupancy &O)
    : M(M) {
  const trace::CodeTable &Code = M.Code.table();
  R.Kernel = M.Launch.Kernel;
  R.GPU = M.Spec.Name;
  R.Producer = M.Launch.Producer;
  R.Ignored = Contract.ignored(M.Spec);
  R.Grid = M.Launch.Grid;
  R.Block = M.Launch.Block;
  R.CoreMHz = M.Spec.Clock.Core;
  R.LaunchCycles = M.Spec.Launch.KernelLatency;
  R.CountedLaunch = M.Spec.Launch.countedLatency();
  R.Occupancy = O;
  Counted.ClusterBlocks = M.Launch.Cluster.count();
  R.Insts.resize(Code.Insts.size());
  R.Opcodes = Code.Opcodes;
  R.Files = Code.Files;
  R.InstOpcode.reserve(Code.Insts.size());
  for (const HeddleInst &I : Code.Insts)
    R.InstOpcode.push_back(I.Opcode);
  for (const arch::PipeSpec &P : M.Spec.Pipes) {
    PipeCounters C;
    C.Name = P.Name;
    R.Pipes.push_back(C);
  }
}

void ResultBuilder::add(const SMTotals &C) {
  R.WarpInstructions += C.WarpInstructions;
  Counted.TraceInstructions += C.TraceInstructions;
  Counted.IssuedBySM.push_back(C.IssuedInstructions);
  R.IssuedInstructions += C.IssuedInstructions;
  R.ThreadInstructions += C.ThreadInstructions;
  R.BarrierWaits += C.BarrierWaits;
  R.SharedConflictCycles += C.SharedConflictCycles;
  R.BlocksDone += C.BlocksDone;
  R.Global += C.Global;
  R.Shared += C.Shared;
  R.Local += C.Local;
  R.Constant += C.Constant;
  R.Atomics += C.Atomics;
  R.Texture += C.Texture;
  for (unsigned P = 0; P < NumLoadWaits; ++P)
    R.LoadWaits[P] += C.LoadWaits[P];
  Counted.ResidentWarpCycles += C.ResidentWarpCycles;
  ActiveCycles += C.ActiveCycles;
  LastBlockEnd = std::max(LastBlockEnd, C.LastBlockEnd);
  addCache(R.L1, C.L1);
  addCache(R.ConstCache, C.ConstCache);
  addCache(R.TextureCache, C.TextureCache);
  addCache(R.InstCache, C.InstCache);
  for (unsigned P = 0; P < R.Pipes.size(); ++P) {
    R.Pipes[P].Issued += C.Pipes[P].Issued;
    R.Pipes[P].BusyCycles += C.Pipes[P].BusyCycles;
    R.Pipes[P].Instances += C.Pipes[P].Units;
  }
  SMSummary Summary;
  Summary.Blocks = C.BlocksDone;
  Summary.WarpInstructions = C.WarpInstructions;
  Summary.ActiveCycles = C.ActiveCycles;
  Summary.IssueCycles = C.IssueCycles;
  R.SMs.push_back(Summary);
}

void ResultBuilder::add(std::span<const InstSample> Samples) {
  for (size_t I = 0; I < R.Insts.size(); ++I)
    R.Insts[I] += Samples[I];
}

void ResultBuilder::add(const memory::MemoryCounters &C,
                        const memory::CacheCounters &GPCs) {
  addCache(R.GPCCache, GPCs);
  Counted.Memory = C;
  R.L2.Accesses = C.L2Reads + C.L2Writes + C.L2Atomics;
  R.L2.Hits = C.L2Hits;
  R.L2.PendingHits = C.L2PendingHits;
  R.L2.Misses = C.L2Misses;
  R.L2.Writes = C.L2Writes;
  R.L2.WriteBacks = C.L2Writebacks;
  R.L2.StallCycles = C.L2MSHRStallCycles;
  R.DRAM.Reads = C.DRAMReads;
  R.DRAM.Writes = C.DRAMWrites;
  R.DRAM.Activates = C.DRAMActivates;
  R.DRAM.RowHits = C.DRAMRowHits;
  R.DRAM.ReadBytes = C.DRAMReadBytes;
  R.DRAM.WriteBytes = C.DRAMWriteBytes;
  R.DRAM.BusyCycles = C.DRAMBusyCycles;
  R.Interconnect.Requests = C.IcntRequestPackets;
  R.Interconnect.Responses = C.IcntReplyPackets;
  R.Interconnect.RequestBytes = C.IcntBytes;
  R.Interconnect.QueueCycles = C.IcntQueueCycles;
}

void ResultBuilder::sumLines() {
  std::map<std::pair<uint32_t, uint32_t>, InstSample> Lines;
  const trace::CodeTable &Code = M.Code.table();
  for (size_t I = 0; I < R.Insts.size(); ++I)
    Lines[{Code.Insts[I].SourceFile, Code.Insts[I].SourceLine}] += R.Insts[I];
  for (const auto &[Where, Sample] : Lines)
    R.Lines.push_back({Where.first, Where.second, Sample});
}

SimulationResult ResultBuilder::finish(bool Truncated, Cycle LastCycle,
                                       Cycle Dispatched) {
  sumLines();
  for (const InstSample &I : R.Insts)
    for (unsigned S = 0; S < NumStalls; ++S)
      R.Stalls[S] += I.Cycles[S];
  for (uint64_t Cycles : R.Stalls)
    R.WarpCycles += Cycles;
  R.Truncated = Truncated;
  R.Cycles = Truncated ? LastCycle : std::max(LastBlockEnd, Dispatched);
  double Cycles = std::max<double>(1, R.Cycles);
  R.TimeUs = R.CoreMHz > 0 ? R.Cycles / R.CoreMHz : 0;
  R.IPC = R.WarpInstructions / Cycles;
  for (PipeCounters &P : R.Pipes)
    P.Utilization = P.BusyCycles / (std::max(1u, P.Instances) * Cycles);
  if (ActiveCycles)
    R.Occupancy.Achieved = double(Counted.ResidentWarpCycles) /
                           (double(ActiveCycles) * M.Spec.SM.MaxWarps);
  if (M.Spec.DRAM.Channels && M.Spec.Clock.Core > 0)
    // L2 may still write back after the launch.
    R.DRAM.Utilization =
        R.DRAM.BusyCycles /
        (M.Spec.DRAM.Channels *
         std::max(Cycles * M.Spec.Clock.DRAM / M.Spec.Clock.Core,
                  double(Counted.Memory.DRAMEnd)));
  checkResult(R, Counted, M.Spec);
  return std::move(R);
}
