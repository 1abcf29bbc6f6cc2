//===- HeddleTest.cpp - The library by its public header ------------------===//

#include "heddle/Heddle.h"

#include "exec/DeviceMemory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace heddle;

namespace {

constexpr char Scale[] = R"(
__global__ void scale(float *x, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= f;
}
__global__ void wild(float *x, int far) {
  x[threadIdx.x + far] = 1;
}
)";

/// A source file that goes with the test.
class SourceFile {
public:
  explicit SourceFile(const std::string &Text) {
    static std::atomic<unsigned> Count = 0;
    File = std::filesystem::path(testing::TempDir()) /
           ("heddle-" + std::to_string(::getpid()) + "-" +
            std::to_string(Count++) + ".cu");
    std::ofstream(File) << Text;
  }
  ~SourceFile() { std::filesystem::remove(File); }
  std::string path() const { return File.string(); }

private:
  std::filesystem::path File;
};

launch::Launch launchOf(const std::string &Text) {
  auto L = launch::parseLaunch(Text, "test.yaml");
  EXPECT_TRUE(L.has_value()) << (L ? "" : L.error().Message);
  return L ? *L : launch::Launch();
}

launch::Launch scaleLaunch(unsigned Blocks) {
  return launchOf("kernel: scale\ngrid: [" + std::to_string(Blocks) +
                  "]\nblock: [128]\nargs:\n"
                  "  - buffer: {type: f32, count: 100000, init: {value: 2}, "
                  "name: x}\n  - f32: 3.0\n  - i32: 100000\n");
}

launch::Launch wildLaunch() {
  return launchOf("kernel: wild\ngrid: [1]\nblock: [32]\nargs:\n"
                  "  - buffer: {type: f32, count: 64, init: zero, name: x}\n"
                  "  - i32: 1000000\n");
}

arch::GPUSpec machine(const char *Name = "v100") {
  auto GPU = arch::loadMachine(Name);
  EXPECT_TRUE(GPU.has_value());
  return *GPU;
}

/// What \p E says of who is at fault, and its message.
std::pair<Failure::Kind, std::string> take(llvm::Error E) {
  std::pair<Failure::Kind, std::string> Out{Failure::Input, ""};
  llvm::handleAllErrors(
      std::move(E), [&](const Failure &F) { Out = {F.kind(), F.text()}; },
      [&](const llvm::ErrorInfoBase &B) { Out.second = B.message(); });
  return Out;
}

template <typename T> T good(llvm::Expected<T> Value) {
  if (!Value) {
    ADD_FAILURE() << llvm::toString(Value.takeError());
    std::abort();
  }
  return std::move(*Value);
}

Program scaleProgram(const SourceFile &File) {
  return good(Program::compile({.Path = File.path()}));
}

} // namespace

TEST(Heddle, NamesTheLineOfABadSource) {
  const SourceFile File("__global__ void k(float *x) {\n  x[0] = y;\n}\n");
  auto P = Program::compile({.Path = File.path()});
  ASSERT_FALSE(bool(P));
  EXPECT_NE(take(P.takeError()).second.find(File.path() + ":2:"),
            std::string::npos);
  auto None = Program::compile({.Path = "/nowhere/k.cu"});
  ASSERT_FALSE(bool(None));
  EXPECT_NE(take(None.takeError()).second.find("/nowhere/k.cu"),
            std::string::npos);
}

TEST(Heddle, ListsKernels) {
  const SourceFile File(Scale);
  const std::vector<Kernel> Kernels = scaleProgram(File).kernels();
  ASSERT_EQ(Kernels.size(), 2u);
  EXPECT_EQ(Kernels[0].Name, "scale");
  ASSERT_EQ(Kernels[0].Arguments.size(), 3u);
  EXPECT_EQ(Kernels[0].Arguments[0].Name, "x");
  EXPECT_TRUE(Kernels[0].Arguments[0].IsPointer);
  EXPECT_EQ(Kernels[0].Arguments[1].Name, "f");
  EXPECT_TRUE(Kernels[0].Arguments[1].IsFloat);
  EXPECT_EQ(Kernels[0].Arguments[2].Type, "int");
}

