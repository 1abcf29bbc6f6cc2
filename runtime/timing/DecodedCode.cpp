//===- DecodedCode.cpp - A code table as a machine sees it ----------------===//

#include "timing/DecodedCode.h"

#include <algorithm>
#include <unordered_map>

using namespace heddle;
using namespace heddle::timing;

static InstKind kindOf(const HeddleInst &I) {
  // The copy engine tells of the end of all, as memory does of loads.
  if (I.Flags & HEDDLE_INST_ASYNC && heddleIsBulk(I.Products))
    return InstKind::Load;
  switch (I.Class) {
  case HEDDLE_OP_LOAD:
  case HEDDLE_OP_TEXTURE:
    return InstKind::Load;
  case HEDDLE_OP_STORE:
    return InstKind::Store;
  case HEDDLE_OP_ATOMIC:
    return InstKind::Atomic;
  case HEDDLE_OP_REDUCTION:
    return InstKind::Reduction;
  case HEDDLE_OP_BRANCH:
  case HEDDLE_OP_CALL:
    return InstKind::Branch;
  case HEDDLE_OP_EXIT:
    return InstKind::Exit;
  case HEDDLE_OP_BARRIER:
    return I.Products & HEDDLE_NAMED_BARRIER ? InstKind::NamedBarrier
           : I.Products                      ? InstKind::ClusterBarrier
           : I.Flags & HEDDLE_INST_GRID      ? InstKind::GridBarrier
                                             : InstKind::Barrier;
  case HEDDLE_OP_TENSOR:
    return arch::isGroupProduct(I) ? InstKind::GroupProduct : InstKind::Compute;
  case HEDDLE_OP_FENCE:
    return !(I.Flags & HEDDLE_INST_ASYNC)     ? InstKind::Fence
           : I.Flags & HEDDLE_INST_WARP_GROUP ? InstKind::GroupFence
                                              : InstKind::CopyFence;
  default:
    return InstKind::Compute;
  }
}

/// Instructions whose expansion is a chain (Newton steps, long division); the
/// parts of the others, such as the halves of a 64-bit sum, are independent.
static bool expandsToChain(const HeddleInst &I) {
  switch (I.Class) {
  case HEDDLE_OP_DIV:
  case HEDDLE_OP_REM:
  case HEDDLE_OP_SQRT:
  case HEDDLE_OP_RCP:
  case HEDDLE_OP_MATH:
    return true;
  default:
    return false;
  }
}

bool timing::setsRegisters(const HeddleInst &I) {
  return kindOf(I) == InstKind::GroupFence && heddleSetsRegisters(I.Products);
}

bool timing::needsSM(const trace::CodeTable &Code) {
  return std::ranges::any_of(Code.Insts, [](const HeddleInst &I) {
    return arch::isGroupProduct(I) || setsRegisters(I) ||
           (I.Flags & HEDDLE_INST_ASYNC &&
            (I.Class == HEDDLE_OP_ATOMIC || heddleIsBulk(I.Products)));
  });
}

bool timing::isFolded(const HeddleInst &I) {
  return !I.Issued && kindOf(I) == InstKind::Compute;
}

/// Folds the loads of shared memory whose values a thread would still have in
/// its registers if it made \p Reuse times as many results: all but one in
/// \p Reuse of a basic block.
static void keepInRegisters(std::span<DecodedInst> Block, uint32_t Reuse) {
  uint32_t Seen = 0;
  for (DecodedInst &D : Block)
    if (D.Kind == InstKind::Load && D.Space == HEDDLE_SPACE_SHARED &&
        !(D.Flags & HEDDLE_INST_ASYNC) && Seen++ % Reuse != 0)
      D.Slots = 0;
}

Stall timing::resultStall(const HeddleInst &I) {
  switch (I.Class) {
  case HEDDLE_OP_LOAD:
  case HEDDLE_OP_TEXTURE:
  case HEDDLE_OP_ATOMIC:
    // Nsight Compute names shared memory; it does not say where a remote one
    // counts.
    if (I.Space == HEDDLE_SPACE_SHARED || I.Space == HEDDLE_SPACE_CLUSTER)
      return Stall::ShortScoreboard;
    if (I.Space == HEDDLE_SPACE_PARAM || I.Space == HEDDLE_SPACE_CONST)
      return Stall::ImcMiss;
    return Stall::LongScoreboard;
  case HEDDLE_OP_SFU:
  case HEDDLE_OP_SHUFFLE:
  case HEDDLE_OP_TENSOR:
    return Stall::ShortScoreboard;
  default:
    return I.Type == HEDDLE_TYPE_F64 ? Stall::ShortScoreboard : Stall::Wait;
  }
}

