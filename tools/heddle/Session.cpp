//===- Session.cpp - A kernel and its launch, ready to execute ------------===//

#include "Session.h"

#include "SynthRun.h"

#include "exec/ExecutedTrace.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Exec/BlockOrder.h"
#include "launch/LaunchFile.h"
#include "trace/TraceReader.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstring>
#include <map>

using namespace llvm;

namespace heddle::tool {

void addInputOptions(CLI::App &Command, SessionOptions &Options) {
  Command
      .add_option("INPUT", Options.Input,
                  "kernel source (.cl, .cu), LLVM IR (.ll, .bc), MLIR or PTX")
      ->required();
  Command.add_option("--kernel", Options.Kernel,
                     "kernel to use, where the file has several");
  Command
      .add_option("--arch", Options.Arch, "architecture to compile for (sm_NN)")
      ->capture_default_str();
  Command
      .add_option("-O,--opt-level", Options.OptLevel,
                  "optimisation level of the device compiler")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  Command
      .add_option("--link", Options.LinkWith,
                  "another source whose device functions INPUT calls")
      ->allow_extra_args(false);
  Command.add_option("CLANG_ARGS", Options.ClangArgs,
                     "options for Clang, after '--'");
}

CompiledModule compileInput(const CompileOptions &Options) {
  if (std::string Surplus = surplusInput(Options.ClangArgs); !Surplus.empty())
    throw CommandError{"'" + Surplus +
                           "' is one input too many: the source is '" +
                           Options.Path +
                           "'; after '--' stand flags for Clang, and --link "
                           "adds a source",
                       BadUsage};
  return take(compile(Options));
}

void addLaunchOptions(CLI::App &Command, SessionOptions &Options) {
  Command.add_option("--launch", Options.LaunchFile,
                     "launch file (docs/LaunchFile.md)");
  Command.add_option("--grid", Options.Grid, "thread blocks, X[,Y[,Z]]");
  Command.add_option("--block", Options.Block, "threads per block, X[,Y[,Z]]");
  Command
      .add_option("--arg", Options.Args,
                  "next argument: TYPE=VALUE, TYPE[COUNT]=INIT, local=BYTES, "
                  "bytes=HEX, struct=MEMBER;...")
      ->allow_extra_args(false);
  Command.add_option("--dynamic-shared", Options.DynamicShared,
                     "bytes of dynamic shared memory per block");
}

void addExecutionOptions(CLI::App &Command, SessionOptions &Options) {
  static const std::map<std::string, EngineKind> Kinds = {
      {"auto", EngineKind::Auto},
      {"jit", EngineKind::JIT},
      {"interpreter", EngineKind::Interpreter}};
  Command.add_option("--engine", Options.Engine, "auto, jit or interpreter")
      ->transform(CLI::CheckedTransformer(Kinds, CLI::ignore_case))
      ->option_text("auto|jit|interpreter");
  Command.add_option("--threads", Options.Threads, "host threads")
      ->check(CLI::Range(1u, exec::DeviceMemory::MaxWorkers));
  Command
      .add_option(
          "--max-steps", Options.MaxSteps,
          "basic blocks that a warp may execute before it counts as endless")
      ->check(CLI::Range(uint64_t(1), UINT64_MAX));
}

void addOutputOptions(CLI::App &Command, SessionOptions &Options) {
  Command.add_option("--json", Options.Json,
                     "write the result as JSON ('-': stdout)");
  Command.add_flag("-q,--quiet", Options.Quiet, "no progress and no summary");
}

launch::Launch readLaunch(const SessionOptions &Options) {
  launch::Launch L;
  auto Synth = readSynthProgram(Options);
  if (Synth)
    L = Synth->Launch;
  if (!Options.LaunchFile.empty())
    L = take(launch::readLaunchFile(Options.LaunchFile));
  else if (!Synth && (Options.Grid.empty() || Options.Block.empty()))
    throw CommandError{
        trace::TraceReader::isTrace(Options.Input)
            ? Options.Input + ": a trace, which `heddle simulate`, `heddle "
                              "estimate` and `heddle trace` take"
            : "no launch given: use --launch FILE, or --grid, --block and "
              "--arg",
        BadUsage};
  if (!Options.Grid.empty())
    L.Grid = take(launch::parseDim3(Options.Grid, "--grid"));
  if (!Options.Block.empty())
    L.Block = take(launch::parseDim3(Options.Block, "--block"));
  if (Options.DynamicShared)
    L.DynamicSharedBytes = *Options.DynamicShared;
  if (!Options.Kernel.empty() && !Synth)
    L.Kernel = Options.Kernel;
  if (!Options.Args.empty()) {
    L.Args.clear(); // the command line gives all arguments or none
    for (const std::string &Arg : Options.Args)
      L.Args.push_back(take(launch::parseArgument(Arg)));
  }
  take(launch::checkLimits(L));
  take(launch::checkNames(L));
  return L;
}

Session::Session(const SessionOptions &Options)
    : Session(Options, readLaunch(Options)) {}

Session::PreparedKernel::PreparedKernel(const Function &Kernel)
    : Numbering(Kernel), Interface(interfaceOf(Kernel)),
      Source(sourceMapOf(Numbering)),
      OrderMatters(dependsOnBlockOrder(Numbering)) {}

Session::Session(const SessionOptions &Given, launch::Launch L, Contents C,
                 std::shared_ptr<exec::DeviceMemory> Memory)
    : Options(Given), Launch(std::move(L)), Held(C),
      P(std::make_shared<Program>()) {
  CompileOptions Compile;
  Compile.Path = Options.Input;
  Compile.ClangArgs = Options.ClangArgs;
  Compile.LinkWith = Options.LinkWith;
  Compile.Arch = Options.Arch;
  Compile.OptLevel = Options.OptLevel;
  Compile.KeepPrints = Options.KeepPrints;
  Compile.PTX = Options.PTX;
  Compile.TripFactor = Options.SourceTripFactor;
  if (auto Synth = readSynthProgram(Options))
    Compile.PTX = std::move(Synth->PTX);
  P->Module = compileInput(Compile);
  errs() << P->Module.Assumptions;
  P->Memory = Memory ? std::move(Memory)
                     : std::make_shared<exec::DeviceMemory>(
                           take(exec::DeviceMemory::create()));
  selectKernel();
  bindLaunch();
}

Session::Session(const Session &Earlier, launch::Launch L)
    : Options(Earlier.Options), Launch(std::move(L)), P(Earlier.P) {
  selectKernel();
  bindLaunch();
}

void Session::fill() {
  if (Held == Contents::Unfilled)
    restart(Launch);
}

void Session::restart(launch::Launch L, Contents C) {
  Launch = std::move(L);
  Held = C;
  // Compiled code holds the addresses of the module's variables, which lie
  // behind the buffers.
  bool HasVariables = false;
  for (const GlobalVariable &V : P->Module.Module->globals())
    HasVariables |= V.getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED;
  if (HasVariables)
    P->Engines.clear();
  P->Globals.reset();
  P->Memory.reset();
  P->Memory =
      std::make_shared<exec::DeviceMemory>(take(exec::DeviceMemory::create()));
  selectKernel();
  bindLaunch();
}

void Session::selectKernel() {
  Kernel = take(P->Module.kernel(Launch.Kernel));
  auto It = P->Kernels.find(Kernel);
  if (It == P->Kernels.end())
    It = P->Kernels.emplace(Kernel, *Kernel).first;
  Prepared = &It->second;
}

static launch::Launch withoutContents(launch::Launch L) {
  launch::forEachBuffer(
      L, [](launch::BufferArg &B) { B.Init = launch::InitZero{}; });
  return L;
}

/// A driver refuses blocks that the kernel was not compiled for.
void Session::checkLaunchBounds() const {
  const LaunchBounds Bounds = launchBounds(*Kernel);
  const Dim3 &B = Launch.Block;
  auto Refuse = [&](const std::string &Why) {
    throw CommandError{
        fmt::format("{}block is {} x {} x {}, but kernel '{}' {}",
                    Launch.File.empty() ? "" : Launch.File + ": ", B.X, B.Y,
                    B.Z, kernelName(*Kernel), Why)};
  };
  const auto &[X, Y, Z] = Bounds.RequiredBlock;
  if (X && (B.X != X || B.Y != Y || B.Z != Z))
    Refuse(fmt::format("requires {} x {} x {}", X, Y, Z));
  if (Bounds.MaxThreads && B.count() > Bounds.MaxThreads)
    Refuse(
        fmt::format("is bounded to {} threads per block", Bounds.MaxThreads));
}

void Session::bindLaunch() {
  exec::DeviceMemory &Memory = *P->Memory;
  const launch::Launch &L =
      Held == Contents::Filled ? Launch : withoutContents(Launch);
  // Buffers first, so that their addresses do not depend on the module.
  checkLaunchBounds();
  Bound = take(exec::bind(L, Prepared->Interface, Memory));
  if (!P->Globals)
    P->Globals.emplace(take(PlacedGlobals::place(
        *P->Module.Module,
        [&](StringRef Name, uint64_t Size) -> Expected<uint64_t> {
          auto Buffer = Memory.allocate(Name.str(), Size);
          if (!Buffer)
            return createStringError(Buffer.error().Message);
          return (*Buffer)->Address;
        })));
  bindTextures();
}

void Session::bindTextures() {
  exec::DeviceMemory &Memory = *P->Memory;
  for (const launch::ImageArg &Image : Launch.Textures) {
    const std::string &Name = Image.Texels.Name;
    uint64_t Address = P->Globals->addressOf(Name);
    const exec::DeviceBuffer *Variable = Memory.find(Address);
    if (!Address || !Variable)
      throw CommandError{fmt::format("{}: the kernel uses no texture or "
                                     "surface reference called '{}'",
                                     Launch.File, Name)};
    uint64_t Handle = take(exec::placeImage(Image, Name + ".texels", Memory));
    std::memcpy(Memory.bytes(*Variable).data(), &Handle, sizeof(Handle));
  }
}

/// Whether global indices stay far below 2^31.
static bool hasSmallGrid(const exec::BoundLaunch &L) {
  auto few = [](uint32_t Blocks, uint32_t Threads, uint32_t Offset) {
    constexpr uint64_t Most = uint64_t(1) << 30;
    return uint64_t(Blocks) * Threads <= Most && Offset <= Most;
  };
  return few(L.Grid.X, L.Block.X, L.GlobalOffset.X) &&
         few(L.Grid.Y, L.Block.Y, L.GlobalOffset.Y) &&
         few(L.Grid.Z, L.Block.Z, L.GlobalOffset.Z);
}

std::unique_ptr<Engine> Session::makeEngine(const EngineOptions &Given) const {
  return makeEngine(Given, *Kernel);
}

std::unique_ptr<Engine> Session::makeEngine(const EngineOptions &Given,
                                            const Function &Reduced) const {
  EngineOptions Hooks = Given;
  Hooks.BlockDim = {Bound.Block.X, Bound.Block.Y, Bound.Block.Z};
  Hooks.SmallGrid = hasSmallGrid(Bound);
  Hooks.OverlappingArguments = Bound.ArgumentsOverlap;
  if (Options.Engine != EngineKind::Interpreter && !Hooks.OnCheck) {
    Expected<std::unique_ptr<Engine>> JIT =
        createJITEngine(Reduced, *P->Globals, Hooks);
    if (JIT || Options.Engine == EngineKind::JIT) {
      EngineName = "jit";
      return take(std::move(JIT));
    }
    consumeError(JIT.takeError()); // what it refuses, the interpreter takes
  }
  EngineName = "interpreter";
  return take(createInterpreter(Reduced, *P->Globals, Hooks));
}

std::shared_ptr<Engine>
Session::sharedEngine(const EngineOptions &Hooks) const {
  return sharedEngine(Hooks, *Kernel);
}

std::shared_ptr<Engine> Session::sharedEngine(const EngineOptions &Hooks,
                                              const Function &Reduced) const {
  EngineKey Key{&Reduced,
                {Bound.Block.X, Bound.Block.Y, Bound.Block.Z},
                Hooks.OnBlock,
                Hooks.Counters,
                hasSmallGrid(Bound),
                Bound.ArgumentsOverlap};
  std::shared_ptr<Engine> &E = P->Engines[Key];
  if (!E)
    E = makeEngine(Hooks, Reduced);
  return E;
}

const ControlSlice &Session::slice() const {
  auto At = P->Slices.find(Kernel);
  if (At == P->Slices.end())
    At = P->Slices.emplace(Kernel, makeControlSlice(*Kernel)).first;
  return At->second;
}

void requireLevel(const trace::TraceSource &Source, ISA Level,
                  const std::string &Input) {
  const std::string Asked = Level == ISA::PTX ? "ptx" : "ir";
  if (Source.code().ISA == Asked)
    return;
  throw CommandError{Input + ": this trace holds instructions of level '" +
                         Source.code().ISA +
                         "'; leave out --isa, or write another with "
                         "`heddle trace --isa " +
                         Asked + "`",
                     BadUsage};
}

const KernelCode &Session::codeTable(ISA Level) const {
  auto At = P->Code.find({Kernel, Level});
  if (At == P->Code.end())
    At = P->Code
             .emplace(std::pair(Kernel, Level),
                      take(buildCodeTable(*Kernel, Options.Arch, Level)))
             .first;
  return At->second;
}

const trace::CodeTable &Session::traceTable(ISA Level) const {
  auto At = P->Tables.find({Kernel, Level});
  if (At == P->Tables.end())
    At =
        P->Tables.emplace(std::pair(Kernel, Level), traceCode(codeTable(Level)))
            .first;
  return At->second;
}

bool Session::blockOrderMatters() const { return Prepared->OrderMatters; }

namespace {
/// Keeps the engine alive as long as the trace that it feeds.
class EngineTrace : public trace::TraceSource {
public:
  EngineTrace(std::shared_ptr<Engine> E, std::unique_ptr<exec::ExecutedTrace> T)
      : E(std::move(E)), T(std::move(T)) {}
  const trace::TraceHeader &header() const override { return T->header(); }
  const trace::CodeTable &code() const override { return T->code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    return T->read(Index, Out);
  }
  bool servesAnyOrder() const override { return T->servesAnyOrder(); }

private:
  std::shared_ptr<Engine> E; // outlives T
  std::unique_ptr<exec::ExecutedTrace> T;
};
} // namespace

trace::TraceHeader Session::traceHeader(const KernelCode &Code) const {
  trace::TraceHeader Header;
  Header.Kernel = kernelName(*Kernel);
  Header.Producer = "executed";
  Header.Target = Options.Arch;
  Header.Grid = Bound.Grid;
  Header.Block = Bound.Block;
  Header.RegistersPerThread = Code.RegistersPerThread;
  Header.SharedBytesPerBlock = Bound.SharedBytes;
  Header.LocalBytesPerThread = Bound.LocalBytesPerThread;
  Header.ParamBytes = Bound.Params.size();
  Header.Order = Options.Order;
  return Header;
}

std::unique_ptr<trace::TraceSource>
Session::makeTraceSource(const KernelCode &Code) {
  EngineOptions Hooks;
  Hooks.OnBlock = exec::ExecutedTrace::onBlock;
  Hooks.OnMemory = exec::ExecutedTrace::onMemory;
  std::shared_ptr<Engine> E = sharedEngine(Hooks);
  take(P->Memory->makeWindows(1, Bound.SharedBytes,
                              exec::localBytesPerBlock(Bound)));
  auto T = std::make_unique<exec::ExecutedTrace>(
      traceHeader(Code), traceCode(Code), E->kernel(), Bound, *P->Memory,
      Prepared->Source, Options.MaxSteps);
  T->setExplanation([this](const exec::Fault &F) { return message(F); });
  return std::make_unique<EngineTrace>(std::move(E), std::move(T));
}

} // namespace heddle::tool
