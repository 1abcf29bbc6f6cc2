//===- Heddle.h - Kernels in, predictions out -------------------*- C++ -*-===//
//
//   auto Sum = heddle::Program::compile({.Path = "sum.cu"});
//   auto L = Sum->bind(*heddle::launch::readLaunchFile("sum.yaml"));
//   auto GPU = heddle::arch::loadMachine("v100");
//   auto P = L->predict(*GPU, "timing");
//   if (!P) ... toString(P.takeError()) ...; else ... P->Cycles ...
//
// Errors are llvm::Error: Failure with a kind, or what LLVM says. No exception
// leaves the library, and it prints nothing. Threads may use different programs
// and their launches at the same time; one Program and what is made from it is
// used by one thread at a time. Any thread may use machines and traces in
// memory. At most exec::DeviceMemory::MaxAtOnce launches are bound at once.
//
// While a launch executes, the process's handlers of SIGSEGV, SIGBUS, SIGFPE
// and SIGILL are Heddle's; others' faults pass through. LLVM's fatal errors
// (an intrinsic that the architecture lacks) end the process unless it calls
// llvm::install_fatal_error_handler. Programs that need models only include
// models/Models.h and link no LLVM. docs/Library.md.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include "heddle/Driver/Failure.h"
#include "launch/LaunchFile.h"
#include "models/Models.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

class Session; // lib/Driver, for who needs more than this header has
struct SessionOptions;
struct TraceRequest; // heddle/Driver/TraceModes.h

struct Source {
  std::string Path; ///< CUDA, OpenCL C, LLVM IR, MLIR or PTX; told by content
  std::string Arch = "sm_70"; ///< of the machine: arch::GPUSpec::Target
  std::vector<std::string> ClangArgs = {}; ///< -DN=4 ...
  std::vector<std::string> LinkWith = {};  ///< more sources
  unsigned OptLevel = 3;
};

struct Kernel {
  struct Argument {
    std::string Name, Type; ///< as in the source: "n", "const float *"
    uint64_t SizeBytes = 0;
    bool IsPointer = false, IsFloat = false;
  };
  std::string Name;
  std::vector<Argument> Arguments;
  uint64_t StaticSharedBytes = 0;
};

/// How the events of a trace come about (docs/Commands/trace.md). Auto: without
/// data where that is exact, else by executing what control and addresses need.
enum class TraceMode { Auto, Executed, Sliced, Static };

/// What the warps of a launch did, in memory or in a file. A value: copies
/// share what they hold, which does not change.
class Trace {
public:
  static llvm::Expected<Trace> open(const std::string &File);
  /// Writes a file that appears when it is complete.
  llvm::Error write(const std::string &File) const;
  const trace::TraceHeader &header() const;
  /// A reader of its own for each thread; holds what it needs of the trace.
  llvm::Expected<std::unique_ptr<trace::TraceSource>> source() const;

private:
  friend class BoundLaunch;
  struct Held;
  std::shared_ptr<const Held> H;
};

/// models/Models.h: predict() for a trace as this header has it.
llvm::Expected<Prediction> predict(const Trace &T, const arch::GPUSpec &GPU,
                                   const std::string &Model,
                                   const ModelOptions &Options = {});

/// A launch of a kernel with its arguments in device memory. Owns the memory
/// and keeps the program alive.
class BoundLaunch {
public:
  /// The launch that a command line names, as traces of \p Mode need it.
  static llvm::Expected<BoundLaunch> open(const SessionOptions &Options,
                                          TraceMode Mode = TraceMode::Executed);
  BoundLaunch(BoundLaunch &&);
  BoundLaunch &operator=(BoundLaunch &&);
  ~BoundLaunch();

  /// Executes the launch. A wild access and the like is an error with line,
  /// thread and buffer. Progress counts thread blocks.
  llvm::Error run(const ProgressCallback &OnProgress = {});
  /// The bytes of the buffer that the launch, or else the kernel, calls
  /// \p Name, as the runs until now left them.
  llvm::Expected<std::vector<uint8_t>> buffer(const std::string &Name) const;
  /// Gives all buffers the contents that the launch says.
  llvm::Error reset();

  /// What the commands do: "timing" as `heddle simulate`, the fast models as
  /// `heddle estimate`, from buffers as the launch says they are. Reads no more
  /// of the launch than the model asks for.
  llvm::Expected<Prediction> predict(const arch::GPUSpec &GPU,
                                     const std::string &Model,
                                     const ModelOptions &Options = {});

  /// The launch as a trace for any number of machines, held in memory. One that
  /// takes more than \p LimitBytes is an error. Progress counts thread blocks.
  llvm::Expected<Trace> trace(TraceMode Mode = TraceMode::Executed,
                              const ProgressCallback &OnProgress = {},
                              uint64_t LimitBytes = uint64_t(1) << 30);

  /// The same, made while it is read and kept nowhere. The launch outlives it.
  llvm::Expected<std::unique_ptr<trace::TraceSource>>
  source(const TraceRequest &Request);

  /// What stands behind: engines, code tables, observers.
  Session &session() { return *S; }

private:
  friend class Program;
  explicit BoundLaunch(std::unique_ptr<Session> S);
  std::unique_ptr<Session> S;
};

/// A compiled source. A value: copies are the same program.
class Program {
public:
  static llvm::Expected<Program> compile(const Source &From);

  std::vector<Kernel> kernels() const;
  /// What predictions depend on that the source does not say (values that
  /// macros were given, repairs of the text), and Clang's warnings.
  std::string notes() const;
  /// Binds \p L, whose Kernel may be empty if there is only one.
  llvm::Expected<BoundLaunch> bind(const launch::Launch &L) const;

private:
  struct Compiled;
  std::shared_ptr<Compiled> P;
};

} // namespace heddle

#endif // HEDDLE_HEDDLE_H
