//===- SyntheticLaunch.h - Launches written down by hand --------*- C++ -*-===//

#ifndef HEDDLE_TEST_SYNTHETICLAUNCH_H
#define HEDDLE_TEST_SYNTHETICLAUNCH_H

#include "arch/GPUSpec.h"
#include "timing/Simulator.h"
#include "trace/WarpEncoder.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <initializer_list>

namespace heddle::timing::test {

/// A machine with round numbers: one SM, one scheduler, pipes "alu" (latency
/// 4), "sfu" (latency 20, initiation 8) and "lsu"; no front end to speak of.
inline arch::GPUSpec smallMachine() {
  arch::GPUSpec M;
  M.Name = "small";
  M.Clock = {1000, 1000, 1000};
  M.SM.Count = 1;
  M.SM.Schedulers = 1;
  M.SM.MaxWarps = 48;
  M.SM.MaxBlocks = 8;
  M.SM.Registers = 65536;
  M.SM.RegisterGranularity = 256;
  M.FrontEnd.FetchWidth = 0;
  M.Pipes = {{"alu", 1, true, 1}, {"sfu", 1, true, 1}, {"lsu", 1, false, 4}};
  for (unsigned C = 0; C < HEDDLE_NUM_OP_CLASSES; ++C)
    for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T)
      M.Ops.at(C, T) = {0, 4, 1};
  for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T) {
    M.Ops.at(HEDDLE_OP_SFU, T) = {1, 20, 8};
    for (unsigned C : {HEDDLE_OP_LOAD, HEDDLE_OP_STORE, HEDDLE_OP_ATOMIC,
                       HEDDLE_OP_REDUCTION, HEDDLE_OP_TEXTURE})
      M.Ops.at(C, T) = {2, 1, 1};
    for (unsigned C : {HEDDLE_OP_BARRIER, HEDDLE_OP_EXIT, HEDDLE_OP_BRANCH})
      M.Ops.at(C, T) = {0, 1, 1};
  }
  M.Shared.Size = M.Shared.MaxPerBlock = 49152;
  M.Shared.Granularity = 256;
  M.Shared.Latency = 20;
  M.Shared.AtomicLatency = 1;
  M.L1.Size = 16384;
  M.L1.Ways = 4;
  M.L1.Latency = 30;
  M.L1.MSHRs = 64;
  M.L1.MSHRMerge = 8;
  M.L1.Banks = 4;
  M.Constant.Latency = 8;
  M.Icnt.Latency = 20;
  M.Icnt.RequestBytes = M.Icnt.ReplyBytes = M.Icnt.SliceBytes = 40;
  M.L2.TotalSize = 65536;
  M.L2.Size = 65536;
  M.L2.Slices = 1;
  M.L2.Ways = 8;
  M.L2.Latency = 100;
  M.L2.MSHRs = 64;
  M.L2.MSHRMerge = 8;
  M.L2.Write = arch::WritePolicy::WriteBack;
  M.DRAM.Policy = arch::DRAMPolicy::Fixed;
  M.DRAM.Channels = 1;
  M.DRAM.Bandwidth = 64;
  M.DRAM.Latency = 200;
  M.DRAM.TCL = 10;
  M.DRAM.TRCD = 10;
  M.DRAM.TRP = 10;
  M.DRAM.TRAS = 20;
  M.DRAM.TRC = 30;
  M.Launch.KernelLatency = 0;
  M.Launch.BlocksPerCycle = 0;
  return M;
}

/// Builds the code of a kernel, instruction by instruction. Block 0 is open
/// from the start.
class CodeBuilder {
public:
  CodeBuilder() {
    Table.Kernel = "synthetic";
    Table.ISA = "ptx";
    Table.Opcodes = {"op"};
    Table.Files = {"synthetic.cu"};
    newBlock();
  }

