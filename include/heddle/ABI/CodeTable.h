//===- CodeTable.h - Instructions of a kernel, block by block ---*- C -*-===//
//
// The static half of a warp trace: for every basic block of the IR the
// machine-level instructions that run when the block runs. The compiler half
// fills these records, the runtime half stores and replays them, and neither
// sees the other's types. The dynamic half (which blocks ran with which lanes
// and addresses) names blocks and memory instructions by their numbers here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_CODETABLE_H
#define HEDDLE_ABI_CODETABLE_H

#include <stdint.h>

#define HEDDLE_CODE_TABLE_VERSION 4
/// wmma.mma has eight each of A, B, C and D.
#define HEDDLE_MAX_INST_REGISTERS 32
#define HEDDLE_NO_MEMORY UINT32_MAX

/// What an instruction does, as far as a timing model has to know.
/// The data type stands beside it in HeddleInst::Type.
enum HeddleOpClass {
  HEDDLE_OP_NOP,
  HEDDLE_OP_MOVE,    ///< mov, selp between registers
  HEDDLE_OP_CONVERT, ///< cvt between types
  HEDDLE_OP_SPECIAL, ///< read of a special register
  HEDDLE_OP_ADD,     ///< add, sub, neg, abs, min, max
  HEDDLE_OP_LOGIC,   ///< and, or, xor, not, lop3
  HEDDLE_OP_SHIFT,   ///< shl, shr, shf
  HEDDLE_OP_BITS,    ///< bfe, bfi, brev, clz, popc, prmt, ...
  HEDDLE_OP_COMPARE, ///< setp, set
  HEDDLE_OP_MUL,     ///< mul, mul24, mul.wide
  HEDDLE_OP_MAD,     ///< mad, fma
  HEDDLE_OP_DIV,     ///< div: expanded on every machine
  HEDDLE_OP_REM,     ///< rem: expanded on every machine
  HEDDLE_OP_SQRT,    ///< sqrt.rn: expanded on every machine
  HEDDLE_OP_RCP,     ///< rcp.rn: expanded on every machine
  HEDDLE_OP_SFU,     ///< approximate rcp, sqrt, rsqrt, sin, cos, ex2, lg2
  HEDDLE_OP_MATH,    ///< library function (sin, pow, ...), expanded by cost
  HEDDLE_OP_TENSOR,  ///< wmma, mma, wgmma
  HEDDLE_OP_LOAD,
  HEDDLE_OP_STORE,
  HEDDLE_OP_ATOMIC,    ///< returns the old value
  HEDDLE_OP_REDUCTION, ///< atomic without a result
  HEDDLE_OP_TEXTURE,
  HEDDLE_OP_SHUFFLE,
  HEDDLE_OP_VOTE,
  HEDDLE_OP_BRANCH,
  HEDDLE_OP_CALL,
  HEDDLE_OP_EXIT,      ///< ret of the kernel
  HEDDLE_OP_BARRIER,   ///< bar.sync: all warps of the thread block
  HEDDLE_OP_WARP_SYNC, ///< bar.warp.sync
  HEDDLE_OP_FENCE,
  HEDDLE_NUM_OP_CLASSES
};

enum HeddleDataType {
  HEDDLE_TYPE_NONE,
  HEDDLE_TYPE_PRED,
  HEDDLE_TYPE_I8,
  HEDDLE_TYPE_I16,
  HEDDLE_TYPE_I32,
  HEDDLE_TYPE_I64,
  HEDDLE_TYPE_F16,
  HEDDLE_TYPE_BF16,
  HEDDLE_TYPE_F32,
  HEDDLE_TYPE_F64,
  HEDDLE_TYPE_B128,
  // Of the factors of matrix instructions alone:
  HEDDLE_TYPE_TF32,
  HEDDLE_TYPE_F8,
  HEDDLE_TYPE_I4,
  HEDDLE_TYPE_B1,
  HEDDLE_NUM_DATA_TYPES
};

enum HeddleMemorySpace {
  HEDDLE_SPACE_NONE,
  HEDDLE_SPACE_GLOBAL,
  HEDDLE_SPACE_SHARED,
  HEDDLE_SPACE_LOCAL,
  HEDDLE_SPACE_CONST,
  HEDDLE_SPACE_PARAM,
  HEDDLE_SPACE_TEXTURE,
  /// Shared memory of the blocks of a cluster (HEDDLE_CLUSTER_RANK_SHIFT).
  HEDDLE_SPACE_CLUSTER,
  HEDDLE_SPACE_GENERIC, ///< static records only: the trace says which it was
  HEDDLE_NUM_SPACES
};

/// An address in HEDDLE_SPACE_CLUSTER, as traces have it: the rank of the block
/// from this bit on, below it the offset in that block's shared memory.
#define HEDDLE_CLUSTER_RANK_SHIFT 24

/// HeddleInst::Products of a barrier that is one of the cluster.
enum HeddleClusterBarrier {
  HEDDLE_CLUSTER_ARRIVE = 1, ///< barrier.cluster.arrive: does not wait
  HEDDLE_CLUSTER_WAIT = 2    ///< barrier.cluster.wait
};

/// HeddleInst::Products of a barrier that is for a number of warps of the
/// block: this bit, whether it only arrives, its number, and how many warps.
/// Where the code does not say one of both in constants there are none.
#define HEDDLE_NAMED_BARRIER 0x8000
#define HEDDLE_NAMED_ARRIVES 0x4000
#define HEDDLE_NAMED_NUMBER_SHIFT 8
#define HEDDLE_NAMED_WARPS 0xff
static inline uint32_t heddleNamedNumber(uint32_t Products) {
  return Products >> HEDDLE_NAMED_NUMBER_SHIFT & 0xf;
}

