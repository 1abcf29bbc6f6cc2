//===- Models.h - A trace and a machine in, a prediction out ----*- C++ -*-===//
//
// The runtime half for other programs: plain C++, links no LLVM.
//
//   auto Trace = heddle::trace::TraceReader::open("launch.trace");
//   auto GPU = heddle::arch::loadMachine("a100");
//   auto P = heddle::predict(**Trace, *GPU, "timing");
//   if (!P) ... P.error().Message ...; else ... P->Cycles ...
//
// Nothing here throws, prints or keeps state: calls in different threads are
// independent as long as each has its own trace source. docs/Library.md.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MODELS_MODELS_H
#define HEDDLE_MODELS_MODELS_H

#include "arch/SpecReader.h"
#include "base/Dim3.h"
#include "trace/TraceReader.h"

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Told from time to time, from the calling thread, how many steps are done
/// (thread blocks, launches, ...) and how much work that was, mostly warp
/// instructions; false cancels.
using ProgressCallback =
    std::function<bool(uint64_t Done, uint64_t Total, uint64_t Work)>;

struct ModelOptions {
  unsigned Threads = 1; ///< host threads; no influence on the result
  bool WarmL2 = false;  ///< fast models: the launch is one of many
  ProgressCallback OnProgress;
};

/// What a model says of a launch. A value: owns all that it names.
struct Prediction {
  struct Wait {
    std::string Name; ///< Nsight Compute's, e.g. "long_scoreboard"
    double CyclesPerInst = 0;
    double Share = 0; ///< of all cycles of the warps, 0 to 1
  };
  std::string Model, Kernel, GPU;
  Dim3 Grid, Block;
  uint64_t Cycles = 0; ///< of the kernel, without launch overhead
  double TimeUs = 0;   ///< at the core clock
  uint64_t WarpInstructions = 0;
  double IPC = 0; ///< warp instructions per cycle, whole GPU
  /// What warps spend their cycles on, issuing ("selected") left out, costliest
  /// first. Empty for models that do not say.
  std::vector<Wait> Waits;
  std::string Text; ///< the report of the command
  std::string JSON; ///< the same with every number, docs/Results.md
};

/// Why there is no prediction.
struct ModelError : Error {
  enum Kind {
    Input,     ///< the trace or the machine is at fault
    Request,   ///< there is no such model, or it does not take an option
    Cancelled, ///< OnProgress returned false
    Internal   ///< the model is at fault
  };
  Kind Is = Input;

  ModelError(Error E, Kind Is = Input) : Error(std::move(E)), Is(Is) {}
};

/// Names for predict(): "timing", the cycle-level model, and the fast ones.
std::vector<std::string> modelNames();

/// What \p Model says of the launch that \p Source holds on \p Machine. The
/// source is read by the calling thread, ascending, and may be read again
/// afterwards as far as it serves that.
std::expected<Prediction, ModelError> predict(trace::TraceSource &Source,
                                              const arch::GPUSpec &Machine,
                                              std::string_view Model,
                                              const ModelOptions &Options = {});

} // namespace heddle

#endif // HEDDLE_MODELS_MODELS_H
