//===- Timeline.cpp - What the program gives to the GPU -------------------===//

#include "cuda/Timeline.h"

#include <algorithm>

namespace heddle::cuda {

using launch::Operation;
using launch::OperationKind;

Timeline::Timeline(const arch::GPUSpec &Machine,
                   record::StreamOrder::Sink Write, bool HasTimes)
    : Machine(Machine),
      Order(std::move(Write), HasTimes ? &Operations : nullptr) {
  Order.stream(nullptr, record::StreamKind::Legacy);
}

void Timeline::operation(OperationKind Kind, uint64_t Bytes, bool Waits) {
  uint64_t Number;
  if (Now.Node) {
    Number = Order.node(Now.Stream, Kind, Bytes, *Now.Node);
    Now.Node = {Number};
  } else {
    Number = Order.operation(Now.Stream, Kind, Bytes);
  }
  if (Waits)
    Order.hostWaits({Number});
}

/// Finds the last time that the host has waited for all that it had issued:
/// what comes then begins when all before has ended.
void Timeline::settle() {
  const auto &All = Operations.All;
  const size_t Begin = Settled;
  std::vector<bool> IsAwaited(All.size() - Begin);
  size_t Open = 0; // that nothing waits for yet
  size_t Launches = SettledLaunches;
  for (size_t N = Begin; N < All.size(); ++N) {
    for (size_t Before : All[N].Waits)
      if (Before >= Begin && !IsAwaited[Before - Begin]) {
        IsAwaited[Before - Begin] = true;
        --Open;
      }
    ++Open;
    Launches += All[N].Kind == OperationKind::Launch;
    // Stream 0 is the host itself (record/StreamOrder.h).
    if (Open == 1 && All[N].Stream == 0 && All[N].Kind == OperationKind::Host) {
      Settled = N + 1;
      SettledLaunches = Launches;
    }
  }
}

/// Those that have not settled.
void Timeline::schedule() {
  launch::Operations Part{Operations.Streams, {}};
  for (size_t N = Settled; N < Operations.All.size(); ++N) {
    Operation O = Operations.All[N];
    std::erase_if(O.Waits, [&](size_t Before) { return Before < Settled; });
    for (size_t &Before : O.Waits)
      Before -= Settled;
    O.Launch -= SettledLaunches;
    Part.All.push_back(std::move(O));
  }
  const streams::StreamSchedule Times = streams::scheduleStreams(
      Part, std::span(Uses).subspan(SettledLaunches), Machine);
  const double Begin = Settled ? EndUs[Settled - 1] : 0;
  EndUs.resize(Settled);
  for (const streams::Span &S : Times.Operations)
    EndUs.push_back(Begin + S.EndUs);
  settle();
}

double Timeline::us(const Point &At) {
  if (EndUs.size() < Operations.All.size())
    schedule();
  double Us = At.Host ? EndUs[*At.Host] : 0;
  for (uint64_t Number : At.After)
    Us = std::max(Us, EndUs[Number]);
  return Us;
}

} // namespace heddle::cuda
