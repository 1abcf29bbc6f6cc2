//===- StaticArithmetic.cpp - Instructions on values of all lanes ---------===//
//
// Each operation computes 32 lanes (one if they are the same) and how the
// result changes from block to block. What has no simple change is "odd": a
// branch or address that depends on it holds for the evaluated block alone.
//
//===----------------------------------------------------------------------===//

#include "StaticEvaluator.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace heddle::statics {

/// Other blocks must keep PerBlock * distance + Slack >= 0.
void Evaluator::require(const Vector3 &PerBlock, int64_t Slack) {
  for (HeddleBlockCondition &C : Conditions)
    if (C.PerBlock[0] == PerBlock[0] && C.PerBlock[1] == PerBlock[1] &&
        C.PerBlock[2] == PerBlock[2]) {
      C.Slack = std::min(C.Slack, Slack);
      return;
    }
  // Too many directions: not worth a search for each block.
  if (Conditions.size() >= 64) {
    OnlyHere = true;
    return;
  }
  Conditions.push_back({{PerBlock[0], PerBlock[1], PerBlock[2]}, Slack});
}

int64_t Evaluator::least(const Lanes &A) const {
  if (A.Uniform)
    return A.V[0];
  int64_t Least = INT64_MAX;
  for (uint32_t M = Mask; M; M &= M - 1)
    Least = std::min(Least, A.V[std::countr_zero(M)]);
  return Least;
}
int64_t Evaluator::greatest(const Lanes &A) const {
  if (A.Uniform)
    return A.V[0];
  int64_t Greatest = INT64_MIN;
  for (uint32_t M = Mask; M; M &= M - 1)
    Greatest = std::max(Greatest, A.V[std::countr_zero(M)]);
  return Greatest;
}

static Vector3 operator-(const Vector3 &A) { return {-A[0], -A[1], -A[2]}; }
static Vector3 operator+(const Vector3 &A, const Vector3 &B) {
  return {A[0] + B[0], A[1] + B[1], A[2] + B[2]};
}
static Vector3 operator-(const Vector3 &A, const Vector3 &B) { return A + -B; }
static Vector3 operator*(const Vector3 &A, int64_t F) {
  return {A[0] * F, A[1] * F, A[2] * F};
}
static bool divides(int64_t F, const Vector3 &A) {
  return F != 0 && A[0] % F == 0 && A[1] % F == 0 && A[2] % F == 0;
}

/// \p A does not wrap around in the blocks that follow this one's trace.
void Evaluator::requireRange(const Lanes &A, unsigned Width, bool Signed) {
  if (!A.moves() || A.Odd || Width >= 64 || (A.Unknown & Mask) == Mask)
    return;
  int64_t Low = Signed ? -(int64_t(1) << (Width - 1)) : 0;
  int64_t High = Signed ? (int64_t(1) << (Width - 1)) - 1
                        : int64_t((uint64_t(1) << Width) - 1);
  if (!Signed && least(A) < 0) { // as unsigned it lies elsewhere
    OnlyHere = true;
    return;
  }
  require(A.Step, least(A) - Low);
  require(-A.Step, High - greatest(A));
}

bool Evaluator::staysInMultiple(const Lanes &A, int64_t Divisor,
                                unsigned Width) {
  if (A.Odd || (A.Unknown & Mask) || least(A) < 0)
    return false;
  int64_t Below = INT64_MAX, Above = INT64_MAX;
  for (uint32_t M = Mask; M; M &= M - 1) {
    const int64_t Rest = A.at(unsigned(std::countr_zero(M))) % Divisor;
    Below = std::min(Below, Rest);
    Above = std::min(Above, Divisor - 1 - Rest);
  }
  require(A.Step, Below);
  require(-A.Step, Above);
  requireRange(A, Width, true);
  return true;
}