/// Whether registers have their places in banks.
static bool isAllocated(const trace::CodeTable &Code) {
  return Code.ISA == "machine" || Code.ISA == "sass";
}

/// An arithmetic instruction finds what the one before it in the block has
/// read; accesses between them read elsewhere.
void DecodedCode::keepOperands(const HeddleBlock &B,
                               const arch::FrontEndSpec &Front) {
  const HeddleInst *Before = nullptr;
  for (uint32_t N = B.FirstInst; N != B.FirstInst + B.NumInsts; ++N) {
    if (Insts[N].Kind != InstKind::Compute || !Insts[N].Slots)
      continue;
    Insts[N].ReadsAfter =
        arch::bankCycles(Code.Insts[N], Before, isAllocated(Code), Front);
    Before = &Code.Insts[N];
  }
}

namespace {
/// The instruction of a block that reads a register next.
struct Reader {
  const DecodedInst *By = nullptr;
  bool AsGuard = false; ///< it says which lanes run, or where they go
};
} // namespace

/// Cycles beyond the latency of \p From, an operation of fixed latency, until
/// \p To can have its result.
static uint32_t delayFor(const DecodedInst &From, const Reader &To,
                         const arch::FrontEndSpec &Front) {
  if (!To.By)
    return 0;
  if (To.AsGuard)
    return Front.GuardDelay;
  if (To.By->Throttle != Stall::MathPipeThrottle)
    return Front.AccessDelay;
  const bool Fixed = To.By->Result == Stall::Wait;
  return Fixed && To.By->Pipe != From.Pipe ? Front.OtherPipeDelay : 0;
}

/// A warp issues in order, so what the first reader of a result waits for
/// delays all others, too.
void DecodedCode::awaitReaders(const HeddleBlock &B,
                               const arch::FrontEndSpec &Front) {
  std::unordered_map<uint16_t, Reader> Next;
  for (uint32_t N = B.FirstInst + B.NumInsts; N-- != B.FirstInst;) {
    DecodedInst &D = Insts[N];
    const HeddleInst &I = Code.Insts[N];
    uint32_t Delay = 0;
    for (uint16_t R : D.defs()) {
      Delay = std::max(Delay, delayFor(D, Next[R], Front));
      Next.erase(R);
    }
    if (D.Kind == InstKind::Compute && D.Slots && D.Result == Stall::Wait)
      D.ResultDelay += Delay;
    const bool Goes = D.Kind == InstKind::Branch || D.Kind == InstKind::Exit;
    for (unsigned Use = D.NumDefs; Use != D.NumRegisters; ++Use)
      Next[D.Registers[Use]] = {&D, Goes || (I.Guarded && Use == D.NumDefs)};
  }
}

static Stall throttleStall(const HeddleInst &I) {
  switch (I.Class) {
  case HEDDLE_OP_TEXTURE:
    return Stall::TexThrottle;
  case HEDDLE_OP_SHUFFLE:
    return Stall::MioThrottle;
  case HEDDLE_OP_LOAD:
  case HEDDLE_OP_STORE:
  case HEDDLE_OP_ATOMIC:
  case HEDDLE_OP_REDUCTION:
    return I.Space == HEDDLE_SPACE_SHARED || I.Space == HEDDLE_SPACE_CLUSTER
               ? Stall::MioThrottle
               : Stall::LgThrottle;
  default:
    return Stall::MathPipeThrottle;
  }
}

/// A branch holds its warp until the code behind it is there. So does the
/// meeting of lanes in machine code for its latency, in which ptxas' stall
/// counts have nothing issue.
static uint16_t holdsOf(const DecodedInst &D, const HeddleInst &I,
                        const arch::GPUSpec &Spec, bool IsMachineCode) {
  if (D.Kind == InstKind::Branch)
    return uint16_t(Spec.FrontEnd.BranchLatency);
  return IsMachineCode && I.Class == HEDDLE_OP_WARP_SYNC ? D.Latency : 0;
}

