//===- SMGroup.cpp - SMs with an analytic memory --------------------------===//

#include "timing/SMGroup.h"

#include "timing/LaunchChecks.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

using namespace heddle;
using namespace heddle::timing;

/// What other SMs of the cluster do is not there sooner than its latency.
static Cycle windowOf(const Machine &M, const FarMemory &Memory) {
  const Cycle RoundTrip = Memory.minRoundTrip();
  return M.Launch.Cluster.count() == 1
             ? RoundTrip
             : std::clamp<Cycle>(M.Spec.Cluster.Latency, 1, RoundTrip);
}

SMGroup::SMGroup(const Machine &M, unsigned First, FarMemory &Memory)
    : M(M), Memory(Memory), Window(windowOf(M, Memory)), First(First),
      Exchange(M), Samples(std::max<size_t>(1, M.Code.size())),
      Responses(M.Launch.Cluster.count()) {
  for (unsigned Rank = 0; Rank < Responses.size(); ++Rank)
    SMs.push_back(std::make_unique<SMContext>(M, First + Rank));
}

bool SMGroup::wantsBlocks() const {
  if (size() == 1)
    return SMs.front()->waiting() < M.BlocksPerSM;
  return std::ranges::all_of(
      SMs, [](const auto &SM) { return SM->freeSince() != NeverCycle; });
}

void SMGroup::give(std::span<const trace::BlockTrace *const> Blocks,
                   Cycle NotBefore) {
  Cycle Start = NotBefore;
  if (size() > 1)
    for (const auto &SM : SMs)
      Start = std::max({Start, Now, SM->freeSince()});
  for (unsigned Rank = 0; Rank < size(); ++Rank) {
    trace::BlockTrace Copy = SMs[Rank]->takeSpent();
    Copy = *Blocks[Rank];
    SMs[Rank]->give(std::move(Copy), Start);
  }
}

bool SMGroup::busy() const {
  return std::ranges::any_of(
      SMs, &SMContext::busy,
      [](const auto &SM) -> const SMContext & { return *SM; });
}

/// Hands the requests of the window to the memory in the order of time, and its
/// answers to the SMs.
void SMGroup::serve() {
  Requests.clear();
  for (const auto &SM : SMs)
    SM->port().takeSent(Now, Requests);
  if (size() > 1)
    std::ranges::sort(Requests, {}, [](const memory::MemoryRequest &R) {
      return std::tuple(R.Sent, R.SM, R.Sequence);
    });
  for (auto &List : Responses)
    List.clear();
  for (const memory::MemoryRequest &R : Requests)
    memory::forEachPart(R, [&](const memory::MemoryRequest &Part) {
      const memory::MemoryResponse Answer = Memory.serve(Part);
      Responses[Part.SM - First].push_back(Answer);
      if (Answer.Kind == memory::RequestKind::Write)
        StoresTaken = std::max(StoresTaken, Answer.Due);
    });
  for (unsigned Rank = 0; Rank < size(); ++Rank) {
    std::ranges::sort(Responses[Rank], {}, [](const memory::MemoryResponse &R) {
      return std::pair(R.Due, R.Token);
    });
    SMs[Rank]->deliver(Responses[Rank]);
  }
}

Result<std::span<const Event>> SMGroup::runWindow() {
  if (size() > 1) {
    Exchange.openBarriers(SMs, Now);
    Exchange.passMessages(SMs);
  }
  Cycle Begin = NeverCycle;
  for (const auto &SM : SMs)
    Begin = std::min(Begin, SM->nextEvent());
  if (Begin == NeverCycle) {
    if (Result<void> Ok = checkHang(SMs, M); !Ok)
      return std::unexpected(Ok.error());
    if (Exchange.awaits())
      return fail("thread blocks wait at a barrier of their cluster to which "
                  "others do not come");
    throw std::logic_error("an SM with an analytic memory hangs: " +
                           SMs.front()->describe());
  }
  Now = Begin + Window;
  for (const auto &SM : SMs)
    SM->run(Now, Samples.data());
  serve();
  Events.clear();
  for (const auto &SM : SMs) {
    SM->takeEvents(OfOne);
    Events.insert(Events.end(), OfOne.begin(), OfOne.end());
  }
  if (size() > 1)
    std::ranges::sort(Events, {}, [](const Event &E) {
      return std::tuple(E.Time, E.SM, E.Block);
    });
  return Events;
}

Result<void> SMGroup::sendRest() {
  auto HasMore = [](const auto &SM) { return SM->nextEvent() != NeverCycle; };
  while (std::ranges::any_of(SMs, HasMore))
    if (const auto Events = runWindow(); !Events)
      return std::unexpected(Events.error());
  return {};
}

uint64_t SMGroup::issued() const {
  uint64_t Sum = 0;
  for (const auto &SM : SMs)
    Sum += SM->counters().WarpInstructions;
  return Sum;
}

std::vector<SMTotals> SMGroup::totals() const {
  std::vector<SMTotals> Out;
  for (const auto &SM : SMs)
    Out.push_back(SM->totals(Now));
  return Out;
}