/// Cache operators and other modifiers (bits of HeddleInst::Flags).
enum HeddleInstFlags {
  HEDDLE_INST_READ_ONLY = 1 << 0, ///< ld.global.nc: the read-only data path
  HEDDLE_INST_STREAMING = 1 << 1, ///< .cs, .lu, .cg: do not keep in L1
  HEDDLE_INST_VOLATILE = 1 << 2,
  HEDDLE_INST_WIDE = 1 << 3,      ///< mul.wide, mad.wide: 32 x 32 -> 64 bit
  HEDDLE_INST_UNIFORM = 1 << 4,   ///< ldu, uniform branch, one lane's atomic
  HEDDLE_INST_GRID = 1 << 5,      ///< barrier of all blocks of the grid
  HEDDLE_INST_HALF_SUMS = 1 << 6, ///< matrix product that adds in f16
  /// Load: a copy to shared memory that no register waits for; its write is the
  /// next memory record. Fence: ends or awaits a group of copies (Products).
  /// Matrix product: wgmma, whose results no register waits for; AccessBytes
  /// is then what its warp group reads of shared memory.
  HEDDLE_INST_ASYNC = 1 << 7,
  /// Fence, with ASYNC: of wgmma. (The bit of WIDE, which fences do not have.)
  HEDDLE_INST_WARP_GROUP = 1 << 3,
};

enum HeddleCopyFence {
  HEDDLE_COPY_COMMIT = 0xffff,   ///< cp.async.commit_group, wgmma.commit_group
  HEDDLE_COPY_WAIT_ALL = 0xfffe, ///< cp.async.wait_all: committed or not
  HEDDLE_GROUP_FENCE = 0xfffd    ///< wgmma.fence: orders, awaits nothing
};

/// HeddleInst::Products of setmaxnreg, which is a fence of a warp group here:
/// one of these and the count of registers.
#define HEDDLE_REGISTERS_INC 0x8000
#define HEDDLE_REGISTERS_DEC 0x9000
#define HEDDLE_REGISTERS_COUNT 0x0fff
static inline int heddleSetsRegisters(uint32_t Products) {
  return (Products & 0xe000) == HEDDLE_REGISTERS_INC;
}

/// One instruction. Registers are numbers of virtual registers of the level
/// (PTX or IR), dense from 1; predicates are registers as well; 0 is none.
typedef struct HeddleInst {
  uint32_t Opcode;     ///< index into the opcode names, e.g. "ld.global.f32"
  uint32_t SourceLine; ///< line in the source file, 0 if unknown
  uint32_t SourceFile; ///< index into the file names
  /// Memory instructions: number of the memory record of the dynamic stream
  /// that holds the addresses, else HEDDLE_NO_MEMORY: of kernel parameters,
  /// and in local memory of registers that the compiler spills. The number is
  /// the kernel-wide one of heddle::KernelNumbering.
  uint32_t Memory;
  int32_t ByteOffset;   ///< added to each address of that record
  uint16_t AccessBytes; ///< bytes per lane
  uint8_t Class;        ///< HeddleOpClass
  uint8_t Type;         ///< HeddleDataType
  uint8_t Space;        ///< HeddleMemorySpace
  uint8_t Flags;        ///< HeddleInstFlags
  uint8_t NumDefs;      ///< Registers[0, NumDefs) are written
  uint8_t NumUses;      ///< Registers[NumDefs, NumDefs + NumUses) are read
  /// Instructions that hardware issues for this one (PTXInstructions.def); 0
  /// if it is folded into the one that uses its result.
  uint16_t Issued;
  /// Matrix instructions: multiply-adds of the warp, of wgmma in units of
  /// HEDDLE_GROUP_PRODUCTS. Fences of copies and of wgmma: groups that may be
  /// under way behind it, or a HeddleCopyFence, or of setmaxnreg what it asks
  /// for. Barriers of the cluster: a HeddleClusterBarrier; of some warps:
  /// HEDDLE_NAMED_BARRIER. Else 0.
  uint16_t Products;
  uint16_t Registers[HEDDLE_MAX_INST_REGISTERS];
  /// Machine code: the first register that it reads is a predicate which says
  /// the lanes that run it.
  uint8_t Guarded;
  uint8_t Reserved[3];
} HeddleInst;

/// The multiply-adds of a warp in the smallest wgmma, m64n8k8; those of every
/// other are a multiple.
#define HEDDLE_GROUP_PRODUCTS 1024

/// Multiply-adds of the warp that executes \p I, a matrix instruction.
static inline uint32_t heddleProducts(const HeddleInst *I) {
  return I->Products *
         (I->Flags & HEDDLE_INST_ASYNC ? HEDDLE_GROUP_PRODUCTS : 1u);
}

/// One basic block of the IR: instructions [FirstInst, FirstInst + NumInsts)
/// and memory records [FirstMemory, FirstMemory + NumMemory) in program order.
/// Memory records of one block are consecutive, so one range says it all.
typedef struct HeddleBlock {
  uint32_t FirstInst;
  uint32_t NumInsts;
  uint32_t FirstMemory;
  uint32_t NumMemory;
} HeddleBlock;

/// One memory instruction of the IR: what the dynamic stream records.
typedef struct HeddleMemoryRecord {
  uint8_t Space;        ///< HeddleMemorySpace as known statically
  uint8_t IsStore;      ///< stores and atomics
  uint16_t AccessBytes; ///< bytes per lane
} HeddleMemoryRecord;

#ifdef __cplusplus
static_assert(sizeof(HeddleInst) == 100, "trace files hold these records");
static_assert(sizeof(HeddleBlock) == 16, "trace files hold these records");
static_assert(sizeof(HeddleMemoryRecord) == 4,
              "trace files hold these records");
#endif

#endif // HEDDLE_ABI_CODETABLE_H
