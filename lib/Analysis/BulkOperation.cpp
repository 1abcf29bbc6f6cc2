//===- BulkOperation.cpp - Bulk copies and tensor copies in IR ------------===//

#include "heddle/Analysis/BulkOperation.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <algorithm>
#include <bit>

using namespace llvm;

namespace heddle {

uint64_t BulkOperation::shapeBits() const {
  return std::bit_cast<uint64_t>(Shape);
}

std::optional<uint8_t> bulkReduction(StringRef Name) {
  return StringSwitch<std::optional<uint8_t>>(Name)
      .Case("add", HEDDLE_BULK_ADD)
      .Case("min", HEDDLE_BULK_MIN)
      .Case("max", HEDDLE_BULK_MAX)
      .Case("inc", HEDDLE_BULK_INC)
      .Case("dec", HEDDLE_BULK_DEC)
      .Case("and", HEDDLE_BULK_AND)
      .Case("or", HEDDLE_BULK_OR)
      .Case("xor", HEDDLE_BULK_XOR)
      .Default(std::nullopt);
}

std::optional<uint8_t> bulkReductionType(StringRef Name) {
  return StringSwitch<std::optional<uint8_t>>(Name)
      .Cases({"u32", "b32"}, HEDDLE_TENSOR_U32)
      .Case("s32", HEDDLE_TENSOR_S32)
      .Cases({"u64", "b64"}, HEDDLE_TENSOR_U64)
      .Case("s64", HEDDLE_TENSOR_S64)
      .Case("f16", HEDDLE_TENSOR_F16)
      .Case("bf16", HEDDLE_TENSOR_BF16)
      .Case("f32", HEDDLE_TENSOR_F32)
      .Case("f64", HEDDLE_TENSOR_F64)
      .Default(std::nullopt);
}

static constexpr StringRef ReductionBegin =
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.";
static constexpr StringRef ReductionEnd = " [$0], [$1], $2;";

std::string bulkReductionText(StringRef Operation, StringRef Type) {
  // Halves are added without flushing denormal numbers.
  const StringRef Mode =
      Operation == "add" && Type.ends_with("f16") ? ".noftz" : "";
  return (ReductionBegin + Operation + Mode + "." + Type + ReductionEnd).str();
}

/// The reduction of plain memory that \p Call's text is.
static std::optional<BulkOperation> plainReduction(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Asm ? StringRef(Asm->getAsmString()) : StringRef();
  if (!Text.consume_front(ReductionBegin) || !Text.consume_back(ReductionEnd))
    return std::nullopt;
  auto [Operation, Type] = Text.split('.');
  Type.consume_front("noftz.");
  const auto Op = bulkReduction(Operation), Of = bulkReductionType(Type);
  // Hand-written text has numbers there, of which some lack the upper half.
  if (!Op || !Of || Call.arg_size() != 3 ||
      !Call.getArgOperand(0)->getType()->isPointerTy() ||
      !Call.getArgOperand(1)->getType()->isPointerTy())
    return std::nullopt;
  BulkOperation O;
  O.Shape.Kind = HEDDLE_BULK_REDUCE;
  O.Shape.Reduction = *Op;
  O.Shape.Type = *Of;
  O.Operands[HEDDLE_BULK_GLOBAL] = Call.getArgOperand(0);
  O.Operands[HEDDLE_BULK_SHARED] = Call.getArgOperand(1);
  O.Operands[HEDDLE_BULK_BYTES] = Call.getArgOperand(2);
  return O;
}

/// Makes \p O a copy to several blocks if the flag \p Flag of \p Call says so.
/// The mask stands two operands before it.
static void setTargets(BulkOperation &O, const CallBase &Call, unsigned Flag) {
  const auto *Set = dyn_cast<ConstantInt>(Call.getArgOperand(Flag));
  if (!Set || Set->isZero())
    return;
  O.Shape.Kind = HEDDLE_BULK_MULTICAST;
  O.Operands[HEDDLE_BULK_MASK] = Call.getArgOperand(Flag - 2);
}

/// \p Name: what follows "cp.async.bulk.tensor." of the intrinsic's name.
static std::optional<BulkOperation> tensorOperation(const CallBase &Call,
                                                    StringRef Name) {
  BulkOperation O;
  unsigned Next = 0;
  auto take = [&](unsigned Operand) {
    O.Operands[Operand] = Call.getArgOperand(Next++);
  };
  const bool ToCluster =
      Name.starts_with("g2s.") && !Name.starts_with("g2s.cta.");
  if (Name.consume_front("g2s.")) {
    Name.consume_front("cta.");
    O.Shape.Kind = HEDDLE_BULK_LOAD;
    take(HEDDLE_BULK_SHARED);
    take(HEDDLE_BULK_BARRIER);
  } else if (Name.consume_front("prefetch.")) {
    O.Shape.Kind = HEDDLE_BULK_PREFETCH;
  } else {
    const bool Reduces = Name.consume_front("reduce.");
    if (!Reduces && !Name.consume_front("s2g."))
      return std::nullopt;
    O.Shape.Kind = Reduces ? HEDDLE_BULK_REDUCE : HEDDLE_BULK_STORE;
    if (Reduces) {
      const StringRef Word = Name.take_until([](char C) { return C == '.'; });
      const auto Op = bulkReduction(Word);
      if (!Op)
        return std::nullopt;
      O.Shape.Reduction = *Op;
      Name = Name.drop_front(Word.size() + 1);
    }
    take(HEDDLE_BULK_SHARED);
  }
  take(HEDDLE_BULK_GLOBAL);
  O.Shape.IsIm2Col = Name.consume_front("im2col.");
  unsigned Rank = 0;
  if ((!O.Shape.IsIm2Col && !Name.consume_front("tile.")) ||
      Name.consumeInteger(10, Rank) || Name != "d" ||
      Rank > HEDDLE_TENSOR_MAX_RANK)
    return std::nullopt; // gather4, scatter4, im2col.w
  O.Shape.Rank = uint8_t(Rank);
  for (unsigned D = 0; D < Rank; ++D)
    take(HEDDLE_BULK_COORDS + D);
  const bool HasOffsets = O.Shape.IsIm2Col && !O.writesGlobal();
  for (unsigned D = 0; HasOffsets && D + 2 < Rank; ++D)
    take(HEDDLE_BULK_OFFSETS + D);
  if (ToCluster) // behind the mask and the hint; a hint's flag and one follow
    setTargets(O, Call, Call.arg_size() - 3);
  return O;
}

std::optional<BulkOperation> bulkOperation(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return plainReduction(Call);
  StringRef Name = Callee->getName();
  if (!Name.consume_front("llvm.nvvm.cp.async.bulk."))
    return std::nullopt;
  if (Name.consume_front("tensor."))
    return tensorOperation(Call, Name);
  BulkOperation O;
  auto set = [&](std::initializer_list<HeddleBulkOperand> Order) {
    for (unsigned N = 0; HeddleBulkOperand Operand : Order)
      O.Operands[Operand] = Call.getArgOperand(N++);
  };
  if (Name == "global.to.shared.cta" || Name == "global.to.shared.cluster") {
    O.Shape.Kind = HEDDLE_BULK_LOAD;
    set({HEDDLE_BULK_SHARED, HEDDLE_BULK_BARRIER, HEDDLE_BULK_GLOBAL,
         HEDDLE_BULK_BYTES});
    if (Name == "global.to.shared.cluster")
      setTargets(O, Call, 6);
  } else if (Name == "shared.cta.to.cluster") {
    O.Shape.Kind = HEDDLE_BULK_SEND;
    set({HEDDLE_BULK_SHARED, HEDDLE_BULK_BARRIER, HEDDLE_BULK_GLOBAL,
         HEDDLE_BULK_BYTES});
  } else if (Name == "shared.cta.to.global") {
    O.Shape.Kind = HEDDLE_BULK_STORE;
    set({HEDDLE_BULK_GLOBAL, HEDDLE_BULK_SHARED, HEDDLE_BULK_BYTES});
  } else if (Name == "prefetch.L2") {
    O.Shape.Kind = HEDDLE_BULK_PREFETCH;
    set({HEDDLE_BULK_GLOBAL, HEDDLE_BULK_BYTES});
  } else {
    return std::nullopt;
  }
  return O;
}

uint16_t bulkFence(const CallBase &Call) {
  auto groups = [&] {
    const auto *Left = dyn_cast<ConstantInt>(Call.getArgOperand(0));
    return uint16_t(std::min<uint64_t>(Left ? Left->getZExtValue() : 0,
                                       HEDDLE_BULK_MAX_GROUPS));
  };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_bulk_commit_group:
    return HEDDLE_BULK_COMMIT;
  case Intrinsic::nvvm_cp_async_bulk_wait_group:
    return HEDDLE_BULK_WAIT + groups();
  case Intrinsic::nvvm_cp_async_bulk_wait_group_read:
    return HEDDLE_BULK_WAIT_READ + groups();
  default:
    return 0;
  }
}

} // namespace heddle
