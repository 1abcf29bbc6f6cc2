//===- StepTable.cpp - Basic blocks as steps of a warp --------------------===//

#include "pipeline/StepTable.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::pipeline;
using timing::DecodedInst;
using timing::InstKind;

/// Results that come this much after the end of a block are followed into the
/// next; a pipe's usual latency is covered by the branch between them.
static constexpr double FollowedCycles = 8;

StepTable::StepTable(const timing::DecodedCode &Code, const arch::GPUSpec &Spec)
    : Code(Code), Spec(Spec), TrackedAs(Code.numRegisters()),
      Ready(Code.numRegisters()) {
  const size_t NumBlocks = Code.table().Blocks.size();
  auto Track = [&](uint16_t R) {
    if (R && !TrackedAs[R])
      TrackedAs[R] = uint16_t(Tracked++);
  };
  for (uint32_t I = 0; I < Code.size(); ++I)
    if (Code[I].goesToMemory())
      for (uint16_t R : Code[I].defs())
        Track(R);
  // The first pass finds results that come late, the second writes the steps.
  for (uint32_t B = 0; B < NumBlocks; ++B)
    schedule(B, false);
  Begin.push_back(0);
  for (uint32_t B = 0; B < NumBlocks; ++B) {
    schedule(B, true);
    Begin.push_back(uint32_t(Steps.size()));
  }
}

void StepTable::schedule(uint32_t Block, bool Emit) {
  const std::span<const DecodedInst> Insts = Code.insts(Block);
  const uint32_t First = Code.table().Blocks[Block].FirstInst;
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
    const DecodedInst &I = Insts[N];
    if (!I.Slots)
      continue; // folded into the instruction that uses its result
    const std::span<const uint16_t> Regs = I.registers();
    double At = Now;
    bool MustWait = false;
    for (uint16_t R : Regs) {
      At = std::max(At, Ready[R]);
      MustWait |= TrackedAs[R] != 0;
    }
    StepKind Kind = I.goesToMemory()           ? StepKind::Memory
                    : I.isBarrier()            ? StepKind::Barrier
                    : I.Kind == InstKind::Exit ? StepKind::Exit
                                               : StepKind::Compute;
    bool Pairs = PairOpen && At <= Now && Spec.SM.MaxIssue > 1 &&
                 (!Spec.SM.DualIssueDistinct || I.Pipe != LastPipe);
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
    double Slots = Pairs ? 0 : I.Slots;
    S.Slots += float(Slots);
    if (Kind != StepKind::Memory)
      PipeCycles[I.Pipe] += double(I.Slots) * I.Initiation;
    double End = At + Slots * I.SlotGap;
    double Result = At + double(I.Slots - 1) * I.SlotGap + I.Latency;
    if (Kind == StepKind::Memory) {
      // The memory says when the result is there.
      if (Emit)
        for (uint16_t R : I.defs())
          if (R)
            Defs.push_back({TrackedAs[R], 0});
      S.NumDefs = uint32_t(Defs.size()) - S.FirstDef;
    } else {
      for (uint16_t R : I.defs())
        Ready[R] = Result;
      Ready[0] = 0;
    }
    if (I.Kind == InstKind::Branch)
      End += Spec.FrontEnd.BranchLatency;
    PairOpen = !Pairs;
    LastPipe = I.Pipe;
    Now = End;
  }
  if (!Emit) {
    for (const DecodedInst &I : Insts)
      if (!I.goesToMemory())
        for (uint16_t R : I.defs())
          if (R && !TrackedAs[R] && Ready[R] > Now + FollowedCycles)
            TrackedAs[R] = uint16_t(Tracked++);
    return;
  }
  for (const DecodedInst &I : Insts)
    if (!I.goesToMemory())
      for (uint16_t R : I.defs())
        if (R && TrackedAs[R] && Ready[R] > Now) {
          Defs.push_back({TrackedAs[R], float(Ready[R] - Now)});
          Ready[R] = 0; // once
        }
  if (S.Kind == StepKind::Compute)
    S.NumDefs = uint32_t(Defs.size()) - S.FirstDef;
  Flush(Now);
}
