//===- ExecutedTrace.cpp - A launch as it runs, as a trace ----------------===//

#include "exec/ExecutedTrace.h"

#include "exec/TraceAddresses.h"

#include <fmt/format.h>

namespace heddle::exec {

/// What a warp's hooks need.
struct ExecutedTrace::Observer {
  const trace::CodeTable &Code;
  trace::WarpEncoder Encoder;
  bool Recording = false;

  explicit Observer(const trace::CodeTable &Code) : Code(Code), Encoder(Code) {}
};

ExecutedTrace::ExecutedTrace(trace::TraceHeader Header, trace::CodeTable Code,
                             const HeddleWarpKernel &Kernel,
                             const BoundLaunch &Launch,
                             const DeviceMemory &Memory, SourceMap Source,
                             uint64_t MaxSteps)
    : Header(std::move(Header)), Code(std::move(Code)), Launch(Launch),
      Memory(Memory), Source(std::move(Source)), MaxSteps(MaxSteps),
      Runner(Kernel, Launch, Memory, 0, false) {
  for (unsigned W = 0; W < Launch.warpsPerBlock(); ++W) {
    Observers.push_back(std::make_unique<Observer>(this->Code));
    Runner.setObserver(W, Observers.back().get());
  }
}

ExecutedTrace::~ExecutedTrace() = default;

void ExecutedTrace::onBlock(HeddleWarp *W, uint32_t Block, uint32_t Mask) {
  auto *O = static_cast<Observer *>(W->Observer);
  if (O->Recording)
    O->Encoder.block(Block, Mask);
}

void ExecutedTrace::onMemory(HeddleWarp *W, uint32_t Record, uint32_t Mask,
                             const uint64_t *Addresses) {
  auto *O = static_cast<Observer *>(W->Observer);
  if (!O->Recording)
    return;
  auto Space = HeddleMemorySpace(O->Code.Memory[Record].Space);
  uint64_t Translated[32];
  Space = toTraceAddresses(*W, Space, Mask, Addresses, Translated);
  O->Encoder.memory(Record, Space, Mask, Translated);
}

/// Runs everything up to and including block \p Index, which is recorded.
Result<void> ExecutedTrace::runTo(uint64_t Index) {
  SignalStack Stack;
  for (; Next <= Index; ++Next) {
    for (auto &O : Observers)
      O->Recording = Next == Index;
    if (std::optional<Fault> F = Runner.run(Next, MaxSteps)) {
      for (auto &O : Observers)
        (void)O->Encoder.finish(); // what was half recorded
      return fail(describe(*F, Launch, Memory, Source, MaxSteps));
    }
  }
  Latest.Index = Index;
  Latest.Warps.clear();
  for (auto &O : Observers)
    Latest.Warps.push_back(O->Encoder.finish());
  return {};
}

Result<void> ExecutedTrace::read(uint64_t Index, trace::BlockTrace &Out) {
  if (Index >= Launch.Grid.count())
    return fail(fmt::format("thread block {} asked for, the grid has {}", Index,
                            Launch.Grid.count()));
  if (Independent && Index + 1 != Next)
    Next = Index;
  if (Index + 1 < Next)
    return fail(
        fmt::format("thread block {} has already been executed; blocks of "
                    "an executed launch can only be read in order",
                    Index));
  if (Index >= Next)
    if (Result<void> Ok = runTo(Index); !Ok)
      return Ok;
  Out = Latest;
  return {};
}

} // namespace heddle::exec
