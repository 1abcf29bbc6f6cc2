//===- StratifiedSampling.cpp - A projection with a confidence interval ---===//

#include "sampling/StratifiedSampling.h"

#include "arch/Occupancy.h"
#include "sampling/LaunchFamilies.h"
#include "sampling/RandomNumbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::sampling {

/// The quantile of the standard normal distribution, by bisection.
static double normalQuantile(double P) {
  double Low = -40, High = 40;
  for (int I = 0; I < 80; ++I) {
    const double Middle = (Low + High) / 2;
    (0.5 * std::erfc(-Middle / std::sqrt(2.0)) < P ? Low : High) = Middle;
  }
  return Low;
}

double studentQuantile(double Confidence, double DegreesOfFreedom) {
  // Abramowitz and Stegun, 26.7.5: good to 1 % from three degrees of freedom.
  const double Z = normalQuantile(0.5 + Confidence / 2),
               N = std::max(DegreesOfFreedom, 1.0), Z3 = Z * Z * Z,
               Z5 = Z3 * Z * Z, Z7 = Z5 * Z * Z, Z9 = Z7 * Z * Z;
  return Z + (Z3 + Z) / (4 * N) + (5 * Z5 + 16 * Z3 + 3 * Z) / (96 * N * N) +
         (3 * Z7 + 19 * Z5 + 17 * Z3 - 15 * Z) / (384 * N * N * N) +
         (79 * Z9 + 776 * Z7 + 1482 * Z5 - 1920 * Z3 - 945 * Z) /
             (92160 * N * N * N * N);
}

/// By how much these counts may differ between launches that the profile hardly
/// tells apart.
constexpr double LaunchWork::*Counts[] = {
    &LaunchWork::Instructions, &LaunchWork::LargestBlock,
    &LaunchWork::BusiestSM, &LaunchWork::MemoryRequests};
constexpr double Tolerance = 0.02;

StratifiedSample::StratifiedSample(const ApplicationProfile &Profile,
                                   const arch::GPUSpec &Machine,
                                   const Options &Given)
    : Given(Given), Chosen(Profile.Launches.size()) {
  std::map<std::pair<std::string, uint64_t>, std::vector<size_t>> Kernels;
  for (size_t I = 0; I < Profile.Launches.size(); ++I) {
    const LaunchProfile &L = Profile.Launches[I];
    const auto Fit = arch::computeOccupancy(L.blockResources(), Machine);
    Work.push_back(
        LaunchWork::of(L, Machine.SM.Count, Fit ? Fit->BlocksPerSM : 1));
    Kernels[{L.Kernel, L.Block.count()}].push_back(I);
  }
  RandomNumbers Random(Given.Seed);
  for (auto &[Key, Launches] : Kernels) {
    const std::vector<size_t> Repeated = takeRepeated(Profile, Launches);
    if (!Repeated.empty())
      addStrata(Profile, Repeated, Random);
    addStrata(Profile, Launches, Random);
  }
}

/// Takes out of \p Launches what at least half of them repeat, if enough others
/// are left: all that is like the median, else what has an argument in common.
/// One regression for both would know the others only from a launch or two.
std::vector<size_t>
StratifiedSample::takeRepeated(const ApplicationProfile &Profile,
                               std::vector<size_t> &Launches) const {
  std::vector<size_t> Sorted = Launches;
  const auto Middle = Sorted.begin() + ptrdiff_t(Sorted.size() / 2);
  std::ranges::nth_element(Sorted, Middle, {},
                           [&](size_t I) { return Work[I].Instructions; });
  const LaunchWork &Median = Work[*Middle];
  auto IsAlike = [&](size_t I) {
    return std::ranges::all_of(Counts, [&](double LaunchWork::*Count) {
      return std::abs(Work[I].*Count - Median.*Count) <=
             Tolerance * Median.*Count;
    });
  };
  std::vector<size_t> Alike, Others;
  std::ranges::partition_copy(Launches, std::back_inserter(Alike),
                              std::back_inserter(Others), IsAlike);
  if (Alike.size() < Others.size() || Others.size() < Given.LeastLaunches)
    return takeCommon(Profile, Launches, Given.LeastLaunches);
  Launches = std::move(Others);
  return Alike;
}

