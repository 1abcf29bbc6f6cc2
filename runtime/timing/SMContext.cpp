//===- SMContext.cpp - One streaming multiprocessor -----------------------===//

#include "timing/SMContext.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::timing;

SMContext::SMContext(const Machine &M, unsigned Index)
    : S(M, Index), Flow(S), Memory(S, Flow), Collect(S, Flow, Memory),
      Issue(S, Flow, Memory, Collect) {
  S.Blocks.FreeSlots.assign(M.BlocksPerSM, 0);
}

void SMContext::give(trace::BlockTrace Block, Cycle NotBefore) {
  S.Blocks.Waiting.push_back({std::move(Block), NotBefore});
  S.Blocks.findNextStart();
  Next = std::min(Next, S.Blocks.NextStart);
}

void SMContext::delay(unsigned First, unsigned End, Cycle NotBefore) {
  for (unsigned N = First; N < End; ++N)
    S.Blocks.Waiting[N].NotBefore = NotBefore;
  S.Blocks.findNextStart();
  Next = std::min(Next, S.Blocks.NextStart);
}

trace::BlockTrace SMContext::takeBack() {
  trace::BlockTrace Block = std::move(S.Blocks.Waiting.back().Trace);
  S.Blocks.Waiting.pop_back();
  S.Blocks.findNextStart();
  return Block;
}

trace::BlockTrace SMContext::takeSpent() {
  if (S.Blocks.Spent.empty())
    return {};
  trace::BlockTrace Block = std::move(S.Blocks.Spent.back());
  S.Blocks.Spent.pop_back();
  return Block;
}

Cycle SMContext::freeSince() const {
  return freeSlots() > waiting() ? S.Blocks.FreeSlots[waiting()] : NeverCycle;
}

Cycle SMContext::freeSince(unsigned Others) const {
  return freeSlots() > waiting() + Others
             ? S.Blocks.FreeSlots[waiting() + Others]
             : NeverCycle;
}

void SMContext::openCluster(const ClusterOpening &O) {
  auto IsThere = [&](const ResidentBlock &B) {
    return B.Live && B.Cluster == O.Cluster;
  };
  if (std::ranges::none_of(S.Blocks.Slots, IsThere))
    return;
  S.Clusters.Openings.push_back(O);
  S.Clusters.Next = std::min(S.Clusters.Next, O.At);
  Next = std::min(Next, O.At);
}

void SMContext::hear(const ClusterMessage &M) {
  auto IsThere = [&](const ResidentBlock &B) {
    return B.Live && B.Cluster == M.Cluster && B.Rank == M.Rank;
  };
  if (std::ranges::none_of(S.Blocks.Slots, IsThere))
    return;
  S.Clusters.Coming.push_back(M);
  S.Clusters.Next = std::min(S.Clusters.Next, M.At);
  Next = std::min(Next, M.At);
}

void SMContext::deliver(std::span<const memory::MemoryResponse> Responses) {
  if (Responses.empty())
    return;
  if (Taken * 2 >= Inbox.size()) {
    Inbox.erase(Inbox.begin(), Inbox.begin() + Taken);
    Taken = 0;
  }
  auto Earlier = [](const auto &A, const auto &B) {
    return A.Due != B.Due ? A.Due < B.Due : A.Token < B.Token;
  };
  const bool InOrder =
      Taken == Inbox.size() || Inbox.back().Due <= Responses.front().Due;
  const auto New =
      Inbox.insert(Inbox.end(), Responses.begin(), Responses.end());
  if (!InOrder) {
    // Mostly both parts are sorted already.
    const auto Old = Inbox.begin() + Taken;
    for (const auto &[From, To] :
         {std::pair(Old, New), std::pair(New, Inbox.end())})
      if (!std::is_sorted(From, To, Earlier))
        std::sort(From, To, Earlier);
    Merged.resize(Inbox.size() - Taken);
    std::merge(Old, New, New, Inbox.end(), Merged.begin(), Earlier);
    std::swap(Inbox, Merged);
    Taken = 0;
  }
  NextResponse = Inbox[Taken].Due;
  Next = std::min(Next, NextResponse);
  for (const memory::MemoryResponse &R : Responses)
    __builtin_prefetch(&S.Port.flight(R.Token), 1);
  if (S.Clusters.hasSeveral())
    for (const memory::MemoryResponse &R : Responses)
      Memory.foresee(R);
}

void SMContext::openGridBarrier(Cycle At) {
  S.Blocks.Grid.Arrived = 0;
  S.Blocks.Grid.Opens = At;
  Next = std::min(Next, At);
}

/// Other SMs have run meanwhile: brings what the warps that go on need back
/// into the host's cache, many lines at a time.
static void prefetchWarps(SMState &S) {
  for (unsigned Index = 0; Index != S.Schedulers.size(); ++Index)
    __builtin_prefetch(S.Schedulers[Index].Policy.get(), 1);
  for (const ResidentBlock &B : S.Blocks.Slots)
    for (uint64_t Left = B.Live ? B.Warps : 0; Left; Left &= Left - 1) {
      const auto Slot = unsigned(std::countr_zero(Left));
      const Warp &W = S.Warps[Slot];
      if (W.Phase != WarpPhase::Ready && W.Phase != WarpPhase::Timed)
        continue;
      S.Warps.cursor(Slot).prefetch();
      for (unsigned I = 0; I != 4; ++I)
        S.Registers.prefetch(Slot, W.Inst->Registers[I]);
    }
}

