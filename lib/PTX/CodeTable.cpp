//===- CodeTable.cpp - From a prepared kernel to its instructions ---------===//

#include "heddle/PTX/CodeTable.h"

#include "heddle/Analysis/ArchitectureNeed.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/CodeTableBuilder.h"
#include "heddle/PTX/Registers.h"

#include "heddle/PTX/PTXEmitter.h"
#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace heddle {

StringRef nameOf(ISA Level) {
  switch (Level) {
  case ISA::PTX:
    return "ptx";
  case ISA::IR:
    return "ir";
  case ISA::Machine:
    return "machine";
  case ISA::SASS:
    return "sass";
  }
  llvm_unreachable("no such level");
}

/// Of what LLVM has no instruction for, it says only that it cannot select it.
/// What inline assembly says it passes on.
static Error checkIntrinsics(const Function &Kernel, StringRef Arch) {
  unsigned Number = 0;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Number))
    return Error::success();
  const auto Need = laterArchitecture(Kernel, Number);
  if (!Need || cast<CallBase>(Need->Inst)->isInlineAsm())
    return Error::success();
  const DebugLoc &Loc = Need->Inst->getDebugLoc();
  return createStringError(formatv(
      "{0}kernel '{1}' uses {2}, which needs sm_{3}; compile it for "
      "that: --arch sm_{3}, or HEDDLE_ARCH=sm_{3} for the plugin",
      Loc ? formatv("{0}:{1}: ", Loc->getFilename(), Loc.getLine()).str() : "",
      kernelName(Kernel), Need->Name, Need->Number));
}

Expected<PlacedKernel> placeKernel(CodeTableBuilder &Builder,
                                   const Function &Kernel, StringRef Arch,
                                   bool Place) {
  PlacedKernel Out;
  const std::optional<StringRef> Lifted = liftedText(*Kernel.getParent());
  if (Lifted) {
    Out.Text = Lifted->str();
  } else {
    if (Error E = checkIntrinsics(Kernel, Arch))
      return E;
    auto Text = emitProvenancePTX(Kernel, Builder.numbering(), Arch);
    if (!Text)
      return Text.takeError();
    Out.Text = std::move(*Text);
  }
  auto PTX = ptx::readKernel(Out.Text, Kernel.getName());
  if (!PTX)
    return PTX.takeError();
  Out.PTX = std::move(*PTX);
  if (!Place)
    return Out;
  auto Blocks =
      Lifted ? placeLifted(Builder, Out.PTX) : placeEmitted(Builder, Out.PTX);
  if (!Blocks)
    return Blocks.takeError();
  Out.Blocks = std::move(*Blocks);
  return Out;
}

void takeBoundRegisters(const Function &Kernel, StringRef Arch,
                        KernelCode &Code) {
  const auto Sets = [](const HeddleInst &I) {
    return I.Class == HEDDLE_OP_FENCE && I.Flags & HEDDLE_INST_WARP_GROUP &&
           heddleSetsRegisters(I.Products);
  };
  if (none_of(Code.Insts, Sets))
    return;
  const LaunchBounds Bounds = launchBounds(Kernel);
  if (!Bounds.MaxThreads && !Bounds.RequiredBlock[0] && !Bounds.MaxRegisters) {
    for (HeddleInst &I : Code.Insts)
      if (Sets(I))
        I.Products = HEDDLE_GROUP_FENCE;
    Code.RegisterSource += "; setmaxnreg is left out, as ptxas does without "
                           "__launch_bounds__ or .maxnreg";
    return;
  }
  Code.RegistersPerThread = registerBounds(Bounds, Arch).Most;
  Code.RegisterSource = "launch bounds";
}

static KernelCode buildPTXLevel(CodeTableBuilder &Builder,
                                const PlacedKernel &Placed) {
  std::vector<std::vector<HeddleInst>> Insts(Placed.Blocks.size());
  for (auto [Block, Out] : zip_equal(Placed.Blocks, Insts))
    for (const PlacedInst &P : Block)
      Out.push_back(P.Inst);
  Builder.code().NumRegisters = Placed.PTX.Registers.size();
  return Builder.finish(std::move(Insts));
}

Expected<KernelCode> buildCodeTable(const Function &Kernel, StringRef Arch,
                                    ISA Level, bool UsePtxas) {
  KernelNumbering Numbering(Kernel);
  CodeTableBuilder Builder(Kernel, Numbering, Level);
  auto Placed = placeKernel(Builder, Kernel, Arch, Level == ISA::PTX);
  if (!Placed)
    return Placed.takeError();
  KernelCode Code = Level == ISA::PTX ? buildPTXLevel(Builder, *Placed)
                                      : buildIRLevel(Builder);
  Code.PTX = liftedText(*Kernel.getParent()) ? std::move(Placed->Text)
                                             : stripProvenance(Placed->Text);
  const RegisterBounds Bounds = registerBounds(launchBounds(Kernel), Arch);
  const unsigned Needed = estimateRegisters(Placed->PTX, Arch, Bounds);
  Code.RegistersPerThread = std::min(Needed, Bounds.Most);
  Code.RegisterSource = sourceOfRegisters("estimate", Needed, Bounds);
  // A clone says what its original needs, whatever a compiler makes of it.
  if (Placed->PTX.Registers32) {
    Code.RegistersPerThread = Placed->PTX.Registers32;
    Code.RegisterSource = "pragma";
    return Code;
  }
  takeBoundRegisters(Kernel, Arch, Code);
  if (UsePtxas) {
    auto Result = runPtxas(Code.PTX, Placed->PTX.Name, Arch);
    if (Result && !Result->Refused.empty()) {
      Code.RegisterSource += ": " + Result->Refused;
    } else if (Result) {
      Code.RegistersPerThread = Result->Registers;
      Code.RegisterSource =
          Result->Arch == Arch ? "ptxas" : "ptxas for " + Result->Arch;
    }
  }
  return Code;
}

} // namespace heddle