/// Whether A & \p Kept moves in a known way. Keeping low bits is a remainder,
/// dropping them a quotient times its divisor; bits above all of A's say
/// nothing.
bool Evaluator::keepsBits(const Lanes &A, int64_t Kept, unsigned Width) {
  const int64_t Lowest = Kept & -Kept, Above = Kept + Lowest;
  if (Lowest <= 0 || (Above & (Above - 1)) != 0)
    return false;
  const bool KeepsLow = Lowest == 1 && Above > 0;
  const int64_t Multiple = KeepsLow ? Above : Lowest;
  if (!KeepsLow && Above > 0) {
    if (least(A) < 0 || greatest(A) >= Above)
      return false;
    require(A.Step, least(A));
    require(-A.Step, Above - 1 - greatest(A));
  }
  // The low bits of a multiple of their range stay.
  const bool Aligned = divides(Multiple, A.Step);
  if (!Aligned && !staysInMultiple(A, Multiple, Width))
    return false;
  if (Aligned != KeepsLow)
    Result.Step = A.Step;
  return true;
}

void Evaluator::integer(const Node &N) {
  const Lanes &A = in(N, 0), &B = in(N, 1);
  const unsigned Width = N.Width;
  const bool Moves = A.moves() || B.moves();
  auto apply = [&](auto F) {
    map(Result, A, B, [&](int64_t X, int64_t Y) {
      return wrap(int64_t(F(uint64_t(X), uint64_t(Y))), Width);
    });
  };
  Result.Step = {};
  switch (N.Opcode) {
  case Instruction::Add:
    apply([](uint64_t X, uint64_t Y) { return X + Y; });
    Result.Step = A.Step + B.Step;
    return;
  case Instruction::Sub:
    apply([](uint64_t X, uint64_t Y) { return X - Y; });
    Result.Step = A.Step - B.Step;
    return;
  case Instruction::Mul:
    apply([](uint64_t X, uint64_t Y) { return X * Y; });
    if (!Moves)
      return;
    if (A.moves() && !B.moves() && B.Uniform && !B.Odd)
      Result.Step = A.Step * B.V[0];
    else if (B.moves() && !A.moves() && A.Uniform && !A.Odd)
      Result.Step = B.Step * A.V[0];
    else
      blur(Result, true);
    return;
  case Instruction::Shl:
    apply([&](uint64_t X, uint64_t Y) {
      uint64_t By = bits(int64_t(Y), Width);
      return By >= Width ? 0 : X << By;
    });
    if (Moves && !B.moves() && B.Uniform && B.V[0] >= 0 && B.V[0] < 32)
      Result.Step = A.Step * (int64_t(1) << B.V[0]);
    else
      blur(Result, Moves);
    return;
  case Instruction::LShr:
    apply([&](uint64_t X, uint64_t Y) {
      uint64_t By = bits(int64_t(Y), Width);
      return By >= Width ? 0 : bits(int64_t(X), Width) >> By;
    });
    break;
  case Instruction::AShr:
    apply([&](uint64_t X, uint64_t Y) {
      uint64_t By = std::min<uint64_t>(bits(int64_t(Y), Width), 63);
      return uint64_t(int64_t(X) >> By);
    });
    break;
  case Instruction::And:
    apply([](uint64_t X, uint64_t Y) { return X & Y; });
    if (A.moves() && !B.moves() && B.Uniform && !B.Odd &&
        keepsBits(A, B.V[0], Width))
      return;
    blur(Result, Moves);
    return;
  case Instruction::Or:
    apply([](uint64_t X, uint64_t Y) { return X | Y; });
    if (cast<PossiblyDisjointInst>(N.I)->isDisjoint() &&
        !(A.moves() && B.moves())) {
      // Disjoint in every block, so this is a sum.
      Result.Step = A.Step + B.Step;
      return;
    }
    blur(Result, Moves);
    return;
  case Instruction::Xor:
    apply([](uint64_t X, uint64_t Y) { return X ^ Y; });
    blur(Result, Moves);
    return;
  default:
    break;
  }
  // Shifts to the right.
  if (Moves && !B.moves() && B.Uniform && B.V[0] >= 0 && B.V[0] < 32) {
    int64_t Divisor = int64_t(1) << B.V[0];
    if (divides(Divisor, A.Step)) {
      requireRange(A, Width, N.Opcode == Instruction::AShr);
      Result.Step = {A.Step[0] / Divisor, A.Step[1] / Divisor,
                     A.Step[2] / Divisor};
      return;
    }
    if (!B.Odd && staysInMultiple(A, Divisor, Width))
      return;
  }
  blur(Result, Moves);
}

