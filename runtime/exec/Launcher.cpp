//===- Launcher.cpp - Runs the thread blocks of a launch ------------------===//

#include "exec/Launcher.h"

#include "base/WorkerArena.h"
#include "exec/ClusterRunner.h"
#include "exec/FaultGuard.h"
#include "exec/GridRunner.h"
#include "heddle/ABI/BulkOps.h"
#include "heddle/ABI/PerThread.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace heddle::exec {

std::string SourceMap::of(const Fault &F) const {
  if (F.Inst != ~0u && F.Inst - 1 < OfInst.size() &&
      !OfInst[F.Inst - 1].empty())
    return OfInst[F.Inst - 1];
  return F.IRBlock < OfBlock.size() ? OfBlock[F.IRBlock] : std::string();
}

static std::string text(const Dim3 &D) {
  return fmt::format("({}, {}, {})", D.X, D.Y, D.Z);
}

std::string describe(const Fault &F, const BoundLaunch &L,
                     const DeviceMemory &M, const SourceMap &Source,
                     uint64_t MaxSteps) {
  std::string Line = Source.of(F);
  std::string Where = fmt::format("block {}", text(L.Grid.at(F.Block)));
  if (F.Lane < 32)
    Where += fmt::format(", thread {}",
                         text(L.Block.at(uint64_t(F.Warp) * 32 + F.Lane)));
  else
    Where += fmt::format(", warp {}", F.Warp);
  std::string What;
  switch (F.What) {
  case Fault::StepLimit:
    What = fmt::format(
        "a warp has not ended after {} basic blocks: an endless loop, or one "
        "that waits for what is never written, for a block that cannot start "
        "or for another lane of the warp? (--max-steps raises the limit)",
        MaxSteps);
    break;
  case Fault::DivergentBarrier:
    What =
        "barrier in divergent code: not all threads of the warp that are still "
        "running reach it";
    break;
  case Fault::PartialWarp:
    What = "matrix instruction (mma, wmma, ldmatrix) or setmaxnreg that not "
           "all 32 lanes of the warp execute";
    break;
  case Fault::MBarrier:
    What = F.Address == HEDDLE_CLUSTER_NO_BLOCK ||
                   F.Address == HEDDLE_BARRIER_UNALIGNED
               ? "an operation that cannot be done: "
           : F.Address ? "a bulk copy that cannot be done: "
                       : "an mbarrier that mbarrier.init has not set up or "
                         "that gets more arrivals than its count";
    if (F.Address)
      What += heddleBulkProblem(uint32_t(F.Address));
    break;
  case Fault::WarpGroup:
    What = "wgmma and setmaxnreg are executed by the four warps of a warp "
           "group, and this block does not have all of them: its threads must "
           "be a multiple of 128";
    break;
  case Fault::Registers:
    What = "setmaxnreg.inc to fewer registers than the warp has, or .dec to "
           "more: use .dec to give registers back and .inc to take some";
    break;
  case Fault::RegisterGroup:
    What = "setmaxnreg that the four warps of a warp group do not execute "
           "alike: each must execute it as often and with the same counts";
    break;
  case Fault::Descriptor:
    What = "a matrix descriptor of wgmma that differs between the lanes of "
           "the warp, has reserved bits set, or describes a matrix that lies "
           "outside the block's shared memory";
    break;
  case Fault::PhaseDeadlock:
    What = fmt::format(
        "waits for ever at the mbarrier at byte {} of shared "
        "memory: nothing is left that could end its phase; "
        "count the arrivals, and the bytes that expect_tx names"
        "{}",
        F.Address,
        L.Cluster.count() > 1 ? ", of other blocks of the cluster too" : "");
    break;
  case Fault::BarrierDeadlock:
    What = "barrier never opens: other warps of the block wait elsewhere";
    break;
  case Fault::GridDeadlock:
    What = "barrier of the grid never opens: other blocks have ended without "
           "coming to it";
    break;
  case Fault::ClusterDeadlock:
    What = "barrier of the cluster never opens: other warps of the cluster "
           "wait elsewhere";
    break;
  case Fault::ClusterOrder:
    What = "barrier.cluster out of turn: each warp arrives once, then waits "
           "once";
    break;
  case Fault::Trap:
    What =
        "the kernel stopped itself (failed assert, trap, or unreachable code)";
    break;
  case Fault::Unsupported:
    What = "an operation that cannot be executed";
    if (auto It = Source.NotExecuted.find(F.Inst);
        It != Source.NotExecuted.end())
      What = "the kernel " + It->second + "; this is not executed";
    break;
  case Fault::Memory:
    What = "access outside of device memory at " + M.describe(F.Address);
    break;
  case Fault::Arithmetic:
    What = "arithmetic fault";
    break;
  case Fault::Interrupted:
    return "interrupted";
  }
  return fmt::format("{}{} ({})", Line.empty() ? "" : Line + ": ", What, Where);
}

