//===- CodeTable.h - From a prepared kernel to its instructions -*- C++ -*-===//

#ifndef HEDDLE_PTX_CODETABLE_H
#define HEDDLE_PTX_CODETABLE_H

#include "heddle/ABI/CodeTable.h"
#include "heddle/ABI/MachineBlocks.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace heddle {

/// Levels of code: LLVM's PTX; prepared IR; the machine's instructions by our
/// lowering; the same from ptxas and nvdisasm (MachineCode.h has the last two).
enum class ISA { PTX, IR, Machine, SASS };

/// "ptx", "ir", "machine" or "sass", as options and results name \p Level.
llvm::StringRef nameOf(ISA Level);

/// The instructions of a kernel by basic block, plus what the emitted code says
/// of its resources. Same records as runtime's trace::CodeTable.
struct KernelCode {
  std::string Kernel;
  ISA Level = ISA::PTX;
  std::vector<HeddleInst> Insts;
  std::vector<HeddleBlock> Blocks;
  std::vector<HeddleMemoryRecord> Memory;
  std::vector<std::string> Opcodes;
  std::vector<std::string> Files;
  unsigned NumRegisters = 0;
  unsigned RegistersPerThread = 0; ///< from ptxas if found, else estimated
  /// "ptxas", "ptxas for sm_NN", "estimate" or "estimate: WHY".
  std::string RegisterSource;
  /// Why Level is PTX where machine code was asked for; else empty.
  std::string Fallback;
  std::string PTX; ///< the emitted text (level PTX)
  /// Where Blocks are those of machine code: the blocks of the IR that each
  /// stands for, and the blocks (without instructions) and memory records of
  /// the IR, which engines see. Else empty: Blocks are those of the IR.
  std::vector<std::vector<HeddleStep>> Steps;
  std::vector<HeddleBlock> IRBlocks;
  std::vector<HeddleMemoryRecord> IRMemory;
};

/// Levels PTX and IR. Emits \p Kernel (of a prepared module) for \p Arch and
/// reads back which PTX instruction stands for which IR instruction.
///
/// At level IR the instructions are those of the IR that cost time
/// (lib/PTX/IRCodeTable.cpp says which). Registers per thread come from `ptxas`
/// if \p UsePtxas and one is found that accepts the PTX, else from an estimate;
/// KernelCode::RegisterSource says which. Errors: the back end or the reader
/// does not take the kernel, or its PTX does not follow the blocks of the IR.
llvm::Expected<KernelCode> buildCodeTable(const llvm::Function &Kernel,
                                          llvm::StringRef Arch, ISA Level,
                                          bool UsePtxas = true);

} // namespace heddle

#endif // HEDDLE_PTX_CODETABLE_H
