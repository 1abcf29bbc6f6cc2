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
      : Sample(Sample), Blocks(Blocks), M(M), Memory(Memory),
        SMs(M, 0, Memory) {}
  Result<RoundResult> run();

private:
  void feed();
  void follow(const timing::Event &E);
  void addTotals(const timing::SMTotals &Of);
  void addUses();

  const BlockSample &Sample;
  std::span<const RoundBlock> Blocks;
  const timing::Machine &M;
  SMMemory &Memory;
  timing::SMGroup SMs;
  size_t Given = 0; ///< of Blocks
  RoundResult R;
  std::vector<timing::SMTotals::Pipe> Pipes; ///< of all SMs
  std::map<uint64_t, double> ActiveOf;       ///< by block
  double Resident = 0, ActiveSum = 0; ///< blocks, and the SMs of each of them
  std::vector<std::pair<double, uint64_t>> Ended; ///< when, block
};

} // namespace

void Round::feed() {
  const arch::GPUSpec &Spec = M.Spec;
  const bool Limited = Spec.Launch.BlocksPerCycle > 0;
  const double PerCycle = Limited ? Spec.Launch.BlocksPerCycle : Spec.SM.Count;
  std::vector<const trace::BlockTrace *> Together;
  for (; Given < Blocks.size() && SMs.wantsBlocks(); Given += SMs.size()) {
    // The blocks go around the SMs.
    const size_t OfOne = Given / SMs.size();
    const Cycle NotBefore =
        Limited || OfOne < M.BlocksPerSM
            ? Cycle(double(OfOne) * Blocks[Given].ActiveSMs / PerCycle)
            : 0;
    Together.clear();
    for (const RoundBlock &B : Blocks.subspan(Given, SMs.size()))
      Together.push_back(&Sample[B.Index]);
    SMs.give(Together, NotBefore);
  }
}

void Round::addTotals(const timing::SMTotals &Of) {
  R.WarpInsts += Of.WarpInstructions;
  R.TraceInsts += Of.TraceInstructions;
  R.IssuedInsts += Of.IssuedInstructions;
  R.L1Sectors += Of.L1.Reads;
  R.L1Hits += Of.L1.ReadHits + Of.L1.PendingHits;
  Pipes.resize(Of.Pipes.size());
  for (size_t P = 0; P < Pipes.size(); ++P) {
    Pipes[P].BusyCycles += Of.Pipes[P].BusyCycles;
    Pipes[P].Units += Of.Pipes[P].Units;
  }
}

void Round::addUses() {
  auto use = [&](std::string Name, double Busy, double Servers) {
    R.Uses.push_back({std::move(Name), Busy / Servers / R.Cycles});
  };
  use("issue", double(R.IssuedInsts), M.Spec.SM.Schedulers * SMs.size());
  for (size_t P = 0; P < M.Spec.Pipes.size(); ++P)
    use(M.Spec.Pipes[P].Name, double(Pipes[P].BusyCycles), Pipes[P].Units);
  static constexpr const char *WayNames[NumWays] = {"SM to L2", "L2 to SM",
                                                    "L2", "DRAM", "atomics"};
  for (unsigned W = 0; W < NumWays; ++W)
    use(WayNames[W], Memory.busy(Way(W)), 1);
}

/// The resident blocks share the memory with as many SMs as run blocks like
/// them; those of the last round, which few SMs have, start before others end.
void Round::follow(const timing::Event &E) {
  const bool Starts = E.Kind == EventKind::BlockStart;
  Resident += Starts ? 1 : -1;
  ActiveSum += Starts ? ActiveOf[E.Block] : -ActiveOf[E.Block];
  if (Resident > 0)
    Memory.setActiveSMs(ActiveSum / Resident);
  if (!Starts)
    Ended.emplace_back(double(E.Time), E.Block);
}

Result<RoundResult> Round::run() {
  for (const RoundBlock &B : Blocks)
    ActiveOf[B.Index] = B.ActiveSMs;
  for (feed(); SMs.busy(); feed()) {
    const auto Events = SMs.runWindow();
    if (!Events)
      return std::unexpected(Events.error());
    for (const timing::Event &E : *Events)
      follow(E);
  }
  if (Result<void> Ok = SMs.sendRest(); !Ok)
    return std::unexpected(Ok.error());
  std::sort(Ended.begin(), Ended.end());
  for (auto [End, Block] : Ended) {
    R.BlockEnds.push_back(End);
    R.BlockInsts.push_back(countInsts(Sample[Block], M.Code.table()));
  }
  R.Cycles = R.BlockEnds.empty() ? 0 : R.BlockEnds.back();
  R.Drain = std::max(0.0, double(SMs.storesTaken()) - R.Cycles);
  for (const timing::SMTotals &Of : SMs.totals())
    addTotals(Of);
  R.L2Sectors = Memory.l2Sectors();
  R.DRAMReads = Memory.dramReads();
  R.DRAMWrites = Memory.dramWrites();
  R.AtomicCycles = Memory.atomicCycles();
  R.FirstAtomic = Memory.firstAtomic();
  if (R.Cycles > 0)
    addUses();
  return std::move(R);
}

Result<RoundResult>
heddle::pipeline::simulateRound(const BlockSample &Sample,
                                std::span<const RoundBlock> Blocks,
                                const timing::Machine &M, SMMemory &Memory) {
  return Round(Sample, Blocks, M, Memory).run();
}
