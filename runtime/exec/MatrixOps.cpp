//===- MatrixOps.cpp - Matrix instructions of a warp ----------------------===//

#include "heddle/ABI/MatrixOps.h"

#include "heddle/ABI/KernelMemory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace {

// Every clone of a function computes the same bits: see CMakeLists.txt.
#define HEDDLE_WIDE                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

/// Part of those that call it, or it would be compiled for the oldest
/// processor.
#define HEDDLE_INLINE inline __attribute__((always_inline))

using Shape = HeddleMatrixShape;

/// One register of 16 lanes: four lines of a core, a quarter of each.
template <typename T>
using Half __attribute__((vector_size(16 * sizeof(T)))) = T;
using Words = Half<uint32_t>;

/// Halves that hold a core: of its lines 0 to 3 and 4 to 7.
constexpr unsigned PerCore = 2;
/// Cores of A in two groups of 16 rows, and of 8 columns of B.
constexpr unsigned MaxDepth = 4, MaxLeft = 4 * MaxDepth;

template <typename T> HEDDLE_INLINE Half<T> load(const void *From) {
  Half<T> V;
  std::memcpy(&V, From, sizeof(V));
  return V;
}

HEDDLE_INLINE Half<float> fromHalves(Words Bits) {
  const auto Short = __builtin_convertvector(Bits, Half<uint16_t>);
  return __builtin_convertvector(__builtin_bit_cast(Half<_Float16>, Short),
                                 Half<float>);
}

/// Rounded to nearest even; what is no number stays none.
HEDDLE_INLINE Words toHalves(Half<float> V) {
  const auto Short = __builtin_bit_cast(
      Half<uint16_t>, __builtin_convertvector(V, Half<_Float16>));
  const Words Bits = __builtin_convertvector(Short, Words);
  const Words IsNaN = __builtin_bit_cast(Words, V != V);
  return Bits | (IsNaN & 0x7fff);
}

/// Numbers of 8 bits, three of them behind the point: no infinity.
HEDDLE_INLINE Half<float> fromE4M3(Words Byte) {
  const Words Magnitude = Byte & 0x7f;
  // A product by 2^120 moves the exponent and makes subnormals normal.
  const auto V = __builtin_bit_cast(Half<float>, Magnitude << 20) * 0x1p120f;
  const Words IsNaN = __builtin_bit_cast(Words, Magnitude == 0x7f);
  return __builtin_bit_cast(Half<float>, __builtin_bit_cast(Words, V) |
                                             (IsNaN & 0x7fc00000) |
                                             (Byte & 0x80) << 24);
}

/// HeddleMatrixBits, for constants.
constexpr unsigned bitsOf(unsigned Type) {
  switch (Type) {
  case HEDDLE_MATRIX_B1:
    return 1;
  case HEDDLE_MATRIX_S4:
  case HEDDLE_MATRIX_U4:
    return 4;
  case HEDDLE_MATRIX_F16:
  case HEDDLE_MATRIX_BF16:
    return 16;
  case HEDDLE_MATRIX_TF32:
    return 32;
  case HEDDLE_MATRIX_F64:
    return 64;
  default:
    return 8;
  }
}

constexpr bool isSigned(unsigned Type) {
  return Type == HEDDLE_MATRIX_S8 || Type == HEDDLE_MATRIX_S4;
}

/// Integers of \p Bits that begin at bit \p First.
template <unsigned Bits, bool Signed>
HEDDLE_INLINE Half<float> fromIntegers(Words W, unsigned First) {
  const Words Top = W << (32 - Bits - First);
  if constexpr (Signed)
    return __builtin_convertvector(
        __builtin_bit_cast(Half<int32_t>, Top) >> (32 - Bits), Half<float>);
  return __builtin_convertvector(
      __builtin_bit_cast(Half<int32_t>, Top >> (32 - Bits)), Half<float>);
}

