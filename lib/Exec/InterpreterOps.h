//===- InterpreterOps.h - The interpreter's own code ------------*- C++ -*-===//
//
// What the decoder (InterpreterDecoder.cpp, sees LLVM) hands to the core
// (InterpreterCore.inc, does not). A kernel becomes arrays of Ops; every
// operand is the byte offset in the warp's frame of 32 elements, one per lane.
// Values of type i1 are bytes 0 or 1; other widths live zero-extended in the
// next container.
//
// This header is compiled once per vector width, so it holds no inline
// functions with linkage.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EXEC_INTERPRETEROPS_H
#define HEDDLE_LIB_EXEC_INTERPRETEROPS_H

#include "heddle/ABI/CodeTable.h"
#include "heddle/ABI/WarpKernel.h"

#include <stdint.h>

namespace heddle::interp {

/// Containers of lanes.
enum class Ty : uint8_t { U8, U16, U32, U64, U128, F16, BF16, F32, F64 };

enum class OpKind : uint16_t {
#define HEDDLE_OP(KIND) KIND,
#include "InterpreterOps.def"
  IsFPClass,  // D (U8) = whether A is of a class in Imm, as llvm.is.fpclass
  Select,     // D = A (U8) ? B : C
  Copy,       // D = A, all lanes
  MaskedCopy, // D = A, active lanes
  Load,       // D = *(A + Imm), active lanes
  Store,      // *(A + Imm) = B
  LoadBytes,  // as Load and Store, but only C bytes of the element
  StoreBytes,
  CmpXchg, // D = old value of *A, which becomes C where it was B
  // conversions; the second type is the destination's
  ZExt,
  SExt,
  TruncInt,
  FPTrunc,
  FPExt,
  FPToSI,
  FPToUI,
  FPToSISat,
  FPToUISat,
  SIToFP,
  UIToFP,
  GEPIndex32,
  GEPIndex64, // D = A + sext(B) * Imm, Ty of B
  Extract,    // D = the A'th of C vectors of elements at B, one after the other
  Insert,     // the A'th of C elements at D becomes B
  Broadcast,  // D = the element of the warp's state at byte Imm, all lanes
  LaneRow,    // D = the 32 elements of the warp's state at byte Imm
  ParamLoad,  // D = the element of the parameters at byte Imm
  ParamAddress,
  SharedAddress,
  LocalAddress, // D = base + Imm
  Steps,        // D = a number that grows as the warp runs (clock registers)
  // across lanes
  ShflIdx,
  ShflUp,
  ShflDown,
  ShflBfly, // D = value of lane f(A, B, C); 32 bits
  ShflIdxPred,
  ShflUpPred,
  ShflDownPred,
  ShflBflyPred, // D = in range
  Ballot,
  VoteAny,
  VoteAll,
  VoteUni, // D of predicate B under member mask A
  ActiveMask,
  MatchAny,
  MatchAll,
  MatchAllPred, // of B under member mask A
  ReduceAdd,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  ReduceMax,
  ReduceMin,
  ReduceUMax,
  ReduceUMin, // of B under member mask A
  Elect,
  ElectPred,  // under member mask A
  MapAddress, // D = address A in the block of the cluster with rank B
  RankOf,     // D = rank of the block of address A; Imm: whether it is the own
  InSpace,    // D = whether address A is in HeddleMemorySpace Imm
  Math,       // Imm: a HeddleMathFunction
  Print,      // A: the first argument, the others follow; Imm: the format
  // Matrices (ABI/MatrixOps.h); registers follow each other.
  WholeWarp,     // fails unless all lanes are active
  JoinHalves,    // D = A | B << 16
  MatrixProduct, // D = A B + C; Imm: the HeddleMatrixShape
  SparseProduct, // the same of mma.sp: metadata at A, A's registers behind it
  GroupProduct,  // D = A B + C; Imm: the HeddleGroupShape (ABI/GroupProduct.h).
                 // scale-d lies behind B, in the register of 64 bits there
  SetRegisters,  // setmaxnreg; Imm: HeddleInst::Products
  MatrixAddresses, // D = where lanes access Imm matrices of the lines at A
  MatrixLoad,  // D = matrices of the lines at A; Imm: count, 256: transposed
  MatrixStore, // matrices of the lines at A = B
  MatrixMove,  // D = transpose of A
  // Copies from B to A, C bytes of it; Imm: the AccessInfo of what is read,
  // behind it that of what is written.
  CopyPart,
  ObserveCopy, // the same without copying
  // --check: tells the hook of a HeddleCheckEvent, the upper half of Imm, with
  // the lower half as its value. All ones there: as many as there are bits.
  CheckEvent,
  // --check: what the GroupProduct behind it reads, with its A, B, and a word
  // for its Imm in C; D = the wgmma and its group (HEDDLE_CHECK_SUMS).
  CheckProduct,
  // --check: three rows of U8 from D on: whether the wgmma that the
  // CheckProduct with D = A has noted is in flight; then also that of B;
  // whether that of A is then in the group of that of C. Imm: this is a use of
  // A's sums.
  CheckSums,
  // --check: registers of a wgmma are written; D = the upper bit, the
  // instruction and the fences before (HEDDLE_CHECK_WRITTEN). Where the
  // GroupProduct takes what lies at A.
  CheckWritten,
  CheckTaken,
  // Operands from A on, D and behind it the records, B: the HeddleBulkShape;
  // Imm: the AccessInfo of the first record, behind it the others.
  BulkCopy,
  BarrierAction, // D = state before Imm on barrier A with number B
  // Images and samplers at A, coordinates at B; Imm: the HeddleTextureShape.
  TexturePlace,  // D: the records
  TextureAccess, // D: the results, or what is written
  // Prologue of an access: Imm is its AccessInfo, A the addresses.
  Observe,
  ObserveSome, // by the lanes whose words at B are not 0
  Check,
  CheckEnd,
  // control
  BarrierSync,  // A: number, B: threads; Imm: HeddleBarrierOp and flags
  BarrierValue, // D = the reduction's result
  Jump,
  Branch, // edges in D and C; condition A
  Return,
  Exit,
  Trap,
  Unreachable,
};

/// Flags of BarrierSync's Imm beside the HeddleBarrierOp.
enum : uint64_t {
  BarrierHasId = 1 << 8,
  BarrierHasThreads = 1 << 9,
  BarrierHasValue = 1 << 10, ///< predicate in C
};

struct State;
struct Op;
/// Runs one operation; the next one, or null to leave.
typedef const Op *(*Handler)(const Op *, State *);

struct Op {
  Handler Run;
  uint32_t D, A, B, C;
  uint64_t Imm;
  uint32_t Inst; ///< instruction number, for errors
};

/// A way out of a block: the phis of the target, then the target.
struct Edge {
  uint32_t Target;
  uint32_t FirstCopy, NumCopies; ///< Program::Copies
};

struct Block {
  uint32_t FirstOp;
  int32_t Join;    ///< DivergencePolicy::join by number, -1: none
  bool FalseFirst; ///< the lanes of its FALSE side leave the kernel
  bool Polls;      ///< begins a loop that waits for other warps
  bool TakesTurns; ///< begins a loop that takes work from a counter
};

struct AccessInfo {
  uint32_t Memory; ///< record number
  uint32_t Bytes;  ///< per lane
  HeddleMemorySpace Space;
};

/// A decoded kernel, as plain arrays.
struct Program {
  const Op *Ops;
  const Op *Prologue; ///< run when a warp starts, ends with a null handler
  const Block *Blocks;
  const Edge *Edges;
  const Op *Copies;
  const AccessInfo *Accesses;
  const uint8_t *Constants; ///< first ConstantBytes of the slots
  uint32_t ConstantBytes;
  uint32_t NumBlocks;
  uint32_t StackOffset; ///< in the frame
  uint32_t SlotOffset;  ///< in the frame; operands count from the frame
  bool Counters;
  HeddleBlockHook OnBlock;
  HeddleMemoryHook OnMemory;
  HeddleCheckHook OnCheck;
};

/// The functions of one vector width.
struct Core {
  Handler (*Find)(OpKind Kind, Ty T, Ty To); ///< null: no such operation
  uint32_t (*Run)(HeddleWarp *W);            ///< W->Engine is the Program
};

const Core &baselineCore();
const Core &avx2Core();
const Core &avx512Core();
/// The widest that this machine runs.
const Core &bestCore();

} // namespace heddle::interp

#endif // HEDDLE_LIB_EXEC_INTERPRETEROPS_H
