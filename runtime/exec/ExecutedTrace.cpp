//===- ExecutedTrace.cpp - A launch as it runs, as a trace ----------------===//

#include "exec/ExecutedTrace.h"

#include "exec/TraceAddresses.h"

#include <fmt/format.h>

namespace heddle::exec {

/// What a warp's hooks need.
struct ExecutedTrace::Observer {
  ExecutedTrace &Of;
  trace::WarpEncoder Encoder;
  bool Recording = false;

  explicit Observer(ExecutedTrace &Of)
      : Of(Of), Encoder(Of.Code, Of.Header.Order) {}
};

ExecutedTrace::ExecutedTrace(trace::TraceHeader Header, trace::CodeTable Code,
                             const HeddleWarpKernel &Kernel,
                             const BoundLaunch &Launch, DeviceMemory &Memory,
                             SourceMap Source, uint64_t MaxSteps)
    : Header(std::move(Header)), Code(std::move(Code)), Kernel(Kernel),
      Launch(Launch), Memory(Memory), Source(std::move(Source)),
      MaxSteps(MaxSteps), Runner(Kernel, Launch, Memory, 0, false),
      Together(blocksMeet(Kernel, Launch)),
      KeepsAll(Together && !GridRunner::runsInOrder(Kernel)) {
  for (unsigned Rank = 0; Rank < Runner.size(); ++Rank)
    for (unsigned W = 0; W < Launch.warpsPerBlock(); ++W) {
      Observers.push_back(std::make_unique<Observer>(*this));
      Runner.block(Rank).setObserver(W, Observers.back().get());
    }
}

ExecutedTrace::~ExecutedTrace() = default;

/// Looks up often enough for a person who waits, and seldom enough to cost
/// nothing: some hundred times a second.
void ExecutedTrace::countStep() {
  constexpr uint64_t StepsPerLook = uint64_t(1) << 17;
  if (++Steps % StepsPerLook == 0 && Watched && !Watched(Steps))
    abandonKernel();
}

void ExecutedTrace::onBlock(HeddleWarp *W, uint32_t Block, uint32_t Mask) {
  auto *O = static_cast<Observer *>(W->Observer);
  O->Of.countStep();
  if (O->Recording)
    O->Encoder.block(Block, Mask);
}

void ExecutedTrace::onMemory(HeddleWarp *W, uint32_t Record, uint32_t Mask,
                             const uint64_t *Addresses) {
  auto *O = static_cast<Observer *>(W->Observer);
  if (!O->Recording)
    return;
  auto Space = HeddleMemorySpace(O->Of.Code.Memory[Record].Space);
  uint64_t Translated[32];
  Space = toTraceAddresses(*W, Space, Mask, Addresses, Translated);
  O->Encoder.memory(Record, Space, Mask, Translated);
}

std::unexpected<Error> ExecutedTrace::failed(const Fault &F) const {
  return fail(Explain ? Explain(F)
                      : describe(F, Launch, Memory, Source, MaxSteps));
}

/// Runs a cluster, whose blocks are then held if they are recorded.
std::optional<Fault> ExecutedTrace::runCluster(uint64_t Cluster, bool Record) {
  SignalStack Stack;
  for (auto &O : Observers)
    O->Recording = Record;
  if (std::optional<Fault> F = Runner.run(Cluster, MaxSteps)) {
    for (auto &O : Observers)
      (void)O->Encoder.finish(); // what was half recorded
    return F;
  }
  if (!Record)
    return std::nullopt;
  const unsigned Warps = Launch.warpsPerBlock();
  for (unsigned Rank = 0; Rank < Runner.size(); ++Rank) {
    const uint64_t Index = clustersOf(Launch).block(Cluster, Rank);
    trace::BlockTrace &To = Held[Index];
    To.Index = Index;
    To.Warps.clear();
    for (unsigned W = 0; W < Warps; ++W)
      To.Warps.push_back(Observers[Rank * Warps + W]->Encoder.finish());
  }
  return std::nullopt;
}

/// For a launch whose blocks run at the same time: keeps what each has done.
Result<void> ExecutedTrace::makeGrid() {
  auto Made = GridRunner::create(Kernel, Launch, Memory, false);
  if (!Made)
    return std::unexpected(Made.error());
  Grid = std::move(*Made);
  const unsigned Warps = Launch.warpsPerBlock();
  OfGrid.clear();
  Grid->setOnMake([this, Warps](uint64_t Runner) {
    for (unsigned W = 0; W < Warps; ++W) {
      OfGrid.push_back(std::make_unique<Observer>(*this));
      OfGrid.back()->Recording = true;
      Grid->block(Runner).setObserver(W, OfGrid.back().get());
    }
  });
  Grid->setOnEnd([this, Warps](uint64_t Runner) {
    trace::BlockTrace Recorded;
    Recorded.Index = Grid->block(Runner).index();
    for (unsigned W = 0; W < Warps; ++W)
      Recorded.Warps.push_back(OfGrid[Runner * Warps + W]->Encoder.finish());
    if (Recorded.Index >= Wanted)
      Held[Recorded.Index] = std::move(Recorded);
  });
  return {};
}

/// Runs as many blocks as block \p Index takes, or all.
std::optional<Fault> ExecutedTrace::runGrid(uint64_t Index) {
  LaunchOptions InOrder;
  InOrder.MaxSteps = MaxSteps;
  if (servesAnyOrder())
    return Grid->run(InOrder);
  Wanted = Index;
  Held.erase(Held.begin(), Held.lower_bound(Index));
  return Grid->runUntil(Index, InOrder);
}

static std::unexpected<Error> alreadyExecuted(uint64_t Index) {
  return fail(
      fmt::format("thread block {} has already been executed; blocks of "
                  "an executed launch can only be read in order",
                  Index));
}

Result<void> ExecutedTrace::readTogether(uint64_t Index,
                                         trace::BlockTrace &Out) {
  if (!Held.contains(Index) && Index >= Wanted) {
    if (!Grid)
      if (Result<void> Made = makeGrid(); !Made)
        return Made;
    if (std::optional<Fault> F = runGrid(Index)) {
      Grid.reset();
      Held.clear();
      return failed(*F);
    }
    if (servesAnyOrder())
      Grid.reset();
  }
  auto At = Held.find(Index);
  if (At == Held.end())
    return alreadyExecuted(Index);
  Out = At->second;
  return {};
}

Result<void> ExecutedTrace::read(uint64_t Index, trace::BlockTrace &Out) {
  if (Index >= Launch.Grid.count())
    return fail(fmt::format("thread block {} asked for, the grid has {}", Index,
                            Launch.Grid.count()));
  return Together ? readTogether(Index, Out) : readInOrder(Index, Out);
}

/// Runs everything up to and including the cluster of block \p Index.
Result<void> ExecutedTrace::readInOrder(uint64_t Index,
                                        trace::BlockTrace &Out) {
  const uint64_t Cluster = clustersOf(Launch).clusterOf(Index);
  const bool HasIt =
      Held.contains(Index) || (Latest.Index == Index && !Latest.Warps.empty());
  if (Independent && !HasIt)
    Next = Cluster;
  if (Cluster < Next && !HasIt)
    return alreadyExecuted(Index);
  // Readers go up through the grid, or through the clusters.
  Held.erase(Held.begin(), Held.lower_bound(Index));
  for (; Next <= Cluster; ++Next)
    if (std::optional<Fault> F =
            runCluster(Next, Next == Cluster || Runner.size() > 1))
      return failed(*F);
  if (auto It = Held.find(Index); It != Held.end()) {
    Latest = std::move(It->second);
    Held.erase(It);
  }
  Out = Latest;
  return {};
}

} // namespace heddle::exec
