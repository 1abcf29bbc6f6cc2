//===- StaticCalls.cpp - Conversions, floating point and intrinsics -------===//

#include "StaticEvaluator.h"

#include "heddle/ABI/DeviceMath.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;

namespace heddle::statics {

/// A floating number as an integer of \p Width bits, saturating.
static int64_t saturate(double V, unsigned Width, bool Signed) {
  if (std::isnan(V))
    return 0;
  if (Signed) {
    double Limit = std::ldexp(1.0, int(Width) - 1);
    if (V >= Limit)
      return wrap(int64_t((uint64_t(1) << (Width - 1)) - 1), Width);
    if (V < -Limit)
      return -int64_t(uint64_t(1) << (Width - 1));
    return int64_t(V);
  }
  if (V >= std::ldexp(1.0, int(Width)))
    return wrap(-1, Width);
  return V <= 0 ? 0 : wrap(int64_t(uint64_t(V)), Width);
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
      return saturate(value(X), To, N.Opcode == Instruction::FPToSI);
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
  };
  Result.Step = {};
  switch (N.Opcode) {
  case Instruction::FAdd:
    apply([](auto X, auto Y) { return X + Y; });
    break;
  case Instruction::FSub:
    apply([](auto X, auto Y) { return X - Y; });
    break;
  case Instruction::FMul:
    apply([](auto X, auto Y) { return X * Y; });
    break;
  case Instruction::FDiv:
    apply([](auto X, auto Y) { return X / Y; });
    break;
  default:
    apply([](auto X, auto) { return -X; });
    break;
  }
  return true;
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
  switch (N.Intrinsic) {
  case Intrinsic::nvvm_vote_all:
  case Intrinsic::nvvm_vote_all_sync:
    Result.V[0] = Holds == Mask;
    return true;
  case Intrinsic::nvvm_vote_any:
  case Intrinsic::nvvm_vote_any_sync:
    Result.V[0] = Holds != 0;
    return true;
  case Intrinsic::nvvm_vote_uni:
  case Intrinsic::nvvm_vote_uni_sync:
    Result.V[0] = Holds == 0 || Holds == Mask;
    return true;
  default:
    Result.V[0] = wrap(Holds, 32);
    return true;
  }
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
  case Intrinsic::fshr: {
    const Lanes &A = in(N, 0), &B = in(N, 1), &C = in(N, 2);
    const bool Left = N.Intrinsic == Intrinsic::fshl;
    Result.Uniform = A.Uniform && B.Uniform && C.Uniform;
    for (unsigned L = 0; L < (Result.Uniform ? 1 : 32); ++L) {
      unsigned By = unsigned(bits(C.at(L), Width) % Width);
      uint64_t High = bits(A.at(L), Width), Low = bits(B.at(L), Width);
      unsigned Up = Left ? By : Width - By;
      uint64_t V = Up == 0       ? High
                   : Up == Width ? Low
                                 : High << Up | Low >> (Width - Up);
      Result.V[L] = wrap(int64_t(V), Width);
    }
    Result.Unknown = A.Unknown | B.Unknown | C.Unknown;
    Result.Odd = A.Odd || B.Odd || C.Odd;
    Result.Step = {};
    blur(Result, A.moves() || B.moves() || C.moves());
    return true;
  }
  case Intrinsic::fma:
  case Intrinsic::fmuladd: {
    if (!isFloat(N.K))
      return false;
    const Lanes &A = in(N, 0), &B = in(N, 1), &C = in(N, 2);
    Result.Uniform = A.Uniform && B.Uniform && C.Uniform;
    for (unsigned L = 0; L < (Result.Uniform ? 1 : 32); ++L)
      Result.V[L] =
          N.K == Kind::F32
              ? of(std::fma(f32(A.at(L)), f32(B.at(L)), f32(C.at(L))))
              : of(std::fma(f64(A.at(L)), f64(B.at(L)), f64(C.at(L))));
    Result.Unknown = A.Unknown | B.Unknown | C.Unknown;
    Result.Odd = A.Odd || B.Odd || C.Odd;
    Result.Step = {};
    return true;
  }
  case Intrinsic::fabs:
    return isFloat(N.K) && unary([&](int64_t X) {
             return N.K == Kind::F32 ? of(std::fabs(f32(X)))
                                     : of(std::fabs(f64(X)));
           });
  case Intrinsic::sqrt:
    return isFloat(N.K) && unary([&](int64_t X) {
             return N.K == Kind::F32 ? of(std::sqrt(f32(X)))
                                     : of(std::sqrt(f64(X)));
           });
  case Intrinsic::floor:
    return isFloat(N.K) && unary([&](int64_t X) {
             return N.K == Kind::F32 ? of(std::floor(f32(X)))
                                     : of(std::floor(f64(X)));
           });
  case Intrinsic::ceil:
    return isFloat(N.K) && unary([&](int64_t X) {
             return N.K == Kind::F32 ? of(std::ceil(f32(X)))
                                     : of(std::ceil(f64(X)));
           });
  case Intrinsic::trunc:
    return isFloat(N.K) && unary([&](int64_t X) {
             return N.K == Kind::F32 ? of(std::trunc(f32(X)))
                                     : of(std::trunc(f64(X)));
           });
  default:
    break;
  }
  return evaluateMath(N);
}

} // namespace heddle::statics
