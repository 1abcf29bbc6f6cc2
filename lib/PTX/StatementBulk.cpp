//===- StatementBulk.cpp - Bulk copies and tensor copies ------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "heddle/Analysis/BulkOperation.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// The word of \p S that names an operation of a reduction.
static StringRef reductionOf(const PTXStatement &S) {
  for (StringRef Word : S.Modifiers)
    if (bulkReduction(Word))
      return Word;
  return "";
}

/// cp.reduce.async.bulk of plain memory, for which LLVM has no intrinsic.
bool StatementLowering::lowerBulkReduction(const PTXStatement &S) {
  const StringRef Operation = reductionOf(S);
  if (S.Operands.size() < 3 || Operation.empty())
    return false;
  Value *To = pointer(S.Operands[0], NVPTXAS::ADDRESS_SPACE_GLOBAL),
        *From = pointer(S.Operands[1], NVPTXAS::ADDRESS_SPACE_SHARED),
        *Bytes = operand(S.Operands[2], B.getInt32Ty());
  if (!To || !From || !Bytes)
    return false;
  auto *Type = FunctionType::get(
      B.getVoidTy(), {To->getType(), From->getType(), Bytes->getType()}, false);
  return B.CreateCall(InlineAsm::get(Type,
                                     bulkReductionText(Operation, S.Suffix),
                                     "l,l,r,~{memory}", true),
                      {To, From, Bytes});
}

/// A policy of the cache is a hint. From global memory a copy goes to the own
/// block's shared memory, or with a mask of ranks to that of several.
bool StatementLowering::lowerBulkCopy(const PTXStatement &S) {
  ArrayRef<StringRef> Operands = S.Operands;
  const bool Prefetches = S.has("prefetch"), Stores = S.has("bulk_group");
  if (Operands.size() < (Prefetches ? 2u : Stores ? 3u : 4u))
    return false;
  const unsigned Shared = NVPTXAS::ADDRESS_SPACE_SHARED,
                 Cluster = NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER,
                 Global = NVPTXAS::ADDRESS_SPACE_GLOBAL;
  const bool Multicasts = S.has("multicast::cluster"),
             Sends = S.has("shared::cluster") && S.has("shared::cta");
  Value *Policy = B.getInt64(0), *No = B.getFalse();
  Value *Bytes = operand(Operands[Prefetches ? 1 : 2], B.getInt32Ty());
  Value *First = pointer(Operands[0], Prefetches || Stores  ? Global
                                      : Multicasts || Sends ? Cluster
                                                            : Shared);
  if (!Bytes || !First)
    return false;
  if (Prefetches)
    return call(Intrinsic::nvvm_cp_async_bulk_prefetch_L2,
                {First, Bytes, Policy, No});
  Value *From = pointer(Operands[1], Stores || Sends ? Shared : Global);
  if (Stores)
    return From && call(Intrinsic::nvvm_cp_async_bulk_shared_cta_to_global,
                        {First, From, Bytes, Policy, No});
  Value *Barrier = pointer(Operands[3], Shared); // any block's, as LLVM has it
  if (Sends)
    return From && Barrier &&
           call(Intrinsic::nvvm_cp_async_bulk_shared_cta_to_cluster,
                {First, Barrier, From, Bytes});
  if (Multicasts) {
    Value *Mask =
        Operands.size() > 4 ? operand(Operands[4], B.getInt16Ty()) : nullptr;
    return From && Barrier && Mask &&
           call(Intrinsic::nvvm_cp_async_bulk_global_to_shared_cluster,
                {First, Barrier, From, Bytes, Mask, Policy, B.getTrue(), No});
  }
  return From && Barrier &&
         call(Intrinsic::nvvm_cp_async_bulk_global_to_shared_cta,
              {First, Barrier, From, Bytes, Policy, No});
}

