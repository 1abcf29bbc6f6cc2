//===- PaperEquations.cpp - The equations of GPUMech ----------------------===//

#include "interval/paper/PaperEquations.h"

#include <algorithm>
#include <cmath>

namespace heddle::interval {

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
