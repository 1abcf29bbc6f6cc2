//===- RegisterBudget.h - What may go early within a limit ------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_REGISTERBUDGET_H
#define HEDDLE_LIB_PTX_REGISTERBUDGET_H

#include "ScheduleGraph.h"

namespace heddle::registers {

/// Numbers that grow by ranges, and the largest of a range.
class RangeMax {
public:
  explicit RangeMax(llvm::ArrayRef<unsigned> Values);
  /// Adds \p Amount to [\p First, \p Last].
  void add(size_t First, size_t Last, int Amount) {
    add(1, 0, Size, First, Last + 1, Amount);
  }
  /// The largest of [\p First, \p Last].
  int max(size_t First, size_t Last) const {
    return max(1, 0, Size, First, Last + 1);
  }

private:
  struct Node {
    int Most = 0; ///< below it, with its own Added
    int Added = 0;
  };
  void add(size_t N, size_t Begin, size_t End, size_t First, size_t Last,
           int Amount);
  int max(size_t N, size_t Begin, size_t End, size_t First, size_t Last) const;

  size_t Size = 1;
  std::vector<Node> Nodes;
};

/// Follows a block that is scheduled from an order of few registers: what goes
/// before its turn keeps its results alive until then, and may do so only where
/// no more than the limit live in between. So the limit is passed only where
/// that order passes it.
class RegisterBudget {
public:
  RegisterBudget(const Code &C, const OpBlock &B, const ScheduleGraph &G,
                 const llvm::BitVector &LiveOut, unsigned Limit);
  /// Whether \p N, after which \p Growth more registers live, may go now.
  bool allows(unsigned N, int Growth) const;
  void issue(unsigned N);

private:
  /// One write of a value, or what it held before the block.
  struct Version {
    unsigned Value = 0;
    bool LivesOut = false;
    llvm::SmallVector<unsigned, 4> Users;
  };
  void findVersions();
  void release(const Version &V, unsigned N);

  const Code &C;
  const OpBlock &B;
  llvm::BitVector LiveOut;
  int Limit;
  std::vector<unsigned> Order, Turns; ///< Turns: places in Order
  RangeMax Live;                      ///< registers before each turn
  std::vector<Version> Versions;
  std::vector<llvm::SmallVector<unsigned, 4>> Reads; ///< versions
  llvm::BitVector Issued;
  size_t Front = 0; ///< the first in Order that has not gone
};

} // namespace heddle::registers

#endif // HEDDLE_LIB_PTX_REGISTERBUDGET_H
