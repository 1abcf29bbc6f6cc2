//===- BulkOperation.h - Bulk copies and tensor copies in IR ----*- C++ -*-===//
//
// cp.async.bulk, cp.reduce.async.bulk, their tensor forms and prefetches are
// one call in IR, of the intrinsic that LLVM has for it. The reduction of plain
// memory has none: it stays inline assembly, of one text for each kind.
//
// Such a call has the memory records that ABI/BulkOps.h names
// (HeddleBulkRecord) in that order: of global memory, of its sizes (PARAM), of
// shared memory, of its barrier, of each further dimension (PARAM), and of the
// blocks that get it (PARAM).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_BULKOPERATION_H
#define HEDDLE_ANALYSIS_BULKOPERATION_H

#include "heddle/ABI/BulkOps.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace heddle {

struct BulkOperation {
  HeddleBulkShape Shape = {};
  /// By HeddleBulkOperand; null: none, as if it were 0.
  std::array<const llvm::Value *, HEDDLE_BULK_OPERANDS> Operands = {};

  const llvm::Value *operand(unsigned N) const { return Operands[N]; }
  unsigned numRecords() const {
    return heddleBulkRecords(Shape.Rank) +
           (Shape.Kind == HEDDLE_BULK_MULTICAST);
  }
  bool writesGlobal() const {
    return Shape.Kind == HEDDLE_BULK_STORE || Shape.Kind == HEDDLE_BULK_REDUCE;
  }
  uint64_t shapeBits() const;
  /// HeddleInst::Products.
  uint16_t products() const {
    return HEDDLE_COPY_BULK + Shape.Kind * 8 + Shape.Rank;
  }
};

/// What \p Call does if it is such an operation.
std::optional<BulkOperation> bulkOperation(const llvm::CallBase &Call);

/// The HeddleInst::Products of \p Call if it ends a bulk group or waits for
/// some; else 0.
uint16_t bulkFence(const llvm::CallBase &Call);

/// The text of inline assembly that stays as it is: a reduction of plain
/// memory with the operation and the type of PTX.
std::string bulkReductionText(llvm::StringRef Operation, llvm::StringRef Type);

/// The HeddleBulkReduction that PTX calls \p Name, and the HeddleTensorType of
/// its type; nothing for others.
std::optional<uint8_t> bulkReduction(llvm::StringRef Name);
std::optional<uint8_t> bulkReductionType(llvm::StringRef Name);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_BULKOPERATION_H
