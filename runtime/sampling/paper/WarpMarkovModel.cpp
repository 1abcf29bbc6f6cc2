//===- WarpMarkovModel.cpp - How stable a homogeneous region's IPC is -----===//

#include "sampling/paper/WarpMarkovModel.h"

#include "sampling/RandomNumbers.h"
#include "sampling/Statistics.h"

#include <algorithm>
#include <cmath>

namespace heddle::sampling {

double steadyIPC(double StallProbability, const std::vector<double> &M) {
  double AllStalled = 1;
  for (double Cycles : M)
    AllStalled *= StallProbability * Cycles / (1 + StallProbability * Cycles);
  return 1 - AllStalled;
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
