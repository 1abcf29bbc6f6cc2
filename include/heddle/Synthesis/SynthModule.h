//===- SynthModule.h - A kernel's behaviour between its forms ---*- C++ -*-===//
//
// What the command line needs of the synth dialect, without MLIR's headers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_SYNTHMODULE_H
#define HEDDLE_SYNTHESIS_SYNTHMODULE_H

#include "behavior/BehaviorProfile.h"
#include "synthesis/Reduction.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace heddle {

/// A module with one synth.kernel, called "clone".
class SynthModule {
public:
  static llvm::Expected<SynthModule> fromBehavior(const behavior::Profile &P);
  /// From text in MLIR's syntax. Errors name file, line and column; also if it
  /// holds no synth.kernel, or several of which none is called \p Kernel.
  static llvm::Expected<SynthModule>
  parse(std::unique_ptr<llvm::MemoryBuffer> Text, llvm::StringRef Kernel = "");
  /// Whether \p Text is MLIR with a synth.kernel.
  static bool isSynth(llvm::StringRef Text);

  SynthModule(SynthModule &&);
  ~SynthModule();

  /// Runs passes on the kernel, named as heddle-opt takes them:
  /// "synth-reduce-loops{factor=4},synth-reduce-grid{blocks=8}". Errors: what
  /// they say.
  llvm::Error run(llvm::StringRef Passes);

  std::string text() const;
  /// The behaviour and how far it is reduced (BehaviorConversion.h).
  llvm::Expected<behavior::Profile> behavior() const;
  synthesis::Reduction reduction() const;

private:
  struct State;
  explicit SynthModule(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace heddle

#endif // HEDDLE_SYNTHESIS_SYNTHMODULE_H
