//===- TuneSpace.h - What `heddle tune` tries -------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TUNESPACE_H
#define HEDDLE_TOOLS_TUNESPACE_H

#include "arch/GPUSpec.h"
#include "arch/Occupancy.h"
#include "base/Dim3.h"

#include <string>
#include <vector>

namespace heddle::tool {

/// A change of the launch and of the source.
struct TuneChoice {
  Dim3 Grid, Block;
  unsigned Unroll = 0;    ///< of the innermost loops; 0: as the source says
  unsigned MinBlocks = 0; ///< __launch_bounds__, second; 0: none

  std::string unrollText() const; ///< "4", "off", "-"
};

/// Blocks of other sizes that cover the same threads: powers of two along x and
/// y (y only where the launch has it), from a warp to what an SM takes. A
/// dimension that does not divide is rounded up, as launches do.
std::vector<TuneChoice> blockChoices(const Dim3 &Grid, const Dim3 &Block,
                                     const arch::GPUSpec &Machine);

/// The smallest number of blocks per SM that needs fewer registers than
/// \p Block has, and a machine that lets them on. Empty where registers are not
/// what limits, or even one block more needs less than \p LeastRegisters.
struct BoundsChoice {
  unsigned MinBlocks = 0;
  unsigned Registers = 0;        ///< most per thread with such bounds
  std::vector<std::string> Sets; ///< what lets the blocks on
};
std::vector<BoundsChoice> boundsChoices(const BlockResources &Block,
                                        const arch::GPUSpec &Machine,
                                        unsigned LeastRegisters);

/// A copy of a source with `unroll` pragmas. Lines keep their numbers and their
/// file.
class UnrolledSource {
public:
  /// \p Loops: lines where the loops to unroll begin. Throws CommandError if
  /// the file cannot be read or the copy not be written.
  UnrolledSource(const std::string &Path, const std::vector<unsigned> &Loops,
                 unsigned Count);
  ~UnrolledSource();
  UnrolledSource(const UnrolledSource &) = delete;
  UnrolledSource &operator=(const UnrolledSource &) = delete;

  const std::string &path() const { return Copy; }
  /// Flags by which the copy finds what the original includes.
  std::vector<std::string> flags() const;

private:
  std::string Folder, Original, Copy;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TUNESPACE_H
