//===- CloneCheck.cpp - Clones against the original's head ----------------===//

#include "synthesis/CloneCheck.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heddle::synthesis {

namespace {
/// Measured on 24 kernels drawn by the seed "dev" (docs/Clones.md): what is
/// left of the error where lines and heads agree; of what a correction left, a
/// share of its logarithm; and of what is wrong where blocks go around
/// differently often, a share of how differently.
constexpr double LeftError = 0.04, ErrorOfCorrection = 0.35,
                 ErrorOfSpread = 0.35;
/// Of a launch of one wave and a part: its last blocks begin as others end,
/// each at its own time in the original and nearly at once in short clones. An
/// assumption; one kernel of 1.35 waves was 10 % off by that.
constexpr double ErrorOfLastWave = 0.1;
/// Of which the last is less than a quarter.
constexpr double ManyWaves = 4;
/// Of clones that do nothing but start: an assumption.
constexpr double ErrorOfStart = 0.05;
/// Clones of which nothing is cut against their originals: 34 of 36 differ by
/// less (docs/Evaluation/clone-fidelity.md).
constexpr double ErrorUnchecked = 0.5;
/// A number that is less certain is none.
constexpr double MostError = 0.3;
/// How far the rate of a head may lead from what the clones say: heads of 24
/// kernels were up to 12 % beside the whole, apart from its end.
constexpr double RateMargin = 0.15;
} // namespace

bool LaunchHead::add(double Cycles, double Instructions) {
  if (Instructions > Points.back().Instructions)
    Points.push_back({Cycles, Instructions});
  return Instructions < Wanted;
}

/// Between two points on the line through them.
double LaunchHead::cyclesAt(double Instructions) const {
  auto After = std::lower_bound(
      Points.begin(), Points.end(), Instructions,
      [](const Point &P, double I) { return P.Instructions < I; });
  if (After == Points.begin() || After == Points.end())
    return After == Points.end() ? Points.back().Cycles : 0;
  const Point &A = *std::prev(After), &B = *After;
  return A.Cycles + (B.Cycles - A.Cycles) * (Instructions - A.Instructions) /
                        (B.Instructions - A.Instructions);
}

std::optional<double> LaunchHead::rate() const {
  const double End = std::min(Wanted, instructions());
  if (Points.size() < 3 || End < 0.75 * Wanted)
    return std::nullopt;
  const double Late = (cyclesAt(End) - cyclesAt(End / 2)) / (End / 2);
  return Late > 0 ? std::optional(Late) : std::nullopt;
}

double LaunchHead::whole(double Instructions) const {
  return Points.back().Cycles +
         rate().value_or(0) * std::max(Instructions - instructions(), 0.0);
}

std::optional<CloneCheck> checkClone(const LaunchHead &Original,
                                     double Instructions,
                                     const LaunchHead &Clone,
                                     double CloneInstructions, double Waves) {
  const auto Of = Original.rate(), By = Clone.rate();
  if (!Of || !By)
    return std::nullopt;
  CloneCheck C;
  C.Correction = *Of * Instructions / (*By * CloneInstructions);
  C.RateCycles = Original.whole(Instructions);
  C.Waves = Waves;
  return C;
}

/// The more waves there are, the less the last one weighs.
static double errorOfEnd(double Waves) {
  const double Full = std::floor(Waves);
  return Full < 1 || Waves == Full ? 0 : ErrorOfLastWave / Full;
}

/// Half of what lies between the clones' cycles and those at the original's
/// rate, where there are so many waves that the end hardly explains it.
static double errorOfRate(double Cycles, const CloneCheck &Check) {
  return Check.Waves < ManyWaves
             ? 0
             : std::abs(std::log(Cycles / Check.RateCycles)) / 2;
}

void applyCheck(std::map<std::string, ProjectedMetric> &Metrics,
                const std::optional<CloneCheck> &Check, double Drawn,
                double Spread, double Start) {
  const double Correction = Check ? Check->Correction : 1;
  const double Apart =
      Check ? errorOfRate(Metrics.at("cycles").Value * Correction, *Check) : 0;
  for (const char *Name : {"cycles", "time_us", "ipc"}) {
    auto At = Metrics.find(Name);
    if (At == Metrics.end())
      continue;
    ProjectedMetric &M = At->second;
    M.Value *= At->first == "ipc" ? 1 / Correction : Correction;
    const double Lines =
        2 * std::sqrt(std::max(M.Error * M.Error - Drawn * Drawn, 0.0));
    const double Left =
        Check ? std::hypot(ErrorOfCorrection * std::abs(std::log(Correction)),
                           LeftError)
              : std::hypot(Drawn, ErrorUnchecked);
    const double Load =
        std::hypot(ErrorOfSpread * Spread, errorOfEnd(Check ? Check->Waves : 0),
                   ErrorOfStart * Start);
    M.Error = std::hypot(Lines, Left, std::hypot(Load, Apart));
  }
}

std::string doubtsOf(const std::map<std::string, ProjectedMetric> &Metrics,
                     const std::optional<CloneCheck> &Check) {
  const ProjectedMetric &Cycles = Metrics.at("cycles");
  if (!Check)
    return {};
  if (Cycles.Error > MostError)
    return fmt::format("their cycles may be {:.0f} % off", 100 * Cycles.Error);
  // The last blocks may take as long alone as a full machine of them.
  const double Most =
      (1 + RateMargin) * (1 + 1 / std::floor(std::max(Check->Waves, 1.0)));
  if (Cycles.Value > Most * Check->RateCycles ||
      Cycles.Value < (1 - RateMargin) * Check->RateCycles)
    return fmt::format("the clones say {:.4g} cycles, but the original, at the "
                       "rate with which it begins, would take {:.4g}",
                       Cycles.Value, Check->RateCycles);
  return {};
}

} // namespace heddle::synthesis
