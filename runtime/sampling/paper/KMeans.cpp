//===- KMeans.cpp - Weighted k-means, number of clusters by BIC -----------===//

#include "sampling/paper/KMeans.h"

#include "sampling/RandomNumbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace heddle::sampling {

static double squaredDistance(const std::vector<double> &A,
                              const std::vector<double> &B) {
  double Sum = 0;
  for (size_t D = 0; D < A.size(); ++D)
    Sum += (A[D] - B[D]) * (A[D] - B[D]);
  return Sum;
}

static size_t nearestCentre(const std::vector<double> &Point,
                            const Points &Centres) {
  size_t Best = 0;
  double Least = std::numeric_limits<double>::infinity();
  for (size_t C = 0; C < Centres.size(); ++C)
    if (double D = squaredDistance(Point, Centres[C]); D < Least) {
      Least = D;
      Best = C;
    }
  return Best;
}

/// Each next centre is a point drawn by weight and squared distance to the
/// centres so far (Arthur and Vassilvitskii, SODA 2007).
static Points firstCentres(const Points &P, const std::vector<double> &Weights,
                           size_t K, RandomNumbers &Random) {
  auto draw = [&](const std::vector<double> &Mass) {
    double Sum = std::accumulate(Mass.begin(), Mass.end(), 0.0);
    double Left = Random.uniform() * Sum;
    for (size_t I = 0; I < Mass.size(); ++I)
      if ((Left -= Mass[I]) < 0)
        return I;
    return Mass.size() - 1;
  };
  Points Centres = {P[draw(Weights)]};
  std::vector<double> Distance(P.size(),
                               std::numeric_limits<double>::infinity());
  while (Centres.size() < K) {
    std::vector<double> Mass(P.size());
    for (size_t I = 0; I < P.size(); ++I) {
      Distance[I] =
          std::min(Distance[I], squaredDistance(P[I], Centres.back()));
      Mass[I] = Distance[I] * Weights[I];
    }
    if (std::ranges::all_of(Mass, [](double M) { return M == 0; }))
      break; // fewer different points than clusters
    Centres.push_back(P[draw(Mass)]);
  }
  return Centres;
}

/// Weighted means; a cluster that lost its points keeps its centre.
static void moveCentres(const Points &P, const std::vector<double> &Weights,
                        Clustering &C) {
  Points Sums(C.Centres.size(), std::vector<double>(P.front().size(), 0));
  std::vector<double> Mass(C.Centres.size(), 0);
  for (size_t I = 0; I < P.size(); ++I) {
    Mass[C.Of[I]] += Weights[I];
    for (size_t D = 0; D < P[I].size(); ++D)
      Sums[C.Of[I]][D] += Weights[I] * P[I][D];
  }
  for (size_t K = 0; K < Sums.size(); ++K)
    if (Mass[K] > 0)
      for (size_t D = 0; D < Sums[K].size(); ++D)
        C.Centres[K][D] = Sums[K][D] / Mass[K];
}

/// Drops clusters without points.
static void compact(Clustering &C) {
  constexpr size_t None = size_t(-1);
  std::vector<size_t> Number(C.Centres.size(), None);
  Points Centres;
  for (size_t &K : C.Of) {
    if (Number[K] == None) {
      Number[K] = Centres.size();
      Centres.push_back(C.Centres[K]);
    }
    K = Number[K];
  }
  C.Centres = std::move(Centres);
}

/// Log-likelihood of identical spherical Gaussians, minus half the number of
/// parameters times the logarithm of the number of points.
static double bayesianCriterion(const Points &P,
                                const std::vector<double> &Weights,
                                const Clustering &C) {
  const double R = double(P.size()), M = double(P.front().size());
  const double K = double(C.Centres.size());
  const double Total = std::accumulate(Weights.begin(), Weights.end(), 0.0);
  // Weights scaled to mean 1 count like repeated points. Distances below what
  // sums of doubles can tell apart count as none.
  const double Variance =
      std::max(C.Distortion / Total * R / (M * std::max(1.0, R - K)), 1e-12);
  std::vector<double> Size(C.Centres.size(), 0);
  for (size_t I = 0; I < P.size(); ++I)
    Size[C.Of[I]] += Weights[I] * R / Total;
  double Likelihood = 0;
  for (double N : Size)
    Likelihood += N * std::log(N / R) -
                  N * M / 2 * std::log(2 * std::numbers::pi * Variance) -
                  (N - 1) * M / 2;
  return Likelihood - (K - 1 + M * K + 1) / 2 * std::log(R);
}

