//===- TraceBenchmark.cpp - Encoding and replaying warps ------------------===//

#include "trace/TraceVerifier.h"
#include "trace/WarpCursor.h"
#include "trace/WarpEncoder.h"

#include <benchmark/benchmark.h>

#include <array>
#include <functional>
#include <random>

using namespace heddle::trace;

namespace {

/// One block with \p NumRecords records of four bytes.
CodeTable makeCode(uint32_t NumRecords) {
  CodeTable Code;
  Code.Blocks.push_back({0, 0, 0, NumRecords});
  for (uint32_t R = 0; R < NumRecords; ++R)
    Code.Memory.push_back({HEDDLE_SPACE_GLOBAL, 0, 4});
  return Code;
}

constexpr unsigned Iterations = 4096;
using Addresses = std::array<uint64_t, 32>;

/// A loop of one block; Fill gives the addresses of a record in an iteration.
WarpTrace
encodeLoop(WarpEncoder &E, uint32_t NumRecords,
           const std::function<const Addresses &(unsigned, uint32_t)> &Fill) {
  for (unsigned I = 0; I < Iterations; ++I) {
    E.block(0, ~0u);
    for (uint32_t R = 0; R < NumRecords; ++R)
      E.memory(R, HEDDLE_SPACE_GLOBAL, ~0u, Fill(I, R).data());
  }
  return E.finish();
}

std::vector<Addresses> affineLoop() {
  std::vector<Addresses> Out(Iterations);
  for (unsigned I = 0; I < Iterations; ++I)
    for (unsigned L = 0; L < 32; ++L)
      Out[I][L] = 0x10000 + I * 4096 + L * 4;
  return Out;
}
std::vector<Addresses> gatherLoop() {
  std::mt19937 Random(1);
  std::vector<Addresses> Out(Iterations);
  for (Addresses &A : Out)
    for (uint64_t &V : A)
      V = 0x10000 + Random() % 65536 * 4;
  return Out;
}

void encode(benchmark::State &State, const std::vector<Addresses> &Table) {
  const uint32_t NumRecords = uint32_t(State.range(0));
  const CodeTable Code = makeCode(NumRecords);
  WarpEncoder E(Code);
  for (auto _ : State)
    benchmark::DoNotOptimize(encodeLoop(
        E, NumRecords,
        [&](unsigned I, uint32_t) -> const Addresses & { return Table[I]; }));
  State.SetItemsProcessed(State.iterations() * Iterations);
}
void encodeAffine(benchmark::State &State) { encode(State, affineLoop()); }
void encodeGather(benchmark::State &State) { encode(State, gatherLoop()); }

void replay(benchmark::State &State, const std::vector<Addresses> &Table) {
  const uint32_t NumRecords = uint32_t(State.range(0));
  const CodeTable Code = makeCode(NumRecords);
  WarpEncoder E(Code);
  const WarpTrace Warp =
      encodeLoop(E, NumRecords, [&](unsigned I, uint32_t) -> const Addresses & {
        return Table[I];
      });
  WarpCursor C;
  uint64_t Sum = 0;
  for (auto _ : State) {
    C.reset(Code, Warp);
    while (C.next())
      for (uint32_t R = 0; R < NumRecords; ++R)
        Sum += C.access(R).Base;
  }
  benchmark::DoNotOptimize(Sum);
  State.SetItemsProcessed(State.iterations() * Iterations);
  State.counters["body_bytes"] = double(Warp.Body.size());
}
void replayAffine(benchmark::State &State) { replay(State, affineLoop()); }
void replayGather(benchmark::State &State) { replay(State, gatherLoop()); }

void verifyGather(benchmark::State &State) {
  const CodeTable Code = makeCode(1);
  const std::vector<Addresses> Table = gatherLoop();
  WarpEncoder E(Code);
  const WarpTrace Warp =
      encodeLoop(E, 1, [&](unsigned I, uint32_t) -> const Addresses & {
        return Table[I];
      });
  BodyVerifier Verifier(Code);
  for (auto _ : State)
    benchmark::DoNotOptimize(Verifier.verify(Warp.Body));
  State.SetItemsProcessed(State.iterations() * Iterations);
}

BENCHMARK(encodeAffine)->Arg(0)->Arg(1)->Arg(4);
BENCHMARK(encodeGather)->Arg(1);
BENCHMARK(replayAffine)->Arg(0)->Arg(1)->Arg(4);
BENCHMARK(replayGather)->Arg(1);
BENCHMARK(verifyGather);

} // namespace
