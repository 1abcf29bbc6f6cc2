//===- Session.h - A kernel and its launch, ready to execute ----*- C++ -*-===//
//
// What run, trace and simulate have in common: the options that name a kernel
// and its launch, and the way from there to a compiled kernel with its
// arguments in device memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_SESSION_H
#define HEDDLE_TOOLS_SESSION_H

#include "Commands.h"
#include "KernelBinding.h"
#include "exec/Binding.h"
#include "exec/Launcher.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Exec/Engine.h"
#include "heddle/Exec/KernelLayout.h"
#include "heddle/Exec/PlacedGlobals.h"
#include "heddle/Frontend/Compiler.h"
#include "heddle/PTX/CodeTable.h"
#include "heddle/Transforms/ControlSlice.h"
#include "launch/Launch.h"
#include "trace/TraceSource.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::tool {

enum class EngineKind { Auto, JIT, Interpreter };

/// What the command line says about a kernel and its launch.
struct SessionOptions {
  std::string Input;
  std::vector<std::string> ClangArgs; ///< after "--"
  std::vector<std::string> LinkWith;  ///< sources to link with Input
  std::string Arch = "sm_70";
  unsigned OptLevel = 3;
  bool KeepPrints = false;       ///< execute what the kernel prints
  std::string PTX;               ///< if not empty: compiled instead of Input
  uint64_t SourceTripFactor = 1; ///< CompileOptions::TripFactor
  std::string Kernel;            ///< overrides the launch file's
  std::string LaunchFile;
  std::string Grid, Block; ///< override the launch file's
  std::vector<std::string> Args;
  std::optional<uint64_t> DynamicShared;
  EngineKind Engine = EngineKind::Auto;
  unsigned Threads = 1;
  uint64_t MaxSteps = uint64_t(1) << 30;
  bool Quiet = false;
  std::string Json; ///< file, "-" for stdout, empty for none
  trace::LaneOrder Order = trace::LaneOrder::Kept; ///< of traces
};

/// INPUT, --kernel, --arch, -O, and what follows "--".
void addInputOptions(CLI::App &Command, SessionOptions &Options);
/// Compiles, or throws CommandError; a second source among the flags for Clang
/// is wrong usage.
CompiledModule compileInput(const CompileOptions &Options);
/// --launch, --grid, --block, --arg, --dynamic-shared.
void addLaunchOptions(CLI::App &Command, SessionOptions &Options);
/// --engine, --threads, --max-steps.
void addExecutionOptions(CLI::App &Command, SessionOptions &Options);
/// --json, -q.
void addOutputOptions(CLI::App &Command, SessionOptions &Options);

/// Throws CommandError if the trace \p Source, read from \p Input, holds other
/// instructions than \p Level, which --isa asks for.
void requireLevel(const trace::TraceSource &Source, ISA Level,
                  const std::string &Input);

/// The launch that the options describe. Throws CommandError.
launch::Launch readLaunch(const SessionOptions &Options);

/// Whether a launch's buffers get what the launch says they hold, or zeros.
enum class Contents { Filled, Unfilled };

/// A compiled kernel, its launch, and device memory that holds the module's
/// variables and the launch's buffers. One per process at a time, but for those
/// that follow each other in an application.
class Session {
public:
  /// Compiles and binds. Throws CommandError for whatever is at fault.
  explicit Session(const SessionOptions &Options);
  /// The same with the launch given; it need not be the one of the options.
  /// In \p Memory, if given, which other programs of an application share.
  Session(const SessionOptions &Options, launch::Launch Launch,
          Contents Given = Contents::Filled,
          std::shared_ptr<exec::DeviceMemory> Memory = nullptr);
  /// Another launch of the program that \p Earlier belongs to: the same module
  /// and the same memory, as the launches until now left it.
  Session(const Session &Earlier, launch::Launch Launch);
  /// Starts over with another launch of the same module in fresh memory; what
  /// was compiled stays. What earlier launches' traces hold becomes invalid.
  void restart(launch::Launch Launch, Contents Given = Contents::Filled);
  /// Starts over with the same launch if its buffers are unfilled.
  void fill();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const SessionOptions &options() const { return Options; }
  const llvm::Function &kernel() const { return *Kernel; }
  const KernelNumbering &numbering() const { return Prepared->Numbering; }
  const launch::Launch &launch() const { return Launch; }
  const exec::BoundLaunch &bound() const { return Bound; }
  exec::DeviceMemory &memory() { return *P->Memory; }
  const GlobalAddresses &globals() const { return *P->Globals; }
  const exec::SourceMap &source() const { return Prepared->Source; }
  const CompiledModule &module() const { return P->Module; }

