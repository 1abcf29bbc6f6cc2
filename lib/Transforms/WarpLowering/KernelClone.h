//===- KernelClone.h - The kernel in the form to lower ----------*- C++ -*-===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_KERNELCLONE_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_KERNELCLONE_H

#include "heddle/Analysis/KernelNumbering.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

#include <memory>

namespace heddle {

/// A private copy of a kernel, changed to what the lowering works on, that
/// remembers the numbers of the original:
///  - a barrier of the block or the grid is the last instruction before its
///  block's branch;
///  - constant expressions on shared variables and functions are instructions;
///  - addresses are computed in the blocks that use them;
///  - loops are in LCSSA form.
class KernelClone {
public:
  explicit KernelClone(const llvm::Function &Kernel);

  llvm::Function &function() const { return *F; }
  const KernelNumbering &numbering() const { return Numbering; }

  static constexpr unsigned None = ~0u;
  /// Number of \p B; None for the rest of a block after a barrier.
  unsigned blockNumber(const llvm::BasicBlock *B) const {
    return lookup(BlockNumbers, B);
  }
  /// KernelNumbering's number of the original of \p I, or None.
  unsigned instNumber(const llvm::Instruction *I) const {
    return lookup(InstNumbers, I);
  }
  unsigned memoryNumber(const llvm::Instruction *I) const {
    return lookup(MemoryNumbers, I);
  }
  /// The argument or instruction that \p V is a copy of.
  const llvm::Value *original(const llvm::Value *V) const {
    return Originals.lookup(V);
  }

private:
  template <typename K>
  static unsigned lookup(const llvm::DenseMap<K, unsigned> &Map, K Key) {
    auto It = Map.find(Key);
    return It == Map.end() ? None : It->second;
  }
  void splitAtBarriers();
  void sinkAddresses();

  KernelNumbering Numbering;
  std::unique_ptr<llvm::Module> M;
  llvm::Function *F;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> BlockNumbers;
  llvm::DenseMap<const llvm::Instruction *, unsigned> InstNumbers,
      MemoryNumbers;
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> Originals;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_KERNELCLONE_H
