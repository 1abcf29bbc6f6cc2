//===- AccessFit.cpp - Affine functions from observed addresses -----------===//

#include "behavior/AccessFit.h"

#include "behavior/LinearFit.h"

#include <algorithm>

namespace heddle::behavior {

int64_t valueOf(const Keys &Coefficients, const std::vector<Field> &Fields,
                const Keys &Where) {
  int64_t Sum = 0;
  for (unsigned K = 0; K < NumKeys; ++K)
    Sum += Coefficients[K] * Where[K];
  for (const Field &F : Fields)
    Sum += F.valueOf(Where[F.Key]);
  return Sum;
}

AffineFit fitAffine(std::span<const AddressSample> Samples) {
  constexpr unsigned Rounds = 6;
  LinearSamples In(NumKeys);
  for (const AddressSample &S : Samples)
    In.add(S.Where, S.Address);
  LinearFit Fit = fitLinear(In, Rounds);
  AffineFit Out;
  Out.Constant = Fit.Constant;
  std::copy_n(Fit.Coefficients.begin(), unsigned(NumKeys),
              Out.Coefficients.begin());
  Out.Explained = Fit.Explained;
  return Out;
}

NearFit fitNear(std::span<const AddressSample> Samples, unsigned Unit) {
  LinearSamples In(NumKeys);
  for (const AddressSample &S : Samples)
    In.add(S.Where, S.Address);
  const BandFit Fit = fitBand(In, Unit);
  NearFit Out;
  Out.Constant = Fit.Low;
  std::copy_n(Fit.Coefficients.begin(), unsigned(NumKeys),
              Out.Coefficients.begin());
  Out.Bytes = uint64_t(Fit.High) - uint64_t(Fit.Low);
  return Out;
}

} // namespace heddle::behavior
