//===- WarpKernel.h - A kernel compiled for one warp ------------*- C -*-===//
//
// The contract between an execution engine of the compiler half (the JIT or the
// interpreter) and runtime/exec, which runs launches. An engine hands over one
// C function that runs one warp of 32 lanes in lockstep until it ends, reaches
// a block-wide barrier, polls memory without success, or fails. The runtime
// knows nothing of IR, the engine nothing of grids, threads and memory
// management.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_WARPKERNEL_H
#define HEDDLE_ABI_WARPKERNEL_H

#include <stdint.h>

#define HEDDLE_WARP_KERNEL_VERSION 9
#define HEDDLE_WARP_SIZE 32
/// The warps that an SM of V100, A100 and H100 has room for, as %nwarpid says.
#define HEDDLE_NWARPID 64

#ifdef __cplusplus
extern "C" {
#endif

/// Why a warp function came back.
enum HeddleWarpStatus {
  HEDDLE_WARP_DONE = 0,    ///< all lanes have returned
  HEDDLE_WARP_BARRIER = 1, ///< wait for the block or grid, then call again
  HEDDLE_WARP_FAILED = 2,  ///< Error and ErrorBlock say why and where
  HEDDLE_WARP_POLLS = 3,   ///< asks memory again and again: call it again when
                           ///< the other warps of the block have had a turn
  HEDDLE_WARP_TURN = 4     ///< is about to ask for work: call it again when it
                           ///< is the one that has executed least
};

enum HeddleWarpError {
  HEDDLE_ERROR_NONE = 0,
  HEDDLE_ERROR_STEP_LIMIT = 1, ///< StepsLeft ran out: endless loop?
  HEDDLE_ERROR_DIVERGENT_BARRIER =
      2,                 ///< a barrier that not all live lanes reach
  HEDDLE_ERROR_TRAP = 3, ///< llvm.trap, failed assert, unreachable
  HEDDLE_ERROR_UNSUPPORTED = 4,
  HEDDLE_ERROR_PARTIAL_WARP = 5, ///< a matrix instruction needs all 32 lanes
  /// An mbarrier or bulk copy that is not set up; ErrorAddress is the
  /// HeddleTensorProblem of a copy.
  HEDDLE_ERROR_MBARRIER = 6,
  HEDDLE_ERROR_CLUSTER_ORDER = 7, ///< set by the runtime: barrier.cluster.wait
                                  ///< without an arrive, or two of these
  /// wgmma or setmaxnreg in a warp group that is not whole
  HEDDLE_ERROR_WARP_GROUP = 8,
  HEDDLE_ERROR_DESCRIPTOR = 9, ///< a matrix descriptor of wgmma that is wrong
  HEDDLE_ERROR_REGISTERS = 10, ///< setmaxnreg.inc to fewer, or .dec to more
  /// set by the runtime: setmaxnreg that the warps of a group do not share
  HEDDLE_ERROR_REGISTER_GROUP = 11
};

/// What a warp that came back with HEDDLE_WARP_BARRIER waits for.
enum HeddleBarrierOp {
  HEDDLE_BARRIER_SYNC = 0,   ///< bar.sync, barrier.cta.sync
  HEDDLE_BARRIER_POPC = 1,   ///< BarrierResult: threads whose predicate holds
  HEDDLE_BARRIER_AND = 2,    ///< BarrierResult: 1 if it holds for all threads
  HEDDLE_BARRIER_OR = 3,     ///< BarrierResult: 1 if it holds for any thread
  HEDDLE_BARRIER_ARRIVE = 4, ///< bar.arrive: counts, does not wait
  HEDDLE_BARRIER_GRID = 5,   ///< all blocks of the grid, cooperative launches
  HEDDLE_BARRIER_CLUSTER_ARRIVE = 6, ///< counts, does not wait
  HEDDLE_BARRIER_CLUSTER_WAIT = 7 ///< until all warps of the cluster have come
};

/// State of one warp. The runtime zeroes Frame once when it is allocated and
/// reuses it for later warps of the same kernel as it was left. Fields above
/// the line are set by the runtime before the first call and read-only to the
/// engine; those below belong to the engine and start as zero.
typedef struct HeddleWarp {
  uint32_t TidX[HEDDLE_WARP_SIZE]; ///< threadIdx of every lane
  uint32_t TidY[HEDDLE_WARP_SIZE];
  uint32_t TidZ[HEDDLE_WARP_SIZE];
  uint32_t BlockIdx[3];
  uint32_t GridDim[3];
  uint32_t BlockDim[3];
  uint32_t GlobalOffset[3]; ///< OpenCL's get_global_offset
  uint32_t WorkDim;         ///< OpenCL's get_work_dim
  uint32_t WarpInBlock;
  uint32_t LiveMask; ///< lanes that hold a thread
  uint32_t DynamicSharedBytes;
  uint32_t SharedBytes;  ///< of Shared, static and dynamic
  const uint8_t *Params; ///< kernel arguments at their ABI offsets
  uint8_t *Shared;       ///< shared memory of the thread block
  // Of the block's cluster; a launch without clusters has clusters of one.
  uint32_t ClusterIdx[3];     ///< %clusterid
  uint32_t NumClusters[3];    ///< %nclusterid
  uint32_t BlockInCluster[3]; ///< %cluster_ctaid
  uint32_t ClusterDim[3];     ///< %cluster_nctaid, blocks
  uint32_t ClusterRank;       ///< %cluster_ctarank
  uint32_t ClusterBlocks;     ///< %cluster_nctarank
  uint32_t ExplicitCluster;   ///< %is_explicit_cluster
  /// Windows of shared memory have 2^WindowShift bytes, to a multiple of which
  /// they are aligned; those of a cluster lie one after the other by rank, and
  /// one behind the last of which nothing may be accessed.
  uint32_t WindowShift;
  uint8_t *ClusterShared; ///< window of the block of rank 0
  uint8_t *Local;       ///< lane l owns [l * LocalStride, (l+1) * LocalStride)
  uint64_t LocalStride; ///< bytes
  uint8_t *Frame;       ///< FrameBytes of the kernel, 64-byte aligned
  void *Engine;         ///< HeddleWarpKernel::Engine
  void *Observer;       ///< passed to the trace hooks
  void *Printer;        ///< where DevicePrint.h writes to, or null
  uint64_t *BlockCounters;  ///< [block]{executions, active lanes}
  uint64_t *MemoryCounters; ///< [memory record]{HeddleMemoryCounter}
  // ---------------------------------------------------------------------
  uint64_t
      StepsLeft; ///< block executions until the step limit (set by the runtime)
  uint32_t ResumeBlock; ///< where to go on after a barrier or a poll
  uint32_t ExitedMask;  ///< lanes that have returned
  uint32_t ActiveMask;
  uint32_t StackDepth; ///< entries of the reconvergence stack in Frame
  uint32_t Error;      ///< HeddleWarpError
  uint32_t ErrorBlock; ///< number of the IR block where it happened
  uint32_t ErrorInst;  ///< instruction number (KernelNumbering), or ~0u
  uint32_t ErrorLane;
  uint64_t ErrorAddress;
  // Of mbarriers (AsyncOps.h).
  uint32_t PhaseEvents;    ///< arrivals, and tests that found a phase ended
  uint32_t AwaitedInst;    ///< the test that has not, or 0
  uint64_t AwaitedBarrier; ///< then its place in shared memory
  // Of setmaxnreg (GroupProduct.h).
  uint32_t RegisterCount;   ///< that the last one asked for, or 0
  uint32_t RegisterChanges; ///< what all of them asked for, as a hash
  uint32_t RegisterInst;    ///< the last of them
  // Of --check.
  uint32_t CheckBytes; ///< of the access, if not the record's; or 0
  uint32_t CheckInst;  ///< the instruction that runs, or 0: not checked
  // Written by the engine before it returns HEDDLE_WARP_BARRIER.
  uint32_t BarrierOp;      ///< HeddleBarrierOp
  uint32_t BarrierId;      ///< number of the barrier, 0 for __syncthreads
  uint32_t BarrierThreads; ///< threads that take part, 0: the whole block
  uint32_t BarrierValue;   ///< reductions: lanes whose predicate holds
  // Written by the runtime before it calls again.
  uint32_t BarrierResult; ///< reductions: the value for every lane
} HeddleWarp;

/// Columns of MemoryCounters; one row per memory record of the kernel.
enum HeddleMemoryCounter {
  HEDDLE_MEM_REQUESTS,    ///< warp-wide executions
  HEDDLE_MEM_LANES,       ///< active lanes, summed
  HEDDLE_MEM_SECTORS,     ///< distinct 32 B sectors (global, local, const)
  HEDDLE_MEM_LINES,       ///< distinct 128 B lines (global, local, const)
  HEDDLE_MEM_BANK_PASSES, ///< shared: bank cycles, 1 = no bank conflict
  HEDDLE_NUM_MEMORY_COUNTERS
};

/// Runs the warp until its end, a barrier, the second poll of a loop that waits
/// for other warps, a round of a loop that takes work from a counter, or an
/// error: a HeddleWarpStatus.
typedef uint32_t (*HeddleWarpFunction)(HeddleWarp *);

/// Called on entry of every block that at least one lane executes.
typedef void (*HeddleBlockHook)(HeddleWarp *, uint32_t Block, uint32_t Mask);
/// Called for every executed memory record, in program order after the
/// block's hook; Addresses[l] is valid for the lanes of Mask.
typedef void (*HeddleMemoryHook)(HeddleWarp *, uint32_t Memory, uint32_t Mask,
                                 const uint64_t *Addresses);

/// --check: called before every executed memory record; returns the lanes that
/// may go on with the access (the others read zero and write nothing).
typedef uint32_t (*HeddleCheckHook)(HeddleWarp *, uint32_t Memory,
                                    uint32_t Mask, const uint64_t *Addresses);

/// A kernel ready to run. Owned by the engine that made it.
typedef struct HeddleWarpKernel {
  HeddleWarpFunction Run;
  void *Engine;        ///< copied into HeddleWarp::Engine
  uint64_t FrameBytes; ///< per warp
  uint64_t LocalBytes; ///< per lane (allocas)
  uint64_t StaticSharedBytes;
  uint64_t ParamBytes;
  uint32_t NumBlocks;
  uint32_t NumMemoryRecords;
  uint32_t HasGridBarrier;   ///< may wait with HEDDLE_BARRIER_GRID
  uint32_t SharesWork;       ///< blocks take work from one counter
  uint32_t WaitsForBlocks;   ///< polls memory that other blocks may write
  uint32_t FlushesDenormals; ///< those of single precision are zero
} HeddleWarpKernel;

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_WARPKERNEL_H
