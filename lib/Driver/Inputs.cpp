//===- Inputs.cpp - What users name: sources, launches, traces ------------===//

#include "heddle/Driver/Inputs.h"

#include "heddle/Analysis/WarpGroup.h"
#include "heddle/Driver/Assumptions.h"
#include "heddle/PTX/PTXLifter.h"
#include "heddle/Support/CodeCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "launch/LaunchFile.h"
#include "memory/Coalescer.h"
#include "record/Recording.h"
#include "synthesis/CloneFiles.h"

#include <fmt/format.h>

#include <algorithm>

using namespace llvm;

namespace heddle {

Expected<std::unique_ptr<MemoryBuffer>> readSynthFile(const std::string &Path) {
  if (!StringRef(Path).ends_with(".mlir"))
    return nullptr;
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return failure("cannot read '" + Path + "': " + Text.getError().message());
  return SynthModule::isSynth((*Text)->getBuffer()) ? std::move(*Text)
                                                    : nullptr;
}

Expected<synthesis::ClonePlan> planOf(const SynthModule &Behavior) {
  Expected<behavior::Profile> P = Behavior.behavior();
  if (!P)
    return P.takeError();
  return synthesis::planReduced(std::move(*P), Behavior.reduction());
}

namespace {
/// A synth kernel that is to be executed.
struct SynthProgram {
  std::string PTX;
  launch::Launch Launch;
};
} // namespace

/// Of \p Path if it is a synth kernel.
static Expected<std::optional<SynthProgram>>
readSynthProgram(const std::string &Path, const std::string &Kernel,
                 const std::string &Arch) {
  auto Text = readSynthFile(Path);
  if (!Text)
    return Text.takeError();
  if (!*Text)
    return std::nullopt;
  Expected<SynthModule> Behavior = SynthModule::parse(std::move(*Text), Kernel);
  if (!Behavior)
    return Behavior.takeError();
  Expected<synthesis::ClonePlan> Plan = planOf(*Behavior);
  if (!Plan)
    return Plan.takeError();
  auto Clone = expected(synthesis::writePTX(*Plan, Arch));
  if (!Clone)
    return Clone.takeError();
  auto Launch = expected(
      launch::parseLaunch(synthesis::cloneLaunch(*Plan, *Clone), Path));
  if (!Launch)
    return Launch.takeError();
  return SynthProgram{Clone->PTX, std::move(*Launch)};
}

Expected<bool> lowerSynthInput(CompileOptions &Options,
                               const std::string &Kernel) {
  auto Program = readSynthProgram(Options.Path, Kernel, Options.Arch);
  if (!Program)
    return Program.takeError();
  if (*Program)
    Options.PTX = std::move((*Program)->PTX);
  return Program->has_value();
}

Expected<CompiledModule> compileInput(const CompileOptions &Options) {
  if (std::string Surplus = surplusInput(Options.ClangArgs); !Surplus.empty())
    return failure("'" + Surplus + "' is one input too many: the source is '" +
                       Options.Path +
                       "'; after '--' stand flags for Clang, and --link "
                       "adds a source",
                   Failure::Request);
  return compile(Options);
}

/// Device code of a program, or an OpenCL source that is all that its module is
/// made of: it includes nothing, and the options are those of a recording.
/// Nothing for other inputs.
static std::optional<std::string> wholeInput(const CompileOptions &Options) {
  if (!Options.LinkWith.empty())
    return std::nullopt;
  if (identify_magic(Options.PTX) == file_magic::bitcode)
    return Options.PTX;
  const auto IsKnown = [](StringRef Arg) {
    return Arg.starts_with("-D") || Arg.starts_with("-U") ||
           Arg.starts_with("-I") || Arg.starts_with("-cl-") || Arg == "-w";
  };
  if (!Options.PTX.empty() || !StringRef(Options.Path).ends_with(".cl") ||
      !all_of(Options.ClangArgs, IsKnown))
    return std::nullopt;
  auto File = MemoryBuffer::getFile(Options.Path);
  if (!File)
    return std::nullopt;
  std::string Source = (*File)->getBuffer().str(), Spliced;
  // A directive may go on in the next line.
  for (size_t At = 0; At < Source.size(); ++At)
    if (StringRef Rest = StringRef(Source).substr(At);
        Rest.starts_with("\\\n") || Rest.starts_with("\\\r\n"))
      At += Rest[1] == '\r' ? 2 : 1;
    else
      Spliced += Source[At];
  if (StringRef(Spliced).contains("include") ||
      StringRef(Spliced).contains("embed"))
    return std::nullopt;
  return Source;
}

/// Names all that decides what compile() makes of \p Input.
static std::string keyOf(const CompileOptions &Options, StringRef Input) {
  std::string Text = fmt::format(
      "{}{}\n{}\n{}\n{} {} {} {}\n", buildIdentity(), LLVM_VERSION_STRING,
      Options.Path, Options.Arch, Options.OptLevel, Options.ForAnalysis,
      Options.KeepPrints, Options.TripFactor);
  for (const std::string &Arg : Options.ClangArgs)
    Text += Arg + '\0';
  return CodeCache::keyOf(Text + '\n' + Input.str());
}

/// The module in \p Bitcode as compile() gave it; null if it is not one.
static std::optional<CompiledModule>
readPrepared(ArrayRef<char> Bitcode, const CompileOptions &Options) {
  CompiledModule M;
  M.Context = std::make_unique<LLVMContext>();
  M.Context->setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {},
                                          nullptr);
  auto Module = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), Options.Path),
      *M.Context);
  if (!Module) {
    consumeError(Module.takeError());
    return std::nullopt;
  }
  M.Module = std::move(*Module);
  M.Path = Options.Path;
  M.Arch = Options.Arch;
  M.NotExecuted = refusedCalls(*M.Module);
  return M;
}