  /// An engine of the kind asked for; Auto takes the JIT, and the interpreter
  /// for what it refuses. Throws CommandError.
  std::unique_ptr<Engine> makeEngine(const EngineOptions &Hooks) const;
  /// The same for \p Reduced, a slice of the kernel in this module's context.
  std::unique_ptr<Engine> makeEngine(const EngineOptions &Hooks,
                                     const llvm::Function &Reduced) const;
  /// As the first, made once for all launches of the application that need it.
  std::shared_ptr<Engine> sharedEngine(const EngineOptions &Hooks) const;
  /// The same for \p Reduced, which lives as long as the module.
  std::shared_ptr<Engine> sharedEngine(const EngineOptions &Hooks,
                                       const llvm::Function &Reduced) const;
  /// The kernel's control slice, made once.
  const ControlSlice &slice() const;
  /// The name of the engine that makeEngine made last, "jit" or "interpreter".
  const std::string &engineName() const { return EngineName; }

  /// The kernel's code table for the options' architecture, made once.
  const KernelCode &codeTable(ISA Level) const;
  /// The same as the runtime half has it, made once.
  const trace::CodeTable &traceTable(ISA Level) const;

  /// Whether blocks must run in order (BlockOrder.h).
  bool blockOrderMatters() const;

  /// What a trace of the launch says about it.
  trace::TraceHeader traceHeader(const KernelCode &Code) const;

  /// The launch as a trace, executed while it is read. The session must
  /// outlive it. \p Code is the table of the level that the caller wants.
  std::unique_ptr<trace::TraceSource> makeTraceSource(const KernelCode &Code);

  /// The message for a fault of this launch. A wild access is looked for again
  /// with the checking interpreter, which knows line, thread and buffer.
  std::string message(const exec::Fault &F);

private:
  using EngineKey = std::tuple<const llvm::Function *, std::array<uint32_t, 3>,
                               HeddleBlockHook, bool, bool, bool>;
  /// What all launches of a kernel need.
  struct PreparedKernel {
    KernelNumbering Numbering;
    exec::KernelInterface Interface;
    exec::SourceMap Source;
    bool OrderMatters;

    explicit PreparedKernel(const llvm::Function &Kernel);
  };
  /// What the launches of an application share.
  struct Program {
    CompiledModule Module;
    std::shared_ptr<exec::DeviceMemory> Memory; ///< of the application
    std::optional<PlacedGlobals> Globals;
    std::map<const llvm::Function *, PreparedKernel> Kernels;
    std::map<std::pair<const llvm::Function *, ISA>, KernelCode> Code;
    std::map<const llvm::Function *, ControlSlice> Slices; // outlive Engines
    std::map<std::pair<const llvm::Function *, ISA>, trace::CodeTable> Tables;
    /// By kernel, threads per block, hooks, counters, size of the grid, whether
    /// arguments overlap.
    std::map<EngineKey, std::shared_ptr<Engine>> Engines;
  };

  void selectKernel();
  void bindLaunch();
  void checkLaunchBounds() const;
  /// Gives the launch's textures to the references of the source.
  void bindTextures();

  SessionOptions Options;
  launch::Launch Launch;
  Contents Held = Contents::Filled;
  std::shared_ptr<Program> P;
  llvm::Function *Kernel = nullptr;
  const PreparedKernel *Prepared = nullptr;
  exec::BoundLaunch Bound;
  mutable std::string EngineName;
};

/// Runs \p S's launch with the checking interpreter and returns what it found,
/// one line per finding, empty if nothing. Only block \p OnlyBlock if given.
std::vector<std::string> checkLaunch(Session &S,
                                     std::optional<uint64_t> OnlyBlock = {});

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SESSION_H