/// Element \p Part of each word, which holds neighbours along k.
template <unsigned Type> HEDDLE_INLINE auto element(Words W, unsigned Part) {
  if constexpr (Type == HEDDLE_MATRIX_F16)
    return fromHalves(W >> 16 * Part);
  else if constexpr (Type == HEDDLE_MATRIX_BF16)
    return __builtin_bit_cast(Half<float>, Part ? W & 0xffff0000 : W << 16);
  else if constexpr (Type == HEDDLE_MATRIX_TF32)
    // The low 13 bits of the fraction do not count.
    return __builtin_bit_cast(Half<float>, W & 0xffffe000);
  else if constexpr (Type == HEDDLE_MATRIX_E4M3)
    return fromE4M3(W >> 8 * Part);
  else if constexpr (Type == HEDDLE_MATRIX_E5M2) // the first byte of a half
    return fromHalves(W >> 8 * Part << 8 & 0xff00);
  else if constexpr (Type == HEDDLE_MATRIX_B1) // 32 at a time
    return W;
  else
    return fromIntegers<bitsOf(Type), isSigned(Type)>(W, bitsOf(Type) * Part);
}

/// Elements of \p Type in a register of a lane.
constexpr unsigned partsOf(unsigned Type) {
  return bitsOf(Type) == 1 || bitsOf(Type) > 32 ? 1 : 32 / bitsOf(Type);
}

/// The elements of \p Cores: of each core the parts, of each part the halves.
template <unsigned Type, typename T>
HEDDLE_INLINE void readCores(const void *Registers, unsigned Cores,
                             Half<T> *To) {
  constexpr unsigned Parts = partsOf(Type);
  const auto *From = static_cast<const T *>(Registers);
  for (unsigned N = 0; N < PerCore * Cores; ++N, From += 16)
    for (unsigned Part = 0; Part < Parts; ++Part) {
      Half<T> &Out = To[(N / PerCore * Parts + Part) * PerCore + N % PerCore];
      if constexpr (Type == HEDDLE_MATRIX_F64)
        Out = load<T>(From);
      else
        Out = element<Type>(load<uint32_t>(From), Part);
    }
}

/// Those of the type of B: \p Type or one of as many bits.
template <unsigned Type, typename T>
HEDDLE_INLINE void readOther(unsigned Other, const void *Registers,
                             unsigned Cores, Half<T> *To) {
  constexpr unsigned Twin = Type == HEDDLE_MATRIX_S8     ? HEDDLE_MATRIX_U8
                            : Type == HEDDLE_MATRIX_U8   ? HEDDLE_MATRIX_S8
                            : Type == HEDDLE_MATRIX_S4   ? HEDDLE_MATRIX_U4
                            : Type == HEDDLE_MATRIX_U4   ? HEDDLE_MATRIX_S4
                            : Type == HEDDLE_MATRIX_E4M3 ? HEDDLE_MATRIX_E5M2
                            : Type == HEDDLE_MATRIX_E5M2 ? HEDDLE_MATRIX_E4M3
                                                         : Type;
  if (Twin == Type || Other == Type)
    readCores<Type>(Registers, Cores, To);
  else
    readCores<Twin>(Registers, Cores, To);
}

/// Of each line the element at \p K, for the lanes of this line.
template <unsigned K, typename T> HEDDLE_INLINE Half<T> ofRows(Half<T> V) {
  return __builtin_shufflevector(V, V, K, K, K, K, 4 + K, 4 + K, 4 + K, 4 + K,
                                 8 + K, 8 + K, 8 + K, 8 + K, 12 + K, 12 + K,
                                 12 + K, 12 + K);
}

/// Of the lines of both halves every second, from \p First on, the element at
/// \p K: lane 4 g + t has the one of line 2 t + First.
template <unsigned K, unsigned First, typename T>
HEDDLE_INLINE Half<T> ofColumns(Half<T> Low, Half<T> High) {
  constexpr int A = 4 * First + K, B = A + 8, C = A + 16, D = A + 24;
  return __builtin_shufflevector(Low, High, A, B, C, D, A, B, C, D, A, B, C, D,
                                 A, B, C, D);
}

/// How products of a type are added.
enum class Adding {
  Fused,   ///< in floats, to which each product is exact
  Rounded, ///< in floats, products rounded
  Double,  ///< as one operation
  Common,  ///< bits that both have
  Other    ///< bits that one has
};

