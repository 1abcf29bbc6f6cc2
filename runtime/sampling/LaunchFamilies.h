//===- LaunchFamilies.h - Clusters cut finer, or left out -------*- C++ -*-===//
//
// What Heddle adds to TBPoint's clusters of launches: arguments tell apart
// launches that count alike, and sizes in between are interpolated.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_LAUNCHFAMILIES_H
#define HEDDLE_SAMPLING_LAUNCHFAMILIES_H

#include "sampling/LaunchProfile.h"

#include <vector>

namespace heddle::sampling {

/// Splits \p Launches, all of one kernel, by the values of as many arguments as
/// do not make more than \p Share parts per launch together; those with most
/// values first. \p ByGrid: the grid is one more argument.
std::vector<std::vector<size_t>>
splitByArguments(const ApplicationProfile &Profile,
                 const std::vector<size_t> &Launches, double Share,
                 bool ByGrid = false);

/// Takes out of \p Launches, all of one kernel and ascending, those that share
/// the value of an argument, or the grid, that at least half have, if \p Least
/// others are left: one size more often than all others. Of several arguments,
/// by that with most values. Empty if there is none.
std::vector<size_t> takeCommon(const ApplicationProfile &Profile,
                               std::vector<size_t> &Launches, size_t Least);

/// Launches of one kernel with equal sizes.
struct SizeClass {
  double Instructions = 0; ///< warp instructions of a launch
  double Requests = 0;     ///< memory requests per warp instruction
  size_t Launches = 0;
};

/// Which of \p Classes, by ascending size, have to be simulated so that the
/// others lie between two of them and can be interpolated: of a run of classes
/// with alike many requests the smallest and the largest, between them at most
/// a factor of \p Step apart, and every class of many launches.
std::vector<bool> chooseSizes(const std::vector<SizeClass> &Classes,
                              double Step);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_LAUNCHFAMILIES_H
