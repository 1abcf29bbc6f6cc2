//===- EngineRun.cpp - Times a launch on one of our engines ---------------===//
//
// What `utils/reproduce exec` measures: the same launch several times on fresh
// data in warm memory. Prints JSON: seconds to make the engine, CPU seconds of
// each repetition, and the warp instructions executed (of the prepared IR).
//
//===----------------------------------------------------------------------===//

#include "CommonOptions.h"

#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <ctime>

using namespace heddle;
using namespace heddle::tool;

namespace {

double cpuSeconds() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}

/// The contents of all buffers, to start each repetition from the same.
class Snapshot {
public:
  explicit Snapshot(exec::DeviceMemory &Memory) : Memory(Memory) {
    for (const auto &B : Memory.buffers()) {
      auto Bytes = Memory.bytes(*B);
      Saved.emplace_back(Bytes.begin(), Bytes.end());
    }
  }
  void restore() {
    for (size_t I = 0; I < Saved.size(); ++I)
      std::memcpy(Memory.bytes(*Memory.buffers()[I]).data(), Saved[I].data(),
                  Saved[I].size());
  }

private:
  exec::DeviceMemory &Memory;
  std::vector<std::vector<uint8_t>> Saved;
};

exec::LaunchCounters runOnce(Session &S, const Engine &E, bool Counters) {
  exec::LaunchOptions Options;
  Options.Counters = Counters;
  Options.InOrder = S.blockOrderMatters();
  exec::LaunchResult Result =
      take(exec::runLaunch(E.kernel(), S.bound(), S.memory(), Options));
  if (Result.Failed)
    throw CommandError{S.message(*Result.Failed)};
  return Result.Counters;
}

void measure(const tool::SessionOptions &Options, const EngineOptions &Engines,
             unsigned Repeat, bool Sliced) {
  const auto Opened = take(Session::create(Options));
  Session &S = *Opened;
  Snapshot Start(S.memory());
  EngineOptions Counting = Engines;
  Counting.Counters = true;
  uint64_t Instructions = 0, Floating = 0;
  exec::LaunchCounters Counts = runOnce(S, *take(S.makeEngine(Counting)), true);
  for (unsigned B = 0; B < S.numbering().numBlocks(); ++B) {
    const llvm::BasicBlock *Block = S.numbering().block(B);
    Instructions += Counts.Blocks[2 * B] * Block->size();
    for (const llvm::Instruction &I : *Block)
      if (I.getType()->isFPOrFPVectorTy() &&
          llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CallInst>(
              I))
        Floating += Counts.Blocks[2 * B];
  }

  ControlSlice Slice;
  double Begin = cpuSeconds();
  if (Sliced)
    Slice = makeControlSlice(S.kernel());
  std::unique_ptr<Engine> E =
      take(S.makeEngine(Engines, Sliced ? *Slice.Kernel : S.kernel()));
  nlohmann::ordered_json Result = {
      {"engine", S.engineName()},
      {"compile_seconds", cpuSeconds() - Begin},
      {"warp_instructions", Instructions},
      {"float_share",
       Instructions ? double(Floating) / double(Instructions) : 0.0}};
  if (Sliced)
    Result["kept"] = double(Slice.Counts.Kept) / Slice.Counts.Instructions;
  for (unsigned R = 0; R < Repeat; ++R) {
    Start.restore();
    Begin = cpuSeconds();
    runOnce(S, *E, Engines.Counters);
    Result["cpu_seconds"].push_back(cpuSeconds() - Begin);
  }
  std::printf("%s\n", Result.dump().c_str());
}

} // namespace

int main(int argc, char **argv) {
  CLI::App App("Times a launch on one of our engines");
  tool::SessionOptions Options;
  EngineOptions Engines;
  Engines.ConcurrentBlocks = false;
  unsigned Repeat = 3;
  bool Sliced = false;
  addInputOptions(App, Options);
  addLaunchOptions(App, Options);
  addExecutionOptions(App, Options);
  App.add_option("--repeat", Repeat, "repetitions")->check(CLI::PositiveNumber);
  App.add_option("--vector-bits", Engines.MaxVectorBits,
                 "widest vectors of the JIT; 0: what the host has");
  App.add_flag("--sliced", Sliced, "run the control slice instead");
  App.add_flag("--counters", Engines.Counters, "count blocks and accesses");
  try {
    App.parse(argc, argv);
    measure(Options, Engines, Repeat, Sliced);
  } catch (const CLI::ParseError &E) {
    return App.exit(E);
  } catch (const CommandError &E) {
    std::fprintf(stderr, "engine-run: error: %s\n", E.Message.c_str());
    return E.Status;
  }
}
