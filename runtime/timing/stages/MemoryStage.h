//===- MemoryStage.h - Load/store unit and first-level caches ---*- C++ -*-===//

#ifndef HEDDLE_TIMING_STAGES_MEMORYSTAGE_H
#define HEDDLE_TIMING_STAGES_MEMORYSTAGE_H

#include "base/Divider.h"
#include "base/RingBuffer.h"
#include "memory/AddressSpaces.h"
#include "memory/Cache.h"
#include "memory/Coalescer.h"
#include "timing/stages/AsyncUnit.h"
#include "timing/stages/TextureUnit.h"
#include "timing/stages/WarpFlow.h"

#include <array>
#include <cstring>

namespace heddle::timing {

/// One queue of memory instructions per SM, served in order. An instruction
/// takes as many cycles as its sectors need on the banks of L1, or its words on
/// those of shared memory. What L1 lacks goes out through the SM's port after
/// L1's latency; a full MSHR table, port or credit counter holds the queue up
/// until a response makes room.
class MemoryStage {
public:
  MemoryStage(SMState &S, WarpFlow &Flow);

  /// A memory instruction was issued and starts in its pipe at \p Start.
  void accept(unsigned Slot, const DecodedInst &I, Cycle Start, Cycle Now);
  /// One was issued that has not come to its pipe: keeps its addresses, which
  /// the warp leaves behind. Returns a name for enter().
  uint32_t announce(unsigned Slot, const DecodedInst &I);
  /// It starts in its pipe at \p Start.
  void enter(uint32_t Ticket, Cycle Start, Cycle Now);
  /// Serves the queue.
  void serveQueue(Cycle Now);
  /// When serveQueue() has something to do, or NeverCycle.
  Cycle next() const { return std::min({Next, Async.next(), Texture.next()}); }
  /// Brings what respond() will need for the responses of a window, those of
  /// \p Coming that are due before \p End, into the host's cache.
  void prefetch(std::span<const memory::MemoryResponse> Coming, Cycle End);
  /// The answer to a request came; requests that found no room may be tried
  /// again after any.
  void respond(const Flight &F, Cycle Now);
  void retry() {
    if (Texture.blocked())
      Texture.retry();
    if (Blocked) {
      Blocked = false;
      findNext();
    }
  }

  /// Brings what accept() of \p I will read into the host's cache.
  void prefetchAddresses(unsigned Slot, const DecodedInst &I) const {
    if (!I.hasAddresses())
      return;
    __builtin_prefetch(&S.Warps.cursor(Slot).access(I.Memory), 1);
    __builtin_prefetch(&OwnMemos[Slot * Memos.size() + I.Memory]);
  }

  /// A response of a window that begins now.
  void foresee(const memory::MemoryResponse &R) {
    if (const Flight &F = S.Port.flight(R.Token); F.To == ReplyTo::Load)
      Async.foresee(F.Owner, R.Due);
  }
  /// A test of an mbarrier that waits, if there is one.
  std::optional<PhaseWait> awaitsPhase() const { return Async.awaits(); }
  /// What other blocks of clusters did to mbarriers of this SM's is there.
  void clusterArrived(Cycle Now);

  const memory::Cache &l1() const { return L1Cache; }
  const memory::Cache &constants() const { return ConstantCache; }
  const memory::Cache &textures() const { return TextureCache; }

  bool blocked() const { return Blocked || Texture.blocked(); }
  size_t queued() const { return Queue.size() + Texture.queued(); }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Flow, Reads, Writes, Constants, Textures, L1Cache, ConstantCache,
           ConstantCache2, TextureCache, Loads, Async, Texture, Feeders,
           EndedWaits, Queue, OnTheWay, Lines, L1Banks, ByInterleave, ByBanks,
           Blocked, HeldSince, FreeAt, Next, Turn, BanksTaken, TagsFrom,
           TagTurns, Woken, ComingLoads, Memos, OwnMemos, Found] = *this;
    A(L1Cache, ConstantCache, ConstantCache2, TextureCache, Loads, Async,
      Texture, Feeders, EndedWaits, Queue, OnTheWay, Lines, Blocked, HeldSince,
      FreeAt, Next, Turn, BanksTaken, TagsFrom, TagTurns);
    // Memos are found again; Woken, ComingLoads and Found are scratch.
  }