  CodeBuilder &newBlock() {
    HeddleBlock B{};
    B.FirstInst = Table.Insts.size();
    B.FirstMemory = Table.Memory.size();
    Table.Blocks.push_back(B);
    return *this;
  }
  HeddleInst &add(HeddleOpClass Class, std::initializer_list<uint16_t> Defs,
                  std::initializer_list<uint16_t> Uses) {
    HeddleInst I{};
    I.Class = Class;
    I.Type = HEDDLE_TYPE_F32;
    I.Memory = HEDDLE_NO_MEMORY;
    I.Issued = 1;
    I.SourceLine = Table.Insts.size() + 1;
    for (uint16_t R : Defs)
      I.Registers[I.NumDefs++] = R;
    for (uint16_t R : Uses)
      I.Registers[I.NumDefs + I.NumUses++] = R;
    for (unsigned R = 0; R < unsigned(I.NumDefs + I.NumUses); ++R)
      Table.NumRegisters =
          std::max<unsigned>(Table.NumRegisters, I.Registers[R] + 1);
    Table.Insts.push_back(I);
    ++Table.Blocks.back().NumInsts;
    return Table.Insts.back();
  }
  HeddleInst &memory(HeddleOpClass Class, HeddleMemorySpace Space,
                     std::initializer_list<uint16_t> Defs,
                     std::initializer_list<uint16_t> Uses) {
    HeddleInst &I = add(Class, Defs, Uses);
    I.Space = Space;
    I.AccessBytes = 4;
    I.Memory = Table.Memory.size();
    Table.Memory.push_back(
        {uint8_t(Space), uint8_t(Class != HEDDLE_OP_LOAD), 4});
    ++Table.Blocks.back().NumMemory;
    return I;
  }
  /// \p N additions, each of which needs the one before.
  CodeBuilder &chain(unsigned N) {
    for (unsigned I = 0; I < N; ++I)
      add(HEDDLE_OP_ADD, {1}, {1});
    return *this;
  }

  trace::CodeTable Table;
};

/// The same warp program for every warp of every block.
class SyntheticSource : public trace::TraceSource {
public:
  /// Encodes what warp \p Warp of block \p Block does.
  using Program =
      std::function<void(trace::WarpEncoder &, uint64_t Block, unsigned Warp)>;

  SyntheticSource(trace::CodeTable Code, unsigned Blocks, unsigned Threads,
                  Program Run)
      : Table(std::move(Code)), Run(std::move(Run)) {
    Header.Kernel = Table.Kernel;
    Header.Producer = "executed";
    Header.Grid = {Blocks, 1, 1};
    Header.Block = {Threads, 1, 1};
    Header.RegistersPerThread = 16;
  }
  /// All warps run block 0 once.
  SyntheticSource(trace::CodeTable Code, unsigned Blocks, unsigned Threads)
      : SyntheticSource(std::move(Code), Blocks, Threads,
                        [](trace::WarpEncoder &E, uint64_t, unsigned) {
                          E.block(0, ~0u);
                        }) {}

  const trace::TraceHeader &header() const override { return Header; }
  const trace::CodeTable &code() const override { return Table; }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    Out.Index = Index;
    Out.Warps.clear();
    trace::WarpEncoder Encoder(Table);
    for (unsigned W = 0; W < Header.warpsPerBlock(); ++W) {
      Run(Encoder, Index, W);
      Out.Warps.push_back(Encoder.finish());
    }
    return {};
  }

  trace::TraceHeader Header;

private:
  trace::CodeTable Table;
  Program Run;
};

inline SimulationResult run(trace::TraceSource &Source,
                            const arch::GPUSpec &Machine,
                            const SimulationOptions &Options = {}) {
  Result<SimulationResult> R = simulate(Source, Machine, Options);
  EXPECT_TRUE(R.has_value()) << (R ? "" : R.error().Message);
  return R ? *R : SimulationResult();
}

inline uint64_t stalled(const SimulationResult &R, Stall S) {
  return R.Stalls[unsigned(S)];
}

/// Addresses Base + lane * Stride.
inline std::array<uint64_t, 32> lanes(uint64_t Base, uint64_t Stride) {
  std::array<uint64_t, 32> A;
  for (unsigned L = 0; L < 32; ++L)
    A[L] = Base + L * Stride;
  return A;
}

} // namespace heddle::timing::test

#endif // HEDDLE_TEST_SYNTHETICLAUNCH_H
