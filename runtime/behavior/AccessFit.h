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
  std::vector<Field> Fields;
  uint64_t Modulus = 0; ///< of the distance from the least address; 0: none
  double Explained = 0; ///< share of the samples that the function gives
};

/// Least squares over the keys that vary, rounded to integers; samples that
/// are far off are left out and the fit repeated, so that clamped borders do
/// not spoil it.
AffineFit fitAffine(std::span<const AddressSample> Samples);

/// The same with a coefficient for each bit of thread and block indices, which
/// remainders, quotients and exclusive ors with powers of two need.
/// Neighbouring bits whose coefficients double are joined to fields, and what
/// most of them have in common to coefficients of whole indices. Nothing is
/// explained if that leaves more than a handful of fields.
AffineFit fitBits(std::span<const AddressSample> Samples);

/// An affine function that goes around in the bytes from \p Least on, as an
/// index that a mask cuts does: linear equations modulo the power of two that
/// \p Span bytes take. The constant is an address.
AffineFit fitModulo(std::span<const AddressSample> Samples, int64_t Least,
                    uint64_t Span);

/// An affine function behind which all but 1 % of the samples lie, at most
/// Bytes away: least squares, with coefficients that are multiples of \p Unit.
struct NearFit {
  int64_t Constant = 0;
  Keys Coefficients = {};
  uint64_t Bytes = 0; ///< from the nearest sample to the farthest
};
NearFit fitNear(std::span<const AddressSample> Samples, unsigned Unit);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_ACCESSFIT_H
