//===- plans.cu - From a transform to its passes --------------------------===//

#include "Plan.h"

#include <algorithm>
#include <climits>
#include <cmath>

using namespace heddle_fft;

/// Points that the lines of a block have, so that two copies of them fit its
/// shared memory.
static int pointsOfBlock(size_t ElementBytes) {
  return int(SharedBytes / (2 * ElementBytes));
}

static std::vector<int> primesOf(int N) {
  std::vector<int> Primes;
  for (int F = 2; (long long)F * F <= N; ++F)
    for (; N % F == 0; N /= F)
      Primes.push_back(F);
  if (N > 1)
    Primes.push_back(N);
  std::reverse(Primes.begin(), Primes.end());
  return Primes;
}

/// \p Primes in groups whose products are at most \p Limit; one that is larger
/// is a group by itself.
static std::vector<std::vector<int>> group(const std::vector<int> &Primes,
                                           int Limit) {
  std::vector<std::vector<int>> Groups;
  long long Product = 0;
  for (int F : Primes) {
    if (Product == 0 || Product * F > Limit) {
      Groups.emplace_back();
      Product = 1;
    }
    Groups.back().push_back(F);
    Product *= F;
  }
  return Groups;
}

/// The lines of as few passes as possible, about equally long.
static std::vector<std::vector<int>> split(int N, int Limit) {
  const std::vector<int> Primes = primesOf(N);
  const size_t Fewest = group(Primes, Limit).size();
  int Least = 2;
  while (Least < Limit && group(Primes, Least).size() > Fewest)
    Least = std::min(Limit, Least + (Least + 7) / 8);
  return group(Primes, Least);
}

cufftResult Plan::check(const Shape &S) {
  switch (S.Type) {
  case CUFFT_C2C:
  case CUFFT_R2C:
  case CUFFT_C2R:
  case CUFFT_Z2Z:
  case CUFFT_D2Z:
  case CUFFT_Z2D:
    break;
  default:
    return CUFFT_INVALID_TYPE;
  }
  if (S.Rank < 1 || S.Rank > MaxRank || S.Batch < 1)
    return CUFFT_INVALID_SIZE;
  for (int D = 0; D < S.Rank; ++D)
    if (S.N[D] < 1 || S.N[D] > INT_MAX)
      return CUFFT_INVALID_SIZE;
  if (S.InEmbed && S.OutEmbed && (S.InStride < 1 || S.OutStride < 1))
    return CUFFT_INVALID_VALUE;
  return CUFFT_SUCCESS;
}

static Layout advanced(int Rank, const long long *Embed, long long Stride,
                       long long Batch) {
  Layout L = {};
  for (int D = Rank - 1; D >= 0; --D) {
    L.Strides[D] = Stride;
    Stride *= Embed[D];
  }
  L.Batch = Batch;
  return L;
}

Plan::Plan(const Shape &S) : Rank(S.Rank), Type(S.Type), Batch(S.Batch) {
  for (int D = 0; D < MaxRank; ++D)
    N[D] = D < Rank ? int(S.N[D]) : 1;
  // Without the extents of what lies around them arrays are packed.
  IsAdvanced = S.InEmbed && S.OutEmbed;
  if (!IsAdvanced)
    return;
  In = advanced(Rank, S.InEmbed, S.InStride, S.InBatch);
  Out = advanced(Rank, S.OutEmbed, S.OutStride, S.OutBatch);
}

Plan::~Plan() {
  for (void *Table : Roots)
    if (Table)
      (void)cudaFree(Table);
  if (OwnsWork && Work)
    (void)cudaFree(Work);
}

long long Plan::points() const { return Batch * N[0] * N[1] * N[2]; }

static bool isReal(cufftType T, bool IsInput) {
  return IsInput ? T == CUFFT_R2C || T == CUFFT_D2Z
                 : T == CUFFT_C2R || T == CUFFT_Z2D;
}
static bool isSymmetric(cufftType T) {
  return T != CUFFT_C2C && T != CUFFT_Z2Z;
}

