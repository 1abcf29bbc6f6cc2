//===- CloneFiles.cpp - What goes with the PTX of a clone -----------------===//

#include "synthesis/CloneFiles.h"

#include "synthesis/AutoReduction.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <fmt/format.h>

namespace heddle::synthesis {

using JSON = nlohmann::ordered_json;

std::string cloneLaunch(const ClonePlan &Plan, const CloneText &Clone) {
  const Dim3 &G = Plan.Grid, &B = Plan.Profile.Threads;
  std::string Text =
      fmt::format("kernel: clone\ngrid: [{}, {}, {}]\nblock: [{}, {}, {}]\n"
                  "dynamic_shared: {}\nargs:\n",
                  G.X, G.Y, G.Z, B.X, B.Y, B.Z, Clone.SharedBytes);
  for (size_t I = 0; I < Clone.Buffers.size(); ++I) {
    const auto [Bytes, Limit] = Clone.Contents[I];
    Text += fmt::format(
        "  - buffer: {{name: a{}, type: u{}, count: {}, init: {}}}\n", I,
        Limit ? 8 * Bytes : 8, Clone.Buffers[I] / (Limit ? Bytes : 1),
        Limit ? fmt::format("{{uniform: [0, {}], seed: {}}}", Limit, I + 1)
              : std::string("zero"));
  }
  std::string Zeroes = "0";
  for (uint64_t I = 1; I < Clone.ScratchBytes; ++I)
    Zeroes += ", 0";
  return Text + fmt::format("  - bytes: [{}]\n", Zeroes);
}

std::string hostLaunch(const Dim3 &Grid, const Dim3 &Block) {
  return fmt::format(
      R"(  if (Shared > 48 * 1024)
    check(cuFuncSetAttribute(Kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, Shared), "shared memory");
  CUevent Begin, End;
  check(cuEventCreate(&Begin, 0), "event");
  check(cuEventCreate(&End, 0), "event");
  float Best = 1e30f;
  for (int Run = 0; Run < 10; ++Run) {{
    check(cuEventRecord(Begin, 0), "event");
    check(cuLaunchKernel(Kernel, {}, {}, {}, {}, {}, {}, Shared, 0, Arguments.data(), 0), "launch");
    check(cuEventRecord(End, 0), "event");
    check(cuEventSynchronize(End), "run");
    float Milliseconds;
    check(cuEventElapsedTime(&Milliseconds, Begin, End), "event");
    Best = Milliseconds < Best ? Milliseconds : Best;
  }}
  std::printf("%.6f ms\n", Best);
}}
)",
      Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y, Block.Z);
}

