//===- MachineCode.cpp - A kernel in a machine's instructions -------------===//

#include "heddle/MachineCode/MachineCode.h"

#include "Levels.h"

#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace heddle {

Expected<KernelCode> buildKernelCode(const Function &Kernel, StringRef Arch,
                                     ISA Level, bool UsePtxas) {
  if (Level == ISA::PTX || Level == ISA::IR)
    return buildCodeTable(Kernel, Arch, Level, UsePtxas);
  KernelNumbering Numbering(Kernel);
  CodeTableBuilder Builder(Kernel, Numbering, Level);
  auto Placed = placeKernel(Builder, Kernel, Arch, /*Place=*/true);
  if (!Placed)
    return Placed.takeError();
  auto Code = Level == ISA::Machine
                  ? machine::buildMachineLevel(Builder, *Placed, Arch)
                  : machine::buildSASSLevel(Builder, *Placed, Arch);
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
