//===- InPlaceFiles.cpp - Clones that keep the original's code ------------===//

#include "synthesis/InPlaceFiles.h"

#include "base/Fail.h"
#include "launch/ScalarTypes.h"
#include "synthesis/CloneFiles.h"
#include "synthesis/LibraryFunctions.h"
#include "synthesis/PTXOperands.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace heddle::synthesis {

using JSON = nlohmann::ordered_json;

/// What "special.NAME" reads: get_work_dim and get_global_offset of OpenCL.
static std::optional<uint32_t> specialValue(std::string_view Name,
                                            const launch::Launch &L) {
  if (Name == "workdim")
    return L.Grid.Z * L.Block.Z > 1 ? 3 : L.Grid.Y * L.Block.Y > 1 ? 2 : 1;
  if (Name == "globaloffset.x")
    return L.GlobalOffset.X;
  if (Name == "globaloffset.y")
    return L.GlobalOffset.Y;
  if (Name == "globaloffset.z")
    return L.GlobalOffset.Z;
  return std::nullopt;
}

Result<std::string> portablePTX(const std::string &PTX,
                                const std::map<std::string, unsigned> &Issued,
                                const InPlaceClone &Clone) {
  std::string Body, Line;
  std::istringstream Lines(PTX);
  while (std::getline(Lines, Line)) {
    size_t At = Line.find_first_not_of(" \t");
    std::string_view Text = At == Line.npos ? std::string_view()
                                            : std::string_view(Line).substr(At);
    const size_t Space = Text.find(' ');
    const std::string_view Opcode = Text.substr(0, Space);
    const bool IsMath = Opcode.starts_with("math.");
    if (Opcode.starts_with("call.") || (IsMath && Text.contains('{')))
      return fail(
          "the kernel's '{}' has no form in PTX for others; use --mode synth",
          Opcode);
    if (IsMath) {
      // math.NAME.TYPE %d, %a[, %b];
      const size_t Comma = Text.find(','), End = Text.find(';');
      Line = fmt::format(
          "\tcall ({}), {}, ({});", Text.substr(Space + 1, Comma - Space - 1),
          functionName(Opcode), Text.substr(Comma + 2, End - Comma - 2));
    } else if (Opcode.starts_with("special.")) {
      auto Value = specialValue(Opcode.substr(8), Clone.Launch);
      if (!Value)
        return fail(
            "the kernel's '{}' has no form in PTX for others; use --mode synth",
            Opcode);
      Line = fmt::format("\tmov.b32 {}, {};",
                         Text.substr(Space + 1, Text.find(';') - Space - 1),
                         *Value);
    }
    Body += Line + "\n";
  }
  // Functions stand before the kernel that calls them.
  const size_t Entry = Body.find(".visible .entry");
  const size_t Brace = Entry == Body.npos ? Entry : Body.find("\n{\n", Entry);
  if (Brace == Body.npos)
    return fail("the PTX has no kernel");
  Body.insert(Brace + 3, fmt::format("\t.pragma \"heddle.registers {}\";\n",
                                     Clone.RegistersPerThread));
  Body.insert(Entry, libraryFunctions(Issued) + "\n");
  return Body;
}

