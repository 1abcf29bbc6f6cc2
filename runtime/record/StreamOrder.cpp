//===- StreamOrder.cpp - Which operations wait for which ------------------===//

#include "record/StreamOrder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::record {

using launch::OperationKind;

static void join(OperationSet &To, const OperationSet &More) {
  To.insert(To.end(), More.begin(), More.end());
  std::ranges::sort(To);
  const auto Twice = std::ranges::unique(To);
  To.erase(Twice.begin(), Twice.end());
}

static std::string nameOf(StreamKind Kind, uint64_t Index) {
  switch (Kind) {
  case StreamKind::Legacy:
    return "default stream";
  case StreamKind::Blocking:
    return fmt::format("stream {}", Index);
  case StreamKind::NonBlocking:
    return fmt::format("non-blocking stream {}", Index);
  case StreamKind::InOrder:
    return fmt::format("queue {}", Index);
  case StreamKind::OutOfOrder:
    return fmt::format("out-of-order queue {}", Index);
  }
  return {};
}

/// Stream 0 of each recording is the host itself.
void StreamOrder::begin() {
  if (NextStream == 0)
    declare("host", 0);
}

void StreamOrder::declare(std::string Name, unsigned Priority) {
  if (Write)
    Write(RecordKind::Stream,
          Encoder().number(NextStream).text(Name).number(Priority));
  if (Kept)
    Kept->Streams.push_back({std::move(Name), Priority});
  ++NextStream;
}

void StreamOrder::stream(const void *Handle, StreamKind Kind,
                         unsigned Priority) {
  begin();
  const auto [It, Fresh] = Streams.try_emplace(Handle);
  if (!Fresh)
    return;
  It->second.Kind = Kind;
  It->second.Index = NextStream;
  declare(nameOf(Kind, It->second.Index), Priority);
}

void StreamOrder::drop(const void *Handle) {
  const auto It = Streams.find(Handle);
  if (It == Streams.end())
    return;
  join(Dropped, issued(Handle));
  Streams.erase(It);
}

const StreamOrder::State *StreamOrder::legacy() const {
  for (const auto &[Handle, S] : Streams)
    if (S.Kind == StreamKind::Legacy)
      return &S;
  return nullptr;
}

OperationSet StreamOrder::before(const void *Stream) const {
  const State &S = Streams.at(Stream);
  OperationSet Set = S.Waits;
  if (S.Last)
    join(Set, {*S.Last});
  // What the stream's own last operation waited for is not named again.
  const auto IsLater = [](const State &A, const State &B) {
    return A.Last && (!B.Last || *A.Last > *B.Last);
  };
  if (S.Kind == StreamKind::Blocking)
    if (const State *L = legacy()) {
      join(Set, L->Waits);
      if (IsLater(*L, S))
        join(Set, {*L->Last});
    }
  if (S.Kind == StreamKind::Legacy)
    for (const auto &[Handle, Other] : Streams)
      if (Other.Kind == StreamKind::Blocking) {
        join(Set, Other.Waits);
        if (IsLater(Other, S))
          join(Set, {*Other.Last});
      }
  return Set;
}

OperationSet StreamOrder::issued(const void *Stream) const {
  OperationSet Set = before(Stream);
  join(Set, Streams.at(Stream).Open);
  return Set;
}

uint64_t StreamOrder::add(uint64_t Stream, OperationKind Kind, uint64_t Bytes,
                          OperationSet Before) {
  std::erase_if(Before, [&](uint64_t N) { return Waited[N]; });
  join(Before, LastHost ? OperationSet{*LastHost} : OperationSet());
  if (Write) {
    Encoder E;
    E.number(uint64_t(Kind)).number(Stream).number(Bytes).number(Before.size());
    for (uint64_t N : Before)
      E.number(Next - N);
    Write(RecordKind::Operation, std::move(E));
  }
  if (Kept)
    Kept->All.push_back(
        {Kind, Stream, Bytes, {Before.begin(), Before.end()}, Launches});
  Launches += Kind == OperationKind::Launch;
  Waited.push_back(false);
  return Next++;
}

uint64_t StreamOrder::node(const void *Stream, OperationKind Kind,
                           uint64_t Bytes, const OperationSet &Before) {
  return add(Streams.at(Stream).Index, Kind, Bytes, Before);
}

uint64_t StreamOrder::operation(const void *Stream, OperationKind Kind,
                                uint64_t Bytes, const OperationSet &Events) {
  State &S = Streams.at(Stream);
  const bool InOrder = S.Kind != StreamKind::OutOfOrder;
  OperationSet Before = InOrder ? before(Stream) : S.Waits;
  join(Before, Events);
  const uint64_t Number = add(S.Index, Kind, Bytes, std::move(Before));
  if (InOrder) {
    S.Last = Number;
    S.Waits.clear();
  } else {
    S.Open.push_back(Number);
  }
  return Number;
}

void StreamOrder::wait(const void *Stream, const OperationSet &Events) {
  join(Streams.at(Stream).Waits, Events);
}

void StreamOrder::barrier(const void *Stream) {
  State &S = Streams.at(Stream);
  join(S.Waits, std::exchange(S.Open, {}));
}

void StreamOrder::hostWaits(const OperationSet &Events) {
  OperationSet Set;
  join(Set, Events);
  std::erase_if(Set, [&](uint64_t N) { return Waited[N]; });
  if (Set.empty())
    return;
  begin();
  LastHost = add(0, OperationKind::Host, 0, Set);
  for (uint64_t N : Set)
    Waited[N] = true;
}

void StreamOrder::copiedByHost(uint64_t Bytes) {
  begin();
  hostWaits({add(0, OperationKind::ToDevice, Bytes, {})});
}

OperationSet StreamOrder::all() const {
  OperationSet Set = Dropped;
  for (const auto &[Handle, S] : Streams)
    join(Set, issued(Handle));
  return Set;
}

} // namespace heddle::record
