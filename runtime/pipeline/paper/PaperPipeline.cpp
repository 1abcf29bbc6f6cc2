//===- PaperPipeline.cpp - The hybrid estimator's own pipeline ------------===//

#include "pipeline/paper/PaperPipeline.h"

#include "memory/Coalescer.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <queue>

using namespace heddle;
using namespace heddle::pipeline;
using timing::DecodedCode;
using timing::DecodedInst;

namespace {

struct Warp {
  trace::WarpCursor Cursor;
  std::span<const DecodedInst> Entries; ///< left of the current block
  unsigned Group = 0;
  bool Waiting = false;
};

struct Group {
  unsigned Live = 0, Arrived = 0;
  double End = 0;
};

class PaperRound {
public:
  PaperRound(const BlockSample &Sample, std::span<const RoundBlock> Blocks,
             const DecodedCode &Code, const arch::GPUSpec &Spec);
  RoundResult run();

private:
  void advance(unsigned W, double Now);
  double compute(const DecodedInst &I, double Now);
  double access(const DecodedInst &I, const trace::MemoryAccess *A, double Now);
  void openBarrier(unsigned G, double Now);

  const DecodedCode &Code;
  const arch::GPUSpec &Spec;
  std::vector<Warp> Warps;
  std::vector<Group> Groups;
  std::vector<double> LockedUntil; ///< by pipe
  StackCache L2, Constant;
  memory::Coalescer Lines, ConstantLines;
  double Crowding; ///< most warps / active warps
  double HitLatency, MissLatency;
  using Event = std::pair<double, unsigned>; // time, warp
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> Events;
  RoundResult R;
};

} // namespace

PaperRound::PaperRound(const BlockSample &Sample,
                       std::span<const RoundBlock> Blocks,
                       const DecodedCode &Code, const arch::GPUSpec &Spec)
    : Code(Code), Spec(Spec), Groups(Blocks.size()),
      LockedUntil(Spec.Pipes.size()),
      L2(std::max<uint64_t>(1, Spec.L2.TotalSize / Spec.L2.Line)),
      Constant(Spec.Constant.Size ? Spec.Constant.Size / Spec.Constant.Line
                                  : ~uint64_t(0)),
      Lines(Spec.L2.Line, Spec.L2.Sector),
      ConstantLines(Spec.Constant, Spec.L2) {
  for (unsigned G = 0; G < Blocks.size(); ++G) {
    const trace::BlockTrace &B = Sample[Blocks[G].Index];
    Groups[G].Live = unsigned(B.Warps.size());
    for (const trace::WarpTrace &T : B.Warps) {
      Warp W;
      W.Cursor.reset(Code.table(), T);
      W.Group = G;
      Warps.push_back(std::move(W));
    }
  }
  Crowding =
      double(Spec.SM.MaxWarps) / double(std::max<size_t>(1, Warps.size()));
  double L2Clock = Spec.Clock.Core / Spec.Clock.L2;
  double DRAMClock = Spec.Clock.Core / Spec.Clock.DRAM;
  HitLatency =
      Spec.L1.Latency + (2.0 * Spec.Icnt.Latency + Spec.L2.Latency) * L2Clock;
  MissLatency = HitLatency + Spec.DRAM.Latency +
                (Spec.DRAM.TRCD + Spec.DRAM.TCL) * DRAMClock;
}

/// The unit is taken for the time that the throughput at this number of warps
/// gives an operation: 1 / units of its latency or initiation.
double PaperRound::compute(const DecodedInst &I, double Now) {
  double AtFullRate =
      double(I.Initiation) / std::max(1u, Spec.Pipes[I.Pipe].Units);
  double Alone = double(I.Latency) / double(Warps.size());
  double Delay = I.Slots * std::max(AtFullRate, Alone);
  double &Locked = LockedUntil[I.Pipe];
  Locked = std::max(Locked, Now) + Delay;
  return Locked;
}