/// C++ that makes argument \p I, whose address goes to Arguments.
static Result<std::string> hostArgument(size_t I, const launch::Argument &A) {
  using namespace launch;
  if (const auto *B = std::get_if<BufferArg>(&A.Value)) {
    static constexpr std::array Types = {
        "int8_t",  "uint8_t",  "int16_t", "uint16_t",
        "int32_t", "uint32_t", "int64_t", "uint64_t",
        "__half",  "float",    "double",  "__nv_bfloat16"};
    std::string Fill;
    if (const auto *V = std::get_if<InitValue>(&B->Init))
      Fill = isFloat(B->Type) ? fmt::format("return T({});", V->Value)
                              : fmt::format("return T({}ll);", V->Integer);
    else if (const auto *U = std::get_if<InitUniform>(&B->Init))
      Fill = fmt::format(
          "State = State * 1664525u + 1013904223u; double V = {} + ({}) * "
          "double(State >> 8) / 16777216.0; return T({});",
          U->Low, U->High - U->Low, isFloat(B->Type) ? "V" : "std::floor(V)");
    else if (std::holds_alternative<InitIota>(B->Init))
      Fill = isFloat(B->Type) ? "return T(double(I));" : "return T(I);";
    else
      Fill = "return T(0);";
    if (const auto *F = std::get_if<InitFile>(&B->Init))
      return fmt::format("  addFile(\"{}\", {}ull);\n", F->Path,
                         B->Count * sizeOf(B->Type));
    uint64_t Seed = 0;
    if (const auto *U = std::get_if<InitUniform>(&B->Init))
      Seed = U->Seed;
    return fmt::format("  {{\n    using T = {};\n    uint32_t State = {}u;\n"
                       "    addBuffer<T>({}ull, [&](uint64_t I) -> T {{ "
                       "(void)I; (void)State; {} }});\n  }}\n",
                       Types[size_t(B->Type)], uint32_t(Seed), B->Count, Fill);
  }
  if (const auto *S = std::get_if<ScalarArg>(&A.Value)) {
    std::array<uint8_t, 8> Bytes = {};
    store(*S, Bytes.data());
    uint64_t Bits = 0;
    for (size_t K = 0; K < Bytes.size(); ++K)
      Bits |= uint64_t(Bytes[K]) << (8 * K);
    return fmt::format("  addBits({}ull); // {}\n", Bits,
                       isFloat(S->Type) ? fmt::format("{}", S->Float)
                                        : fmt::format("{}", S->Integer));
  }
  if (const auto *L = std::get_if<LocalArg>(&A.Value))
    return fmt::format("  addShared({}ull);\n", L->SizeBytes);
  if (const auto *B = std::get_if<BytesArg>(&A.Value)) {
    if (!B->Pointers.empty())
      return fail("argument {} is a struct with pointers, which clone_host.cu "
                  "cannot make; use --mode synth",
                  I);
    std::string List;
    for (uint8_t Byte : B->Bytes)
      List += fmt::format("{}, ", Byte);
    return fmt::format("  addBytes({{{}}});\n", List);
  }
  return fail("argument {} is an image, a sampler or a tensor map, which "
              "clone_host.cu cannot make; use --mode synth",
              I);
}

