//===- RegisterBanks.h - Which banks operands are read from -----*- C++ -*-===//

#ifndef HEDDLE_ARCH_REGISTERBANKS_H
#define HEDDLE_ARCH_REGISTERBANKS_H

#include "arch/GPUSpec.h"
#include "heddle/ABI/CodeTable.h"

namespace heddle::arch {

/// Banks of a register file that is read without operand collectors.
inline constexpr unsigned MaxBanks = 4;

/// Cycles for which an instruction takes each bank, in MaxBanks groups of four
/// bits.
using BankCycles = uint16_t;

/// What reading the operands of \p I takes of each bank, but for those that
/// \p Before has read (null: none). Registers that are \p Allocated are in the
/// banks by number. Others are taken to lie as an allocator would at best place
/// them for this instruction: in one bank after the other.
BankCycles bankCycles(const HeddleInst &I, const HeddleInst *Before,
                      bool Allocated, const FrontEndSpec &F);

} // namespace heddle::arch

#endif // HEDDLE_ARCH_REGISTERBANKS_H