/// Launches of one kernel and block size whose arguments do not tell them
/// apart, in cells of alike many instructions and memory requests. A cell is
/// two binary orders of magnitude wide: the regression covers the rest. Small
/// cells join the neighbour before them.
void StratifiedSample::addStrata(const ApplicationProfile &Profile,
                                 const std::vector<size_t> &Launches,
                                 RandomNumbers &Random) {
  constexpr double SizeStep = 2, RequestsStep = 0.3; // binary orders
  const std::string &Kernel = Profile.Launches[Launches.front()].Kernel;
  auto Least = [&](double Share) {
    return std::max<size_t>(Given.LeastLaunches,
                            size_t(Share * double(Launches.size())));
  };
  std::vector<size_t> Pending;
  for (const std::vector<size_t> &Alike :
       splitByArguments(Profile, Launches, 0.5 / Given.LeastLaunches)) {
    std::map<std::pair<long, long>, std::vector<size_t>> Cells;
    for (size_t I : Alike) {
      const LaunchWork &W = Work[I];
      const double Requests = (1 + W.MemoryRequests) / W.Instructions;
      Cells[{long(std::log2(W.Instructions) / SizeStep),
             std::lround(std::log2(Requests) / RequestsStep)}]
          .push_back(I);
    }
    // What arguments tell apart may differ in ways that no count shows.
    double Share = Given.LeastAlike;
    for (auto &[Cell, Members] : Cells) {
      const bool Few = std::min(Members.size(), Pending.size()) <
                       Least(std::exchange(Share, Given.LeastShare));
      if (!Pending.empty() && !Few)
        addStratum(Kernel, std::exchange(Pending, {}), Random);
      Pending.insert(Pending.end(), Members.begin(), Members.end());
    }
  }
  addStratum(Kernel, std::move(Pending), Random);
}

/// Whether the profile sees hardly any difference between \p Launches.
bool StratifiedSample::isTight(const std::vector<size_t> &Launches) const {
  return std::ranges::all_of(Counts, [&](double LaunchWork::*Count) {
    const auto [Least, Most] = std::ranges::minmax_element(
        Launches, {}, [&](size_t I) { return Work[I].*Count; });
    return Work[*Most].*Count - Work[*Least].*Count <=
           Tolerance * Work[*Most].*Count;
  });
}

/// The bits of \p N behind the binary point, the last one first: the sequence
/// of van der Corput, whose first numbers lie far apart at any length.
static double radicalInverse(unsigned N) {
  double Result = 0;
  for (double Bit = 0.5; N; N >>= 1, Bit /= 2)
    Result += N & 1 ? Bit : 0;
  return Result;
}

/// The smallest and the largest launch are in the pilot, so that the regression
/// need not guess beyond what it has seen.
void StratifiedSample::addStratum(const std::string &Kernel,
                                  std::vector<size_t> Launches,
                                  RandomNumbers &Random) {
  Stratum S;
  S.Kernel = Kernel;
  const size_t Pilot = std::min<size_t>(
      Launches.size(), isTight(Launches) ? Given.TightPilot : Given.Pilot);
  std::ranges::sort(Launches, {}, [&](size_t I) {
    return std::tuple(Work[I].Instructions, Work[I].MemoryRequests, I);
  });
  std::vector<bool> Taken(Launches.size());
  auto Take = [&](size_t I) {
    if (!Taken[I])
      S.Order.push_back(Launches[I]);
    Taken[I] = true;
  };
  if (Pilot == Given.Pilot && Pilot > Given.TightPilot) {
    Take(0);
    Take(Launches.size() - 1);
  }
  const double Shift = Random.uniform();
  for (unsigned N = 0; S.Order.size() < Launches.size(); ++N) {
    const double At = std::fmod(radicalInverse(N) + Shift, 1);
    size_t I = size_t(At * double(Launches.size()));
    while (Taken[I])
      I = (I + 1) % Launches.size();
    Take(I);
  }
  for (size_t I : S.Order)
    S.Instructions += uint64_t(Work[I].Instructions);
  choose(S, Pilot);
  Strata.push_back(std::move(S));
}

