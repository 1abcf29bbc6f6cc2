//===- SavedStateFuzzer.cpp - Hostile states of simulations ---------------===//
//
// Changes the state of a small simulation that was stopped, as `simulate
// --resume` keeps it: each three bytes of the input are a place and what is
// put there; the first byte says whether the rest of the state is cut off
// behind the last place. Most of it must be refused. What is accepted is not
// simulated: with the checksum that its file needs it can come from Heddle
// only. Counters that no simulation has are found when the result is made.
//
//===----------------------------------------------------------------------===//

#include "SyntheticLaunch.h"

#include "arch/SpecReader.h"
#include "timing/SavedState.h"
#include "timing/Simulator.h"
#include "trace/Compression.h"

#include <cstdlib>
#include <stdexcept>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

namespace {

struct Held : StateKeeper {
  std::span<const uint8_t> kept() override { return State; }
  bool wants() override { return false; }
  void keep(Cycle, std::vector<uint8_t> New) override {
    State = std::move(New);
  }
  std::vector<uint8_t> State;
};

/// A launch, a machine of one SM, and the state after some cycles.
struct Stopped {
  SyntheticSource Source;
  arch::GPUSpec Spec;
  std::vector<uint8_t> State; ///< not compressed

  static SyntheticSource launch() {
    CodeBuilder Code;
    Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
    Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_SHARED, {}, {1});
    Code.add(HEDDLE_OP_BARRIER, {}, {});
    Code.add(HEDDLE_OP_MAD, {2}, {1, 1});
    return SyntheticSource(
        Code.Table, 6, 64,
        [](trace::WarpEncoder &E, uint64_t Block, unsigned Warp) {
          std::array<uint64_t, 32> At;
          for (unsigned Round = 0; Round < 4; ++Round) {
            for (unsigned L = 0; L < 32; ++L)
              At[L] = (Block * 64 + Warp * 32 + Round * 7 + L) * 4 % 4096;
            E.block(0, ~0u);
            E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u, At.data());
            E.memory(1, HEDDLE_SPACE_SHARED, ~0u, At.data());
          }
        });
  }
  static arch::GPUSpec machine() {
    const std::string Small[] = {"l2.size=96 KiB"};
    auto M = arch::loadMachine("gtx480", Small);
    if (!M)
      M = arch::loadMachine("gtx480");
    M->SM.Count = 1;
    return *M;
  }
  Stopped() : Source(launch()), Spec(machine()) {
    Source.Header.SharedBytesPerBlock = 4096;
    Held Kept;
    SimulationOptions O;
    O.States = &Kept;
    O.OnProgress = [](const SimulationProgress &P) { return P.Now < 600; };
    const auto R = simulate(Source, Spec, O);
    if (!R || Kept.State.empty())
      std::abort();
    State = *trace::decompress(Kept.State, uint64_t(1) << 30);
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  static Stopped Run;
  if (Size < 4)
    return 0;
  std::vector<uint8_t> State = Run.State;
  size_t Last = 0;
  for (size_t I = 1; I + 3 <= Size; I += 3) {
    // Two bytes reach all of the state, in steps.
    const size_t At =
        (Bytes[I] | size_t(Bytes[I + 1]) << 8) * State.size() >> 16;
    State[Last = At] = Bytes[I + 2];
  }
  if (Bytes[0] & 1)
    State.resize(Last + 1);
  Held Kept;
  Kept.State = trace::compress(State, 1);
  SimulationOptions O;
  O.States = &Kept;
  O.OnProgress = [](const SimulationProgress &) { return false; };
  try {
    const auto R = simulate(Run.Source, Run.Spec, O);
    if (!R && R.error().Message.empty())
      std::abort();
  } catch (const std::logic_error &) { // of a condition on results
  }
  return 0;
}
