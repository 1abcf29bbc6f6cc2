//===- WarpMarkovModel.h - How stable a region's IPC is ---------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_WARPMARKOVMODEL_H
#define HEDDLE_SAMPLING_WARPMARKOVMODEL_H

#include <cstdint>
#include <vector>

namespace heddle::sampling {

/// N warps that are runnable or stalled: a runnable warp stalls with
/// probability p, warp x comes back with probability 1 / M[x] per cycle
/// (TBPoint, equation 3). The chain over 2^N states is solved warp by warp: the
/// transition probability is a product over independent warps, so the
/// stationary probability is the product of theirs, p M / (1 + p M) stalled.
/// IPC = 1 - P(all stalled).
double steadyIPC(double StallProbability, const std::vector<double> &M);

/// IPC over samples in which each warp's M is drawn from
/// N(mu, (0.1 mu / 1.96)^2).
struct IPCVariation {
  double Mean = 0;
  double WithinTenPercent = 0; ///< share of the samples
  double Least = 0, Most = 0;
};
IPCVariation monteCarloIPC(double StallProbability, double MeanStallCycles,
                           unsigned Warps, unsigned Samples = 10000,
                           uint64_t Seed = 1);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_WARPMARKOVMODEL_H
