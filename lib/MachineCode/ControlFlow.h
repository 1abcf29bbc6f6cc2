//===- ControlFlow.h - Dominators and loops of a PTX kernel -----*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_CONTROLFLOW_H
#define HEDDLE_LIB_MACHINECODE_CONTROLFLOW_H

#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/BitVector.h"

namespace heddle::machine {

/// Which blocks of a kernel dominate which, and where what a loop does not
/// change can be computed once.
class ControlFlow {
public:
  explicit ControlFlow(const ptx::Kernel &PTX);

  /// True if all ways to block \p N lead over block \p Over. Blocks that no way
  /// leads to are dominated by none.
  bool dominates(unsigned Over, unsigned N) const;

  /// The block in front of the outermost loop around block \p N that does not
  /// hold block \p Without; \p N if there is no such loop, or no block that
  /// alone leads into it.
  unsigned inFrontOfLoops(unsigned N, unsigned Without) const;

private:
  struct Loop {
    llvm::BitVector Blocks;
    unsigned Header;
  };

  void order(const ptx::Kernel &PTX);
  void findDominators();
  void findLoops();
  unsigned common(unsigned A, unsigned B) const;
  unsigned entryOf(const Loop &L) const;

  std::vector<unsigned> Order;     ///< blocks that are reached, in reverse
                                   ///< postorder
  std::vector<unsigned> Positions; ///< by block, in Order
  std::vector<llvm::SmallVector<unsigned, 2>> Predecessors; ///< reached ones
  std::vector<unsigned> Above; ///< by block: its immediate dominator
  std::vector<Loop> Loops;
};

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_CONTROLFLOW_H
