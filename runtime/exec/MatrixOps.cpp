//===- MatrixOps.cpp - Matrix instructions of a warp ----------------------===//

#include "heddle/ABI/MatrixOps.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace {

// Every clone of a function computes the same bits: see CMakeLists.txt.
#define HEDDLE_WIDE                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

/// Part of those that call it, or it would be compiled for the oldest
/// processor.
#define HEDDLE_INLINE inline __attribute__((always_inline))

constexpr unsigned MaxLines = 32, MaxDepth = 128;

using Shape = HeddleMatrixShape;

float fromHalf(uint16_t Bits) {
  uint32_t Magnitude = uint32_t(Bits & 0x7fff) << 13;
  // A product by 2^112 moves the exponent and makes subnormals normal.
  float V = std::bit_cast<float>(Magnitude) * 0x1p112f;
  const uint32_t Special = (Bits & 0x7c00) == 0x7c00 ? 0x7f800000u : 0;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(V) | Special |
                              uint32_t(Bits & 0x8000) << 16);
}

/// Rounded to nearest even; what is no number stays none.
uint16_t toHalf(float V) {
  const uint32_t Bits = std::bit_cast<uint32_t>(V);
  const uint32_t Sign = Bits >> 16 & 0x8000, Magnitude = Bits & 0x7fffffff;
  if (Magnitude > 0x7f800000)
    return uint16_t(Sign | 0x7fff);
  if (Magnitude >= 0x47800000) // 2^16 and more
    return uint16_t(Sign | 0x7c00);
  if (Magnitude < 0x38800000) {
    // The sum's last bit is the result's.
    const float Scaled = std::bit_cast<float>(Magnitude) + 0.5f;
    return uint16_t(Sign | (std::bit_cast<uint32_t>(Scaled) - 0x3f000000));
  }
  const uint32_t Odd = Magnitude >> 13 & 1;
  return uint16_t(Sign | ((Magnitude - 0x38000000 + 0xfff + Odd) >> 13));
}

/// An 8-bit number of \p Mantissa bits behind the point; e4m3 has no infinity.
float fromEighth(uint8_t Bits, unsigned Mantissa) {
  const unsigned Exponent = (Bits & 0x7f) >> Mantissa;
  const unsigned Fraction = Bits & ((1u << Mantissa) - 1);
  const int Bias = Mantissa == 3 ? 7 : 15;
  float V;
  if (Mantissa == 3 && (Bits & 0x7f) == 0x7f)
    V = NAN;
  else if (Mantissa == 2 && Exponent == 31)
    V = Fraction ? NAN : INFINITY;
  else if (Exponent == 0)
    V = std::ldexp(float(Fraction), 1 - Bias - int(Mantissa));
  else
    V = std::ldexp(float(Fraction | 1u << Mantissa),
                   int(Exponent) - Bias - int(Mantissa));
  return Bits & 0x80 ? -V : V;
}

/// The values of all bytes that are numbers of 8 bits.
struct Eighths {
  float Of[256];
  explicit Eighths(unsigned Mantissa) {
    for (unsigned Bits = 0; Bits < 256; ++Bits)
      Of[Bits] = fromEighth(uint8_t(Bits), Mantissa);
  }
};
const Eighths E4M3(3), E5M2(2);

/// Calls \p Value for each of \p N elements of a core.
template <unsigned N, typename T, typename F>
HEDDLE_INLINE void fill(T *Out, F Value) {
  for (unsigned I = 0; I < N; ++I)
    Out[I] = T(Value(I));
}

// The elements of a core of \p Type, line after line.

HEDDLE_INLINE void readCore(const uint32_t *Core, unsigned Type, float *Out) {
  const auto *Bytes = reinterpret_cast<const uint8_t *>(Core);
  uint16_t Halves[64];
  std::memcpy(Halves, Core, sizeof(Halves));
  switch (Type) {
  case HEDDLE_MATRIX_F16:
    return fill<64>(Out, [&](unsigned I) { return fromHalf(Halves[I]); });
  case HEDDLE_MATRIX_BF16:
    return fill<64>(Out, [&](unsigned I) {
      return std::bit_cast<float>(uint32_t(Halves[I]) << 16);
    });
  case HEDDLE_MATRIX_E4M3:
    return fill<128>(Out, [&](unsigned I) { return E4M3.Of[Bytes[I]]; });
  case HEDDLE_MATRIX_E5M2:
    return fill<128>(Out, [&](unsigned I) { return E5M2.Of[Bytes[I]]; });
  default: // tf32: the low 13 bits of the fraction do not count
    return fill<32>(Out, [&](unsigned I) {
      return std::bit_cast<float>(Core[I] & 0xffffe000);
    });
  }
}

