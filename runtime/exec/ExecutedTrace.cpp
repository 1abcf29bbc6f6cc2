//===- ExecutedTrace.cpp - A launch as it runs, as a trace ----------------===//

#include "exec/ExecutedTrace.h"

#include <fmt/format.h>

#include <bit>

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

namespace {
/// Takes addresses to what traces have (see WarpEncoder::memory): lane l moves
/// down by Base + l * Step.
struct Translation {
  uint64_t Base, Step;

  Translation(const HeddleWarp &W, HeddleMemorySpace Space) {
    switch (Space) {
    case HEDDLE_SPACE_SHARED:
      Base = reinterpret_cast<uint64_t>(W.Shared);
      Step = 0;
      break;
    case HEDDLE_SPACE_LOCAL:
      Base = reinterpret_cast<uint64_t>(W.Local);
      Step = W.LocalStride;
      break;
    default:
      Base = 0 - DeviceMemory::toDevice(0);
      Step = 0;
    }
  }
  uint64_t operator()(unsigned Lane, uint64_t Address) const {
    return Address - Base - Lane * Step;
  }
};
} // namespace

void ExecutedTrace::onMemory(HeddleWarp *W, uint32_t Record, uint32_t Mask,
                             const uint64_t *Addresses) {
  auto *O = static_cast<Observer *>(W->Observer);
  if (!O->Recording)
    return;
  auto Space = HeddleMemorySpace(O->Code.Memory[Record].Space);
  bool Generic = Space == HEDDLE_SPACE_GENERIC;
  // Lanes of one access that point into different memories are recorded as
  // those of the first: a machine would split the access, a trace does not.
  if (Generic)
    Space = heddleSpaceOfAddress(Addresses[std::countr_zero(Mask)]);
  uint64_t Translated[32];
  if (Generic) {
    for (uint32_t M = Mask; M; M &= M - 1) {
      unsigned L = std::countr_zero(M);
      Translated[L] =
          Translation(*W, heddleSpaceOfAddress(Addresses[L]))(L, Addresses[L]);
    }
  } else {
    // Lanes that do not access come along: that is cheaper than a look.
    const Translation T(*W, Space);
    for (unsigned L = 0; L < 32; ++L)
      Translated[L] = T(L, Addresses[L]);
  }
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
