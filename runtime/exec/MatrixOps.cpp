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

constexpr unsigned MaxLines = 32, MaxDepth = 64;

using Shape = HeddleMatrixShape;

/// Bits of an element of A or B.
unsigned bitsOf(unsigned Type) {
  switch (Type) {
  case HEDDLE_MATRIX_F64:
    return 64;
  case HEDDLE_MATRIX_F16:
  case HEDDLE_MATRIX_BF16:
    return 16;
  case HEDDLE_MATRIX_S8:
  case HEDDLE_MATRIX_U8:
  case HEDDLE_MATRIX_E4M3:
  case HEDDLE_MATRIX_E5M2:
    return 8;
  case HEDDLE_MATRIX_S4:
  case HEDDLE_MATRIX_U4:
    return 4;
  case HEDDLE_MATRIX_B1:
    return 1;
  default:
    return 32;
  }
}

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

/// Element \p E of the 16 bytes at \p Line.
template <typename T>
T element(const uint32_t *Line, unsigned E, unsigned Type);

template <> float element(const uint32_t *Line, unsigned E, unsigned Type) {
  const auto *Bytes = reinterpret_cast<const uint8_t *>(Line);
  uint16_t Half;
  std::memcpy(&Half, Bytes + 2 * (E % 8), 2);
  switch (Type) {
  case HEDDLE_MATRIX_F16:
    return fromHalf(Half);
  case HEDDLE_MATRIX_BF16:
    return std::bit_cast<float>(uint32_t(Half) << 16);
  case HEDDLE_MATRIX_E4M3:
    return fromEighth(Bytes[E], 3);
  case HEDDLE_MATRIX_E5M2:
    return fromEighth(Bytes[E], 2);
  default: // tf32: the low 13 bits of the fraction do not count
    return std::bit_cast<float>(Line[E] & 0xffffe000);
  }
}

template <> int32_t element(const uint32_t *Line, unsigned E, unsigned Type) {
  const auto *Bytes = reinterpret_cast<const uint8_t *>(Line);
  switch (Type) {
  case HEDDLE_MATRIX_S8:
    return int8_t(Bytes[E]);
  case HEDDLE_MATRIX_U8:
    return Bytes[E];
  case HEDDLE_MATRIX_S4:
    return int8_t(uint8_t(Bytes[E / 2] >> 4 * (E % 2)) << 4) >> 4;
  case HEDDLE_MATRIX_U4:
    return Bytes[E / 2] >> 4 * (E % 2) & 15;
  default: // b1: 32 at a time
    return int32_t(Line[E]);
  }
}

template <> double element(const uint32_t *Line, unsigned E, unsigned) {
  double V;
  std::memcpy(&V, Line + 2 * E, sizeof(V));
  return V;
}

/// The factors: A by rows, B by the rows of B, so that a row of sums is a
/// vector.
template <typename T> struct Factors {
  T A[MaxLines * MaxDepth], B[MaxDepth * MaxLines];
};

/// Elements that one line of a core has.
unsigned depthOf(unsigned Type) {
  return Type == HEDDLE_MATRIX_F64  ? 4
         : Type == HEDDLE_MATRIX_B1 ? 4
                                    : 128 / bitsOf(Type);
}

/// Calls \p Do with line, k and the registers of each core's line. \p Pair:
/// cores of 16 lines come in pairs.
template <typename F>
void forEachCoreLine(const void *Registers, unsigned Type, unsigned Lines,
                     unsigned Depth, bool Pair, F Do) {
  const unsigned Words = Type == HEDDLE_MATRIX_F64 ? 2 : 1;
  const auto *Core = static_cast<const uint32_t *>(Registers);
  const unsigned Step = depthOf(Type), Group = Pair && Lines >= 16 ? 16 : 8;
  for (unsigned First = 0; First < Lines; First += Group)
    for (unsigned K = 0; K < Depth; K += Step)
      for (unsigned Half = First; Half < First + Group; Half += 8) {
        for (unsigned G = 0; G < 8; ++G)
          Do(Half + G, K, Core + 4 * Words * G);
        Core += 32 * Words;
      }
}

template <typename T>
void readFactors(const Shape &S, unsigned Depth, const void *A, const void *B,
                 Factors<T> &Out) {
  forEachCoreLine(A, S.A, S.M, Depth, true,
                  [&](unsigned Row, unsigned K, const uint32_t *Line) {
                    T *To = Out.A + Row * Depth + K;
                    for (unsigned E = 0, N = depthOf(S.A); E < N; ++E)
                      To[E] = element<T>(Line, E, S.A);
                  });
  forEachCoreLine(B, S.B, S.N, Depth, false,
                  [&](unsigned Column, unsigned K, const uint32_t *Line) {
                    T *To = Out.B + K * S.N + Column;
                    for (unsigned E = 0, N = depthOf(S.B); E < N; ++E)
                      To[E * S.N] = element<T>(Line, E, S.B);
                  });
}

