//===- FunctionalMemory.h - Caches of all SMs, without time -----*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_FUNCTIONALMEMORY_H
#define HEDDLE_INTERVAL_FUNCTIONALMEMORY_H

#include "interval/CoalesceMemo.h"
#include "interval/DirtyLines.h"
#include "interval/IntervalProfile.h"
#include "interval/RowChannel.h"

#include "memory/AddressMap.h"
#include "memory/AddressSpaces.h"
#include "memory/Cache.h"
#include "memory/Coalescer.h"
#include "timing/DecodedCode.h"

namespace heddle::interval {

using timing::DecodedCode;
using timing::DecodedInst;
using timing::InstKind;

/// Memory that no access leaves the SMs for: shared memory, also that of other
/// SMs of a cluster, and constants.
inline bool staysInSMs(uint8_t Space) {
  return Space == HEDDLE_SPACE_SHARED || Space == HEDDLE_SPACE_CLUSTER ||
         Space == HEDDLE_SPACE_CONST;
}

/// Takes the accesses of warp instructions through L1 and L2 and counts what
/// each level serves.
///
/// Of most SMs only some lines are followed, chosen by a hash of their address,
/// through caches that are as much smaller: such a miniature has the hit rates
/// of the whole (Waldspurger, Saemundsson, Ahmad, Park: Cache modeling and
/// optimization using miniature simulations, USENIX ATC 2017). What is shared
/// between SMs stays so, since all of them follow the same lines. The SMs of
/// exact() have a whole L1; of their lines that are not followed, as many miss
/// L2 as did of those that were, instruction by instruction.
class FunctionalMemory {
public:
  /// \p L1 is the SM's cache after the carve-out for shared memory. One line in
  /// 2 ^ \p SampleShift is followed; all SMs are exact if that is one.
  FunctionalMemory(const arch::GPUSpec &Spec, const arch::CacheSpec &L1,
                   unsigned SampleShift, IntervalProfile &Out);

  /// All lines of \p SM go through its L1. Before its first access.
  void exact(unsigned SM);

  /// One execution of \p I, instruction \p PC, by warp slot \p Slot of \p SM;
  /// notes in \p Fetches, unless it is null, what is asked of L2.
  void access(unsigned SM, unsigned Slot, uint32_t PC, const DecodedInst &I,
              const trace::MemoryAccess &A, FetchTable *Fetches) {
    accessLines(SM, PC, I, A.Space,
                linesFor(SM, Slot, PC, I, A, Exact[SM] || Fetches), 0, Fetches);
  }
  /// The same for an access whose lines are known, each \p Offset beyond what
  /// it says.
  void accessLines(unsigned SM, uint32_t PC, const DecodedInst &I,
                   uint8_t Space, std::span<const memory::LineAccess> Lines,
                   uint64_t Offset, FetchTable *Fetches);
  /// One execution of the bulk copy \p I, which passes L1 by; \p C stands at
  /// its block. Of a multicast copy the SM asks that executes it.
  void copy(unsigned SM, uint32_t PC, const DecodedInst &I,
            trace::WarpCursor &C, FetchTable *Fetches);
  /// The lines of \p A, which is in global memory.
  unsigned linesOf(const DecodedInst &I, const trace::MemoryAccess &A,
                   memory::LineAccess *Out) const;
  /// Accesses that differ by a multiple of this have lines that differ by it.
  uint64_t period() const { return Memo.period(); }
  /// What follows is done by warp slot \p Slot of \p SM, which has what it
  /// asked for before. Accesses at other times are further apart than a fill
  /// takes.
  void beginTurn(unsigned SM, unsigned Slot, uint64_t Time) {
    Round = Time;
    if (Asker / WarpSlots != SM)
      Step = 0;
    Asker = SM * WarpSlots + Slot;
    ++TurnOf[Asker];
  }
  /// Whether L1 lacked anything that was read since awaitAll().
  bool awaitsL2() const { return AwaitsL2; }
  void awaitAll() { AwaitsL2 = false; }
  /// All SMs have had their turn.
  void endTurn();
  /// Sectors that came into L2 so far.
  uint64_t l2Fills() const { return Fetched * (SampleMask + 1); }
  /// Sectors that were asked of L2 so far.
  uint64_t l2Accesses() const { return Out.L2.Accesses * (SampleMask + 1); }
  /// Fills in what is known at the end.
  void finish();

private:
  unsigned passLine(unsigned SM, uint32_t PC, const DecodedInst &I,
                    uint8_t Space, const memory::LineAccess &A);
  /// 0: L1, 1: L2, 2: DRAM served the slowest of the sectors.
  unsigned read(unsigned SM, uint32_t PC, const memory::LineAccess &A,
                bool Cached);
  unsigned write(unsigned SM, uint32_t PC, const memory::LineAccess &A,
                 bool Local, bool Atomic);
  bool writeL1(unsigned SM, const memory::LineAccess &A, bool Local);
  unsigned writeBehindL1(uint32_t PC, const memory::LineAccess &A, bool Atomic);
  struct Way {
    uint64_t Tag = 0;
    uint64_t Ready = 0; ///< when what was asked for last is there; awaitedBy()
    uint16_t Valid = 0, Dirty = 0;
    uint16_t Copies = 0; ///< sectors that the other half of L2 has read
  };
  using Tags = memory::TagStore<Way>;
  /// The line's way, which becomes the newest of its set, or null.
  static Way *find(Tags &T, uint64_t Line);
  /// The same, but the line gets a way if it has none; adds the dirty sectors
  /// that this pushes out to \p Victims.
  static Way &findOrTake(Tags &T, uint64_t Line, unsigned &Victims);
  /// What a line of L1 says of the turn that asked for it.
  static uint64_t awaitedBy(uint32_t Warp, uint32_t Turn) {
    return uint64_t(Warp) << 32 | Turn;
  }
  /// Whether a line of L1 is still on its way: the warp that asked for it has
  /// had no turn since. Such lines keep their place.
  bool isAwaited(const Way &W) const {
    return W.Ready && TurnOf[W.Ready >> 32] == uint32_t(W.Ready);
  }
  Way &findOrTakeL1(Tags &T, uint64_t Line, unsigned &Victims);
  /// The line of L2 that was looked up last, for accesses to several sectors.
  struct L2Place {
    uint64_t Line = ~uint64_t(0);
    unsigned Slice = 0;
    Way *W = nullptr;
  };
  /// Where any of [Address, Address + Bytes) has to come from.
  FetchTable::Origin readL2(uint64_t Address, uint32_t Bytes, L2Place &At);
  /// Whether the lines of \p Slice have their home in the half of L2 that is
  /// not the asking SM's.
  bool isAway(unsigned Slice) const {
    return Spec.L2.Halves == 2 && (Slice >= L2.size() / 2) != SecondHalf;
  }
  bool writeL2(uint64_t Line, uint16_t Sectors, bool Atomic);
  void spill(unsigned SM, unsigned Sectors);
  void replaced(unsigned Slice, unsigned DirtySectors);
  void toDRAM(unsigned Slice, unsigned Reads, unsigned Writes);
  double heldBack() const;
  void countAway(const memory::AddressMap::Place &P) {
    ReadsAway |= isAway(P.Slice);
  }
  void endRead();
  void findAway();
  void accessRow(const DecodedInst &I, const memory::LineAccess &A) {
    Rows.access(A.Line, A.Sectors, I.readsMemory() || I.isAtomic(),
                !I.readsMemory() || I.isAtomic(), Step);
  }