static void add(std::vector<uint64_t> &To, const std::vector<uint64_t> &From) {
  To.resize(std::max(To.size(), From.size()));
  for (size_t I = 0; I < From.size(); ++I)
    To[I] += From[I];
}

namespace {
/// What one host thread has done of a launch.
struct Share {
  LaunchCounters Sum;
  uint64_t Untold = 0; ///< blocks that Work::Done does not have yet
  uint64_t Pace = 1;   ///< blocks from one look at the clock to the next
  int64_t Looked = 0;  ///< coarseTime() then
};

/// What the host threads of one launch share.
struct Work {
  const HeddleWarpKernel &Kernel;
  const BoundLaunch &Launch;
  DeviceMemory &Memory;
  const LaunchOptions &Options;
  /// Of each host thread, from its first launch on.
  std::vector<std::unique_ptr<BlockRunner>> &Runners;
  std::atomic<uint64_t> Next{0};
  /// Blocks from here on need not run: the lowest failed one.
  std::atomic<uint64_t> End{0};
  std::atomic<uint64_t> EndCluster{0}; ///< the same, where there are clusters
  std::atomic<uint64_t> Done{0};
  std::mutex Lock{}; ///< of what follows
  LaunchResult Result{};
  std::map<uint64_t, std::string> Printed{}; ///< by block
  uint64_t PrintedBytes = 0;
  std::exception_ptr Failure{};
  std::atomic<int64_t> LastTold{0}; ///< coarseTime()

  void run(unsigned Worker);
  BlockRunner &runner(unsigned Worker);
  void runClusters(unsigned Worker);
  void finish(uint64_t Block, BlockRunner &Runner, bool Failed, Share &Own);
  void add(const LaunchCounters &C);
  void add(Share &Own);
  void tell(Share &Own);
  void fail(const Fault &F);
  void keepPrinted(uint64_t Block, std::string &Text);
};
} // namespace

void Work::fail(const Fault &F) {
  std::lock_guard Guard(Lock);
  if (!Result.Failed || F.Block < Result.Failed->Block)
    Result.Failed = F;
  End = std::min<uint64_t>(End, F.Block);
}

/// Keeps the text of the lowest blocks that fill the limit: these are the same
/// whatever the order of blocks is.
void Work::keepPrinted(uint64_t Block, std::string &Text) {
  if (Text.empty())
    return;
  std::lock_guard Guard(Lock);
  PrintedBytes += Text.size();
  Printed[Block] = std::move(Text);
  while (PrintedBytes - Printed.rbegin()->second.size() >= MaxPrintedBytes) {
    PrintedBytes -= Printed.rbegin()->second.size();
    Printed.erase(std::prev(Printed.end()));
  }
}

/// In milliseconds. To ask the exact clock may take longer than a block.
static int64_t coarseTime() {
  timespec Now;
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &Now);
  return int64_t(Now.tv_sec) * 1000 + Now.tv_nsec / 1000000;
}

/// Some times a second, however long a block takes, and at the end. Blocks of
/// which several end in a tick of the clock are not each worth a look at it.
void Work::tell(Share &Own) {
  constexpr int64_t BetweenMs = 50;
  constexpr uint64_t MostBlocks = 8;
  const uint64_t Total = Launch.Grid.count();
  const int64_t Time = coarseTime();
  Own.Pace = Time == Own.Looked ? std::min(2 * Own.Pace, MostBlocks) : 1;
  Own.Looked = Time;
  const uint64_t Now = Done += std::exchange(Own.Untold, 0);
  if (Now != Total && Time - LastTold.load() < BetweenMs)
    return;
  LastTold = Time;
  std::lock_guard Guard(Lock);
  Options.Progress(Now, Total);
}

/// A block has come to its end, well or not.
void Work::finish(uint64_t Block, BlockRunner &Runner, bool Failed,
                  Share &Own) {
  if (!Failed && Options.OnBlock) {
    Options.OnBlock(Block, Runner.counters());
    exec::add(Own.Sum.Blocks, Runner.counters().Blocks);
    exec::add(Own.Sum.Memory, Runner.counters().Memory);
    Runner.resetCounters();
  }
  keepPrinted(Block, Runner.printed());
  Own.Untold += !Failed;
  if (Options.Progress && (Failed || Own.Untold >= Own.Pace))
    tell(Own);
}

