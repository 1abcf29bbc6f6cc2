//===- Launcher.h - Runs the thread blocks of a launch ----------*- C++ -*-===//

#ifndef HEDDLE_EXEC_LAUNCHER_H
#define HEDDLE_EXEC_LAUNCHER_H

#include "base/Clusters.h"
#include "base/Result.h"
#include "exec/Binding.h"
#include "exec/DeviceMemory.h"
#include "exec/FaultGuard.h"
#include "heddle/ABI/WarpKernel.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::exec {

/// Why a launch stopped, and where.
struct Fault {
  enum Kind {
    StepLimit,
    DivergentBarrier, ///< a barrier that not all live lanes of a warp reach
    PartialWarp,      ///< a matrix instruction that not all 32 lanes execute
    MBarrier,         ///< an mbarrier or bulk copy that is not set up
    WarpGroup,        ///< wgmma or setmaxnreg in a warp group that is not whole
    Descriptor,       ///< a matrix descriptor of wgmma that is wrong
    Registers,        ///< setmaxnreg.inc to fewer, or .dec to more
    RegisterGroup,    ///< setmaxnreg that the warps of a group do not share
    PhaseDeadlock,    ///< an mbarrier whose phase never ends
    BarrierDeadlock,  ///< warps of a block wait at different barriers
    GridDeadlock,     ///< blocks wait for others that have ended
    ClusterDeadlock,  ///< warps wait for others of the cluster that cannot come
    ClusterOrder,     ///< barrier.cluster: no arrive before a wait, or two
    Trap,
    Unsupported,
    Memory,     ///< access outside of device memory
    Arithmetic, ///< the host's SIGFPE or SIGILL
    Interrupted
  };
  Kind What = Trap;
  uint64_t Block = 0; ///< linear index
  unsigned Warp = 0;  ///< in the block
  uint32_t IRBlock = ~0u;
  uint32_t Inst = ~0u; ///< number (KernelNumbering), ~0: unknown
  uint32_t Lane = ~0u; ///< ~0: unknown
  uint64_t Address = 0;
};

/// "FILE:LINE" of an instruction (number from 1) or of the first instruction
/// with a line of a block; empty if unknown.
struct SourceMap {
  std::vector<std::string> OfInst, OfBlock;
  /// What an instruction, by its number, does that is not executed.
  std::map<uint32_t, std::string> NotExecuted;
  std::string of(const Fault &F) const;
};

/// The message for the user.
std::string describe(const Fault &F, const BoundLaunch &L,
                     const DeviceMemory &M, const SourceMap &Source,
                     uint64_t MaxSteps);

/// Counters of a launch (WarpKernel.h), summed over its warps.
struct LaunchCounters {
  std::vector<uint64_t> Blocks; ///< [block]{executions, active lanes}
  std::vector<uint64_t> Memory; ///< [record]{HeddleMemoryCounter}
};

/// Runs one thread block at a time on one host thread: warps in order, each
/// until its end, a barrier or an unsuccessful poll of memory. A block-wide
/// barrier opens when every warp that has not ended waits at it; a warp that
/// polls goes on when every other one has had its turn. Of the warps that are
/// about to take work from a counter, the one goes on that has executed least:
/// they take turns as on a GPU, where all run at the same time.
class BlockRunner {
public:
  /// All references outlive the runner. \p Worker selects the windows.
  BlockRunner(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
              const DeviceMemory &Memory, unsigned Worker, bool Counters);

  /// Called before a warp starts or goes on, with its state; for observers.
  void setObserver(unsigned Warp, void *Observer) {
    Warps[Warp].Observer = Observer;
  }
  HeddleWarp &warp(unsigned Index) { return Warps[Index]; }
  /// The launch has got another grid or other parameters.
  void rebind();
  /// Says to \p W where block \p At is in its cluster.
  void placeInCluster(HeddleWarp &W, const Dim3 &At) const;
  /// Called when a barrier opens.
  void setOnBarrier(std::function<void()> Call) { OnBarrier = std::move(Call); }

  /// Runs block \p Index to its end. The caller's thread needs a SignalStack
  /// and a FaultGuard. A barrier of the grid is one of the block: the block is
  /// the only one of its grid.
  std::optional<Fault> run(uint64_t Index, uint64_t MaxSteps);

  /// The same in parts, for a block that meets others (GridRunner.h): start(),
  /// then proceed(), again as long as waitsForGrid() afterwards.
  /// \p Time is when it starts, in the steps of other blocks.
  void start(uint64_t Index, uint64_t MaxSteps, uint64_t Time = 0);
  std::optional<Fault> proceed();
  bool waitsForGrid() const;
  /// The least time, in steps since the start and \p Time, at which one of its
  /// warps is about to take work; none if no warp is.
  std::optional<uint64_t> turn() const;
  /// Lets that warp go on; false if there is none.
  bool takeTurn();
  /// When the last of its warps ended, likewise.
  uint64_t time() const;
  /// Lets the block go on from there; false if it is not there.
  bool leaveGrid();

  // The same for a block of a cluster of several (ClusterRunner.h).

  /// Runs until no warp can go on without the other blocks.
  std::optional<Fault> proceedInCluster();
  bool isDone() const;
  bool hasMoved() const { return MovedInCluster; }
  /// How often the warp that is farthest behind has arrived at the barrier of
  /// the cluster; UINT64_MAX if all have ended.
  uint64_t clusterArrivals() const;
  /// That barrier has opened \p Phases times by now; whether a warp goes on.
  bool openCluster(uint64_t Phases);
  /// Whether a warp asks memory in vain, and no mbarrier.
  bool polls() const;
  /// Lets these warps ask again and takes \p Times the steps of a poll from
  /// them. False if none does.
  bool chargePolls(uint64_t Times = 1);
  std::optional<Fault> phaseDeadlock() const;
  std::optional<Fault> clusterDeadlock() const;
  std::optional<Fault> barrierDeadlock() const;
  uint64_t index() const { return Index; }

