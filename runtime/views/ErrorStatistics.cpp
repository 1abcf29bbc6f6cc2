//===- ErrorStatistics.cpp - How far estimates are from the truth ---------===//

#include "views/ErrorStatistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace heddle::views {

double Estimate::error() const { return std::abs(Predicted - Actual) / Actual; }

/// Tau-b by comparing all pairs: tables of results have at most thousands.
static std::optional<double> kendall(std::span<const Estimate> E) {
  int64_t Balance = 0, Pairs = 0, TiesP = 0, TiesA = 0;
  for (size_t I = 0; I < E.size(); ++I)
    for (size_t J = I + 1; J < E.size(); ++J) {
      int P =
          (E[I].Predicted > E[J].Predicted) - (E[I].Predicted < E[J].Predicted);
      int A = (E[I].Actual > E[J].Actual) - (E[I].Actual < E[J].Actual);
      ++Pairs;
      TiesP += P == 0;
      TiesA += A == 0;
      Balance += P * A;
    }
  double Scale = std::sqrt(double(Pairs - TiesP) * double(Pairs - TiesA));
  if (Scale == 0)
    return std::nullopt;
  return Balance / Scale;
}

static std::optional<double> regret(std::span<const Estimate> E, unsigned K) {
  if (E.size() < 2)
    return std::nullopt;
  std::vector<size_t> Order(E.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::ranges::sort(Order, [&](size_t I, size_t J) {
    return E[I].Predicted != E[J].Predicted ? E[I].Predicted < E[J].Predicted
                                            : I < J;
  });
  double Best = E[0].Actual, Chosen = E[Order[0]].Actual;
  for (const Estimate &X : E)
    Best = std::min(Best, X.Actual);
  for (size_t I = 0; I < std::min<size_t>(K, E.size()); ++I)
    Chosen = std::min(Chosen, E[Order[I]].Actual);
  return Chosen / Best - 1;
}

ErrorStatistics errorStatistics(std::span<const Estimate> E, unsigned K) {
  ErrorStatistics S;
  S.Count = E.size();
  if (E.empty())
    return S;
  std::vector<double> Errors;
  for (size_t I = 0; I < E.size(); ++I) {
    Errors.push_back(E[I].error());
    S.Mean += Errors.back() / E.size();
    if (Errors.back() > S.Worst) {
      S.Worst = Errors.back();
      S.WorstIndex = I;
    }
  }
  std::ranges::sort(Errors);
  size_t Middle = Errors.size() / 2;
  S.Median = Errors.size() % 2 ? Errors[Middle]
                               : (Errors[Middle - 1] + Errors[Middle]) / 2;
  S.Tau = kendall(E);
  S.Regret = regret(E, std::max(1u, K));
  return S;
}

} // namespace heddle::views