TEST(Heddle, RefusesLaunchesThatDoNotFit) {
  const SourceFile File(Scale);
  const Program P = scaleProgram(File);
  launch::Launch L = scaleLaunch(2);
  L.Kernel = "missing";
  auto Missing = P.bind(L);
  ASSERT_FALSE(bool(Missing));
  EXPECT_NE(take(Missing.takeError()).second.find("kernels: scale"),
            std::string::npos);
  L = scaleLaunch(2);
  L.Args.pop_back();
  auto Short = P.bind(L);
  ASSERT_FALSE(bool(Short));
  EXPECT_EQ(take(Short.takeError()).first, Failure::Input);
}

TEST(Heddle, ExecutesAndResets) {
  const SourceFile File(Scale);
  BoundLaunch L = good(scaleProgram(File).bind(scaleLaunch(1)));
  auto First = [&] {
    const auto Bytes = good(L.buffer("x"));
    float Value;
    std::memcpy(&Value, Bytes.data(), sizeof(Value));
    return Value;
  };
  EXPECT_EQ(First(), 2);
  EXPECT_FALSE(bool(L.run()));
  EXPECT_EQ(First(), 6);
  EXPECT_FALSE(bool(L.run()));
  EXPECT_EQ(First(), 18);
  EXPECT_FALSE(bool(L.reset()));
  EXPECT_EQ(First(), 2);
  auto None = L.buffer("y");
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(take(None.takeError()).first, Failure::Request);
}

TEST(Heddle, PredictsTheSameFromLaunchMemoryAndFile) {
  const SourceFile File(Scale);
  BoundLaunch L = good(scaleProgram(File).bind(scaleLaunch(782)));
  const Trace Recorded = good(L.trace());
  const std::string Path = File.path() + ".trace";
  ASSERT_FALSE(bool(Recorded.write(Path)));
  const Trace Read = good(Trace::open(Path));
  EXPECT_EQ(Read.header().Kernel, "scale");
  arch::GPUSpec GPU = machine();
  GPU.Level = arch::CodeLevel::PTX; // what the trace holds
  for (const char *Model : {"timing", "interval", "pipeline"}) {
    const uint64_t Cycles = good(L.predict(GPU, Model)).Cycles;
    EXPECT_GT(Cycles, 1000u);
    EXPECT_EQ(good(predict(Recorded, GPU, Model)).Cycles, Cycles) << Model;
    EXPECT_EQ(good(predict(Read, GPU, Model)).Cycles, Cycles) << Model;
  }
  std::filesystem::remove(Path);
}

TEST(Heddle, SumsWaitsUp) {
  const SourceFile File(Scale);
  BoundLaunch L = good(scaleProgram(File).bind(scaleLaunch(782)));
  const Prediction P = good(L.predict(machine(), "timing"));
  ASSERT_FALSE(P.Waits.empty());
  bool WaitsForLoads = false;
  double Share = 0;
  for (const Prediction::Wait &W : P.Waits) {
    EXPECT_LE(W.CyclesPerInst, P.Waits.front().CyclesPerInst);
    WaitsForLoads |= W.Name == "long_scoreboard";
    Share += W.Share;
  }
  EXPECT_TRUE(WaitsForLoads);
  EXPECT_GT(Share, 0.5);
  EXPECT_LE(Share, 1.0);
}

TEST(Heddle, CancelsEverywhere) {
  const SourceFile File(Scale);
  BoundLaunch L = good(scaleProgram(File).bind(scaleLaunch(782)));
  const ProgressCallback Never = [](uint64_t, uint64_t, uint64_t) {
    return false;
  };
  EXPECT_EQ(take(L.run(Never)).first, Failure::Cancelled);
  EXPECT_EQ(take(L.trace(TraceMode::Executed, Never).takeError()).first,
            Failure::Cancelled);
  for (const std::string &Model : modelNames()) {
    ModelOptions Options;
    Options.OnProgress = Never;
    auto P = L.predict(machine(), Model, Options);
    ASSERT_FALSE(bool(P)) << Model;
    EXPECT_EQ(take(P.takeError()).first, Failure::Cancelled) << Model;
  }
  // What was cancelled can be asked for again.
  EXPECT_GT(good(L.predict(machine(), "timing")).Cycles, 1000u);
}

