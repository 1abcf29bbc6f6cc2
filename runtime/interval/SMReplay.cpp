//===- SMReplay.cpp - The intervals of one SM's warps together ------------===//

#include "interval/SMReplay.h"

#include "interval/MemoryPath.h"
#include "interval/WakeWheel.h"
#include "memory/AddressSpaces.h"
#include "memory/LevelLatency.h"
#include "timing/DecodedCode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace heddle::interval {

namespace {

/// A resource that is taken for known stretches of time.
struct Meter {
  double FreeAt = 0, Booked = 0;
  void take(double Now, double Until) {
    if (Until > std::max(Now, FreeAt)) {
      Booked += Until - std::max(Now, FreeAt);
      FreeAt = Until;
    }
  }
  double busy(double At) const {
    return Booked - (FreeAt > At ? FreeAt - At : 0);
  }
};

struct PipeGroup {
  Meter Issue;
  std::vector<double> Units;
  unsigned Queue = 1;
  /// Of the unit that is free first.
  double &firstFree() {
    return Units.size() == 1 ? Units.front() : *std::ranges::min_element(Units);
  }
};

/// What a register waits for: the states of a load's parts, or one state.
struct Why {
  WarpState State = WarpState::Wait;
  float Queue = 0, MSHR = 0; ///< shares of the time
  bool Load = false;         ///< the end of it was not known from the start
};

struct Warp {
  const WarpStream *Stream = nullptr;
  uint32_t NextBlock = 0, NextAccess = 0;
  uint32_t PC = 0, End = 0;
  double Since = 0, ReadyAt = 0;
  double PipeBusy = 0, DispatchBusy = 0;
  double MemoryDone = 0; ///< all accesses so far are answered
  Why Reason;
  uint16_t SlotsLeft = 0;
  unsigned Place = 0, Scheduler = 0;
  uint64_t FetchLine = ~uint64_t(0);
  bool Fresh = false; ///< came to PC by a jump
  std::vector<double> Ready;
  std::vector<Why> Reasons;
};

struct Place {
  unsigned Live = 0, Arrived = 0;
  double LastArrival = 0, LastEnd = 0;
  std::vector<unsigned> Waiting;
};

class Replay {
public:
  Replay(const IntervalProfile &P, const SMStream &SM,
         const arch::GPUSpec &Spec, const ReplayOptions &Options);
  ReplayResult run();

private:
  void startBlock(unsigned Place, double At);
  bool nextRun(Warp &W);
  bool advance(Warp &W);
  bool skipFolded(Warp &W, double Now);
  void countInst(double Now);
  void settle(unsigned Slot, double Earliest, Why Reason);
  void wake(double Now);
  void issueFrom(unsigned Scheduler, double Now, double &Next);
  unsigned pick(unsigned Scheduler, uint64_t Candidates);
  void issue(unsigned Slot, double Now);
  void accept(Warp &W, const DecodedInst &I, double Start, double Now);
  void book(Warp &W, const DecodedInst &I, double Now);
  void add(const Why &Reason, double Cycles);
  void add(WarpState State, double Cycles) {
    Out.WarpCycles += Cycles;
    Out.States[unsigned(State)] += Cycles;
  }
  void arrive(unsigned Slot, double Now);
  void release(Place &B);
  void end(unsigned Slot, double Now);
  double project() const;

  PipeGroup &group(unsigned Scheduler, unsigned Pipe) {
    return Groups[GroupOf[Scheduler * Spec.Pipes.size() + Pipe]];
  }

