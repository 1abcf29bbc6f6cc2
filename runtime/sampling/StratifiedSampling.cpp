//===- StratifiedSampling.cpp - A projection with a confidence interval ---===//

#include "sampling/StratifiedSampling.h"

#include "sampling/RandomNumbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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

/// Launches of one kernel and block size, in groups with similar numbers of
/// instructions and of memory requests per instruction. The time of a launch
/// has a part that does not grow with its work, so cycles per instruction
/// depend on the size. Wide groups keep their number small.
StratifiedSample::StratifiedSample(const ApplicationProfile &Profile,
                                   const Options &Given)
    : Given(Given), Chosen(Profile.Launches.size()) {
  using Key = std::tuple<std::string, uint64_t, int, int>;
  std::map<Key, std::vector<size_t>> Groups;
  for (size_t I = 0; I < Profile.Launches.size(); ++I) {
    const LaunchProfile &L = Profile.Launches[I];
    Instructions.push_back(std::max<uint64_t>(L.total().WarpInstructions, 1));
    const double Requests =
        double(L.total().MemoryRequests) / double(Instructions[I]);
    Groups[{L.Kernel, L.Block.count(), std::ilogb(double(Instructions[I])),
            int(std::lround(std::log2(1 + Requests) / Given.RequestsStep))}]
        .push_back(I);
  }
  // Groups that the pilot would take whole join their neighbour of the same
  // kernel.
  RandomNumbers Random(Given.Seed);
  const Key *Last = nullptr;
  for (auto &[K, Members] : Groups) {
    const bool SameKernel = Last && std::get<0>(*Last) == std::get<0>(K) &&
                            std::get<1>(*Last) == std::get<1>(K);
    const bool Few =
        Members.size() < 2 * Given.Pilot ||
        (SameKernel && Strata.back().Order.size() < 2 * Given.Pilot);
    if (!SameKernel || !Few)
      Strata.emplace_back();
    Stratum &S = Strata.back();
    S.Order.insert(S.Order.end(), Members.begin(), Members.end());
    Last = &K;
  }
  for (Stratum &S : Strata) {
    for (size_t I : S.Order)
      S.Instructions += Instructions[I];
    for (size_t I = S.Order.size(); I > 1; --I)
      std::swap(S.Order[I - 1], S.Order[Random.below(I)]);
    choose(S, std::min<size_t>(S.Order.size(), Given.Pilot));
  }
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

uint64_t StratifiedSample::sampledInstructions() const {
  uint64_t Sum = 0;
  for (size_t I : launches())
    Sum += Instructions[I];
  return Sum;
}

/// Variance of the stratum's total, for a sample without replacement.
double StratifiedSample::varianceOf(const Stratum &S, const Estimate &E,
                                    size_t Sampled) {
  const double N = double(S.Order.size()), Count = double(Sampled);
  return N * N * (1 - Count / N) * E.Deviation / Count;
}

std::vector<StratifiedSample::Estimate>
StratifiedSample::estimate(const std::vector<double> &Cycles) const {
  std::vector<Estimate> Out;
  // Squared deviations relative to the launch's cycles, of all strata: a few
  // launches that happen to be alike do not make a stratum certain.
  double Pooled = 0, Freedom = 0;
  std::vector<double> Relative;
  for (const Stratum &S : Strata) {
    double Work = 0, Time = 0, Sum = 0;
    for (size_t I = 0; I < S.Sampled; ++I) {
      Work += double(Instructions[S.Order[I]]);
      Time += Cycles[S.Order[I]];
    }
    Estimate E;
    E.Ratio = Time / Work;
    for (size_t I = 0; I < S.Sampled; ++I) {
      const double Expected = E.Ratio * double(Instructions[S.Order[I]]);
      Sum += std::pow(
          (Cycles[S.Order[I]] - Expected) / (Time / double(S.Sampled)), 2);
    }
    Relative.push_back(Sum);
    if (S.Sampled > 1 && S.Sampled < S.Order.size()) {
      Pooled += Sum;
      Freedom += double(S.Sampled - 1);
    }
    Out.push_back(E);
  }
  Pooled = Freedom > 0 ? Pooled / Freedom : 0;
  constexpr double Prior = 1; // observations that the pool counts for
  for (size_t H = 0; H < Strata.size(); ++H) {
    const Stratum &S = Strata[H];
    const double Mean =
        Out[H].Ratio * double(S.Instructions) / double(S.Order.size());
    Out[H].Deviation = Mean * Mean * (Relative[H] + Prior * Pooled) /
                       (double(S.Sampled - 1) + Prior);
  }
  return Out;
}

/// Satterthwaite's: of a sum of variances that are themselves estimated.
double StratifiedSample::degreesOfFreedom(
    const std::vector<Estimate> &Estimates) const {
  double Sum = 0, Squares = 0;
  for (size_t H = 0; H < Strata.size(); ++H) {
    const double V = varianceOf(Strata[H], Estimates[H], Strata[H].Sampled);
    Sum += V;
    if (V > 0)
      Squares += V * V / std::max(1.0, double(Strata[H].Sampled) - 1);
  }
  return Squares > 0 ? Sum * Sum / Squares : 1e9;
}

double
StratifiedSample::quantile(const std::vector<Estimate> &Estimates) const {
  return studentQuantile(Given.Confidence, degreesOfFreedom(Estimates));
}

ConfidentProjection
StratifiedSample::project(const std::vector<double> &Cycles) const {
  const std::vector<Estimate> Estimates = estimate(Cycles);
  ConfidentProjection P;
  double Variance = 0;
  for (size_t H = 0; H < Strata.size(); ++H) {
    P.Cycles += Estimates[H].Ratio * double(Strata[H].Instructions);
    Variance += varianceOf(Strata[H], Estimates[H], Strata[H].Sampled);
  }
  // Half a cycle, so that sums in floating point do not exclude the truth.
  const double Half = quantile(Estimates) * std::sqrt(Variance) + 0.5;
  P.Low = P.Cycles - Half;
  P.High = P.Cycles + Half;
  return P;
}

bool StratifiedSample::extend(const std::vector<double> &Cycles,
                              double TargetError) {
  const std::vector<Estimate> Estimates = estimate(Cycles);
  const ConfidentProjection Now = project(Cycles);
  const double Allowed =
      std::pow(TargetError * Now.Cycles / quantile(Estimates), 2);
  std::vector<size_t> Counts;
  double Variance = 0;
  for (size_t H = 0; H < Strata.size(); ++H) {
    Counts.push_back(Strata[H].Sampled);
    Variance += varianceOf(Strata[H], Estimates[H], Counts[H]);
  }
  while (Variance > Allowed) {
    size_t Best = Strata.size();
    double Most = 0;
    for (size_t H = 0; H < Strata.size(); ++H) {
      const Stratum &S = Strata[H];
      if (Counts[H] == S.Order.size())
        continue;
      const double Less = varianceOf(S, Estimates[H], Counts[H]) -
                          varianceOf(S, Estimates[H], Counts[H] + 1);
      const double Gain =
          Less * double(S.Order.size()) / double(S.Instructions);
      if (Gain > Most) {
        Most = Gain;
        Best = H;
      }
    }
    if (Best == Strata.size())
      break; // all that varies is simulated
    Variance -= varianceOf(Strata[Best], Estimates[Best], Counts[Best]);
    ++Counts[Best];
    Variance += varianceOf(Strata[Best], Estimates[Best], Counts[Best]);
  }
  bool Grown = false;
  for (size_t H = 0; H < Strata.size(); ++H) {
    Grown |= Counts[H] > Strata[H].Sampled;
    choose(Strata[H], Counts[H]);
  }
  return Grown;
}

} // namespace heddle::sampling
