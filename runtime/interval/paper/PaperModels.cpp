//===- PaperModels.cpp - The five models of GPUMech -----------------------===//

#include "interval/paper/PaperModels.h"

#include "interval/IntervalAlgorithm.h"
#include "memory/LevelLatency.h"

#include <algorithm>
#include <cmath>

namespace heddle::interval {

void estimatePaper(const IntervalProfile &P, const arch::GPUSpec &Spec,
                   IntervalEstimate &E) {
  const DecodedCode Code(P.Code, Spec);
  const std::vector<double> Latency = latencies(P, Code, Spec);
  std::vector<WarpIntervals> All;
  for (const WarpClass &C : P.Classes)
    All.push_back(intervalsOf(C, P, Code, Latency));
  if (All.empty())
    return;
  const size_t Chosen = representative(All, P.Classes);
  const WarpIntervals &W = All[Chosen];
  if (W.Insts <= 0)
    return;
  E.Intervals = W.Intervals.size();
  E.IntervalInsts = W.Insts / double(std::max<size_t>(1, E.Intervals));
  E.IntervalStall = W.Stall / double(std::max<size_t>(1, E.Intervals));
  E.RepresentativeInsts = P.Classes[Chosen].Insts;

  const double Cores = double(std::min<uint64_t>(
      Spec.SM.Count, std::max<uint64_t>(1, P.Launch.Grid.count())));
  const double Warps = std::clamp(double(P.Warps) / Cores, 1.0,
                                  double(std::max(1u, P.Occupancy.WarpsPerSM)));
  const double Schedulers = std::max(1u, Spec.SM.Schedulers);
  const double PerScheduler = std::max(1.0, Warps / Schedulers);
  const double Used = std::min(Warps, Schedulers);
  const double Total = W.Insts + W.Stall;

  double IPC = 0; // of one scheduler
  switch (E.Which) {
  case Model::Naive:
    IPC = W.perf() * PerScheduler;
    break;
  case Model::Markov: {
    double Stalls = double(std::ranges::count_if(
        W.Intervals, [](const Interval &I) { return I.Stall > 0; }));
    IPC = Stalls > 0
              ? markovIPC(PerScheduler, Stalls / W.Insts, W.Stall / Stalls)
              : 1;
    break;
  }
  default:
    IPC = PerScheduler * W.Insts /
          (Total + nonoverlapped(W, PerScheduler,
                                 Spec.SM.Scheduler ==
                                     arch::SchedulerPolicy::GreedyThenOldest));
  }
  double CPI = 1 / (IPC * Used);

  // The miss latency without contention, over all loads.
  const auto Levels = memory::levelLatencies(Spec);
  double FarL2 = 0, FarDRAM = 0;
  for (size_t PC = 0; PC < Code.size(); ++PC)
    if (Code[PC].Kind == InstKind::Load) {
      FarL2 += double(P.Sites[PC].ByLevel[1]);
      FarDRAM += double(P.Sites[PC].ByLevel[2]);
    }
  double MissLatency =
      FarL2 + FarDRAM > 0
          ? (FarL2 * Levels[1] + FarDRAM * Levels[2]) / (FarL2 + FarDRAM)
          : 0;
  double MSHRDelay = 0, QueueDelay = 0;
  double Service = Spec.Clock.Core * 1e6 * Spec.L2.Line /
                   std::max(1.0, Spec.DRAM.Bandwidth * 1e9);
  for (const Interval &I : W.Intervals) {
    if (E.Which >= Model::MTMSHR)
      MSHRDelay +=
          mshrDelay(I, Warps, std::max(1u, Spec.L1.MSHRs), MissLatency);
    if (E.Which >= Model::GPUMech)
      QueueDelay += bandwidthDelay(I, Warps, Cores, Service);
  }
  // Delays of one warp; all warps of the core have theirs at the same time.
  MSHRDelay /= W.Insts * Warps;
  QueueDelay /= W.Insts * Warps;

  // The representative warp's stack, shrunk to the CPI with multithreading.
  CPIStack S{};
  S[unsigned(StackPart::Base)] = W.Insts;
  for (const Interval &I : W.Intervals) {
    const bool Load = I.Cause >= 0 && Code[I.Cause].goesToMemory() &&
                      P.Sites[I.Cause].Executions;
    if (!Load) {
      S[unsigned(StackPart::Dep)] += I.Stall;
      continue;
    }
    const MemorySite &Site = P.Sites[I.Cause];
    for (unsigned L = 0; L < 3; ++L)
      S[unsigned(StackPart::L1) + L] += I.Stall * Site.share(L);
  }
  for (double &Part : S)
    Part *= CPI / Total;
  S[unsigned(StackPart::MSHR)] = MSHRDelay;
  S[unsigned(StackPart::Queue)] = QueueDelay;
  // So far per instruction that issues.
  const double Issuing = W.Insts / W.Executed;
  for (double &Part : S)
    Part *= Issuing;
  E.Stack = S;
  E.CoreCPI = (CPI + MSHRDelay + QueueDelay) * Issuing;
}

double markovIPC(double Warps, double P, double M) {
  unsigned N = std::max(1u, unsigned(std::lround(Warps)));
  double Term = 1, Sum = 1, Last = 1;
  for (unsigned K = 1; K <= N; ++K) {
    Term *= P * M / K;
    Sum += Term;
    Last = Term;
    if (Sum > 1e200) {
      Term /= Sum;
      Last /= Sum;
      Sum = 1;
    }
  }
  return 1 - Last / Sum;
}

double nonoverlapped(const WarpIntervals &W, double Warps, bool Greedy) {
  double Prob = W.perf(), Sum = 0;
  double Average = W.Insts / double(std::max<size_t>(1, W.Intervals.size()));
  for (const Interval &I : W.Intervals) {
    if (!Greedy) {
      Sum += Prob * (Warps - 1) * (I.Insts - 1);
      continue;
    }
    double InStall = Average * std::min(Prob * I.Stall, 1.0) * (Warps - 1);
    Sum += std::max(InStall - I.Stall, 0.0);
  }
  return Sum;
}

double mshrDelay(const Interval &I, double Warps, double MSHRs,
                 double MissLatency) {
  double Requests = I.Requests * Warps;
  if (Requests <= MSHRs)
    return 0;
  // Mean of ceil(j / MSHRs) over j = 1 ... Requests: whole groups, then a rest.
  double Whole = std::floor(Requests / MSHRs);
  double Rest = Requests - Whole * MSHRs;
  double Mean =
      (MSHRs * Whole * (Whole + 1) / 2 + Rest * (Whole + 1)) / Requests;
  return MissLatency * (Mean - 1) * I.MemoryInsts;
}

double bandwidthDelay(const Interval &I, double Warps, double Cores,
                      double Service) {
  double Requests = I.DRAMRequests * Warps * Cores;
  if (Requests <= 0)
    return 0;
  double Lambda = Requests / std::max(1.0, I.Insts + I.Stall);
  double Rho = Lambda * Service, Cap = Service * Requests / 2;
  if (Rho >= 1)
    return Cap;
  return std::min(Lambda * Service * Service / (2 * (1 - Rho)), Cap);
}

} // namespace heddle::interval
