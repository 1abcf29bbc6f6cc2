//===- CloneCheck.cpp - Clones against the original's head ----------------===//

#include "synthesis/CloneCheck.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heddle::synthesis {

namespace {
// Constants without another source were chosen on drawn kernels
// (docs/Clones.md).

/// What is left of the error of clones, and of a head's rate, where nothing
/// speaks against it.
constexpr double LeftOfClones = 0.035, LeftOfRate = 0.02;
/// Of clones of which the heads have shown nothing: ErrorUnchecked is stated
/// where none are compared, and holds for 19 of 20.
constexpr double LeftUnseen = 0.15;
/// Of what plans expect: a check has seen clones and original run alike.
constexpr double ShareOfPlanned = 0.4;
/// A clone that runs at another rate than its original still says how the
/// launch goes on from its head: by how much more or less than the rate. Of
/// that, the correction's logarithm may be wrong, and of this share of the
/// cycles beside.
constexpr double LeastOfCorrection = 0.3;
/// What is wrong where blocks go around differently often, as a share of how
/// differently.
constexpr double ErrorOfSpread = 0.25;
/// Waves by which the end of any launch may be longer or shorter.
constexpr double LeastErrorOfEnd = 0.15;
/// Of a head that shows nothing of what warps go on with. Half a block of 12
/// hand-written kernels ran 47 % faster or slower than the whole.
constexpr double ErrorOfUnseen = 1;
/// Of a launch that is one wave or less, all blocks begin together and end as
/// far apart as their work differs. How far launches of 20 hand-written kernels
/// were beside their rate (docs/Clones.md).
constexpr double ErrorAlone = 0.15;
/// Of a launch of one wave and a part: its last blocks begin as others end,
/// each at its own time in the original and nearly at once in short clones. The
/// more waves there were, the further apart are blocks in clones, too.
constexpr double ErrorOfLastWave = 0.08;
/// Of clones that do nothing but start: an assumption.
constexpr double ErrorOfStart = 0.05;
/// Clones of which nothing is cut against their originals: 34 of 36 differ by
/// less (docs/Evaluation/clone-fidelity.md).
constexpr double ErrorUnchecked = 0.5;
/// Clones of fewer trips work while they start, so that the line through them
/// grows more slowly than the original does. Were their start all work, the
/// largest one would tell the rate. The truth lies at this share of the way
/// from the line to that, in logarithms, and this share of it is the error.
constexpr double ShareOfWay = 0.25, ErrorOfWay = 0.25;
/// Times the errors above. Chosen with the shares of corrections, spread and
/// last wave on clones of 68 drawn kernels, by how many hold (63 of 65) and by
/// their median. Of 20 that were drawn afterwards 18 hold
/// (docs/Evaluation/clone-errors.md).
constexpr double ErrorOfOthers = 1.5;
/// From here on, reads of data that L2 holds are more than chance: sectors that
/// writes fetch, and lines that leave L2 although others are free.
constexpr double LeastAgain = 1.5;
/// A number that is less certain is none.
constexpr double MostError = 0.3;
/// How far the rate of a head may lead from what the clones say: heads of 24
/// kernels were up to 12 % beside the whole, apart from its end.
constexpr double RateMargin = 0.15;
} // namespace

bool LaunchHead::add(double Cycles, double Instructions) {
  if (isShort())
    Wanted = std::max(Wanted, Instructions);
  if (Instructions > Points.back().Instructions)
    Points.push_back({Cycles, Instructions});
  return Instructions < Wanted || (isShort() && Instructions < Most);
}

