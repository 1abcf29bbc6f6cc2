//===- KernelNumbering.h - Numbers of blocks and instructions ---*- C++ -*-===//
//
// One numbering of a prepared kernel that the code table, both execution
// engines and static traces share. Blocks are numbered in function order,
// instructions from 1 in the same order (the debug line that carries them
// through the NVPTX back end), and memory records from 0: every instruction
// that reads or writes memory other than kernel parameters.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_KERNELNUMBERING_H
#define HEDDLE_ANALYSIS_KERNELNUMBERING_H

#include "heddle/ABI/CodeTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

/// One memory instruction of the kernel.
struct MemoryRecord {
  const llvm::Instruction *Inst;
  const llvm::Value *Pointer;
  HeddleMemorySpace Space; ///< from the address space and the underlying object
  unsigned AccessBytes;    ///< per lane
  bool IsStore;            ///< stores and atomics
};

class KernelNumbering {
public:
  explicit KernelNumbering(const llvm::Function &Kernel);

  unsigned numBlocks() const { return Blocks.size(); }
  unsigned numInsts() const { return Insts.size(); }
  const llvm::BasicBlock *block(unsigned N) const { return Blocks[N]; }
  /// \p N counts from 1.
  const llvm::Instruction *inst(unsigned N) const { return Insts[N - 1]; }
  unsigned number(const llvm::BasicBlock *B) const {
    return BlockNumbers.at(B);
  }
  unsigned number(const llvm::Instruction *I) const {
    return InstNumbers.at(I);
  }

  const std::vector<MemoryRecord> &memory() const { return Memory; }
  /// The memory record of \p I, or HEDDLE_NO_MEMORY.
  unsigned memoryNumber(const llvm::Instruction *I) const {
    auto It = MemoryNumbers.find(I);
    return It == MemoryNumbers.end() ? HEDDLE_NO_MEMORY : It->second;
  }

private:
  std::vector<const llvm::BasicBlock *> Blocks;
  std::vector<const llvm::Instruction *> Insts;
  std::vector<MemoryRecord> Memory;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> BlockNumbers;
  llvm::DenseMap<const llvm::Instruction *, unsigned> InstNumbers;
  llvm::DenseMap<const llvm::Instruction *, unsigned> MemoryNumbers;
};

/// The memory that \p Pointer points into, as far as its address space and
/// its underlying objects say; GENERIC if they do not.
HeddleMemorySpace memorySpaceOf(const llvm::Value *Pointer);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_KERNELNUMBERING_H
