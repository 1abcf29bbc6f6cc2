//===- MachineBlocks.h - Blocks of machine code by those of the IR -*- C++
//-*-===//
//
// Engines run the IR and say which of its blocks ran. A block of machine code
// may stand for several of these: predicated arms, iterations side by side.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_MACHINEBLOCKS_H
#define HEDDLE_ABI_MACHINEBLOCKS_H

#include <stdint.h>

/// One execution of a block of the IR that is part of one of a block of the
/// machine's code.
typedef struct HeddleStep {
  uint32_t Block;       ///< of the IR
  uint32_t FirstMemory; ///< where the table has the records of this execution
  uint8_t IsOptional;   ///< predicated: the block of the IR may not have run
} HeddleStep;

#endif // HEDDLE_ABI_MACHINEBLOCKS_H