Clustering clusterKMeans(const Points &P, const std::vector<double> &Weights,
                         size_t K, uint64_t Seed) {
  constexpr unsigned MaxRounds = 100; // SimPoint's default
  RandomNumbers Random(Seed);
  Clustering C;
  C.Centres = firstCentres(P, Weights, std::min(K, P.size()), Random);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    std::vector<size_t> Before = std::move(C.Of);
    C.Of.clear();
    for (const std::vector<double> &Point : P)
      C.Of.push_back(nearestCentre(Point, C.Centres));
    if (C.Of == Before)
      break;
    moveCentres(P, Weights, C);
  }
  compact(C);
  for (size_t I = 0; I < P.size(); ++I)
    C.Distortion += Weights[I] * squaredDistance(P[I], C.Centres[C.Of[I]]);
  C.BIC = bayesianCriterion(P, Weights, C);
  return C;
}

Points projectRandomly(const Points &P, size_t Dimensions, uint64_t Seed) {
  if (P.empty() || P.front().size() <= Dimensions)
    return P;
  RandomNumbers Random(Seed);
  Points Matrix(P.front().size(), std::vector<double>(Dimensions));
  for (std::vector<double> &Row : Matrix)
    for (double &Value : Row)
      Value = 2 * Random.uniform() - 1;
  Points Result;
  for (const std::vector<double> &Point : P) {
    std::vector<double> Projected(Dimensions, 0);
    for (size_t D = 0; D < Point.size(); ++D)
      if (Point[D] != 0)
        for (size_t To = 0; To < Dimensions; ++To)
          Projected[To] += Point[D] * Matrix[D][To];
    Result.push_back(std::move(Projected));
  }
  return Result;
}

Clustering clusterByBIC(const Points &P, const std::vector<double> &Weights,
                        const SelectionOptions &Options) {
  if (P.empty())
    return {};
  const Points Projected =
      projectRandomly(P, Options.ProjectedDimensions, Options.Seed);
  std::vector<Clustering> ByK;
  for (size_t K = 1; K <= std::min(Options.MaxClusters, P.size()); ++K) {
    Clustering Best;
    for (unsigned S = 0; S < Options.Seeds; ++S) {
      Clustering C = clusterKMeans(Projected, Weights, K,
                                   Options.Seed * 1000003 + K * 101 + S);
      if (S == 0 || C.Distortion < Best.Distortion)
        Best = std::move(C);
    }
    ByK.push_back(std::move(Best));
  }
  auto [Worst, Best] =
      std::ranges::minmax(ByK, {}, [](const Clustering &C) { return C.BIC; });
  double Enough = Worst.BIC + Options.BICShare * (Best.BIC - Worst.BIC);
  Clustering Chosen = *std::ranges::find_if(
      ByK, [&](const Clustering &C) { return C.BIC >= Enough; });
  Chosen.Centres.assign(Chosen.Centres.size(),
                        std::vector<double>(P.front().size(), 0));
  moveCentres(P, Weights, Chosen); // back in the space of P
  return Chosen;
}

std::vector<size_t> representatives(const Points &P, const Clustering &C) {
  std::vector<size_t> Best(C.Centres.size(), size_t(-1));
  std::vector<double> Least(C.Centres.size(),
                            std::numeric_limits<double>::infinity());
  for (size_t I = 0; I < P.size(); ++I)
    if (double D = squaredDistance(P[I], C.Centres[C.Of[I]]);
        D < Least[C.Of[I]]) {
      Least[C.Of[I]] = D;
      Best[C.Of[I]] = I;
    }
  return Best;
}

} // namespace heddle::sampling
