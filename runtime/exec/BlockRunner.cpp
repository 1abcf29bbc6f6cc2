//===- BlockRunner.cpp - Runs one thread block ----------------------------===//

#include "exec/FaultGuard.h"
#include "exec/Launcher.h"
#include "heddle/ABI/GroupProduct.h"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#if defined(__x86_64__)
#include <pmmintrin.h>
#endif

namespace heddle::exec {

uint64_t localBytesPerBlock(const BoundLaunch &Launch) {
  return uint64_t(Launch.warpsPerBlock()) * 32 * Launch.LocalBytesPerThread;
}

void BlockRunner::Free::operator()(uint8_t *P) const { std::free(P); }

static void set(uint32_t (&To)[3], const Dim3 &From) {
  To[0] = From.X;
  To[1] = From.Y;
  To[2] = From.Z;
}

BlockRunner::BlockRunner(const HeddleWarpKernel &Kernel,
                         const BoundLaunch &Launch, const DeviceMemory &Memory,
                         unsigned Worker, bool Counters)
    : Kernel(Kernel), Launch(Launch), Warps(Launch.warpsPerBlock()),
      States(Launch.warpsPerBlock()), ClusterTimes(Launch.warpsPerBlock()),
      Waited(Launch.warpsPerBlock()), Params(Launch.Params),
      Shared(Memory.shared(Worker)), Local(Memory.local(Worker)) {
  uint64_t FrameBytes = (Kernel.FrameBytes + 63) / 64 * 64;
  uint64_t Total = std::max<uint64_t>(FrameBytes * Warps.size(), 64);
  Frames.reset(static_cast<uint8_t *>(std::aligned_alloc(64, Total)));
  if (!Frames)
    throw std::bad_alloc();
  std::memset(Frames.get(), 0, Total);
  Params.resize((Params.size() + 15) / 16 * 16 +
                16); // engines may read whole words
  if (Counters) {
    Counts.Blocks.resize(uint64_t(Kernel.NumBlocks) * 2);
    Counts.Memory.resize(uint64_t(Kernel.NumMemoryRecords) *
                         HEDDLE_NUM_MEMORY_COUNTERS);
  }
  // All that does not change from block to block.
  uint64_t Threads = Launch.Block.count();
  for (unsigned W = 0; W < Warps.size(); ++W) {
    HeddleWarp &Warp = Warps[W];
    Warp = {};
    for (unsigned L = 0; L < 32; ++L) {
      uint64_t Thread = uint64_t(W) * 32 + L;
      if (Thread >= Threads)
        continue;
      Dim3 At = Launch.Block.at(Thread);
      Warp.TidX[L] = At.X;
      Warp.TidY[L] = At.Y;
      Warp.TidZ[L] = At.Z;
      Warp.LiveMask |= 1u << L;
    }
    set(Warp.BlockDim, Launch.Block);
    set(Warp.GlobalOffset, Launch.GlobalOffset);
    set(Warp.ClusterDim, Launch.Cluster);
    Warp.WarpInBlock = W;
    Warp.DynamicSharedBytes = uint32_t(Launch.DynamicSharedBytes);
    Warp.SharedBytes = uint32_t(Launch.SharedBytes);
    Warp.Params = Params.data();
    Warp.Shared = Shared;
    Warp.ExplicitCluster = Launch.ExplicitCluster;
    Warp.WindowShift = Memory.windowShift();
    Warp.ClusterBlocks = unsigned(Launch.Cluster.count());
    Warp.ClusterRank = Worker % Warp.ClusterBlocks;
    Warp.ClusterShared = Memory.shared(Worker - Warp.ClusterRank);
    Warp.LocalStride = Launch.LocalBytesPerThread;
    Warp.Local = Local + uint64_t(W) * 32 * Launch.LocalBytesPerThread;
    Warp.Frame = Frames.get() + W * FrameBytes;
    Warp.Engine = Kernel.Engine;
    Warp.Printer = &Printed;
    Warp.BlockCounters = Counters ? Counts.Blocks.data() : nullptr;
    Warp.MemoryCounters = Counters ? Counts.Memory.data() : nullptr;
    Warp.ErrorBlock = Warp.ErrorInst = Warp.ErrorLane = ~0u;
  }
  if (!Warps.empty())
    Fresh = Warps.front();
  rebind();
}

void BlockRunner::rebind() {
  Index = 0;
  At = {0, 0, 0};
  std::ranges::copy(Launch.Params, Params.begin());
  for (const BoundLaunch::SharedParam &P : Launch.SharedParams) {
    uint64_t Address = reinterpret_cast<uint64_t>(Shared) + P.SharedOffset;
    std::memcpy(Params.data() + P.ParamOffset, &Address, 8);
  }
  const Dim3 &Grid = Launch.Grid, &Cluster = Launch.Cluster;
  for (HeddleWarp &Warp : Warps) {
    set(Warp.GridDim, Grid);
    set(Warp.NumClusters,
        {Grid.X / Cluster.X, Grid.Y / Cluster.Y, Grid.Z / Cluster.Z});
    Warp.WorkDim = Launch.WorkDim;
  }
}

/// What the registers of the cluster say in block \p At.
void BlockRunner::placeInCluster(HeddleWarp &W, const Dim3 &At) const {
  const Dim3 &C = Launch.Cluster;
  if (C.count() == 1) { // as most: no division
    set(W.ClusterIdx, At);
    return;
  }
  set(W.ClusterIdx, {At.X / C.X, At.Y / C.Y, At.Z / C.Z});
  set(W.BlockInCluster, {At.X % C.X, At.Y % C.Y, At.Z % C.Z});
}

/// Index is now \p Block: sets At. Most blocks come one after the other.
void BlockRunner::moveTo(uint64_t Block) {
  const Dim3 &Grid = Launch.Grid;
  const bool InRow = Block == Index + 1 && At.X + 1 < Grid.X;
  Index = Block;
  if (InRow)
    ++At.X;
  else
    At = Grid.at(Index);
}

void BlockRunner::start(uint64_t Block, uint64_t MaxSteps, uint64_t Time) {
  Printed.clear();
  moveTo(Block);
  // Engines count down below zero.
  Fresh.StepsLeft = std::min<uint64_t>(MaxSteps, INT64_MAX);
  constexpr size_t Own = offsetof(HeddleWarp, StepsLeft); // what engines write
  for (HeddleWarp &W : Warps) {
    set(W.BlockIdx, At);
    placeInCluster(W, At);
    std::memcpy(reinterpret_cast<uint8_t *>(&W) + Own,
                reinterpret_cast<const uint8_t *>(&Fresh) + Own,
                sizeof(HeddleWarp) - Own);
  }
  Ended = 0;
  ChangesRegisters = TakesTurns = false;
  std::ranges::fill(Waited, Time);
  std::ranges::fill(States, State::Ready);
  std::ranges::fill(Arrived, 0);
  std::ranges::fill(ClusterTimes, ClusterTime());
  ClusterPhases = 0;
  // What a block leaves behind must not reach the next one, or results would
  // depend on which host thread runs which block.
  if (Launch.SharedBytes)
    std::memset(Shared, 0, Launch.SharedBytes);
  if (uint64_t Bytes = localBytesPerBlock(Launch))
    std::memset(Local, 0, Bytes);
}

static Fault::Kind kindOf(uint32_t Error) {
  switch (Error) {
  case HEDDLE_ERROR_STEP_LIMIT:
    return Fault::StepLimit;
  case HEDDLE_ERROR_DIVERGENT_BARRIER:
    return Fault::DivergentBarrier;
  case HEDDLE_ERROR_PARTIAL_WARP:
    return Fault::PartialWarp;
  case HEDDLE_ERROR_MBARRIER:
    return Fault::MBarrier;
  case HEDDLE_ERROR_WARP_GROUP:
    return Fault::WarpGroup;
  case HEDDLE_ERROR_DESCRIPTOR:
    return Fault::Descriptor;
  case HEDDLE_ERROR_REGISTERS:
    return Fault::Registers;
  case HEDDLE_ERROR_REGISTER_GROUP:
    return Fault::RegisterGroup;
  case HEDDLE_ERROR_UNSUPPORTED:
    return Fault::Unsupported;
  case HEDDLE_ERROR_CLUSTER_ORDER:
    return Fault::ClusterOrder;
  default:
    return Fault::Trap;
  }
}

/// Whether warp \p W, which has ended, has executed the same setmaxnreg as the
/// others of its warp group that have; if not, its error says where.
bool BlockRunner::sharesRegisterChanges(unsigned W) {
  const unsigned First = W / HEDDLE_GROUP_WARPS * HEDDLE_GROUP_WARPS;
  const unsigned End =
      std::min<unsigned>(First + HEDDLE_GROUP_WARPS, unsigned(Warps.size()));
  HeddleWarp &Own = Warps[W];
  for (unsigned V = First; V < End; ++V) {
    const HeddleWarp &Other = Warps[V];
    if (States[V] != State::Done ||
        Other.RegisterChanges == Own.RegisterChanges)
      continue;
    const uint32_t At =
        Own.RegisterChanges ? Own.RegisterInst : Other.RegisterInst;
    Own.Error = HEDDLE_ERROR_REGISTER_GROUP;
    Own.ErrorInst = At;
    return false;
  }
  return true;
}

/// Runs warp Running until it cannot go on, or fails.
void BlockRunner::runWarp() {
  HeddleWarp &Warp = Warps[Running];
  while (States[Running] == State::Ready) {
    const uint32_t Events = Warp.PhaseEvents;
    Warp.AwaitedInst = 0;
    const uint32_t Status = Kernel.Run(&Warp);
    if (Warp.PhaseEvents != Events) {
      Moved = true;
      if (OnBarrier) // what comes after may be ordered after what was before
        OnBarrier();
    }
    switch (Status) {
    case HEDDLE_WARP_DONE:
      States[Running] = State::Done;
      ++Ended;
      Moved = true;
      ChangesRegisters |= Warp.RegisterChanges != 0;
      if (ChangesRegisters && !sharesRegisterChanges(Running)) {
        Failed = true;
        return;
      }
      break;
    case HEDDLE_WARP_POLLS:
      States[Running] = State::Polling;
      break;
    case HEDDLE_WARP_TURN:
      States[Running] = State::AtTurn;
      Moved = TakesTurns = true;
      break;
    case HEDDLE_WARP_BARRIER:
      Moved = true;
      if (Warp.BarrierOp >= HEDDLE_BARRIER_CLUSTER_ARRIVE) {
        if (!meetCluster(Running)) {
          Warp.Error = HEDDLE_ERROR_CLUSTER_ORDER;
          Failed = true;
          return;
        }
      } else if (Warp.BarrierOp == HEDDLE_BARRIER_ARRIVE)
        Arrived[Warp.BarrierId % 16] += 32;
      else
        States[Running] = Warp.BarrierOp == HEDDLE_BARRIER_GRID
                              ? State::AtGrid
                              : State::Waiting;
      break;
    default:
      Failed = true;
      return;
    }
  }
}

#if defined(__x86_64__)
static constexpr uint64_t FlushBits = _MM_FLUSH_ZERO_ON | _MM_DENORMALS_ZERO_ON;
static uint64_t floatControl() { return _mm_getcsr(); }
static void setFloatControl(uint64_t Bits) { _mm_setcsr(unsigned(Bits)); }
#elif defined(__aarch64__)
static constexpr uint64_t FlushBits = 1 << 24; // FPCR.FZ
static uint64_t floatControl() { return __builtin_aarch64_get_fpcr64(); }
static void setFloatControl(uint64_t Bits) {
  __builtin_aarch64_set_fpcr64(Bits);
}
#endif

namespace {
/// Lets the host take denormal numbers as zero during its life.
class DenormalsFlushed {
public:
  explicit DenormalsFlushed(bool Flush) : Before(floatControl()) {
    if (Flush)
      setFloatControl(Before | FlushBits);
  }
  ~DenormalsFlushed() { setFloatControl(Before); }
  DenormalsFlushed(const DenormalsFlushed &) = delete;
  DenormalsFlushed &operator=(const DenormalsFlushed &) = delete;

private:
  const uint64_t Before;
};
} // namespace

/// Runs every warp that can go on until it cannot, or until one fails. A fault
/// of the hardware may abandon it anywhere, so it owns nothing.
void BlockRunner::advance() {
  do
    for (Running = 0; Running < Warps.size(); ++Running) {
      runWarp();
      if (Failed)
        return;
    }
  while (!isDone() && openCommonBarrier());
}

std::optional<Fault> BlockRunner::runReadyWarps() {
  Failed = false;
  const DenormalsFlushed Flushed(Kernel.FlushesDenormals);
  HardwareFault Hardware = catchFaults(
      [](void *Self) { static_cast<BlockRunner *>(Self)->advance(); }, this);
  if (Hardware.Abandoned)
    return Fault{Fault::Interrupted, Index};
  if (Hardware.Signal) {
    bool Access = Hardware.Signal == SIGSEGV || Hardware.Signal == SIGBUS;
    const uint32_t Inst = Warps[Running].CheckInst;
    return Fault{Access ? Fault::Memory : Fault::Arithmetic,
                 Index,
                 Running,
                 ~0u,
                 Inst ? Inst : ~0u,
                 ~0u,
                 Hardware.Address};
  }
  if (!Failed)
    return std::nullopt;
  const HeddleWarp &Warp = Warps[Running];
  return Fault{kindOf(Warp.Error), Index,          Running,
               Warp.ErrorBlock,    Warp.ErrorInst, Warp.ErrorLane,
               Warp.ErrorAddress};
}

/// The warps at barrier \p Id have waited for the last of them.
void BlockRunner::waitForLatest(uint32_t Id) {
  auto Waits = [&](unsigned W) {
    return States[W] == State::Waiting && Warps[W].BarrierId == Id;
  };
  uint64_t Latest = 0;
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (Waits(W))
      Latest = std::max(Latest, timeOf(W));
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (Waits(W))
      Waited[W] += Latest - timeOf(W);
}

std::optional<unsigned> BlockRunner::nextToTurn() const {
  std::optional<unsigned> Next;
  for (unsigned W = 0; TakesTurns && W < Warps.size(); ++W)
    if (States[W] == State::AtTurn && (!Next || timeOf(W) < timeOf(*Next)))
      Next = W;
  return Next;
}

std::optional<uint64_t> BlockRunner::turn() const {
  const std::optional<unsigned> Next = nextToTurn();
  return Next ? std::optional(timeOf(*Next)) : std::nullopt;
}

bool BlockRunner::takeTurn() {
  const std::optional<unsigned> Next = nextToTurn();
  if (Next)
    States[*Next] = State::Ready;
  return Next.has_value();
}

uint64_t BlockRunner::time() const {
  uint64_t Latest = 0;
  for (unsigned W = 0; W < Warps.size(); ++W)
    Latest = std::max(Latest, timeOf(W));
  return Latest;
}

/// Lets the warps that wait at barrier \p Id go on.
void BlockRunner::release(uint32_t Id) {
  if (TakesTurns)
    waitForLatest(Id);
  uint32_t Count = 0, Live = 0;
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (States[W] == State::Waiting && Warps[W].BarrierId == Id) {
      uint32_t Lanes = Warps[W].LiveMask & ~Warps[W].ExitedMask;
      Count += std::popcount(Warps[W].BarrierValue & Lanes);
      Live += std::popcount(Lanes);
    }
  for (unsigned W = 0; W < Warps.size(); ++W) {
    HeddleWarp &Warp = Warps[W];
    if (States[W] != State::Waiting || Warp.BarrierId != Id)
      continue;
    Warp.BarrierResult = Warp.BarrierOp == HEDDLE_BARRIER_POPC  ? Count
                         : Warp.BarrierOp == HEDDLE_BARRIER_AND ? Count == Live
                                                                : Count != 0;
    States[W] = State::Ready;
  }
  Arrived[Id % 16] = 0;
  if (OnBarrier)
    OnBarrier();
}

/// Opens the barrier of the whole block at which all warps wait that have not
/// ended; false if one of them waits for anything else.
bool BlockRunner::openCommonBarrier() {
  const HeddleWarp *First = nullptr;
  for (unsigned W = 0; W < Warps.size(); ++W) {
    if (States[W] == State::Done)
      continue;
    if (States[W] != State::Waiting || Warps[W].BarrierThreads ||
        (First && First->BarrierId != Warps[W].BarrierId))
      return false;
    First = &Warps[W];
  }
  if (First)
    release(First->BarrierId);
  return First;
}

/// Opens every barrier that all its threads have reached; false if none is.
bool BlockRunner::openBarriers() {
  bool Any = false;
  unsigned Left = 0;
  for (State S : States)
    Left += S != State::Done;
  for (unsigned W = 0; W < Warps.size(); ++W) {
    if (States[W] != State::Waiting)
      continue;
    uint32_t Id = Warps[W].BarrierId;
    unsigned Waiting = 0;
    for (unsigned V = 0; V < Warps.size(); ++V)
      Waiting += States[V] == State::Waiting && Warps[V].BarrierId == Id;
    uint64_t Threads = Waiting * 32 + Arrived[Id % 16];
    if (Warps[W].BarrierThreads ? Threads >= Warps[W].BarrierThreads
                                : Waiting == Left) {
      release(Id);
      Any = true;
    }
  }
  return Any;
}

/// Lets the warps that polled poll again; false if there are none. Where all
/// warps of the block only poll, they may wait forever: their turns cost
/// steps, so that the step limit is near.
bool BlockRunner::wakePolling(uint64_t Times) {
  constexpr int64_t StepsPerPoll = 4096;
  bool Any = false;
  for (unsigned W = 0; W < Warps.size(); ++W) {
    if (States[W] != State::Polling)
      continue;
    Any = true;
    States[W] = State::Ready;
    if (!Moved)
      Warps[W].StepsLeft = uint64_t(std::max<int64_t>(
          int64_t(Warps[W].StepsLeft) - StepsPerPoll * int64_t(Times), 0));
  }
  Moved = false;
  return Any;
}

/// Where all warps that are left wait for phases of mbarriers, or at barriers,
/// and have waited for a whole turn: the first of the former.
std::optional<Fault> BlockRunner::phaseDeadlock() const {
  std::optional<Fault> Found;
  for (unsigned W = 0; W < Warps.size(); ++W) {
    if (States[W] == State::Done || States[W] == State::Waiting ||
        States[W] == State::AtCluster)
      continue;
    if (States[W] != State::Polling || !Warps[W].AwaitedInst)
      return std::nullopt;
    if (!Found)
      Found = Fault{
          Fault::PhaseDeadlock,   Index, W, ~0u, Warps[W].AwaitedInst, ~0u,
          Warps[W].AwaitedBarrier};
  }
  return Found;
}

void BlockRunner::resetCounters() {
  std::ranges::fill(Counts.Blocks, 0);
  std::ranges::fill(Counts.Memory, 0);
}

bool BlockRunner::waitsForGrid() const {
  return !isDone() &&
         std::ranges::find(States, State::AtGrid) != States.end() &&
         std::ranges::all_of(States, [](State S) {
           return S == State::AtGrid || S == State::Done;
         });
}

bool BlockRunner::isDone() const { return Ended == Warps.size(); }

bool BlockRunner::leaveGrid() {
  if (!Kernel.HasGridBarrier || !waitsForGrid())
    return false;
  std::ranges::replace(States, State::AtGrid, State::Ready);
  if (OnBarrier)
    OnBarrier();
  return true;
}

std::optional<Fault> BlockRunner::barrierDeadlock() const {
  const auto It = std::ranges::find(States, State::Waiting);
  if (It == States.end())
    return std::nullopt;
  const unsigned W = unsigned(It - States.begin());
  return Fault{
      Fault::BarrierDeadlock, Index, W, Warps[W].ErrorBlock, ~0u, ~0u, 0};
}

std::optional<Fault> BlockRunner::proceed() {
  leaveGrid();
  while (true) {
    if (std::optional<Fault> F = runReadyWarps())
      return F;
    if (isDone() || waitsForGrid())
      return std::nullopt;
    bool Opened = openBarriers();
    Opened |= openCluster(clusterArrivals()); // of this block alone
    if (!Opened && turn())
      return std::nullopt;
    Moved |= Opened;
    if (!Moved)
      if (std::optional<Fault> F = phaseDeadlock())
        return F;
    if (!wakePolling() && !Opened) {
      if (std::optional<Fault> F = clusterDeadlock())
        return F;
      return barrierDeadlock();
    }
  }
}

std::optional<Fault> BlockRunner::run(uint64_t Block, uint64_t MaxSteps) {
  start(Block, MaxSteps);
  std::optional<Fault> F = proceed();
  while (!F && (waitsForGrid() || takeTurn()))
    F = proceed();
  return F;
}

//===----------------------------------------------------------------------===//
// Of a cluster
//===----------------------------------------------------------------------===//

/// A warp has come to an arrive or a wait; false if it is not its turn.
bool BlockRunner::meetCluster(unsigned W) {
  ClusterTime &T = ClusterTimes[W];
  if (Warps[W].BarrierOp == HEDDLE_BARRIER_CLUSTER_ARRIVE)
    return T.Arrivals++ == T.Waits;
  if (T.Arrivals != ++T.Waits)
    return false;
  if (ClusterPhases < T.Waits)
    States[W] = State::AtCluster;
  return true;
}

uint64_t BlockRunner::clusterArrivals() const {
  uint64_t Fewest = UINT64_MAX;
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (States[W] != State::Done)
      Fewest = std::min(Fewest, ClusterTimes[W].Arrivals);
  return Fewest;
}

bool BlockRunner::openCluster(uint64_t Phases) {
  if (Phases == ClusterPhases)
    return false;
  ClusterPhases = Phases;
  bool Any = false;
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (States[W] == State::AtCluster && ClusterTimes[W].Waits <= Phases) {
      States[W] = State::Ready;
      Any = true;
    }
  if (Any && OnBarrier)
    OnBarrier();
  return Any;
}

std::optional<Fault> BlockRunner::clusterDeadlock() const {
  const auto It = std::ranges::find(States, State::AtCluster);
  if (It == States.end())
    return std::nullopt;
  const unsigned W = unsigned(It - States.begin());
  return Fault{Fault::ClusterDeadlock, Index, W, Warps[W].ErrorBlock,
               Warps[W].ErrorInst};
}

bool BlockRunner::polls() const {
  for (unsigned W = 0; W < Warps.size(); ++W)
    if (States[W] == State::Polling && !Warps[W].AwaitedInst)
      return true;
  return false;
}

bool BlockRunner::chargePolls(uint64_t Times) {
  Moved = false;
  return polls() && wakePolling(Times);
}

std::optional<Fault> BlockRunner::proceedInCluster() {
  MovedInCluster = false;
  do {
    std::ranges::replace(States, State::Polling, State::Ready);
    Moved = false;
    if (std::optional<Fault> F = runReadyWarps())
      return F;
    Moved |= openBarriers();
    MovedInCluster |= Moved;
  } while (Moved && !isDone() && !waitsForGrid());
  return std::nullopt;
}

} // namespace heddle::exec