  const IntervalProfile &Profile;
  const SMStream &SM;
  const arch::GPUSpec &Spec;
  const ReplayOptions &Options;
  const DecodedCode Code;
  MemoryPath Memory;
  const std::array<double, 3> Latencies; ///< of the levels, without queues
  unsigned WarpsPerBlock, NumSchedulers, NumPipes;
  std::vector<PipeGroup> Groups;
  std::vector<unsigned> GroupOf;
  std::vector<bool> MemoryPipe;
  std::vector<uint64_t> Ready;              ///< by scheduler and pipe: slots
  std::vector<uint32_t> Wanted;             ///< by scheduler: pipes with such
  std::vector<std::vector<unsigned>> ByAge; ///< by scheduler: slots, old first
  std::vector<Meter> Dispatch;
  std::vector<unsigned> Last;
  std::deque<double> Queue; ///< when the unit's instructions have been served
  size_t QueueSize = 0;
  WakeWheel Sleepers;
  std::vector<Warp> Warps;
  std::vector<Place> Places;
  std::vector<std::pair<double, double>> Starts; ///< time, insts before
  size_t NextKept = 0;
  uint64_t Issued = 0, StartedInsts = 0;
  double Clock = 0; ///< the cycle that is being replayed
  double FetchFree = 0, LastEnd = 0, HalfTime = 0;
  uint64_t HalfInsts = 0;
  unsigned Resident = 0;
  ReplayResult Out;
};

} // namespace

Replay::Replay(const IntervalProfile &P, const SMStream &SM,
               const arch::GPUSpec &Spec, const ReplayOptions &Options)
    : Profile(P), SM(SM), Spec(Spec), Options(Options), Code(P.Code, Spec),
      Memory(P, Spec, SM.OthersShare), Latencies(memory::levelLatencies(Spec)),
      WarpsPerBlock(P.Launch.warpsPerBlock()),
      NumSchedulers(std::max(1u, Spec.SM.Schedulers)),
      NumPipes(unsigned(Spec.Pipes.size())) {
  for (unsigned N = 0; N < Spec.Pipes.size(); ++N) {
    const arch::PipeSpec &Pipe = Spec.Pipes[N];
    unsigned Owners = Pipe.PerScheduler ? NumSchedulers : 1;
    for (unsigned O = 0; O < Owners; ++O) {
      PipeGroup G;
      G.Units.assign(std::max(1u, Pipe.Units / Owners), 0);
      G.Queue = std::max(1u, Pipe.QueueInsts);
      Groups.push_back(std::move(G));
    }
  }
  GroupOf.resize(NumSchedulers * Spec.Pipes.size());
  MemoryPipe.resize(Spec.Pipes.size());
  unsigned First = 0;
  for (unsigned N = 0; N < Spec.Pipes.size(); ++N) {
    unsigned Owners = Spec.Pipes[N].PerScheduler ? NumSchedulers : 1;
    for (unsigned S = 0; S < NumSchedulers; ++S)
      GroupOf[S * Spec.Pipes.size() + N] = First + S % Owners;
    First += Owners;
    for (unsigned Type = 0; Type < HEDDLE_NUM_DATA_TYPES; ++Type)
      if (Spec.Ops.at(HEDDLE_OP_LOAD, Type).Pipe == N)
        MemoryPipe[N] = true;
    if (MemoryPipe[N])
      QueueSize += std::max<size_t>(1, Spec.Pipes[N].Units) *
                   std::max<size_t>(1, Spec.Pipes[N].QueueInsts);
  }
  Ready.resize(size_t(NumSchedulers) * NumPipes);
  Wanted.resize(NumSchedulers);
  ByAge.resize(NumSchedulers);
  Dispatch.resize(NumSchedulers);
  Last.resize(NumSchedulers, 63);
  Places.resize(P.Occupancy.BlocksPerSM);
  Warps.resize(size_t(P.Occupancy.BlocksPerSM) * WarpsPerBlock);
}

void Replay::startBlock(unsigned PlaceIndex, double At) {
  const BlockStream &B = SM.Blocks[NextKept++];
  Starts.emplace_back(At, double(StartedInsts));
  StartedInsts += B.Insts;
  Place &P = Places[PlaceIndex];
  P = Place();
  P.Live = unsigned(B.Warps.size());
  ++Resident;
  for (unsigned N = 0; N < B.Warps.size(); ++N) {
    unsigned Slot = PlaceIndex * WarpsPerBlock + N;
    Warp &W = Warps[Slot];
    W = Warp();
    W.Stream = &B.Warps[N];
    W.Place = PlaceIndex;
    W.Scheduler = Slot % NumSchedulers;
    std::erase(ByAge[W.Scheduler], Slot);
    ByAge[W.Scheduler].push_back(Slot);
    W.Since = At;
    W.Ready.assign(std::max(1u, Profile.Code.NumRegisters), 0);
    W.Reasons.assign(W.Ready.size(), Why());
    if (!nextRun(W)) {
      end(Slot, At);
      continue;
    }
    settle(Slot, At + Spec.Launch.BlockLatency, {WarpState::Sleeping});
  }
}