  /// What the last block printed.
  std::string &printed() { return Printed; }

  /// Since the start or the last resetCounters().
  const LaunchCounters &counters() const { return Counts; }
  void resetCounters();

private:
  void moveTo(uint64_t Block);
  void advance();
  void runWarp();
  bool openCommonBarrier();
  bool sharesRegisterChanges(unsigned W);
  std::optional<Fault> runReadyWarps();
  bool openBarriers();
  void release(uint32_t Id);
  bool wakePolling(uint64_t Times = 1);
  bool meetCluster(unsigned W);
  uint64_t timeOf(unsigned W) const {
    return Waited[W] + (Fresh.StepsLeft - Warps[W].StepsLeft);
  }
  std::optional<unsigned> nextToTurn() const;
  void waitForLatest(uint32_t Id);

  enum class State : uint8_t {
    Ready,
    Waiting,
    Polling,
    AtGrid,
    AtCluster,
    AtTurn,
    Done
  };

  const HeddleWarpKernel &Kernel;
  const BoundLaunch &Launch;
  std::vector<HeddleWarp> Warps;
  std::vector<State> States;
  /// What a warp has done at the barrier of the cluster.
  struct ClusterTime {
    uint64_t Arrivals = 0, Waits = 0;
  };
  std::vector<ClusterTime> ClusterTimes;
  std::vector<uint64_t> Waited; ///< by each warp, in steps of others
  struct Free {
    void operator()(uint8_t *P) const;
  };
  std::unique_ptr<uint8_t, Free> Frames;
  std::vector<uint8_t> Params;
  LaunchCounters Counts;
  std::string Printed;
  std::function<void()> OnBarrier;
  uint64_t ClusterPhases = 0;  ///< that barrier has opened so often
  bool MovedInCluster = false; ///< in the last proceedInCluster()
  uint32_t Arrived[16] = {};   ///< threads that arrived without waiting
  uint8_t *Shared, *Local;
  uint64_t Index = 0;  ///< of the block
  Dim3 At = {0, 0, 0}; ///< the same in the grid
  /// What engines write is as in a warp that has not begun.
  HeddleWarp Fresh = {};
  unsigned Running = 0;          ///< the warp that advance() is at
  unsigned Ended = 0;            ///< warps that have
  bool ChangesRegisters = false; ///< one of them had setmaxnreg
  bool TakesTurns = false;       ///< one of them took work from a counter
  bool Failed = false;           ///< it came back with HEDDLE_WARP_FAILED
  bool Moved = false; ///< a warp ended, reached a barrier or passed one
};

struct LaunchOptions {
  unsigned Threads = 1;
  uint64_t MaxSteps = uint64_t(1) << 32; ///< block executions per warp
  bool Counters = false;
  /// Blocks run one after the other whatever Threads says: for kernels whose
  /// atomics make the order of blocks visible.
  bool InOrder = false;
  std::function<void(uint64_t Done, uint64_t Total)> Progress;
  /// The calling thread runs no blocks but tells Progress some times a second,
  /// and Stop ends blocks that are under way, too.
  bool Watched = false;
  /// With Counters: what each block did, from the host thread that ran it.
  std::function<void(uint64_t Block, const LaunchCounters &OfBlock)> OnBlock;
  const std::atomic<bool> *Stop = nullptr; ///< set: end with Interrupted
  const CompiledCode *Code = nullptr;      ///< in which Stop ends blocks
};

/// As much as a device keeps for a launch (cudaLimitPrintfFifoSize).
inline constexpr uint64_t MaxPrintedBytes = uint64_t(1) << 20;

struct LaunchResult {
  std::optional<Fault> Failed; ///< of the lowest block that failed
  LaunchCounters Counters;
  /// What the kernel printed, block by block in order, up to the one that
  /// failed; cut off after MaxPrintedBytes.
  std::string Printed;
  double Seconds = 0;
};

/// Runs a launch, again and again if need be: its grid and its parameters may
/// change in between, and what host threads need for it is made once. All
/// references outlive it.
class LaunchRunner {
public:
  LaunchRunner(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
               DeviceMemory &Memory, LaunchOptions Options);
  /// As runLaunch().
  Result<LaunchResult> run();

private:
  unsigned threads(const Clusters &Shape) const;

  const HeddleWarpKernel &Kernel;
  const BoundLaunch &Launch;
  DeviceMemory &Memory;
  const LaunchOptions Options;
  std::vector<std::unique_ptr<BlockRunner>> Runners; ///< of host threads
  /// The last run took too little time for others to help.
  bool IsShort = false;
};

/// Runs all blocks, handed out in order to \p Options.Threads host threads;
/// those of a kernel with a barrier of the grid from barrier to barrier. Makes
/// the memory windows. The result does not depend on the number of threads as
/// far as the kernel's does not depend on the order of its blocks.
Result<LaunchResult> runLaunch(const HeddleWarpKernel &Kernel,
                               const BoundLaunch &Launch, DeviceMemory &Memory,
                               const LaunchOptions &Options);

/// Bytes of local memory for one block: frames of all lanes of its warps.
uint64_t localBytesPerBlock(const BoundLaunch &Launch);

} // namespace heddle::exec

#endif // HEDDLE_EXEC_LAUNCHER_H