TEST(Heddle, RefusesUnknownModelsAndLargeTraces) {
  const SourceFile File(Scale);
  BoundLaunch L = good(scaleProgram(File).bind(scaleLaunch(782)));
  auto P = L.predict(machine(), "fastest");
  ASSERT_FALSE(bool(P));
  EXPECT_EQ(take(P.takeError()).first, Failure::Request);
  auto T = L.trace(TraceMode::Executed, {}, 100);
  ASSERT_FALSE(bool(T));
  EXPECT_NE(take(T.takeError()).second.find("more than 100 bytes"),
            std::string::npos);
}

TEST(Heddle, SaysWhereAWildAccessIs) {
  const SourceFile File(Scale);
  BoundLaunch L = good(scaleProgram(File).bind(wildLaunch()));
  const auto [Kind, Message] = take(L.run());
  EXPECT_EQ(Kind, Failure::Input);
  EXPECT_NE(Message.find(".cu:8"), std::string::npos) << Message;
  EXPECT_NE(Message.find("'x'"), std::string::npos) << Message;
}

TEST(Heddle, BindsSeveralLaunchesOfOneProgram) {
  const SourceFile File(Scale);
  const Program P = scaleProgram(File);
  std::vector<BoundLaunch> Bound;
  for (unsigned I = 0; I < exec::DeviceMemory::MaxAtOnce; ++I)
    Bound.push_back(good(P.bind(scaleLaunch(1))));
  auto TooMany = P.bind(scaleLaunch(1));
  ASSERT_FALSE(bool(TooMany));
  EXPECT_NE(take(TooMany.takeError()).second.find("16 device memories"),
            std::string::npos);
  // The same bytes wherever the memory lies.
  EXPECT_EQ(good(Bound.back().trace()).header().Grid.count(), 1u);
  EXPECT_EQ(good(Bound.front().predict(machine(), "timing")).Cycles,
            good(Bound.back().predict(machine(), "timing")).Cycles);
  Bound.pop_back();
  EXPECT_TRUE(bool(P.bind(scaleLaunch(1))));
}

// Each thread has a program of its own. One of them faults all the time, which
// must not reach the others.
TEST(Heddle, SeveralThreadsAtOnce) {
  const SourceFile File(Scale);
  const Prediction Alone = good(good(scaleProgram(File).bind(scaleLaunch(782)))
                                    .predict(machine(), "timing"));
  std::atomic<unsigned> Faults = 0, Wrong = 0;
  auto Predict = [&] {
    for (unsigned I = 0; I < 3; ++I) {
      BoundLaunch L = good(scaleProgram(File).bind(scaleLaunch(782)));
      if (L.run())
        ++Wrong;
      Wrong += good(L.predict(machine(), "timing")).Cycles != Alone.Cycles;
      Wrong += good(L.predict(machine(), "interval")).Cycles == 0;
    }
  };
  auto Fault = [&] {
    BoundLaunch L = good(scaleProgram(File).bind(wildLaunch()));
    for (unsigned I = 0; I < 20; ++I)
      Faults += take(L.run()).second.find("'x'") != std::string::npos;
  };
  std::thread A(Predict), B(Predict), C(Fault);
  A.join();
  B.join();
  C.join();
  EXPECT_EQ(Wrong, 0u);
  EXPECT_EQ(Faults, 20u);
}

// Any number of threads may read one trace.
TEST(Heddle, OneTraceManyThreads) {
  const SourceFile File(Scale);
  const Trace T = good(good(scaleProgram(File).bind(scaleLaunch(782))).trace());
  const uint64_t Cycles = good(predict(T, machine(), "timing")).Cycles;
  std::atomic<unsigned> Wrong = 0;
  auto Run = [&] {
    Wrong += good(predict(T, machine(), "timing")).Cycles != Cycles;
  };
  std::thread A(Run), B(Run);
  A.join();
  B.join();
  EXPECT_EQ(Wrong, 0u);
}