  /// Of each 2 ^ SampleShift neighbours in a slice one line is followed, so
  /// that slices have equal shares of a stream.
  bool followed(const memory::AddressMap::Place &P) const {
    const uint64_t Unit = P.Local >> UnitShift;
    const uint64_t Group = (Unit >> SampleShift) * L2.size() + P.Slice;
    return ((Unit ^ (Group * 0xD6E8FEB86659FD93ull >> 32)) & SampleMask) == 0;
  }
  bool followed(uint64_t Line) const {
    return !SampleMask || followed(Map.place(Line));
  }
  /// \p SameAddress: of an atomic.
  void passBy(uint32_t PC, const memory::AddressMap::Place &P, unsigned Sectors,
              bool Load, unsigned SameAddress);
  unsigned coalesce(uint32_t PC, const DecodedInst &I,
                    const trace::MemoryAccess &A, bool Atomic, bool Whole);
  std::span<const memory::LineAccess>
  linesFor(unsigned SM, unsigned Slot, uint32_t PC, const DecodedInst &I,
           const trace::MemoryAccess &A, bool Whole);
  void note(uint64_t First, uint16_t Sectors, uint16_t FromDRAM,
            uint16_t Across);
  void noteLater(uint32_t PC, uint64_t First, uint16_t Sectors, bool Away);
  void decide();
  /// Calls \p Do with L2's line of each of L2's sectors in \p Sectors of L1's
  /// line \p First, with the sector as a mask, and that of L1.
  template <typename Fn>
  void eachL2Sector(uint64_t First, uint16_t Sectors, Fn Do) const;
  bool predictFar(uint32_t PC, unsigned Sectors);
  bool predictAcross(uint32_t PC);
  void learn(uint32_t PC, unsigned Wanted, unsigned Asked, unsigned Far);

