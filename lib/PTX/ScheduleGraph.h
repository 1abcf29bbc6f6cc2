//===- ScheduleGraph.h - What may not pass what in a block ------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_SCHEDULEGRAPH_H
#define HEDDLE_LIB_PTX_SCHEDULEGRAPH_H

#include "heddle/PTX/RegisterModel.h"

namespace heddle::registers {

/// The instructions of one block and the order that they must keep: data, and
/// accesses that may touch the same bytes.
struct ScheduleGraph {
  struct Edge {
    unsigned To;
    unsigned Cycles; ///< from the start of one to the start of the other
  };

  struct Node {
    std::vector<Edge> Followers;
    unsigned NumWaited = 0; ///< edges to it
    unsigned Height = 0;    ///< cycles to the end of the block
    /// Slow loads one behind the other from here on, itself among them.
    unsigned SlowLoads = 0;
    bool ReadsSlow = false; ///< what such a load brings
  };

  explicit ScheduleGraph(const OpBlock &B);

  std::vector<Node> Nodes; ///< by number of the instruction in the block

private:
  void addEdge(unsigned From, unsigned To, unsigned Cycles);
  /// \p To may not come before \p From.
  void order(unsigned From, unsigned To) { addEdge(From, To, 1); }
  void findEdges(const OpBlock &B);
  void findHeights(const OpBlock &B);
};

struct FewRegistersOrder {
  std::vector<unsigned> Order;
  bool IsByAddress; ///< it goes through the loads by address
};

/// An order of \p B that keeps few values alive at once: the best of the text
/// and of two that place each instruction as late as possible, so that what an
/// instruction reads is written right before it. Where these keep more than
/// \p Limit registers alive, also one that goes through the loads by address.
FewRegistersOrder orderOfFewRegisters(const Code &C, const OpBlock &B,
                                      const ScheduleGraph &G,
                                      const llvm::BitVector &LiveOut,
                                      unsigned Limit);

/// The 32-bit registers that live before each instruction of \p Order, and
/// after the last.
std::vector<unsigned> liveWidths(const Code &C, const OpBlock &B,
                                 llvm::ArrayRef<unsigned> Order,
                                 const llvm::BitVector &LiveOut);

} // namespace heddle::registers

#endif // HEDDLE_LIB_PTX_SCHEDULEGRAPH_H
