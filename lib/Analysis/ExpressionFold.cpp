//===- ExpressionFold.cpp - One operation on bits -------------------------===//

#include "ExpressionFold.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

#include <bit>
#include <cmath>

using namespace llvm;

namespace heddle {

static double toDouble(uint64_t Value, unsigned Bits) {
  if (Bits == 64)
    return std::bit_cast<double>(Value);
  if (Bits == 32)
    return std::bit_cast<float>(uint32_t(Value));
  return APFloat(APFloat::IEEEhalf(), APInt(16, Value)).convertToDouble();
}

/// Rounds once more to the type's own precision: for +, -, *, / and sqrt of
/// float and half the result is the same as in one rounding, since double has
/// more than twice their digits.
static uint64_t fromDouble(double Value, unsigned Bits) {
  if (Bits == 64)
    return std::bit_cast<uint64_t>(Value);
  if (Bits == 32)
    return std::bit_cast<uint32_t>(float(Value));
  APFloat Half(Value);
  bool LosesInfo;
  Half.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &LosesInfo);
  return Half.bitcastToAPInt().getZExtValue();
}

static bool compareFloats(CmpInst::Predicate P, double A, double B) {
  // The predicate's bits are: equal, greater, less, unordered.
  bool Unordered = std::isnan(A) || std::isnan(B);
  return Unordered
             ? P & 8
             : ((P & 1) && A == B) || ((P & 2) && A > B) || ((P & 4) && A < B);
}

static std::optional<uint64_t> applyInteger(const Expr &E, const uint64_t *V) {
  unsigned Bits = E.Operands[0]->Bits;
  uint64_t A = V[0], B = V[1];
  int64_t SA = SignExtend64(A, Bits), SB = SignExtend64(B, Bits);
  switch (E.Op) {
  case ExprOp::Add:
    return A + B;
  case ExprOp::Mul:
    return A * B;
  case ExprOp::UDiv:
  case ExprOp::URem:
    if (B == 0)
      return std::nullopt;
    return E.Op == ExprOp::UDiv ? A / B : A % B;
  case ExprOp::SDiv:
  case ExprOp::SRem:
    if (SB == 0)
      return std::nullopt;
    if (SB == -1) // also what would overflow
      return E.Op == ExprOp::SDiv ? 0 - A : 0;
    return E.Op == ExprOp::SDiv ? SA / SB : SA % SB;
  case ExprOp::Shl:
    return B >= Bits ? 0 : A << B;
  case ExprOp::LShr:
    return B >= Bits ? 0 : A >> B;
  case ExprOp::AShr:
    return SA >> std::min<uint64_t>(B, Bits - 1);
  case ExprOp::And:
    return A & B;
  case ExprOp::Or:
    return A | B;
  case ExprOp::Xor:
    return A ^ B;
  case ExprOp::SMin:
    return SA < SB ? A : B;
  case ExprOp::SMax:
    return SA > SB ? A : B;
  case ExprOp::UMin:
    return std::min(A, B);
  case ExprOp::UMax:
    return std::max(A, B);
  case ExprOp::Pow: {
    uint64_t R = 1;
    for (; B; B >>= 1, A *= A)
      if (B & 1)
        R *= A;
    return R;
  }
  case ExprOp::Trunc:
  case ExprOp::ZExt:
  case ExprOp::BitCast:
    return A;
  case ExprOp::SExt:
    return SA;
  case ExprOp::PopCount:
    return llvm::popcount(A);
  case ExprOp::LeadingZeros:
    return A ? llvm::countl_zero(A) - (64 - Bits) : Bits;
  case ExprOp::TrailingZeros:
    return A ? llvm::countr_zero(A) : Bits;
  case ExprOp::BitReverse:
    return llvm::reverseBits(A) >> (64 - Bits);
  case ExprOp::IntToFP:
    // Straight to the result's type: through double it might round twice.
    if (E.Bits == 32)
      return std::bit_cast<uint32_t>(E.Payload ? float(SA) : float(A));
    return fromDouble(E.Payload ? double(SA) : double(A), E.Bits);
  case ExprOp::Select:
    return V[0] & 1 ? V[1] : V[2];
  default:
    return std::nullopt;
  }
}

/// Out of range is poison in IR. The hardware saturates, and makes 0 of NaN, or
/// only the top bit where one of the two types has 64 bits.
static uint64_t toInteger(double Value, unsigned From, unsigned Bits,
                          bool Signed) {
  if (std::isnan(Value))
    return From < 64 && Bits < 64 ? 0 : uint64_t(1) << (Bits - 1);
  APSInt Out(Bits, /*isUnsigned=*/!Signed);
  bool IsExact;
  APFloat(Value).convertToInteger(Out, APFloat::rmTowardZero, &IsExact);
  return Out.getZExtValue();
}

/// What has a floating result.
static std::optional<double> applyFloat(const Expr &E, const uint64_t *V) {
  unsigned Bits = E.Operands[0]->Bits;
  double A = toDouble(V[0], Bits);
  double B = E.Operands.size() > 1 ? toDouble(V[1], Bits) : 0;
  switch (E.Op) {
  case ExprOp::FAdd:
    return A + B;
  case ExprOp::FSub:
    return A - B;
  case ExprOp::FMul:
    return A * B;
  case ExprOp::FDiv:
    return A / B;
  case ExprOp::FMin:
    return std::fmin(A, B);
  case ExprOp::FMax:
    return std::fmax(A, B);
  case ExprOp::FNeg:
    return -A;
  case ExprOp::FAbs:
    return std::fabs(A);
  case ExprOp::FSqrt:
    return std::sqrt(A);
  case ExprOp::FFloor:
    return std::floor(A);
  case ExprOp::FCeil:
    return std::ceil(A);
  case ExprOp::FTrunc:
    return std::trunc(A);
  case ExprOp::FRound:
    return std::nearbyint(A);
  case ExprOp::FMulAdd: {
    const double C = toDouble(V[2], Bits);
    return Bits == 32 ? std::fma(float(A), float(B), float(C))
                      : std::fma(A, B, C);
  }
  case ExprOp::FCast:
    return A;
  default:
    return std::nullopt;
  }
}

static std::optional<uint64_t> apply(const Expr &E, const uint64_t *Operands) {
  const Expr *First = E.Operands[0];
  if (E.Op == ExprOp::Compare) {
    auto P = CmpInst::Predicate(unsigned(E.Payload));
    if (First->IsFloat)
      return compareFloats(P, toDouble(Operands[0], First->Bits),
                           toDouble(Operands[1], First->Bits));
    auto integer = [&](unsigned N) {
      return APInt(First->Bits, Operands[N], /*isSigned=*/false,
                   /*implicitTrunc=*/true);
    };
    return ICmpInst::compare(integer(0), integer(1), P);
  }
  if (!First->IsFloat)
    return applyInteger(E, Operands);
  if (E.Op == ExprOp::BitCast)
    return Operands[0];
  if (E.Op == ExprOp::FPToInt)
    return toInteger(toDouble(Operands[0], First->Bits), First->Bits, E.Bits,
                     E.Payload);
  const std::optional<double> Result = applyFloat(E, Operands);
  return Result ? std::optional(fromDouble(*Result, E.Bits)) : std::nullopt;
}

std::optional<uint64_t> applyOperation(const Expr &E,
                                       const uint64_t *Operands) {
  std::optional<uint64_t> Bits;
  if (!E.Operands.empty() && (Bits = apply(E, Operands)))
    *Bits &= maskTrailingOnes<uint64_t>(E.Bits);
  return Bits;
}

} // namespace heddle