/// A host thread has no more blocks to run.
void Work::add(Share &Own) {
  if (Options.Progress && Own.Untold)
    tell(Own);
  std::lock_guard Guard(Lock);
  add(Own.Sum);
}

void Work::add(const LaunchCounters &C) {
  exec::add(Result.Counters.Blocks, C.Blocks);
  exec::add(Result.Counters.Memory, C.Memory);
}

BlockRunner &Work::runner(unsigned Worker) {
  std::unique_ptr<BlockRunner> &Runner = Runners[Worker];
  if (!Runner) {
    Runner = std::make_unique<BlockRunner>(Kernel, Launch, Memory, Worker,
                                           Options.Counters);
    return *Runner;
  }
  Runner->rebind();
  Runner->resetCounters();
  return *Runner;
}

void Work::run(unsigned Worker) {
  try {
    // As long as the thread: small launches take less time than to change it.
    perThread<SignalStack, Work>();
    std::optional<SignalStack> Watched;
    if (Options.Code)
      Watched.emplace(Options.Code);
    if (Launch.Cluster.count() > 1)
      return runClusters(Worker);
    BlockRunner &Runner = runner(Worker);
    Share Own;
    for (uint64_t Block; (Block = Next++) < End;) {
      std::optional<Fault> F;
      if (Options.Stop && *Options.Stop)
        F = Fault{Fault::Interrupted, Block};
      else
        F = Runner.run(Block, Options.MaxSteps);
      if (F)
        fail(*F);
      finish(Block, Runner, bool(F), Own);
    }
    add(Own);
    std::lock_guard Guard(Lock);
    add(Runner.counters());
  } catch (...) {
    std::lock_guard Guard(Lock);
    Failure = std::current_exception();
    End = 0;
  }
}

/// The same, a cluster at a time: Next and EndCluster count these.
void Work::runClusters(unsigned Worker) {
  const Clusters Shape = clustersOf(Launch);
  ClusterOfBlocks Runner(Kernel, Launch, Memory, Worker, Options.Counters);
  Share Own;
  for (uint64_t Cluster; (Cluster = Next++) < EndCluster;) {
    std::optional<Fault> F;
    if (Options.Stop && *Options.Stop)
      F = Fault{Fault::Interrupted, Shape.block(Cluster, 0)};
    else
      F = Runner.run(Cluster, Options.MaxSteps);
    if (F) {
      std::lock_guard Guard(Lock);
      if (Cluster < EndCluster) {
        EndCluster = Cluster;
        Result.Failed = F;
      }
    }
    for (unsigned Rank = 0; Rank < Runner.size(); ++Rank)
      finish(Shape.block(Cluster, Rank), Runner.block(Rank), bool(F), Own);
  }
  add(Own);
  std::lock_guard Guard(Lock);
  for (unsigned Rank = 0; Rank < Runner.size(); ++Rank)
    add(Runner.block(Rank).counters());
}

/// Blocks that meet: all are there until the last has ended.
static Result<LaunchResult> runTogether(const HeddleWarpKernel &Kernel,
                                        const BoundLaunch &Launch,
                                        DeviceMemory &Memory,
                                        const LaunchOptions &Options) {
  Result<std::unique_ptr<GridRunner>> Grid =
      GridRunner::create(Kernel, Launch, Memory, Options.Counters);
  if (!Grid)
    return std::unexpected(Grid.error());
  LaunchResult R;
  std::map<uint64_t, std::string> Printed;
  (*Grid)->setOnEnd([&](uint64_t Runner) {
    BlockRunner &Block = (*Grid)->block(Runner);
    if (!Block.printed().empty())
      Printed[Block.index()] = Block.printed();
    if (!Options.Counters)
      return;
    if (Block.isDone() && Options.OnBlock)
      Options.OnBlock(Block.index(), Block.counters());
    add(R.Counters.Blocks, Block.counters().Blocks);
    add(R.Counters.Memory, Block.counters().Memory);
    Block.resetCounters();
  });
  auto Start = std::chrono::steady_clock::now();
  R.Failed = (*Grid)->run(Options);
  R.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  for (const auto &[Block, Text] : Printed)
    if (!R.Failed || Block <= R.Failed->Block)
      R.Printed += Text;
  if (R.Printed.size() > MaxPrintedBytes)
    R.Printed.resize(MaxPrintedBytes);
  return R;
}