HEDDLE_INLINE void readCore(const uint32_t *Core, unsigned Type, int32_t *Out) {
  const auto *Bytes = reinterpret_cast<const uint8_t *>(Core);
  switch (Type) {
  case HEDDLE_MATRIX_S8:
    return fill<128>(Out, [&](unsigned I) { return int8_t(Bytes[I]); });
  case HEDDLE_MATRIX_U8:
    return fill<128>(Out, [&](unsigned I) { return Bytes[I]; });
  case HEDDLE_MATRIX_S4:
    return fill<256>(Out, [&](unsigned I) {
      return int8_t(uint8_t(Bytes[I / 2] >> 4 * (I % 2)) << 4) >> 4;
    });
  case HEDDLE_MATRIX_U4:
    return fill<256>(
        Out, [&](unsigned I) { return Bytes[I / 2] >> 4 * (I % 2) & 15; });
  default: // b1: 32 at a time
    return fill<32>(Out, [&](unsigned I) { return Core[I]; });
  }
}

HEDDLE_INLINE void readCore(const uint32_t *Core, unsigned, double *Out) {
  std::memcpy(Out, Core, 32 * sizeof(*Out));
}

template <unsigned N, typename T>
using Lanes __attribute__((vector_size(N * sizeof(T)))) = T;

/// Deals two halves of \p N elements like cards: element I is followed by
/// element N / 2 + I.
template <unsigned N, typename T>
HEDDLE_INLINE void deal(const T *From, T *To) {
  for (unsigned I = 0; I < N / 2; I += 8) {
    Lanes<8, T> Low, High;
    std::memcpy(&Low, From + I, sizeof(Low));
    std::memcpy(&High, From + N / 2 + I, sizeof(High));
    const auto Both = __builtin_shufflevector(Low, High, 0, 8, 1, 9, 2, 10, 3,
                                              11, 4, 12, 5, 13, 6, 14, 7, 15);
    std::memcpy(To + 2 * I, &Both, sizeof(Both));
  }
}

/// The opposite.
template <unsigned N, typename T>
HEDDLE_INLINE void undeal(const T *From, T *To) {
  for (unsigned I = 0; I < N / 2; I += 8) {
    Lanes<16, T> Both;
    std::memcpy(&Both, From + 2 * I, sizeof(Both));
    const auto Low =
        __builtin_shufflevector(Both, Both, 0, 2, 4, 6, 8, 10, 12, 14);
    const auto High =
        __builtin_shufflevector(Both, Both, 1, 3, 5, 7, 9, 11, 13, 15);
    std::memcpy(To + I, &Low, sizeof(Low));
    std::memcpy(To + N / 2 + I, &High, sizeof(High));
  }
}

/// The factors: A by rows, B by the rows of B, so that a row of sums is a
/// vector.
template <typename T> struct Factors {
  T A[MaxLines * MaxDepth], B[MaxDepth * MaxLines];
};

/// Writes a core of 8 lines of \p Step elements to \p To, whose rows are
/// \p Apart: as it is, or \p Across. Dealing moves the topmost bit of an
/// element's number to the bottom: three times is a transposition.
template <unsigned Step, bool Across, typename T>
HEDDLE_INLINE void placeCore(T *Core, T *To, unsigned Apart) {
  if constexpr (Across) {
    T Other[8 * Step];
    deal<8 * Step>(Core, Other);
    deal<8 * Step>(Other, Core);
    deal<8 * Step>(Core, Other);
    for (unsigned K = 0; K < Step; ++K)
      std::copy_n(Other + 8 * K, 8, To + K * Apart);
  } else {
    for (unsigned Line = 0; Line < 8; ++Line)
      std::copy_n(Core + Step * Line, Step, To + Line * Apart);
  }
}

/// Reads the cores of a matrix of \p Lines. \p Across: B, whose cores lie
/// along k only; those of 16 rows of A come in pairs.
template <unsigned Step, bool Across, typename T>
HEDDLE_INLINE void readMatrix(const void *Registers, unsigned Type,
                              unsigned Lines, unsigned Depth, T *To) {
  const auto *Core = static_cast<const uint32_t *>(Registers);
  const unsigned Group = !Across && Lines >= 16 ? 16 : 8;
  for (unsigned First = 0; First < Lines; First += Group)
    for (unsigned K = 0; K < Depth; K += Step)
      for (unsigned Line = First; Line < First + Group; Line += 8) {
        T Elements[8 * Step];
        readCore(Core, Type, Elements);
        Across ? placeCore<Step, true>(Elements, To + K * Lines + Line, Lines)
               : placeCore<Step, false>(Elements, To + Line * Depth + K, Depth);
        Core += sizeof(T) == 8 ? 64 : 32;
      }
}