bool Replay::nextRun(Warp &W) {
  while (W.NextBlock != W.Stream->Blocks.size()) {
    const HeddleBlock &B = Profile.Code.Blocks[W.Stream->Blocks[W.NextBlock++]];
    if (!B.NumInsts)
      continue;
    W.Fresh = B.FirstInst != W.End;
    W.PC = B.FirstInst;
    W.End = B.FirstInst + B.NumInsts;
    return true;
  }
  return false;
}

/// To the next instruction; false at the end, where the warp stays at its last.
bool Replay::advance(Warp &W) {
  if (++W.PC != W.End || nextRun(W))
    return true;
  --W.PC;
  return false;
}

/// Passes an instruction by that is part of those that use its result: they can
/// read it when its operands are there. As in the timing model it issues like
/// any other if a load has still to bring them.
bool Replay::skipFolded(Warp &W, double Now) {
  const DecodedInst &I = Code[W.PC];
  if (I.Slots)
    return false;
  double At = 0;
  Why Reason;
  for (uint16_t R : I.registers())
    if (W.Ready[R] > At) {
      At = W.Ready[R];
      Reason = W.Reasons[R];
    }
  if (At > Now && Reason.Load)
    return false;
  for (uint16_t R : I.defs()) {
    W.Ready[R] = At;
    W.Reasons[R] = Reason;
  }
  countInst(Now);
  return true;
}

void Replay::countInst(double Now) {
  if (++Issued == Options.MaxInsts / 2) {
    HalfTime = Now;
    HalfInsts = Issued;
  }
}

/// Finds out when the instruction at PC has its operands, not before
/// \p Earliest.
void Replay::settle(unsigned Slot, double Earliest, Why Reason) {
  Warp &W = Warps[Slot];
  const arch::FrontEndSpec &F = Spec.FrontEnd;
  uint64_t Address = uint64_t(W.PC) * F.InstructionBytes;
  uint64_t Line = Spec.ICache.Size ? Address / Spec.ICache.Line : 0;
  double At = Earliest;
  if (Line != W.FetchLine || F.FetchWidth) {
    W.FetchLine = Line;
    double There = Memory.fetchLine(
        At, Address, Profile.Code.Insts.size() * uint64_t(F.InstructionBytes));
    if (There > At) {
      At = There;
      Reason = {WarpState::NoInstruction};
    }
  }
  if (F.FetchWidth && At <= Clock + 2) {
    // A fetch brings FetchInsts; on average that many share one.
    double Fetch = std::max(At - 1, FetchFree);
    FetchFree = Fetch + 1.0 / F.FetchWidth / std::max(1u, F.FetchInsts);
    At = std::max(At, Fetch + F.DecodeLatency);
    Reason = At > Earliest ? Why{WarpState::NoInstruction} : Reason;
  }
  for (uint16_t R : Code[W.PC].registers())
    if (W.Ready[R] > At) {
      At = W.Ready[R];
      Reason = W.Reasons[R];
    }
  W.ReadyAt = std::ceil(At);
  W.Reason = Reason;
  Sleepers.push(uint64_t(W.ReadyAt), Slot);
}

void Replay::wake(double Now) {
  Sleepers.wakeUntil(uint64_t(Now), [this](unsigned Slot) {
    Warp &W = Warps[Slot];
    const unsigned Pipe = Code[W.PC].Pipe;
    W.PipeBusy = group(W.Scheduler, Pipe).Issue.busy(W.ReadyAt);
    W.DispatchBusy = Dispatch[W.Scheduler].busy(W.ReadyAt);
    Ready[W.Scheduler * NumPipes + Pipe] |= uint64_t(1) << Slot;
    Wanted[W.Scheduler] |= uint32_t(1) << Pipe;
  });
}

