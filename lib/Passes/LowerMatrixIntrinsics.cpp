//===- LowerMatrixIntrinsics.cpp - wmma as loads and shuffles -------------===//
//
// llvm.nvvm.wmma.*, to which Clang takes the functions of a toolkit's mma.h,
// becomes what it computes. Which lane holds which element is left open by the
// PTX ISA (9.7.14.5, "Matrix Fragments for WMMA"), so here it is what is
// simple: lanes hold consecutive elements, of A and C along the rows, of B
// along the columns. Where the lanes hold more than the matrix has, they begin
// again. Products are summed in the order of k.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

namespace {
/// Elements of one of the matrices, as lanes hold them in registers.
struct Fragment {
  StringRef Type; ///< of an element, as PTX has it
  unsigned Lines; ///< rows of A and C, columns of B
  unsigned Length;
  SmallVector<Value *, 8> Registers; ///< of the lane, as i32 or double
  unsigned Count = 0;                ///< of registers

  unsigned bits() const {
    return StringSwitch<unsigned>(Type)
        .Case("f64", 64)
        .Cases({"f32", "s32", "tf32"}, 32)
        .Cases({"f16", "bf16"}, 16)
        .Cases({"s8", "u8"}, 8)
        .Cases({"s4", "u4"}, 4)
        .Case("b1", 1)
        .Default(0);
  }
  unsigned registerBits() const { return std::max(bits(), 32u); }
  unsigned perRegister() const { return registerBits() / bits(); }
  unsigned perLane() const { return Count * perRegister(); }
  /// Lanes that hold the matrix once.
  unsigned lanes() const { return Lines * Length / perLane(); }
};

class MatrixLowering {
public:
  explicit MatrixLowering(CallInst &Call) : Call(Call), B(&Call) {}
  bool run();

private:
  bool readShape(StringRef Text);
  Fragment fragment(StringRef Use, StringRef Type) const;
  bool lowerLoad(ArrayRef<StringRef> Words);
  bool lowerStore(ArrayRef<StringRef> Words);
  bool lowerProduct(ArrayRef<StringRef> Words);

  Value *lane() {
    return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  }
  Value *address(const Fragment &F, unsigned Register, unsigned Element,
                 bool Along, Value *Stride);
  Value *fromLane(Value *V, Value *Lane);
  Value *element(const Fragment &F, Value *Register, unsigned E);
  SmallVector<Value *, 8> line(const Fragment &F, Value *Number);
  void take(Fragment &F, unsigned First, unsigned Count);
  Value *give(const Fragment &F, Type *Result);

  CallInst &Call;
  IRBuilder<> B;
  unsigned M = 0, N = 0, K = 0;
};
} // namespace

bool MatrixLowering::readShape(StringRef Text) {
  return Text.consume_front("m") && !Text.consumeInteger(10, M) &&
         Text.consume_front("n") && !Text.consumeInteger(10, N) &&
         Text.consume_front("k") && !Text.consumeInteger(10, K) &&
         Text.empty() && M && N && K;
}

Fragment MatrixLowering::fragment(StringRef Use, StringRef Type) const {
  Fragment F{Type, Use == "b" ? N : M, Use == "c" || Use == "d" ? N : K, {}};
  return F;
}

/// \p V of lane \p Lane; all lanes take part.
Value *MatrixLowering::fromLane(Value *V, Value *Lane) {
  auto Shuffle = [&](Value *Word) {
    return B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32,
                             {B.getInt32(-1), Word, Lane, B.getInt32(31)});
  };
  if (V->getType()->isIntegerTy(32))
    return Shuffle(V);
  Value *Bits = B.CreateBitCast(V, B.getInt64Ty());
  Value *Low = Shuffle(B.CreateTrunc(Bits, B.getInt32Ty()));
  Value *High = Shuffle(B.CreateTrunc(B.CreateLShr(Bits, 32), B.getInt32Ty()));
  Bits = B.CreateOr(B.CreateZExt(Low, B.getInt64Ty()),
                    B.CreateShl(B.CreateZExt(High, B.getInt64Ty()), 32));
  return B.CreateBitCast(Bits, B.getDoubleTy());
}

