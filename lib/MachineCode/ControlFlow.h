//===- ControlFlow.h - Dominators and loops of a PTX kernel -----*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_CONTROLFLOW_H
#define HEDDLE_LIB_MACHINECODE_CONTROLFLOW_H

#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace heddle::machine {

/// Which blocks of a kernel dominate which, and where what a loop does not
/// change can be computed once. LLVM's analyses say so of a function that has
/// the branches of the kernel and nothing else.
class ControlFlow {
public:
  explicit ControlFlow(const ptx::Kernel &PTX);

  /// True if all ways to block \p N lead over block \p Over. Blocks that no way
  /// leads to are dominated by none and dominate none.
  bool dominates(unsigned Over, unsigned N) const;

  /// The block in front of the outermost loop around block \p N that does not
  /// hold block \p Without; \p N if there is no such loop, or no block that
  /// alone leads into it.
  unsigned inFrontOfLoops(unsigned N, unsigned Without) const;

private:
  llvm::LLVMContext Context;
  llvm::Module M;
  std::vector<llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
};

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_CONTROLFLOW_H
