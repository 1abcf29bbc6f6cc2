//===- Session.h - A kernel and its launch, ready to execute ----*- C++ -*-===//
//
// The options that name a kernel and its launch, and the way from there to a
// compiled kernel with its arguments in device memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DRIVER_SESSION_H
#define HEDDLE_DRIVER_SESSION_H

#include "exec/Binding.h"
#include "exec/Launcher.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Driver/Failure.h"
#include "heddle/Driver/KernelBinding.h"
#include "heddle/Exec/Engine.h"
#include "heddle/Exec/KernelLayout.h"
#include "heddle/Exec/PlacedGlobals.h"
#include "heddle/Frontend/Compiler.h"
#include "heddle/PTX/CodeTable.h"
#include "heddle/Transforms/ControlSlice.h"
#include "launch/Launch.h"
#include "models/Models.h"
#include "trace/TraceSource.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace heddle {

enum class EngineKind { Auto, JIT, Interpreter };

/// Who names the architecture: no one, the machine, or the user.
enum class ArchSource { Default, Machine, Option };

/// Says what a kernel and its launch are, and how to execute it.
struct SessionOptions {
  std::string Input;
  std::vector<std::string> ClangArgs; ///< after "--"
  std::vector<std::string> LinkWith;  ///< sources to link with Input
  std::string Arch = "sm_70";
  /// What the default lacks does not stop a kernel.
  ArchSource ArchFrom = ArchSource::Default;
  unsigned OptLevel = 3;
  bool KeepPrints = false; ///< execute what the kernel prints
  std::string PTX; ///< or bitcode; if not empty: compiled instead of Input
  uint64_t SourceTripFactor = 1; ///< CompileOptions::TripFactor
  std::string Kernel;            ///< overrides the launch file's
  std::string LaunchFile;
  std::string Grid, Block, Cluster; ///< override the launch file's
  std::vector<std::string> Args;
  std::optional<uint64_t> DynamicShared;
  EngineKind Engine = EngineKind::Auto;
  bool QuickHostCode = false; ///< EngineOptions::QuickHostCode
  unsigned Threads = 1;
  uint64_t MaxSteps = uint64_t(1) << 30;
  uint64_t BufferGapBytes = 0; ///< exec::DeviceMemory::setGap
  trace::LaneOrder Order = trace::LaneOrder::Kept; ///< of traces
  /// Told what results depend on that the source does not say, notes of a line
  /// each, as soon as it is known.
  std::function<void(const std::string &)> OnNotes;
  /// Told what is under way before a launch runs, with \p Done of \p Total
  /// bytes where the end is known. Where not, \p Total is 0, and \p Done counts
  /// the basic blocks that were executed, if any. An empty \p Phase ends it.
  /// False cancels.
  std::function<bool(std::string_view Phase, uint64_t Done, uint64_t Total)>
      OnPhase;
  /// Asked from time to time while a launch runs, also within a thread block
  /// whose trace is taken; true ends it with an error.
  std::function<bool()> Cancelled;

  bool tellPhase(std::string_view Phase, uint64_t Done = 0,
                 uint64_t Total = 0) const {
    return !OnPhase || OnPhase(Phase, Done, Total);
  }
};

/// Whether a launch's buffers get what the launch says they hold, or zeros.
enum class Contents { Filled, Unfilled };

/// A compiled kernel, its launch, and device memory that holds the module's
/// variables and the launch's buffers.
///
/// Sessions of different programs are independent of each other and may be used
/// by different threads at the same time; those that share a program by
/// one thread at a time. At most exec::DeviceMemory::MaxAtOnce memories exist
/// at a time in a process.
class Session {
public:
  /// A compiled module, and what is made from it once for all its launches.
  struct Program;
  using EngineKey = std::tuple<const llvm::Function *, std::array<uint32_t, 3>,
                               HeddleBlockHook, bool, bool, bool>;
  /// A program in memory: what launches that follow each other share.
  struct Placement {
    std::shared_ptr<exec::DeviceMemory> Memory; ///< of the application
    std::optional<PlacedGlobals> Globals;
    /// By kernel, threads per block, hooks, counters, size of the grid, whether
    /// arguments overlap.
    std::map<EngineKey, std::shared_ptr<Engine>> Engines;
  };
  /// Notes are of the kernel \p Launched alone, if it is named.
  static llvm::Expected<std::shared_ptr<Program>>
  compileProgram(const SessionOptions &Options, llvm::StringRef Launched = "");
  /// Binds a launch of \p P in \p Memory, or fresh memory.
  static llvm::Expected<std::unique_ptr<Session>>
  create(std::shared_ptr<Program> P, const SessionOptions &Options,
         launch::Launch Launch, Contents Given = Contents::Filled,
         std::shared_ptr<exec::DeviceMemory> Memory = nullptr);

