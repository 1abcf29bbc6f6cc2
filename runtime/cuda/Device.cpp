//===- Device.cpp - The GPU that a program sees ---------------------------===//

#include "cuda/Device.h"

#include "arch/SpecReader.h"
#include "launch/LaunchFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

namespace heddle::cuda {

/// The value of an environment variable, or "".
static std::string environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

[[noreturn]] static void giveUp(const std::string &Message) {
  std::fprintf(stderr, "heddle: error: %s\n", Message.c_str());
  std::_Exit(1);
}

static Timing timingFrom(const std::string &Name) {
  if (Name.empty() || Name == "host")
    return Timing::Host;
  if (Name == "interval")
    return Timing::Interval;
  if (Name == "simulate")
    return Timing::Simulate;
  giveUp(fmt::format("HEDDLE_TIMING={}: use host, interval or simulate", Name));
}

/// What a program may allocate where HEDDLE_DEVICE_MEMORY does not say: machine
/// files know no size of memory. The smallest V100 has as much.
static constexpr uint64_t DefaultMemory = uint64_t(16) << 30;

static uint64_t memoryBytes() {
  const std::string Text = environment("HEDDLE_DEVICE_MEMORY");
  if (Text.empty())
    return DefaultMemory;
  char *End = nullptr;
  const uint64_t Bytes = std::strtoull(Text.c_str(), &End, 10);
  if (*End || Bytes == 0)
    giveUp(
        fmt::format("HEDDLE_DEVICE_MEMORY={}: give a number of bytes", Text));
  return Bytes;
}

Device *&Device::made() {
  static Device *Made = nullptr;
  return Made;
}

Device &Device::get() {
  // Never destroyed: programs call us from their own destructors.
  static Device *Only = made() = new Device;
  return *Only;
}

Device::Device() {
  const std::string Name = environment("HEDDLE_GPU");
  auto Spec = arch::loadMachine(Name.empty() ? "v100" : Name);
  if (!Spec)
    giveUp("HEDDLE_GPU: " + Spec.error().Message);
  Machine = std::move(*Spec);
  Clock = timingFrom(environment("HEDDLE_TIMING"));
  auto Made = exec::DeviceMemory::create();
  if (!Made)
    giveUp(Made.error().Message);
  Memory = std::make_shared<exec::DeviceMemory>(std::move(*Made));
  const std::string Check = environment("HEDDLE_CHECK");
  const bool Checks = !Check.empty() && Check != "0";
  Heap = std::make_unique<DeviceHeap>(*Memory, memoryBytes(), Checks);
  Log = Recorder::create(*Memory, Machine.Name);
  if (Log || Clock != Timing::Host)
    Issued = std::make_unique<Timeline>(
        Machine, Log ? Log->sink() : record::StreamOrder::Sink(),
        Clock != Timing::Host);
  if (Checks)
    Gate = std::make_unique<HostAccess>(
        *Heap, [this](const HostAccess::Access &A) { tell(A); });
}

bool Device::enter(const char *Name) {
  if (Depth++)
    return false;
  if (Gate)
    Gate->open();
  Outermost = Name;
  // cuda.h gives the program a name without the version.
  if (const size_t At = Outermost.rfind("_v"); At + 3 == Outermost.size())
    Outermost.resize(At);
  return true;
}

/// A GPU's memory is not the host's to use: the program would have died.
void Device::tell(const HostAccess::Access &A) {
  const std::string Line = lineOf(A.Stack);
  Sticky = report(
      Status::IllegalAddress, Line.empty() ? "host code" : Line,
      fmt::format("host code {} device memory: byte {} of {}; copy it with "
                  "cudaMemcpy, or use cudaMallocManaged",
                  A.IsWrite ? "writes" : "reads", A.Address - A.Memory.Address,
                  DeviceHeap::describe(A.Memory)));
}

void Device::finish() {
  if (Gate)
    tellLeaks();
  Issued.reset();
  Log.reset();
}

/// What the program has not freed, in the order of allocation. The variables of
/// its modules are not its to free.
void Device::tellLeaks() {
  std::fflush(stdout); // what the program says comes first
  std::vector<const Allocation *> Left;
  uint64_t Bytes = 0;
  for (const auto &[Address, A] : Heap->all())
    if (!isVariable(A) && !A.HostAddress) {
      Left.push_back(&A);
      Bytes += A.SizeBytes;
    }
  std::ranges::sort(Left, {}, &Allocation::Number);
  constexpr size_t Most = 20; // more lines help no one
  for (size_t I = 0; I < std::min(Left.size(), Most); ++I)
    std::fprintf(stderr, "heddle: never freed: %s\n",
                 DeviceHeap::describe(*Left[I]).c_str());
  if (!Left.empty())
    std::fprintf(stderr, "heddle: %zu allocations, %llu bytes, never freed\n",
                 Left.size(), static_cast<unsigned long long>(Bytes));
}

unsigned Device::capability() const {
  const size_t Digits = Machine.Target.find_first_of("0123456789");
  return Digits == std::string::npos
             ? 0
             : unsigned(
                   std::strtoul(Machine.Target.c_str() + Digits, nullptr, 10));
}

Status Device::report(Status S, const std::string &Call,
                      const std::string &Message) {
  // Of the driver's codes this one says so of a launch.
  if (S == Status::InvalidConfiguration && !Call.starts_with("cuda"))
    S = Status::InvalidValue;
  std::fprintf(stderr, "heddle: %s: %s (error %d)\n", Call.c_str(),
               Message.c_str(), int(S));
  return S;
}

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

CodeModule *Device::addBinary(const void *FatBinary, size_t Bytes) {
  auto Images = readFatBinary(FatBinary, Bytes);
  const bool Relocatable =
      Images && std::ranges::any_of(*Images, &DeviceImage::Relocatable);
  CodeModule *M = Relocatable ? Linked : nullptr;
  if (!M) {
    M = &Modules.emplace_back();
    M->Number = Modules.size() - 1;
    if (Relocatable)
      Linked = M;
  }
  if (Images)
    addImages(*M, std::move(*Images));
  else
    M->Broken = Images.error().Message;
  return M;
}

void Device::addImages(CodeModule &M, std::vector<DeviceImage> Images) {
  // PTX 9.0 came with CUDA 13.0 (PTX ISA, "Release Notes").
  constexpr unsigned PTXOfRelease13 = 9;
  for (const DeviceImage &I : Images) {
    M.Managed.insert(I.Managed.begin(), I.Managed.end());
    Release13 |= I.PTXMajor >= PTXOfRelease13;
  }
  M.Binaries.push_back(std::move(Images));
}

CodeModule *Device::addParts(const void *const *FatBinaries) {
  CodeModule &M = Modules.emplace_back();
  M.Number = Modules.size() - 1;
  M.HasLibraries = true;
  for (; *FatBinaries; ++FatBinaries)
    if (auto Images = readFatBinary(*FatBinaries))
      addImages(M, std::move(*Images));
    else
      M.Broken = Images.error().Message;
  if (!M.Binaries.empty())
    M.Broken.clear();
  return &M;
}

CodeModule *Device::addCode(std::string Code, unsigned Capability) {
  CodeModule &M = Modules.emplace_back();
  M.Number = Modules.size() - 1;
  M.Binaries.push_back({{Capability, false, std::move(Code), {}, 0}});
  return &M;
}

unsigned Device::capabilityOf(const CodeModule &M) const {
  unsigned Highest = 0;
  for (const auto &Binary : M.Binaries)
    if (const DeviceImage *Best = imageFor(Binary, capability()))
      Highest = std::max(Highest, Best->Capability);
  return Highest ? Highest : AnyDeviceCapability;
}

void Device::dropModule(CodeModule *M) {
  // The program may still have handles of its kernels.
  for (auto &[Key, K] : Named)
    if (Key.first == M) {
      K.Interface = nullptr;
      K.Ready.clear();
    }
  for (const auto &[Name, A] : M->Variables) {
    if (Log)
      Log->dropped(*A);
    Heap->release(*A);
  }
  M->Variables.clear();
  M->Loaded.reset();
  M->Failed = Status::InvalidHandle;
}

bool Device::isVariable(const Allocation &A) const {
  return A.Kind == MemoryKind::Variable ||
         (A.Kind == MemoryKind::Managed &&
          std::ranges::any_of(Modules, [&](const CodeModule &M) {
            return std::ranges::any_of(
                M.Variables, [&](const auto &V) { return V.second == &A; });
          }));
}

CodeModule *Device::module(const void *Handle) {
  for (CodeModule &M : Modules)
    if (&M == Handle && M.Failed != Status::InvalidHandle)
      return &M;
  return nullptr;
}

void Device::registerKernel(CodeModule *M, const void *Host, std::string Name) {
  KernelHandle &K = Kernels[Host];
  K = {M, std::move(Name)};
  Handles.insert(&K);
}
void Device::registerVariable(CodeModule *M, const void *Host,
                              std::string Name) {
  Variables[Host] = {M, std::move(Name)};
}

KernelHandle *Device::kernel(const void *Host) {
  if (auto It = Kernels.find(Host); It != Kernels.end())
    return &It->second;
  return Handles.contains(Host)
             ? static_cast<KernelHandle *>(const_cast<void *>(Host))
             : nullptr;
}

std::string missingKernel(const CodeModule &M, const std::string &Name,
                          const char *Where) {
  const std::string Why = M.Loaded ? M.Loaded->whyMissing(Name) : "";
  return Why.empty()
             ? fmt::format("the {} has no kernel '{}'", Where, Name)
             : fmt::format("kernel '{}' was not compiled: {}", Name, Why);
}

KernelHandle *Device::kernel(CodeModule &M, const std::string &Name) {
  if (!M.Loaded || !M.Loaded->kernel(Name))
    return nullptr;
  KernelHandle &K = Named[{&M, Name}];
  K.Module = &M;
  K.Name = Name;
  Handles.insert(&K);
  return &K;
}

static unsigned hostThreads() {
  const std::string Text = environment("HEDDLE_THREADS");
  const unsigned Given = unsigned(std::strtoul(Text.c_str(), nullptr, 10));
  return Given ? std::min(Given, exec::DeviceMemory::MaxWorkers)
               : std::clamp(std::thread::hardware_concurrency(), 1u,
                            exec::DeviceMemory::MaxWorkers);
}

Engine *Device::engine(std::string &Why) {
  if (Compiler)
    return Compiler;
  auto *Make =
      reinterpret_cast<MakeEngine *>(engineFunction("heddleCudaEngine", Why));
  if (!Make)
    return nullptr;
  return Compiler = Make(Machine, Memory, hostThreads());
}

bool Device::setMallocBytes(uint64_t Bytes) {
  if (!HasMalloc)
    MallocBytes = Bytes;
  return !HasMalloc;
}

/// What the variable \p Name needs for a heap of \p Bytes.
static uint64_t heapBytes(std::string_view Name, uint64_t Bytes) {
  return Name == HEDDLE_HEAP_DATA ? Bytes
         : Name == HEDDLE_HEAP_BLOCKS
             ? Bytes / HEDDLE_HEAP_UNIT * sizeof(HeddleHeapBlock)
             : 0;
}

/// Tells the heap of \p M, if it has one, how large it is.
void Device::sizeHeap(CodeModule &M) {
  const auto It = M.Variables.find(HEDDLE_HEAP_BYTES);
  if (It == M.Variables.end())
    return;
  HasMalloc = true;
  std::memcpy(reinterpret_cast<void *>(It->second->where()), &MallocBytes,
              sizeof(MallocBytes));
}

Result<uint64_t> Device::place(CodeModule &M, const Variable &V) {
  const void *Host = nullptr;
  if (M.Managed.contains(V.Name))
    for (const auto &[Address, Of] : Variables)
      if (Of.Module == &M && Of.Name == V.Name)
        Host = Address;
  const auto Place = M.ManagedPlaces.find(V.Name);
  const bool IsManaged =
      M.Managed.contains(V.Name) || Place != M.ManagedPlaces.end();
  const Allocation *A =
      Heap->allocate(std::max(V.SizeBytes, heapBytes(V.Name, MallocBytes)),
                     IsManaged ? MemoryKind::Managed : MemoryKind::Variable,
                     launch::variableBuffer(V.Name, M.Number));
  if (!A)
    return heddle::fail(
        fmt::format("no device memory is left for variable '{}'", V.Name));
  if (Host)
    Heap->share(*A, reinterpret_cast<uint64_t>(Host));
  if (Place != M.ManagedPlaces.end()) {
    *Place->second = reinterpret_cast<void *>(A->where());
    Variables[*Place->second] = {&M, V.Name};
  }
  M.Variables[V.Name] = A;
  return A->where();
}

void Device::registered(CodeModule &M) {
  // Device code of several files is linked when all of it is there.
  if ((!M.Managed.empty() && &M != Linked) || !M.ManagedPlaces.empty())
    load(M, "__managed__");
}

/// The image of each binary that fits the device; else \p Why there is none.
Status Device::images(const CodeModule &M, std::vector<std::string> &To,
                      std::string &Why) const {
  Why = M.Broken;
  for (const auto &Binary : M.Binaries) {
    if (const DeviceImage *Best = imageFor(Binary, capability())) {
      To.push_back(Best->Code);
      continue;
    }
    unsigned Lowest = ~0u;
    for (const DeviceImage &I : Binary)
      Lowest = std::min(Lowest, I.Capability);
    Why = Binary.empty()
              ? "the program's device code is empty"
              : fmt::format("the program has device code for sm_{} and later "
                            "only, and {} is {}",
                            Lowest, Machine.Name, Machine.Target);
    if (!M.HasLibraries)
      break;
  }
  const bool Fits = Why.empty() || (M.HasLibraries && !To.empty());
  return Fits ? Status::Success : Status::NoImageForDevice;
}

/// LLVM's bitcode begins so, PTX with a comment or a directive.
static bool isBitcode(std::string_view Image) {
  return Image.starts_with("BC\xC0\xDE");
}

/// Names of the variables of \p PTX that the host shares.
static std::set<std::string> managedIn(std::string_view PTX) {
  constexpr std::string_view Attribute = ".attribute(.managed";
  std::set<std::string> Names;
  for (size_t At = PTX.find(Attribute); At != std::string_view::npos;
       At = PTX.find(Attribute, At)) {
    const size_t End = PTX.find_first_of("=[;", At += Attribute.size());
    if (End == std::string_view::npos)
      break;
    const std::string_view Before = PTX.substr(0, End);
    const size_t Last = Before.find_last_not_of(" \t\n");
    const size_t First = Before.find_last_of(" \t\n", Last) + 1;
    Names.emplace(Before.substr(First, Last + 1 - First));
  }
  return Names;
}

Status Device::load(CodeModule &M, const char *Call) {
  if (M.Failed == Status::InvalidHandle)
    return report(M.Failed, Call, "the module was unloaded");
  if (M.Loaded || M.Failed != Status::Success)
    return M.Failed;
  auto Fail = [&](Status S, const std::string &Message) {
    M.Failed = S;
    return report(S, Call, Message);
  };
  std::vector<std::string> Images;
  std::string Why, Code;
  if (Status S = images(M, Images, Why); S != Status::Success)
    return Fail(S, Why);
  for (const std::string &Image : Images)
    if (!isBitcode(Image))
      M.Managed.merge(managedIn(Image));
  Engine *E = engine(Why);
  if (!E)
    return Fail(Status::NotInitialized, Why);
  auto Loaded =
      E->load(Images, Code, [&](const Variable &V) { return place(M, V); });
  if (!Loaded)
    return Fail(Status::InvalidPTX, Loaded.error().Message);
  M.Loaded = std::move(*Loaded);
  sizeHeap(M);
  if (Log) {
    Log->program(M.Number, Code);
    for (const Variable &V : M.Loaded->variables())
      Log->variable(M.Number, V, *M.Variables.at(V.Name));
  }
  return Status::Success;
}

Status Device::link(const std::vector<std::string> &Codes, std::string &Image,
                    const char *Call) {
  std::string Why;
  Engine *E = engine(Why);
  if (!E)
    return report(Status::NotInitialized, Call, Why);
  auto Linked = E->link(Codes);
  if (!Linked)
    return report(Status::InvalidPTX, Call, Linked.error().Message);
  Image = isBitcode(*Linked)
              ? writeFatBinary({{0, false, std::move(*Linked), {}, 0}})
              : std::move(*Linked);
  return Status::Success;
}

/// The name that \p At may be: programs of CUDA 4 and before named variables.
/// Read so that any address may be given.
static std::string nameAt(const void *At) {
  std::string Name;
  for (char C; Name.size() < 256; Name += C) {
    iovec To{&C, 1},
        From{const_cast<char *>(static_cast<const char *>(At)) + Name.size(),
             1};
    if (process_vm_readv(getpid(), &To, 1, &From, 1, 0) != 1)
      return "";
    if (!C)
      return Name;
    if (!std::isalnum(static_cast<unsigned char>(C)) && C != '_')
      return "";
  }
  return "";
}

Status Device::variable(const void *Host, const std::string &Call,
                        const Allocation *&At) {
  auto It = Variables.find(Host);
  if (It == Variables.end())
    if (const std::string Name = nameAt(Host); !Name.empty())
      It = std::find_if(
          Variables.begin(), Variables.end(),
          [&](const auto &Known) { return Known.second.Name == Name; });
  if (It == Variables.end())
    return report(Status::InvalidSymbol, Call,
                  "the symbol is no __device__ or __constant__ variable of "
                  "this program");
  CodeModule &M = *It->second.Module;
  if (Status S = load(M, Call.c_str()); S != Status::Success)
    return S;
  auto Place = M.Variables.find(It->second.Name);
  if (Place == M.Variables.end())
    return report(Status::InvalidSymbol, Call,
                  fmt::format("variable '{}' is not in the device code",
                              It->second.Name));
  At = Place->second;
  return Status::Success;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Status Device::pack(KernelHandle &K, const LaunchShape &Shape, void **Args,
                    std::vector<uint8_t> &To, const char *Call) {
  if (Sticky != Status::Success)
    return Sticky;
  if (Status S = load(*K.Module, Call); S != Status::Success)
    return S;
  if (!K.Interface)
    K.Interface = K.Module->Loaded->kernel(K.Name);
  const exec::KernelInterface *I = K.Interface;
  if (!I)
    return report(Status::InvalidDeviceFunction, Call,
                  missingKernel(*K.Module, K.Name, "device code"));
  if (Status S = checkShape(K, Shape, *I, Call); S != Status::Success)
    return S;
  To.assign(I->ParamBytes, 0);
  for (size_t N = 0; Args && N < I->Params.size(); ++N)
    std::memcpy(To.data() + I->Params[N].Offset, Args[N],
                I->Params[N].SizeBytes);
  return Status::Success;
}

Status Device::launch(KernelHandle &K, const LaunchShape &Shape, void **Args,
                      const std::vector<uint8_t> *Packed, const char *Call) {
  if (Status S = pack(K, Shape, Packed ? nullptr : Args, Params, Call);
      S != Status::Success)
    return S;
  if (Packed)
    std::copy_n(Packed->begin(), std::min(Packed->size(), Params.size()),
                Params.begin());
  return execute(K, Shape, Call);
}

launch::Launch Device::launchOf(const KernelHandle &K,
                                const LaunchShape &Shape) const {
  launch::Launch L;
  L.Program = K.Module->Number;
  L.Kernel = K.Name;
  L.Grid = Shape.Grid;
  L.Cluster = Shape.Cluster;
  L.Block = Shape.Block;
  L.DynamicSharedBytes = Shape.DynamicShared;
  L.RawParams = Params;
  return L;
}

/// What CUDA says of a kernel that stopped.
static Status statusOf(const LaunchReport &R) {
  if (R.Assertion)
    return Status::Assert;
  switch (*R.Fault) {
  case exec::Fault::Memory:
    return Status::IllegalAddress;
  case exec::Fault::StepLimit:
  case exec::Fault::BarrierDeadlock:
  case exec::Fault::GridDeadlock:
  case exec::Fault::ClusterDeadlock:
    return Status::Timeout;
  case exec::Fault::Unsupported:
    return Status::NotSupported;
  default:
    return Status::LaunchFailure;
  }
}

/// Shapes of a kernel's launches that are kept ready.
static constexpr size_t MostReady = 8;

/// Executes the launch, and keeps what the next of its shape needs.
Result<LaunchReport> Device::run(KernelHandle &K, const LaunchShape &Shape) {
  auto IsSame = [&](const auto &Known) {
    return Known.first.Block == Shape.Block &&
           Known.first.DynamicShared == Shape.DynamicShared &&
           Known.first.Cluster == Shape.Cluster;
  };
  auto It = std::ranges::find_if(K.Ready, IsSame);
  if (It == K.Ready.end()) {
    auto Made = K.Module->Loaded->prepare(launchOf(K, Shape));
    if (!Made)
      return std::unexpected(Made.error());
    if (K.Ready.size() == MostReady)
      K.Ready.erase(K.Ready.begin());
    It = K.Ready.emplace(K.Ready.end(), Shape, std::move(*Made));
  }
  return It->second->execute(Shape.Grid, Params);
}

Status Device::execute(KernelHandle &K, const LaunchShape &Shape,
                       const char *Call) {
  if (Issued)
    Issued->operation(launch::OperationKind::Launch, 0);
  if (Log)
    Log->launching(K.Module->Number, launchOf(K, Shape));
  if (Clock != Timing::Host) {
    auto Use = K.Module->Loaded->time(launchOf(K, Shape), Clock);
    Issued->took(Use.value_or(streams::LaunchUse()));
    if (!Use)
      return report(Status::OutOfResources, Call, Use.error().Message);
    if (Log)
      Log->launched();
    return Status::Success;
  }
  auto R = run(K, Shape);
  if (!R)
    return report(Status::OutOfResources, Call, R.error().Message);
  if (!R->Printed.empty())
    std::fwrite(R->Printed.data(), 1, R->Printed.size(), stdout);
  if (Log)
    Log->launched();
  if (!R->Fault)
    return Status::Success;
  if (Heap->wasFreed(R->Address))
    R->Message += "; " + Heap->describe(R->Address);
  // The launch itself succeeds; any later call tells what happened.
  Sticky = report(statusOf(*R), fmt::format("kernel '{}'", K.Name), R->Message);
  return Status::Success;
}

} // namespace heddle::cuda
