//===- AutoReduction.h - How far a clone may be cut -------------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_AUTOREDUCTION_H
#define HEDDLE_SYNTHESIS_AUTOREDUCTION_H

#include "synthesis/ClonePlan.h"

namespace heddle::synthesis {

/// Mean trips of the longest loop in which the launch spends at least half of
/// its instructions; 1 if there is none.
double longestTrips(const behavior::Profile &P);

/// Iterations that a thread makes of such a loop in all, those of the loops
/// around it multiplied; 1 if there is none.
double nestedTrips(const behavior::Profile &P);

/// Of the loops that are cut if trips are divided by \p Factor, the fewest
/// periods that stay: iterations in which threads walk together over a line.
double periodsLeft(const behavior::Profile &P, uint64_t Factor);

/// Periods until lanes that walk over lines of their own come to where their
/// neighbours began, at least one: caches are cold before. 0 if lanes share
/// lines.
double periodsToSettle(const behavior::Profile &P);

/// Of what a warp does, the share that so many periods are, or one.
double shareToSettle(const behavior::Profile &P);

/// The error of a rate that was taken from \p Share of what a warp does.
double expectedRateError(const behavior::Profile &P, double Share);

/// Share of the work that is left with loops divided by \p Factor.
double workLeft(const behavior::Profile &P, uint64_t Factor);

/// Of what a warp does, how much is in \p Share of it: all of a loop that it
/// goes around a whole period of, and of the rest no more than that share.
double shareSeen(const behavior::Profile &P, double Share);

/// The relative error of cycles projected from clone \p Plan and one that is
/// cut half as far, on a machine that holds \p Resident thread blocks at once.
double expectedError(const ClonePlan &Plan, uint64_t Resident);

/// The part of it that drawing accesses causes, whatever is cut.
double drawnError(const behavior::Profile &P);

/// How differently warps go around a long loop whose trips are not the same for
/// all: the standard deviation over the mean. Which blocks end last, and with
/// which others they share an SM, is not the original's.
double tripSpread(const behavior::Profile &P);

/// The expected error of a clone whose loops are divided by \p Factor and that
/// draws nothing.
double expectedLoopError(const behavior::Profile &P, uint64_t Factor);

/// The largest reduction whose expected error, as far as the reduction causes
/// it, stays below \p MaxError: of trip counts where loops are long, else of
/// the grid, so that occupancy and contention stay those of a full machine.
ReductionOptions chooseReduction(const behavior::Profile &P, double MaxError,
                                 uint64_t Resident);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_AUTOREDUCTION_H
