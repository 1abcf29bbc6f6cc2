//===- Checker.h - Finds wrong memory accesses of a launch ------*- C++ -*-===//

#ifndef HEDDLE_EXEC_CHECKER_H
#define HEDDLE_EXEC_CHECKER_H

#include "exec/BlockFences.h"
#include "exec/BlockRaces.h"
#include "exec/ClusterRunner.h"
#include "exec/InFlight.h"
#include "exec/LateWrites.h"
#include "exec/MallocHeap.h"
#include "exec/TargetsInFlight.h"

#include "heddle/ABI/CodeTable.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::exec {

/// What the checker must know of one memory record.
struct AccessSite {
  uint32_t Bytes = 0;
  uint32_t Align = 1; ///< that the instruction relies on
  HeddleMemorySpace Space = HEDDLE_SPACE_GENERIC;
  bool Reads = false, Writes = false, Atomic = false;
  /// An atomic update that shows what went before, in its result (IsUsed) or,
  /// as rounding and exchanges do, in the place.
  bool ShowsOrder = false, IsUsed = false;
  /// A plain read that an atomic update of the same place follows: its value is
  /// a guess that the update corrects. Or an atomic load.
  bool IsGuess = false;
  bool IsAsync = false;   ///< a write of cp.async
  bool IsOperand = false; ///< a read of wgmma
  /// Of ldmatrix or stmatrix: rows of 16 bytes, dealt to the lanes in order.
  bool IsMatrix = false;
  bool IsText = false;   ///< of a string that is printed, byte by byte
  bool IsCopied = false; ///< a read whose value is only written elsewhere
  /// A write of what this record has read; NoRecord: of a computed value.
  uint32_t CopyOf = NoRecord;
  static constexpr uint32_t NoRecord = ~0u;
  std::string Line; ///< "FILE:LINE" or empty
};

/// Watches every access of a launch that the checking interpreter runs:
///  - out of bounds of the buffer, of a block of malloc, of the block's shared
///    memory, or of the thread's local frame; after free;
///  - reads of bytes that were never written: shared and local memory, and
///    buffers that the launch gives no first contents; copies take what they
///    copy with them, so that the padding of structs is no finding;
///  - misaligned addresses;
///  - races in shared memory: two warps, at least one plain write, no barrier
///    in between. Lanes of one warp run in step, so their order is defined;
///  - a missing wait: accesses to what a cp.async or a bulk copy may still
///    write, writes to what a bulk copy or a wgmma may still read, and uses of
///    sums that a wgmma may still make. Reads without a wait get what was there
///    before the copy or the wgmma;
///  - a missing fence: bulk copies and wgmma that read shared memory which a
///    thread has written without fence.proxy.async, and wgmma on registers
///    without wgmma.fence;
///  - a wgmma that reads a tensor with another swizzle than its copy wrote;
///  - races between blocks in global memory, unless the kernel has fences
///    or barriers with which blocks order their accesses (OrdersBlocks).
/// It also notes, as no error, where several blocks update the same place with
/// atomics that show their order.
///
/// Lanes at fault are left out of the access and the kernel goes on. Findings
/// of one kind at one instruction count as one.
class Checker {
public:
  enum Kind {
    OutOfBounds,
    Misaligned,
    Uninitialised,
    Race,
    MissingWait,
    MissingFence,
    WrongSwizzle,
    BlockRace,
    BlockOrder ///< no error
  };
  struct Finding {
    Kind What;
    unsigned Record;
    std::string Buffer; ///< BlockRace and BlockOrder
    std::string Text;   ///< of the first
    uint64_t Count = 0;

    std::string line() const; ///< with the count
  };

  /// All references outlive the checker. \p Lines: those of instructions.
  Checker(const DeviceMemory &Memory, const BoundLaunch &Launch,
          std::vector<AccessSite> Sites, const SourceMap &Lines,
          bool OrdersBlocks);

  /// The hook; HeddleWarp::Observer is the Checker. \p Record may be that of a
  /// HeddleCheckEvent.
  static uint32_t onAccess(HeddleWarp *W, uint32_t Record, uint32_t Mask,
                           const uint64_t *Addresses);
  /// Before the blocks of a cluster start, the first of which is \p First.
  void beginCluster(uint64_t First);
  /// Before a block that waited for others goes on.
  void resumeBlock(uint64_t Block);
  void barrier() { ++Epoch; }

  /// In the order in which they were met.
  const std::vector<Finding> &findings();
  /// Whether the value that an atomic of \p F returns is used.
  bool isUsed(const Finding &F) const { return Sites[F.Record].IsUsed; }
  /// Buffers that the launch has read, and written, until now.
  const std::set<const DeviceBuffer *> &read() const { return Read; }
  const std::set<const DeviceBuffer *> &written() const { return Written; }
  /// Whether there was more memory than is watched for races between blocks.
  bool isFull() const { return Between.isFull(); }

private:
  /// What happened to a byte of shared memory since the last barrier.
  struct SharedByte {
    uint64_t Epoch = 0;
    int16_t Writer = -1, Reader = -1, Updater = -1; ///< warps; -1: none
    bool ManyReaders = false, ManyUpdaters = false, Written = false;
    /// The last asynchronous operation that wrote it, or that read it.
    InFlight::Operation Writes, Reads;
    BlockFences::Write Stored; ///< the last one by a thread
    uint8_t Swizzle = 0; ///< bytes, of the tensor that Writes copied; 0: none
  };
  /// What a block of the cluster that runs has done to its own memory.
  struct BlockState {
    std::vector<SharedByte> Shared;
    std::vector<bool> LocalWritten;
    InFlight Async;
    BlockFences Fences;
  };
  /// A place in the shared memory of a block of the cluster.
  struct Place {
    uint64_t Block, Offset;
  };