template <unsigned Step, typename T>
HEDDLE_INLINE void readFactors(const Shape &S, unsigned Depth, const void *A,
                               const void *B, Factors<T> &Out) {
  readMatrix<Step, false>(A, S.A, S.M, Depth, Out.A);
  readMatrix<Step, true>(B, S.B, S.N, Depth, Out.B);
}

/// Calls \p Do with the first element of each core of 8 x 8 sums and the
/// registers that it lies in, \p Count of them.
template <typename T, typename R, typename F>
HEDDLE_INLINE void forEachSumCore(const Shape &S, T *Sums, R *Registers,
                                  unsigned Count, F Do) {
  const unsigned Group = S.M >= 16 ? 16 : 8;
  for (unsigned First = 0; First < S.M; First += Group)
    for (unsigned N = 0; N < S.N; N += 8)
      for (unsigned Half = First; Half < First + Group; Half += 8) {
        Do(Sums + Half * S.N + N, Registers);
        Registers += HEDDLE_MATRIX_LANES * Count;
      }
}

template <typename T>
HEDDLE_INLINE void readSums(const Shape &S, const void *C, T *Out) {
  T Core[64];
  auto place = [&](T *To) {
    for (unsigned Row = 0; Row < 8; ++Row)
      std::copy_n(Core + 8 * Row, 8, To + Row * S.N);
  };
  if constexpr (std::is_same_v<T, float>)
    if (S.C == HEDDLE_MATRIX_F16)
      return forEachSumCore(S, Out, static_cast<const uint32_t *>(C), 1,
                            [&](T *To, const uint32_t *From) {
                              readCore(From, HEDDLE_MATRIX_F16, Core);
                              place(To);
                            });
  forEachSumCore(S, Out, static_cast<const T *>(C), 2,
                 [&](T *To, const T *From) {
                   deal<64>(From, Core);
                   place(To);
                 });
}

template <typename T>
HEDDLE_INLINE void writeSums(const Shape &S, const T *Sums, void *D) {
  T Core[64];
  auto collect = [&](const T *From) {
    for (unsigned Row = 0; Row < 8; ++Row)
      std::copy_n(From + Row * S.N, 8, Core + 8 * Row);
  };
  if constexpr (std::is_same_v<T, float>)
    if (S.D == HEDDLE_MATRIX_F16)
      return forEachSumCore(
          S, Sums, static_cast<uint16_t *>(D), 2,
          [&](const T *From, uint16_t *To) {
            collect(From);
            fill<64>(To, [&](unsigned I) { return toHalf(Core[I]); });
          });
  forEachSumCore(S, Sums, static_cast<T *>(D), 2, [&](const T *From, T *To) {
    collect(From);
    undeal<64>(Core, To);
  });
}

/// Adds the products to \p N sums of each of four rows, in the order of k.
template <unsigned N, typename T>
HEDDLE_INLINE void addRows(unsigned Depth, const T *A, const T *B, T *Sums) {
  Lanes<N, T> Sum[4], Factor;
  std::memcpy(Sum, Sums, sizeof(Sum));
  for (unsigned K = 0; K < Depth; ++K) {
    std::memcpy(&Factor, B + K * N, sizeof(Factor));
    Sum[0] += A[K] * Factor;
    Sum[1] += A[Depth + K] * Factor;
    Sum[2] += A[2 * Depth + K] * Factor;
    Sum[3] += A[3 * Depth + K] * Factor;
  }
  std::memcpy(Sums, Sum, sizeof(Sum));
}

template <typename T>
HEDDLE_INLINE void addProducts(const Shape &S, unsigned Depth,
                               const Factors<T> &F, T *Sums) {
  for (unsigned Row = 0; Row < S.M; Row += 4) {
    const T *A = F.A + Row * Depth;
    T *To = Sums + Row * S.N;
    if (S.N == 8)
      addRows<8>(Depth, A, F.B, To);
    else if (S.N == 16)
      addRows<16>(Depth, A, F.B, To);
    else
      addRows<32>(Depth, A, F.B, To);
  }
}

template <unsigned Step>
HEDDLE_INLINE void singleProduct(const Shape &S, void *D, const void *A,
                                 const void *B, const void *C) {
  Factors<float> F;
  float Sums[MaxLines * MaxLines];
  readFactors<Step>(S, S.K, A, B, F);
  readSums(S, C, Sums);
  addProducts(S, S.K, F, Sums);
  writeSums(S, Sums, D);
}