unsigned Replay::pick(unsigned Scheduler, uint64_t Candidates) {
  unsigned L = Last[Scheduler];
  if (Spec.SM.Scheduler == arch::SchedulerPolicy::GTO) {
    if (Candidates >> L & 1)
      return L;
    for (unsigned Slot : ByAge[Scheduler])
      if (Candidates >> Slot & 1)
        return Slot;
  }
  uint64_t After = L == 63 ? 0 : Candidates >> (L + 1) << (L + 1);
  return std::countr_zero(After ? After : Candidates);
}

/// Issues from one scheduler; \p Next becomes the time at which a warp that is
/// ready may issue, if that is earlier.
void Replay::issueFrom(unsigned Scheduler, double Now, double &Next) {
  if (!Wanted[Scheduler])
    return;
  if (Dispatch[Scheduler].FreeAt > Now) {
    Next = std::min(Next, Dispatch[Scheduler].FreeAt);
    return;
  }
  uint64_t Candidates = 0;
  uint64_t *const OfPipe = &Ready[Scheduler * NumPipes];
  double NextFree = std::numeric_limits<double>::infinity();
  for (uint32_t Left = Wanted[Scheduler]; Left; Left &= Left - 1) {
    const unsigned Pipe = std::countr_zero(Left);
    const double Free = group(Scheduler, Pipe).Issue.FreeAt;
    if (Free <= Now)
      Candidates |= OfPipe[Pipe];
    else
      NextFree = std::min(NextFree, Free);
  }
  Next = std::min(Next, NextFree);
  if (!Candidates)
    return;
  unsigned Slot = pick(Scheduler, Candidates);
  const unsigned Pipe = Code[Warps[Slot].PC].Pipe;
  OfPipe[Pipe] &= ~(uint64_t(1) << Slot);
  if (!OfPipe[Pipe])
    Wanted[Scheduler] &= ~(uint32_t(1) << Pipe);
  Last[Scheduler] = Slot;
  if (Candidates & (Candidates - 1))
    Next = std::min(Next, Now + 1);
  issue(Slot, Now);
}

void Replay::add(const Why &Reason, double Cycles) {
  if (!Reason.Load)
    return add(Reason.State, Cycles);
  Out.WarpCycles += Cycles;
  double Queue = Cycles * Reason.Queue, MSHR = Cycles * Reason.MSHR;
  Out.States[unsigned(WarpState::LongQueue)] += Queue;
  Out.States[unsigned(WarpState::LongMSHR)] += MSHR;
  Out.States[unsigned(Reason.State)] += Cycles - Queue - MSHR;
}

void Replay::book(Warp &W, const DecodedInst &I, double Now) {
  if (W.ReadyAt > W.Since)
    add(W.Reason, W.ReadyAt - W.Since);
  double Left = Now - std::max(W.ReadyAt, W.Since);
  if (Left <= 0)
    return;
  auto take = [&](const Meter &M, double Before, WarpState State) {
    double Lost = std::clamp(M.busy(Now) - Before, 0.0, Left);
    add(State, Lost);
    Left -= Lost;
  };
  WarpState Throttle = WarpState::MathPipeThrottle;
  if (I.goesToMemory())
    Throttle = I.Space == HEDDLE_SPACE_SHARED ? WarpState::MioThrottle
                                              : WarpState::LgThrottle;
  take(group(W.Scheduler, I.Pipe).Issue, W.PipeBusy, Throttle);
  take(Dispatch[W.Scheduler], W.DispatchBusy, WarpState::DispatchStall);
  add(WarpState::NotSelected, Left);
}

