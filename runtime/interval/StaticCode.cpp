//===- StaticCode.cpp - A code table with a machine's latencies -----------===//

#include "interval/StaticCode.h"

#include "arch/RegisterBanks.h"

#include <algorithm>

namespace heddle::interval {

static Kind kindOf(unsigned Class) {
  switch (Class) {
  case HEDDLE_OP_LOAD:
  case HEDDLE_OP_TEXTURE:
    return Kind::Load;
  case HEDDLE_OP_STORE:
    return Kind::Store;
  case HEDDLE_OP_ATOMIC:
    return Kind::Atomic;
  case HEDDLE_OP_REDUCTION:
    return Kind::Reduction;
  case HEDDLE_OP_BRANCH:
  case HEDDLE_OP_CALL:
    return Kind::Branch;
  case HEDDLE_OP_EXIT:
    return Kind::Exit;
  case HEDDLE_OP_BARRIER:
    return Kind::Barrier;
  case HEDDLE_OP_FENCE:
    return Kind::Fence;
  default:
    return Kind::Compute;
  }
}

static bool expandsToChain(unsigned Class) {
  return Class == HEDDLE_OP_DIV || Class == HEDDLE_OP_REM ||
         Class == HEDDLE_OP_SQRT || Class == HEDDLE_OP_RCP ||
         Class == HEDDLE_OP_MATH;
}

std::vector<StaticInst> decode(const trace::CodeTable &Code,
                               const arch::GPUSpec &Spec) {
  std::vector<StaticInst> Out;
  Out.reserve(Code.Insts.size());
  for (const HeddleInst &I : Code.Insts) {
    const arch::OpTiming &T = Spec.Ops[I];
    StaticInst S;
    std::copy_n(I.Registers, HEDDLE_MAX_INST_REGISTERS, S.Registers);
    S.NumDefs = I.NumDefs;
    S.NumRegisters = I.NumDefs + I.NumUses;
    S.What = kindOf(I.Class);
    S.Pipe = T.Pipe;
    S.Space = I.Space;
    S.Flags = I.Flags;
    S.Latency = std::max<uint16_t>(1, T.Latency);
    S.Initiation = std::max<uint16_t>(1, T.Initiation);
    S.Collect = uint8_t(std::min(255u, arch::collectCycles(I, Spec.FrontEnd)));
    S.OnChip = I.Class == HEDDLE_OP_SFU || I.Class == HEDDLE_OP_SHUFFLE ||
               I.Class == HEDDLE_OP_TENSOR || I.Type == HEDDLE_TYPE_F64;
    if (Spec.SM.ExpandInstructions && S.What == Kind::Compute) {
      S.Slots = I.Issued;
      // About half of such an expansion needs the result before.
      S.SlotGap = expandsToChain(I.Class) ? std::max(1, S.Latency / 2) : 1;
    }
    S.AccessBytes = I.AccessBytes;
    S.Memory = I.Memory;
    S.ByteOffset = I.ByteOffset;
    Out.push_back(S);
  }
  return Out;
}

} // namespace heddle::interval