HEDDLE_WIDE void multiplySingle(const Shape &S, void *D, const void *A,
                                const void *B, const void *C) {
  switch (heddleCoreDepth(S.A)) {
  case 4:
    return singleProduct<4>(S, D, A, B, C);
  case 8:
    return singleProduct<8>(S, D, A, B, C);
  default:
    return singleProduct<16>(S, D, A, B, C);
  }
}

HEDDLE_WIDE void multiplyDouble(const Shape &S, void *D, const void *A,
                                const void *B, const void *C) {
  Factors<double> F;
  double Sums[MaxLines * MaxLines];
  readFactors<4>(S, S.K, A, B, F);
  readSums(S, C, Sums);
  for (unsigned Row = 0; Row < S.M; ++Row)
    for (unsigned Column = 0; Column < S.N; ++Column) {
      double &Sum = Sums[Row * S.N + Column];
      for (unsigned K = 0; K < S.K; ++K)
        Sum = std::fma(F.A[Row * S.K + K], F.B[K * S.N + Column], Sum);
    }
  writeSums(S, Sums, D);
}

/// Sums wrap.
HEDDLE_INLINE void addWrapping(const Shape &S, unsigned Depth,
                               const Factors<int32_t> &F, int32_t *Sums) {
  addProducts(S, Depth, reinterpret_cast<const Factors<uint32_t> &>(F),
              reinterpret_cast<uint32_t *>(Sums));
}

void addSaturating(const Shape &S, unsigned Depth, const Factors<int32_t> &F,
                   int32_t *Sums) {
  for (unsigned Row = 0; Row < S.M; ++Row)
    for (unsigned Column = 0; Column < S.N; ++Column) {
      int32_t &To = Sums[Row * S.N + Column];
      int64_t Sum = To;
      for (unsigned K = 0; K < Depth; ++K)
        Sum += F.A[Row * Depth + K] * F.B[K * S.N + Column];
      To = int32_t(std::clamp<int64_t>(Sum, INT32_MIN, INT32_MAX));
    }
}

void addBits(const Shape &S, unsigned Depth, const Factors<int32_t> &F,
             int32_t *Sums) {
  for (unsigned Row = 0; Row < S.M; ++Row)
    for (unsigned Column = 0; Column < S.N; ++Column)
      for (unsigned K = 0; K < Depth; ++K) {
        const uint32_t A = uint32_t(F.A[Row * Depth + K]),
                       B = uint32_t(F.B[K * S.N + Column]);
        Sums[Row * S.N + Column] +=
            std::popcount(S.Flags & HEDDLE_MATRIX_XOR ? A ^ B : A & B);
      }
}

template <unsigned Step>
HEDDLE_INLINE void integerProduct(const Shape &S, void *D, const void *A,
                                  const void *B, const void *C) {
  const unsigned Depth = S.A == HEDDLE_MATRIX_B1 ? S.K / 32 : S.K;
  Factors<int32_t> F;
  int32_t Sums[MaxLines * MaxLines];
  readFactors<Step>(S, Depth, A, B, F);
  readSums(S, C, Sums);
  if (S.A == HEDDLE_MATRIX_B1)
    addBits(S, Depth, F, Sums);
  else if (S.Flags & HEDDLE_MATRIX_SATURATE)
    addSaturating(S, Depth, F, Sums);
  else
    addWrapping(S, Depth, F, Sums);
  writeSums(S, Sums, D);
}

HEDDLE_WIDE void multiplyIntegers(const Shape &S, void *D, const void *A,
                                  const void *B, const void *C) {
  switch (HeddleMatrixBits[S.A]) {
  case 1:
    return integerProduct<4>(S, D, A, B, C); // words of 32 elements
  case 4:
    return integerProduct<32>(S, D, A, B, C);
  default:
    return integerProduct<16>(S, D, A, B, C);
  }
}

// mma.m8n8k4 of f16 (PTX ISA 8.8, "Matrix Fragments for mma.m8n8k4 with .f16"):
// the lanes 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19 compute product q.

struct Place {
  unsigned Row, Column;
};

Place sumPlace(unsigned Lane, unsigned E, bool Single) {
  const unsigned Base = Lane < 16 ? 0 : 4;
  if (Single)
    return {(Lane & 1) + (E & 2) + Base, (E & 4) + (Lane & 2) + (E & 1)};
  return {Lane % 4 + Base, E};
}