private:
  struct Entry {
    Cycle At = 0; ///< not before
    uint32_t Load = 0;
    uint32_t PC = 0;
    uint32_t NumLines = 0, NextLine = 0;
    uint16_t Warp = 0;
    uint16_t Passes = 0; ///< of shared memory, or of its banks with l1.tags
    InstKind Kind = InstKind::Load;
    uint8_t Space = HEDDLE_SPACE_NONE;
    uint8_t Flags = 0;
    uint8_t RemoteSectors = 0; ///< of the shared memory of other SMs

    template <class Archive> void serialize(Archive &A) {
      auto &[At, Load, PC, NumLines, NextLine, Warp, Passes, Kind, Space, Flags,
             RemoteSectors] = *this;
      A(At, Load, PC, NumLines, NextLine, Warp, Passes, Kind, Space, Flags,
        RemoteSectors);
    }
  };

  struct Announced {
    Entry E;
    std::vector<memory::LineAccess> Lines;

    template <class Archive> void serialize(Archive &A) {
      auto &[E, Lines] = *this;
      A(E, Lines);
    }
  };

  /// Passes of the last execution of a memory record, by any warp. They depend
  /// on the distances between the lanes' addresses only, not on where the first
  /// lies, and on what Key holds.
  struct PassMemo {
    uint64_t Key = 0;
    uint16_t Passes = 0;
    bool Affine = false;
    int64_t Stride = 0;
    int64_t Offsets[32]; ///< unless Affine

    bool isOf(const trace::MemoryAccess &A, uint64_t ItsKey) const {
      return Passes && Key == ItsKey && Affine == A.Affine &&
             (Affine ? Stride == A.Stride
                     : !std::memcmp(Offsets, A.Offsets, sizeof(Offsets)));
    }
  };
  /// The same of a warp's own last execution, where the shape tells whether the
  /// distances have stayed.
  struct OwnPasses {
    uint64_t Key = 0;
    uint32_t Shape = 0;
    uint16_t Passes = 0;
  };

  /// Of \p I's access to memory record \p Record.
  unsigned sharedPasses(unsigned Slot, uint32_t Record, const DecodedInst &I,
                        bool Atomic);
  void issuedAsync(unsigned Slot, const DecodedInst &I, uint32_t Load);
  void writeCopy(Load &L, unsigned Passes, Cycle Now);
  Entry issued(unsigned Slot, const DecodedInst &I);
  void findLines(Entry &E, unsigned Slot, const DecodedInst &I);
  unsigned findTexels(Entry &E, unsigned Slot, const DecodedInst &I);
  void enqueue(Entry &E, const memory::LineAccess *Its, Cycle Start, Cycle Now);
  bool serve(Entry &E, Cycle Now);
  void serveOthers(Cycle Now);
  void serveShared(Entry &E, Cycle Now);
  uint8_t remoteSectors(const trace::MemoryAccess &A, unsigned Slot,
                        const DecodedInst &I) const;
  void serveRemote(Entry &E, Cycle Now);
  bool serveConstant(Entry &E, Cycle Now);
  bool inConstant2(uint64_t Line, const memory::CacheResult &Miss,
                   uint32_t SectorBytes);
  bool serveReads(Entry &E, Cycle Now);
  bool serveWrites(Entry &E, Cycle Now);
  bool serveAtomics(Entry &E, Cycle Now);
  Cycle advance(const memory::LineAccess &A, uint32_t SectorBytes);
  bool roomToSend(Cycle At);
  void hold() { Blocked = true; }
  void findNext() {
    Next = Queue.empty() || Blocked ? NeverCycle
                                    : std::max(FreeAt, Queue.front().At);
  }
  void releaseWaits(Cycle Now);
  void loadPart(uint32_t Id, unsigned Level, Cycle At, Cycle Now);
  void completeLoad(uint32_t Id, Cycle Now);
  void completeCopy(uint32_t Id, const DecodedInst &I, Cycle Now);
  void allSent(InstKind Kind, uint32_t LoadId, unsigned Slot, Cycle Now);

  SMState &S;
  WarpFlow &Flow;
  memory::Coalescer Reads, Writes, Constants, Textures;
  memory::Cache L1Cache, ConstantCache, ConstantCache2, TextureCache;
  LoadTable Loads;
  AsyncUnit Async;
  TextureUnit Texture;
  QueueFeeders Feeders;
  std::vector<uint32_t> EndedWaits; ///< loads, by Async
  RingBuffer<Entry> Queue;
  SlotPool<Announced> OnTheWay;
  RingBuffer<memory::LineAccess> Lines; ///< of the entries, in order
  const arch::SharedSpec L1Banks;       ///< used where l1.tags is set
  const Divider ByInterleave, ByBanks;  ///< of L1's banks
  bool Blocked = false;                 ///< until a response comes
  /// Since when the first load of the queue finds no MSHR.
  Cycle HeldSince = NeverCycle;
  Cycle FreeAt = 0;
  Cycle Next = NeverCycle; ///< kept: every cycle asks for it
  // While an instruction is served: the cycle that its next sector uses.
  Cycle Turn = 0;
  uint64_t BanksTaken = 0;
  Cycle TagsFrom = 0; ///< its first cycle
  std::array<uint8_t, 16> TagTurns =
      {}; ///< cycles that banks of tags have used
  std::vector<uint32_t> Woken;
  std::vector<uint32_t> ComingLoads; ///< scratch of prefetch()
  std::vector<PassMemo> Memos;       ///< by memory record
  std::vector<OwnPasses> OwnMemos;   ///< by warp slot and memory record
  memory::LineAccess Found[memory::Coalescer::MaxLines]; ///< by findLines()
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_MEMORYSTAGE_H