LaunchRunner::LaunchRunner(const HeddleWarpKernel &Kernel,
                           const BoundLaunch &Launch, DeviceMemory &Memory,
                           LaunchOptions Options)
    : Kernel(Kernel), Launch(Launch), Memory(Memory),
      Options(std::move(Options)) {}

/// A launch that takes one thread less than this ends before others have woken:
/// what Linux needs for it (an assumption).
static constexpr double WakeSeconds = 20e-6;

unsigned LaunchRunner::threads(const Clusters &Shape) const {
  if (Options.InOrder || IsShort)
    return 1;
  return unsigned(
      std::min<uint64_t>({std::max(Options.Threads, 1u), Shape.count(),
                          uint64_t(DeviceMemory::MaxWorkers)}));
}

Result<LaunchResult> LaunchRunner::run() {
  if (blocksMeet(Kernel, Launch))
    return runTogether(Kernel, Launch, Memory, Options);
  const Clusters Shape = clustersOf(Launch);
  const unsigned Threads = threads(Shape);
  if (auto Ok = Memory.makeWindows(Threads, Launch.SharedBytes,
                                   localBytesPerBlock(Launch),
                                   Shape.blocksPerCluster());
      !Ok)
    return std::unexpected(Ok.error());
  FaultGuard Guard;
  Runners.resize(std::max<size_t>(Runners.size(), Threads));
  Work W{Kernel, Launch, Memory, Options, Runners};
  W.End = Launch.Grid.count();
  W.EndCluster = Shape.count();
  auto Start = std::chrono::steady_clock::now();
  if (Threads == 1)
    W.run(0);
  else
    // A small launch has ended before another thread wakes, and does not wait.
    WorkerArena(Threads).runWithHelp([&](unsigned I) { W.run(I); });
  if (W.Failure)
    std::rethrow_exception(W.Failure);
  for (auto &[Block, Text] : W.Printed)
    if (!W.Result.Failed || Block <= W.Result.Failed->Block)
      W.Result.Printed += Text;
  if (W.Result.Printed.size() > MaxPrintedBytes)
    W.Result.Printed.resize(MaxPrintedBytes);
  W.Result.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  IsShort = W.Result.Seconds < WakeSeconds;
  if (W.Result.Failed) // warps were abandoned anywhere
    Runners.clear();
  return std::move(W.Result);
}

/// Runs the launch in another thread, and watches from this one.
static Result<LaunchResult> runWatched(const HeddleWarpKernel &Kernel,
                                       const BoundLaunch &Launch,
                                       DeviceMemory &Memory,
                                       const LaunchOptions &Options) {
  // A kernel that spends its time in the host's mathematical functions is in
  // its own code, where a signal can end it, at few of many attempts.
  constexpr std::chrono::milliseconds BetweenLooks(50), BetweenSignals(1);
  const CompiledCode Code =
      compiledCodeAt(reinterpret_cast<const void *>(Kernel.Run), Options.Stop);
  std::atomic<uint64_t> Done = 0;
  LaunchOptions Inner = Options;
  Inner.Watched = false;
  Inner.Code = &Code;
  Inner.Progress = [&Done](uint64_t Now, uint64_t) { Done = Now; };
  FaultGuard Guard; // a late signal finds a handler
  std::packaged_task<Result<LaunchResult>()> Run(
      [&] { return runLaunch(Kernel, Launch, Memory, Inner); });
  std::future<Result<LaunchResult>> Outcome = Run.get_future();
  std::jthread Thread(std::move(Run));
  const auto IsDone = [&](std::chrono::milliseconds Within) {
    return Outcome.wait_for(Within) == std::future_status::ready;
  };
  const auto IsStopped = [&] { return Options.Stop && *Options.Stop; };
  while (!IsStopped() && !IsDone(BetweenLooks))
    if (Options.Progress)
      Options.Progress(Done, Launch.Grid.count());
  while (IsStopped() && !IsDone(BetweenSignals))
    abandonStopped();
  if (Options.Progress)
    Options.Progress(Done, Launch.Grid.count());
  return Outcome.get();
}

Result<LaunchResult> runLaunch(const HeddleWarpKernel &Kernel,
                               const BoundLaunch &Launch, DeviceMemory &Memory,
                               const LaunchOptions &Options) {
  if (Options.Watched)
    return runWatched(Kernel, Launch, Memory, Options);
  return LaunchRunner(Kernel, Launch, Memory, Options).run();
}

} // namespace heddle::exec
