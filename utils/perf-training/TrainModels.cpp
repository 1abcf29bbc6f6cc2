//===- TrainModels.cpp - Runs what the models' branches are counted on ----===//
//
// usage: train-models FILE
//
// Simulates and estimates the sketches on four machines. It is compiled with
// counters, which it leaves where LLVM_PROFILE_FILE says. FILE holds one trace
// after the other.
//
//===----------------------------------------------------------------------===//

#include "Sketches.h"

#include "arch/SpecReader.h"
#include "interval/IntervalModel.h"
#include "interval/ProfileCollector.h"
#include "timing/Simulator.h"
#include "trace/TraceReader.h"
#include "trace/TraceWriter.h"

#include <cstdio>

using namespace heddle;

/// A machine, and the level of the code that it replays.
static constexpr struct {
  const char *GPU, *ISA;
} Machines[] = {{"v100", "machine"},
                {"a100", "machine"},
                {"gpumech", "ptx"},
                {"reference-qv100", "ptx"}};

static Result<void> writeTrace(const sketch::Sketch &K, const char *ISA,
                               const std::string &Path) {
  trace::CodeTable Code = K.Code.Table;
  Code.ISA = ISA;
  sketch::SyntheticSource Source(Code, sketch::Blocks, sketch::Threads, K.Run);
  Source.Header.Target = "sm_70";
  Source.Header.SharedBytesPerBlock = 12288;
  Source.Header.RegistersPerThread = 32;
  auto Writer = trace::TraceWriter::create(Path, Source.Header, Code);
  if (!Writer)
    return std::unexpected(Writer.error());
  trace::BlockTrace Block;
  for (uint64_t B = 0; B < sketch::Blocks; ++B) {
    if (auto Good = Source.read(B, Block); !Good)
      return Good;
    if (auto Good = Writer->add(Block); !Good)
      return Good;
  }
  if (auto Good = Writer->finish(); !Good)
    return std::unexpected(Good.error());
  return {};
}

static Result<void> simulate(const std::string &Path,
                             const arch::GPUSpec &Machine) {
  auto Source = trace::TraceReader::open(Path);
  if (!Source)
    return std::unexpected(Source.error());
  auto Simulated = timing::simulate(**Source, Machine);
  if (!Simulated)
    return std::unexpected(Simulated.error());
  return {};
}

static Result<void> estimate(const std::string &Path,
                             const arch::GPUSpec &Machine) {
  auto Source = trace::TraceReader::open(Path);
  if (!Source)
    return std::unexpected(Source.error());
  auto Profile = interval::collectProfile(**Source, Machine);
  if (!Profile)
    return std::unexpected(Profile.error());
  auto Estimate =
      interval::estimate(*Profile, Machine, interval::Model::Heddle);
  if (!Estimate)
    return std::unexpected(Estimate.error());
  return {};
}

static Result<void> train(const std::string &Path) {
  for (const sketch::Sketch &K : sketch::sketches())
    for (auto [GPU, ISA] : Machines) {
      auto Machine = arch::loadMachine(GPU);
      if (!Machine)
        return std::unexpected(Machine.error());
      if (auto Good = writeTrace(K, ISA, Path); !Good)
        return Good;
      if (auto Good = simulate(Path, *Machine); !Good)
        return Good;
      if (auto Good = estimate(Path, *Machine); !Good)
        return Good;
    }
  return {};
}

int main(int Argc, char **Argv) {
  if (Argc != 2) {
    std::fputs("usage: train-models FILE\n", stderr);
    return 2;
  }
  if (auto Good = train(Argv[1]); !Good) {
    std::fprintf(stderr, "train-models: %s\n", Good.error().Message.c_str());
    return 1;
  }
}