template <Adding How, typename T>
HEDDLE_INLINE void add(Half<T> &Sum, Half<T> A, Half<T> B) {
  if constexpr (How == Adding::Fused) {
#pragma clang fp contract(fast)
    Sum += A * B;
  } else if constexpr (How == Adding::Rounded) {
    Sum += A * B;
  } else if constexpr (How == Adding::Double) {
    Sum = __builtin_elementwise_fma(A, B, Sum);
  } else {
    Sum +=
        __builtin_elementwise_popcount(How == Adding::Common ? A & B : A ^ B);
  }
}

/// The sums of \p Rows cores: of each its even columns, then the odd ones.
template <typename T, unsigned Rows> struct Sums {
  Half<T> Of[Rows][2][PerCore];
};

/// Adds the products of the elements at \p K of one part.
template <Adding How, unsigned K, typename T, unsigned Rows>
HEDDLE_INLINE void addPart(const Half<T> *A, unsigned NextRow, const Half<T> *B,
                           Sums<T, Rows> &Sum) {
  const Half<T> Even = ofColumns<K, 0>(B[0], B[1]),
                Odd = ofColumns<K, 1>(B[0], B[1]);
#pragma clang loop unroll(full)
  for (unsigned Row = 0; Row < Rows; ++Row)
#pragma clang loop unroll(full)
    for (unsigned N = 0; N < PerCore; ++N) {
      const Half<T> Factor = ofRows<K>(A[Row * NextRow + N]);
      add<How>(Sum.Of[Row][0][N], Factor, Even);
      add<How>(Sum.Of[Row][1][N], Factor, Odd);
    }
}

/// Adds the products of \p Depth cores along k, in its order.
template <Adding How, unsigned Parts, typename T, unsigned Rows>
HEDDLE_INLINE void addCores(unsigned Depth, const Half<T> *A, const Half<T> *B,
                            Sums<T, Rows> &Sum) {
  constexpr unsigned Core = Parts * PerCore;
  auto Here = Sum; // in registers
  for (unsigned K = 0; K < Depth; ++K, A += Rows * Core, B += Core) {
    auto quarter = [&]<unsigned Q>() __attribute__((always_inline)) {
#pragma clang loop unroll(full)
      for (unsigned Part = 0; Part < Parts; ++Part)
        addPart<How, Q>(A + Part * PerCore, Core, B + Part * PerCore, Here);
    };
    quarter.template operator()<0>();
    quarter.template operator()<1>();
    quarter.template operator()<2>();
    quarter.template operator()<3>();
  }
  Sum = Here;
}

/// Registers of C and D that hold a core of sums: 16-bit sums lie in pairs.
template <typename T> size_t sumBytes(unsigned Type) {
  return (Type == HEDDLE_MATRIX_F16 ? 1 : 2) * HEDDLE_MATRIX_LANES * sizeof(T);
}

template <typename T, unsigned Rows>
HEDDLE_INLINE void readSums(unsigned Type, const void *C, Sums<T, Rows> &Out) {
  if constexpr (std::is_same_v<T, float>) {
    const auto *Words = static_cast<const uint32_t *>(C);
    if (Type == HEDDLE_MATRIX_S32) { // sums of floats are added to it
      Out = {};
      return;
    }
    if (Type == HEDDLE_MATRIX_F16) {
      for (unsigned Row = 0; Row < Rows; ++Row)
        for (unsigned N = 0; N < PerCore; ++N)
          for (unsigned Odd = 0; Odd < 2; ++Odd)
            Out.Of[Row][Odd][N] = element<HEDDLE_MATRIX_F16>(
                load<uint32_t>(Words + 16 * (PerCore * Row + N)), Odd);
      return;
    }
  }
  std::memcpy(&Out, C, sizeof(Out));
}