std::string cloneHost(const ClonePlan &Plan, const CloneText &Clone) {
  std::string Sizes;
  for (size_t I = 0; I < Clone.Buffers.size(); ++I)
    Sizes += fmt::format("{{{}, {}, {}}}, ", Clone.Buffers[I],
                         Clone.Contents[I].Bytes, Clone.Contents[I].Limit);
  return fmt::format(
      R"(// Runs clone.ptx and prints its time. Build: nvcc clone_host.cu -lcuda -o clone
#include <cuda.h>
#include <cstdio>
#include <vector>

{}
// Pseudo-random little-endian indices below Limit, of Width bytes; zeroes if it
// is 0.
struct Buffer {{
  unsigned long long Bytes;
  unsigned Width;
  unsigned long long Limit;
}};

static std::vector<unsigned char> contents(const Buffer &B, unsigned State) {{
  std::vector<unsigned char> Held(B.Bytes);
  for (unsigned long long I = 0; B.Limit && I + B.Width <= B.Bytes; I += B.Width) {{
    State = State * 1664525u + 1013904223u;
    const unsigned long long Index = B.Limit * (State >> 8) >> 24;
    for (unsigned J = 0; J < B.Width; ++J)
      Held[I + J] = Index >> 8 * J;
  }}
  return Held;
}}

int main(int argc, char **argv) {{
  check(cuInit(0), "cuInit");
  CUdevice Device;
  CUcontext Context;
  check(cuDeviceGet(&Device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&Context, Device), "context");
  check(cuCtxSetCurrent(Context), "context");
  CUmodule Module;
  CUfunction Kernel;
  check(cuModuleLoad(&Module, argc > 1 ? argv[1] : "clone.ptx"), "clone.ptx");
  check(cuModuleGetFunction(&Kernel, Module, "clone"), "clone");
  const std::vector<Buffer> Sizes = {{{}}};
  std::vector<CUdeviceptr> Buffers(Sizes.size());
  std::vector<void *> Arguments;
  for (size_t I = 0; I < Sizes.size(); ++I) {{
    check(cuMemAlloc(&Buffers[I], Sizes[I].Bytes), "cuMemAlloc");
    const std::vector<unsigned char> Held = contents(Sizes[I], I + 1);
    check(cuMemcpyHtoD(Buffers[I], Held.data(), Held.size()), "cuMemcpyHtoD");
    Arguments.push_back(&Buffers[I]);
  }}
  alignas(16) char Zeroes[{}] = {{}};
  Arguments.push_back(Zeroes);
  const unsigned Shared = {};
{})",
      HostCheck, Sizes, Clone.ScratchBytes, Clone.SharedBytes,
      hostLaunch(Plan.Grid, Plan.Profile.Threads));
}

std::string cloneReport(const ClonePlan &Plan, const CloneText &Clone,
                        double ExpectedError, const std::string &Version) {
  const behavior::Profile &P = Plan.Profile;
  auto Triple = [](const Dim3 &D) { return JSON::array({D.X, D.Y, D.Z}); };
  JSON Root = {{"tool", "heddle"},
               {"version", Version},
               {"clone_format", 1},
               {"mode", "synth"},
               {"original",
                {{"grid", Triple(P.Grid)},
                 {"block", Triple(P.Threads)},
                 {"warp_instructions", P.WarpInstructions},
                 {"thread_instructions", P.ThreadInstructions},
                 {"assumptions", P.Assumptions.size()}}},
               {"grid", Triple(Plan.Grid)},
               {"blocks", Plan.Grid.count()},
               {"grid_factor", Plan.GridFactor},
               {"loop_factor", Plan.LoopFactor},
               {"loops_long", Plan.LoopFactor > 1},
               {"expected_scale", Plan.ExpectedScale},
               {"expected_error", ExpectedError},
               {"drawn_error", drawnError(P)},
               {"registers_per_thread", P.RegistersPerThread},
               {"shared_bytes", P.SharedBytes},
               {"instructions", Clone.Instructions},
               {"added", Clone.Added},
               {"dropped", Clone.Dropped}};
  Root["loops"] = JSON::array();
  for (size_t L = 0; L < P.Loops.size(); ++L)
    Root["loops"].push_back({{"depth", P.Loops[L].Depth},
                             {"mean_trips", P.Loops[L].MeanTrips},
                             {"trips_vary", !P.Loops[L].isConstant()},
                             {"factor", Plan.Loops[L].Factor}});
  Root["arrays"] = JSON::array();
  static constexpr std::array Spaces = {"global", "shared", "const", "local"};
  for (const behavior::Array &A : P.Arrays)
    Root["arrays"].push_back(
        {{"space", Spaces[unsigned(A.Where)]}, {"bytes", A.SizeBytes}});
  unsigned Affine = 0, All = 0;
  for (const behavior::Access &A : P.Accesses)
    if (A.Requests) {
      ++All;
      Affine += A.IsAffine;
    }
  Root["accesses"] = {{"affine", Affine}, {"drawn", All - Affine}};
  Root["opcodes"] = Clone.Opcodes;
  return Root.dump(2) + "\n";
}

static bool isWord(char C) {
  return std::isalnum((unsigned char)C) || C == '_' || C == '.';
}

std::optional<std::string> findLeak(const std::string &Text,
                                    std::span<const std::string> Names) {
  constexpr size_t MinLetters = 4;
  for (const std::string &Name : Names) {
    if (Name.size() < MinLetters)
      continue;
    for (size_t At = Text.find(Name); At != Text.npos;
         At = Text.find(Name, At + 1)) {
      bool Begins = At == 0 || !isWord(Text[At - 1]);
      size_t End = At + Name.size();
      if (Begins && (End == Text.size() || !isWord(Text[End])))
        return Name;
    }
  }
  return std::nullopt;
}

} // namespace heddle::synthesis