  /// Binds a launch of \p P where \p In has placed it.
  static llvm::Expected<std::unique_ptr<Session>>
  create(std::shared_ptr<Program> P, std::shared_ptr<Placement> In,
         const SessionOptions &Options, launch::Launch Launch);

  /// Compiles the options' input and binds their launch.
  static llvm::Expected<std::unique_ptr<Session>>
  create(const SessionOptions &Options);
  /// The same with the launch given; it need not be the one of the options.
  /// In \p Memory, if given, which other programs of an application share.
  static llvm::Expected<std::unique_ptr<Session>>
  create(const SessionOptions &Options, launch::Launch Launch,
         Contents Given = Contents::Filled,
         std::shared_ptr<exec::DeviceMemory> Memory = nullptr);
  /// The same for \p Kernel of a module that the caller has; it outlives the
  /// session. Reads no file and needs no front end.
  static llvm::Expected<std::unique_ptr<Session>>
  create(llvm::Function &Kernel, const SessionOptions &Options,
         launch::Launch Launch, Contents Given = Contents::Filled);
  /// Another launch of this session's program: the same module and the same
  /// memory, as the launches until now left it.
  llvm::Expected<std::unique_ptr<Session>> next(launch::Launch Launch) const;
  /// The same launch, which gives its parameters as they are, with another grid
  /// and other parameters.
  void rebind(const Dim3 &Grid, std::span<const uint8_t> Params) {
    Launch.Grid = Grid;
    Bound.rebind(Grid, Params, Prepared->Interface, *In->Memory);
  }
  /// Starts over with another launch of the same module in fresh memory; what
  /// was compiled stays. What earlier launches' traces hold becomes invalid.
  llvm::Error restart(launch::Launch Launch, Contents Given = Contents::Filled);
  /// Starts over with the same launch if its buffers are unfilled.
  llvm::Error fill();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const SessionOptions &options() const { return Options; }
  /// Of the traces to come.
  void setLaneOrder(trace::LaneOrder Order) { Options.Order = Order; }
  /// SessionOptions::Cancelled of what is executed from now on.
  void setCancelled(std::function<bool()> Cancelled) {
    Options.Cancelled = std::move(Cancelled);
  }
  bool isCancelled() const { return Options.Cancelled && Options.Cancelled(); }
  const llvm::Function &kernel() const { return *Kernel; }
  const KernelNumbering &numbering() const { return Prepared->Numbering; }
  const launch::Launch &launch() const { return Launch; }
  const exec::BoundLaunch &bound() const { return Bound; }
  exec::DeviceMemory &memory() { return *In->Memory; }
  const GlobalAddresses &globals() const { return *In->Globals; }
  const exec::SourceMap &source() const { return Prepared->Source; }
  const llvm::Module &module() const { return *Kernel->getParent(); }
  /// What results depend on that the source does not say, a note a line.
  std::string assumptions() const;

  /// An engine of the kind asked for; Auto takes the JIT, and the interpreter
  /// for what it refuses.
  llvm::Expected<std::unique_ptr<Engine>>
  makeEngine(const EngineOptions &Hooks) const {
    return makeEngine(Hooks, *Kernel);
  }
  /// The same for \p Reduced, a slice of the kernel in this module's context.
  llvm::Expected<std::unique_ptr<Engine>>
  makeEngine(const EngineOptions &Hooks, const llvm::Function &Reduced) const;
  /// As the first, made once for all launches of the application that need it.
  llvm::Expected<std::shared_ptr<Engine>>
  sharedEngine(const EngineOptions &Hooks) const {
    return sharedEngine(Hooks, *Kernel);
  }
  /// The same for \p Reduced, which lives as long as the module.
  llvm::Expected<std::shared_ptr<Engine>>
  sharedEngine(const EngineOptions &Hooks, const llvm::Function &Reduced) const;
  /// The kernel's control slice, made once.
  const ControlSlice &slice() const;
  /// The name of the engine that makeEngine made last, "jit" or "interpreter".
  const std::string &engineName() const { return EngineName; }