/// compileInput(), whose work on what wholeInput() gives is kept on disk: a
/// program is run again and again, and so are commands on its recording. What
/// comes with notes to the user is compiled again.
static Expected<CompiledModule> compileOrFind(const CompileOptions &Options) {
  const CodeCache Cache;
  const std::optional<std::string> Input =
      Cache.keepsNothing() ? std::nullopt : wholeInput(Options);
  if (!Input)
    return compileInput(Options);
  const std::string Key = keyOf(Options, *Input);
  if (auto Kept = Cache.find(Key))
    if (auto M = readPrepared(*Kept, Options))
      return std::move(*M);
  auto M = compileInput(Options);
  if (M && M->Warnings.empty() && M->Assumptions.empty() &&
      M->Refused.empty()) {
    SmallVector<char, 0> Bitcode;
    raw_svector_ostream OS(Bitcode);
    // Later passes must meet users of values in the same order.
    WriteBitcodeToFile(*M->Module, OS, /*ShouldPreserveUseListOrder=*/true);
    Cache.keep(Key, Bitcode);
  }
  return M;
}

/// What the options say beside the launch file, put into \p L.
static llvm::Error applyOptions(const SessionOptions &Options, bool IsSynth,
                                launch::Launch &L) {
  for (auto [Text, Name, To] :
       {std::tuple(&Options.Grid, "--grid", &L.Grid),
        std::tuple(&Options.Block, "--block", &L.Block)})
    if (!Text->empty()) {
      auto Size = expected(launch::parseDim3(*Text, Name));
      if (!Size)
        return Size.takeError();
      *To = *Size;
    }
  if (!Options.Cluster.empty()) {
    auto Size = expected(launch::parseDim3(Options.Cluster, "--cluster"));
    if (!Size)
      return Size.takeError();
    L.Cluster = *Size;
  }
  if (Options.DynamicShared)
    L.DynamicSharedBytes = *Options.DynamicShared;
  if (!Options.Kernel.empty() && !IsSynth)
    L.Kernel = Options.Kernel;
  if (!Options.Args.empty())
    L.Args.clear(); // the options give all arguments or none
  for (const std::string &Text : Options.Args) {
    auto Arg = expected(launch::parseArgument(Text));
    if (!Arg)
      return Arg.takeError();
    L.Args.push_back(std::move(*Arg));
  }
  return llvm::Error::success();
}