void StratifiedSample::choose(Stratum &S, size_t Count) {
  for (; S.Sampled < Count; ++S.Sampled)
    Chosen[S.Order[S.Sampled]] = true;
}

std::vector<size_t> StratifiedSample::launches() const {
  std::vector<size_t> Out;
  for (size_t I = 0; I < Chosen.size(); ++I)
    if (Chosen[I])
      Out.push_back(I);
  return Out;
}

std::vector<StratifiedSample::Estimate>
StratifiedSample::estimate(const std::vector<MeasuredLaunch> &Measured) const {
  std::vector<LaunchRegression> Models;
  double Pooled = 0, Freedom = 0;
  for (const Stratum &S : Strata) {
    std::vector<LaunchWork> Of;
    std::vector<double> Cycles;
    for (size_t I = 0; I < S.Sampled; ++I) {
      Of.push_back(Work[S.Order[I]]);
      Cycles.push_back(Measured[S.Order[I]].Cycles);
    }
    Models.emplace_back(Of, Cycles);
    if (S.Sampled > 1 && S.Sampled < S.Order.size()) {
      Pooled += Models.back().relativeDeviation() * double(S.Sampled - 1);
      Freedom += double(S.Sampled - 1);
    }
  }
  const double Prior = std::max(Freedom > 0 ? Pooled / Freedom : 0,
                                Given.PriorDeviation * Given.PriorDeviation);

  std::vector<Estimate> Out;
  for (size_t H = 0; H < Strata.size(); ++H) {
    const Stratum &S = Strata[H];
    const LaunchRegression &Model = Models[H];
    const double Count = double(S.Sampled),
                 Rest = double(S.Order.size()) - Count;
    Estimate E;
    E.Deviation = (Model.relativeDeviation() * (Count - 1) + Prior) / Count;
    // Terms that fit the sample by chance make the errors look smaller.
    E.Deviation *= Count / std::max(1.0, Count - double(Model.numTerms()) + 1);
    E.Freedom = std::max(1.0, Count - double(Model.numTerms()));
    const double StandsFor = double(S.Order.size()) / Count;
    for (size_t I = 0; I < S.Sampled; ++I) {
      E.Cycles += Measured[S.Order[I]].Cycles;
      E.InLaunches += StandsFor * Measured[S.Order[I]].Deviation;
    }
    LaunchWork Left{.Instructions = 0};
    for (size_t I = S.Sampled; I < S.Order.size(); ++I)
      Left += Work[S.Order[I]];
    if (Rest > 0) {
      E.Cycles += std::max(0.0, Model.cycles(Left, Rest));
      E.Variance += E.Deviation * Model.meanCycles() * Model.meanCycles() *
                    (Model.leverage(Left, Rest) +
                     Left.Instructions / Model.meanInstructions());
    }
    Out.push_back(E);
  }
  return Out;
}

double StratifiedSample::Sum::halfWidth() const {
  // Half a cycle, so that sums in floating point do not exclude the truth.
  return Quantile * std::hypot(std::sqrt(Variance), InLaunches) + 0.5;
}

/// All strata, with Satterthwaite's degrees of freedom: of a sum of variances
/// that are themselves estimated.
StratifiedSample::Sum
StratifiedSample::sum(const std::vector<Estimate> &Estimates) const {
  Sum S;
  double Squares = 0;
  for (const Estimate &E : Estimates) {
    S.Cycles += E.Cycles;
    S.Variance += E.Variance;
    S.InLaunches += E.InLaunches;
    Squares += E.Variance * E.Variance / E.Freedom;
  }
  const double Freedom = Squares > 0 ? S.Variance * S.Variance / Squares : 1e9;
  S.Quantile = studentQuantile(Given.Confidence, Freedom);
  return S;
}