void Replay::accept(Warp &W, const DecodedInst &I, double Start, double Now) {
  AccessTime T;
  Why Reason{WarpState::LongL1};
  if (I.Memory == HEDDLE_NO_MEMORY) {
    T = Memory.constant(Start, memory::ParamBase + uint32_t(I.ByteOffset));
    Reason.State = WarpState::ImcMiss;
  } else {
    const AccessRecord &R = W.Stream->Accesses[W.NextAccess++];
    if (R.Space == HEDDLE_SPACE_CONST) {
      T.Done = T.Served = Start;
      for (unsigned L = 0; L < R.NumLines; ++L)
        T = Memory.constant(Start, W.Stream->Lines[R.FirstLine + L].Line);
    } else if (R.NumLines || R.Passes)
      T = Memory.access(Start, I, R, W.Stream->Lines.data() + R.FirstLine);
    else
      T.Done = T.Served = Start;
    static constexpr WarpState Levels[] = {WarpState::LongL1, WarpState::LongL2,
                                           WarpState::LongDRAM};
    Reason.State = R.Space == HEDDLE_SPACE_SHARED  ? WarpState::ShortScoreboard
                   : R.Space == HEDDLE_SPACE_CONST ? WarpState::ImcMiss
                                                   : Levels[T.Level];
    if (double Total = T.Done - Start; Total > 0) {
      Reason.MSHR = float(std::min(1.0, T.MSHR / Total));
      // As the timing model splits it: what exceeds the level's latency.
      double Latency = std::min(Latencies[T.Level], Total * (1 - Reason.MSHR));
      Reason.Queue = float(1 - Reason.MSHR - Latency / Total);
    }
  }
  Reason.Load = true;
  for (uint16_t R : I.defs()) {
    W.Ready[R] = std::max(T.Done + Spec.FrontEnd.WritebackLatency, Now + 1);
    W.Reasons[R] = Reason;
  }
  W.MemoryDone = std::max(W.MemoryDone, T.Done);
  while (!Queue.empty() && Queue.front() <= Now)
    Queue.pop_front();
  Queue.push_back(T.Served);
  if (Queue.size() >= QueueSize)
    for (unsigned P = 0; P < MemoryPipe.size(); ++P)
      for (unsigned S = 0; MemoryPipe[P] && S < NumSchedulers; ++S)
        group(S, P).Issue.take(Now + 1, Queue[Queue.size() - QueueSize]);
}

void Replay::issue(unsigned Slot, double Now) {
  Warp &W = Warps[Slot];
  const DecodedInst &I = Code[W.PC];
  book(W, I, Now);
  add(WarpState::Selected, 1);
  W.Since = Now + 1;
  const arch::FrontEndSpec &F = Spec.FrontEnd;
  if (I.Collect > 1)
    Dispatch[W.Scheduler].take(Now, Now + I.Collect);
  PipeGroup &G = group(W.Scheduler, I.Pipe);
  double &Unit = G.firstFree();
  double Turn = std::max(Now, Unit);
  Unit = Turn + I.Initiation;
  double Earliest = G.firstFree();
  G.Issue.take(Now, Earliest - double(G.Queue - 1) * I.Initiation);
  double Start = Turn + F.IssueToPipe + (I.Collect - 1);

  if (I.Slots > 1) {
    if (!W.SlotsLeft)
      W.SlotsLeft = I.Slots;
    if (--W.SlotsLeft) {
      W.ReadyAt = Now + I.SlotGap;
      W.Reason = {WarpState::Wait};
      Sleepers.push(uint64_t(W.ReadyAt), Slot);
      return;
    }
  }
  countInst(Now);

  double Next = Now + 1;
  Why Reason{WarpState::Wait};
  if (I.goesToMemory()) {
    accept(W, I, Start, Now);
  } else if (I.Kind == InstKind::Compute) {
    for (uint16_t R : I.defs()) {
      W.Ready[R] = Start + I.Latency + F.WritebackLatency;
      W.Reasons[R] = {I.Result == timing::Stall::ShortScoreboard
                          ? WarpState::ShortScoreboard
                          : WarpState::Wait};
    }
  } else if (I.Kind == InstKind::Branch) {
    Next += F.BranchLatency;
    Reason.State = WarpState::BranchResolving;
  }
  do
    if (!advance(W)) {
      end(Slot, Now);
      return;
    }
  while (skipFolded(W, Now));
  if (I.isBarrier()) {
    W.ReadyAt = I.Latency;
    arrive(Slot, Now);
    return;
  }
  if (I.Kind == InstKind::Fence) {
    Next = std::max(Now, W.MemoryDone) + I.Latency;
    Reason.State = WarpState::Membar;
  }
  settle(Slot, Next, Reason);
}

void Replay::arrive(unsigned Slot, double Now) {
  Place &P = Places[Warps[Slot].Place];
  P.LastArrival = std::max(P.LastArrival, Now + Warps[Slot].ReadyAt);
  P.Waiting.push_back(Slot);
  release(P);
}

