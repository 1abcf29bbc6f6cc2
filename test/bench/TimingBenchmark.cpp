//===- TimingBenchmark.cpp - Speed of the timing model's SM loop
//--------------===//
//
// items_per_second is simulated warp instructions per second of this machine.
// Launches are made up, so that one mechanism rules in each.
//
//===----------------------------------------------------------------------===//

#include "SyntheticLaunch.h"

#include "arch/SpecReader.h"

#include <benchmark/benchmark.h>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// A loop over block 1, entered \p Times times, with one access of each of its
/// memory records per iteration.
static SyntheticSource loopLaunch(const CodeBuilder &Code, unsigned Blocks,
                                  unsigned Times, HeddleMemorySpace Space,
                                  uint64_t Stride, uint64_t Scatter) {
  unsigned Records = Code.Table.Blocks[1].NumMemory;
  return SyntheticSource(
      Code.Table, Blocks, 256,
      [=](trace::WarpEncoder &E, uint64_t B, unsigned W) {
        E.block(0, ~0u);
        uint64_t Warp = B * 8 + W;
        for (unsigned I = 0; I < Times; ++I) {
          E.block(1, ~0u);
          for (unsigned R = 0; R < Records; ++R) {
            uint64_t Base =
                Space == HEDDLE_SPACE_SHARED
                    ? W * 128 + R * 4
                    : (uint64_t(R) << 32) + (Warp * Times + I) * 32 * Stride;
            auto A = lanes(Base, Stride);
            if (Scatter)
              for (unsigned L = 0; L < 32; ++L)
                A[L] = (Warp * 7919 + I * 104729 + L * 1299709 + R * 31) *
                       Scatter % (1 << 24);
            E.memory(R, Space, ~0u, A.data());
          }
        }
      });
}

static void simulateOn(benchmark::State &State, SyntheticSource &Source,
                       const char *Machine) {
  arch::GPUSpec Spec = *arch::loadMachine(Machine);
  uint64_t Insts = 0;
  for (auto _ : State) {
    SimulationResult R = run(Source, Spec);
    Insts += R.WarpInstructions;
    State.counters["ipc_per_sm"] = R.IPC / Spec.SM.Count;
  }
  State.SetItemsProcessed(Insts);
}

static const char *machine(const benchmark::State &State) {
  return State.range(0) == 0 ? "v100" : "reference-qv100";
}

static void computeBound(benchmark::State &State) {
  CodeBuilder Code;
  Code.add(HEDDLE_OP_MOVE, {1}, {});
  Code.newBlock();
  for (unsigned I = 0; I < 16; ++I)
    Code.add(HEDDLE_OP_MAD, {uint16_t(I % 4 + 2)}, {uint16_t(I % 4 + 2), 1, 1});
  Code.add(HEDDLE_OP_BRANCH, {}, {1});
  SyntheticSource S = loopLaunch(Code, 320, 60, HEDDLE_SPACE_GLOBAL, 4, 0);
  simulateOn(State, S, machine(State));
}
BENCHMARK(computeBound)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

static void latencyBound(benchmark::State &State) {
  CodeBuilder Code;
  Code.add(HEDDLE_OP_MOVE, {1}, {});
  Code.newBlock();
  Code.chain(16);
  Code.add(HEDDLE_OP_BRANCH, {}, {1});
  SyntheticSource S = loopLaunch(Code, 80, 200, HEDDLE_SPACE_GLOBAL, 4, 0);
  simulateOn(State, S, machine(State));
}
BENCHMARK(latencyBound)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

static void memoryLoop(benchmark::State &State, HeddleMemorySpace Space,
                       uint64_t Stride, uint64_t Scatter) {
  CodeBuilder Code;
  Code.add(HEDDLE_OP_MOVE, {1}, {});
  Code.newBlock();
  Code.memory(HEDDLE_OP_LOAD, Space, {2}, {1});
  Code.memory(HEDDLE_OP_LOAD, Space, {3}, {1});
  for (unsigned I = 0; I < 6; ++I)
    Code.add(HEDDLE_OP_MAD, {uint16_t(4 + I % 2)}, {2, 3, uint16_t(4 + I % 2)});
  Code.add(HEDDLE_OP_BRANCH, {}, {1});
  SyntheticSource S = loopLaunch(Code, 640, 24, Space, Stride, Scatter);
  simulateOn(State, S, machine(State));
}
static void shared(benchmark::State &State) {
  memoryLoop(State, HEDDLE_SPACE_SHARED, 4, 0);
}
static void streaming(benchmark::State &State) {
  memoryLoop(State, HEDDLE_SPACE_GLOBAL, 4, 0);
}
static void gather(benchmark::State &State) {
  memoryLoop(State, HEDDLE_SPACE_GLOBAL, 4, 4);
}
BENCHMARK(shared)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(streaming)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(gather)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