template <typename T, unsigned Rows>
HEDDLE_INLINE void writeSums(const Shape &S, const Sums<T, Rows> &Sum,
                             const void *C, void *D) {
  if constexpr (std::is_same_v<T, float>) {
    auto *Out = static_cast<uint32_t *>(D);
    const auto *Before = static_cast<const int32_t *>(C);
    for (unsigned Row = 0; Row < Rows && S.D != HEDDLE_MATRIX_F32; ++Row)
      for (unsigned N = 0; N < PerCore; ++N) {
        const auto &Even = Sum.Of[Row][0][N], &Odd = Sum.Of[Row][1][N];
        if (S.D == HEDDLE_MATRIX_F16) {
          const Words Both = toHalves(Even) | toHalves(Odd) << 16;
          std::memcpy(Out + 16 * (PerCore * Row + N), &Both, sizeof(Both));
          continue;
        }
        for (unsigned Column = 0; Column < 2; ++Column) {
          const size_t At = 16 * (PerCore * (2 * Row + Column) + N);
          const auto Products =
              __builtin_convertvector(Column ? Odd : Even, Half<int32_t>);
          const auto Old = load<int32_t>(Before + At);
          const Half<int32_t> New =
              S.Flags & HEDDLE_MATRIX_SATURATE
                  ? __builtin_elementwise_add_sat(Old, Products)
                  : __builtin_bit_cast(
                        Half<int32_t>,
                        __builtin_bit_cast(Words, Old) +
                            __builtin_bit_cast(Words, Products)); // wraps
          std::memcpy(Out + At, &New, sizeof(New));
        }
      }
    if (S.D != HEDDLE_MATRIX_F32)
      return;
  }
  std::memcpy(D, &Sum, sizeof(Sum));
}

/// All products of A with eight columns of B at a time.
template <Adding How, unsigned Type, typename T, unsigned Rows>
HEDDLE_INLINE void multiplyRows(const Shape &S, void *D, const void *A,
                                const void *B, const void *C) {
  constexpr unsigned Parts = partsOf(Type), Core = Parts * PerCore;
  const unsigned Groups = S.M / (8 * Rows), Columns = S.N / 8,
                 Depth = S.K / heddleCoreDepth(Type);
  const size_t CoreBytes = HEDDLE_MATRIX_LANES * sizeof(T);
  Half<T> Left[MaxLeft * Core], Right[MaxDepth * Core];
  readCores<Type>(A, Groups * Rows * Depth, Left);
  for (unsigned N = 0; N < Columns; ++N) {
    readOther<Type>(S.B, static_cast<const char *>(B) + N * Depth * CoreBytes,
                    Depth, Right);
    for (unsigned Group = 0; Group < Groups; ++Group) {
      const size_t At = size_t(Group * Columns + N) * Rows;
      const char *From = static_cast<const char *>(C) + At * sumBytes<T>(S.C);
      Sums<T, Rows> Sum;
      readSums(S.C, From, Sum);
      addCores<How, Parts>(Depth, Left + size_t(Group) * Rows * Depth * Core,
                           Right, Sum);
      writeSums(S, Sum, From, static_cast<char *>(D) + At * sumBytes<T>(S.D));
    }
  }
}

template <Adding How, unsigned Type, typename T>
HEDDLE_INLINE void multiply(const Shape &S, void *D, const void *A,
                            const void *B, const void *C) {
  if (S.M >= 16)
    multiplyRows<How, Type, T, 2>(S, D, A, B, C);
  else
    multiplyRows<How, Type, T, 1>(S, D, A, B, C);
}

HEDDLE_WIDE void multiplyHalves(const Shape &S, void *D, const void *A,
                                const void *B, const void *C) {
  multiply<Adding::Fused, HEDDLE_MATRIX_F16, float>(S, D, A, B, C);
}

HEDDLE_WIDE void multiplyLongFloats(const Shape &S, void *D, const void *A,
                                    const void *B, const void *C) {
  if (S.A == HEDDLE_MATRIX_BF16)
    multiply<Adding::Rounded, HEDDLE_MATRIX_BF16, float>(S, D, A, B, C);
  else
    multiply<Adding::Rounded, HEDDLE_MATRIX_TF32, float>(S, D, A, B, C);
}

/// Floats hold sums of up to 128 products of such integers exactly.
HEDDLE_WIDE void multiplyBytes(const Shape &S, void *D, const void *A,
                               const void *B, const void *C) {
  switch (S.A) {
  case HEDDLE_MATRIX_E4M3:
    return multiply<Adding::Fused, HEDDLE_MATRIX_E4M3, float>(S, D, A, B, C);
  case HEDDLE_MATRIX_E5M2:
    return multiply<Adding::Fused, HEDDLE_MATRIX_E5M2, float>(S, D, A, B, C);
  case HEDDLE_MATRIX_S8:
    return multiply<Adding::Fused, HEDDLE_MATRIX_S8, float>(S, D, A, B, C);
  default:
    return multiply<Adding::Fused, HEDDLE_MATRIX_U8, float>(S, D, A, B, C);
  }
}

