//===- CodeTable.cpp - From a prepared kernel to its instructions ---------===//

#include "heddle/PTX/CodeTable.h"

#include "CodeTableBuilder.h"
#include "Registers.h"

#include "heddle/PTX/PTXEmitter.h"
#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace heddle {

/// The instructions of \p PTX, which is \p Text or comes from it, and what
/// they need.
static Expected<KernelCode> finish(Expected<KernelCode> Code,
                                   const ptx::Kernel &PTX, std::string Text,
                                   StringRef Arch, bool UsePtxas) {
  if (!Code)
    return Code;
  Code->PTX = std::move(Text);
  Code->RegistersPerThread = estimateRegisters(PTX, Arch);
  Code->RegisterSource = "estimate";
  // A clone says what its original needs, whatever a compiler makes of it.
  if (PTX.Registers32) {
    Code->RegistersPerThread = PTX.Registers32;
    Code->RegisterSource = "pragma";
  } else if (UsePtxas) {
    auto Result = runPtxas(Code->PTX, PTX.Name, Arch);
    if (Result && !Result->Refused.empty()) {
      Code->RegisterSource += ": " + Result->Refused;
    } else if (Result) {
      Code->RegistersPerThread = Result->Registers;
      Code->RegisterSource =
          Result->Arch == Arch ? "ptxas" : "ptxas for " + Result->Arch;
    }
  }
  return Code;
}

Expected<KernelCode> buildCodeTable(const Function &Kernel, StringRef Arch,
                                    ISA Level, bool UsePtxas) {
  KernelNumbering Numbering(Kernel);
  CodeTableBuilder Builder(Kernel, Numbering, Level);
  if (auto Lifted = liftedText(*Kernel.getParent()); Lifted) {
    auto PTX = ptx::readKernel(*Lifted, Kernel.getName());
    if (!PTX)
      return PTX.takeError();
    return finish(Level == ISA::PTX
                      ? buildLiftedLevel(Builder, *PTX)
                      : Expected<KernelCode>(buildIRLevel(Builder)),
                  *PTX, Lifted->str(), Arch, UsePtxas);
  }
  auto Text = emitProvenancePTX(Kernel, Numbering, Arch);
  if (!Text)
    return Text.takeError();
  auto PTX = ptx::readKernel(*Text, Kernel.getName());
  if (!PTX)
    return PTX.takeError();
  return finish(Level == ISA::PTX ? buildPTXLevel(Builder, *PTX)
                                  : Expected<KernelCode>(buildIRLevel(Builder)),
                *PTX, stripProvenance(*Text), Arch, UsePtxas);
}

} // namespace heddle