/// Divisors of zero are one, as the engines have it.
void Evaluator::divide(const Node &N) {
  const Lanes &A = in(N, 0), &B = in(N, 1);
  const unsigned Width = N.Width, Opcode = N.Opcode;
  const bool Signed =
      Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  const bool Rest = Opcode == Instruction::SRem || Opcode == Instruction::URem;
  map(Result, A, B, [&](int64_t X, int64_t Y) -> int64_t {
    if (Signed) {
      if (Y == 0)
        Y = 1;
      if (Y == -1)
        return Rest ? 0 : wrap(int64_t(0 - uint64_t(X)), Width);
      return wrap(Rest ? X % Y : X / Y, Width);
    }
    uint64_t U = bits(X, Width), V = std::max<uint64_t>(bits(Y, Width), 1);
    return wrap(int64_t(Rest ? U % V : U / V), Width);
  });
  Result.Step = {};
  if (!A.moves() && !B.moves())
    return;
  if (!B.moves() && B.Uniform && !B.Odd && B.V[0] > 0) {
    if (divides(B.V[0], A.Step) && !A.Odd && !(A.Unknown & Mask) &&
        least(A) >= 0) {
      require(A.Step, least(A));
      requireRange(A, Width, true);
      if (!Rest)
        Result.Step = {A.Step[0] / B.V[0], A.Step[1] / B.V[0],
                       A.Step[2] / B.V[0]};
      return;
    }
    if (staysInMultiple(A, B.V[0], Width)) {
      if (Rest)
        Result.Step = A.Step;
      return;
    }
  }
  blur(Result, true);
}

/// Compares each lane; true if the outcome may differ in other blocks in a way
/// that no condition covers.
bool Evaluator::holds(unsigned Predicate, const Lanes &A, const Lanes &B,
                      unsigned Width, Lanes &R) {
  const bool Signed = ICmpInst::isSigned(CmpInst::Predicate(Predicate));
  const bool Equality = ICmpInst::isEquality(CmpInst::Predicate(Predicate));
  auto one = [&](int64_t X, int64_t Y) -> int64_t {
    return ICmpInst::compare(APInt(Width, bits(X, Width)),
                             APInt(Width, bits(Y, Width)),
                             CmpInst::Predicate(Predicate));
  };
  map(R, A, B, one);
  R.Step = {};
  if (R.Odd || (!A.moves() && !B.moves()))
    return false;
  uint32_t Known = Mask & ~R.Unknown;
  if (!Known)
    return false;
  // Equality asks for no sign; values below zero are compared as they are.
  requireRange(A, Width, Signed || Equality);
  requireRange(B, Width, Signed || Equality);
  const Vector3 Step = B.Step - A.Step;
  if (Step == Vector3{})
    return false;
  const bool Narrow = Width < 64;
  // Distances B - A of the lanes on either side of the comparison.
  int64_t LeastAbove = INT64_MAX, LeastBelow = INT64_MAX;
  bool Equal = false;
  for (uint32_t M = Known; M; M &= M - 1) {
    unsigned L = unsigned(std::countr_zero(M));
    int64_t X = A.at(L), Y = B.at(L);
    if (!Signed && !Equality && Narrow) {
      X = int64_t(bits(X, Width));
      Y = int64_t(bits(Y, Width));
    }
    int64_t D;
    if (__builtin_sub_overflow(Y, X, &D) ||
        (!Signed && !Equality && !Narrow && (X < 0) != (Y < 0)))
      return true;
    if (D > 0)
      LeastAbove = std::min(LeastAbove, D);
    else if (D < 0)
      LeastBelow = std::min(LeastBelow, -D);
    else
      Equal = true;
  }
  // Which side equal values belong to.
  const bool EqualWithAbove =
      Predicate == CmpInst::ICMP_SLE || Predicate == CmpInst::ICMP_ULE ||
      Predicate == CmpInst::ICMP_SGT || Predicate == CmpInst::ICMP_UGT;
  if (Equality) {
    if (Equal) { // must stay equal
      require(Step, 0);
      require(-Step, 0);
    }
    if (LeastAbove != INT64_MAX)
      require(Step, LeastAbove - 1);
    if (LeastBelow != INT64_MAX)
      require(-Step, LeastBelow - 1);
    return false;
  }
  if (EqualWithAbove) {
    if (Equal)
      LeastAbove = 0;
    if (LeastAbove != INT64_MAX)
      require(Step, LeastAbove);
    if (LeastBelow != INT64_MAX)
      require(-Step, LeastBelow - 1);
  } else {
    if (Equal)
      LeastBelow = 0;
    if (LeastAbove != INT64_MAX)
      require(Step, LeastAbove - 1);
    if (LeastBelow != INT64_MAX)
      require(-Step, LeastBelow);
  }
  return false;
}