/// What \p Path is where no launch comes with it: a trace by its name or its
/// first bytes, or at least no source. Empty for what may be a source.
static std::string damageOfTrace(const std::string &Path) {
  constexpr uint64_t Looked = 512;
  uint64_t Size = 0;
  if (!sys::fs::is_regular_file(Path) || sys::fs::file_size(Path, Size))
    return "";
  auto File = MemoryBuffer::getFileSlice(Path, std::min(Size, Looked), 0);
  const StringRef Start = File ? (*File)->getBuffer() : "";
  if (isBitcode(Start.bytes_begin(), Start.bytes_end()))
    return "";
  const bool HasName = StringRef(Path).ends_with(".trace");
  if (Start.empty())
    return HasName ? "the file is empty; `heddle trace` writes a trace" : "";
  // Its first line ends as on another system where it was copied as text.
  if (Start.take_front(16).contains("HDLT"))
    return "the first bytes of this trace are damaged; was it copied as text?";
  const bool IsText =
      none_of(Start, [](char C) { return uint8_t(C) < ' ' && !isSpace(C); });
  return HasName || !IsText ? "offset 0: not a Heddle trace, nor a source; "
                              "`heddle trace` writes a trace"
                            : "";
}

Expected<launch::Launch> readLaunch(const SessionOptions &Options) {
  auto Synth = readSynthProgram(Options.Input, Options.Kernel, Options.Arch);
  if (!Synth)
    return Synth.takeError();
  launch::Launch L;
  if (*Synth)
    L = (*Synth)->Launch;
  if (!Options.LaunchFile.empty()) {
    auto File = expected(launch::readLaunchFile(Options.LaunchFile));
    if (!File)
      return File.takeError();
    L = std::move(*File);
  } else if (!*Synth && (Options.Grid.empty() || Options.Block.empty())) {
    if (std::error_code Code =
            sys::fs::access(Options.Input, sys::fs::AccessMode::Exist);
        Code && Options.PTX.empty())
      return failure("cannot read '" + Options.Input + "': " + Code.message());
    if (record::isRecording(Options.Input))
      return failure("'" + Options.Input +
                     "' is a recording, which `heddle run`, `profile`, "
                     "`sample`, `simulate` and `report` take; this command "
                     "needs a kernel and a launch");
    if (sys::fs::is_directory(Options.Input))
      return failure("'" + Options.Input +
                     "' is a folder, but holds no recording");
    const bool IsTrace = trace::TraceReader::isTrace(Options.Input);
    if (const std::string Damage = IsTrace ? "" : damageOfTrace(Options.Input);
        !Damage.empty() && Options.PTX.empty())
      return failure(Options.Input + ": " + Damage);
    return failure(
        IsTrace ? Options.Input + ": a trace, which `heddle simulate`, `heddle "
                                  "estimate` and `heddle trace` take"
                : "no launch given: use --launch FILE, or --grid, --block and "
                  "--arg",
        Failure::Request);
  }
  if (llvm::Error E = applyOptions(Options, Synth->has_value(), L))
    return E;
  if (llvm::Error E = expected(launch::checkLimits(L)))
    return E;
  if (llvm::Error E = expected(launch::checkNames(L)))
    return E;
  return L;
}

Expected<std::unique_ptr<Session>>
Session::create(const SessionOptions &Options) {
  Expected<launch::Launch> L = readLaunch(Options);
  if (!L)
    return L.takeError();
  return create(Options, std::move(*L));
}

Expected<std::unique_ptr<Session>>
Session::create(const SessionOptions &Options, launch::Launch L, Contents C,
                std::shared_ptr<exec::DeviceMemory> Memory) {
  if (launch::archNumber(Options.Arch) < L.LeastArch)
    return failure(fmt::format("{}: the kernel needs sm_{} and is compiled for "
                               "{}; name a --gpu that has it, or --arch sm_{}",
                               L.File, L.LeastArch, Options.Arch, L.LeastArch));
  auto P = compileProgram(Options, L.Kernel);
  if (!P)
    return P.takeError();
  return create(std::move(*P), Options, std::move(L), C, std::move(Memory));
}

/// The .target of a PTX file that is later than \p Arch; else empty.
static StringRef laterTarget(const Module &M, StringRef Arch) {
  const StringRef Target = ptxTarget(M);
  return launch::archNumber(Target) > launch::archNumber(Arch) ? Target : "";
}

