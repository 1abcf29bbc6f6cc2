//===- AccessFit.cpp - Affine functions from observed addresses -----------===//

#include "behavior/AccessFit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace heddle::behavior {

namespace {

constexpr unsigned Rounds = 6;

struct Solution {
  std::array<double, NumKeys> Coefficients = {};
  double Constant = 0;
};

/// Normal equations about the means, columns that others explain left out.
Solution leastSquares(const std::vector<const AddressSample *> &Samples) {
  std::array<double, NumKeys> Mean = {};
  double MeanAddress = 0;
  for (const AddressSample *S : Samples) {
    for (unsigned K = 0; K < NumKeys; ++K)
      Mean[K] += double(S->Where[K]) / Samples.size();
    MeanAddress += double(S->Address) / Samples.size();
  }
  double A[NumKeys][NumKeys + 1] = {};
  for (const AddressSample *S : Samples)
    for (unsigned I = 0; I < NumKeys; ++I) {
      double X = S->Where[I] - Mean[I];
      if (X == 0)
        continue;
      for (unsigned J = 0; J < NumKeys; ++J)
        A[I][J] += X * (S->Where[J] - Mean[J]);
      A[I][NumKeys] += X * (S->Address - MeanAddress);
    }
  std::array<double, NumKeys> Scale;
  for (unsigned K = 0; K < NumKeys; ++K)
    Scale[K] = A[K][K];
  std::array<bool, NumKeys> Used = {};
  for (unsigned K = 0; K < NumKeys; ++K) {
    if (Scale[K] <= 0 || A[K][K] < 1e-9 * Scale[K])
      continue;
    Used[K] = true;
    for (unsigned I = 0; I < NumKeys; ++I) {
      if (I == K)
        continue;
      double F = A[I][K] / A[K][K];
      for (unsigned J = 0; J <= NumKeys; ++J)
        A[I][J] -= F * A[K][J];
    }
  }
  Solution R;
  R.Constant = MeanAddress;
  for (unsigned K = 0; K < NumKeys; ++K)
    if (Used[K]) {
      R.Coefficients[K] = std::round(A[K][NumKeys] / A[K][K]);
      R.Constant -= R.Coefficients[K] * Mean[K];
    }
  return R;
}

} // namespace

AffineFit fitAffine(std::span<const AddressSample> Samples) {
  AffineFit Best;
  std::vector<const AddressSample *> In;
  for (const AddressSample &S : Samples)
    In.push_back(&S);
  for (unsigned Round = 0; Round < Rounds && In.size() >= 2; ++Round) {
    Solution R = leastSquares(In);
    auto Rest = [&](const AddressSample &S) {
      int64_t Sum = S.Address;
      for (unsigned K = 0; K < NumKeys; ++K)
        Sum -= int64_t(R.Coefficients[K]) * S.Where[K];
      return Sum;
    };
    // The constant is what most samples agree on.
    std::vector<int64_t> Rests;
    for (const AddressSample &S : Samples)
      Rests.push_back(Rest(S));
    std::sort(Rests.begin(), Rests.end());
    int64_t Constant = Rests[Rests.size() / 2];
    size_t Most = 0;
    for (size_t I = 0; I < Rests.size();) {
      size_t End = std::upper_bound(Rests.begin() + I, Rests.end(), Rests[I]) -
                   Rests.begin();
      if (End - I > Most) {
        Most = End - I;
        Constant = Rests[I];
      }
      I = End;
    }
    double Explained = double(Most) / Rests.size();
    if (Explained > Best.Explained) {
      Best.Explained = Explained;
      Best.Constant = Constant;
      for (unsigned K = 0; K < NumKeys; ++K)
        Best.Coefficients[K] = int64_t(R.Coefficients[K]);
    }
    if (Explained > 0.999)
      break;
    // Keep the nearer four fifths.
    std::vector<std::pair<int64_t, const AddressSample *>> Far;
    int64_t Middle = Rests[Rests.size() / 2];
    for (const AddressSample *S : In)
      Far.emplace_back(std::abs(Rest(*S) - Middle), S);
    std::stable_sort(Far.begin(), Far.end(), [](const auto &A, const auto &B) {
      return A.first < B.first;
    });
    In.clear();
    for (size_t I = 0; I < Far.size() * 4 / 5; ++I)
      In.push_back(Far[I].second);
  }
  return Best;
}

} // namespace heddle::behavior