void Evaluator::compare(const Node &N) {
  const auto *Cmp = cast<ICmpInst>(N.I);
  if (holds(Cmp->getPredicate(), in(N, 0), in(N, 1), N.Ops[0].Width, Result))
    Result.Odd = true;
}

void Evaluator::select(const Node &N) {
  const Lanes &C = in(N, 0), &A = in(N, 1), &B = in(N, 2);
  uint32_t True = 0;
  for (unsigned L = 0; L < 32; ++L)
    True |= uint32_t(C.at(L) & 1) << L;
  Result.Odd = C.Odd || A.Odd || B.Odd;
  Result.Unknown = C.Unknown | (A.Unknown & True) | (B.Unknown & ~True);
  Result.Uniform = C.Uniform && (C.V[0] & 1 ? A.Uniform : B.Uniform);
  if (Result.Uniform) {
    Result.V[0] = (C.V[0] & 1 ? A : B).V[0];
  } else {
    for (unsigned L = 0; L < 32; ++L)
      Result.V[L] = True >> L & 1 ? A.at(L) : B.at(L);
  }
  uint32_t Chosen = True & Mask;
  Result.Step = Chosen ? A.Step : B.Step;
  if (A.Step != B.Step && Chosen && Chosen != Mask)
    blur(Result, true);
}

void Evaluator::minMax(const Node &N) {
  CmpInst::Predicate Less = cast<MinMaxIntrinsic>(N.I)->getPredicate();
  const Lanes A = in(N, 0), B = in(N, 1);
  Lanes C;
  bool Odd = holds(Less, A, B, N.Width, C);
  Result.Unknown = A.Unknown | B.Unknown;
  Result.Odd = C.Odd || Odd;
  Result.Uniform = A.Uniform && B.Uniform;
  uint32_t First = 0;
  for (unsigned L = 0; L < 32; ++L)
    First |= uint32_t(C.at(L) & 1) << L;
  for (unsigned L = 0; L < (Result.Uniform ? 1 : 32); ++L)
    Result.V[L] = First >> L & 1 ? A.at(L) : B.at(L);
  First &= Mask;
  Result.Step = First ? A.Step : B.Step;
  if (A.Step != B.Step && First && First != Mask)
    blur(Result, true);
}

void Evaluator::address(const Node &N) {
  const Lanes &Base = in(N, 0);
  Result = Base;
  for (unsigned I = 1; I < N.Ops.size(); ++I) {
    const Lanes &Index = in(N, I);
    const int64_t Scale = N.Scales[I - 1];
    requireRange(Index, N.Ops[I].Width, true);
    const Vector3 Step = Result.Step + Index.Step * Scale;
    const Lanes Sum = Result;
    map(Result, Sum, Index, [&](int64_t X, int64_t Y) {
      return int64_t(uint64_t(X) + uint64_t(Y) * uint64_t(Scale));
    });
    Result.Step = Step;
  }
  if (Result.Uniform) {
    Result.V[0] += N.Offset;
    return;
  }
  for (unsigned L = 0; L < 32; ++L)
    Result.V[L] += N.Offset;
}

