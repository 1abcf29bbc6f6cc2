//===- Simulator.cpp - Cycle-level simulation of a launch -----------------===//

#include "timing/Simulator.h"

#include "arch/Occupancy.h"
#include "base/WorkerArena.h"
#include "memory/AddressMap.h"
#include "memory/AddressSpaces.h"
#include "timing/ClusterExchange.h"
#include "timing/Dispatcher.h"
#include "timing/LaunchChecks.h"
#include "timing/ResultBuilder.h"
#include "timing/SMContext.h"
#include "timing/SavedState.h"
#include "trace/GridBarriers.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::timing;

namespace {

/// One simulation: the SMs, the memory behind them and the windows of time in
/// which they run apart.
class Simulation {
public:
  Simulation(const Machine &M, trace::TraceSource &Source,
             const SimulationOptions &Options)
      : M(M), Options(Options), Launch(Source),
        BlocksMeet(trace::blocksMeet(Source)),
        HasClusters(Source.header().Cluster.count() > 1),
        Workers(tbb::global_control::max_allowed_parallelism,
                std::max(1u, Options.Threads)),
        Arena(std::max(1u, Options.Threads)), Memory(M.Spec),
        WindowCycles(std::max<Cycle>(
            1, HasClusters ? std::min<Cycle>(Memory.minRoundTrip(),
                                             M.Spec.Cluster.Latency)
                           : Memory.minRoundTrip())),
        SMs(makeSMs(M)), Warmer(Source.code(), M.Spec, Memory),
        Blocks(Options.States ? Hashed.emplace(Source) : Source, M.Spec, SMs,
               Options.Control, Warmer),
        Samples([Size = M.Code.size()] {
          return std::vector<InstSample>(std::max<size_t>(1, Size));
        }),
        Exchange(M) {
    if (Options.L2)
      findL2(*Options.L2, Source);
    for (const DeviceRange &R : Options.Preloaded)
      Memory.preload(R.Address, R.Bytes);
    RunParallel = [this](unsigned N, const std::function<void(unsigned)> &F) {
      forEach(N, F);
    };
  }

  /// Goes on from the state that is kept, if one is.
  Result<void> goOn();
  Result<void> run();
  SimulationResult result(const arch::Occupancy &O) const;
  /// Leaves L2 to the next launch, and ends this one.
  void leaveL2() { Options.L2->Slices = Memory.takeL2(); }

private:
  void findL2(memory::L2Contents &L2, const trace::TraceSource &Source);
  static std::vector<std::unique_ptr<SMContext>> makeSMs(const Machine &M) {
    std::vector<std::unique_ptr<SMContext>> SMs;
    for (unsigned I = 0; I < M.Spec.SM.Count; ++I)
      SMs.push_back(std::make_unique<SMContext>(M, I));
    return SMs;
  }

  template <typename Fn> void forEach(unsigned N, const Fn &F) {
    if (Options.Threads <= 1 || N <= 1) {
      for (unsigned I = 0; I < N; ++I)
        F(I);
      return;
    }
    Arena.forEach(N, F);
  }

  SimulationParts parts(std::vector<InstSample> &Sums) {
    return {Launch, *Hashed, Memory, SMs, Blocks, Exchange, Sums, LastEnd};
  }
  void keepState();
  Result<void> prepareWindow();
  Cycle nextSMEvent() const;
  uint64_t atGrid() const;
  void openGridBarrier();
  void runWindow(Cycle End);
  void collectRequests(Cycle End);
  Result<void> exchange(Cycle End);
  Result<void> checkAddresses() const;
  void report();
  void tellControl();
  std::vector<uint64_t> issuedByInst();
  bool keepGoing(Cycle Now);
  [[noreturn]] void hang(Cycle Now) const;

  const Machine &M;
  const SimulationOptions &Options;
  const trace::TraceSource &Launch;
  const bool BlocksMeet;       ///< at barriers of the grid
  const bool HasClusters;      ///< of several blocks
  tbb::global_control Workers; ///< even if the host has fewer
  WorkerArena Arena;
  memory::MemorySystem Memory;
  Cycle WindowCycles;
  std::vector<std::unique_ptr<SMContext>> SMs;
  CacheWarmer Warmer;
  std::optional<trace::HashedSource> Hashed; ///< if states are kept
  Dispatcher Blocks;
  tbb::enumerable_thread_specific<std::vector<InstSample>> Samples;
  std::function<void(unsigned, const std::function<void(unsigned)> &)>
      RunParallel;
  std::vector<unsigned> Active;
  std::vector<memory::MemoryRequest> Requests;
  std::vector<uint32_t> Starts; ///< scratch of collectRequests()
  std::vector<memory::MemoryResponse> Responses;
  std::vector<std::vector<memory::MemoryResponse>> PerSM;
  std::vector<Event> Events;
  std::vector<std::pair<Cycle, uint32_t>> Order; ///< of these
  std::vector<Event> Sorted;
  std::vector<uint64_t> Ended;
  ClusterExchange Exchange;
  Cycle LastEnd = 0;
  bool IsPrepared = false; ///< the next window, before the state was kept
  bool Truncated = false;
};

} // namespace

