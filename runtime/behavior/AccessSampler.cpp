//===- AccessSampler.cpp - A sample of a record's accesses ----------------===//

#include "behavior/AccessSampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

namespace heddle::behavior {

/// Fibonacci hashing; the upper bits depend on all of the lower ones.
static uint64_t hashOf(uint64_t Sector) {
  return (Sector * 0x9E3779B97F4A7C15ull) >> 32;
}

void SectorCounts::touch(uint64_t Sector) {
  if (hashOf(Sector) & (OneIn - 1))
    return;
  ++Counts[Sector];
  if (Counts.size() <= MaxFollowed)
    return;
  OneIn *= 2;
  std::erase_if(Counts, [&](const auto &C) {
    return (hashOf(C.first) & (OneIn - 1)) != 0;
  });
}

double SectorCounts::entropy() const {
  // The followed ones stand for all: each for OneIn alike.
  double Touches = 0, Sum = 0;
  for (const auto &[Sector, N] : Counts) {
    Touches += N;
    Sum += N * std::log2(double(N));
  }
  // Rounding may leave a little less than nothing.
  return Touches ? std::max(0.0, std::log2(Touches * OneIn) - Sum / Touches)
                 : 0;
}

/// Bank-conflict replays in 32 banks of four bytes; lanes on one word share.
static unsigned bankConflicts(const trace::MemoryAccess &A) {
  std::set<uint64_t> Words;
  unsigned PerBank[32] = {}, Most = 1;
  for (unsigned L = 0; L < 32; ++L)
    if (A.Mask >> L & 1)
      if (uint64_t Word = A.address(L) / 4; Words.insert(Word).second)
        Most = std::max(Most, ++PerBank[Word % 32]);
  return Most - 1;
}

static unsigned sectorsOf(const trace::MemoryAccess &A, unsigned Bytes) {
  std::set<uint64_t> Sectors;
  for (unsigned L = 0; L < 32; ++L)
    if (A.Mask >> L & 1)
      for (uint64_t S = A.address(L) / 32; S <= (A.address(L) + Bytes - 1) / 32;
           ++S)
        Sectors.insert(S);
  return Sectors.size();
}

/// A sample of the entries, one lane of each.
void AccessSampler::follow(const trace::MemoryAccess &A, bool IsNew) {
  constexpr size_t MaxLines = 64;
  if (IsNew) {
    if (Own.Lane < 32 && Own.Lines.size() <= MaxLines) {
      ++Followed;
      OwnLines += Own.Lines.size();
      for (auto [Line, Sectors] : Own.Lines)
        OwnSectors += std::popcount(Sectors);
      OwnBytes += Own.Most - Own.Least;
      OwnTouches += Own.Touches;
    }
    const uint64_t Entry = EntriesSeen++;
    Own = {};
    if (Entry < 256 || Entry % 64 == 0)
      Own.Lane = std::countr_zero(A.Mask);
    if (Own.Lane < 32)
      Own.Least = Own.Most = A.address(Own.Lane);
  }
  if (Own.Lane == 32 || !(A.Mask >> Own.Lane & 1) ||
      Own.Lines.size() > MaxLines)
    return;
  const uint64_t Address = A.address(Own.Lane);
  Own.Least = std::min(Own.Least, Address);
  Own.Most = std::max(Own.Most, Address);
  ++Own.Touches;
  auto It = std::find_if(Own.Lines.begin(), Own.Lines.end(), [&](auto &Line) {
    return Line.first == Address / 128;
  });
  if (It == Own.Lines.end())
    It = Own.Lines.insert(It, {Address / 128, 0});
  It->second |= 1 << Address / 32 % 4;
}

void AccessSampler::add(const trace::MemoryAccess &A, unsigned Bytes,
                        uint64_t Entry,
                        const std::function<Keys(unsigned)> &Where) {
  ++Requests;
  Space = A.Space;
  follow(A, Entry != LastEntry);
  uint64_t Before = UINT64_MAX;
  int Neighbour = -1;
  std::optional<uint64_t> Step;
  for (unsigned L = 0; L < 32; ++L) {
    if (!(A.Mask >> L & 1))
      continue;
    const uint64_t Address = A.address(L);
    Least = std::min(Least, Address);
    Most = std::max(Most, Address);
    if (Address / 32 != Before)
      Touched.touch(Before = Address / 32);
    if (Neighbour >= 0)
      Strides.add(int64_t(Address - Last[Neighbour]) / int(L - Neighbour));
    if (Entry == LastEntry && (LastMask >> L & 1)) {
      const uint64_t Own = Address - Last[L];
      Steps.add(int64_t(Own));
      if (Step) {
        ++StepsSeen;
        CommonSteps += Own == *Step;
      } else {
        Step = Own;
      }
    }
    Last[L] = Address;
    Neighbour = L;
  }
  LastMask = Entry == LastEntry ? LastMask | A.Mask : A.Mask;
  LastEntry = Entry;
  if (!Samples.wants())
    return;
  ++Measured;
  Sectors += sectorsOf(A, Bytes);
  if (Space == HEDDLE_SPACE_SHARED)
    Conflicts += bankConflicts(A);
  unsigned First = std::countr_zero(A.Mask),
           Final = 31 - std::countl_zero(A.Mask);
  unsigned Some = Samples.random() % 32;
  for (unsigned L : {First, Final, Some})
    if (A.Mask >> L & 1)
      Samples.add({Where(L), int64_t(A.address(L))});
}

uint64_t AccessSampler::middleAddress() const {
  std::vector<int64_t> Addresses;
  for (const AddressSample &S : Samples.samples())
    Addresses.push_back(S.Address);
  std::nth_element(Addresses.begin(), Addresses.begin() + Addresses.size() / 2,
                   Addresses.end());
  return Addresses[Addresses.size() / 2];
}

/// Near a sum of indices, in a part of all that is touched.
void AccessSampler::findNear(uint64_t Base, Access &Out) const {
  constexpr uint64_t Part = 8;
  const NearFit Fit = fitNear(Samples.samples(), std::max(Out.Bytes, 1u));
  if (!Fit.Bytes || Fit.Bytes > UINT32_MAX ||
      Fit.Bytes > uint64_t(Out.Most - Out.Least) / Part)
    return;
  Out.Near = Fit.Bytes;
  Out.Constant = Fit.Constant - int64_t(Base);
  Out.Coefficients = Fit.Coefficients;
  Out.Fields.clear();
  Out.Modulus = 0;
}

void AccessSampler::finish(uint64_t Base, Access &Out) const {
  /// Below this share an affine function does not describe the access.
  constexpr double MinExplained = 0.8;
  Out.Requests = Requests;
  if (Samples.samples().empty())
    return;
  AffineFit Fit = fitAffine(Samples.samples());
  // A few that go elsewhere, at borders, are not worth a function of bits.
  constexpr double NearlyAll = 0.9;
  if (Fit.Explained < NearlyAll)
    if (AffineFit Bits = fitBits(Samples.samples());
        Bits.Explained >= NearlyAll)
      Fit = std::move(Bits);
  constexpr double Whole = 0.99;
  if (Fit.Explained < Whole)
    if (AffineFit Around = fitModulo(Samples.samples(), int64_t(Least),
                                     Most - Least + Out.Bytes);
        Around.Explained >= std::max(NearlyAll, Fit.Explained))
      Fit = std::move(Around);
  Out.Explained = Fit.Explained;
  Out.IsAffine = Fit.Explained >= MinExplained;
  Out.Constant = Fit.Constant - int64_t(Base);
  Out.Coefficients = Fit.Coefficients;
  Out.Fields = Fit.Fields;
  Out.Modulus = Fit.Modulus;
  Out.Least = int64_t(Least - Base);
  Out.Most = int64_t(Most - Base);
  Out.SectorsPerRequest = double(Sectors) / Measured;
  Out.ConflictsPerRequest = double(Conflicts) / Measured;
  std::tie(Out.Step, Out.StepShare) = Steps.mode();
  std::tie(Out.LaneStride, Out.LaneShare) = Strides.mode();
  Out.FootprintSectors = Touched.distinct();
  Out.SectorEntropy = Touched.entropy();
  if (!Out.IsAffine && Space == HEDDLE_SPACE_GLOBAL)
    findNear(Base, Out);
  // Most entries stay in few lines, to which they return.
  constexpr double ComesBack = 3, Near = 4;
  if (!Out.IsAffine && Followed &&
      2 * Followed > std::min<uint64_t>(EntriesSeen, 256) &&
      OwnTouches > ComesBack * OwnLines &&
      Near * OwnBytes < double(Out.Most - Out.Least) * Followed) {
    Out.OwnLines = OwnLines / Followed;
    Out.OwnSectors = OwnSectors / Followed;
    Out.OwnBytes = std::llround(OwnBytes / Followed);
    Out.OwnTogether = CommonSteps > NearlyAll * StepsSeen;
  }
}

} // namespace heddle::behavior