HEDDLE_WIDE void multiplyNibbles(const Shape &S, void *D, const void *A,
                                 const void *B, const void *C) {
  if (S.A == HEDDLE_MATRIX_S4)
    multiply<Adding::Fused, HEDDLE_MATRIX_S4, float>(S, D, A, B, C);
  else
    multiply<Adding::Fused, HEDDLE_MATRIX_U4, float>(S, D, A, B, C);
}

HEDDLE_WIDE void multiplyBits(const Shape &S, void *D, const void *A,
                              const void *B, const void *C) {
  if (S.Flags & HEDDLE_MATRIX_XOR)
    multiply<Adding::Other, HEDDLE_MATRIX_B1, uint32_t>(S, D, A, B, C);
  else
    multiply<Adding::Common, HEDDLE_MATRIX_B1, uint32_t>(S, D, A, B, C);
}

HEDDLE_WIDE void multiplyDouble(const Shape &S, void *D, const void *A,
                                const void *B, const void *C) {
  multiply<Adding::Double, HEDDLE_MATRIX_F64, double>(S, D, A, B, C);
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

HEDDLE_INLINE float halfOf(const void *Registers, unsigned Lane, unsigned E) {
  const auto Bits =
      uint16_t(static_cast<const uint32_t *>(Registers)[E / 2 * 32 + Lane] >>
               16 * (E % 2));
  return float(std::bit_cast<_Float16>(Bits));
}

HEDDLE_INLINE uint32_t toHalf(float V) { return toHalves(Half<float>{V})[0]; }

HEDDLE_WIDE void multiplyQuads(const Shape &S, void *D, const void *A,
                               const void *B, const void *C) {
  float FA[4][8][4], FB[4][4][8], Sum[4][8][8];
  const bool SingleC = S.C == HEDDLE_MATRIX_F32,
             SingleD = S.D == HEDDLE_MATRIX_F32;
  for (unsigned L = 0; L < 32; ++L) {
    const unsigned Q = L % 16 / 4, T = L % 4, Base = L < 16 ? 0 : 4;
    for (unsigned E = 0; E < 4; ++E) {
      const float X = halfOf(A, L, E), Y = halfOf(B, L, E);
      (S.Flags & HEDDLE_MATRIX_A_COLUMNS ? FA[Q][E + Base][T]
                                         : FA[Q][T + Base][E]) = X;
      (S.Flags & HEDDLE_MATRIX_B_ROWS ? FB[Q][T][E + Base]
                                      : FB[Q][E][T + Base]) = Y;
    }
    for (unsigned E = 0; E < 8; ++E) {
      const Place P = sumPlace(L, E, SingleC);
      Sum[Q][P.Row][P.Column] =
          SingleC ? static_cast<const float *>(C)[32 * E + L] : halfOf(C, L, E);
    }
  }
  for (unsigned Q = 0; Q < 4; ++Q)
    for (unsigned Row = 0; Row < 8; ++Row)
      for (unsigned K = 0; K < 4; ++K)
        for (unsigned Column = 0; Column < 8; ++Column)
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
  switch (HeddleMatrixBits[S.A]) {
  case 1:
    return multiplyBits(S, D, A, B, C);
  case 4:
    return multiplyNibbles(S, D, A, B, C);
  case 8:
    return multiplyBytes(S, D, A, B, C);
  case 64:
    return multiplyDouble(S, D, A, B, C);
  default:
    return S.A == HEDDLE_MATRIX_F16 ? multiplyHalves(S, D, A, B, C)
                                    : multiplyLongFloats(S, D, A, B, C);
  }
}

void heddleLoadMatrices(uint32_t Count, uint32_t Transposed,
                        const uint64_t *Lines, uint32_t *Registers) {
  for (unsigned I = 0; I < Count; ++I) {
    uint32_t Matrix[32];
    for (unsigned Line = 0; Line < 8; ++Line)
      heddleReadMemory(Matrix + 4 * Line, Lines[8 * I + Line], 16);
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
      heddleWriteMemory(Lines[8 * I + Line], Matrix + 4 * Line, 16);
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
