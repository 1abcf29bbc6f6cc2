//===- LoneSM.cpp - One SM with an analytic memory ------------------------===//

#include "timing/LoneSM.h"

#include <algorithm>
#include <stdexcept>

using namespace heddle;
using namespace heddle::timing;

void LoneSM::give(const trace::BlockTrace &Block, Cycle NotBefore) {
  trace::BlockTrace Copy = SM.takeSpent();
  Copy = Block;
  SM.give(std::move(Copy), NotBefore);
}

std::span<const Event> LoneSM::runWindow() {
  const Cycle Begin = SM.nextEvent();
  if (Begin == NeverCycle)
    throw std::logic_error("an SM with an analytic memory hangs: " +
                           SM.describe());
  Now = Begin + Memory.minRoundTrip();
  SM.run(Now, Samples.data());
  Requests.clear();
  SM.port().takeSent(Now, Requests);
  Responses.clear();
  for (const memory::MemoryRequest &R : Requests)
    memory::forEachPart(R, [&](const memory::MemoryRequest &Part) {
      Responses.push_back(Memory.serve(Part));
    });
  std::ranges::sort(Responses, {}, [](const memory::MemoryResponse &R) {
    return std::pair(R.Due, R.Token);
  });
  SM.deliver(Responses);
  SM.takeEvents(Events);
  return Events;
}
