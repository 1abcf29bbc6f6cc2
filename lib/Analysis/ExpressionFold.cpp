//===- ExpressionFold.cpp - One operation on bits -------------------------===//

#include "ExpressionFold.h"

#include "llvm/ADT/APFloat.h"
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

static bool applyInteger(const Expr &E, const uint64_t *V, uint64_t &R) {
  unsigned Bits = E.Operands[0]->Bits;
  uint64_t A = V[0], B = V[1];
  int64_t SA = SignExtend64(A, Bits), SB = SignExtend64(B, Bits);
  switch (E.Op) {
  case ExprOp::Add:
    R = A + B;
    return true;
  case ExprOp::Mul:
    R = A * B;
    return true;
  case ExprOp::UDiv:
  case ExprOp::URem:
    if (B == 0)
      return false;
    R = E.Op == ExprOp::UDiv ? A / B : A % B;
    return true;
  case ExprOp::SDiv:
  case ExprOp::SRem:
    if (SB == 0)
      return false;
    if (SB == -1) // also what would overflow
      R = E.Op == ExprOp::SDiv ? 0 - A : 0;
    else
      R = E.Op == ExprOp::SDiv ? SA / SB : SA % SB;
    return true;
  case ExprOp::Shl:
    R = B >= Bits ? 0 : A << B;
    return true;
  case ExprOp::LShr:
    R = B >= Bits ? 0 : A >> B;
    return true;
  case ExprOp::AShr:
    R = SA >> std::min<uint64_t>(B, Bits - 1);
    return true;
  case ExprOp::And:
    R = A & B;
    return true;
  case ExprOp::Or:
    R = A | B;
    return true;
  case ExprOp::Xor:
    R = A ^ B;
    return true;
  case ExprOp::SMin:
    R = SA < SB ? A : B;
    return true;
  case ExprOp::SMax:
    R = SA > SB ? A : B;
    return true;
  case ExprOp::UMin:
    R = std::min(A, B);
    return true;
  case ExprOp::UMax:
    R = std::max(A, B);
    return true;
  case ExprOp::Pow: {
    R = 1;
    for (; B; B >>= 1, A *= A)
      if (B & 1)
        R *= A;
    return true;
  }
  case ExprOp::Trunc:
  case ExprOp::ZExt:
  case ExprOp::BitCast:
    R = A;
    return true;
  case ExprOp::SExt:
    R = SA;
    return true;
  case ExprOp::PopCount:
    R = llvm::popcount(A);
    return true;
  case ExprOp::LeadingZeros:
    R = A ? llvm::countl_zero(A) - (64 - Bits) : Bits;
    return true;
  case ExprOp::TrailingZeros:
    R = A ? llvm::countr_zero(A) : Bits;
    return true;
  case ExprOp::BitReverse:
    R = llvm::reverseBits(A) >> (64 - Bits);
    return true;
  case ExprOp::IntToFP:
    // Straight to the result's type: through double it might round twice.
    if (E.Bits == 32)
      R = std::bit_cast<uint32_t>(E.Payload ? float(SA) : float(A));
    else
      R = fromDouble(E.Payload ? double(SA) : double(A), E.Bits);
    return true;
  case ExprOp::Select:
    R = V[0] & 1 ? V[1] : V[2];
    return true;
  default:
    return false;
  }
}

static bool applyFloat(const Expr &E, const uint64_t *V, uint64_t &R) {
  unsigned Bits = E.Operands[0]->Bits;
  double A = toDouble(V[0], Bits);
  double B = E.Operands.size() > 1 ? toDouble(V[1], Bits) : 0;
  double Result;
  switch (E.Op) {
  case ExprOp::FAdd:
    Result = A + B;
    break;
  case ExprOp::FSub:
    Result = A - B;
    break;
  case ExprOp::FMul:
    Result = A * B;
    break;
  case ExprOp::FDiv:
    Result = A / B;
    break;
  case ExprOp::FMin:
    Result = std::fmin(A, B);
    break;
  case ExprOp::FMax:
    Result = std::fmax(A, B);
    break;
  case ExprOp::FNeg:
    Result = -A;
    break;
  case ExprOp::FAbs:
    Result = std::fabs(A);
    break;
  case ExprOp::FSqrt:
    Result = std::sqrt(A);
    break;
  case ExprOp::FFloor:
    Result = std::floor(A);
    break;
  case ExprOp::FCeil:
    Result = std::ceil(A);
    break;
  case ExprOp::FTrunc:
    Result = std::trunc(A);
    break;
  case ExprOp::FRound:
    Result = std::nearbyint(A);
    break;
  case ExprOp::FMulAdd: {
    double C = toDouble(V[2], Bits);
    Result =
        Bits == 32 ? std::fma(float(A), float(B), float(C)) : std::fma(A, B, C);
    break;
  }
  case ExprOp::FCast:
    Result = A;
    break;
  case ExprOp::FPToInt: {
    // Out of range is poison in IR; the hardware saturates.
    double Low = E.Payload ? -std::ldexp(1.0, E.Bits - 1) : 0;
    double High = std::ldexp(1.0, E.Payload ? E.Bits - 1 : E.Bits);
    double T = std::trunc(A);
    if (std::isnan(T))
      R = 0;
    else if (T < Low)
      R = E.Payload ? uint64_t(1) << (E.Bits - 1) : 0;
    else if (T >= High)
      R = maskTrailingOnes<uint64_t>(E.Payload ? E.Bits - 1 : E.Bits);
    else
      R = E.Payload ? uint64_t(int64_t(T)) : uint64_t(T);
    return true;
  }
  case ExprOp::BitCast:
    R = V[0];
    return true;
  default:
    return false;
  }
  R = fromDouble(Result, E.Bits);
  return true;
}

bool applyOperation(const Expr &E, const uint64_t *Operands, uint64_t &Result) {
  if (E.Operands.empty())
    return false;
  const Expr *First = E.Operands[0];
  bool Good;
  if (E.Op == ExprOp::Compare) {
    auto P = CmpInst::Predicate(unsigned(E.Payload));
    auto integer = [&](unsigned N) {
      return APInt(First->Bits, Operands[N], /*isSigned=*/false,
                   /*implicitTrunc=*/true);
    };
    Result = First->IsFloat
                 ? compareFloats(P, toDouble(Operands[0], First->Bits),
                                 toDouble(Operands[1], First->Bits))
                 : ICmpInst::compare(integer(0), integer(1), P);
    Good = true;
  } else if (First->IsFloat) {
    Good = applyFloat(E, Operands, Result);
  } else {
    Good = applyInteger(E, Operands, Result);
  }
  Result &= maskTrailingOnes<uint64_t>(E.Bits);
  return Good;
}

} // namespace heddle
