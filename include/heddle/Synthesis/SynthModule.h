//===- SynthModule.h - A kernel's behaviour between its forms ---*- C++ -*-===//
//
// What the command line needs of the synth dialect, without MLIR's headers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_SYNTHMODULE_H
#define HEDDLE_SYNTHESIS_SYNTHMODULE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// Options of the passes that reduce a kernel.
struct SynthReduction {
  uint64_t LoopFactor = 1;
  std::vector<uint64_t> LoopFactors; ///< of each loop, if given
  uint64_t MinTrips = 1;
  uint64_t GridFactor = 1;
  uint64_t MinBlocks = 1;
  uint64_t Blocks = 0; ///< unless 0: keep this many, whatever GridFactor says
};

/// A module with one synth.kernel, called "clone".
class SynthModule {
public:
  /// From a behaviour profile: the JSON object of BehaviorConversion.h.
  static llvm::Expected<SynthModule> fromBehavior(llvm::StringRef Behavior);
  /// From text in MLIR's syntax. Errors name file, line and column; also if it
  /// holds no synth.kernel, or several of which none is called \p Kernel.
  static llvm::Expected<SynthModule>
  parse(std::unique_ptr<llvm::MemoryBuffer> Text, llvm::StringRef Kernel = "");
  /// Whether \p Text is MLIR with a synth.kernel.
  static bool isSynth(llvm::StringRef Text);

  SynthModule(SynthModule &&);
  ~SynthModule();

  /// Runs synth-reduce-loops and synth-reduce-grid. Errors: what they say.
  llvm::Error reduce(const SynthReduction &Options);

  std::string text() const;
  /// The behaviour and how far it is reduced, as JSON (BehaviorConversion.h).
  std::string behavior() const;
  std::string reduction() const;

private:
  struct State;
  explicit SynthModule(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace heddle

#endif // HEDDLE_SYNTHESIS_SYNTHMODULE_H
