//===- BranchObserver.cpp - How lanes divide at a branch ------------------===//

#include "behavior/BranchObserver.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace heddle::behavior {

namespace {

struct Candidate {
  Keys Coefficients = {};
  int64_t Modulus = 0;
};

Candidate single(unsigned K, int64_t Factor = 1) {
  Candidate C;
  C.Coefficients[K] = Factor;
  return C;
}

Candidate sum(const Candidate &A, const Candidate &B, int64_t Sign) {
  Candidate C = A;
  for (unsigned K = 0; K < NumKeys; ++K)
    C.Coefficients[K] += Sign * B.Coefficients[K];
  return C;
}

/// The simplest first: the first that fits is taken.
std::vector<Candidate> candidates(const Dim3 &Threads, const Dim3 &Grid) {
  std::vector<Candidate> Simple;
  for (unsigned K = 0; K < EarlierTrips; ++K)
    Simple.push_back(single(K));
  const int64_t Sizes[] = {Threads.X, Threads.Y, Threads.Z};
  for (unsigned D = 0; D < 3; ++D)
    if (Sizes[D] > 1)
      Simple.push_back(
          sum(single(ThreadX + D), single(BlockX + D, Sizes[D]), 1));
  if (Threads.Y > 1)
    Simple.push_back(sum(single(ThreadX), single(ThreadY, Sizes[0]), 1));
  std::vector<Candidate> All = Simple;
  // Loops whose threads, or all threads of the grid, step together.
  const int64_t Row = Sizes[0], Block = Threads.count();
  for (unsigned K = Iteration0; K < EarlierTrips; ++K)
    for (const Candidate &C : Simple)
      for (int64_t Step : {Row, Block, Row * Grid.X})
        if (Step > 1 && !C.Coefficients[K])
          All.push_back(sum(C, single(K, Step), 1));
  for (size_t I = 0; I < Simple.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      for (int64_t Sign : {-1, 1})
        All.push_back(sum(Simple[J], Simple[I], Sign));
  for (const Candidate &C : Simple)
    for (int64_t M = 2; M <= 64; M *= 2) {
      All.push_back(C);
      All.back().Modulus = M;
    }
  return All;
}

int64_t valueOf(const Candidate &C, const Keys &Where) {
  int64_t Sum = 0;
  for (unsigned K = 0; K < NumKeys; ++K)
    Sum += C.Coefficients[K] * Where[K];
  return C.Modulus ? Sum & (C.Modulus - 1) : Sum;
}

/// The share of \p Outside that lies in the interval of \p Inside, whose ends
/// are moved as far as the next one outside.
double overlap(const std::vector<int64_t> &Inside,
               const std::vector<int64_t> &Outside, int64_t &Lower,
               int64_t &Upper) {
  Lower = INT64_MIN;
  Upper = INT64_MAX;
  size_t In = 0;
  for (int64_t V : Outside)
    if (V < Inside.front())
      Lower = std::max(Lower, V + 1);
    else if (V > Inside.back())
      Upper = std::min(Upper, V);
    else
      ++In;
  return double(In) / Outside.size();
}

/// An interval of a sum that all samples inside lie in.
struct Bounds {
  Candidate Of;
  int64_t Lower = 0, Upper = 0;
};

/// The interval that keeps out most of \p Outside, of which those that it does
/// not are left.
Bounds keepOut(const std::vector<Candidate> &All,
               std::span<const AddressSample> Inside,
               std::vector<const AddressSample *> &Outside) {
  size_t Fewest = Outside.size();
  Bounds Best;
  for (const Candidate &C : All) {
    int64_t Least = INT64_MAX, Most = INT64_MIN;
    for (const AddressSample &S : Inside) {
      const int64_t V = valueOf(C, S.Where);
      Least = std::min(Least, V);
      Most = std::max(Most, V);
    }
    Bounds Own = {C, INT64_MIN, INT64_MAX};
    size_t In = 0;
    for (const AddressSample *S : Outside)
      if (const int64_t V = valueOf(C, S->Where); V < Least)
        Own.Lower = std::max(Own.Lower, V + 1);
      else if (V > Most)
        Own.Upper = std::min(Own.Upper, V);
      else
        ++In;
    if (In < Fewest) {
      Fewest = In;
      Best = Own;
    }
  }
  std::erase_if(Outside, [&](const AddressSample *S) {
    const int64_t V = valueOf(Best.Of, S->Where);
    return V < Best.Lower || V >= Best.Upper;
  });
  return Best;
}

/// Two intervals that hold at once for \p Inside and for few of \p Outside.
bool fitBoth(const std::vector<Candidate> &All,
             std::span<const AddressSample> Inside,
             std::span<const AddressSample> Outside, Branch &Out) {
  constexpr double MaxOverlap = 0.01;
  std::vector<const AddressSample *> Left;
  for (const AddressSample &S : Outside)
    Left.push_back(&S);
  const Bounds First = keepOut(All, Inside, Left);
  if (Left.empty() || Left.size() == Outside.size())
    return false;
  const Bounds Second = keepOut(All, Inside, Left);
  if (Left.size() > MaxOverlap * Outside.size() ||
      Second.Of.Coefficients == Keys{})
    return false;
  Out.IsFixed = true;
  Out.Coefficients = First.Of.Coefficients;
  Out.Lower = First.Lower;
  Out.Upper = First.Upper;
  Out.AlsoCoefficients = Second.Of.Coefficients;
  Out.AlsoLower = Second.Lower;
  Out.AlsoUpper = Second.Upper;
  return true;
}

} // namespace

void fitBranch(std::span<const AddressSample> Went,
               std::span<const AddressSample> Stayed, const Dim3 &Threads,
               const Dim3 &Grid, Branch &Out) {
  if (Went.empty() || Stayed.empty())
    return;
  constexpr double MaxOverlap = 0.01;
  std::vector<Candidate> All = candidates(Threads, Grid);
  for (const Candidate &C : All) {
    std::vector<int64_t> In, Not;
    for (const AddressSample &S : Went)
      In.push_back(valueOf(C, S.Where));
    for (const AddressSample &S : Stayed)
      Not.push_back(valueOf(C, S.Where));
    std::sort(In.begin(), In.end());
    std::sort(Not.begin(), Not.end());
    int64_t Lower, Upper;
    bool Fits = overlap(In, Not, Lower, Upper) <= MaxOverlap;
    if (!Fits && overlap(Not, In, Lower, Upper) <= MaxOverlap) {
      Fits = true;
      std::swap(Out.Taken, Out.Other);
    }
    if (!Fits)
      continue;
    Out.IsFixed = true;
    Out.Coefficients = C.Coefficients;
    Out.Modulus = C.Modulus;
    Out.Lower = Lower;
    Out.Upper = Upper;
    return;
  }
  std::erase_if(All, [](const Candidate &C) { return C.Modulus != 0; });
  if (!fitBoth(All, Went, Stayed, Out) && fitBoth(All, Stayed, Went, Out))
    std::swap(Out.Taken, Out.Other);
}

void BranchObserver::begin(uint32_t Mask,
                           const std::function<Keys(unsigned)> &Keys) {
  settle();
  Pending = Mask;
  for (unsigned Side = 0; Side < 2; ++Side)
    Wanted[Side] = Lanes[Side].wants();
  if (Wanted[0] || Wanted[1])
    for (unsigned L = 0; L < 32; ++L)
      if (Mask >> L & 1)
        Where[L] = Keys(L);
}

void BranchObserver::settle() {
  if (!Pending)
    return;
  ++Executions;
  Taken &= Pending;
  for (unsigned Side = 0; Side < 2; ++Side) {
    uint32_t Mask = Side ? Taken : Pending & ~Taken;
    if (!Mask || !Wanted[Side])
      continue;
    // The outermost lanes show where a side ends.
    unsigned First = std::countr_zero(Mask), Last = 31 - std::countl_zero(Mask);
    unsigned Some = Lanes[Side].random() % 32;
    for (unsigned L : {First, Last, Some})
      if (Mask >> L & 1)
        Lanes[Side].add({Where[L], 0});
  }
  if (Taken == Pending) {
    ++All;
  } else if (Taken) {
    ++Mixed;
    MixedLanes += std::popcount(Pending);
    MixedTaken += std::popcount(Taken);
  }
  Pending = Taken = 0;
}

void BranchObserver::finish(const Dim3 &Threads, const Dim3 &Grid,
                            Branch &Out) const {
  if (!Executions)
    return;
  Out.AllTaken = double(All) / Executions;
  Out.Mixed = double(Mixed) / Executions;
  Out.MixedLanes = MixedLanes ? double(MixedTaken) / MixedLanes : 0;
  fitBranch(Lanes[1].samples(), Lanes[0].samples(), Threads, Grid, Out);
}

} // namespace heddle::behavior