uint16_t halfOf(const void *Registers, unsigned Lane, unsigned E) {
  return uint16_t(static_cast<const uint32_t *>(Registers)[E / 2 * 32 + Lane] >>
                  16 * (E % 2));
}

void multiplyQuads(const Shape &S, void *D, const void *A, const void *B,
                   const void *C) {
  float FA[4][8][4], FB[4][4][8], Sum[4][8][8];
  const bool SingleC = S.C == HEDDLE_MATRIX_F32,
             SingleD = S.D == HEDDLE_MATRIX_F32;
  for (unsigned L = 0; L < 32; ++L) {
    const unsigned Q = L % 16 / 4, T = L % 4, Base = L < 16 ? 0 : 4;
    for (unsigned E = 0; E < 4; ++E) {
      const float X = fromHalf(halfOf(A, L, E)), Y = fromHalf(halfOf(B, L, E));
      (S.Flags & HEDDLE_MATRIX_A_COLUMNS ? FA[Q][E + Base][T]
                                         : FA[Q][T + Base][E]) = X;
      (S.Flags & HEDDLE_MATRIX_B_ROWS ? FB[Q][T][E + Base]
                                      : FB[Q][E][T + Base]) = Y;
    }
    for (unsigned E = 0; E < 8; ++E) {
      const Place P = sumPlace(L, E, SingleC);
      Sum[Q][P.Row][P.Column] = SingleC
                                    ? static_cast<const float *>(C)[32 * E + L]
                                    : fromHalf(halfOf(C, L, E));
    }
  }
  for (unsigned Q = 0; Q < 4; ++Q)
    for (unsigned Row = 0; Row < 8; ++Row)
      for (unsigned Column = 0; Column < 8; ++Column)
        for (unsigned K = 0; K < 4; ++K)
          Sum[Q][Row][Column] += FA[Q][Row][K] * FB[Q][K][Column];
  for (unsigned L = 0; L < 32; ++L)
    for (unsigned E = 0; E < 8; ++E) {
      const Place P = sumPlace(L, E, SingleD);
      const float V = Sum[L % 16 / 4][P.Row][P.Column];
      if (SingleD) {
        static_cast<float *>(D)[32 * E + L] = V;
        continue;
      }
      uint32_t &Both = static_cast<uint32_t *>(D)[E / 2 * 32 + L];
      Both = E % 2 ? Both | uint32_t(toHalf(V)) << 16 : toHalf(V);
    }
}

} // namespace

void heddleMatrixProduct(uint64_t Packed, void *D, const void *A, const void *B,
                         const void *C) {
  const auto S = std::bit_cast<Shape>(Packed);
  if (S.Flags & HEDDLE_MATRIX_QUADS)
    return multiplyQuads(S, D, A, B, C);
  if (S.D == HEDDLE_MATRIX_S32)
    return multiplyIntegers(S, D, A, B, C);
  if (S.D == HEDDLE_MATRIX_F64)
    return multiplyDouble(S, D, A, B, C);
  multiplySingle(S, D, A, B, C);
}

void heddleLoadMatrices(uint32_t Count, uint32_t Transposed,
                        const uint64_t *Lines, uint32_t *Registers) {
  for (unsigned I = 0; I < Count; ++I) {
    uint32_t Matrix[32];
    for (unsigned Line = 0; Line < 8; ++Line)
      std::memcpy(Matrix + 4 * Line,
                  reinterpret_cast<const void *>(Lines[8 * I + Line]), 16);
    if (Transposed)
      heddleTransposeMatrix(Registers + 32 * I, Matrix);
    else
      std::copy_n(Matrix, 32, Registers + 32 * I);
  }
}

void heddleStoreMatrices(uint32_t Count, uint32_t Transposed,
                         const uint64_t *Lines, const uint32_t *Registers) {
  for (unsigned I = 0; I < Count; ++I) {
    uint32_t Matrix[32];
    if (Transposed)
      heddleTransposeMatrix(Matrix, Registers + 32 * I);
    else
      std::copy_n(Registers + 32 * I, 32, Matrix);
    for (unsigned Line = 0; Line < 8; ++Line)
      std::memcpy(reinterpret_cast<void *>(Lines[8 * I + Line]),
                  Matrix + 4 * Line, 16);
  }
}

void heddleTransposeMatrix(uint32_t *To, const uint32_t *From) {
  uint16_t In[64], Out[64];
  std::memcpy(In, From, sizeof(In));
  for (unsigned Row = 0; Row < 8; ++Row)
    for (unsigned Column = 0; Column < 8; ++Column)
      Out[8 * Column + Row] = In[8 * Row + Column];
  std::memcpy(To, Out, sizeof(Out));
}