/// The registers with the elements of line \p Number, in order.
SmallVector<Value *, 8> MatrixLowering::line(const Fragment &F, Value *Number) {
  SmallVector<Value *, 8> Result;
  unsigned LanesPerLine = F.Length / F.perLane();
  Value *First = B.CreateMul(Number, B.getInt32(LanesPerLine));
  for (unsigned I = 0; I < LanesPerLine; ++I)
    for (Value *Register : F.Registers)
      Result.push_back(fromLane(Register, B.CreateAdd(First, B.getInt32(I))));
  return Result;
}

/// Element \p E of \p Register, as the type that sums have.
Value *MatrixLowering::element(const Fragment &F, Value *Register, unsigned E) {
  if (F.Type == "f64")
    return Register;
  if (F.Type == "f32")
    return B.CreateBitCast(Register, B.getFloatTy());
  if (F.Type == "s32")
    return Register;
  if (F.Type == "tf32") // the low 13 bits of the fraction do not count
    return B.CreateBitCast(B.CreateAnd(Register, 0xffffe000), B.getFloatTy());
  Value *Part = B.CreateTrunc(B.CreateLShr(Register, E * F.bits()),
                              B.getIntNTy(F.bits()));
  if (F.Type == "bf16")
    return B.CreateBitCast(B.CreateShl(B.CreateZExt(Part, B.getInt32Ty()), 16),
                           B.getFloatTy());
  if (F.Type == "f16")
    return B.CreateFPExt(B.CreateBitCast(Part, B.getHalfTy()), B.getFloatTy());
  return F.Type.starts_with("s") ? B.CreateSExt(Part, B.getInt32Ty())
                                 : B.CreateZExt(Part, B.getInt32Ty());
}

/// Where element \p Element of the lane's register \p Register stands in
/// memory.
/// \p Along: lines are consecutive there.
Value *MatrixLowering::address(const Fragment &F, unsigned Register,
                               unsigned Element, bool Along, Value *Stride) {
  Type *I64 = B.getInt64Ty();
  Value *Lane = lane();
  if (F.lanes() < 32)
    Lane = B.CreateURem(Lane, B.getInt32(F.lanes()));
  Value *Linear = B.CreateAdd(B.CreateMul(Lane, B.getInt32(F.perLane())),
                              B.getInt32(Register * F.perRegister() + Element));
  Value *Line = B.CreateZExt(B.CreateUDiv(Linear, B.getInt32(F.Length)), I64);
  Value *At = B.CreateZExt(B.CreateURem(Linear, B.getInt32(F.Length)), I64);
  if (!Stride)
    Stride = B.getInt32(Along ? F.Length : F.Lines);
  Stride = B.CreateZExt(Stride, I64);
  Value *Index = Along ? B.CreateAdd(B.CreateMul(Line, Stride), At)
                       : B.CreateAdd(Line, B.CreateMul(At, Stride));
  Value *Bits = B.CreateMul(Index, B.getInt64(F.bits()));
  return B.CreateGEP(B.getInt8Ty(), Call.getArgOperand(0),
                     B.CreateLShr(Bits, 3));
}

/// Takes the registers of \p F from the arguments of the call.
void MatrixLowering::take(Fragment &F, unsigned First, unsigned Count) {
  F.Count = Count;
  for (unsigned I = 0; I < Count; ++I) {
    Value *V = Call.getArgOperand(First + I);
    F.Registers.push_back(
        V->getType()->isDoubleTy() ? V : B.CreateBitCast(V, B.getInt32Ty()));
  }
}

/// The registers of \p F as the call returns them.
Value *MatrixLowering::give(const Fragment &F, Type *Result) {
  auto *Struct = dyn_cast<StructType>(Result);
  if (!Struct)
    return B.CreateBitCast(F.Registers.front(), Result);
  Value *All = PoisonValue::get(Result);
  for (auto [I, V] : enumerate(F.Registers))
    All = B.CreateInsertValue(All,
                              B.CreateBitCast(V, Struct->getElementType(I)), I);
  return All;
}

static unsigned registersIn(const Type *T) {
  const auto *Struct = dyn_cast<StructType>(T);
  return Struct ? Struct->getNumElements() : 1;
}