/// Adds the map and the coordinates of "[map, {x, y}]" to \p Args.
bool StatementLowering::addTensor(StringRef Text,
                                  SmallVectorImpl<Value *> &Args) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return false;
  const auto Parts = ptx::splitOperands(Text);
  if (Parts.size() != 2)
    return false;
  Args.push_back(pointer(("[" + Parts[0] + "]").str(), 0));
  for (StringRef Coordinate : registersOf(Parts[1]))
    Args.push_back(operand(Coordinate, B.getInt32Ty()));
  return true;
}

/// The tensor forms, of 1 to 5 dimensions.
bool StatementLowering::lowerTensorCopy(const PTXStatement &S) {
  const bool Prefetches = S.has("prefetch"), Stores = S.has("bulk_group");
  const bool Reduces = S.has("reduce");
  const bool IsIm2Col = S.has("im2col") || S.has("im2col_no_offs");
  const bool Multicasts = S.has("multicast::cluster");
  const unsigned Shared = NVPTXAS::ADDRESS_SPACE_SHARED;
  ArrayRef<StringRef> Operands = S.Operands;
  SmallVector<Value *, 12> Args;
  std::string Name = "llvm.nvvm.cp.async.bulk.tensor.";
  bool Good = false;
  if (Prefetches) {
    Name += "prefetch.";
    Good = !Operands.empty() && addTensor(Operands[0], Args);
  } else if (Stores) {
    Name += Reduces ? ("reduce." + reductionOf(S) + ".").str() : "s2g.";
    if (Operands.size() < 2)
      return false;
    Args.push_back(pointer(Operands[1], Shared));
    Good = addTensor(Operands[0], Args);
  } else if (Operands.size() >= 3) {
    Name += Multicasts ? "g2s." : "g2s.cta.";
    Args.push_back(pointer(
        Operands[0],
        Multicasts ? unsigned(NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER) : Shared));
    Args.push_back(pointer(Operands[2], Shared));
    Good = addTensor(Operands[1], Args);
  }
  if (!Good)
    return false;
  // Behind the map and what stands before it.
  const size_t Rank = Args.size() - (Prefetches ? 1 : Stores ? 2 : 3);
  if (!S.has(std::to_string(Rank) + "d"))
    return false;
  size_t Next = Prefetches ? 1 : 3;
  if (IsIm2Col && !Stores) {
    if (Operands.size() <= Next)
      return false;
    for (StringRef Offset : registersOf(Operands[Next]))
      Args.push_back(operand(Offset, B.getInt16Ty()));
    if (Args.size() != 2 * Rank - 2 + (Prefetches ? 1 : 3))
      return false;
    ++Next;
  }
  if (Multicasts)
    Args.push_back(Operands.size() > Next
                       ? operand(Operands[Next], B.getInt16Ty())
                       : nullptr);
  if (is_contained(Args, nullptr))
    return false;
  Name += IsIm2Col ? "im2col." : "tile.";
  Name += std::to_string(Rank) + "d";
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Name);
  Args.push_back(B.getInt64(0));
  if (Multicasts)
    Args.push_back(B.getTrue());
  Args.push_back(B.getFalse());
  if (Multicasts)
    Args.push_back(B.getInt32(0)); // no pair of blocks
  return ID && call(ID, Args);
}

bool StatementLowering::lowerBulkGroup(const PTXStatement &S) {
  if (S.has("commit_group"))
    return call(Intrinsic::nvvm_cp_async_bulk_commit_group, {});
  Value *Left =
      S.Operands.size() == 1 ? operand(S.Operands[0], B.getInt32Ty()) : nullptr;
  return isa_and_nonnull<ConstantInt>(Left) &&
         call(S.has("read") ? Intrinsic::nvvm_cp_async_bulk_wait_group_read
                            : Intrinsic::nvvm_cp_async_bulk_wait_group,
              {Left});
}

/// A policy for the caches only ever goes to a hint.
bool StatementLowering::lowerCachePolicy(const PTXStatement &S) {
  return !S.Operands.empty() && assign(S.Operands[0], B.getInt64(0));
}

} // namespace heddle