/// Code of all kernels has the same addresses here: that of another one goes.
void Simulation::findL2(memory::L2Contents &L2,
                        const trace::TraceSource &Source) {
  const std::string &Kernel = Source.header().Kernel;
  if (!L2.Slices.empty()) {
    Memory.putL2(std::move(L2.Slices));
    if (L2.Kernel != Kernel)
      Memory.drop(memory::CodeBase, L2.CodeBytes);
  }
  L2.Kernel = Kernel;
  L2.CodeBytes = M.Code.size() * M.Spec.FrontEnd.InstructionBytes;
}

Cycle Simulation::nextSMEvent() const {
  Cycle Next = NeverCycle;
  for (const auto &SM : SMs)
    Next = std::min(Next, SM->nextEvent());
  return Next;
}

/// Blocks that have arrived at the barrier of the grid.
uint64_t Simulation::atGrid() const {
  uint64_t Arrived = 0;
  for (const auto &SM : SMs)
    Arrived += SM->gridBarrier().Arrived;
  return Arrived;
}

/// Lets the blocks go on if all have arrived. Each block reads the counter in a
/// loop; the read of the slowest has just missed the last arrival, and the next
/// takes a round trip to the L2.
void Simulation::openGridBarrier() {
  if (atGrid() != Blocks.total())
    return;
  Cycle Last = 0;
  for (const auto &SM : SMs)
    if (SM->gridBarrier().Arrived)
      Last = std::max(Last, SM->gridBarrier().Last);
  for (const auto &SM : SMs)
    SM->openGridBarrier(std::max(LastEnd, Last + Memory.minRoundTrip()));
}

Result<void> Simulation::goOn() {
  const std::span<const uint8_t> Bytes = Options.States->kept();
  if (Bytes.empty())
    return {};
  std::vector<InstSample> &Sums = Samples.local();
  if (Result<void> R = loadState(parts(Sums), Bytes); !R)
    return R;
  IsPrepared = true;
  return {};
}

void Simulation::keepState() {
  std::vector<InstSample> Sums(Samples.local().size());
  for (const std::vector<InstSample> &Table : Samples)
    for (size_t I = 0; I < Sums.size(); ++I)
      Sums[I] += Table[I];
  Options.States->keep(LastEnd, saveState(parts(Sums)));
}

/// Hands out blocks, and lets those go on that have met.
Result<void> Simulation::prepareWindow() {
  // Whoever keeps states wants none with half of the blocks handed out; only
  // the first ones may take long.
  const auto GoesOn = [this] {
    return (Options.States && LastEnd) || keepGoing(LastEnd);
  };
  if (Result<void> R = Blocks.distribute(LastEnd, GoesOn); !R)
    return R;
  if (BlocksMeet)
    openGridBarrier();
  if (HasClusters) {
    Exchange.openBarriers(SMs, LastEnd);
    Exchange.passMessages(SMs);
  }
  return {};
}

Result<void> Simulation::run() {
  PerSM.resize(SMs.size());
  for (;;) {
    if (!std::exchange(IsPrepared, false))
      if (Result<void> R = prepareWindow(); !R) {
        // Whoever wants an end has also interrupted the block that was read.
        if (keepGoing(LastEnd))
          return R;
        Truncated = true;
        return {};
      }
    Cycle Begin = std::min(nextSMEvent(), Memory.nextDue());
    if (Begin == NeverCycle) {
      if (Blocks.given() != Blocks.total() && !keepGoing(LastEnd)) {
        Truncated = true; // before there was a block
        return {};
      }
      if (BlocksMeet && atGrid())
        return fail(fmt::format(
            "{} of {} thread blocks wait at a barrier of the grid to which the "
            "others do not come",
            atGrid(), Blocks.total()));
      if (Result<void> Ok = checkHang(SMs, M); !Ok)
        return Ok;
      if (Exchange.awaits())
        return fail("thread blocks wait at a barrier of their cluster to which "
                    "others do not come");
      for (const auto &SM : SMs)
        if (SM->busy())
          hang(LastEnd);
      return {};
    }
    const bool Stops = !keepGoing(Begin);
    if (Options.States && LastEnd &&
        (Stops ? Begin < Options.MaxCycles : Options.States->wants()))
      keepState();
    if (Stops) {
      Truncated = true;
      return {};
    }
    if (Begin > LastEnd) {
      // Nobody has anything to do: let the memory catch up.
      LastEnd = Begin;
      if (Result<void> R = exchange(Begin); !R)
        return R;
      if (HasClusters)
        Exchange.passMessages(SMs);
      if (nextSMEvent() > Begin)
        continue;
    }
    Cycle End = std::min(LastEnd + WindowCycles, Options.MaxCycles);
    runWindow(End);
    LastEnd = End;
    if (Result<void> R = exchange(End); !R)
      return R;
    report();
    tellControl();
  }
}

