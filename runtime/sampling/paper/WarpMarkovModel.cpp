//===- WarpMarkovModel.cpp - How stable a homogeneous region's IPC is -----===//

#include "sampling/paper/WarpMarkovModel.h"

#include "sampling/RandomNumbers.h"
#include "sampling/Statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heddle::sampling {

double steadyIPC(double StallProbability, const std::vector<double> &M) {
  double AllStalled = 1;
  for (double Cycles : M)
    AllStalled *= StallProbability * Cycles / (1 + StallProbability * Cycles);
  return 1 - AllStalled;
}

/// Probability that warp state \p From (1: runnable) becomes \p To.
static double transition(bool From, bool To, double StallProbability,
                         double Cycles) {
  double Leaves = From ? StallProbability : 1 / Cycles;
  return From == To ? 1 - Leaves : Leaves;
}

Result<double> iteratedIPC(double StallProbability,
                           const std::vector<double> &M) {
  constexpr size_t MaxWarps = 12;
  if (M.size() > MaxWarps)
    return fail(fmt::format("the transition matrix of {} warps is too large; "
                            "at most {} are possible",
                            M.size(), MaxWarps));
  const size_t States = size_t(1) << M.size();
  std::vector<double> Now(States, 0), Next(States);
  Now[States - 1] = 1;
  for (unsigned Round = 0; Round < 1000000; ++Round) {
    std::ranges::fill(Next, 0);
    for (size_t From = 0; From < States; ++From) {
      if (Now[From] < 1e-18)
        continue;
      for (size_t To = 0; To < States; ++To) {
        double P = Now[From];
        for (size_t W = 0; W < M.size() && P > 0; ++W)
          P *= transition(From >> W & 1, To >> W & 1, StallProbability, M[W]);
        Next[To] += P;
      }
    }
    double Change = 0;
    for (size_t S = 0; S < States; ++S)
      Change += std::abs(Next[S] - Now[S]);
    std::swap(Now, Next);
    if (Change < 1e-12)
      break;
  }
  return 1 - Now[0];
}

IPCVariation monteCarloIPC(double StallProbability, double MeanStallCycles,
                           unsigned Warps, unsigned Samples, uint64_t Seed) {
  RandomNumbers Random(Seed);
  std::vector<double> IPC(Samples), M(Warps);
  for (double &Value : IPC) {
    // A stall takes a cycle at least, whatever the tail of the distribution.
    for (double &Cycles : M)
      Cycles = std::max(1.0, MeanStallCycles + 0.1 * MeanStallCycles / 1.96 *
                                                   Random.normal());
    Value = steadyIPC(StallProbability, M);
  }
  IPCVariation V;
  V.Mean = mean(IPC);
  V.Least = *std::ranges::min_element(IPC);
  V.Most = *std::ranges::max_element(IPC);
  V.WithinTenPercent =
      double(std::ranges::count_if(
          IPC, [&](double I) { return std::abs(I - V.Mean) < 0.1 * V.Mean; })) /
      Samples;
  return V;
}

} // namespace heddle::sampling
