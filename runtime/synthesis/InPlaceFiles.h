//===- InPlaceFiles.h - Clones that keep the original's code ----*- C++ -*-===//
//
// The second kind of clone: the original's instructions with its loops cut
// short. Unlike a synthetic one it is the original's code, on the original's
// data: nothing is hidden, and nothing is checked for what it gives away.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_INPLACEFILES_H
#define HEDDLE_SYNTHESIS_INPLACEFILES_H

#include "base/Result.h"
#include "behavior/BehaviorProfile.h"
#include "launch/Launch.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::synthesis {

struct InPlaceLoop {
  unsigned Depth = 0;
  double MeanTrips = 0;   ///< of the original, per entry of a thread
  std::string How;        ///< "divided", "bounded", "whole"
  std::string Reason;     ///< whole
  uint64_t Factor = 1;    ///< divided
  uint64_t MostTrips = 0; ///< bounded
};

struct InPlaceClone {
  std::string Mode; ///< "inplace"; "source": cut before it was optimised
  launch::Launch Launch;
  unsigned RegistersPerThread = 0; ///< of the original
  uint64_t SharedBytes = 0;        ///< per thread block
  uint64_t LoopFactor = 1;
  std::vector<InPlaceLoop> Loops;
  /// Of original and clone, executed.
  uint64_t WarpInstructions = 0, ThreadInstructions = 0, CloneInstructions = 0;
  double ExpectedError = 0;
  std::vector<std::string> Assumptions; ///< BehaviorProfile's
};

/// \p PTX, of one kernel as Heddle emits it, for any consumer of PTX: calls of
/// functions of a device library (\p Issued: "math.exp.f32" and what hardware
/// issues for it) call functions that the text has, and what a driver tells of
/// the launch is a constant. The kernel says how many registers the original
/// has. Errors: a pseudo instruction that has no such form.
Result<std::string> portablePTX(const std::string &PTX,
                                const std::map<std::string, unsigned> &Issued,
                                const InPlaceClone &Clone);

/// A host program as cloneHost's, with the original's arguments. Errors: images
/// and samplers.
Result<std::string> inPlaceHost(const InPlaceClone &Clone);

/// clone.json: what cloneReport says, as far as it applies.
std::string inPlaceReport(const InPlaceClone &Clone,
                          const std::string &Version);

/// The largest limit of trips with which all entries of \p L together have at
/// most 1 / \p Factor of their iterations, at least 1.
uint64_t mostTrips(const behavior::Loop &L, uint64_t Factor);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_INPLACEFILES_H
