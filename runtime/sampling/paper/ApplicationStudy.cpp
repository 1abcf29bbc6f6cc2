//===- ApplicationStudy.cpp - What the launches of an application do ------===//

#include "sampling/paper/ApplicationStudy.h"

#include <algorithm>

namespace heddle::sampling {

std::string_view nameOf(StudyClass C) {
  switch (C) {
  case StudyClass::Move:
    return "moves";
  case StudyClass::Logic:
    return "logic";
  case StudyClass::Control:
    return "control";
  case StudyClass::Computation:
    return "computation";
  case StudyClass::Send:
    return "sends";
  }
  return {};
}

StudyClass classOf(HeddleOpClass Op) {
  switch (Op) {
  case HEDDLE_OP_MOVE:
  case HEDDLE_OP_CONVERT:
  case HEDDLE_OP_SPECIAL:
    return StudyClass::Move;
  case HEDDLE_OP_LOGIC:
  case HEDDLE_OP_SHIFT:
  case HEDDLE_OP_BITS:
  case HEDDLE_OP_COMPARE:
    return StudyClass::Logic;
  case HEDDLE_OP_BRANCH:
  case HEDDLE_OP_CALL:
  case HEDDLE_OP_EXIT:
  case HEDDLE_OP_NOP:
    return StudyClass::Control;
  case HEDDLE_OP_LOAD:
  case HEDDLE_OP_STORE:
  case HEDDLE_OP_ATOMIC:
  case HEDDLE_OP_REDUCTION:
  case HEDDLE_OP_TEXTURE:
  case HEDDLE_OP_SHUFFLE:
  case HEDDLE_OP_VOTE:
  case HEDDLE_OP_BARRIER:
  case HEDDLE_OP_WARP_SYNC:
  case HEDDLE_OP_FENCE:
    return StudyClass::Send;
  default:
    return StudyClass::Computation;
  }
}

KernelStudy ApplicationStudy::total() const {
  KernelStudy Sum;
  for (const KernelStudy &K : Kernels) {
    for (uint64_t KernelStudy::*Field :
         {&KernelStudy::Launches, &KernelStudy::Blocks,
          &KernelStudy::ExecutedBlocks, &KernelStudy::BlockExecutions,
          &KernelStudy::WarpInstructions, &KernelStudy::ThreadInstructions,
          &KernelStudy::BytesRead, &KernelStudy::BytesWritten})
      Sum.*Field += K.*Field;
    for (size_t C = 0; C < Sum.ByClass.size(); ++C)
      Sum.ByClass[C] += K.ByClass[C];
  }
  return Sum;
}

void StudyBuilder::add(size_t Program, const LaunchProfile &Launch,
                       const trace::CodeTable &Code,
                       std::span<const uint64_t> BlockCounters) {
  auto At = std::ranges::find_if(Kernels, [&](const Kernel &K) {
    return K.Program == Program && K.Study.Name == Launch.Kernel;
  });
  if (At == Kernels.end()) {
    Kernels.push_back({Program, {}, {}});
    At = std::prev(Kernels.end());
    At->Study.Name = Launch.Kernel;
    At->Study.Blocks = Code.Blocks.size();
    At->Executions.resize(Code.Blocks.size());
  }
  KernelStudy &S = At->Study;
  ++S.Launches;
  for (size_t B = 0; B < Code.Blocks.size(); ++B) {
    const uint64_t Executions = BlockCounters[B * 2],
                   Lanes = BlockCounters[B * 2 + 1];
    if (Executions == 0)
      continue;
    const HeddleBlock &Block = Code.Blocks[B];
    const uint64_t Instructions = Executions * Block.NumInsts;
    At->Executions[B] += Executions;
    S.BlockExecutions += Executions;
    S.WarpInstructions += Instructions;
    S.ThreadInstructions += Lanes * Block.NumInsts;
    for (uint32_t I = Block.FirstInst; I < Block.FirstInst + Block.NumInsts;
         ++I)
      S.ByClass[size_t(classOf(HeddleOpClass(Code.Insts[I].Class)))] +=
          Executions;
    Study.ByLanes[std::min<uint64_t>((Lanes + Executions / 2) / Executions,
                                     32)] += Instructions;
  }
  for (uint64_t Bytes : Launch.BytesRead)
    S.BytesRead += Bytes;
  for (uint64_t Bytes : Launch.BytesWritten)
    S.BytesWritten += Bytes;
}

ApplicationStudy StudyBuilder::finish() {
  for (Kernel &K : Kernels) {
    K.Study.ExecutedBlocks = uint64_t(std::ranges::count_if(
        K.Executions, [](uint64_t Count) { return Count > 0; }));
    Study.Kernels.push_back(std::move(K.Study));
  }
  return std::move(Study);
}

} // namespace heddle::sampling
