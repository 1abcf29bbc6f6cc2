//===- StaticCalls.cpp - Conversions, floating point and intrinsics -------===//

#include "StaticEvaluator.h"

#include "heddle/ABI/DeviceMath.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/ClusterRegisters.h"
#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

using namespace llvm;

namespace heddle::statics {

/// A floating number as an integer of \p Width bits, as PTX's cvt has it: out
/// of range saturates, and NaN is 0, or only the top bit where one of the two
/// types has 64 bits.
static int64_t saturate(double V, Kind From, unsigned Width, bool Signed) {
  if (V != V)
    return From == Kind::F32 && Width < 64
               ? 0
               : wrap(int64_t(uint64_t(1) << (Width - 1)), Width);
  APSInt Out(Width, /*isUnsigned=*/!Signed);
  bool IsExact;
  APFloat(V).convertToInteger(Out, APFloat::rmTowardZero, &IsExact);
  return wrap(int64_t(Out.getZExtValue()), Width);
}

void Evaluator::convert(const Node &N) {
  const Lanes &A = in(N, 0);
  const unsigned From = N.Ops[0].Width, To = N.Width;
  auto apply = [&](auto F) {
    map(Result, A, A, [&](int64_t X, int64_t) -> int64_t { return F(X); });
  };
  Result.Step = {};
  auto real = [&](double V) { return N.K == Kind::F32 ? of(float(V)) : of(V); };
  auto value = [&](int64_t X) {
    return N.Ops[0].K == Kind::F32 ? double(f32(X)) : f64(X);
  };
  switch (N.Opcode) {
  case Instruction::Trunc:
    apply([&](int64_t X) { return wrap(X, To); });
    Result.Step = A.Step;
    if (To == 1)
      blur(Result, A.moves());
    return;
  case Instruction::SExt:
    apply([&](int64_t X) { return From == 1 ? -(X & 1) : X; });
    requireRange(A, From, true);
    Result.Step = A.Step;
    return;
  case Instruction::ZExt:
    apply([&](int64_t X) { return int64_t(bits(X, From)); });
    requireRange(A, From, false);
    Result.Step = A.Step;
    return;
  case Instruction::SIToFP:
    apply([&](int64_t X) {
      return N.K == Kind::F32 ? of(float(X)) : of(double(X));
    });
    break;
  case Instruction::UIToFP:
    apply([&](int64_t X) {
      return N.K == Kind::F32 ? of(float(bits(X, From)))
                              : of(double(bits(X, From)));
    });
    break;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    apply([&](int64_t X) {
      return saturate(value(X), N.Ops[0].K, To,
                      N.Opcode == Instruction::FPToSI);
    });
    break;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    apply([&](int64_t X) { return real(value(X)); });
    break;
  case Instruction::BitCast:
    apply([&](int64_t X) {
      return N.K == Kind::Int ? wrap(X, To) : int64_t(bits(X, From));
    });
    break;
  default: // pointers and freeze
    apply([&](int64_t X) { return N.K == Kind::Int ? wrap(X, To) : X; });
    Result.Step = A.Step;
    return;
  }
  blur(Result, A.moves());
}

bool Evaluator::floating(const Node &N) {
  if (N.K != Kind::F32 && N.K != Kind::F64)
    return false;
  const Lanes &A = in(N, 0), &B = in(N, N.Ops.size() > 1 ? 1 : 0);
  auto apply = [&](auto F) {
    if (N.K == Kind::F32)
      map(Result, A, B,
          [&](int64_t X, int64_t Y) { return of(float(F(f32(X), f32(Y)))); });
    else
      map(Result, A, B,
          [&](int64_t X, int64_t Y) { return of(double(F(f64(X), f64(Y)))); });
    return true;
  };
  Result.Step = {};
  switch (N.Opcode) {
  case Instruction::FAdd:
    return apply(std::plus());
  case Instruction::FSub:
    return apply(std::minus());
  case Instruction::FMul:
    return apply(std::multiplies());
  case Instruction::FDiv:
    return apply(std::divides());
  default:
    return apply([](auto X, auto) { return -X; });
  }
}

void Evaluator::compareFloats(const Node &N) {
  const auto Predicate = cast<FCmpInst>(N.I)->getPredicate();
  const bool Single = N.Ops[0].K == Kind::F32;
  map(Result, in(N, 0), in(N, 1), [&](int64_t A, int64_t B) -> int64_t {
    double X = Single ? f32(A) : f64(A), Y = Single ? f32(B) : f64(B);
    // The predicate's bits: equal, greater, less, unordered.
    unsigned Outcome = std::isunordered(X, Y) ? 8 : X == Y ? 1 : X > Y ? 2 : 4;
    return (unsigned(Predicate) & Outcome) != 0;
  });
  Result.Step = {};
}

/// tid.x, ctaid.y, laneid, ...
bool Evaluator::evaluateRegister(const Node &N, StringRef Name) {
  Result = {};
  auto rows = [&](const uint32_t *Row) {
    Result.Uniform = false;
    for (unsigned L = 0; L < 32; ++L)
      Result.V[L] = wrap(Row[L], N.Width);
    return true;
  };
  auto one = [&](uint64_t V) {
    Result.V[0] = wrap(int64_t(V), N.Width);
    return true;
  };
  auto dimension = [&](StringRef Prefix) -> int {
    return Name.size() == Prefix.size() + 1 && Name.starts_with(Prefix)
               ? Name.back() - 'x'
               : -1;
  };
  if (int D = dimension("tid."); D >= 0)
    return rows(D == 0 ? W->TidX : D == 1 ? W->TidY : W->TidZ);
  if (int D = dimension("ctaid."); D >= 0) {
    Result.Step[unsigned(D)] = 1;
    return one(W->BlockIdx[D]);
  }
  if (int D = dimension("ntid."); D >= 0)
    return one(W->BlockDim[D]);
  if (int D = dimension("nctaid."); D >= 0)
    return one(W->GridDim[D]);
  if (int D = dimension("globaloffset."); D >= 0)
    return one(W->GlobalOffset[D]);
  if (Name == "workdim")
    return one(W->WorkDim);
  if (Name == "warpid")
    return one(W->WarpInBlock);
  if (Name == "warpsize")
    return one(HEDDLE_WARP_SIZE);
  if (Name == "dynamic.smem.size")
    return one(W->DynamicSharedBytes);
  if (clusterRegister(Name))
    return evaluateCluster(N, Name);
  if (Name == "laneid" || Name.starts_with("lanemask.")) {
    Result.Uniform = false;
    for (unsigned L = 0; L < 32; ++L) {
      uint32_t Own = 1u << L, Below = Own - 1;
      uint32_t V = Name == "laneid"       ? L
                   : Name.ends_with("eq") ? Own
                   : Name.ends_with("lt") ? Below
                   : Name.ends_with("le") ? Below | Own
                   : Name.ends_with("gt") ? ~(Below | Own)
                                          : ~Below;
      Result.V[L] = wrap(V, N.Width);
    }
    return true;
  }
  return false;
}

bool Evaluator::evaluateVote(const Node &N) {
  Result = {};
  if (N.Intrinsic == Intrinsic::nvvm_activemask) {
    Result.V[0] = wrap(Mask, 32);
    return true;
  }
  // The predicate is the last operand.
  const Lanes &A = in(N, unsigned(N.Ops.size()) - 1);
  if (A.Unknown & Mask) {
    Result.Unknown = ~0u;
    return true;
  }
  Result.Odd = A.Odd;
  uint32_t Holds = 0;
  for (unsigned L = 0; L < 32; ++L)
    Holds |= uint32_t(A.at(L) & 1) << L;
  Holds &= Mask;
  auto outcome = [&]() -> int64_t {
    switch (N.Intrinsic) {
    case Intrinsic::nvvm_vote_all:
    case Intrinsic::nvvm_vote_all_sync:
      return Holds == Mask;
    case Intrinsic::nvvm_vote_any:
    case Intrinsic::nvvm_vote_any_sync:
      return Holds != 0;
    case Intrinsic::nvvm_vote_uni:
    case Intrinsic::nvvm_vote_uni_sync:
      return Holds == 0 || Holds == Mask;
    default:
      return wrap(Holds, 32);
    }
  };
  Result.V[0] = outcome();
  return true;
}

/// A function of DeviceMath.h on one to three floating or integer operands.
bool Evaluator::evaluateMath(const Node &N) {
  const auto [Name, Arguments] = deviceCall(*cast<CallBase>(N.I));
  const HeddleMathEntry *Entry = heddleFindMath(Name.c_str());
  if (!Entry) {
    StringRef Short = Name;
    if (!Short.consume_front("heddle.math."))
      Short.consume_front("llvm.");
    Entry = heddleFindMath(Short.str().c_str());
  }
  StringRef Signature = Entry ? Entry->Signature : "";
  if (!Entry || Signature.size() != Arguments.size() + 1 ||
      Arguments.size() > 3)
    return false;
  auto bytesOf = [](char Letter) {
    return Letter == 'b'                    ? 1
           : Letter == 's' || Letter == 'h' ? 2
           : Letter == 'l' || Letter == 'd' ? 8
                                            : 4;
  };
  alignas(64) uint8_t Arrays[4][32 * 8];
  Lanes R;
  R.Uniform = false;
  bool Moves = false;
  for (auto [I, Argument] : enumerate(Arguments)) {
    const Lanes &A = in(N, Argument);
    const int Bytes = bytesOf(Signature[I + 1]);
    for (unsigned L = 0; L < 32; ++L) {
      int64_t V = A.at(L);
      std::memcpy(Arrays[I + 1] + L * unsigned(Bytes), &V, size_t(Bytes));
    }
    R.Unknown |= A.Unknown;
    R.Odd |= A.Odd;
    Moves |= A.moves();
  }
  Entry->Function(Arrays[0], Arrays[1], Arrays[2], Arrays[3]);
  const int Bytes = bytesOf(Signature[0]);
  for (unsigned L = 0; L < 32; ++L) {
    uint64_t V = 0;
    std::memcpy(&V, Arrays[0] + L * unsigned(Bytes), size_t(Bytes));
    R.V[L] = N.K == Kind::Int ? wrap(int64_t(V), N.Width) : int64_t(V);
  }
  blur(R, Moves);
  Result = R;
  return true;
}

static bool isFloat(Kind K) { return K == Kind::F32 || K == Kind::F64; }

bool Evaluator::evaluateCall(const Node &N) {
  const Function *Callee = cast<CallBase>(N.I)->getCalledFunction();
  if (!Callee)
    return false;
  StringRef Name = Callee->getName();
  StringRef Register = Name;
  if (Register.consume_front("llvm.nvvm.read.ptx.sreg.") ||
      Register.consume_front("heddle.special."))
    return evaluateRegister(N, Register);
  if (Name.starts_with("llvm.nvvm.vote.") ||
      N.Intrinsic == Intrinsic::nvvm_activemask)
    return evaluateVote(N);
  if (Name == "llvm.nvvm.is_explicit_cluster") {
    Result = {};
    Result.V[0] = W->ExplicitCluster;
    return true;
  }
  if (Name.starts_with("llvm.nvvm.mapa") ||
      Name.starts_with("llvm.nvvm.getctarank"))
    return evaluateCluster(N, Name);
  if (Name.starts_with("llvm.nvvm.barrier.") || Name == GridBarrierName ||
      Name.starts_with("llvm.nvvm.membar.") ||
      Name.starts_with("llvm.nvvm.fence.") ||
      Name.starts_with("llvm.nvvm.bar.warp.sync") ||
      Name.starts_with("llvm.nvvm.prefetch") ||
      N.Intrinsic == Intrinsic::assume ||
      N.Intrinsic == Intrinsic::nvvm_nanosleep) {
    Result = {};
    Result.Unknown = ~0u; // reductions: what other warps say
    return true;
  }
  auto unary = [&](auto F) {
    const Lanes &A = in(N, 0);
    map(Result, A, A, [&](int64_t X, int64_t) -> int64_t { return F(X); });
    Result.Step = {};
    blur(Result, A.moves());
    return true;
  };
  auto real = [&](auto F) {
    return isFloat(N.K) && unary([&](int64_t X) {
             return N.K == Kind::F32 ? of(F(f32(X))) : of(F(f64(X)));
           });
  };
  auto ternary = [&](auto F) {
    const Lanes &A = in(N, 0), &B = in(N, 1), &C = in(N, 2);
    Result.Uniform = A.Uniform && B.Uniform && C.Uniform;
    for (unsigned L = 0; L < (Result.Uniform ? 1 : 32); ++L)
      Result.V[L] = F(A.at(L), B.at(L), C.at(L));
    Result.Unknown = A.Unknown | B.Unknown | C.Unknown;
    Result.Odd = A.Odd || B.Odd || C.Odd;
    Result.Step = {};
    blur(Result, A.moves() || B.moves() || C.moves());
    return true;
  };
  const unsigned Width = N.Width;
  switch (N.Intrinsic) {
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    minMax(N);
    return true;
  case Intrinsic::abs:
    return unary([&](int64_t X) { return wrap(X < 0 ? -X : X, Width); });
  case Intrinsic::ctpop:
    return unary([&](int64_t X) { return popcount(bits(X, Width)); });
  case Intrinsic::ctlz:
    return unary([&](int64_t X) {
      return countl_zero(bits(X, Width)) - int(64 - Width);
    });
  case Intrinsic::cttz:
    return unary([&](int64_t X) {
      return std::min<int>(countr_zero(bits(X, Width)), int(Width));
    });
  case Intrinsic::bitreverse:
    return unary([&](int64_t X) {
      return wrap(int64_t(reverseBits(uint64_t(X)) >> (64 - Width)), Width);
    });
  case Intrinsic::bswap:
    return unary([&](int64_t X) {
      return wrap(int64_t(byteswap(uint64_t(X)) >> (64 - Width)), Width);
    });
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return ternary([&](int64_t A, int64_t B, int64_t C) {
      const bool Left = N.Intrinsic == Intrinsic::fshl;
      unsigned By = unsigned(bits(C, Width) % Width);
      uint64_t High = bits(A, Width), Low = bits(B, Width);
      unsigned Up = Left ? By : Width - By;
      uint64_t V = Up == 0       ? High
                   : Up == Width ? Low
                                 : High << Up | Low >> (Width - Up);
      return wrap(int64_t(V), Width);
    });
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return isFloat(N.K) && ternary([&](int64_t A, int64_t B, int64_t C) {
             return N.K == Kind::F32 ? of(std::fma(f32(A), f32(B), f32(C)))
                                     : of(std::fma(f64(A), f64(B), f64(C)));
           });
  case Intrinsic::fabs:
    return real([](auto X) { return std::fabs(X); });
  case Intrinsic::sqrt:
    return real([](auto X) { return std::sqrt(X); });
  case Intrinsic::floor:
    return real([](auto X) { return std::floor(X); });
  case Intrinsic::ceil:
    return real([](auto X) { return std::ceil(X); });
  case Intrinsic::trunc:
    return real([](auto X) { return std::trunc(X); });
  default:
    return evaluateMath(N);
  }
}

} // namespace heddle::statics