void Simulation::runWindow(Cycle End) {
  Active.clear();
  for (unsigned I = 0; I < SMs.size(); ++I)
    if (SMs[I]->nextEvent() < End)
      Active.push_back(I);
  // Integer sums: which thread adds what to which table does not matter.
  forEach(Active.size(), [&](unsigned I) {
    SMs[Active[I]]->run(End, Samples.local().data());
  });
}

/// Puts the requests that leave before \p End in order: by time, SM and
/// sequence. A counting sort by time; the SMs come in turn and keep their own
/// order.
void Simulation::collectRequests(Cycle End) {
  Requests.clear();
  Cycle First = End;
  for (auto &SM : SMs)
    First = std::min(First, SM->port().nextSent());
  if (First == End)
    return;
  Starts.assign(End - First + 1, 0);
  for (auto &SM : SMs)
    SM->port().countSent(First, End, std::span(Starts).subspan(1));
  std::partial_sum(Starts.begin(), Starts.end(), Starts.begin());
  Requests.resize(Starts.back());
  for (auto &SM : SMs)
    SM->port().takeSent(First, End, Starts, Requests);
}

/// An error that names the instruction of a request beyond any device memory.
Result<void> Simulation::checkAddresses() const {
  uint64_t All = 0;
  for (const memory::MemoryRequest &R : Requests)
    All |= R.Line;
  constexpr uint64_t End = uint64_t(1) << memory::AddressMap::AddressBits;
  if (All < End) [[likely]]
    return {};
  const auto R = std::ranges::find_if(
      Requests, [&](const auto &Each) { return Each.Line >= End; });
  const trace::CodeTable &Code = M.Code.table();
  const uint32_t Line =
      R->Inst < Code.Insts.size() ? Code.Insts[R->Inst].SourceLine : 0;
  return fail(
      "line {}: an access to address 0x{:x}, but a GPU's addresses have "
      "{} bits; look for a wild index",
      Line, R->Line, memory::AddressMap::AddressBits);
}

/// Hands the requests of the window to the memory system, and its responses
/// to the SMs.
Result<void> Simulation::exchange(Cycle End) {
  collectRequests(End);
  if (Result<void> R = checkAddresses(); !R)
    return R;
  Responses.clear();
  Memory.process(Requests, End, Responses, RunParallel);
  if (Responses.empty())
    return {};
  for (auto &List : PerSM)
    List.clear();
  for (const memory::MemoryResponse &R : Responses)
    PerSM[R.SM].push_back(R);
  for (unsigned I = 0; I < SMs.size(); ++I)
    SMs[I]->deliver(PerSM[I]);
  return {};
}

void Simulation::report() {
  if (!Options.Listener)
    return;
  for (auto &SM : SMs) {
    SM->takeEvents(Events);
    if (Events.empty())
      continue;
    // Waits are recorded when they end; sort by time, else keep the order.
    Order.clear();
    for (uint32_t I = 0; I < Events.size(); ++I)
      Order.emplace_back(Events[I].Time, I);
    std::sort(Order.begin(), Order.end());
    Sorted.clear();
    for (auto [Time, I] : Order)
      Sorted.push_back(Events[I]);
    Options.Listener->onEvents(Sorted);
  }
}

void Simulation::tellControl() {
  Ended.clear();
  uint64_t WarpInstructions = 0;
  for (auto &SM : SMs) {
    SM->takeEnded(Ended);
    WarpInstructions += SM->counters().WarpInstructions;
  }
  if (!Options.Control)
    return;
  WindowState State;
  State.Now = LastEnd;
  State.WarpInstructions = WarpInstructions;
  State.Ended = Ended;
  State.L2FilledBytes = Memory.counters().L2Misses * M.Spec.L2.Sector;
  State.IssuedByInst = [this] { return issuedByInst(); };
  Options.Control->onWindow(State);
}

