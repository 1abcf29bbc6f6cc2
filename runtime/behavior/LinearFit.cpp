//===- LinearFit.cpp - Least squares with integers ------------------------===//

#include "behavior/LinearFit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle::behavior {

/// Normal equations about the means, columns that others explain left out.
/// Rounded to multiples of \p Unit.
static std::vector<int64_t> leastSquares(const LinearSamples &Samples,
                                         const std::vector<size_t> &Rows,
                                         int64_t Unit = 1) {
  const size_t N = Samples.columns();
  std::vector<double> Mean(N);
  double MeanValue = 0;
  // Counted from the first row, so that what does not vary is exactly zero.
  const int64_t *First = Samples.row(Rows.front());
  const int64_t FirstValue = Samples.value(Rows.front());
  for (size_t I : Rows) {
    for (size_t K = 0; K < N; ++K)
      Mean[K] += double(Samples.row(I)[K] - First[K]) / Rows.size();
    MeanValue += double(Samples.value(I) - FirstValue) / Rows.size();
  }
  std::vector<std::vector<double>> A(N, std::vector<double>(N + 1));
  std::vector<double> Centred(N + 1);
  for (size_t R : Rows) {
    for (size_t K = 0; K < N; ++K)
      Centred[K] = double(Samples.row(R)[K] - First[K]) - Mean[K];
    Centred[N] = double(Samples.value(R) - FirstValue) - MeanValue;
    for (size_t I = 0; I < N; ++I)
      if (const double X = Centred[I]; X != 0)
        for (size_t J = 0; J <= N; ++J)
          A[I][J] += X * Centred[J];
  }
  std::vector<double> Scale(N);
  for (size_t K = 0; K < N; ++K)
    Scale[K] = A[K][K];
  std::vector<bool> Used(N);
  for (size_t K = 0; K < N; ++K) {
    if (Scale[K] <= 0 || A[K][K] < 1e-9 * Scale[K])
      continue;
    Used[K] = true;
    for (size_t I = 0; I < N; ++I) {
      if (I == K)
        continue;
      double F = A[I][K] / A[K][K];
      for (size_t J = 0; J <= N; ++J)
        A[I][J] -= F * A[K][J];
    }
  }
  std::vector<int64_t> Out(N);
  for (size_t K = 0; K < N; ++K)
    if (Used[K])
      Out[K] = Unit * std::llround(A[K][N] / A[K][K] / double(Unit));
  return Out;
}

/// What a sum with these coefficients leaves of each row's value.
static std::vector<int64_t> restsOf(const LinearSamples &Samples,
                                    const std::vector<int64_t> &Coefficients) {
  std::vector<int64_t> Rests(Samples.rows());
  for (size_t I = 0; I < Rests.size(); ++I) {
    Rests[I] = Samples.value(I);
    for (size_t K = 0; K < Samples.columns(); ++K)
      Rests[I] -= Coefficients[K] * Samples.row(I)[K];
  }
  return Rests;
}

/// Keeps the four fifths of \p Rows whose rests lie nearest to the middle.
static void keepNearest(std::vector<size_t> &Rows,
                        const std::vector<int64_t> &Rests) {
  std::vector<int64_t> Sorted = Rests;
  std::nth_element(Sorted.begin(), Sorted.begin() + Sorted.size() / 2,
                   Sorted.end());
  const int64_t Middle = Sorted[Sorted.size() / 2];
  std::stable_sort(Rows.begin(), Rows.end(), [&](size_t A, size_t B) {
    return std::abs(Rests[A] - Middle) < std::abs(Rests[B] - Middle);
  });
  Rows.resize(Rows.size() * 4 / 5);
}

static std::vector<size_t> allRows(const LinearSamples &Samples) {
  std::vector<size_t> Rows(Samples.rows());
  std::iota(Rows.begin(), Rows.end(), 0);
  return Rows;
}

std::pair<int64_t, double> commonest(std::vector<int64_t> Values) {
  std::sort(Values.begin(), Values.end());
  int64_t Best = Values.empty() ? 0 : Values[Values.size() / 2];
  size_t Most = 0;
  for (size_t I = 0; I < Values.size();) {
    size_t End = std::upper_bound(Values.begin() + I, Values.end(), Values[I]) -
                 Values.begin();
    if (End - I > Most) {
      Most = End - I;
      Best = Values[I];
    }
    I = End;
  }
  return {Best, Values.empty() ? 0 : double(Most) / Values.size()};
}

LinearFit fitLinear(const LinearSamples &Samples, unsigned Rounds) {
  LinearFit Best;
  Best.Coefficients.assign(Samples.columns(), 0);
  std::vector<size_t> In = allRows(Samples);
  for (unsigned Round = 0; Round < Rounds && In.size() >= 2; ++Round) {
    std::vector<int64_t> Coefficients = leastSquares(Samples, In);
    const std::vector<int64_t> Rests = restsOf(Samples, Coefficients);
    auto [Constant, Explained] = commonest(Rests);
    if (Explained > Best.Explained)
      Best = {std::move(Coefficients), Constant, Explained};
    if (Explained > 0.999)
      break;
    keepNearest(In, Rests);
  }
  return Best;
}

BandFit fitBand(const LinearSamples &Samples, int64_t Unit) {
  /// Of the rows, on either side: those at an array's ends go elsewhere.
  constexpr double Outside = 0.005;
  constexpr unsigned Rounds = 4;
  BandFit Best;
  std::vector<size_t> In = allRows(Samples);
  for (unsigned Round = 0; Round < Rounds && In.size() >= 2; ++Round) {
    std::vector<int64_t> Coefficients = leastSquares(Samples, In, Unit);
    const std::vector<int64_t> Rests = restsOf(Samples, Coefficients);
    std::vector<int64_t> Sorted = Rests;
    std::ranges::sort(Sorted);
    const auto Out = size_t(Outside * double(Sorted.size()));
    const int64_t Low = Sorted[Out], High = Sorted[Sorted.size() - 1 - Out];
    if (!Round || High - Low < Best.High - Best.Low)
      Best = {std::move(Coefficients), Low, High};
    keepNearest(In, Rests);
  }
  return Best;
}

} // namespace heddle::behavior
