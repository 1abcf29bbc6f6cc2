//===- GridReduction.h - Fewer thread blocks that behave alike --*- C -*-===//
//
// The pass synth-reduce-grid and the planning of clones take away the same
// blocks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_GRIDREDUCTION_H
#define HEDDLE_ABI_GRIDREDUCTION_H

#include <stdint.h>

/// Of \p Count blocks, divided by \p Factor, but at least \p MinBlocks if there
/// are as many.
static inline uint64_t heddleKeptBlocks(uint64_t Count, uint64_t Factor,
                                        uint64_t MinBlocks) {
  uint64_t Blocks = Count / Factor;
  uint64_t Least = MinBlocks < Count ? MinBlocks : Count;
  return Blocks < Least ? Least : Blocks;
}

/// Leaves about \p Blocks blocks of \p Grid (x, y, z). Others go along the
/// slowest dimension that has any: those that remain are the first in dispatch
/// order, neighbours as they were.
static inline void heddleReduceGrid(uint64_t Grid[3], uint64_t Blocks) {
  for (int Side = 2; Side >= 0; --Side) {
    uint64_t Others = Grid[0] * Grid[1] * Grid[2] / Grid[Side];
    uint64_t Wanted = (Blocks + Others - 1) / Others;
    if (Wanted < 1)
      Wanted = 1;
    if (Wanted < Grid[Side])
      Grid[Side] = Wanted;
  }
}

#endif // HEDDLE_ABI_GRIDREDUCTION_H
