//===- CollectStage.h - Operand collectors between issue and pipes -*- C++ -*-//

#ifndef HEDDLE_TIMING_STAGES_COLLECTSTAGE_H
#define HEDDLE_TIMING_STAGES_COLLECTSTAGE_H

#include "base/Divider.h"
#include "timing/stages/MemoryStage.h"
#include "timing/stages/WarpFlow.h"

#include <array>
#include <functional>
#include <queue>

namespace heddle::timing {

/// Machines with operand collectors. An issued instruction stands in a
/// register, one for each scheduler and pipe, until one of the scheduler's
/// collectors for the pipe is free; in it, until the register banks have given
/// its operands and the pipe has room. So a taken pipe fills the collectors
/// that it shares with others and holds up what wants those.
///
/// front.register_ports is how often in a cycle all of this moves on; each time
/// a bank gives one operand, or takes a result, which goes first; a bank takes
/// those of computations one after the other. Pipes are served in the order of
/// the machine file, within one the oldest instruction goes first and the
/// others wait for it. Collectors that could send their instructions do so in
/// turn (the arrangement of the simulator that the reference machines
/// describe).
class CollectStage {
public:
  CollectStage(SMState &S, WarpFlow &Flow, MemoryStage &Memory);

  /// Whether the machine has collectors; the rest may be called only then.
  bool exists() const { return !Collectors.empty(); }
  /// Takes an instruction that was issued; its results are pending from now.
  /// \p Last is false for the parts of an expanded instruction but the last.
  void accept(unsigned Slot, const DecodedInst &I, bool Last, Cycle Now);
  /// Moves what can move. To be called at next(), and while busy() in every
  /// cycle in which the memory stage may have made room in its pipe.
  void cycle(Cycle Now);
  bool busy() const { return UnderWay != 0; }
  /// When something can move after \p Now, unless a pipe gets room sooner.
  Cycle next(Cycle Now) const;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Flow, Memory, Schedulers, StepsPerCycle, BySchedulers, ByBanks,
           PoolsEach, Pools, PoolOf, Issued, Taken, Queues, PipesWaiting,
           Collectors, Works, UnderWay, BusySince, Accepted] = *this;
    A(Pools, Taken, Queues, PipesWaiting, Works, UnderWay, BusySince, Accepted);
    for (std::vector<Entry> *Each : {&Issued, &Collectors})
      for (Entry &E : *Each)
        E.serialize(A, S.M.Code);
  }

private:
  struct Entry {
    const DecodedInst *Inst = nullptr;
    uint32_t Ticket = 0; ///< of the memory stage
    uint16_t Slot = 0;
    bool Last = false;
    uint8_t NumUnread = 0;
    std::array<uint8_t, HEDDLE_MAX_INST_REGISTERS> Unread; ///< banks

    template <class Archive>
    void serialize(Archive &A, const DecodedCode &Code) {
      auto &[Inst, Ticket, Slot, Last, NumUnread, Unread] = *this;
      uint32_t Index = Inst ? uint32_t(Inst - &Code[0]) : ~0u;
      A(Index, Ticket, Slot, Last, NumUnread);
      for (unsigned N = 0; N != NumUnread; ++N)
        A(Unread[N]);
      Inst = Index == ~0u ? nullptr : &Code[Index];
    }
  };

  /// Collectors of one scheduler that some pipes share. Of the sets, bit N is
  /// the pool's collector N.
  struct Pool {
    unsigned First = 0;
    uint64_t Free = 0;    ///< hold no instruction
    uint64_t Reading = 0; ///< still await operands
    uint64_t Ready = 0;   ///< have all operands
    unsigned Last = 0;    ///< the one that sent its instruction last

    template <class Archive> void serialize(Archive &A) {
      auto &[First, Free, Reading, Ready, Last] = *this;
      A(Free, Reading, Ready, Last);
    }
  };

  /// Schedulers whose register in front of a pipe is taken, in the order in
  /// which they issued: four bits each, the first one lowest.
  struct RegisterQueue {
    static constexpr unsigned Bits = 4; ///< sm.schedulers is at most 16
    uint64_t Order = 0;
    unsigned Count = 0;

    unsigned first() const { return Order & ((1 << Bits) - 1); }
    void push(unsigned Scheduler) {
      Order |= uint64_t(Scheduler) << (Bits * Count++);
    }
    void pop() {
      Order >>= Bits;
      --Count;
    }

    template <class Archive> void serialize(Archive &A) {
      auto &[Order, Count] = *this;
      A(Order, Count);
    }
  };

  struct Write {
    Cycle Time;
    uint8_t Bank;
    auto operator<=>(const Write &) const = default;

    template <class Archive> void serialize(Archive &A) {
      auto &[Time, Bank] = *this;
      A(Time, Bank);
    }
  };
  using WriteQueue =
      std::priority_queue<Write, std::vector<Write>, std::greater<>>;

  /// The pools of a scheduler that have something to do: bit N is pool N.
  struct Work {
    uint64_t Reading = 0, Ready = 0;
    WriteQueue Writes; ///< results on their way

    bool writes(Cycle Now) const {
      return !Writes.empty() && Writes.top().Time <= Now;
    }

    template <class Archive> void serialize(Archive &A) {
      auto &[Reading, Ready, Writes] = *this;
      A(Reading, Ready, Writes);
    }
  };

  void dispatch(unsigned Scheduler, unsigned Number, Cycle Now);
  bool dispatchFrom(unsigned Scheduler, Pool &P, uint64_t Ready, Cycle Now);
  void read(unsigned Scheduler, Cycle Now);
  uint64_t written(unsigned Scheduler, Cycle Now);
  void allocate(unsigned Pipe, Cycle Now);
  void collect(unsigned Scheduler, unsigned Number, const Entry &Inst);
  void findBanks(Entry &E) const;
  unsigned bankOf(uint16_t Register, unsigned Slot) const;
  void announceWrites(unsigned Scheduler, const Entry &E, Cycle Ready);
  void start(unsigned Scheduler, const Entry &E, Cycle Now);
  void setRegisterFree(unsigned Pipe, unsigned Scheduler, bool Free, Cycle At);

  SMState &S;
  WarpFlow &Flow;
  MemoryStage &Memory;
  const unsigned Schedulers, StepsPerCycle;
  const Divider BySchedulers, ByBanks;
  unsigned PoolsEach = 0;
  std::vector<Pool> Pools;           ///< by scheduler
  std::vector<uint8_t> PoolOf;       ///< by pipe
  std::vector<Entry> Issued;         ///< registers, by pipe and scheduler
  std::vector<BusyMeter> Taken;      ///< of these
  std::vector<RegisterQueue> Queues; ///< of those that are taken, by pipe
  uint32_t PipesWaiting = 0;         ///< whose queue is not empty
  std::vector<Entry> Collectors;     ///< by scheduler and pool
  std::vector<Work> Works;           ///< by scheduler
  unsigned UnderWay = 0; ///< instructions in registers and collectors
  Cycle BusySince = 0;   ///< there has been one all the time
  bool Accepted = false; ///< one, since the last cycle()
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_COLLECTSTAGE_H