  /// Of accesses without a record: a wgmma's of shared memory, one of its
  /// registers, or that of a string.
  enum SiteKind { Operand, Register, Printed };

  // CheckerFences.cpp
  uint32_t noteProduct(const HeddleWarp &W, uint32_t Inst);
  void checkTaken(const HeddleWarp &W, uint64_t Written);
  void checkProxy(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
                  unsigned Lane, uint64_t Offset);

  // CheckerAsync.cpp
  uint32_t noteEvent(const HeddleWarp &W, uint32_t Event, uint32_t Mask,
                     const uint64_t *Values);
  void noteGroups(const HeddleWarp &W, InFlight::Kind What, uint32_t Mask,
                  uint64_t Left);
  void noteBarriers(const HeddleWarp &W, uint32_t Event, uint32_t Mask,
                    const uint64_t *Values);
  bool noteSums(const HeddleWarp &W, const uint64_t *Values);
  void noteMeeting(const HeddleWarp &W);
  void checkTargets(const HeddleWarp &W, const AccessSite &Site,
                    unsigned Record, unsigned Lane, uint64_t Address);
  void endBulk();
  void landAwaited();
  uint32_t siteOf(uint32_t Inst, SiteKind What);
  InFlight::Operation begin(BlockState &In, const HeddleWarp &W,
                            const AccessSite &Site, unsigned Record,
                            unsigned Lane);
  void checkSwizzle(BlockState &In, const HeddleWarp &W, const AccessSite &Site,
                    unsigned Record, unsigned Lane, uint64_t Offset);
  std::string waitFor(const BlockState &In, const InFlight::Operation &O) const;
  void checkInFlight(uint64_t Block, const HeddleWarp &W,
                     const AccessSite &Site, unsigned Record, unsigned Lane,
                     uint64_t Offset);

  uint64_t blockOf(const HeddleWarp &W) const;
  Place placeOf(const HeddleWarp &W, uint64_t Address) const;
  BlockState fresh() const;
  BlockState &stateOf(uint64_t Block);
  bool checkLane(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
                 unsigned Lane, uint64_t Address);
  bool checkGlobal(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
                   unsigned Lane, uint64_t Address);
  bool checkShared(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
                   unsigned Lane, uint64_t Address);
  bool checkRemote(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
                   unsigned Lane, uint64_t Address);
  bool checkLocal(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
                  unsigned Lane, uint64_t Address);
  int racesWith(SharedByte &B, const AccessSite &Site, int Warp);
  /// \p Written yields a reference to whether byte N of the access is written.
  template <typename Bits, typename Text>
  void checkContents(const HeddleWarp &W, const AccessSite &Site,
                     unsigned Record, unsigned Lane, Bits Written, Text Where);
  void watch(const HeddleWarp &W, const AccessSite &Site, unsigned Record,
             unsigned Lane, uint64_t Address);
  static std::string verb(const AccessSite &Site);
  uint32_t checkAccess(const HeddleWarp &W, uint32_t Record, uint32_t Mask,
                       const uint64_t *Addresses);
  void reportRaces();
  void report(Kind What, const HeddleWarp &W, const AccessSite &Site,
              unsigned Record, unsigned Lane, const std::string &Text);

  /// The bulk copy whose pieces are checked.
  struct BulkCopy {
    InFlight::Kind What = InFlight::None;
    uint64_t Barrier = 0; ///< of a Load, where it lies in shared memory
    uint8_t Swizzle = 0;  ///< of a Load of a tensor
    std::map<uint64_t, Place> Barriers; ///< that get its bytes, by address
  };

  const DeviceMemory &Memory;
  std::vector<AccessSite> Sites;
  const SourceMap &Lines;
  std::map<std::pair<std::string, SiteKind>, uint32_t> SitesOfLines;
  uint64_t Epoch = 1;
  const uint64_t SharedBytes, LocalBytes; ///< of a block
  const unsigned Warps;                   ///< of a block
  BlockState Own;
  BulkCopy Bulk;
  uint32_t ProductSite = 0;   ///< of the wgmma whose operands are checked
  uint8_t OperandSwizzle = 0; ///< of that one
  TargetsInFlight Targets;
  LateWrites Late;
  MallocHeap Heap;
  /// Per record that is copied and thread of the block: the bytes read that
  /// were written, as bits.
  std::vector<std::vector<uint64_t>> Copied;
  BlockRaces Between;
  bool HasBlocks, OrdersBlocks; ///< several; that may wait for each other
  std::array<uint32_t, 3> Grid;
  const Clusters Shape;
  uint64_t Current = 0; ///< the block of Own
  std::map<uint64_t, BlockState> Waiting;
  std::unordered_map<const DeviceBuffer *, std::vector<bool>> BufferWritten;
  std::set<const DeviceBuffer *> Read, Written;
  std::vector<const DeviceBuffer *> Last; ///< that a record has accessed
  std::map<std::pair<unsigned, Kind>, size_t> Index; ///< record and kind
  std::vector<Finding> Found;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_CHECKER_H