/// PTX runs on no GPU before the one that it names; a machine may be tried.
static llvm::Error checkTarget(CompiledModule &M, const SessionOptions &O) {
  const std::string Target = laterTarget(*M.Module, O.Arch).str();
  if (Target.empty() || O.ArchFrom == ArchSource::Default)
    return llvm::Error::success();
  if (O.ArchFrom == ArchSource::Option)
    return failure(fmt::format("{}: its .target is {} and --arch says {}; name "
                               "{} or a later one, or leave --arch out",
                               O.Input, Target, O.Arch, Target));
  M.Assumptions +=
      fmt::format("the PTX is for {} and its driver would not load it on {}\n",
                  Target, O.Arch);
  return llvm::Error::success();
}

Expected<std::shared_ptr<Session::Program>>
Session::compileProgram(const SessionOptions &Options, StringRef Launched) {
  CompileOptions Compile;
  Compile.Path = Options.Input;
  Compile.ClangArgs = Options.ClangArgs;
  Compile.LinkWith = Options.LinkWith;
  Compile.Arch = Options.Arch;
  Compile.OptLevel = Options.OptLevel;
  Compile.KeepPrints = Options.KeepPrints;
  Compile.PTX = Options.PTX;
  Compile.TripFactor = Options.SourceTripFactor;
  if (Expected<bool> Synth = lowerSynthInput(Compile, Options.Kernel); !Synth)
    return Synth.takeError();
  auto P = std::make_shared<Program>();
  Options.tellPhase("compiling");
  llvm::Error Failed = compileOrFind(Compile).moveInto(P->Module);
  Options.tellPhase({});
  if (Failed)
    return Failed;
  if (llvm::Error E = checkTarget(P->Module, Options))
    return E;
  // Who launches one kernel is not told of the others.
  Function *Only = nullptr;
  if (!Launched.empty()) {
    Expected<Function *> Kernel = P->Module.kernel(Launched);
    if (Kernel)
      Only = *Kernel;
    else
      consumeError(Kernel.takeError()); // said when it is bound
  }
  P->Module.Assumptions += moduleAssumptions(P->Module, Options.Arch, Only);
  if (Options.OnNotes && !P->Module.Assumptions.empty())
    Options.OnNotes(P->Module.Assumptions);
  // In results only: a program may launch hundreds of them.
  P->Module.Assumptions += libraryAssumptions(P->Module);
  return P;
}

ISA levelFor(const arch::GPUSpec &Spec, std::optional<ISA> Asked) {
  return Asked.value_or(Spec.Level == arch::CodeLevel::Machine ? ISA::Machine
                                                               : ISA::PTX);
}

trace::LaneOrder laneOrderFor(const arch::GPUSpec &Spec) {
  return memory::servesLanesTogether(Spec.Shared) ? trace::LaneOrder::Free
                                                  : trace::LaneOrder::Kept;
}

/// Whether the kernel has accesses whose order of lanes a trace may leave free.
static bool hasFreeAccesses(const trace::CodeTable &Code) {
  return std::ranges::any_of(Code.Memory, [](const HeddleMemoryRecord &R) {
    return R.AccessBytes <= trace::MaxFreeBytes &&
           (R.Space == HEDDLE_SPACE_SHARED || R.Space == HEDDLE_SPACE_GENERIC);
  });
}

llvm::Error checkLaneOrder(const trace::TraceSource &Source,
                           const arch::GPUSpec &Spec, const std::string &Name) {
  if (Source.header().Order == trace::LaneOrder::Kept ||
      laneOrderFor(Spec) == trace::LaneOrder::Free ||
      !hasFreeAccesses(Source.code()))
    return llvm::Error::success();
  return failure(fmt::format(
      "{}: the trace does not say which lane takes which address of shared "
      "memory, and {} serves the lanes of a warp in parts; write it with "
      "`heddle trace --lane-order`",
      Name, Spec.Name));
}

Expected<std::unique_ptr<trace::TraceReader>>
openTrace(const std::string &File, std::optional<ISA> Level,
          const arch::GPUSpec &Spec) {
  auto Trace = expected(trace::TraceReader::open(File));
  if (!Trace)
    return Trace;
  const std::string Asked = nameOf(Level.value_or(ISA::PTX)).str();
  const std::string &Has = (*Trace)->code().ISA;
  if (Level && Has != Asked)
    return failure(File + ": this trace holds instructions of level '" + Has +
                       "'; leave out --isa, or write another with "
                       "`heddle trace --isa " +
                       Asked + "`",
                   Failure::Request);
  if (llvm::Error E = checkLaneOrder(**Trace, Spec, File))
    return E;
  return Trace;
}

} // namespace heddle
