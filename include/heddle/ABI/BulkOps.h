//===- BulkOps.h - Bulk copies and tensor copies ----------------*- C -*-===//
//
// What compiled kernels and the interpreter call for cp.async.bulk,
// cp.reduce.async.bulk and their tensor forms (PTX ISA 8.8, "Data Movement and
// Conversion Instructions"). They are done at once; models know that they take
// their time.
//
// The operands of an operation are rows of 32 words, one for each lane
// (HeddleBulkOperand). Its memory records are rows as well (HeddleBulkRecord):
// they say which rows of the tensor it touches, so that models need no map.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_BULKOPS_H
#define HEDDLE_ABI_BULKOPS_H

#include "heddle/ABI/TensorMap.h"
#include "heddle/ABI/WarpKernel.h"

enum HeddleBulkKind {
  HEDDLE_BULK_LOAD,      ///< global to shared memory, complete at an mbarrier
  HEDDLE_BULK_STORE,     ///< shared to global memory, in a bulk group
  HEDDLE_BULK_REDUCE,    ///< the same, combined with what is there
  HEDDLE_BULK_PREFETCH,  ///< global memory to L2
  HEDDLE_BULK_SEND,      ///< the block's shared memory to that of any block of
                         ///< the cluster, complete at an mbarrier there
  HEDDLE_BULK_MULTICAST, ///< global memory to the same place in several blocks
                         ///< of the cluster, complete at an mbarrier in each
};
/// Whether an operation of \p Kind completes at an mbarrier.
static inline int heddleBulkCompletes(uint32_t Kind) {
  return Kind == HEDDLE_BULK_LOAD || Kind == HEDDLE_BULK_SEND ||
         Kind == HEDDLE_BULK_MULTICAST;
}

enum HeddleBulkReduction {
  HEDDLE_BULK_ADD,
  HEDDLE_BULK_MIN,
  HEDDLE_BULK_MAX,
  HEDDLE_BULK_INC,
  HEDDLE_BULK_DEC,
  HEDDLE_BULK_AND,
  HEDDLE_BULK_OR,
  HEDDLE_BULK_XOR,
};

/// What is wrong with an operation of a cluster or on an mbarrier, beyond
/// HeddleTensorProblem.
enum HeddleClusterProblem {
  HEDDLE_CLUSTER_BAD_MASK = HEDDLE_NUM_TENSOR_PROBLEMS,
  HEDDLE_CLUSTER_TWO_BLOCKS, ///< place and mbarrier lie in different blocks
  HEDDLE_CLUSTER_NO_BLOCK,   ///< a place or an mbarrier lies in none
  HEDDLE_BARRIER_UNALIGNED,  ///< an mbarrier at no multiple of 8
};

/// What the instruction itself says; engines hand it over as a word.
typedef struct HeddleBulkShape {
  uint8_t Kind;      ///< HeddleBulkKind
  uint8_t Rank;      ///< of the tensor; 0: plain bytes
  uint8_t IsIm2Col;  ///< tensors: im2col instead of tile
  uint8_t Reduction; ///< HeddleBulkReduction
  uint8_t Type;      ///< HeddleTensorType of a reduction of plain memory
  uint8_t Reserved[3];
} HeddleBulkShape;

enum HeddleBulkOperand {
  HEDDLE_BULK_SHARED,
  HEDDLE_BULK_GLOBAL,  ///< the address, or that of the tensor map; of SEND
                       ///< where it reads shared memory
  HEDDLE_BULK_BYTES,   ///< of plain memory
  HEDDLE_BULK_BARRIER, ///< of loads
  HEDDLE_BULK_COORDS,  ///< five rows, the innermost dimension first
  HEDDLE_BULK_OFFSETS = HEDDLE_BULK_COORDS + HEDDLE_TENSOR_MAX_RANK,
  HEDDLE_BULK_MASK = HEDDLE_BULK_OFFSETS + 3, ///< after three rows, of im2col
  HEDDLE_BULK_OPERANDS                        ///< the mask: ranks of MULTICAST
};

/// Rows of what the trace holds, all 64-bit words; beside the first four as
/// many as the tensor has dimensions beyond the first, and then the mask of
/// MULTICAST.
enum HeddleBulkRecord {
  HEDDLE_BULK_FROM,  ///< first byte in global memory that is touched
  HEDDLE_BULK_SIZES, ///< bytes in shared memory | bytes of a row << 32
  HEDDLE_BULK_PLACE, ///< in shared memory
  HEDDLE_BULK_AT,    ///< the mbarrier
  HEDDLE_BULK_ROWS,  ///< rows of a dimension | bytes from one to the next << 16
  HEDDLE_BULK_RECORDS = HEDDLE_BULK_ROWS + HEDDLE_TENSOR_MAX_RANK,
};

/// Memory records of an operation on a tensor of \p Rank dimensions, without
/// the mask, whose record is the next.
static inline uint32_t heddleBulkRecords(uint32_t Rank) {
  return HEDDLE_BULK_ROWS + (Rank > 1 ? Rank - 1 : 0);
}

/// HeddleInst::Products of an asynchronous instruction that is one of these:
/// this, its kind times 8, and its rank.
#define HEDDLE_COPY_BULK 0xff80
static inline int heddleIsBulk(uint32_t Products) {
  return Products >= HEDDLE_COPY_BULK && Products < HEDDLE_COPY_BULK + 48;
}
/// Products of the fences of bulk groups: a commit, and a wait for all but
/// the last N groups, or for their reads alone.
#define HEDDLE_BULK_COMMIT 0xff00
#define HEDDLE_BULK_WAIT 0x4000
#define HEDDLE_BULK_WAIT_READ 0x5000
#define HEDDLE_BULK_MAX_GROUPS 0xfff

#ifdef __cplusplus
extern "C" {
#endif

/// Does the operation \p Shape (a HeddleBulkShape) for each lane of \p Mask and
/// fills \p Records. Returns the lanes from the first on that found something
/// wrong; W->ErrorAddress then is a HeddleTensorProblem or a
/// HeddleClusterProblem, 0 for the mbarrier.
uint32_t heddleBulkTransfer(HeddleWarp *W, uint64_t Shape, uint32_t Inst,
                            uint32_t Mask, const uint64_t *Operands,
                            uint64_t *Records);

/// Fills \p Records alone. Returns the lanes from the first on that found
/// something wrong, an mbarrier that is none apart.
uint32_t heddleBulkDescribe(HeddleWarp *W, uint64_t Shape, uint32_t Mask,
                            const uint64_t *Operands, uint64_t *Records);

/// \p Problem, a HeddleTensorProblem or a HeddleClusterProblem, in words, as
/// what is wrong and what to do.
const char *heddleBulkProblem(uint32_t Problem);

/// At most 16 bytes that lie together in global and in shared memory; elements
/// that a tensor copy fills have no global address, 0.
typedef void (*HeddleBulkVisit)(void *Context, uint64_t Global, uint64_t Shared,
                                uint32_t Bytes);

/// Calls \p Visit with the pieces of lane \p Lane's operation, in order;
/// nothing if something is wrong with it.
void heddleBulkPieces(HeddleWarp *W, uint64_t Shape, uint32_t Lane,
                      const uint64_t *Operands, HeddleBulkVisit Visit,
                      void *Context);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // HEDDLE_ABI_BULKOPS_H
