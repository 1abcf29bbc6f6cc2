//===- Levels.h - The two levels of machine code ----------------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_LEVELS_H
#define HEDDLE_LIB_MACHINECODE_LEVELS_H

#include "heddle/PTX/CodeTableBuilder.h"

#include "llvm/ADT/SmallVector.h"

namespace heddle::machine {

/// A block of the IR that a block of machine code stands for.
struct Step {
  unsigned IRBlock = 0;
  bool Optional = false; ///< predicated
};

/// A block of the table with the number of each instruction's step. Accesses
/// have the memory record of the IR.
struct OutputBlock {
  llvm::SmallVector<Step, 2> Steps;
  std::vector<std::pair<HeddleInst, unsigned>> Insts;
  unsigned Place = 0; ///< where it stands, as far as its level says
};

/// Takes out blocks without instructions. One without accesses may run between
/// the steps of another; the accesses of the others stand with the block that
/// they are a step of, or finishBlocks() adds them.
void dropIdle(std::vector<OutputBlock> &Out, const PlacedKernel &Placed);

/// The table of \p Builder in \p Blocks, the records of whose steps stand
/// behind each other. The kernel has \p NumIRBlocks blocks of the IR.
KernelCode finishBlocks(CodeTableBuilder &Builder,
                        std::vector<OutputBlock> Blocks, size_t NumIRBlocks);

/// The code table of \p Placed by our own lowering for \p Arch.
llvm::Expected<KernelCode> buildMachineLevel(CodeTableBuilder &Builder,
                                             const PlacedKernel &Placed,
                                             llvm::StringRef Arch);

/// The same from what ptxas makes of it and nvdisasm prints.
llvm::Expected<KernelCode> buildSASSLevel(CodeTableBuilder &Builder,
                                          const llvm::Function &Kernel,
                                          const KernelNumbering &Numbering,
                                          const PlacedKernel &Placed,
                                          llvm::StringRef Arch);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_LEVELS_H
