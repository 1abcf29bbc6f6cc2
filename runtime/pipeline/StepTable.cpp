//===- StepTable.cpp - Basic blocks as steps of a warp --------------------===//

#include "pipeline/StepTable.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::pipeline;

bool heddle::pipeline::accessesMemory(const HeddleInst &I) {
  switch (I.Class) {
  case HEDDLE_OP_LOAD:
  case HEDDLE_OP_STORE:
  case HEDDLE_OP_ATOMIC:
  case HEDDLE_OP_REDUCTION:
  case HEDDLE_OP_TEXTURE:
    return true;
  default:
    return false;
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

/// Results that come this much after the end of a block are followed into the
/// next; a pipe's usual latency is covered by the branch between them.
static constexpr double FollowedCycles = 8;

StepTable::StepTable(const trace::CodeTable &Code, const arch::GPUSpec &Spec)
    : Code(Code), Spec(Spec), TrackedAs(std::max(1u, Code.NumRegisters)),
      Ready(std::max(1u, Code.NumRegisters)) {
  auto Track = [&](uint16_t R) {
    if (R && !TrackedAs[R])
      TrackedAs[R] = uint16_t(Tracked++);
  };
  for (const HeddleInst &I : Code.Insts)
    if (accessesMemory(I))
      for (unsigned D = 0; D < I.NumDefs; ++D)
        Track(I.Registers[D]);
  // The first pass finds results that come late, the second writes the steps.
  for (uint32_t B = 0; B < Code.Blocks.size(); ++B)
    schedule(B, false);
  Begin.push_back(0);
  for (uint32_t B = 0; B < Code.Blocks.size(); ++B) {
    schedule(B, true);
    Begin.push_back(uint32_t(Steps.size()));
  }
}

namespace {
/// Issue slots and timing of one instruction on one machine.
struct Cost {
  double Slots, Gap, Latency, Busy;
  uint8_t Pipe;
};
} // namespace

static Cost costOf(const HeddleInst &I, const arch::GPUSpec &Spec) {
  const arch::OpTiming &T = Spec.Ops[I];
  Cost C;
  C.Slots = 1;
  C.Gap = 1;
  C.Latency = std::max<double>(1, T.Latency);
  C.Pipe = T.Pipe;
  if (Spec.SM.ExpandInstructions && !accessesMemory(I)) {
    C.Slots = std::max<double>(1, I.Issued);
    // About half of the instructions of such a chain need the result of the
    // one before.
    C.Gap = expandsToChain(I) ? std::max(1.0, C.Latency / 2) : 1;
  }
  C.Busy = C.Slots * std::max<double>(1, T.Initiation);
  return C;
}

void StepTable::schedule(uint32_t Block, bool Emit) {
  std::span<const HeddleInst> Insts = Code.insts(Block);
  uint32_t First = Code.Blocks[Block].FirstInst;
  std::fill(Ready.begin(), Ready.end(), 0);
  double Now = 0;       // when the next instruction may issue
  double StepStart = 0; // of the step that is being built
  Step S;
  std::vector<double> PipeCycles(Spec.Pipes.size());
  bool PairOpen = false; // the instruction before can take a second one along
  uint8_t LastPipe = 0;

  auto Flush = [&](double End) {
    if (S.Insts == 0)
      return;
    S.Duration = float(End - StepStart);
    S.FirstUse = uint32_t(Uses.size());
    for (unsigned P = 0; P < PipeCycles.size(); ++P)
      if (PipeCycles[P] > 0) {
        Uses.push_back({uint8_t(P), float(PipeCycles[P])});
        PipeCycles[P] = 0;
      }
    S.NumUses = uint32_t(Uses.size()) - S.FirstUse;
    Steps.push_back(S);
  };
  auto Open = [&](uint32_t Inst, StepKind Kind) {
    S = Step();
    S.Kind = Kind;
    S.Inst = Inst;
    S.FirstWait = uint32_t(Waits.size());
    S.FirstDef = uint32_t(Defs.size());
    StepStart = Now;
  };
  Open(First, StepKind::Compute);

  for (uint32_t N = 0; N < Insts.size(); ++N) {
    const HeddleInst &I = Insts[N];
    if (Spec.SM.ExpandInstructions && I.Issued == 0 && !accessesMemory(I) &&
        I.Class != HEDDLE_OP_BARRIER && I.Class != HEDDLE_OP_EXIT &&
        I.Class != HEDDLE_OP_BRANCH)
      continue; // folded into the instruction that uses its result
    std::span<const uint16_t> Regs(I.Registers, I.NumDefs + I.NumUses);
    Cost C = costOf(I, Spec);
    double At = Now;
    bool MustWait = false;
    for (uint16_t R : Regs) {
      At = std::max(At, Ready[R]);
      MustWait |= TrackedAs[R] != 0;
    }
    StepKind Kind = accessesMemory(I)              ? StepKind::Memory
                    : I.Class == HEDDLE_OP_BARRIER ? StepKind::Barrier
                    : I.Class == HEDDLE_OP_EXIT    ? StepKind::Exit
                                                   : StepKind::Compute;
    bool Pairs = PairOpen && At <= Now && Spec.SM.MaxIssue > 1 &&
                 (!Spec.SM.DualIssueDistinct || C.Pipe != LastPipe);
    if (Emit && (Kind != StepKind::Compute || S.Kind != StepKind::Compute ||
                 (MustWait && S.Insts))) {
      Flush(At);
      Now = At;
      Open(First + N, Kind);
    }
    if (Emit)
      for (uint16_t R : Regs)
        if (uint16_t T = TrackedAs[R];
            T && std::find(Waits.begin() + S.FirstWait, Waits.end(), T) ==
                     Waits.end())
          Waits.push_back(T);
    S.NumWaits = uint32_t(Waits.size()) - S.FirstWait;
    ++S.Insts;
    double Slots = Pairs ? 0 : C.Slots;
    S.Slots += float(Slots);
    if (Kind != StepKind::Memory)
      PipeCycles[C.Pipe] += C.Busy;
    double End = At + (Slots ? Slots * C.Gap : 0);
    double Result = At + (C.Slots - 1) * C.Gap + C.Latency;
    if (Kind == StepKind::Memory) {
      // The memory says when the result is there.
      if (Emit)
        for (unsigned D = 0; D < I.NumDefs; ++D)
          if (I.Registers[D])
            Defs.push_back({TrackedAs[I.Registers[D]], 0});
      S.NumDefs = uint32_t(Defs.size()) - S.FirstDef;
    } else {
      for (unsigned D = 0; D < I.NumDefs; ++D)
        Ready[I.Registers[D]] = Result;
      Ready[0] = 0;
    }
    if (I.Class == HEDDLE_OP_BRANCH || I.Class == HEDDLE_OP_CALL)
      End += Spec.FrontEnd.BranchLatency;
    PairOpen = !Pairs;
    LastPipe = C.Pipe;
    Now = End;
  }
  if (!Emit) {
    for (uint32_t N = 0; N < Insts.size(); ++N)
      if (!accessesMemory(Insts[N]))
        for (unsigned D = 0; D < Insts[N].NumDefs; ++D) {
          uint16_t R = Insts[N].Registers[D];
          if (R && !TrackedAs[R] && Ready[R] > Now + FollowedCycles)
            TrackedAs[R] = uint16_t(Tracked++);
        }
    return;
  }
  for (const HeddleInst &I : Insts)
    if (!accessesMemory(I))
      for (unsigned D = 0; D < I.NumDefs; ++D)
        if (uint16_t R = I.Registers[D]; R && TrackedAs[R] && Ready[R] > Now) {
          Defs.push_back({TrackedAs[R], float(Ready[R] - Now)});
          Ready[R] = 0; // once
        }
  if (S.Kind == StepKind::Compute)
    S.NumDefs = uint32_t(Defs.size()) - S.FirstDef;
  Flush(Now);
}