Result<std::string> inPlaceHost(const InPlaceClone &Clone) {
  const launch::Launch &L = Clone.Launch;
  std::string Arguments;
  for (size_t I = 0; I < L.Args.size(); ++I) {
    auto Text = hostArgument(I, L.Args[I]);
    if (!Text)
      return std::unexpected(Text.error());
    Arguments += *Text;
  }
  return fmt::format(
      R"(// Runs clone.ptx and prints its time. Build: nvcc clone_host.cu -lcuda -o clone
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

{}
static CUdevice Device;
static CUfunction Kernel;
static unsigned Shared = {};
static std::deque<std::vector<unsigned char>> Values; // of the arguments
static std::vector<void *> Arguments;

static void addBytes(std::vector<unsigned char> Bytes) {{
  Bytes.resize(Bytes.size() < 8 ? 8 : Bytes.size());
  Values.push_back(Bytes);
  Arguments.push_back(Values.back().data());
}}
static void addBits(uint64_t Bits) {{
  std::vector<unsigned char> Bytes;
  for (int I = 0; I < 8; ++I)
    Bytes.push_back(Bits >> (8 * I));
  addBytes(Bytes);
}}
static void addMemory(const void *From, size_t Bytes) {{
  CUdeviceptr Buffer;
  check(cuMemAlloc(&Buffer, Bytes ? Bytes : 1), "cuMemAlloc");
  check(cuMemcpyHtoD(Buffer, From, Bytes), "cuMemcpyHtoD");
  addBits(Buffer);
}}
template <typename T, typename F> static void addBuffer(size_t Count, F At) {{
  std::vector<T> Content(Count);
  for (size_t I = 0; I < Count; ++I)
    Content[I] = At(I);
  addMemory(Content.data(), Count * sizeof(T));
}}
static void addFile(const char *Path, size_t Bytes) {{
  std::vector<char> Content(Bytes);
  FILE *File = std::fopen(Path, "rb");
  if (!File || std::fread(Content.data(), 1, Bytes, File) != Bytes) {{
    std::fprintf(stderr, "cannot read %s\n", Path);
    std::exit(1);
  }}
  std::fclose(File);
  addMemory(Content.data(), Bytes);
}}
// OpenCL's __local arguments: offsets in shared memory, behind what the driver
// and the kernel take for themselves.
static void addShared(size_t Bytes) {{
  int Static = 0, Reserved = 0;
  check(cuFuncGetAttribute(&Static, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, Kernel), "shared memory");
  cuDeviceGetAttribute(&Reserved, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, Device);
  Shared = (Shared + 127) / 128 * 128;
  addBits((Reserved + Static + 127) / 128 * 128 + Shared);
  Shared += Bytes;
}}

int main(int argc, char **argv) {{
  check(cuInit(0), "cuInit");
  CUcontext Context;
  check(cuDeviceGet(&Device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&Context, Device), "context");
  check(cuCtxSetCurrent(Context), "context");
  CUmodule Module;
  check(cuModuleLoad(&Module, argc > 1 ? argv[1] : "clone.ptx"), "clone.ptx");
  check(cuModuleGetFunction(&Kernel, Module, "clone"), "clone");
{}{})",
      HostCheck, L.DynamicSharedBytes, Arguments, hostLaunch(L.Grid, L.Block));
}

std::string inPlaceReport(const InPlaceClone &Clone,
                          const std::string &Version) {
  auto Triple = [](const Dim3 &D) { return JSON::array({D.X, D.Y, D.Z}); };
  const JSON Grid = Triple(Clone.Launch.Grid);
  JSON Root = {
      {"tool", "heddle"},
      {"version", Version},
      {"clone_format", 1},
      {"mode", Clone.Mode},
      {"leak_check", "none: the clone is the original's code and data"},
      {"original",
       {{"grid", Grid},
        {"block", Triple(Clone.Launch.Block)},
        {"warp_instructions", Clone.WarpInstructions},
        {"thread_instructions", Clone.ThreadInstructions}}},
      {"grid", Grid},
      {"blocks", Clone.Launch.Grid.count()},
      {"grid_factor", 1},
      {"loop_factor", Clone.LoopFactor},
      {"loops_long", Clone.LoopFactor > 1},
      {"warp_instructions", Clone.CloneInstructions},
      {"expected_scale",
       double(Clone.WarpInstructions) / double(Clone.CloneInstructions)},
      {"expected_error", Clone.ExpectedError},
      {"registers_per_thread", Clone.RegistersPerThread},
      {"shared_bytes", Clone.SharedBytes}};
  if (!Clone.Assumptions.empty())
    Root["assumptions"] = Clone.Assumptions;
  Root["loops"] = JSON::array();
  for (const InPlaceLoop &L : Clone.Loops) {
    JSON Loop = {
        {"depth", L.Depth}, {"mean_trips", L.MeanTrips}, {"how", L.How}};
    if (L.How == "divided")
      Loop["factor"] = L.Factor;
    else if (L.How == "bounded")
      Loop["most_trips"] = L.MostTrips;
    else
      Loop["why"] = L.Reason;
    Root["loops"].push_back(std::move(Loop));
  }
  return Root.dump(2) + "\n";
}

uint64_t mostTrips(const behavior::Loop &L, uint64_t Factor) {
  // What a warp runs; the quantiles stand for equal shares of its entries.
  double All = 0;
  for (uint64_t Trips : L.Trips)
    All += double(Trips);
  auto LeftWith = [&](uint64_t Most) {
    double Left = 0;
    for (uint64_t Trips : L.Trips)
      Left += double(std::min(Trips, Most));
    return Left;
  };
  uint64_t Enough = 1, TooMany = L.Trips.back() + 1;
  while (TooMany - Enough > 1) {
    uint64_t Middle = Enough + (TooMany - Enough) / 2;
    (LeftWith(Middle) * double(Factor) <= All ? Enough : TooMany) = Middle;
  }
  return Enough;
}

} // namespace heddle::synthesis