/// Calls \p Do with the row and first column of each lane's two sums and the
/// number of the first one's register if a core has \p Registers of them.
template <typename F>
void forEachPair(const Shape &S, unsigned Registers, F Do) {
  const unsigned Group = S.M >= 16 ? 16 : 8;
  unsigned Register = 0;
  for (unsigned First = 0; First < S.M; First += Group)
    for (unsigned N = 0; N < S.N; N += 8)
      for (unsigned Half = First; Half < First + Group; Half += 8) {
        for (unsigned L = 0; L < 32; ++L)
          Do(Half + L / 4, N + 2 * (L % 4), 32 * Register + L);
        Register += Registers;
      }
}

template <typename T> void readSums(const Shape &S, const void *C, T *Out) {
  if constexpr (std::is_same_v<T, float>)
    if (S.C == HEDDLE_MATRIX_F16)
      return forEachPair(S, 1, [&](unsigned Row, unsigned Column, unsigned R) {
        const uint32_t Both = static_cast<const uint32_t *>(C)[R];
        Out[Row * S.N + Column] = fromHalf(uint16_t(Both));
        Out[Row * S.N + Column + 1] = fromHalf(uint16_t(Both >> 16));
      });
  forEachPair(S, 2, [&](unsigned Row, unsigned Column, unsigned R) {
    const T *From = static_cast<const T *>(C) + R;
    Out[Row * S.N + Column] = From[0];
    Out[Row * S.N + Column + 1] = From[32];
  });
}

template <typename T> void writeSums(const Shape &S, const T *Sums, void *D) {
  if constexpr (std::is_same_v<T, float>)
    if (S.D == HEDDLE_MATRIX_F16)
      return forEachPair(S, 1, [&](unsigned Row, unsigned Column, unsigned R) {
        const float *From = Sums + Row * S.N + Column;
        static_cast<uint32_t *>(D)[R] =
            toHalf(From[0]) | uint32_t(toHalf(From[1])) << 16;
      });
  forEachPair(S, 2, [&](unsigned Row, unsigned Column, unsigned R) {
    T *To = static_cast<T *>(D) + R;
    To[0] = Sums[Row * S.N + Column];
    To[32] = Sums[Row * S.N + Column + 1];
  });
}

/// Adds the products to \p N sums of a row, in the order of k.
template <typename T, unsigned N>
inline void addRow(unsigned Depth, const T *A, const T *B, T *Row) {
  T Sum[N];
  std::copy_n(Row, N, Sum);
  for (unsigned K = 0; K < Depth; ++K)
    for (unsigned J = 0; J < N; ++J)
      Sum[J] += A[K] * B[K * N + J];
  std::copy_n(Sum, N, Row);
}

template <typename T>
inline void addProducts(const Shape &S, unsigned Depth, const Factors<T> &F,
                        T *Sums) {
  for (unsigned Row = 0; Row < S.M; ++Row) {
    const T *A = F.A + Row * Depth;
    T *To = Sums + Row * S.N;
    if (S.N == 8)
      addRow<T, 8>(Depth, A, F.B, To);
    else if (S.N == 16)
      addRow<T, 16>(Depth, A, F.B, To);
    else
      addRow<T, 32>(Depth, A, F.B, To);
  }
}

HEDDLE_WIDE void addSingle(const Shape &S, unsigned Depth,
                           const Factors<float> &F, float *Sums) {
  addProducts(S, Depth, F, Sums);
}

HEDDLE_WIDE void addIntegers(const Shape &S, unsigned Depth,
                             const Factors<uint32_t> &F, uint32_t *Sums) {
  addProducts(S, Depth, F, Sums);
}

HEDDLE_WIDE void addDouble(const Shape &S, const Factors<double> &F,
                           double *Sums) {
  for (unsigned Row = 0; Row < S.M; ++Row)
    for (unsigned Column = 0; Column < S.N; ++Column) {
      double &Sum = Sums[Row * S.N + Column];
      for (unsigned K = 0; K < S.K; ++K)
        Sum = std::fma(F.A[Row * S.K + K], F.B[K * S.N + Column], Sum);
    }
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

void multiplyIntegers(const Shape &S, void *D, const void *A, const void *B,
                      const void *C) {
  const unsigned Depth = S.A == HEDDLE_MATRIX_B1 ? S.K / 32 : S.K;
  Factors<int32_t> F;
  int32_t Sums[MaxLines * MaxLines];
  readFactors(S, Depth, A, B, F);
  readSums(S, C, Sums);
  if (S.A == HEDDLE_MATRIX_B1)
    addBits(S, Depth, F, Sums);
  else if (S.Flags & HEDDLE_MATRIX_SATURATE)
    addSaturating(S, Depth, F, Sums);
  else
    addIntegers(S, Depth, reinterpret_cast<const Factors<uint32_t> &>(F),
                reinterpret_cast<uint32_t *>(Sums)); // sums wrap
  writeSums(S, Sums, D);
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
  if (S.D == HEDDLE_MATRIX_F64) {
    Factors<double> F;
    double Sums[MaxLines * MaxLines];
    readFactors(S, S.K, A, B, F);
    readSums(S, C, Sums);
    addDouble(S, F, Sums);
    return writeSums(S, Sums, D);
  }
  Factors<float> F;
  float Sums[MaxLines * MaxLines];
  readFactors(S, S.K, A, B, F);
  readSums(S, C, Sums);
  addSingle(S, S.K, F, Sums);
  writeSums(S, Sums, D);
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