/// Parameters and constants; what comes from elsewhere is unknown.
void Evaluator::load(const Node &N) {
  const Lanes &A = in(N, 0);
  Result.Odd = false;
  Result.Step = {};
  Result.Uniform = true;
  Result.Unknown = ~0u;
  Result.V[0] = 0;
  if (!N.ReadsKnown || (A.Unknown & Mask) || A.Odd)
    return;
  Result.Unknown = 0;
  Result.Uniform = A.Uniform;
  auto read = [&](int64_t Address) {
    int64_t V = 0;
    std::memcpy(&V,
                reinterpret_cast<const void *>(uintptr_t(Address + N.Offset)),
                (N.Width + 7) / 8);
    return N.K == Kind::Int ? wrap(V, N.Width) : V;
  };
  if (A.Uniform)
    Result.V[0] = read(A.V[0]);
  else
    for (unsigned L = 0; L < 32; ++L)
      Result.V[L] = Mask >> L & 1 ? read(A.V[L]) : 0;
  blur(Result, A.moves());
}

bool Evaluator::evaluate(const Node &N) {
  bool Known = true;
  switch (N.Opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    Known = N.K == Kind::Int;
    if (Known)
      integer(N);
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    Known = N.K == Kind::Int;
    if (Known)
      divide(N);
    break;
  case Instruction::ICmp:
    Known = N.Ops[0].K == Kind::Int;
    if (Known)
      compare(N);
    break;
  case Instruction::FCmp:
    Known = N.Ops[0].K == Kind::F32 || N.Ops[0].K == Kind::F64;
    if (Known)
      compareFloats(N);
    break;
  case Instruction::Select:
    select(N);
    break;
  case Instruction::GetElementPtr:
    address(N);
    break;
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::BitCast:
  case Instruction::Trunc:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    Known = N.K != Kind::Other && N.Ops[0].K != Kind::Other;
    if (Known)
      convert(N);
    break;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
    Known = floating(N);
    break;
  case Instruction::Alloca:
    Result = {};
    Result.Uniform = false;
    for (unsigned L = 0; L < 32; ++L)
      Result.V[L] = int64_t(reinterpret_cast<uintptr_t>(W->Local)) +
                    int64_t(L * W->LocalStride) + N.Offset;
    break;
  case Instruction::Load:
    if (N.Record != ~0u && !access(N))
      return false;
    load(N);
    break;
  case Instruction::Store:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    access(N);
    Result = {};
    Result.Unknown = ~0u;
    break;
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    Result = {};
    Result.Unknown = ~0u; // vectors are not kept
    break;
  case Instruction::Fence:
    return true;
  case Instruction::ExtractValue:
    Known = N.IsElected && evaluateElected(N);
    break;
  case Instruction::Call:
    if (N.BarrierAction || N.Bulk) {
      if (!(N.Bulk ? copyInBulk(N) : actOnBarrier(N)))
        return false;
      break;
    }
    if (N.Record != ~0u && !access(N))
      return false;
    if (N.Texture || N.Record != ~0u) { // what it reads is data
      Result = {};
      Result.Unknown = ~0u;
    } else {
      Known = evaluateCall(N);
    }
    break;
  default:
    Known = false;
    break;
  }
  if (N.Dst == ~0u)
    return Known;
  if (!Known) {
    // What depends on data alone is unknown anyway.
    uint32_t Unknown = 0;
    for (unsigned I = 0; I < N.Ops.size(); ++I)
      Unknown |= in(N, I).Unknown;
    if ((Unknown & Mask) != Mask)
      return false;
    Result = {};
    Result.Unknown = ~0u;
  }
  write(N.Dst, Result, Mask);
  return true;
}

} // namespace heddle::statics