/// Whether all barriers of some warps are told apart.
static bool knowsNames(const trace::CodeTable &Code) {
  return std::ranges::none_of(Code.Insts, [](const HeddleInst &I) {
    return kindOf(I) == InstKind::NamedBarrier &&
           !(I.Products & HEDDLE_NAMED_WARPS);
  });
}

DecodedCode::DecodedCode(const trace::CodeTable &Code,
                         const arch::GPUSpec &Spec)
    : Code(Code), Registers(std::max(1u, Code.NumRegisters)) {
  Insts.reserve(Code.Insts.size());
  const bool NamesKnown = knowsNames(Code);
  for (const HeddleInst &I : Code.Insts) {
    const arch::OpTiming T = Spec.Ops[I];
    DecodedInst D;
    D.NumDefs = I.NumDefs;
    D.NumRegisters = I.NumDefs + I.NumUses;
    std::copy_n(I.Registers, HEDDLE_MAX_INST_REGISTERS, D.Registers);
    D.Kind = kindOf(I);
    if (D.Kind == InstKind::NamedBarrier && !NamesKnown)
      D.Kind = InstKind::Barrier;
    D.Pipe = T.Pipe;
    D.Latency = std::max<uint16_t>(1, T.Latency);
    D.Initiation = std::max<uint16_t>(1, T.Initiation);
    if (D.Kind == InstKind::GroupProduct) {
      // Its operands come through the banks of shared memory; the four warps
      // take them together.
      const uint32_t PerCycle =
          std::max(1u, Spec.Shared.Banks * Spec.Shared.BankBytes);
      D.Initiation = std::max<uint16_t>(
          D.Initiation, (I.AccessBytes + PerCycle - 1) / PerCycle);
      D.Latency = std::max(D.Latency, D.Initiation);
    }
    if (Spec.SM.ExpandInstructions && D.Kind == InstKind::Compute) {
      D.Slots = I.Issued;
      // About half of the instructions of such an expansion need the result
      // of the one before.
      D.SlotGap = expandsToChain(I) ? std::max(1, D.Latency / 2) : 1;
    }
    D.Reads = D.ReadsAfter =
        arch::bankCycles(I, nullptr, isAllocated(Code), Spec.FrontEnd);
    D.StartDelay = Spec.FrontEnd.IssueToPipe;
    D.ResultDelay = D.Latency + Spec.FrontEnd.WritebackLatency;
    D.Holds = holdsOf(D, I, Spec, isAllocated(Code));
    D.Result = resultStall(I);
    D.Throttle = throttleStall(I);
    D.Space = I.Space;
    D.Flags = I.Flags;
    D.AccessBytes = I.AccessBytes;
    D.Groups = I.Products;
    D.Memory = I.Memory;
    D.ByteOffset = I.ByteOffset;
    if (const arch::CacheSpec &C = Spec.ICache; C.Size) {
      const uint64_t Bytes = Spec.FrontEnd.InstructionBytes;
      const uint64_t Address = Insts.size() * Bytes;
      const uint64_t PerLine =
          std::max<uint64_t>(1, C.Line / std::max<uint64_t>(1, Bytes));
      D.FetchLine = uint32_t(Address / C.Line);
      D.FetchSector = uint16_t(1 << (Address % C.Line / C.Sector));
      D.ToLineEnd =
          uint8_t(std::min<uint64_t>(255, PerLine - Insts.size() % PerLine));
    }
    Insts.push_back(D);
  }
  for (const HeddleBlock &B : Code.Blocks) {
    if (!B.NumInsts)
      continue;
    Insts[B.FirstInst + B.NumInsts - 1].EndsBlock = true;
    if (Spec.FrontEnd.OperandReuse)
      keepOperands(B, Spec.FrontEnd);
    if (isAllocated(Code))
      awaitReaders(B, Spec.FrontEnd);
    if (Spec.Shared.Reuse > 1)
      keepInRegisters(std::span(Insts).subspan(B.FirstInst, B.NumInsts),
                      Spec.Shared.Reuse);
  }
  for (size_t I = 0; I + 1 < Insts.size(); ++I) {
    DecodedInst &D = Insts[I];
    D.Straight = !D.EndsBlock && Insts[I + 1].Slots && !D.isBarrier() &&
                 D.Kind != InstKind::Fence && D.Kind != InstKind::CopyFence &&
                 D.Kind != InstKind::GroupFence;
  }
}
