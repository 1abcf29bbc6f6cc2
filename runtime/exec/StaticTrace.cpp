//===- StaticTrace.cpp - A launch's static trace --------------------------===//

#include "exec/StaticTrace.h"

#include "exec/TraceAddresses.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::exec {

/// Variants of a warp that are kept: the inside, edges and corners of a grid.
static constexpr size_t MaxVariants = 32;

StaticTrace::StaticTrace(trace::TraceHeader Header, trace::CodeTable Code,
                         const HeddleWarpKernel &Kernel,
                         const BoundLaunch &Launch, const DeviceMemory &Memory,
                         SourceMap Source, uint64_t MaxSteps)
    : Header(std::move(Header)), Code(std::move(Code)), Kernel(Kernel),
      Launch(Launch), Memory(Memory), Source(std::move(Source)),
      MaxSteps(MaxSteps), Runner(Kernel, Launch, Memory, 0, false),
      Encoder(this->Code, this->Header.Order),
      Variants(Launch.warpsPerBlock()) {
  for (unsigned W = 0; W < Launch.warpsPerBlock(); ++W)
    Runner.setObserver(W, this);
}

/// Looks up some hundred times a second.
bool StaticTrace::goesOn() {
  constexpr uint64_t StepsPerLook = uint64_t(1) << 12;
  if (++Steps % StepsPerLook == 0 && Watched && !Watched(Steps))
    Stopped = true;
  return !Stopped;
}

void StaticTrace::onBlock(HeddleWarp *W, uint32_t Block, uint32_t Mask) {
  auto *T = static_cast<StaticTrace *>(W->Observer);
  if (!T->goesOn())
    W->StepsLeft = 0; // the evaluator ends at the next block
  T->Encoder.block(Block, Mask);
}

void StaticTrace::onMemory(HeddleWarp *W, uint32_t Record, uint32_t Mask,
                           const uint64_t *Addresses) {
  auto *T = static_cast<StaticTrace *>(W->Observer);
  uint64_t Translated[32];
  HeddleMemorySpace Space =
      toTraceAddresses(*W, HeddleMemorySpace(T->Code.Memory[Record].Space),
                       Mask, Addresses, Translated);
  T->Encoder.memory(Record, Space, Mask, Translated);
}

void StaticTrace::onReach(HeddleWarp *W, const HeddleWarpReach *Reach) {
  auto &T = *static_cast<StaticTrace *>(W->Observer);
  Variant &V = *T.Current;
  T.Assumed += Reach->NumAssumed;
  V.OnlyHere = Reach->OnlyHere;
  V.Conditions.assign(Reach->Conditions,
                      Reach->Conditions + Reach->NumConditions);
  V.Moves.clear();
  for (uint32_t N = 0; N < Reach->NumMoves; ++N)
    V.Moves.push_back(
        {Reach->Moves[N][0], Reach->Moves[N][1], Reach->Moves[N][2]});
}

static std::array<int64_t, 3> distance(const Dim3 &From, const Dim3 &To) {
  return {int64_t(To.X) - int64_t(From.X), int64_t(To.Y) - int64_t(From.Y),
          int64_t(To.Z) - int64_t(From.Z)};
}

static int64_t product(const int64_t *A, const std::array<int64_t, 3> &B) {
  return A[0] * B[0] + A[1] * B[1] + A[2] * B[2];
}

bool StaticTrace::Variant::holdsFor(const Dim3 &Block) const {
  const std::array<int64_t, 3> Steps = distance(At, Block);
  if (OnlyHere)
    return Steps == std::array<int64_t, 3>{};
  for (const HeddleBlockCondition &C : Conditions)
    if (product(C.PerBlock, Steps) + C.Slack < 0)
      return false;
  return true;
}

trace::WarpTrace StaticTrace::Variant::movedTo(const Dim3 &Block) const {
  trace::WarpTrace T = Trace;
  const std::array<int64_t, 3> Steps = distance(At, Block);
  for (size_t N = 0; N < T.Bases.size() && N < Moves.size(); ++N)
    T.Bases[N] += uint64_t(product(Moves[N].data(), Steps));
  return T;
}

Result<void> StaticTrace::evaluate(uint64_t Index, unsigned Warp,
                                   Variant &Out) {
  HeddleWarp &W = Runner.warp(Warp);
  Out.At = Launch.Grid.at(Index);
  W.BlockIdx[0] = Out.At.X;
  W.BlockIdx[1] = Out.At.Y;
  W.BlockIdx[2] = Out.At.Z;
  Runner.placeInCluster(W, Out.At);
  W.ClusterRank = W.BlockInCluster[0] +
                  W.ClusterDim[0] * (W.BlockInCluster[1] +
                                     W.ClusterDim[1] * W.BlockInCluster[2]);
  // Nothing is written there, so that one window is enough.
  W.Shared = W.ClusterShared + (uint64_t(W.ClusterRank) << W.WindowShift);
  W.StepsLeft = MaxSteps;
  W.Error = HEDDLE_ERROR_NONE;
  W.ErrorBlock = W.ErrorInst = ~0u;
  Current = &Out;
  const uint32_t Status = Kernel.Run(&W);
  Out.Trace = Encoder.finish();
  ++Evaluated;
  if (Status == HEDDLE_WARP_DONE)
    return {};
  if (Stopped)
    return fail("interrupted");
  Fault F{Fault::Trap, Index, Warp, W.ErrorBlock, W.ErrorInst};
  std::string Line = Source.of(F);
  if (W.Error == HEDDLE_ERROR_UNSUPPORTED)
    return fail((Line.empty() ? "" : Line + ": ") +
                "a static trace cannot evaluate this instruction, on which "
                "control or an address depends; use --mode sliced");
  if (W.Error == HEDDLE_ERROR_OPEN_LOOP)
    return fail(fmt::format(
        "{}this loop has gone round {} times; what could end it before is "
        "loaded data or an atomic, which other warps may change and a static "
        "trace does not know; say --assume LINE=COUNT or use --mode sliced",
        Line.empty() ? "" : Line + ": ", +HEDDLE_MAX_OPEN_ITERATIONS));
  F.What = W.Error == HEDDLE_ERROR_STEP_LIMIT ? Fault::StepLimit : Fault::Trap;
  return fail(describe(F, Launch, Memory, Source, MaxSteps));
}

Result<void> StaticTrace::read(uint64_t Index, trace::BlockTrace &Out) {
  if (Index >= Launch.Grid.count())
    return fail(fmt::format("thread block {} asked for, the grid has {}", Index,
                            Launch.Grid.count()));
  const Dim3 At = Launch.Grid.at(Index);
  Out.Index = Index;
  Out.Warps.resize(Variants.size());
  Out.Counts.clear();
  for (unsigned W = 0; W < Variants.size(); ++W) {
    std::vector<Variant> &Known = Variants[W];
    auto It = std::ranges::find_if(
        Known, [&](const Variant &V) { return V.holdsFor(At); });
    if (It != Known.end()) {
      Out.Warps[W] = It->movedTo(At);
      ++Moved;
      continue;
    }
    Variant New;
    if (Result<void> Ok = evaluate(Index, W, New); !Ok)
      return Ok;
    Out.Warps[W] = New.Trace;
    if (New.OnlyHere)
      continue;
    if (Known.size() >= MaxVariants)
      Known.erase(Known.begin());
    Known.push_back(std::move(New));
  }
  return {};
}

} // namespace heddle::exec