double LaunchHead::atLeast(double Instructions) const {
  const auto At = std::ranges::find_if(
      Points, [&](const Point &P) { return P.Cycles >= Least; });
  return std::max(Instructions, At == Points.end() ? Points.back().Instructions
                                                   : At->Instructions);
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

std::optional<double> LaunchHead::rate(double Wanted) const {
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

double LaunchHead::start() const {
  const double End = std::min(Wanted, instructions());
  return std::max(0.0, cyclesAt(End / 2) - rate().value_or(0) * End / 2);
}

std::optional<CloneCheck> checkClone(const LaunchHead &Original,
                                     double Instructions,
                                     const LaunchHead &Clone,
                                     double CloneInstructions, double Waves) {
  const auto Of = Original.rate(Clone.wanted()), By = Clone.rate();
  if (!Of || !By || !Original.rate())
    return std::nullopt;
  CloneCheck C;
  C.Correction = *Of * Instructions / (*By * CloneInstructions);
  C.RateCycles = Original.whole(Instructions);
  C.Waves = Waves;
  C.Start = Original.start();
  C.IsShort = Original.isShort();
  C.HeadShare = Original.instructions() / Instructions;
  return C;
}

/// The more waves there are, the less the last one weighs.
static double errorOfEnd(double Waves) {
  const double Full = std::floor(Waves);
  return Full < 1 || Waves == Full ? 0 : ErrorOfLastWave / (Full * Full);
}

namespace {
/// Logarithm of cycles over those at the original's rate, and its error.
struct Estimate {
  double Value = 0, Error = 0;
};
} // namespace

/// The mean of two by their errors. Where they lie further apart than these
/// explain, the mean's is wider in that proportion.
static Estimate meanOf(const Estimate &A, const Estimate &B) {
  const double Both = std::hypot(A.Error, B.Error);
  const double ShareOfB = A.Error * A.Error / (Both * Both);
  return {A.Value + ShareOfB * (B.Value - A.Value),
          A.Error * B.Error / Both *
              std::max(1.0, std::abs(A.Value - B.Value) / Both)};
}

/// What the starts of blocks may add to the rate of a head that has not seen
/// any but the first: as a share of the cycles at that rate.
static double startOfBlocks(const CloneCheck &Check) {
  return Check.Start * Check.Waves / Check.RateCycles *
         std::max(0.0, 1 - Check.rateShare());
}

/// Of the cycles at its rate, how much longer a launch of \p Waves takes since
/// its last wave does not fill the machine: nothing where its blocks then run
/// as much faster, and what is missing in the wave where they take as long as
/// always. The truth is between. Blocks also end as far apart as \p Spread
/// says.
static Estimate endOf(double Waves, double Spread) {
  if (Waves <= 1)
    return {0, std::hypot(ErrorAlone, Spread)};
  const double Half = (std::ceil(Waves) - Waves) / 2;
  return {Half / Waves, std::hypot(Half, Spread, LeastErrorOfEnd) / Waves};
}

/// What clones with \p Check say, whose lines have \p Lines and whose launch
/// \p Load as error, and what the original's rate does. \p Spread: tripSpread.
static Estimate estimateOf(double Cycles, const CloneCheck &Check, double Lines,
                           double Spread, double Load) {
  const double On = std::log(Cycles * Check.Correction / Check.RateCycles);
  const double Corrected = std::abs(std::log(Check.Correction)) *
                           std::hypot(On, LeastOfCorrection, 1 - Check.Seen);
  const Estimate End = endOf(Check.Waves, Spread);
  const double OfRate =
      std::hypot(End.Error, startOfBlocks(Check), Check.RateError);
  const double Unseen = ErrorOfUnseen * (1 - Check.Seen);
  const double Left = std::hypot(LeftOfClones, LeftUnseen * (1 - Check.Seen));
  return meanOf({On, std::hypot(Lines, std::hypot(Corrected, Load), Left)},
                {End.Value, std::hypot(OfRate, Unseen, LeftOfRate)});
}

void applyCheck(std::map<std::string, ProjectedMetric> &Metrics,
                const std::optional<CloneCheck> &Check, double Drawn,
                double Spread, double Start, double Way) {
  auto LinesOf = [&](const ProjectedMetric &M) {
    const double TooMuch =
        Check ? (1 - ShareOfPlanned * ShareOfPlanned) * M.Planned * M.Planned
              : 0;
    return std::sqrt(
        std::max(M.Error * M.Error - Drawn * Drawn - TooMuch, 0.0));
  };
  const double Load =
      std::hypot(ErrorOfSpread * Spread, errorOfEnd(Check ? Check->Waves : 0),
                 ErrorOfStart * Start);
  const ProjectedMetric Cycles = Metrics.at("cycles");
  const Estimate Mean =
      Check ? estimateOf(Cycles.Value * std::exp(ShareOfWay * Way), *Check,
                         std::hypot(LinesOf(Cycles), ErrorOfWay * Way), Spread,
                         Load)
            : Estimate();
  for (const char *Name : TimeMetrics) {
    auto At = Metrics.find(Name);
    if (At == Metrics.end())
      continue;
    ProjectedMetric &M = At->second;
    if (!Check) {
      M.Error = std::hypot(LinesOf(M), std::hypot(Drawn, ErrorUnchecked), Load);
      continue;
    }
    const double Ratio =
        Check->RateCycles * std::exp(Mean.Value) / Cycles.Value;
    M.Value *= At->first == "ipc" ? 1 / Ratio : Ratio;
    M.Error = ErrorOfOthers * Mean.Error;
  }
}

std::string tooShort() {
  return fmt::format("{:.0f} % of the launch last less than {:.0f} cycles, in "
                     "which it hardly does more than start",
                     100 * LaunchHead::MostToLast, LaunchHead::LeastCycles);
}

std::string doubtsOf(const std::map<std::string, ProjectedMetric> &Metrics,
                     const std::optional<CloneCheck> &Check) {
  const ProjectedMetric &Cycles = Metrics.at("cycles");
  if (!Check)
    return {};
  if (Check->IsShort)
    return tooShort();
  if (Check->Reads >= LeastAgain)
    return fmt::format("at their rate DRAM would read the data {:.1f} times, "
                       "but L2 holds them: they are hardly past cold caches",
                       Check->Reads);
  if (Cycles.Error > MostError)
    return fmt::format("their cycles may be {:.0f} % off", 100 * Cycles.Error);
  // The last blocks may take as long alone as a full machine of them, blocks
  // may begin as slowly as the first ones, and a head says little of what it
  // has not seen.
  const double Most =
      (1 + RateMargin + ErrorOfUnseen * (1 - Check->Seen)) *
      (1 + 1 / std::floor(std::max(Check->Waves, 1.0)) + startOfBlocks(*Check));
  if (Cycles.Value > Most * Check->RateCycles ||
      Cycles.Value < Check->RateCycles / Most)
    return fmt::format("the clones say {:.4g} cycles, but the original, at the "
                       "rate with which it begins, would take {:.4g}",
                       Cycles.Value, Check->RateCycles);
  return {};
}

} // namespace heddle::synthesis
