//===- CodeTableBuilder.h - Tables of names and lines -----------*- C++ -*-===//

#ifndef HEDDLE_PTX_CODETABLEBUILDER_H
#define HEDDLE_PTX_CODETABLEBUILDER_H

#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/PTX/CodeTable.h"
#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/StringMap.h"

namespace heddle {

/// What both levels of a code table need while it is filled.
class CodeTableBuilder {
public:
  CodeTableBuilder(const llvm::Function &Kernel,
                   const KernelNumbering &Numbering, ISA Level);

  KernelCode &code() { return Code; }
  const KernelNumbering &numbering() const { return Numbering; }

  uint32_t opcode(llvm::StringRef Name);
  /// Sets file and line of \p Inst to those of IR instruction \p From: the
  /// innermost place in the kernel's own file, else the innermost place.
  void setSource(HeddleInst &Inst, const llvm::Instruction &From);
  /// Sets the line of \p Inst in the kernel's own file.
  void setLine(HeddleInst &Inst, unsigned Line);
  /// \p From without its memory record and source line. The error names the
  /// line of the PTX.
  llvm::Expected<HeddleInst> translate(const ptx::Inst &From);
  /// Writes registers; what exceeds the record is left out, results first.
  static void setRegisters(HeddleInst &Inst, llvm::ArrayRef<uint16_t> Defs,
                           llvm::ArrayRef<uint16_t> Uses);
  /// Moves the instructions of each block into the table.
  KernelCode finish(std::vector<std::vector<HeddleInst>> BlockInsts);

private:
  const KernelNumbering &Numbering;
  KernelCode Code;
  llvm::StringMap<uint32_t> OpcodeNumbers;
  llvm::StringMap<uint32_t> FileNumbers;
  std::string MainFile;
};

/// An instruction of the table and the one of the PTX that it was made of.
struct PlacedInst {
  HeddleInst Inst;
  const ptx::Inst *From;
};

/// The instructions of each block of the IR, in the order of the PTX.
using PlacedBlocks = std::vector<std::vector<PlacedInst>>;

/// Finds the block of each instruction of \p PTX, the provenance PTX of the
/// kernel of \p Builder.
llvm::Expected<PlacedBlocks> placeEmitted(CodeTableBuilder &Builder,
                                          const ptx::Kernel &PTX);

/// The same for a lifted kernel (PTXLifter.h) and the text that it was lifted
/// from, \p PTX: each block gets the instructions of its range.
llvm::Expected<PlacedBlocks> placeLifted(CodeTableBuilder &Builder,
                                         const ptx::Kernel &PTX);

/// The PTX of a kernel with the place of each instruction in the IR.
struct PlacedKernel {
  std::string Text; ///< that PTX was read from, with its provenance
  ptx::Kernel PTX;
  PlacedBlocks Blocks; ///< empty if no places were asked for
};

/// Emits the kernel of \p Builder for \p Arch, or takes the text that it was
/// lifted from, and finds the places of its instructions if \p Place.
llvm::Expected<PlacedKernel> placeKernel(CodeTableBuilder &Builder,
                                         const llvm::Function &Kernel,
                                         llvm::StringRef Arch, bool Place);

/// True if \p Inst has addresses that a trace records.
bool accessesRecords(const HeddleInst &Inst);

/// HeddleInst::Products of a barrier of some warps.
uint16_t namedBarrier(bool Arrives, std::optional<unsigned> Number,
                      std::optional<unsigned> Threads);

/// Fills them from the IR itself.
KernelCode buildIRLevel(CodeTableBuilder &Builder);

/// The registers of a kernel with setmaxnreg: all that its bounds allow, since
/// ptxas does not know what each part of it needs. Without bounds ptxas leaves
/// setmaxnreg out. [ptxas 13.0: "Used 168 registers" with .maxntid 384, and its
/// message C7508.]
void takeBoundRegisters(const llvm::Function &Kernel, llvm::StringRef Arch,
                        KernelCode &Code);

/// \p Text without .loc, .file and the comments of provenance.
std::string stripProvenance(llvm::StringRef Text);

} // namespace heddle

#endif // HEDDLE_PTX_CODETABLEBUILDER_H
