//===- SASSReader.h - What nvdisasm prints ----------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_SASSREADER_H
#define HEDDLE_LIB_MACHINECODE_SASSREADER_H

#include "heddle/PTX/CodeTableBuilder.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::machine {

/// One line of a disassembly.
struct SASSInst {
  std::string Guard; ///< "P0", "!P0", "UP1"; empty if it always runs
  std::string Opcode;
  llvm::SmallVector<std::string, 6> Operands;
  std::string Label; ///< that a branch or call names
  unsigned Line = 0; ///< of the source; 0 if none has been named yet
};

struct SASSBlock {
  std::vector<SASSInst> Insts;
  llvm::SmallVector<unsigned, 2> Successors; ///< indices, without calls
  bool IsCalled = false; ///< part of a subroutine behind the kernel
  static constexpr unsigned NoCallee = ~0u;
  unsigned Callee = NoCallee; ///< that it calls at its end
};

/// The PTX of \p Placed with a line of its own for each statement, which ptxas
/// carries into its code: its number from 1 on.
std::string numberLines(const PlacedKernel &Placed);

/// What nvdisasm prints of what ptxas makes of \p Kernel in \p PTX, and the
/// registers per thread. The error says which of the two tools is not there or
/// what it says.
llvm::Expected<std::string> disassemble(llvm::StringRef PTX,
                                        llvm::StringRef Kernel,
                                        llvm::StringRef Arch,
                                        unsigned &Registers);

/// The code of \p Kernel in \p Text, what `nvdisasm -c -g` prints, without the
/// endless loop and the padding behind it. The error says that it is not there.
llvm::Expected<std::vector<SASSBlock>> readSASS(llvm::StringRef Text,
                                                llvm::StringRef Kernel);

/// Empties the blocks that only rare operands and lanes that have parted need,
/// and the subroutines that nothing else calls.
void dropSlowPaths(std::vector<SASSBlock> &Blocks);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_SASSREADER_H