/// load.USE.LAYOUT[.stride].TYPE(pointer[, stride])
bool MatrixLowering::lowerLoad(ArrayRef<StringRef> Words) {
  bool HasStride = Words.size() > 2 && Words[2] == "stride";
  if (Words.size() != 3u + HasStride)
    return false;
  Fragment F = fragment(Words[0], Words.back());
  F.Count = registersIn(Call.getType());
  if (!F.bits() || F.Length % F.perLane())
    return false;
  bool Along = Words[1] == (Words[0] == "b" ? "col" : "row");
  if (!Along && F.bits() < 8)
    return false;
  Value *Stride = HasStride ? Call.getArgOperand(1) : nullptr;
  for (unsigned R = 0; R < F.Count; ++R) {
    Type *T = F.bits() == 64 ? B.getDoubleTy() : B.getInt32Ty();
    // Rows and the matrix begin at multiples of 16 bytes.
    if (Along || F.perRegister() == 1) {
      F.Registers.push_back(B.CreateAlignedLoad(
          T, address(F, R, 0, Along, Stride), Align(F.registerBits() / 8)));
      continue;
    }
    Value *All = B.getInt32(0);
    for (unsigned E = 0; E < F.perRegister(); ++E) {
      Value *Part = B.CreateAlignedLoad(B.getIntNTy(F.bits()),
                                        address(F, R, E, Along, Stride),
                                        Align(F.bits() / 8));
      All = B.CreateOr(All, B.CreateShl(B.CreateZExt(Part, T), E * F.bits()));
    }
    F.Registers.push_back(All);
  }
  Call.replaceAllUsesWith(give(F, Call.getType()));
  return true;
}

/// store.d.LAYOUT[.stride].TYPE(pointer, registers...[, stride]); \p Words
/// begin at the layout.
bool MatrixLowering::lowerStore(ArrayRef<StringRef> Words) {
  bool HasStride = Words.size() > 1 && Words[1] == "stride";
  if (Words.size() != 2u + HasStride)
    return false;
  Fragment F = fragment("d", Words.back());
  unsigned Count = Call.arg_size() - 1 - HasStride;
  if (!F.bits())
    return false;
  take(F, 1, Count);
  bool Along = Words[0] == "row";
  Value *Stride = HasStride ? Call.getArgOperand(Count + 1) : nullptr;
  for (unsigned R = 0; R < F.Count; ++R) {
    if (Along || F.perRegister() == 1) {
      B.CreateAlignedStore(F.Registers[R], address(F, R, 0, Along, Stride),
                           Align(F.registerBits() / 8));
      continue;
    }
    for (unsigned E = 0; E < F.perRegister(); ++E) {
      Value *Part = B.CreateTrunc(B.CreateLShr(F.Registers[R], E * F.bits()),
                                  B.getIntNTy(F.bits()));
      B.CreateAlignedStore(Part, address(F, R, E, Along, Stride),
                           Align(F.bits() / 8));
    }
  }
  return true;
}

