//===- Engine.cpp - Device code of CUDA programs, compiled here -----------===//
//
// libHeddleCudaEngine.so: what libcudart loads at the first launch or symbol.
//
//===----------------------------------------------------------------------===//

#include "cuda/Engine.h"
#include "arch/Occupancy.h"
#include "exec/FaultGuard.h"
#include "launch/LaunchFile.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "heddle/Driver/Session.h"
#include "heddle/Driver/TraceModes.h"
#include "heddle/MachineCode/MachineCode.h"
#include "heddle/PTX/PTXLinker.h"
#include "heddle/Passes/Pipelines.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

#include <map>
#include <set>

using namespace llvm;

namespace heddle::cuda {

namespace {

std::unexpected<heddle::Error> failed(llvm::Error E) {
  return heddle::fail(toString(std::move(E)));
}

class CompiledProgram : public Program {
public:
  CompiledProgram(const arch::GPUSpec &GPU, SessionOptions Options,
                  std::shared_ptr<Session::Program> P,
                  std::shared_ptr<Session::Placement> In,
                  std::vector<Variable> Variables, LaunchSimulator &Simulator)
      : GPU(GPU), Options(std::move(Options)), P(std::move(P)),
        In(std::move(In)), Variables(std::move(Variables)),
        Simulator(Simulator) {}

  const exec::KernelInterface *kernel(const std::string &Name) override;
  std::vector<std::string> kernelNames() const override;
  std::string whyMissing(const std::string &Name) const override;
  Result<KernelResources> resources(const std::string &Name) override;
  const std::vector<Variable> &variables() const override { return Variables; }
  Result<std::unique_ptr<ReadyLaunch>>
  prepare(const launch::Launch &L) override;
  Result<streams::LaunchUse> time(const launch::Launch &L,
                                  Timing Clock) override;

private:
  Function *find(const std::string &Name) const;
  Expected<streams::LaunchUse> time(Session &S, Timing Clock);

  const arch::GPUSpec &GPU;
  const SessionOptions Options;
  const std::shared_ptr<Session::Program> P;
  const std::shared_ptr<Session::Placement> In;
  const std::vector<Variable> Variables;
  std::map<std::string, exec::KernelInterface> Interfaces;
  LaunchSimulator &Simulator; ///< of all programs, which share L2
};

class CompiledLaunch : public ReadyLaunch {
public:
  explicit CompiledLaunch(std::unique_ptr<Session> S) : S(std::move(S)) {}
  Result<LaunchReport> execute(const Dim3 &Grid,
                               std::span<const uint8_t> Params) override;

private:
  struct Way {
    std::shared_ptr<heddle::Engine> Code;
    std::unique_ptr<exec::LaunchRunner> Runner;
  };
  Result<exec::LaunchRunner *> runner();