/// Lines of packed arrays: half of a symmetric one, and reals padded to that
/// where they lie in the same memory.
Layout Plan::basic(bool IsReal, bool InPlace) const {
  const long long Half = N[Rank - 1] / 2 + 1;
  long long Extent = N[Rank - 1];
  if (isSymmetric(Type))
    Extent = !IsReal ? Half : InPlace ? 2 * Half : Extent;
  Layout L = {};
  long long Stride = 1;
  for (int D = Rank - 1; D >= 0; --D) {
    L.Strides[D] = Stride;
    Stride *= D == Rank - 1 ? Extent : N[D];
  }
  L.Batch = Stride;
  return L;
}
Layout Plan::layout(bool IsInput, bool InPlace) const {
  if (IsAdvanced)
    return IsInput ? In : Out;
  return basic(isReal(Type, IsInput), InPlace);
}

/// Whether a single pass in place would write what another block still reads.
bool Plan::overwrites() const {
  const Layout From = layout(true, true), To = layout(false, true);
  const long long Reals = isReal(Type, true) ? 2 : 1;
  const long long Results = isReal(Type, false) ? 2 : 1;
  if (Batch > 1 && From.Batch * Results != To.Batch * Reals)
    return true;
  return From.Strides[Rank - 1] != To.Strides[Rank - 1] ||
         (isSymmetric(Type) && From.Strides[Rank - 1] != 1);
}

/// The dimensions beside one of a pass; Inner is the one whose neighbours are
/// nearest in memory.
struct Others {
  int Outer, Inner;
};
static Others others(int Rank, int D) {
  const int Last = Rank - 1;
  const int Inner = Rank == 1 ? 1 : D == Last ? Last - 1 : Last;
  return {MaxRank - D - Inner, Inner};
}

Pass Plan::passOf(int D, const std::vector<int> &Factors, int Before,
                  bool IsInverse) const {
  Pass P = {};
  P.N = N[D];
  P.Radix = 1;
  P.Before = Before;
  P.IsInverse = IsInverse;
  P.IsInnermost = D == Rank - 1;
  for (size_t I = 0; I < Factors.size(); ++I) {
    P.Radix *= Factors[I];
    // Two twos are a four.
    if (P.Steps && Factors[I] == 2 && P.Factors[P.Steps - 1] == 2)
      P.Factors[P.Steps - 1] = 4;
    else
      P.Factors[P.Steps++] = Factors[I];
  }
  const Others At = others(Rank, D);
  auto Extent = [&](int Of) {
    const bool IsHalf = isSymmetric(Type) && Of == Rank - 1;
    return IsHalf ? N[Of] / 2 + 1 : N[Of];
  };
  P.Outer = Extent(At.Outer);
  P.Inner = Extent(At.Inner);
  P.Lines = (long long)(P.N / P.Radix) * P.Outer * P.Inner * Batch;
  const int Limit = pointsOfBlock(elementBytes());
  // Four points for each thread.
  if (P.Radix <= Limit)
    P.PerBlock = std::clamp(int(4 * Threads) / P.Radix, 1, MaxLines);
  return P;
}

static Place place(const Layout &L, int D, Others At, Kind Of) {
  return {L.Strides[D], L.Strides[At.Outer], L.Strides[At.Inner], L.Batch, Of};
}