void SMContext::run(Cycle End, InstSample *Samples) {
  S.Tell.samplesTo(Samples);
  S.Registers.moveOn(std::min(Next, End));
  Memory.prefetch(std::span(Inbox).subspan(Taken), End);
  prefetchWarps(S);
  while (Next < End) {
    Cycle Now = Next;
    step(Now);
    Next = findNext(Now);
  }
  // The next window begins at once: where windows end decides which SM gets a
  // block, and shall not depend on when collectors can move what they hold.
  if (Collect.busy())
    Next = End;
}

/// The unit that sent the request gets the answer.
void SMContext::receive(const memory::MemoryResponse &R, Cycle Now) {
  Flight F;
  if (!S.Port.receive(R.Token, R.FromDRAM, F))
    return;
  Memory.retry();
  switch (F.To) {
  case ReplyTo::Instructions:
    Flow.linesArrived(F, Now);
    break;
  case ReplyTo::GridBarrier:
    ++S.Blocks.Grid.Arrived;
    S.Blocks.Grid.Last = Now;
    break;
  default:
    Memory.respond(F, Now);
  }
}

void SMContext::step(Cycle Now) {
  while (NextResponse <= Now) {
    receive(Inbox[Taken], Now);
    NextResponse = ++Taken < Inbox.size() ? Inbox[Taken].Due : NeverCycle;
  }
  if (S.Blocks.NextStart <= Now)
    Flow.startBlocks(Now);
  if (S.Blocks.Grid.Opens <= Now)
    Flow.openGridBarrier(Now);
  if (S.Clusters.Next <= Now) {
    Flow.openClusters(Now);
    Memory.clusterArrived(Now);
    S.Clusters.findNext();
  }
  if (Memory.next() <= Now)
    Memory.serveQueue(Now);
  if (Collect.busy())
    Collect.cycle(Now);
  if (uint64_t Due = S.Wheel.take(Now))
    Flow.wake(Due, Now);
  if (S.Schedulers.ready())
    Issue.cycle(Now);
  if (Flow.wantsFetch())
    Flow.fetch(Now);
}

Cycle SMContext::findNext(Cycle Now) const {
  Cycle At = Flow.wantsFetch() ? Now + 1 : NeverCycle;
  At = std::min(At, S.Wheel.next(Now));
  if (At != Now + 1 && Collect.busy())
    At = std::min(At, Collect.next(Now));
  if (At == Now + 1)
    return At;
  At = std::min({At, S.Blocks.NextStart, S.Blocks.Grid.Opens, S.Clusters.Next,
                 Memory.next(), NextResponse});
  if (S.Schedulers.ready())
    At = std::min(At, Issue.nextIssue(Now));
  return std::max(At, Now + 1);
}

SMTotals SMContext::totals(Cycle Now) const {
  SMTotals T;
  static_cast<SMCounters &>(T) = S.Tell.Counters;
  // Blocks that were cut short count as far as they came.
  if (S.Blocks.Resident)
    T.ActiveCycles += Now - std::min(Now, S.Blocks.ActiveSince);
  for (const ResidentBlock &B : S.Blocks.Slots)
    if (B.Live)
      T.ResidentWarpCycles +=
          std::popcount(B.Warps) * (Now - std::min(Now, B.Start));
  for (unsigned P = 0; P != S.Pipes.numPipes(); ++P) {
    SMTotals::Pipe &Pipe = T.Pipes.emplace_back();
    S.Pipes.totals(P, Pipe.Issued, Pipe.BusyCycles);
    Pipe.Units = S.Pipes.units(P);
  }
  if (S.M.L1.Size)
    T.L1 = Memory.l1().counters();
  if (S.M.Spec.Constant.Size)
    T.ConstCache = Memory.constants().counters();
  if (S.M.Spec.Texture.Size)
    T.TextureCache = Memory.textures().counters();
  if (S.M.Spec.ICache.Size)
    T.InstCache = Flow.fetchUnit().counters();
  T.LoadWaits = S.Tell.Waits.sum();
  T.LastBlockEnd = S.Blocks.LastEnd;
  return T;
}

std::optional<uint32_t> SMContext::awaitsRegisters() const {
  for (unsigned W = 0; W < S.Warps.size(); ++W)
    if (Flow.awaitsRegisters(W))
      return S.Warps[W].BookedAt;
  return std::nullopt;
}

std::string SMContext::describe() const {
  static constexpr std::array<const char *, 10> Names = {
      "free",  "timed",   "refetch", "fetch", "line miss",
      "ready", "pending", "barrier", "fence", "drain"};
  std::array<unsigned, 10> Count{};
  for (unsigned W = 0; W < S.Warps.size(); ++W)
    ++Count[unsigned(S.Warps[W].Phase)];
  std::string Text = fmt::format(
      "SM {}: {} blocks resident, {} waiting, {} memory "
      "instructions queued{}, {} requests under way, warps:",
      S.Index, S.Blocks.Resident, S.Blocks.Waiting.size(), Memory.queued(),
      Memory.blocked() ? " (blocked)" : "", S.Port.inFlight());
  for (unsigned P = 1; P < Names.size(); ++P)
    if (Count[P])
      Text += fmt::format(" {} {}", Count[P], Names[P]);
  return Text;
}