/// mma.[OP.popc.]LAYOUT.LAYOUT[.rounding].TYPES[.satfinite](a..., b..., c...).
/// Layouts are those of the loads and have done their work there.
bool MatrixLowering::lowerProduct(ArrayRef<StringRef> Words) {
  bool Saturates = Words.back() == "satfinite";
  if (Saturates)
    Words = Words.drop_back();
  bool IsXor = Words.front() == "xor", IsAnd = Words.front() == "and";
  if (Words.size() < 3 || Words.back() == "row" || Words.back() == "col")
    return false;
  // Of half matrices the types of D and C are named, else those of A and B.
  StringRef Named = Words.back(), D = Named, C = Named, A = Named;
  if (Named == "f16" || Named == "f32") {
    D = Words[Words.size() - 2];
    A = "f16";
    if (D != "f16" && D != "f32")
      return false;
  } else if (Named == "bf16" || Named == "tf32") {
    D = C = "f32";
  } else if (Named != "f64") {
    D = C = "s32";
  }
  Fragment FA = fragment("a", A), FB = fragment("b", A), FC = fragment("c", C),
           FD = fragment("d", D);
  if (!FA.bits() || (FA.bits() == 1) != (IsXor || IsAnd))
    return false;
  FC.Count = M * N / 32 / FC.perRegister();
  FD.Count = M * N / 32 / FD.perRegister();
  // In proportion to the matrices, unless both are held more than once.
  unsigned Others = Call.arg_size() - FC.Count;
  unsigned OfA = A == "f16" ? Others / 2 : Others * M / (M + N);
  if (registersIn(Call.getType()) != FD.Count || !OfA || OfA >= Others)
    return false;
  take(FA, 0, OfA);
  take(FB, OfA, Others - OfA);
  FC.Count = 0;
  take(FC, Others, Call.arg_size() - Others);
  if (K % FA.perLane() || K % FB.perLane())
    return false;

  Type *Sum = FA.bits() == 64           ? B.getDoubleTy()
              : D == "s32" && Saturates ? B.getInt64Ty()
              : D == "s32"              ? B.getInt32Ty()
                                        : B.getFloatTy();
  unsigned PerLane = M * N / 32;
  Value *First = B.CreateMul(lane(), B.getInt32(PerLane));
  SmallVector<Value *, 8> Row = line(FA, B.CreateUDiv(First, B.getInt32(N)));
  Value *FirstColumn = B.CreateURem(First, B.getInt32(N));
  FD.Registers.assign(FD.Count, B.getInt32(0));
  for (unsigned E = 0; E < PerLane; ++E) {
    SmallVector<Value *, 8> Column =
        line(FB, B.CreateAdd(FirstColumn, B.getInt32(E)));
    Value *S =
        element(FC, FC.Registers[E / FC.perRegister()], E % FC.perRegister());
    if (Sum->isIntegerTy())
      S = B.CreateSExt(S, Sum);
    for (auto [X, Y] : zip(Row, Column)) {
      if (IsXor || IsAnd) {
        Value *Both = IsXor ? B.CreateXor(X, Y) : B.CreateAnd(X, Y);
        S = B.CreateAdd(S, B.CreateUnaryIntrinsic(Intrinsic::ctpop, Both));
        continue;
      }
      for (unsigned I = 0; I < FA.perRegister(); ++I) {
        Value *P = element(FA, X, I), *Q = element(FB, Y, I);
        S = Sum->isIntegerTy()
                ? B.CreateAdd(S, B.CreateSExt(B.CreateMul(P, Q), Sum))
                : B.CreateIntrinsic(Intrinsic::fma, {Sum}, {P, Q, S});
      }
    }
    Value *&Out = FD.Registers[E / FD.perRegister()];
    if (D == "f16") {
      Value *Bits =
          B.CreateBitCast(B.CreateFPTrunc(S, B.getHalfTy()), B.getInt16Ty());
      Out = B.CreateOr(
          Out, B.CreateShl(B.CreateZExt(Bits, B.getInt32Ty()), 16 * (E % 2)));
    } else if (Sum->isIntegerTy(64)) {
      S = B.CreateBinaryIntrinsic(Intrinsic::smax, S, B.getInt64(INT32_MIN));
      S = B.CreateBinaryIntrinsic(Intrinsic::smin, S, B.getInt64(INT32_MAX));
      Out = B.CreateTrunc(S, B.getInt32Ty());
    } else {
      Out = S;
    }
  }
  Call.replaceAllUsesWith(give(FD, Call.getType()));
  return true;
}

bool MatrixLowering::run() {
  StringRef Name = Call.getCalledFunction()->getName();
  SmallVector<StringRef, 10> Words;
  if (!Name.consume_front("llvm.nvvm.wmma."))
    return false;
  Name.split(Words, '.');
  if (Words.size() < 4 || !readShape(Words[0]))
    return false;
  auto Rest = ArrayRef(Words).drop_front(2);
  bool Done = Words[1] == "mma"     ? lowerProduct(Rest)
              : Words[1] == "load"  ? lowerLoad(Rest.drop_back())
              : Words[1] == "store" ? lowerStore(Rest.drop_front().drop_back())
                                    : false;
  if (Done)
    Call.eraseFromParent();
  return Done;
}

PreservedAnalyses LowerMatrixIntrinsicsPass::run(Module &M,
                                                 ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<CallInst *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && Callee->getName().starts_with("llvm.nvvm.wmma."))
          Calls.push_back(Call);
    bool Warned = false;
    for (CallInst *Call : Calls) {
      StringRef Name = Call->getCalledFunction()->getName();
      DebugLoc Where = Call->getDebugLoc();
      if (!MatrixLowering(*Call).run()) {
        diagnose(F, Where, DS_Remark, "'" + Name + "' stays as it is");
        continue;
      }
      Changed = true;
      if (!Name.contains(".mma.") || Warned)
        continue;
      Warned = true;
      diagnose(F, Where, DS_Warning,
               "wmma is executed with shuffles; the time is not that of tensor "
               "cores");
    }
  }
  return preserved(Changed);
}

} // namespace heddle