ConfidentProjection
StratifiedSample::project(const std::vector<MeasuredLaunch> &Measured) const {
  const Sum S = sum(estimate(Measured));
  return {S.Cycles, S.Cycles - S.halfWidth(), S.Cycles + S.halfWidth()};
}

/// What the variance ought to be with \p Sampled launches.
double StratifiedSample::varianceWith(const Stratum &S, const Estimate &E,
                                      size_t Sampled) {
  const double Size = double(S.Order.size()), Now = double(S.Sampled),
               Then = double(Sampled);
  if (Sampled >= S.Order.size())
    return 0;
  return E.Variance * (Size - Then) / (Size - Now) * Now / Then;
}

/// The estimates as they ought to be with \p Counts launches of the strata.
std::vector<StratifiedSample::Estimate>
StratifiedSample::expect(std::vector<Estimate> Estimates,
                         const std::vector<size_t> &Counts) const {
  for (size_t H = 0; H < Strata.size(); ++H) {
    Estimate &E = Estimates[H];
    E.Variance = varianceWith(Strata[H], E, Counts[H]);
    E.Freedom += double(Counts[H] - Strata[H].Sampled);
  }
  return Estimates;
}

bool StratifiedSample::extend(const std::vector<MeasuredLaunch> &Measured,
                              double TargetError) {
  const std::vector<Estimate> Estimates = estimate(Measured);
  std::vector<size_t> Counts;
  for (const Stratum &S : Strata)
    Counts.push_back(S.Sampled);
  // What the blocks of the simulated launches leave open, more launches do not
  // mend; then the choice of launches is to add little to it.
  auto IsEnough = [&](const Sum &S) {
    const double Target = std::pow(TargetError * S.Cycles / S.Quantile, 2);
    return S.Variance <=
           std::max(Target - S.InLaunches * S.InLaunches, Target / 4);
  };
  while (!IsEnough(sum(expect(Estimates, Counts)))) {
    size_t Best = Strata.size();
    double Most = 0;
    for (size_t H = 0; H < Strata.size(); ++H) {
      const Stratum &S = Strata[H];
      if (Counts[H] == S.Order.size())
        continue;
      const double Reduction = varianceWith(S, Estimates[H], Counts[H]) -
                               varianceWith(S, Estimates[H], Counts[H] + 1);
      const double Gain =
          Reduction * double(S.Order.size()) / double(S.Instructions);
      if (Gain > Most) {
        Most = Gain;
        Best = H;
      }
    }
    if (Best == Strata.size())
      break; // all that varies is simulated
    ++Counts[Best];
  }
  // A small pilot can be wrong about the deviation: a quarter more at most.
  bool Grown = false;
  for (size_t H = 0; H < Strata.size(); ++H) {
    Stratum &S = Strata[H];
    const size_t Count =
        std::min(Counts[H], S.Sampled + std::max<size_t>(1, S.Sampled / 4));
    Grown |= Count > S.Sampled;
    choose(S, std::min(Count, S.Order.size()));
  }
  return Grown;
}

std::vector<StratumSummary>
StratifiedSample::summary(const std::vector<MeasuredLaunch> &Measured) const {
  const std::vector<Estimate> Estimates = estimate(Measured);
  std::vector<StratumSummary> Out;
  for (size_t H = 0; H < Strata.size(); ++H) {
    const Stratum &S = Strata[H];
    Out.push_back({S.Kernel, S.Order.size(), S.Sampled, S.Instructions,
                   Estimates[H].Cycles, std::sqrt(Estimates[H].Deviation)});
  }
  return Out;
}

} // namespace heddle::sampling
