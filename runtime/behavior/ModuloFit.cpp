//===- ModuloFit.cpp - Affine functions that go around --------------------===//
//
// Least squares know nothing of remainders. Here the coefficients follow from
// differences between samples, by elimination in the integers modulo a power of
// two, where each odd number has an inverse.
//
//===----------------------------------------------------------------------===//

#include "behavior/AccessFit.h"
#include "behavior/LinearFit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <tuple>

namespace heddle::behavior {

namespace {

/// Differences of the keys, and of the address in the last column.
using Row = std::array<uint64_t, NumKeys + 1>;

struct Pivot {
  size_t Row;
  unsigned Column, Zeros; ///< trailing ones of its number
};

/// Newton's iteration doubles the number of right bits; 5 bits to begin with.
uint64_t inverseOf(uint64_t Odd) {
  uint64_t X = (3 * Odd) ^ 2;
  for (unsigned Bits = 5; Bits < 64; Bits *= 2)
    X *= 2 - Odd * X;
  return X;
}

/// Linear equations modulo 2^Width.
class Equations {
public:
  Equations(std::vector<Row> Rows, unsigned Width)
      : Rows(std::move(Rows)), Width(Width), Mask((uint64_t(1) << Width) - 1) {}

  /// A solution in which unknowns that nothing decides are small, or nothing.
  std::optional<Keys> solve() {
    std::vector<Pivot> Pivots;
    while (auto P = nextPivot(Pivots)) {
      eliminate(*P, Pivots);
      Pivots.push_back(*P);
    }
    Keys Out = {};
    while (!Pivots.empty()) {
      const Pivot P = Pivots.back();
      Pivots.pop_back();
      uint64_t Rest = Rows[P.Row][NumKeys];
      for (unsigned K = 0; K < NumKeys; ++K)
        if (K != P.Column)
          Rest -= Rows[P.Row][K] * uint64_t(Out[K]);
      Rest &= Mask;
      if (Rest & ((uint64_t(1) << P.Zeros) - 1))
        return std::nullopt;
      Out[P.Column] = nearZero(Rest >> P.Zeros, Width - P.Zeros);
    }
    return Out;
  }

private:
  static int64_t nearZero(uint64_t Value, unsigned Bits) {
    const unsigned Above = 64 - Bits;
    return Bits ? int64_t(Value << Above) >> Above : 0;
  }

  /// The number with the fewest factors of two divides all others.
  std::optional<Pivot> nextPivot(const std::vector<Pivot> &Done) const {
    std::optional<Pivot> Best;
    for (size_t R = Done.size(); R < Rows.size(); ++R)
      for (unsigned K = 0; K < NumKeys; ++K) {
        const uint64_t Value = Rows[R][K] & Mask;
        if (!Value || std::ranges::any_of(
                          Done, [&](const Pivot &P) { return P.Column == K; }))
          continue;
        const unsigned Zeros = std::countr_zero(Value);
        if (!Best || Zeros < Best->Zeros)
          Best = {R, K, Zeros};
      }
    return Best;
  }

  /// Brings the pivot's row behind those that are done, makes its number a
  /// power of two, and takes it out of the rows below.
  void eliminate(Pivot &P, const std::vector<Pivot> &Done) {
    std::swap(Rows[P.Row], Rows[Done.size()]);
    P.Row = Done.size();
    Row &Own = Rows[P.Row];
    const uint64_t Inverse = inverseOf((Own[P.Column] & Mask) >> P.Zeros);
    for (uint64_t &Value : Own)
      Value *= Inverse;
    for (size_t R = P.Row + 1; R < Rows.size(); ++R) {
      const uint64_t Times = (Rows[R][P.Column] & Mask) >> P.Zeros;
      for (size_t K = 0; K <= NumKeys; ++K)
        Rows[R][K] -= Times * Own[K];
    }
  }

  std::vector<Row> Rows;
  unsigned Width;
  uint64_t Mask;
};

} // namespace

static uint64_t sumOf(const Keys &Coefficients, const Keys &Where) {
  uint64_t Sum = 0;
  for (unsigned K = 0; K < NumKeys; ++K)
    Sum += uint64_t(Coefficients[K]) * uint64_t(Where[K]);
  return Sum;
}

/// Coefficients from \p Count samples, each so far from the next.
static std::optional<Keys> solveSome(std::span<const AddressSample> Samples,
                                     size_t First, size_t Count,
                                     unsigned Width) {
  const size_t Apart = std::max<size_t>(Samples.size() / Count, 1);
  std::vector<Row> Rows;
  for (size_t I = First + Apart; I < Samples.size(); I += Apart) {
    Row R;
    for (unsigned K = 0; K < NumKeys; ++K)
      R[K] = uint64_t(Samples[I].Where[K] - Samples[First].Where[K]);
    R[NumKeys] = uint64_t(Samples[I].Address - Samples[First].Address);
    Rows.push_back(R);
  }
  return Equations(std::move(Rows), Width).solve();
}

AffineFit fitModulo(std::span<const AddressSample> Samples, int64_t Least,
                    uint64_t Span) {
  // Few samples are free of what borders or branches do, in one of the tries.
  constexpr size_t Tries = 8, Equations = 48;
  constexpr unsigned MostWidth = 32; // so that factors are words
  AffineFit Best;
  const unsigned Width = std::bit_width(std::max<uint64_t>(Span, 2) - 1);
  if (Samples.size() < 2 * Tries || Width > MostWidth)
    return Best;
  const uint64_t Modulus = uint64_t(1) << Width;
  for (size_t Try = 0; Try < Tries && Best.Explained < 1; ++Try) {
    const auto Found = solveSome(Samples, Try, Equations, Width);
    if (!Found)
      continue;
    AffineFit Fit;
    Fit.Coefficients = *Found;
    Fit.Modulus = Modulus;
    std::vector<int64_t> Rests;
    for (const AddressSample &S : Samples)
      Rests.push_back(int64_t(
          (uint64_t(S.Address - Least) - sumOf(*Found, S.Where)) % Modulus));
    std::tie(Fit.Constant, Fit.Explained) = commonest(std::move(Rests));
    Fit.Constant += Least;
    if (Fit.Explained > Best.Explained)
      Best = Fit;
  }
  return Best;
}

} // namespace heddle::behavior