double PaperRound::access(const DecodedInst &I, const trace::MemoryAccess *A,
                          double Now) {
  memory::LineAccess Found[memory::Coalescer::MaxLines];
  double Transactions = 1, Latency = Spec.Constant.Latency;
  if (A && A->Mask) {
    const bool Store = I.Kind == timing::InstKind::Store;
    if (A->Space == HEDDLE_SPACE_SHARED) {
      Transactions =
          std::max(1u, memory::sharedPasses(*A, I.ByteOffset, I.AccessBytes,
                                            Spec.Shared));
      Latency = Spec.Shared.Latency;
    } else if (A->Space == HEDDLE_SPACE_CONST ||
               A->Space == HEDDLE_SPACE_PARAM) {
      unsigned N =
          ConstantLines.coalesce(*A, I.ByteOffset, I.AccessBytes, false, Found);
      Transactions = std::max(1u, N);
      for (unsigned L = 0; L < N; ++L)
        if (Constant.read(Found[L].Line, Found[L].Sectors).Missing)
          Latency = MissLatency;
    } else {
      unsigned N =
          Lines.coalesce(*A, I.ByteOffset, I.AccessBytes, false, Found);
      Transactions = std::max(1u, N);
      Latency = HitLatency;

      for (unsigned L = 0; L < N; ++L) {
        auto O = Store ? L2.write(Found[L].Line, Found[L].Sectors, true)
                       : L2.read(Found[L].Line, Found[L].Sectors);
        R.L2Sectors += std::popcount(Found[L].Sectors);
        R.DRAMReads += std::popcount(O.Missing);
        if (O.Missing)
          Latency = MissLatency;
      }
    }
  }
  Latency *= Crowding;
  double Delay =
      Transactions * I.Initiation / std::max(1u, Spec.Pipes[I.Pipe].Units);
  // Half of the wait lies before the transfer and half after it.
  double Pre = std::max(0.0, Latency - Delay) / 2;
  double &Locked = LockedUntil[I.Pipe];
  Locked = std::max(Locked, Now + Pre) + Delay;
  return Locked + Pre;
}

void PaperRound::openBarrier(unsigned G, double Now) {
  Group &P = Groups[G];
  if (P.Live == 0 || P.Arrived < P.Live)
    return;
  P.Arrived = 0;
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (Warps[W].Group == G && Warps[W].Waiting) {
      Warps[W].Waiting = false;
      Events.push({Now, W});
    }
}

void PaperRound::advance(unsigned W, double Now) {
  Warp &Me = Warps[W];
  for (;;) {
    while (Me.Entries.empty()) {
      if (!Me.Cursor.next()) {
        Group &G = Groups[Me.Group];
        G.End = std::max(G.End, Now);
        if (--G.Live == 0)
          R.BlockEnds.push_back(G.End);
        openBarrier(Me.Group, Now);
        return;
      }
      Me.Entries = Code.insts(Me.Cursor.block());
    }
    if (!Events.empty() && Events.top().first < Now) {
      Events.push({Now, W});
      return;
    }
    const DecodedInst &I = Me.Entries.front();
    Me.Entries = Me.Entries.subspan(1);
    ++R.WarpInsts;
    if (I.isBarrier()) {
      Me.Waiting = true;
      ++Groups[Me.Group].Arrived;
      openBarrier(Me.Group, Now);
      return;
    }
    if (I.goesToMemory())
      Now = access(I,
                   I.Memory == HEDDLE_NO_MEMORY ? nullptr
                                                : &Me.Cursor.access(I.Memory),
                   Now);
    else
      Now = compute(I, Now);
  }
}

RoundResult PaperRound::run() {
  for (unsigned W = 0; W < Warps.size(); ++W)
    Events.push({0, W});
  while (!Events.empty()) {
    auto [At, W] = Events.top();
    Events.pop();
    advance(W, At);
  }
  std::sort(R.BlockEnds.begin(), R.BlockEnds.end());
  R.Cycles = R.BlockEnds.empty() ? 0 : R.BlockEnds.back();
  R.IssuedInsts = R.WarpInsts;
  return std::move(R);
}

RoundResult heddle::pipeline::simulatePaperRound(
    const BlockSample &Sample, std::span<const RoundBlock> Blocks,
    const DecodedCode &Code, const arch::GPUSpec &Spec) {
  return PaperRound(Sample, Blocks, Code, Spec).run();
}
