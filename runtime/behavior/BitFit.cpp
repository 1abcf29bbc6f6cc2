//===- BitFit.cpp - Functions of the bits of indices ----------------------===//

#include "behavior/AccessFit.h"
#include "behavior/LinearFit.h"

#include <algorithm>
#include <tuple>

namespace heddle::behavior {

namespace {

/// A bit of a thread or block index that takes both values.
struct IndexBit {
  unsigned Key, Bit;
};

/// Bits of one index with their coefficients, as few terms as they take.
struct Terms {
  int64_t Coefficient = 0; ///< of the whole index
  std::vector<Field> Fields;
  /// In instructions: fields take a mask or shift beside the multiplication.
  size_t cost() const { return (Coefficient != 0) + 2 * Fields.size(); }
};

} // namespace

static std::vector<IndexBit> varyingBits(std::span<const AddressSample> S) {
  std::vector<IndexBit> Out;
  for (unsigned K = 0; K < Iteration0; ++K) {
    uint64_t Varies = 0;
    for (const AddressSample &Sample : S)
      Varies |= uint64_t(Sample.Where[K] ^ S.front().Where[K]);
    for (unsigned B = 0; B < 32; ++B)
      if (Varies >> B & 1)
        Out.push_back({K, B});
  }
  return Out;
}

/// What is left of the bits' \p Coefficients if the whole index has \p Whole.
static Terms joinFields(unsigned Key, const std::vector<unsigned> &Bits,
                        const std::vector<int64_t> &Coefficients,
                        int64_t Whole) {
  Terms Out;
  Out.Coefficient = Whole;
  int64_t Before = 0;
  for (size_t I = 0; I < Bits.size(); ++I) {
    const int64_t Rest = Coefficients[I] - Whole * (int64_t(1) << Bits[I]);
    if (Rest && Before && Rest == 2 * Before && Bits[I] == Bits[I - 1] + 1)
      ++Out.Fields.back().Bits;
    else if (Rest)
      Out.Fields.push_back({Key, Bits[I], 1, Rest});
    Before = Rest;
  }
  return Out;
}

static Terms cheapest(unsigned Key, const std::vector<unsigned> &Bits,
                      const std::vector<int64_t> &Coefficients) {
  Terms Best = joinFields(Key, Bits, Coefficients, 0);
  for (size_t I = Bits.size(); I-- > 0;)
    if (const int64_t Unit = int64_t(1) << Bits[I];
        Coefficients[I] && Coefficients[I] % Unit == 0)
      if (Terms T = joinFields(Key, Bits, Coefficients, Coefficients[I] / Unit);
          T.cost() < Best.cost())
        Best = std::move(T);
  return Best;
}

AffineFit fitBits(std::span<const AddressSample> Samples) {
  // More are no cheaper than what they would replace.
  constexpr size_t MostFields = 6, MostFitted = 2000;
  constexpr unsigned Rounds = 4;
  AffineFit Out;
  if (Samples.empty())
    return Out;
  const std::vector<IndexBit> Bits = varyingBits(Samples);
  const size_t Iterations = NumKeys - Iteration0;
  const size_t Each = Samples.size() / MostFitted + 1;
  LinearSamples In(Bits.size() + Iterations);
  std::vector<int64_t> Row(In.columns());
  for (size_t I = 0; I < Samples.size(); I += Each) {
    const Keys &Where = Samples[I].Where;
    for (size_t B = 0; B < Bits.size(); ++B)
      Row[B] = Where[Bits[B].Key] >> Bits[B].Bit & 1;
    std::copy(Where.begin() + Iteration0, Where.end(),
              Row.begin() + Bits.size());
    In.add(Row, Samples[I].Address);
  }
  const LinearFit Fit = fitLinear(In, Rounds);
  for (unsigned K = 0; K < Iteration0; ++K) {
    std::vector<unsigned> Own;
    std::vector<int64_t> Coefficients;
    for (size_t B = 0; B < Bits.size(); ++B)
      if (Bits[B].Key == K) {
        Own.push_back(Bits[B].Bit);
        Coefficients.push_back(Fit.Coefficients[B]);
      }
    Terms T = cheapest(K, Own, Coefficients);
    Out.Coefficients[K] = T.Coefficient;
    Out.Fields.insert(Out.Fields.end(), T.Fields.begin(), T.Fields.end());
  }
  std::copy_n(Fit.Coefficients.begin() + Bits.size(), Iterations,
              Out.Coefficients.begin() + Iteration0);
  if (Out.Fields.size() > MostFields)
    return {};
  // Bits that do not vary are part of the constant, or of the whole index.
  std::vector<int64_t> Rests;
  for (const AddressSample &S : Samples)
    Rests.push_back(S.Address - valueOf(Out.Coefficients, Out.Fields, S.Where));
  std::tie(Out.Constant, Out.Explained) = commonest(std::move(Rests));
  return Out;
}

} // namespace heddle::behavior
