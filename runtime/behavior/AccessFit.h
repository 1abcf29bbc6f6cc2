//===- AccessFit.h - Affine functions from observed addresses ---*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_ACCESSFIT_H
#define HEDDLE_BEHAVIOR_ACCESSFIT_H

#include "behavior/BehaviorProfile.h"

#include <span>

namespace heddle::behavior {

struct AddressSample {
  Keys Where;
  int64_t Address;
};

struct AffineFit {
  int64_t Constant = 0;
  Keys Coefficients = {};
  double Explained = 0; ///< share of the samples that the function gives
};

/// Least squares over the keys that vary, rounded to integers; samples that
/// are far off are left out and the fit repeated, so that clamped borders do
/// not spoil it.
AffineFit fitAffine(std::span<const AddressSample> Samples);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_ACCESSFIT_H
