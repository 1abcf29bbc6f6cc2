//===- CloneSearchRun.h - heddle clone --verify -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_CLONESEARCHRUN_H
#define HEDDLE_TOOLS_CLONESEARCHRUN_H

#include "CommonOptions.h"
#include "SynthClone.h"

#include "synthesis/CloneCheck.h"

#include <optional>
#include <span>

namespace heddle::tool {

/// A clone that was simulated for a projection.
struct SearchedClone {
  std::string Folder;
  uint64_t LoopFactor = 1, Blocks = 0;
  uint64_t Cycles = 0;
  double GridFactor = 1;
  double Share = 1;      ///< of the original's work
  double SecondsCPU = 0; ///< of the timing model
  bool Used = false;     ///< by the projection
};

struct SearchOutcome {
  bool Agree = false; ///< the lines do, within the error asked for
  std::vector<SearchedClone> Clones; ///< from the smallest
  /// The original's head beside a clone's, if both were simulated.
  std::optional<synthesis::CloneCheck> Check;
  double HeadShare = 0;   ///< of the original's work, in both heads
  double HeadSeconds = 0; ///< of the timing model
  std::string Doubt;      ///< why there is no projection; empty: there is
};

/// Prints metrics of the whole, and writes them as JSON, with the search that
/// led to them, the \p Assumptions of the original's launch and the \p Inputs,
/// what decided it all, unless \p JSON is empty. Throws CommandError.
void reportProjection(
    std::span<const synthesis::CloneRun> Runs,
    const std::map<std::string, synthesis::ProjectedMetric> &Metrics,
    const std::optional<SearchOutcome> &Search,
    std::span<const std::string> Assumptions, const views::JSON &Inputs,
    bool Quiet, const std::string &JSON);

struct SearchOptions {
  const SessionOptions &Session;
  std::string Folder, GPU;
  double MaxError = 0.03;
  std::string JSON;
  views::JSON Inputs;     ///< what decided the original's behaviour
  bool HasKernel = false; ///< the session's input is the original itself
};

/// Makes clones of \p P from small to large in folders 1, 2, ... of the
/// options' one, each with its result.json, until the lines through them agree;
/// then compares the head of the original with that of a clone, and reports the
/// projection. A warning says so if the lines do not agree. Throws
/// CommandError, also where the clones cannot be trusted.
void searchClones(const SynthClones &Clones, const behavior::Profile &P,
                  const SearchOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_CLONESEARCHRUN_H
