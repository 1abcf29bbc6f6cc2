//===- LaunchRegression.cpp - Cycles of launches from their work ----------===//

#include "sampling/LaunchRegression.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace heddle::sampling {

/// Warp instructions of the busiest of \p SMs: the GPU is filled in turn, then
/// an SM that is done gets the next block.
static double busiestSM(const LaunchProfile &Launch, unsigned SMs,
                        unsigned BlocksPerSM) {
  const size_t AtOnce = size_t(SMs) * BlocksPerSM;
  std::vector<double> Busy(SMs);
  for (size_t I = 0; I < Launch.Blocks.size(); ++I) {
    const auto Next = I < AtOnce ? Busy.begin() + ptrdiff_t(I % SMs)
                                 : std::ranges::min_element(Busy);
    *Next += double(Launch.Blocks[I].WarpInstructions);
  }
  return std::ranges::max(Busy);
}

/// Warp instructions of the busiest of \p Slots places for blocks, each of
/// which gets the next block when it is done.
static double busiestSlot(const LaunchProfile &Launch, size_t Slots) {
  std::priority_queue<double, std::vector<double>, std::greater<>> Busy;
  double Most = 0;
  for (const BlockWork &B : Launch.Blocks) {
    double Start = 0;
    if (Busy.size() == Slots) {
      Start = Busy.top();
      Busy.pop();
    }
    Busy.push(Start + double(B.WarpInstructions));
    Most = std::max(Most, Start + double(B.WarpInstructions));
  }
  return Most;
}

LaunchWork LaunchWork::of(const LaunchProfile &Launch, unsigned SMs,
                          unsigned BlocksPerSM) {
  LaunchWork W;
  const BlockWork Total = Launch.total();
  W.Instructions = std::max<double>(1, double(Total.WarpInstructions));
  W.MemoryRequests = double(Total.MemoryRequests);
  W.Blocks = double(Launch.Blocks.size());
  for (const BlockWork &B : Launch.Blocks)
    W.LargestBlock = std::max(W.LargestBlock, double(B.WarpInstructions));
  W.BusiestSM = busiestSM(Launch, SMs, BlocksPerSM);
  W.Crowding = W.BusiestSM * W.BusiestSM / std::max(W.LargestBlock, 1.0);
  W.BusiestSlot = busiestSlot(Launch, size_t(SMs) * BlocksPerSM);
  return W;
}

LaunchWork &LaunchWork::operator+=(const LaunchWork &Other) {
  Instructions += Other.Instructions;
  LargestBlock += Other.LargestBlock;
  MemoryRequests += Other.MemoryRequests;
  BusiestSM += Other.BusiestSM;
  Blocks += Other.Blocks;
  Crowding += Other.Crowding;
  BusiestSlot += Other.BusiestSlot;
  return *this;
}

static constexpr unsigned Constant = 1; // of the terms

LaunchRegression::AllTerms LaunchRegression::terms(const LaunchWork &Work,
                                                   double Count) {
  return {Work.Instructions,   Count,           Work.LargestBlock,
          Work.MemoryRequests, Work.BusiestSM,  Work.Blocks,
          Work.Crowding,       Work.BusiestSlot};
}

/// The chosen terms, each over its largest value.
LaunchRegression::Row LaunchRegression::row(const LaunchWork &Work,
                                            double Count) const {
  const AllTerms All = terms(Work, Count);
  Row R{};
  for (unsigned T = 0; T < Terms; ++T)
    R[T] = All[Chosen[T]] / Scale[T];
  return R;
}

template <size_t N>
static double dot(const std::array<double, N> &A,
                  const std::array<double, N> &B) {
  double Sum = 0;
  for (size_t I = 0; I < N; ++I)
    Sum += A[I] * B[I];
  return Sum;
}

/// The inverse of the symmetric positive matrix \p A, whose first \p Size rows
/// and columns are in use, by Gauss and Jordan's elimination.
template <size_t N>
static std::array<std::array<double, N>, N>
invert(std::array<std::array<double, N>, N> A, unsigned Size) {
  std::array<std::array<double, N>, N> B{};
  for (unsigned I = 0; I < Size; ++I)
    B[I][I] = 1;
  for (unsigned Pivot = 0; Pivot < Size; ++Pivot) {
    const double Factor = 1 / A[Pivot][Pivot];
    for (unsigned C = 0; C < Size; ++C) {
      A[Pivot][C] *= Factor;
      B[Pivot][C] *= Factor;
    }
    for (unsigned R = 0; R < Size; ++R) {
      const double Part = A[R][Pivot];
      if (R == Pivot || Part == 0)
        continue;
      for (unsigned C = 0; C < Size; ++C) {
        A[R][C] -= Part * A[Pivot][C];
        B[R][C] -= Part * B[Pivot][C];
      }
    }
  }
  return B;
}

