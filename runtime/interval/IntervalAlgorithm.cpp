//===- IntervalAlgorithm.cpp - The intervals of one warp ------------------===//

#include "interval/IntervalAlgorithm.h"

#include "memory/LevelLatency.h"

#include <algorithm>
#include <cmath>

namespace heddle::interval {

std::vector<double> latencies(const IntervalProfile &Profile,
                              const DecodedCode &Code,
                              const arch::GPUSpec &Spec) {
  const std::array<double, 3> Levels = memory::levelLatencies(Spec);
  std::vector<double> Out;
  for (size_t PC = 0; PC < Code.size(); ++PC) {
    const DecodedInst &I = Code[PC];
    const MemorySite &Site = Profile.Sites[PC];
    double Latency = I.Latency;
    if (I.goesToMemory()) {
      if (I.Space == HEDDLE_SPACE_SHARED)
        Latency = Spec.Shared.Latency;
      else if (I.isSpill())
        Latency = Levels[0];
      else if (I.Memory == HEDDLE_NO_MEMORY || I.Space == HEDDLE_SPACE_CONST)
        Latency = std::max(1u, Spec.Constant.Latency);
      else if (Site.Executions)
        Latency = Site.share(0) * Levels[0] + Site.share(1) * Levels[1] +
                  Site.share(2) * Levels[2];
      else
        Latency = Spec.Shared.Latency;
    }
    Out.push_back(Latency);
  }
  return Out;
}

/// An instruction that is part of those that use its result: they wait for its
/// operands instead.
static void passFolded(const DecodedInst &I, std::vector<double> &Done,
                       std::vector<int32_t> &Writer) {
  uint16_t Last = 0; // of its operands; register 0 is none
  for (unsigned R = I.NumDefs; R < I.NumRegisters; ++R)
    if (uint16_t Reg = I.Registers[R]; Reg && (!Last || Done[Reg] > Done[Last]))
      Last = Reg;
  for (uint16_t Reg : I.defs()) {
    Done[Reg] = Last ? Done[Last] : 0;
    Writer[Reg] = Last ? Writer[Last] : -1;
  }
}

WarpIntervals intervalsOf(const WarpClass &Warp, const IntervalProfile &Profile,
                          const DecodedCode &Code,
                          const std::vector<double> &Latencies) {
  // Beyond this the intervals seen stand for the rest.
  constexpr double MaxInsts = 1 << 20;
  WarpIntervals W;
  std::vector<double> Done(std::max(1u, Profile.Code.NumRegisters), 0);
  std::vector<int32_t> Writer(Done.size(), -1);
  Interval Open;
  double Cycle = 0; // of the instruction before
  for (uint32_t Block : Warp.Blocks) {
    const HeddleBlock &B = Profile.Code.Blocks[Block];
    for (uint32_t PC = B.FirstInst; PC < B.FirstInst + B.NumInsts; ++PC) {
      const DecodedInst &I = Code[PC];
      ++W.Executed;
      if (!I.Slots) {
        passFolded(I, Done, Writer);
        continue;
      }
      double Issue = Cycle + 1;
      for (unsigned R = I.NumDefs; R < I.NumRegisters; ++R) {
        uint16_t Reg = I.Registers[R];
        if (Reg && Done[Reg] + 1 > Issue) {
          Issue = Done[Reg] + 1;
          Open.Cause = Writer[Reg];
        }
      }
      if (Issue > Cycle + 1 && Open.Insts > 0) {
        Open.Stall = Issue - Cycle - 1;
        W.Stall += Open.Stall;
        W.Intervals.push_back(Open);
        Open = Interval();
      }
      Open.Cause = -1;
      ++Open.Insts;
      ++W.Insts;
      Cycle = Issue;
      for (uint16_t Reg : I.defs()) {
        Done[Reg] = Issue + Latencies[PC] - 1;
        Writer[Reg] = int32_t(PC);
      }
      const MemorySite &Site = Profile.Sites[PC];
      if (Site.Executions) {
        if (I.Kind == InstKind::Load) {
          ++Open.MemoryInsts;
          Open.Requests += Site.perExecution(Site.L1Misses);
          Open.DRAMRequests += Site.perExecution(Site.L2Misses);
        } else {
          Open.DRAMRequests +=
              Site.perExecution(Site.L1Misses) * Profile.dramWritesPerWritten();
        }
      }
    }
    if (W.Executed >= MaxInsts)
      break;
  }
  if (Open.Insts > 0)
    W.Intervals.push_back(Open);
  return W;
}

size_t representative(const std::vector<WarpIntervals> &Warps,
                      const std::vector<WarpClass> &Classes) {
  struct Point {
    double X, Y, Weight;
  };
  std::vector<Point> Points;
  double Perf = 0, Insts = 0, Sum = 0;
  for (size_t I = 0; I < Warps.size(); ++I) {
    double Weight = double(Classes[I].Count);
    Perf += Weight * Warps[I].perf();
    Insts += Weight * double(Classes[I].Insts);
    Sum += Weight;
    Points.push_back({Warps[I].perf(), double(Classes[I].Insts), Weight});
  }
  if (Points.empty() || Perf <= 0 || Insts <= 0)
    return 0;
  for (Point &P : Points) {
    P.X /= Perf / Sum;
    P.Y /= Insts / Sum;
  }
  auto distance = [](const Point &A, const Point &B) {
    return (A.X - B.X) * (A.X - B.X) + (A.Y - B.Y) * (A.Y - B.Y);
  };
  // Starts: the mean, and the point farthest from it.
  Point Centers[2] = {{1, 1, 0}, {1, 1, 0}};
  for (const Point &P : Points)
    if (distance(P, Centers[0]) > distance(Centers[1], Centers[0]))
      Centers[1] = P;
  std::vector<uint8_t> Of(Points.size());
  for (unsigned Round = 0; Round < 100; ++Round) {
    Point Next[2] = {};
    for (size_t I = 0; I < Points.size(); ++I) {
      Of[I] = distance(Points[I], Centers[1]) < distance(Points[I], Centers[0]);
      Point &N = Next[Of[I]];
      N.X += Points[I].X * Points[I].Weight;
      N.Y += Points[I].Y * Points[I].Weight;
      N.Weight += Points[I].Weight;
    }
    bool Same = true;
    for (unsigned C = 0; C < 2; ++C) {
      if (Next[C].Weight <= 0) {
        Next[C] = Centers[C];
        Next[C].Weight = 0;
        continue;
      }
      Next[C].X /= Next[C].Weight;
      Next[C].Y /= Next[C].Weight;
      Same &= distance(Next[C], Centers[C]) < 1e-18;
      Centers[C] = Next[C];
    }
    Centers[0].Weight = Next[0].Weight;
    Centers[1].Weight = Next[1].Weight;
    if (Same)
      break;
  }
  const unsigned Larger = Centers[1].Weight > Centers[0].Weight;
  size_t Best = Points.size();
  for (size_t I = 0; I < Points.size(); ++I)
    if (Of[I] == Larger &&
        (Best == Points.size() || distance(Points[I], Centers[Larger]) <
                                      distance(Points[Best], Centers[Larger])))
      Best = I;
  return Best == Points.size() ? 0 : Best;
}

} // namespace heddle::interval