  /// The kernel's code table for the options' architecture, made once.
  llvm::Expected<const KernelCode &> codeTable(ISA Level) const;
  /// The same as the runtime half has it, made once.
  llvm::Expected<const trace::CodeTable &> traceTable(ISA Level) const;

  /// Whether blocks must run in order (BlockOrder.h).
  bool blockOrderMatters() const { return Prepared->OrderMatters; }

  /// What a trace of the launch says about it.
  trace::TraceHeader traceHeader(const KernelCode &Code) const;

  /// The launch as a trace, executed while it is read. The session must
  /// outlive it.
  llvm::Expected<std::unique_ptr<trace::TraceSource>>
  makeTraceSource(ISA Level);
  /// The same in blocks of the IR (engineCode of \p Code).
  llvm::Expected<std::unique_ptr<trace::TraceSource>>
  makeEngineTrace(const KernelCode &Code);

  /// Executes the launch. \p Given says what to observe; threads, limits and
  /// the order of blocks are this session's. A fault of the kernel is an error.
  llvm::Expected<exec::LaunchResult>
  execute(const Engine &E, exec::LaunchOptions Given,
          const ProgressCallback &OnProgress = {});

  /// The message for a fault of this launch. A wild access is looked for again
  /// with the checking interpreter, which knows line, thread and buffer. Other
  /// instructions of \p F than the kernel's are those of \p Of.
  std::string message(const exec::Fault &F,
                      const exec::SourceMap *Of = nullptr);

private:
  /// What all launches of a kernel need.
  struct PreparedKernel {
    KernelNumbering Numbering;
    exec::KernelInterface Interface;
    exec::SourceMap Source;
    bool OrderMatters;

    explicit PreparedKernel(const llvm::Function &Kernel);
  };
  Session(const SessionOptions &Options, launch::Launch Launch, Contents Held,
          std::shared_ptr<Program> P, std::shared_ptr<Placement> In)
      : Options(Options), Launch(std::move(Launch)), Held(Held),
        P(std::move(P)), In(std::move(In)) {}
  static llvm::Expected<std::unique_ptr<Session>>
  bound(std::unique_ptr<Session> S);
  llvm::Error bind();
  llvm::Error bindArguments(const launch::Launch &L);
  llvm::Error placeVariables();
  llvm::Error selectKernel();
  llvm::Error checkLaunchBounds() const;
  /// Gives variables of the source the contents that the launch says.
  llvm::Error bindVariables();
  /// Gives the launch's textures to the references of the source.
  llvm::Error bindTextures();

  SessionOptions Options;
  launch::Launch Launch;
  Contents Held = Contents::Filled;
  std::shared_ptr<Program> P;
  std::shared_ptr<Placement> In; // its engines go before P's slices
  llvm::Function *Kernel = nullptr;
  const PreparedKernel *Prepared = nullptr;
  exec::BoundLaunch Bound;
  mutable std::string EngineName;
  std::string NameNote; ///< prefixNote of the launch's kernel
};

struct Session::Program {
  CompiledModule Module; ///< empty if Given is another's
  llvm::Function *Given = nullptr;
  std::map<const llvm::Function *, PreparedKernel> Kernels;
  std::map<std::pair<const llvm::Function *, ISA>, KernelCode> Code;
  std::map<const llvm::Function *, ControlSlice> Slices;
  std::map<std::pair<const llvm::Function *, ISA>, trace::CodeTable> Tables;
};

/// Runs \p S's launch with the checking interpreter and returns what it found,
/// one line per finding, empty if nothing. Only block \p OnlyBlock if given.
llvm::Expected<std::vector<std::string>>
checkLaunch(Session &S, std::optional<uint64_t> OnlyBlock = {});

} // namespace heddle

#endif // HEDDLE_DRIVER_SESSION_H