/// The model with one more term.
LaunchRegression LaunchRegression::with(unsigned Term,
                                        std::span<const LaunchWork> Work,
                                        std::span<const double> Cycles) const {
  LaunchRegression Next = *this;
  const unsigned NumTerms = ++Next.Terms;
  Next.Chosen[Terms] = Term;
  Next.Scale.fill(1);
  Row Largest{};
  for (const LaunchWork &W : Work) {
    const Row R = Next.row(W, 1);
    for (unsigned T = 0; T < MaxTerms; ++T)
      Largest[T] = std::max(Largest[T], R[T]);
  }
  for (unsigned T = 0; T < NumTerms; ++T)
    Next.Scale[T] = Largest[T] > 0 ? Largest[T] : 1;

  // A little on the diagonal, so that terms that do not vary do no harm.
  constexpr double Ridge = 1e-9;
  std::array<Row, MaxTerms> Normal{};
  Row Right{};
  for (unsigned T = 0; T < NumTerms; ++T)
    Normal[T][T] = Ridge;
  for (size_t I = 0; I < Work.size(); ++I) {
    const Row R = Next.row(Work[I], 1);
    const double Weight = MeanInstructions / Work[I].Instructions;
    for (unsigned A = 0; A < NumTerms; ++A) {
      Right[A] += Weight * R[A] * Cycles[I];
      for (unsigned B = 0; B < NumTerms; ++B)
        Normal[A][B] += Weight * R[A] * R[B];
    }
  }
  Next.Inverse = invert(Normal, NumTerms);
  for (unsigned T = 0; T < NumTerms; ++T)
    Next.Coefficients[T] = dot(Next.Inverse[T], Right);

  double Squares = 0;
  for (size_t I = 0; I < Work.size() && Work.size() > 1; ++I) {
    const double Weight = MeanInstructions / Work[I].Instructions;
    const double Own = std::min(0.99, Weight * Next.leverage(Work[I], 1));
    const double Error = (Cycles[I] - Next.cycles(Work[I], 1)) / (1 - Own);
    Squares += Weight * Error * Error;
  }
  Next.Deviation = Squares / double(Work.size()) / (MeanCycles * MeanCycles);
  return Next;
}

LaunchRegression::LaunchRegression(std::span<const LaunchWork> Work,
                                   std::span<const double> Cycles) {
  for (size_t I = 0; I < Work.size(); ++I) {
    MeanCycles += Cycles[I] / double(Work.size());
    MeanInstructions += Work[I].Instructions / double(Work.size());
  }
  MeanCycles = std::max(MeanCycles, 1.0);
  *this = with(0, Work, Cycles);
  constexpr double Better = 0.8;
  // Each has its terms ascending, so that no choice comes twice.
  std::vector<LaunchRegression> Smaller;
  for (unsigned T = 0; T < std::tuple_size_v<AllTerms>; ++T) {
    LaunchRegression None = *this;
    None.Terms = 0;
    Smaller.push_back(None.with(T, Work, Cycles));
  }
  for (unsigned Size = 2; Size <= MaxTerms && Work.size() >= Size + 2; ++Size) {
    std::vector<LaunchRegression> Models;
    for (const LaunchRegression &M : Smaller)
      for (unsigned T = M.Chosen[Size - 2] + 1; T < std::tuple_size_v<AllTerms>;
           ++T)
        Models.push_back(M.with(T, Work, Cycles));
    const LaunchRegression *Best = nullptr;
    for (const LaunchRegression &M : Models)
      if (M.isPlausible() && (!Best || M.Deviation < Best->Deviation))
        Best = &M;
    if (Best && Best->Deviation < std::pow(Better, Size - Terms) * Deviation)
      *this = *Best;
    Smaller = std::move(Models);
  }
}

/// Work costs time.
bool LaunchRegression::isPlausible() const {
  const double Rounding = 1e-6 * MeanCycles;
  for (unsigned T = 0; T < Terms; ++T)
    if (Chosen[T] != Constant && Coefficients[T] < -Rounding)
      return false;
  return true;
}

double LaunchRegression::cycles(const LaunchWork &Sum, double Count) const {
  return dot(row(Sum, Count), Coefficients);
}

double LaunchRegression::leverage(const LaunchWork &Sum, double Count) const {
  const Row R = row(Sum, Count);
  double Total = 0;
  for (unsigned T = 0; T < Terms; ++T)
    Total += R[T] * dot(Inverse[T], R);
  return Total;
}

} // namespace heddle::sampling
