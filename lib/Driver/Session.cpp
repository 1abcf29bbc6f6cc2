//===- Session.cpp - A kernel and its launch, ready to execute ------------===//

#include "heddle/Driver/Session.h"

#include "heddle/Driver/Assumptions.h"
#include "heddle/MachineCode/MachineCode.h"
#include "launch/LaunchFile.h"

#include "exec/ExecutedTrace.h"
#include "heddle/ABI/MallocHeap.h"
#include "heddle/Analysis/ArchitectureNeed.h"
#include "heddle/Analysis/Expression.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/Exec/BlockOrder.h"

#include "launch/BufferInit.h"
#include "launch/ScalarTypes.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

using namespace llvm;

namespace heddle {

char Failure::ID = 0;

void Failure::log(raw_ostream &OS) const { OS << Message; }

std::error_code Failure::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Session::PreparedKernel::PreparedKernel(const Function &Kernel)
    : Numbering(Kernel), Interface(interfaceOf(Kernel)),
      Source(sourceMapOf(Numbering)),
      OrderMatters(dependsOnBlockOrder(Numbering)) {}

Expected<std::unique_ptr<Session>>
Session::create(Function &Kernel, const SessionOptions &Options,
                launch::Launch L, Contents C) {
  auto P = std::make_shared<Program>();
  P->Given = &Kernel;
  return create(std::move(P), Options, std::move(L), C);
}

Expected<std::unique_ptr<Session>>
Session::create(std::shared_ptr<Program> P, const SessionOptions &Options,
                launch::Launch L, Contents C,
                std::shared_ptr<exec::DeviceMemory> Memory) {
  auto In = std::make_shared<Placement>();
  In->Memory = std::move(Memory);
  return bound(std::unique_ptr<Session>(
      new Session(Options, std::move(L), C, std::move(P), std::move(In))));
}

Expected<std::unique_ptr<Session>>
Session::create(std::shared_ptr<Program> P, std::shared_ptr<Placement> In,
                const SessionOptions &Options, launch::Launch L) {
  return bound(std::unique_ptr<Session>(new Session(
      Options, std::move(L), Contents::Filled, std::move(P), std::move(In))));
}

Expected<std::unique_ptr<Session>> Session::next(launch::Launch L) const {
  return bound(std::unique_ptr<Session>(
      new Session(Options, std::move(L), Contents::Filled, P, In)));
}

Expected<std::unique_ptr<Session>> Session::bound(std::unique_ptr<Session> S) {
  if (llvm::Error E = S->bind())
    return E;
  return S;
}

llvm::Error Session::fill() {
  return Held == Contents::Unfilled ? restart(Launch) : llvm::Error::success();
}

llvm::Error Session::restart(launch::Launch L, Contents C) {
  Launch = std::move(L);
  Held = C;
  // Compiled code holds the addresses of the module's variables, which lie
  // behind the buffers.
  bool HasVariables = false;
  for (const GlobalVariable &V : module().globals())
    HasVariables |= V.getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED;
  if (HasVariables)
    In->Engines.clear();
  In->Globals.reset();
  In->Memory.reset();
  return bind();
}

llvm::Error Session::selectKernel() {
  if (P->Given)
    Kernel = P->Given;
  else if (llvm::Error E = P->Module.kernel(Launch.Kernel).moveInto(Kernel))
    return E;
  else if (std::string Note = prefixNote(Launch.Kernel, *Kernel);
           Note != NameNote) {
    NameNote = std::move(Note);
    if (Options.OnNotes)
      Options.OnNotes(NameNote);
  }
  auto It = P->Kernels.find(Kernel);
  if (It == P->Kernels.end())
    It = P->Kernels.emplace(Kernel, *Kernel).first;
  Prepared = &It->second;
  return llvm::Error::success();
}

static launch::Launch withoutContents(launch::Launch L) {
  launch::forEachBuffer(
      L, [](launch::BufferArg &B) { B.Init = launch::InitZero{}; });
  return L;
}

/// What the kernel is executed for must have its instructions.
static llvm::Error checkArchitecture(const llvm::Function &Kernel,
                                     const SessionOptions &Options) {
  const bool IsDefault = Options.ArchFrom == ArchSource::Default;
  const std::string Target = ptxTarget(*Kernel.getParent()).str();
  if (IsDefault && Target.empty())
    return llvm::Error::success();
  const auto Need = laterArchitecture(
      Kernel, launch::archNumber(IsDefault ? Target : Options.Arch));
  if (!Need)
    return llvm::Error::success();
  const llvm::DebugLoc &Loc = Need->Inst->getDebugLoc();
  const std::string Uses = fmt::format(
      "{}kernel '{}' uses {}, which needs sm_{}",
      Loc ? fmt::format("{}:{}: ", Loc->getFilename().str(), Loc.getLine())
          : "",
      kernelName(Kernel), Need->Name, Need->Number);
  if (IsDefault)
    return failure(fmt::format("{}, and the .target of its file is {}; compile "
                               "the PTX for sm_{}",
                               Uses, Target, Need->Number));
  return failure(fmt::format(
      "{}, and {} {}; name a --gpu that has it, or --arch sm_{}", Uses,
      Options.ArchFrom == ArchSource::Machine ? "the machine is"
                                              : "is compiled for",
      Options.Arch, Need->Number));
}

/// What the kernel and the launch say of clusters must go together.
static llvm::Error checkCluster(const llvm::Function &Kernel,
                                const LaunchBounds &Bounds,
                                const launch::Launch &L, unsigned Arch) {
  const llvm::DISubprogram *Source = Kernel.getSubprogram();
  const std::string Name =
      fmt::format("{}kernel '{}'",
                  Source ? fmt::format("{}:{}: ", Source->getFilename().str(),
                                       Source->getLine())
                         : "",
                  kernelName(Kernel));
  if (Kernel.hasFnAttribute(NeedsClusterAttribute) && !L.Cluster &&
      !Bounds.HasCluster)
    return failure(Name + " is .explicitcluster: its launch must say the size "
                          "of clusters ('cluster' in the launch file, "
                          "--cluster)");
  if ((L.Cluster || Bounds.HasCluster) && Arch < 90)
    return failure(fmt::format("{} is launched in clusters, which need sm_90; "
                               "it is compiled for sm_{}",
                               Name, Arch));
  if (!Bounds.HasCluster)
    return L.Cluster ? expected(launch::checkCluster(L.Grid, *L.Cluster))
                     : llvm::Error::success();
  const auto &[X, Y, Z] = Bounds.Cluster;
  if (L.Cluster && *L.Cluster != Dim3{X, Y, Z})
    return failure(fmt::format("{} has clusters of {} x {} x {} blocks, but "
                               "the launch asks for {} x {} x {}",
                               Name, X, Y, Z, L.Cluster->X, L.Cluster->Y,
                               L.Cluster->Z));
  if (auto Ok = launch::checkCluster(L.Grid, {X, Y, Z}); !Ok)
    return failure(Name + " asks for " + Ok.error().Message);
  return llvm::Error::success();
}

static Dim3 clusterOf(const LaunchBounds &Bounds, const launch::Launch &L) {
  if (L.Cluster)
    return *L.Cluster;
  return {Bounds.Cluster[0], Bounds.Cluster[1], Bounds.Cluster[2]};
}

/// A driver refuses blocks that the kernel was not compiled for.
llvm::Error Session::checkLaunchBounds() const {
  const LaunchBounds Bounds = launchBounds(*Kernel);
  const Dim3 &B = Launch.Block;
  auto Refuse = [&](const std::string &Reason) {
    return failure(fmt::format("{}block is {} x {} x {}, but kernel '{}' {}",
                               Launch.File.empty() ? "" : Launch.File + ": ",
                               B.X, B.Y, B.Z, kernelName(*Kernel), Reason));
  };
  const auto &[X, Y, Z] = Bounds.RequiredBlock;
  if (X && (B.X != X || B.Y != Y || B.Z != Z))
    return Refuse(fmt::format("requires {} x {} x {}", X, Y, Z));
  if (Bounds.MaxThreads && B.count() > Bounds.MaxThreads)
    return Refuse(
        fmt::format("is bounded to {} threads per block", Bounds.MaxThreads));
  if (llvm::Error E = checkArchitecture(*Kernel, Options))
    return E;
  return checkCluster(*Kernel, Bounds, Launch,
                      launch::archNumber(Options.Arch));
}

llvm::Error Session::bindArguments(const launch::Launch &L) {
  uint64_t Total = 0, Done = 0;
  launch::forEachBuffer(
      L, [&](const launch::BufferArg &B) { Total += launch::filledBytes(B); });
  bool Stopped = false;
  auto OnFill = [&](uint64_t Bytes) {
    Done += Bytes;
    Stopped |=
        !Options.tellPhase("filling buffers", Done, Total) || isCancelled();
    return !Stopped;
  };
  auto R = expected(exec::bind(L, Prepared->Interface, *In->Memory, OnFill));
  Options.tellPhase({});
  if (R) {
    Bound = std::move(*R);
    const LaunchBounds Bounds = launchBounds(*Kernel);
    Bound.Cluster = clusterOf(Bounds, L);
    Bound.ExplicitCluster = L.Cluster || Bounds.HasCluster;
  }
  if (Stopped) {
    consumeError(R.takeError());
    return cancelled();
  }
  return R.takeError();
}

llvm::Error Session::bind() {
  if (!In->Memory) {
    auto Fresh = expected(exec::DeviceMemory::create());
    if (!Fresh)
      return Fresh.takeError();
    In->Memory = std::make_shared<exec::DeviceMemory>(std::move(*Fresh));
    In->Memory->setGap(Options.BufferGapBytes);
  }
  if (llvm::Error E = selectKernel())
    return E;
  const launch::Launch &L =
      Held == Contents::Filled ? Launch : withoutContents(Launch);
  if (llvm::Error E = checkLaunchBounds())
    return E;
  // Buffers first, so that their addresses do not depend on the module.
  if (llvm::Error E = bindArguments(L))
    return E;
  if (!In->Globals)
    if (llvm::Error E = placeVariables())
      return E;
  if (llvm::Error E = bindVariables())
    return E;
  return bindTextures();
}

/// Whether the variable \p Name is as large as a program wants its heap.
static bool isMallocHeap(StringRef Name) {
  return Name == HEDDLE_HEAP_DATA || Name == HEDDLE_HEAP_BLOCKS;
}

/// Variables that an application places hold what it says, not what the module
/// does.
llvm::Error Session::placeVariables() {
  exec::DeviceMemory &Memory = *In->Memory;
  std::vector<std::pair<std::span<uint8_t>, std::vector<uint8_t>>> Held;
  auto Placed = PlacedGlobals::place(
      module(), [&](StringRef Name, uint64_t Size) -> Expected<uint64_t> {
        const exec::DeviceBuffer *Given = Memory.findArgument(
            launch::variableBuffer(Name.str(), Launch.Program));
        if (Given && (Given->SizeBytes == Size ||
                      (isMallocHeap(Name) && Given->SizeBytes > Size))) {
          auto Bytes = Memory.bytes(*Given);
          Held.emplace_back(Bytes, std::vector(Bytes.begin(), Bytes.end()));
          return Given->Address;
        }
        auto Buffer = expected(Memory.allocate(Name.str(), Size));
        if (!Buffer)
          return Buffer.takeError();
        return (*Buffer)->Address;
      });
  if (!Placed)
    return Placed.takeError();
  for (const auto &[Bytes, Contents] : Held)
    std::ranges::copy(Contents, Bytes.begin());
  In->Globals.emplace(std::move(*Placed));
  return llvm::Error::success();
}

std::string Session::assumptions() const {
  std::string Lines =
      P->Module.Assumptions + functionAssumptions(*Kernel) + NameNote;
  if (Bound.Cluster.count() > 1)
    Lines += "clusters: what reaches the shared memory of another block is not "
             "timed on that block's SM, neither its banks nor its link\n";
  return Lines;
}

/// The variable of the source that is called \p Name, whatever C++ calls it.
static const GlobalVariable *variableCalled(const Module &M,
                                            const std::string &Name) {
  const GlobalVariable *Same = M.getNamedGlobal(Name);
  for (const GlobalVariable &GV : M.globals())
    if (!Same && variableName(GV) == Name)
      Same = &GV;
  return Same;
}

llvm::Error Session::bindVariables() {
  exec::DeviceMemory &Memory = *In->Memory;
  for (const launch::BufferArg &Given : Launch.Variables) {
    auto Refuse = [&](const std::string &Reason) {
      return failure(
          fmt::format("{}: variable '{}' {}", Launch.File, Given.Name, Reason));
    };
    const GlobalVariable *GV = variableCalled(module(), Given.Name);
    const exec::DeviceBuffer *Place =
        GV ? Memory.find(In->Globals->addressOf(GV->getName())) : nullptr;
    if (!Place)
      return Refuse("is none that the kernel uses");
    if (GV->isConstant() && !GV->isExternallyInitialized())
      return Refuse("is constant in the source; only what a host may write, "
                    "such as a __constant__ variable of CUDA, takes contents");
    const uint64_t Bytes = Given.Count * launch::sizeOf(Given.Type);
    if (Bytes != Place->SizeBytes)
      return Refuse(fmt::format("has {} bytes, but the launch gives {}",
                                Place->SizeBytes, Bytes));
    if (llvm::Error E =
            expected(launch::initialise(Given, Memory.bytes(*Place))))
      return E;
  }
  return llvm::Error::success();
}

llvm::Error Session::bindTextures() {
  exec::DeviceMemory &Memory = *In->Memory;
  for (const launch::ImageArg &Image : Launch.Textures) {
    const std::string &Name = Image.Texels.Name;
    uint64_t Address = In->Globals->addressOf(Name);
    const exec::DeviceBuffer *Variable = Memory.find(Address);
    if (!Address || !Variable)
      return failure(fmt::format("{}: the kernel uses no texture or "
                                 "surface reference called '{}'",
                                 Launch.File, Name));
    auto Handle = expected(exec::placeImage(Image, Name + ".texels", Memory));
    if (!Handle)
      return Handle.takeError();
    std::memcpy(Memory.bytes(*Variable).data(), &*Handle, sizeof(*Handle));
  }
  return llvm::Error::success();
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

Expected<std::unique_ptr<Engine>>
Session::makeEngine(const EngineOptions &Given, const Function &Reduced) const {
  EngineOptions Hooks = Given;
  Hooks.BlockDim = {Bound.Block.X, Bound.Block.Y, Bound.Block.Z};
  Hooks.SmallGrid = hasSmallGrid(Bound);
  Hooks.OverlappingArguments = Bound.ArgumentsOverlap;
  Hooks.QuickHostCode |= Options.QuickHostCode;
  if (Options.Engine != EngineKind::Interpreter && !Hooks.OnCheck) {
    Options.tellPhase("making code for this CPU");
    Expected<std::unique_ptr<Engine>> JIT =
        createJITEngine(Reduced, *In->Globals, Hooks);
    Options.tellPhase({});
    if (JIT) {
      EngineName = "jit";
      return JIT;
    }
    const std::string Why = toString(JIT.takeError());
    if (Options.Engine == EngineKind::JIT)
      return failure(fmt::format("kernel '{}' cannot run on the JIT: {}; "
                                 "--engine auto or interpreter runs it",
                                 kernelName(*Kernel), Why));
    // What it refuses, the interpreter takes.
    if (Options.OnNotes && EngineName.empty())
      Options.OnNotes(
          fmt::format("note: kernel '{}' runs in the interpreter: {}\n",
                      kernelName(*Kernel), Why));
  }
  EngineName = "interpreter";
  return createInterpreter(Reduced, *In->Globals, Hooks);
}

Expected<std::shared_ptr<Engine>>
Session::sharedEngine(const EngineOptions &Hooks,
                      const Function &Reduced) const {
  EngineKey Key{&Reduced,
                {Bound.Block.X, Bound.Block.Y, Bound.Block.Z},
                Hooks.OnBlock,
                Hooks.Counters,
                hasSmallGrid(Bound),
                Bound.ArgumentsOverlap};
  std::shared_ptr<Engine> &E = In->Engines[Key];
  if (!E)
    if (llvm::Error Failed = makeEngine(Hooks, Reduced).moveInto(E))
      return Failed;
  return E;
}

const ControlSlice &Session::slice() const {
  auto At = P->Slices.find(Kernel);
  if (At == P->Slices.end())
    At = P->Slices.emplace(Kernel, makeControlSlice(*Kernel)).first;
  return At->second;
}

Expected<const KernelCode &> Session::codeTable(ISA Level) const {
  auto At = P->Code.find({Kernel, Level});
  if (At == P->Code.end()) {
    Expected<KernelCode> Code = buildKernelCode(*Kernel, Options.Arch, Level);
    if (!Code)
      return Code.takeError();
    At = P->Code.emplace(std::pair(Kernel, Level), std::move(*Code)).first;
  }
  return At->second;
}

Expected<const trace::CodeTable &> Session::traceTable(ISA Level) const {
  auto At = P->Tables.find({Kernel, Level});
  if (At == P->Tables.end()) {
    Expected<const KernelCode &> Code = codeTable(Level);
    if (!Code)
      return Code.takeError();
    At = P->Tables.emplace(std::pair(Kernel, Level), traceCode(*Code)).first;
  }
  return At->second;
}

namespace {
/// Keeps the engine alive as long as the trace that it feeds.
class EngineTrace : public trace::TraceSource {
public:
  EngineTrace(std::shared_ptr<Engine> E, std::unique_ptr<exec::ExecutedTrace> T,
              const SessionOptions &Options)
      : E(std::move(E)), T(std::move(T)), Options(Options) {
    this->T->setWatch([this](uint64_t Steps) { return goesOn(Steps); });
  }
  const trace::TraceHeader &header() const override { return T->header(); }
  const trace::CodeTable &code() const override { return T->code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    auto R = T->read(Index, Out);
    if (std::exchange(Told, false))
      Options.tellPhase({});
    return R;
  }
  bool servesAnyOrder() const override { return T->servesAnyOrder(); }

private:
  /// A block that takes long says so, and can be interrupted.
  bool goesOn(uint64_t Steps) {
    Told = true;
    return Options.tellPhase("executing a thread block", Steps) &&
           !(Options.Cancelled && Options.Cancelled());
  }

  std::shared_ptr<Engine> E; // outlives T
  std::unique_ptr<exec::ExecutedTrace> T;
  const SessionOptions &Options;
  bool Told = false; ///< that a block is under way
};
} // namespace

trace::TraceHeader Session::traceHeader(const KernelCode &Code) const {
  trace::TraceHeader Header;
  Header.Kernel = kernelName(*Kernel);
  Header.Producer = "executed";
  Header.Target = Options.Arch;
  Header.Grid = Bound.Grid;
  Header.Block = Bound.Block;
  Header.Cluster = Bound.Cluster;
  Header.RegistersPerThread = Code.RegistersPerThread;
  Header.SharedBytesPerBlock = Bound.SharedBytes;
  Header.LocalBytesPerThread = Bound.LocalBytesPerThread;
  Header.ParamBytes = Bound.Params.size();
  Header.Order = Options.Order;
  return Header;
}

Expected<std::unique_ptr<trace::TraceSource>>
Session::makeEngineTrace(const KernelCode &Code) {
  EngineOptions Hooks;
  Hooks.OnBlock = exec::ExecutedTrace::onBlock;
  Hooks.OnMemory = exec::ExecutedTrace::onMemory;
  Expected<std::shared_ptr<Engine>> E = sharedEngine(Hooks);
  if (!E)
    return E.takeError();
  if (llvm::Error Failed = expected(In->Memory->makeWindows(
          1, Bound.SharedBytes, exec::localBytesPerBlock(Bound),
          unsigned(Bound.Cluster.count()))))
    return Failed;
  auto T = std::make_unique<exec::ExecutedTrace>(
      traceHeader(Code), engineCode(Code), (*E)->kernel(), Bound, *In->Memory,
      Prepared->Source, Options.MaxSteps);
  T->setExplanation([this](const exec::Fault &F) { return message(F); });
  return std::make_unique<EngineTrace>(std::move(*E), std::move(T), Options);
}

Expected<std::unique_ptr<trace::TraceSource>>
Session::makeTraceSource(ISA Level) {
  Expected<const KernelCode &> Code = codeTable(Level);
  if (!Code)
    return Code.takeError();
  auto Source = makeEngineTrace(*Code);
  if (!Source)
    return Source;
  return inBlocksOf(*Code, std::move(*Source));
}

Expected<exec::LaunchResult>
Session::execute(const Engine &E, exec::LaunchOptions Given,
                 const ProgressCallback &OnProgress) {
  Given.Threads = Options.Threads;
  Given.MaxSteps = Options.MaxSteps;
  Given.InOrder = blockOrderMatters();
  std::atomic<bool> Stop = false;
  Given.Stop = &Stop;
  Given.Progress = [&](uint64_t Done, uint64_t Total) {
    if ((Options.Cancelled && Options.Cancelled()) ||
        (OnProgress && !OnProgress(Done, Total, Done)))
      Stop = true;
  };
  auto R = expected(exec::runLaunch(E.kernel(), Bound, *In->Memory, Given));
  if (R && R->Failed)
    return failure(message(*R->Failed),
                   R->Failed->What == exec::Fault::Interrupted
                       ? Failure::Cancelled
                       : Failure::Input);
  return R;
}

} // namespace heddle
