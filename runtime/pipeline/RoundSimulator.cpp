//===- RoundSimulator.cpp - Some blocks on one SM -------------------------===//

#include "pipeline/RoundSimulator.h"

#include "trace/WarpCursor.h"

#include <algorithm>
#include <map>

using namespace heddle;
using namespace heddle::pipeline;
using timing::EventKind;

uint64_t heddle::pipeline::countInsts(const trace::WarpTrace &Warp,
                                      const trace::CodeTable &Code) {
  uint64_t N = 0;
  trace::WarpCursor C(Code, Warp);
  while (C.next())
    N += Code.Blocks[C.block()].NumInsts;
  return N;
}

uint64_t heddle::pipeline::countInsts(const trace::BlockTrace &Block,
                                      const trace::CodeTable &Code) {
  uint64_t N = 0;
  for (const trace::WarpTrace &W : Block.Warps)
    N += countInsts(W, Code);
  return N;
}

namespace {

class Round {
public:
  Round(const BlockSample &Sample, std::span<const RoundBlock> Blocks,
        const timing::Machine &M, SMMemory &Memory)
      : Sample(Sample), Blocks(Blocks), M(M), Memory(Memory), SM(M, 0, Memory) {
  }
  RoundResult run();

private:
  void feed();
  void addUses(const timing::SMTotals &Sums);

  const BlockSample &Sample;
  std::span<const RoundBlock> Blocks;
  const timing::Machine &M;
  SMMemory &Memory;
  timing::LoneSM SM;
  size_t Given = 0;
  RoundResult R;
};

} // namespace

void Round::feed() {
  const arch::GPUSpec &Spec = M.Spec;
  const bool Limited = Spec.Launch.BlocksPerCycle > 0;
  const double PerCycle = Limited ? Spec.Launch.BlocksPerCycle : Spec.SM.Count;
  for (; Given < Blocks.size() && SM.wantsBlock(); ++Given) {
    // The blocks go around the SMs.
    const Cycle NotBefore =
        Limited || Given < M.BlocksPerSM
            ? Cycle(double(Given) * Blocks[Given].ActiveSMs / PerCycle)
            : 0;
    SM.give(Sample[Blocks[Given].Index], NotBefore);
  }
}

void Round::addUses(const timing::SMTotals &Sums) {
  auto use = [&](std::string Name, double Busy, double Servers) {
    R.Uses.push_back({std::move(Name), Busy / Servers / R.Cycles});
  };
  use("issue", double(R.IssuedInsts), M.Spec.SM.Schedulers);
  for (size_t P = 0; P < M.Spec.Pipes.size(); ++P)
    use(M.Spec.Pipes[P].Name, double(Sums.Pipes[P].BusyCycles),
        Sums.Pipes[P].Units);
  static constexpr const char *WayNames[NumWays] = {"SM to L2", "L2 to SM",
                                                    "L2", "DRAM", "atomics"};
  for (unsigned W = 0; W < NumWays; ++W)
    use(WayNames[W], Memory.server(Way(W)).Busy, 1);
}

RoundResult Round::run() {
  std::map<uint64_t, double> ActiveOf;
  for (const RoundBlock &B : Blocks)
    ActiveOf[B.Index] = B.ActiveSMs;
  std::vector<std::pair<double, uint64_t>> Ended; // when, block
  for (feed(); SM.busy(); feed())
    for (const timing::Event &E : SM.runWindow())
      if (E.Kind == EventKind::BlockStart)
        Memory.setActiveSMs(ActiveOf[E.Block]);
      else
        Ended.emplace_back(double(E.Time), E.Block);
  std::sort(Ended.begin(), Ended.end());
  for (auto [End, Block] : Ended) {
    R.BlockEnds.push_back(End);
    R.BlockInsts.push_back(countInsts(Sample[Block], M.Code.table()));
  }
  R.Cycles = R.BlockEnds.empty() ? 0 : R.BlockEnds.back();
  const timing::SMTotals Sums = SM.totals();
  R.WarpInsts = Sums.WarpInstructions;
  R.TraceInsts = Sums.TraceInstructions;
  R.IssuedInsts = Sums.IssuedInstructions;
  R.L1Sectors = Sums.L1.Reads;
  R.L1Hits = Sums.L1.ReadHits + Sums.L1.PendingHits;
  R.L2Sectors = Memory.l2Sectors();
  R.DRAMReads = Memory.dramReads();
  R.DRAMWrites = Memory.dramWrites();
  if (R.Cycles > 0)
    addUses(Sums);
  return std::move(R);
}

RoundResult heddle::pipeline::simulateRound(const BlockSample &Sample,
                                            std::span<const RoundBlock> Blocks,
                                            const timing::Machine &M,
                                            SMMemory &Memory) {
  return Round(Sample, Blocks, M, Memory).run();
}