  const std::unique_ptr<Session> S;
  std::vector<Way> Ways;
};

class CompilingEngine : public Engine {
public:
  CompilingEngine(const arch::GPUSpec &GPU,
                  std::shared_ptr<exec::DeviceMemory> Memory, unsigned Threads)
      : GPU(GPU), Memory(std::move(Memory)), Threads(Threads),
        Simulator(GPU, levelFor(GPU),
                  GPU.Launch.KeepL2 ? CachesAtLaunch::L2Kept
                                    : CachesAtLaunch::Cold) {}
  Result<std::string> link(const std::vector<std::string> &Images) override;
  Result<std::unique_ptr<Program>>
  load(const std::vector<std::string> &Images, std::string &Code,
       const std::function<Result<uint64_t>(const Variable &)> &Place) override;

private:
  const arch::GPUSpec &GPU;
  const std::shared_ptr<exec::DeviceMemory> Memory;
  const unsigned Threads;
  LaunchSimulator Simulator; ///< as `heddle simulate` has it for a recording
  /// Handlers stay: to change them takes longer than a small launch.
  const exec::FaultGuard Guard;
};

} // namespace

Function *CompiledProgram::find(const std::string &Name) const {
  Function *F = P->Module.Module->getFunction(Name);
  return F && !F->isDeclaration() ? F : nullptr;
}

const exec::KernelInterface *CompiledProgram::kernel(const std::string &Name) {
  auto It = Interfaces.find(Name);
  if (It != Interfaces.end())
    return &It->second;
  const Function *F = find(Name);
  return F ? &(Interfaces[Name] = interfaceOf(*F)) : nullptr;
}

std::vector<std::string> CompiledProgram::kernelNames() const {
  std::vector<std::string> Names;
  for (const Function &F : *P->Module.Module)
    if (F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration())
      Names.push_back(F.getName().str());
  return Names;
}

std::string CompiledProgram::whyMissing(const std::string &Name) const {
  const auto &Refused = P->Module.Refused;
  const auto At = find_if(Refused, [Name = demangle(Name)](const auto &R) {
    return R.Name == Name;
  });
  return At == Refused.end() ? "" : At->Reason;
}

Result<KernelResources> CompiledProgram::resources(const std::string &Name) {
  const Function *F = find(Name);
  if (!F)
    return fail("there is no kernel '" + Name + "'");
  const std::pair Key(F, Simulator.level());
  auto At = P->Code.find(Key);
  if (At == P->Code.end()) {
    auto Code = buildKernelCode(*F, Options.Arch, Key.second);
    if (!Code)
      return failed(Code.takeError());
    At = P->Code.emplace(Key, std::move(*Code)).first;
  }
  const exec::KernelInterface &I = *kernel(Name);
  return KernelResources{At->second.RegistersPerThread, I.StaticSharedBytes,
                         I.LocalBytesPerThread, launchBounds(*F).MaxThreads};
}

Expected<streams::LaunchUse> CompiledProgram::time(Session &S, Timing Clock) {
  if (Clock == Timing::Simulate) {
    auto Whole = Simulator.simulate(S);
    return Whole ? Expected<streams::LaunchUse>(std::move(Whole->Use))
                 : Whole.takeError();
  }
  // The trace is executed while it is read, so all of it has to be.
  S.setLaneOrder(trace::LaneOrder::Kept);
  auto Source = S.makeTraceSource(Simulator.level());
  if (!Source)
    return Source.takeError();
  auto Kept = expected(trace::KeptTrace::read(**Source, UINT64_MAX));
  if (!Kept)
    return Kept.takeError();
  auto Told = heddle::predict(*Kept, GPU, "interval");
  if (!Told)
    return failure(Told.error().Message);
  auto Fit =
      expected(arch::computeOccupancy(Kept->header().blockResources(), GPU));
  if (!Fit)
    return Fit.takeError();
  // The model does not say what the launch leaves of pipes and DRAM.
  return streams::LaunchUse{double(Told->Cycles) / GPU.Clock.Core,
                            Kept->header().Grid.count(),
                            *Fit,
                            {}};
}

Result<streams::LaunchUse> CompiledProgram::time(const launch::Launch &L,
                                                 Timing Clock) {
  auto S = Session::create(P, In, Options, L);
  if (!S)
    return failed(S.takeError());
  auto Use = time(**S, Clock);
  if (!Use)
    return failed(Use.takeError());
  // A host measures the overhead of launches as well, in which pipes are idle.
  const double Kernel = Use->TimeUs;
  Use->TimeUs += GPU.Launch.HostTime;
  for (auto &[Name, Busy] : Use->Busy)
    Busy *= Kernel / Use->TimeUs;
  return std::move(*Use);
}

Result<std::unique_ptr<ReadyLaunch>>
CompiledProgram::prepare(const launch::Launch &L) {
  auto S = Session::create(P, In, Options, L);
  if (!S)
    return failed(S.takeError());
  return std::make_unique<CompiledLaunch>(std::move(*S));
}

/// The code depends on the size of the grid and on what arguments point to.
Result<exec::LaunchRunner *> CompiledLaunch::runner() {
  auto E = S->sharedEngine({});
  if (!E)
    return failed(E.takeError());
  Way *W = nullptr;
  for (Way &Known : Ways)
    if (Known.Code == *E)
      W = &Known;
  if (!W) {
    exec::LaunchOptions Run;
    Run.Threads = S->options().Threads;
    Run.MaxSteps = S->options().MaxSteps;
    Run.InOrder = S->blockOrderMatters();
    W = &Ways.emplace_back(
        *E, std::make_unique<exec::LaunchRunner>((*E)->kernel(), S->bound(),
                                                 S->memory(), std::move(Run)));
  }
  return W->Runner.get();
}

Result<LaunchReport> CompiledLaunch::execute(const Dim3 &Grid,
                                             std::span<const uint8_t> Params) {
  if (const Dim3 &Cluster = S->bound().Cluster; Cluster.count() > 1)
    if (auto Ok = launch::checkCluster(Grid, Cluster); !Ok)
      return std::unexpected(Ok.error());
  S->rebind(Grid, Params);
  auto Runner = runner();
  if (!Runner)
    return std::unexpected(Runner.error());
  auto R = (*Runner)->run();
  if (!R)
    return std::unexpected(R.error());
  LaunchReport Report;
  Report.Printed = std::move(R->Printed);
  if (R->Failed) {
    Report.Fault = R->Failed->What;
    Report.Message = S->message(*R->Failed);
    Report.Address = R->Failed->Address;
    // What assert() prints before it stops the kernel (device_runtime.h).
    Report.Assertion = R->Failed->What == exec::Fault::Trap &&
                       Report.Printed.contains("Assertion `");
  }
  return Report;
}

static Expected<std::string>
linkImages(const std::vector<std::string> &Images) {
  if (Images.size() == 1)
    return Images.front();
  auto IsBitcode = [](const std::string &Image) {
    return identify_magic(Image) == file_magic::bitcode;
  };
  if (none_of(Images, IsBitcode))
    return ptx::linkPTX(Images);
  LLVMContext Context;
  std::unique_ptr<Module> All;
  for (const std::string &Image : Images) {
    if (!IsBitcode(Image))
      return createStringError(
          "PTX of nvcc cannot be linked with what heddle cc has compiled");
    auto M = parseBitcodeFile(MemoryBufferRef(Image, "device code"), Context);
    if (!M)
      return M.takeError();
    if (!All)
      All = std::move(*M);
    else if (Linker::linkModules(*All, std::move(*M)))
      return createStringError(
          "the device code of several files defines a symbol twice, or "
          "declares it with another type");
  }
  std::string Bytes;
  raw_string_ostream Stream(Bytes);
  WriteBitcodeToFile(*All, Stream);
  return Bytes;
}

Result<std::string>
CompilingEngine::link(const std::vector<std::string> &Images) {
  auto Linked = linkImages(Images);
  if (!Linked)
    return failed(Linked.takeError());
  return std::move(*Linked);
}

Result<std::unique_ptr<Program>> CompilingEngine::load(
    const std::vector<std::string> &Images, std::string &Code,
    const std::function<Result<uint64_t>(const Variable &)> &Place) {
  auto Linked = linkImages(Images);
  if (!Linked)
    return failed(Linked.takeError());
  Code = std::move(*Linked);
  SessionOptions Options;
  Options.Input = "device code";
  Options.PTX = Code;
  // The code of a program does not say whether it was compiled for sm_90a,
  // which is what GPUs of sm_90 are.
  Options.Arch = GPU.Target == "sm_90" ? "sm_90a" : GPU.Target;
  Options.Threads = Threads;
  Options.KeepPrints = true;
  auto P = Session::compileProgram(Options);
  if (!P)
    return failed(P.takeError());
  auto In = std::make_shared<Session::Placement>();
  In->Memory = Memory;
  std::vector<Variable> Variables;
  auto Placed = PlacedGlobals::place(
      *(*P)->Module.Module,
      [&](StringRef Name, uint64_t Size) -> Expected<uint64_t> {
        Variable V{Name.str(), 0, Size};
        auto Address = expected(Place(V));
        if (!Address)
          return Address.takeError();
        V.Address = *Address;
        Variables.push_back(V);
        return V.Address;
      });
  if (!Placed)
    return failed(Placed.takeError());
  In->Globals.emplace(std::move(*Placed));
  return std::make_unique<CompiledProgram>(GPU, std::move(Options),
                                           std::move(*P), std::move(In),
                                           std::move(Variables), Simulator);
}

} // namespace heddle::cuda

extern "C" __attribute__((visibility("default"))) heddle::cuda::Engine *
heddleCudaEngine(const heddle::arch::GPUSpec &GPU,
                 std::shared_ptr<heddle::exec::DeviceMemory> Memory,
                 unsigned Threads) {
  return new heddle::cuda::CompilingEngine(GPU, std::move(Memory), Threads);
}

/// What compilers call to have a static object destroyed (Itanium C++ ABI,
/// 3.3.6.3). Hidden: only this library, with LLVM's archives, finds this one.
///
/// A program's globals are made before this library is loaded and so end after
/// its own. Their destructors may launch kernels, which LLVM compiles: with its
/// registry of passes gone that does not end. So no static object in this
/// library is destroyed; what they own is the process's anyway.
extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}