std::vector<Pass> Plan::passes(bool InPlace, bool IsInverse) const {
  std::vector<Pass> Passes;
  std::vector<int> Dimensions;
  const int Last = Rank - 1, Limit = pointsOfBlock(elementBytes());
  const bool ToReal = isReal(Type, false), FromReal = isReal(Type, true);
  // Symmetric lines come last where they become real, else first.
  for (int I = 0; I < Rank; ++I)
    Dimensions.push_back(ToReal ? I : Last - I);
  std::vector<int> Of; // the dimension of each pass
  for (int D : Dimensions) {
    auto Groups = split(N[D], Limit);
    if (Groups.empty() && D == Last)
      Groups.emplace_back();
    int Before = 1;
    for (const std::vector<int> &Factors : Groups) {
      Passes.push_back(passOf(D, Factors, Before, IsInverse));
      Before *= Passes.back().Radix;
      Of.push_back(D);
    }
  }
  if (Passes.size() == 1 && InPlace && overwrites()) {
    Passes.push_back(passOf(Last, {}, N[Last], IsInverse));
    Of.push_back(Last);
  }
  // Between passes complex numbers are packed, whole lines of them.
  Layout Packed = {};
  Packed.Strides[2] = 1;
  Packed.Strides[1] = N[2];
  Packed.Strides[0] = (long long)N[1] * N[2];
  Packed.Batch = (long long)N[0] * N[1] * N[2];
  for (size_t I = 0; I < Passes.size(); ++I) {
    const int D = Of[I];
    const bool IsFirst = I == 0, IsLast = I + 1 == Passes.size();
    const bool Begins = IsFirst || Of[I - 1] != D;
    const bool Ends = IsLast || Of[I + 1] != D;
    // The first half of a line is all that is there of it before a pass that
    // makes reals, and behind one that takes them.
    const Kind From = D != Last            ? Kind::Complex
                      : Begins && FromReal ? Kind::Real
                      : Begins && ToReal   ? Kind::Half
                                           : Kind::Complex;
    const Kind To = D != Last          ? Kind::Complex
                    : Ends && FromReal ? Kind::Half
                    : Ends && ToReal   ? Kind::Real
                                       : Kind::Complex;
    Passes[I].From = place(IsFirst ? layout(true, InPlace) : Packed, D,
                           others(Rank, D), From);
    Passes[I].To =
        place(IsLast ? layout(false, InPlace) : Packed, D, others(Rank, D), To);
  }
  return Passes;
}

size_t Plan::workBytes() const {
  size_t Buffers = 0;
  for (bool InPlace : {false, true})
    Buffers = std::max(Buffers, passes(InPlace, false).size() - 1);
  return std::min(Buffers, size_t(2)) * size_t(points()) * elementBytes();
}

template <typename T> static std::vector<T> rootsOf(int N) {
  std::vector<T> Table(2 * size_t(N));
  for (int I = 0; I < N; ++I) {
    const double Angle = -2 * M_PI * I / N;
    Table[2 * I] = T(std::cos(Angle));
    Table[2 * I + 1] = T(std::sin(Angle));
  }
  return Table;
}
template <typename T> static cufftResult upload(int N, void **To) {
  const std::vector<T> Table = rootsOf<T>(N);
  const size_t Bytes = Table.size() * sizeof(T);
  if (cudaMalloc(To, Bytes) != cudaSuccess)
    return CUFFT_ALLOC_FAILED;
  return cudaMemcpy(*To, Table.data(), Bytes, cudaMemcpyHostToDevice) ==
                 cudaSuccess
             ? CUFFT_SUCCESS
             : CUFFT_SETUP_FAILED;
}

cufftResult Plan::prepare() {
  for (int D = 0; D < Rank; ++D) {
    const cufftResult R = isDouble() ? upload<double>(N[D], &Roots[D])
                                     : upload<float>(N[D], &Roots[D]);
    if (R != CUFFT_SUCCESS)
      return R;
  }
  return CUFFT_SUCCESS;
}
cufftResult Plan::allocateWork() {
  const size_t Bytes = workBytes();
  if (Bytes && cudaMalloc(&Work, Bytes) != cudaSuccess)
    return CUFFT_ALLOC_FAILED;
  OwnsWork = true;
  return CUFFT_SUCCESS;
}
void Plan::useWork(void *Theirs) {
  if (OwnsWork && Work)
    (void)cudaFree(Work);
  OwnsWork = false;
  Work = Theirs;
}

cufftResult Plan::execute(const void *From, void *To, bool IsInverse,
                          cudaStream_t Stream) const {
  if (!From || !To)
    return CUFFT_INVALID_VALUE;
  const std::vector<Pass> Passes = passes(From == To, IsInverse);
  if (Passes.size() > 1 && !Work)
    return CUFFT_NO_WORKSPACE;
  char *Buffer = static_cast<char *>(Work);
  const size_t Bytes = size_t(points()) * elementBytes();
  for (size_t I = 0; I < Passes.size(); ++I) {
    const Pass &P = Passes[I];
    void *Next = I + 1 == Passes.size() ? To : Buffer + (I % 2) * Bytes;
    // Passes of a dimension are those with as many points.
    int D = 0;
    while (N[D] != P.N)
      ++D;
    if ((isDouble() ? runDouble : runSingle)(P, From, Next, Roots[D], Stream) !=
        cudaSuccess)
      return CUFFT_EXEC_FAILED;
    From = Next;
  }
  return CUFFT_SUCCESS;
}
