//===- MachineCode.cpp - A kernel in a machine's instructions -------------===//

#include "heddle/MachineCode/MachineCode.h"

#include "Levels.h"

#include "heddle/PTX/PTXLifter.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace heddle {

/// Whether step \p N always runs with those before it: every way to its block
/// of the IR comes through a step, and no lanes leave for another block, which
/// the warp may run first.
static bool runsInside(const KernelNumbering &Numbering,
                       ArrayRef<machine::Step> Steps, size_t N) {
  auto IsStep = [&](const BasicBlock *B) {
    return any_of(Steps, [&](machine::Step S) {
      return Numbering.block(S.IRBlock) == B;
    });
  };
  return all_of(predecessors(Numbering.block(Steps[N].IRBlock)), IsStep) &&
         all_of(Steps.take_front(N), [&](machine::Step S) {
           return all_of(successors(Numbering.block(S.IRBlock)), IsStep);
         });
}

/// Adds a block for what \p Blocks have only behind other steps, though it may
/// run apart from them: the back end copies the moves of a switch's case to one
/// of its ways. They stand with that way, so only accesses follow.
static void addOtherWays(const KernelNumbering &Numbering, size_t NumIRBlocks,
                         std::vector<machine::OutputBlock> &Blocks) {
  BitVector Begins(NumIRBlocks);
  for (const machine::OutputBlock &B : Blocks)
    if (!B.Steps.empty())
      Begins.set(B.Steps[0].IRBlock);
  std::vector<machine::OutputBlock> Added;
  for (const machine::OutputBlock &B : Blocks)
    for (auto [N, S] : enumerate(B.Steps)) {
      if (Begins[S.IRBlock] || runsInside(Numbering, B.Steps, N))
        continue;
      Begins.set(S.IRBlock);
      machine::OutputBlock &Own = Added.emplace_back();
      Own.Steps.push_back({S.IRBlock, /*Optional=*/false});
      for (auto [Inst, Number] : B.Insts)
        if (Number == N && Inst.Memory != HEDDLE_NO_MEMORY)
          Own.Insts.push_back({Inst, 0});
    }
  append_range(Blocks, Added);
}

void machine::dropIdle(std::vector<OutputBlock> &Out,
                       const PlacedKernel &Placed) {
  DenseSet<unsigned> Joined;
  for (const machine::OutputBlock &B : Out)
    if (B.Steps.size() > 1)
      for (const machine::Step &S : B.Steps)
        Joined.insert(S.IRBlock);
  auto Accesses = [](const PlacedInst &P) {
    return P.Inst.Memory != HEDDLE_NO_MEMORY;
  };
  erase_if(Out, [&](const machine::OutputBlock &B) {
    if (B.Steps.size() != 1 || !B.Insts.empty())
      return false;
    const unsigned Block = B.Steps[0].IRBlock;
    return Joined.contains(Block) || none_of(Placed.Blocks[Block], Accesses);
  });
}

KernelCode machine::finishBlocks(CodeTableBuilder &Builder,
                                 std::vector<OutputBlock> Blocks,
                                 size_t NumIRBlocks) {
  addOtherWays(Builder.numbering(), NumIRBlocks, Blocks);
  KernelCode Code =
      Builder.finish(std::vector<std::vector<HeddleInst>>(NumIRBlocks));
  Code.IRBlocks = std::move(Code.Blocks);
  Code.IRMemory = std::move(Code.Memory);
  Code.Blocks.clear();
  Code.Memory.clear();
  for (const OutputBlock &B : Blocks) {
    HeddleBlock Out = {unsigned(Code.Insts.size()), unsigned(B.Insts.size()),
                       unsigned(Code.Memory.size()), 0};
    std::vector<HeddleStep> &Steps = Code.Steps.emplace_back();
    for (const Step &S : B.Steps) {
      const HeddleBlock &IR = Code.IRBlocks[S.IRBlock];
      Steps.push_back({S.IRBlock, unsigned(Code.Memory.size()), S.Optional});
      Code.Memory.insert(Code.Memory.end(),
                         Code.IRMemory.begin() + IR.FirstMemory,
                         Code.IRMemory.begin() + IR.FirstMemory + IR.NumMemory);
    }
    Out.NumMemory = Code.Memory.size() - Out.FirstMemory;
    for (auto [Inst, Number] : B.Insts) {
      if (Inst.Memory != HEDDLE_NO_MEMORY)
        Inst.Memory += Steps[Number].FirstMemory -
                       Code.IRBlocks[Steps[Number].Block].FirstMemory;
      Code.Insts.push_back(Inst);
    }
    Code.Blocks.push_back(Out);
  }
  return Code;
}

Expected<KernelCode> buildKernelCode(const Function &Kernel, StringRef Arch,
                                     ISA Level, bool UsePtxas) {
  if (Level == ISA::PTX || Level == ISA::IR)
    return buildCodeTable(Kernel, Arch, Level, UsePtxas);
  KernelNumbering Numbering(Kernel);
  CodeTableBuilder Builder(Kernel, Numbering, Level);
  auto Placed = placeKernel(Builder, Kernel, Arch, /*Place=*/true);
  if (!Placed)
    return Placed.takeError();
  if (Level == ISA::Machine)
    ptx::foldWarpSize(Placed->PTX);
  auto Code =
      Level == ISA::Machine
          ? machine::buildMachineLevel(Builder, *Placed, Arch)
          : machine::buildSASSLevel(Builder, Kernel, Numbering, *Placed, Arch);
  if (!Code && Level == ISA::Machine) {
    const std::string Why = toString(Code.takeError());
    Code = buildCodeTable(Kernel, Arch, ISA::PTX, UsePtxas);
    if (Code)
      Code->Fallback = "level ptx instead of machine: " + Why;
    return Code;
  }
  if (!Code)
    return Code;
  // A clone says what its original needs, whatever a compiler makes of it.
  if (Placed->PTX.Registers32) {
    Code->RegistersPerThread = Placed->PTX.Registers32;
    Code->RegisterSource = "pragma";
  }
  Code->PTX = liftedText(*Kernel.getParent()) ? std::move(Placed->Text)
                                              : stripProvenance(Placed->Text);
  return Code;
}

} // namespace heddle