  const arch::GPUSpec &Spec;
  arch::CacheSpec L1Spec;
  IntervalProfile &Out;
  const uint32_t SampleShift, SampleMask;
  const unsigned UnitShift; ///< of the longest line
  std::vector<char> Exact;  ///< by SM; no set of bits, as all accesses ask
  /// Of the sectors that an instruction asked L2 for, those that came from
  /// DRAM; older ones count less.
  struct FarShare {
    float Asked = 0, Far = 0, Debt = 0;
    uint32_t Streamed = 0; ///< sectors, as long as L1 never had one
    bool Hits = false;
    /// It is clear what a line that is not followed does, and that it comes
    /// from DRAM.
    bool Streams = false, AllFar = false;
    /// L2 hits with their home in the other half; those that had to go there.
    float Away = 0, Across = 0, AcrossDebt = 0;
    /// The same in this turn.
    uint64_t Turn = 0;
    float AskedNow = 0, FarNow = 0;
    /// What a kept SM asked for, for the first time and again.
    float First = 0, Again = 0, FirstDebt = 0, AgainDebt = 0;
    float far() const { return Asked > 0 ? Far / Asked : 1; }
    float farIn(uint64_t Now) const;
    float across() const { return Away > 0 ? Across / Away : 1; }
  };
  std::vector<FarShare> Shares; ///< by instruction
  /// A sector of a kept SM's line that is not followed. Where it came from is
  /// decided when the other SMs have had this turn, too.
  struct Undecided {
    FetchTable *Table;
    uint32_t Fetch, PC;
    uint16_t Sector;
    bool Again, Away;
  };
  std::vector<Undecided> Later;
  /// Followed sectors that a kept SM asked for again, and from DRAM.
  float AgainAsked = 0, AgainFar = 0;
  CoalesceMemo Memo;
  memory::AddressMap Map;
  memory::Coalescer Reads, Writes;
  std::vector<Tags> L1, L2;
  std::vector<DirtyLines<Tags>> Dirty; ///< by slice of L2
  RowChannel Rows;                     ///< all lines of one channel
  FetchTable *Fetches = nullptr;       ///< of the present access
  /// Work by place in the present stretch of time, and what the busiest place
  /// had in those before. Work of followed lines that stands for others too is
  /// also kept by groups of lines: a sum of N groups that lines fall into by
  /// chance has N times their variance.
  struct Balance {
    static constexpr unsigned GroupBits = 4, NumGroups = 1 << GroupBits;
    /// A followed line stands for \p LinesPerFollowed.
    Balance(size_t Places, unsigned LinesPerFollowed)
        : Work(Places), Sampled(Places * NumGroups),
          LinesPerFollowed(LinesPerFollowed) {}
    std::vector<double> Work, Sampled;
    unsigned LinesPerFollowed;
    double Sum = 0, Hot = 0;
    void add(size_t Place, double Count) { Work[Place] += Count; }
    /// \p Count that stands for \p Weight as much, of a line of \p Group.
    void add(size_t Place, double Count, double Weight, unsigned Group) {
      Work[Place] += Count * Weight;
      if (Weight > 1)
        Sampled[Place * NumGroups + Group] += Count * Weight;
    }
    void close(bool Force);
    /// Fibonacci hashing.
    static unsigned groupOf(uint64_t Line) {
      return unsigned(Line * 0x9E3779B97F4A7C15ull >> (64 - GroupBits));
    }
    double variance(size_t Place) const;
    double share() const { return Sum > 0 ? Hot / Sum : 0; }
  };
  Balance Slices, Channels, Atomics;
  /// What a warp slot has read, and what of it had a line with its home in the
  /// other half of L2; counted where L2 has halves.
  struct WarpReads {
    uint32_t All = 0, Away = 0;
  };
  std::vector<WarpReads> ReadsOf; ///< by SM and warp slot
  bool ReadsAway = false;         ///< the present access
  bool AwaitsL2 = false;
  double AwayHits = 0, AcrossHits = 0;
  std::vector<double> AtomicTurns; ///< by SM
  std::vector<uint64_t> Requests;  ///< of an exact SM for L2
  std::vector<uint32_t> ChannelOf; ///< by slice
  const uint32_t WarpSlots;        ///< of an SM
  std::vector<uint32_t> TurnOf;    ///< by SM and warp slot
  uint32_t Asker = 0;              ///< whose turn it is
  bool SecondHalf = false;         ///< of L2 is near to the asking SM
  uint64_t Round = 1;
  uint32_t Step = 0; ///< memory instructions of the SM in its turn
  uint64_t Turn = 1; ///< of all SMs
  uint64_t Fetched = 0, Spilled = 0;
  /// Sectors that L2 has written back, each with what had been written to L2
  /// then, as a sum; and what has been by now.
  double WrittenBack = 0, WrittenThen = 0, WrittenByNow = 0;
  /// What a followed sector counts in Slices and Channels.
  double SliceWeight = 1, ChannelWeight = 1;
  unsigned Group = 0; ///< of its line, in Slices and Channels
  memory::LineAccess Found[memory::Coalescer::MaxLines];
  std::vector<memory::LineAccess> Copied; ///< scratch of copy()
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_FUNCTIONALMEMORY_H
