//===- CodeTable.cpp - From a prepared kernel to its instructions ---------===//

#include "heddle/PTX/CodeTable.h"

#include "CodeTableBuilder.h"
#include "Registers.h"

#include "heddle/PTX/PTXEmitter.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace heddle {

Expected<KernelCode> buildCodeTable(const Function &Kernel, StringRef Arch,
                                    ISA Level, bool UsePtxas) {
  KernelNumbering Numbering(Kernel);
  auto Text = emitProvenancePTX(Kernel, Numbering, Arch);
  if (!Text)
    return Text.takeError();
  auto PTX = ptx::readKernel(*Text, Kernel.getName());
  if (!PTX)
    return PTX.takeError();
  CodeTableBuilder Builder(Kernel, Numbering, Level);
  Expected<KernelCode> Code = Level == ISA::PTX
                                  ? buildPTXLevel(Builder, *PTX)
                                  : Expected<KernelCode>(buildIRLevel(Builder));
  if (!Code)
    return Code;
  Code->PTX = stripProvenance(*Text);
  Code->RegistersPerThread = estimateRegisters(*PTX);
  Code->RegisterSource = "estimate";
  if (UsePtxas)
    if (auto Result = runPtxas(Code->PTX, Kernel.getName(), Arch)) {
      Code->RegistersPerThread = Result->Registers;
      Code->RegisterSource =
          Result->Arch == Arch ? "ptxas" : "ptxas for " + Result->Arch;
    }
  return Code;
}

} // namespace heddle
