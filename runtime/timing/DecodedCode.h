//===- DecodedCode.h - A code table as a machine sees it --------*- C++ -*-===//

#ifndef HEDDLE_TIMING_DECODEDCODE_H
#define HEDDLE_TIMING_DECODEDCODE_H

#include "arch/GPUSpec.h"
#include "arch/RegisterBanks.h"
#include "heddle/ABI/AsyncOps.h"
#include "heddle/ABI/BulkOps.h"
#include "timing/Stall.h"
#include "trace/CodeTable.h"

#include <span>
#include <vector>

namespace heddle::timing {

/// What the issue stage does with an instruction.
enum class InstKind : uint8_t {
  Compute,
  Load, ///< also texture fetches
  Store,
  Atomic,
  Reduction, ///< an atomic without a result
  Branch,
  Exit,
  Barrier,
  GridBarrier,    ///< of all blocks
  ClusterBarrier, ///< arrive or wait: Groups is a HeddleClusterBarrier
  NamedBarrier,   ///< of some warps: Groups has HEDDLE_NAMED_BARRIER
  Fence,
  CopyFence,    ///< ends or awaits a group of asynchronous copies
  GroupProduct, ///< wgmma
  GroupFence,   ///< ends or awaits a group of wgmma
};

/// Whether a warp may have to wait once it has issued an instruction.
constexpr bool mayWait(InstKind Kind) {
  return Kind >= InstKind::Barrier && Kind != InstKind::GroupProduct;
}

/// One instruction with everything that the machine description says of it. But
/// for the registers beyond its first ones it fills one line of the host's
/// cache.
struct alignas(64) DecodedInst {
  uint8_t NumDefs = 0;
  uint8_t NumRegisters = 0; ///< definitions and uses
  InstKind Kind = InstKind::Compute;
  uint8_t Pipe = 0;
  uint16_t Latency = 1;    ///< of barriers and fences; else see ResultDelay
  uint16_t Initiation = 1; ///< cycles that a unit of the pipe is taken
  uint16_t Slots = 1; ///< issue slots: instructions after expansion; 0: folded
  uint16_t SlotGap = 1;       ///< cycles from one of them to the next
  Stall Result = Stall::Wait; ///< why those wait that need the result
  Stall Throttle = Stall::MathPipeThrottle; ///< why it waits for its pipe
  uint8_t Space = HEDDLE_SPACE_NONE;
  uint8_t Flags = 0; ///< HeddleInstFlags
  uint16_t AccessBytes = 0;
  uint16_t Groups = 0; ///< of what is asynchronous: HeddleInst::Products
  uint32_t Memory = HEDDLE_NO_MEMORY;
  int32_t ByteOffset = 0;
  uint32_t FetchLine = 0;   ///< of the instruction cache, from the first on
  uint16_t FetchSector = 0; ///< bit of the sector in that line
  uint8_t ToLineEnd = 255;  ///< instructions from here to the line's end
  bool EndsBlock = false;   ///< last of its basic block
  /// The warp moves on to the next instruction in the table, which takes an
  /// issue slot: nothing but the buffer has to be looked at.
  bool Straight = false;
  /// What its operands take of the register banks; the same with those that
  /// the instruction before it has read at hand.
  arch::BankCycles Reads = 0, ReadsAfter = 0;
  uint16_t Holds = 0;       ///< cycles in which its warp issues nothing more
  uint16_t StartDelay = 0;  ///< cycles from its turn at the pipe to its start
  uint16_t ResultDelay = 1; ///< cycles from there until the result can be used
  uint16_t Registers[HEDDLE_MAX_INST_REGISTERS] = {};

  bool goesToMemory() const {
    return Kind >= InstKind::Load && Kind <= InstKind::Reduction;
  }
  /// Has addresses in the trace; kernel parameters have none.
  bool hasAddresses() const {
    return goesToMemory() && Memory != HEDDLE_NO_MEMORY;
  }
  /// A copy past the registers, of either of the two kinds that follow.
  bool isAnyCopy() const {
    return Kind == InstKind::Load && Flags & HEDDLE_INST_ASYNC;
  }
  /// From global to shared memory.
  bool isCopy() const { return isAnyCopy() && !isBulkCopy(); }
  bool isBulkCopy() const { return isAnyCopy() && heddleIsBulk(Groups); }
  /// Of a bulk copy: its HeddleBulkKind, and the dimensions of its tensor.
  unsigned bulkKind() const { return (Groups - HEDDLE_COPY_BULK) / 8; }
  unsigned bulkRank() const { return (Groups - HEDDLE_COPY_BULK) % 8; }
  /// A bulk copy that belongs to a bulk group.
  bool isBulkWrite() const {
    return isBulkCopy() && (bulkKind() == HEDDLE_BULK_STORE ||
                            bulkKind() == HEDDLE_BULK_REDUCE);
  }
  /// Saves a register in local memory or brings it back.
  bool isSpill() const {
    return goesToMemory() && Memory == HEDDLE_NO_MEMORY &&
           Space == HEDDLE_SPACE_LOCAL;
  }
  /// Asks memory for data, and does not change it.
  bool readsMemory() const { return Kind == InstKind::Load && !isBulkWrite(); }
  /// An operation of an mbarrier, Groups being its HeddleBarrierAction.
  bool isBarrierAction() const {
    return Kind == InstKind::Atomic && Flags & HEDDLE_INST_ASYNC;
  }
  /// cp.async.mbarrier.arrive.
  bool arrivesForCopies() const {
    return isBarrierAction() && (Groups == HEDDLE_MBARRIER_COPIES ||
                                 Groups == HEDDLE_MBARRIER_COPIES_NOINC);
  }
  bool isAtomic() const {
    return Kind == InstKind::Atomic || Kind == InstKind::Reduction;
  }
  bool isBarrier() const {
    return Kind == InstKind::Barrier || Kind == InstKind::GridBarrier ||
           Kind == InstKind::ClusterBarrier || Kind == InstKind::NamedBarrier;
  }
  std::span<const uint16_t> defs() const { return {Registers, NumDefs}; }
  std::span<const uint16_t> registers() const {
    return {Registers, NumRegisters};
  }
};

/// Whether \p Code has mbarriers, bulk copies, wgmma or setmaxnreg, which
/// models without an SM (the published ones) do not know.
bool needsSM(const trace::CodeTable &Code);

/// Whether \p I is setmaxnreg.
bool setsRegisters(const HeddleInst &I);

/// Why warps wait for the result of \p I.
Stall resultStall(const HeddleInst &I);

/// Whether \p I is part of the instructions that use its result, on machines
/// that issue what instructions expand to.
bool isFolded(const HeddleInst &I);

/// The code table of a kernel on one machine, decoded once for all models.
class DecodedCode {
public:
  DecodedCode(const trace::CodeTable &Code, const arch::GPUSpec &Spec);

  const DecodedInst &operator[](uint32_t Index) const { return Insts[Index]; }
  /// Those of basic block \p Block.
  std::span<const DecodedInst> insts(unsigned Block) const {
    const HeddleBlock &B = Code.Blocks[Block];
    return std::span(Insts).subspan(B.FirstInst, B.NumInsts);
  }
  size_t size() const { return Insts.size(); }
  unsigned numRegisters() const { return Registers; }
  const trace::CodeTable &table() const { return Code; }

private:
  void keepOperands(const HeddleBlock &B, const arch::FrontEndSpec &Front);
  void awaitReaders(const HeddleBlock &B, const arch::FrontEndSpec &Front);

  const trace::CodeTable &Code;
  std::vector<DecodedInst> Insts;
  unsigned Registers = 1;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_DECODEDCODE_H