std::vector<uint64_t> Simulation::issuedByInst() {
  std::vector<uint64_t> Issued(M.Code.size());
  for (const std::vector<InstSample> &Table : Samples)
    for (size_t I = 0; I < Issued.size(); ++I)
      Issued[I] += Table[I].Issued;
  return Issued;
}

bool Simulation::keepGoing(Cycle Now) {
  if (Now >= Options.MaxCycles)
    return false;
  if (!Options.OnProgress)
    return true;
  SimulationProgress P;
  P.Now = Now;
  P.Blocks = Blocks.total();
  for (const auto &SM : SMs) {
    P.BlocksDone += SM->counters().BlocksDone;
    P.WarpInstructions += SM->counters().WarpInstructions;
  }
  return Options.OnProgress(P);
}

void Simulation::hang(Cycle Now) const {
  std::string Message =
      fmt::format("the timing model hangs at cycle {} with warps alive", Now);
  for (const auto &SM : SMs)
    if (SM->busy())
      Message += "\n  " + SM->describe();
  throw std::logic_error(Message);
}

SimulationResult Simulation::result(const arch::Occupancy &O) const {
  ResultBuilder Builder(M, O);
  for (const auto &SM : SMs)
    Builder.add(SM->totals(LastEnd));
  for (const std::vector<InstSample> &Table : Samples)
    Builder.add(Table);
  Builder.add(Memory.counters(), Memory.gpcCounters());
  SimulationResult R = Builder.finish(Truncated, LastEnd, Blocks.allStarted());
  R.WarmedSectors = Warmer.accesses();
  R.WarmedMisses = Warmer.misses();
  return R;
}

static bool leavesOut(const SimulationOptions &Options) {
  return Options.Control && Options.Control->mayLeaveOut();
}

/// Blocks that wait for each other must all be resident at once.
static Result<void> checkCooperative(const trace::TraceHeader &Launch,
                                     const arch::GPUSpec &Spec,
                                     const arch::Occupancy &O,
                                     const SimulationOptions &Options) {
  const uint64_t Places = uint64_t(O.BlocksPerSM) * Spec.SM.Count;
  if (Launch.Grid.count() > Places)
    return fail(fmt::format(
        "too many blocks in cooperative launch: kernel '{}' has a barrier of "
        "the grid, so its {} blocks must all be resident; machine '{}' holds "
        "{} ({} SMs, {} blocks each)",
        Launch.Kernel, Launch.Grid.count(), Spec.Name, Places, Spec.SM.Count,
        O.BlocksPerSM));
  if (leavesOut(Options))
    return fail(fmt::format("kernel '{}' has a barrier of the grid "
                            "(grid.sync()): its blocks wait for each other, so "
                            "none can be left out; `heddle simulate` takes the "
                            "whole launch",
                            Launch.Kernel));
  return {};
}

static Result<void> checkControl(const trace::TraceHeader &Launch,
                                 const SimulationOptions &Options) {
  if (Launch.Cluster.count() == 1 || !leavesOut(Options))
    return {};
  return fail(fmt::format("kernel '{}' is launched in clusters: their blocks "
                          "wait for each other, so none can be left out; "
                          "`heddle simulate` takes the whole launch",
                          Launch.Kernel));
}

Result<SimulationResult>
heddle::timing::simulate(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                         const SimulationOptions &Options) {
  if (Result<void> Ok = Contract.check(Spec); !Ok)
    return std::unexpected(Ok.error());
  const trace::TraceHeader &Launch = Source.header();
  if (Result<void> Ok = checkControl(Launch, Options); !Ok)
    return std::unexpected(Ok.error());
  if (Options.States && (Options.Listener || Options.Control))
    return fail("a simulation whose state is kept has neither listener nor "
                "control");
  Result<arch::Occupancy> O = checkedOccupancy(Source, Spec);
  if (!O)
    return std::unexpected(O.error());

  DecodedCode Code(Source.code(), Spec);
  const Machine M(Spec, Code, Launch, *O,
                  Options.Listener ? Options.Listener->wants() : NoEvents);
  if (trace::blocksMeet(Source))
    if (Result<void> Ok = checkCooperative(Launch, Spec, *O, Options); !Ok)
      return std::unexpected(Ok.error());
  Simulation Run(M, Source, Options);
  if (Options.States)
    if (Result<void> R = Run.goOn(); !R)
      return std::unexpected(R.error());
  if (Result<void> R = Run.run(); !R)
    return std::unexpected(R.error());
  SimulationResult Out = Run.result(*O);
  if (Options.L2)
    Run.leaveL2();
  return Out;
}
