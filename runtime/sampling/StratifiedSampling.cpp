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

/// By launch, the kernel that ran before it. Of predecessors that fewer than
/// \p Least launches of a kernel have no name is kept.
static std::vector<std::string> predecessors(const ApplicationProfile &Profile,
                                             size_t Least) {
  const auto &Launches = Profile.Launches;
  std::vector<std::string> Before(Launches.size());
  std::map<std::pair<std::string, std::string>, size_t> Count;
  for (size_t I = 1; I < Launches.size(); ++I) {
    Before[I] = Launches[I - 1].Kernel;
    ++Count[{Before[I], Launches[I].Kernel}];
  }
  for (size_t I = 1; I < Launches.size(); ++I)
    if (Count[{Before[I], Launches[I].Kernel}] < Least)
      Before[I].clear();
  return Before;
}

StratifiedSample::StratifiedSample(const ApplicationProfile &Profile,
                                   const arch::GPUSpec &Machine,
                                   const Options &Given)
    : Given(Given), Chosen(Profile.Launches.size()) {
  const std::vector<std::string> Before =
      Given.L2Kept ? predecessors(Profile, Given.LeastLaunches)
                   : std::vector<std::string>(Profile.Launches.size());
  std::map<std::tuple<std::string, uint64_t, std::string>, std::vector<size_t>>
      Kernels;
  for (size_t I = 0; I < Profile.Launches.size(); ++I) {
    const LaunchProfile &L = Profile.Launches[I];
    const auto Fit = arch::computeOccupancy(L.blockResources(), Machine);
    Work.push_back(
        LaunchWork::of(L, Machine.SM.Count, Fit ? Fit->BlocksPerSM : 1));
    Instructions += Work.back().Instructions;
    Kernels[{L.Kernel, L.Block.count(), Before[I]}].push_back(I);
  }
  RandomNumbers Random(Given.Seed);
  for (auto &[Key, Launches] : Kernels) {
    const size_t First = Strata.size();
    const std::vector<size_t> Repeated = takeRepeated(Profile, Launches);
    if (!Repeated.empty())
      addStrata(Profile, Repeated, Random);
    addStrata(Profile, Launches, Random);
    choosePair(First);
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

/// Launches of one kernel and block size that arguments and grid tell apart:
/// they may differ in ways that no count shows. Where all launches of a part
/// are equal a few are enough to be a stratum; others join their neighbour.
void StratifiedSample::addStrata(const ApplicationProfile &Profile,
                                 const std::vector<size_t> &Launches,
                                 RandomNumbers &Random) {
  const std::string &Kernel = Profile.Launches[Launches.front()].Kernel;
  const size_t Least = std::max<size_t>(
      Given.LeastLaunches, size_t(Given.LeastShare * double(Launches.size())));
  std::vector<size_t> Pending;
  for (std::vector<size_t> &Alike :
       splitByArguments(Profile, Launches, 0.5 / Given.LeastLaunches,
                        /*ByGrid=*/true)) {
    if (Alike.size() >= Given.LeastLaunches && isTight(Alike)) {
      addStratum(Kernel, std::move(Alike), Random);
      continue;
    }
    if (std::min(Alike.size(), Pending.size()) >= Least)
      addStratum(Kernel, std::exchange(Pending, {}), Random);
    Pending.insert(Pending.end(), Alike.begin(), Alike.end());
  }
  if (!Pending.empty())
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

/// By the root of the stratum's share of the application: of a small one not
/// as much needs to be known.
size_t StratifiedSample::pilotOf(const Stratum &S) const {
  const double Wanted =
      double(Given.Pilot) * std::sqrt(double(S.Instructions) / Instructions);
  return S.Tight
             ? 1
             : std::max<size_t>(Given.LeastPilot, size_t(std::lround(Wanted)));
}

/// Of a kernel's strata without differences, from \p First on, the largest
/// shows with a second launch whether there are some that no count tells of.
void StratifiedSample::choosePair(size_t First) {
  Stratum *Largest = nullptr;
  for (size_t H = First; H < Strata.size(); ++H)
    if (Strata[H].Tight &&
        (!Largest || Strata[H].Instructions > Largest->Instructions))
      Largest = &Strata[H];
  if (Largest)
    choose(*Largest, std::min<size_t>(Given.TightPilot, Largest->Order.size()));
}

/// Nearly the smallest and the largest launch are in a large pilot, so that the
/// regression need not guess far beyond what it has seen. The largest one
/// itself may cost as much as several others.
void StratifiedSample::addStratum(const std::string &Kernel,
                                  std::vector<size_t> Launches,
                                  RandomNumbers &Random) {
  Stratum S;
  S.Kernel = Kernel;
  S.Tight = isTight(Launches);
  for (size_t I : Launches)
    S.Instructions += uint64_t(Work[I].Instructions);
  const size_t Pilot = std::min(Launches.size(), pilotOf(S));
  std::ranges::sort(Launches, {}, [&](size_t I) {
    return std::tuple(Work[I].Instructions, Work[I].MemoryRequests, I);
  });
  std::vector<bool> Taken(Launches.size());
  auto Take = [&](size_t I) {
    if (!Taken[I])
      S.Order.push_back(Launches[I]);
    Taken[I] = true;
  };
  if (Pilot > Given.LeastPilot) {
    constexpr size_t FromEnd = 50; // a fiftieth of the launches is beyond
    Take(Launches.size() / FromEnd);
    Take(Launches.size() - 1 - Launches.size() / FromEnd);
  }
  const double Shift = Random.uniform();
  for (unsigned N = 0; S.Order.size() < Launches.size(); ++N) {
    const double At = std::fmod(radicalInverse(N) + Shift, 1);
    size_t I = size_t(At * double(Launches.size()));
    while (Taken[I])
      I = (I + 1) % Launches.size();
    Take(I);
  }
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
  // What equal launches vary by says nothing of others, nor they of it.
  double Pooled[2] = {}, Freedom[2] = {};
  for (const Stratum &S : Strata) {
    std::vector<LaunchWork> Of;
    std::vector<double> Cycles;
    for (size_t I = 0; I < S.Sampled; ++I) {
      Of.push_back(Work[S.Order[I]]);
      Cycles.push_back(Measured[S.Order[I]].Cycles);
    }
    Models.emplace_back(Of, Cycles);
    if (S.Sampled > 1 && S.Sampled < S.Order.size()) {
      const double More = double(S.Sampled - 1);
      Pooled[S.Tight] += Models.back().relativeDeviation() * More;
      Freedom[S.Tight] += More;
    }
  }
  auto PriorOf = [&](bool Tight) {
    return std::max(Freedom[Tight] > 0 ? Pooled[Tight] / Freedom[Tight] : 0,
                    Given.PriorDeviation * Given.PriorDeviation);
  };

  std::vector<Estimate> Out;
  for (size_t H = 0; H < Strata.size(); ++H) {
    const Stratum &S = Strata[H];
    const LaunchRegression &Model = Models[H];
    const double Count = double(S.Sampled),
                 Rest = double(S.Order.size()) - Count;
    Estimate E;
    E.Deviation =
        (Model.relativeDeviation() * (Count - 1) + PriorOf(S.Tight)) / Count;
    // Terms that fit the sample by chance make the errors look smaller. Each
    // was chosen among others, so it counts half as much again.
    const double Added = double(Model.numTerms()) - 1;
    E.Deviation *= Count / std::max(1.0, Count - 1.5 * Added);
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