void Replay::release(Place &P) {
  if (P.Waiting.empty() || P.Waiting.size() < P.Live)
    return;
  std::vector<unsigned> Go = std::move(P.Waiting);
  P.Waiting.clear();
  for (unsigned Slot : Go)
    settle(Slot, P.LastArrival, {WarpState::Barrier});
}

void Replay::end(unsigned Slot, double Now) {
  Warp &W = Warps[Slot];
  double End = std::max(Now, W.MemoryDone);
  if (End > W.Since)
    add(WarpState::Drain, End - W.Since);
  Place &P = Places[W.Place];
  P.LastEnd = std::max(P.LastEnd, End);
  LastEnd = std::max(LastEnd, End);
  if (--P.Live) {
    release(P);
    return;
  }
  --Resident;
  if (NextKept < SM.Blocks.size())
    startBlock(W.Place, P.LastEnd + 1);
}

/// The end of all the SM's work, of which only a part was replayed.
double Replay::project() const {
  double Kept = 0, All = 0;
  for (const BlockStream &B : SM.Blocks)
    Kept += double(B.Insts);
  for (uint32_t Insts : SM.AllInsts)
    All += Insts;
  const double End = LastEnd;
  const double Done = Resident ? double(Issued) : Kept;
  const size_t First = Places.size(), Count = Starts.size();
  if (All <= Done || Count == 0)
    return End;
  // Stopped in between, as where blocks are few or unequal, the second half
  // says most.
  double Rate = Resident ? (End - HalfTime) /
                               std::max<double>(1, double(Issued - HalfInsts))
                         : (End - Starts[0].first) / std::max(1.0, Kept);
  // Otherwise the rate from round to round, if possible without the first:
  // blocks that started together end together, so that starts are bunched: only
  // whole rounds take a time that says something.
  if (!Resident && Count >= 2 * First) {
    const size_t Rounds = Count >= 3 * First ? Count / First - 2 : 1;
    double Cycles = 0, Insts = 0;
    for (size_t N = Count - First; N < Count; ++N) {
      const auto &[At, Before] = Starts[N - Rounds * First];
      Cycles += Starts[N].first - At;
      Insts += Starts[N].second - Before;
    }
    if (Insts > 0)
      Rate = Cycles / Insts;
  }
  return End + (All - Done) * Rate;
}

ReplayResult Replay::run() {
  double PerCycle =
      Spec.Launch.BlocksPerCycle ? Spec.Launch.BlocksPerCycle : Spec.SM.Count;
  for (unsigned P = 0; P < Places.size() && NextKept < SM.Blocks.size(); ++P)
    startBlock(P,
               Spec.Launch.KernelLatency +
                   std::floor((double(P) * Spec.SM.Count + SM.SM) / PerCycle));
  double Now = 0;
  const double Never = std::numeric_limits<double>::infinity();
  auto nextWake = [&] {
    const uint64_t At = Sleepers.next();
    return At == WakeWheel::Never ? Never : double(At);
  };
  while (Resident) {
    bool Any = false;
    for (uint32_t Pipes : Wanted)
      Any |= Pipes != 0;
    Now = Any ? Now : std::max(Now, nextWake());
    if (Now == Never)
      break;
    Clock = Now;
    wake(Now);
    double Next = Never;
    for (unsigned S = 0; S < NumSchedulers; ++S)
      issueFrom(S, Now, Next);
    if (Issued >= Options.MaxInsts && HalfInsts) {
      LastEnd = Now;
      break;
    }
    Next = std::min(Next, nextWake());
    if (Next == Never)
      break;
    Now = std::max(Now + 1, std::ceil(Next));
  }
  Out.Insts = Issued;
  double Span = std::max(1.0, LastEnd - Spec.Launch.KernelLatency);
  Out.DRAMBusy = std::min(1.0, Memory.dramWork() / Span);
  Out.L2Busy = std::min(1.0, Memory.l2Work() / Span);
  Out.Cycles = project();
  return Out;
}

ReplayResult replaySM(const IntervalProfile &Profile, const SMStream &SM,
                      const arch::GPUSpec &Spec, const ReplayOptions &Options) {
  return Replay(Profile, SM, Spec, Options).run();
}

} // namespace heddle::interval
