//===- RegisterBanks.h - How long operands take to be read ------*- C++ -*-===//

#ifndef HEDDLE_ARCH_REGISTERBANKS_H
#define HEDDLE_ARCH_REGISTERBANKS_H

#include "arch/GPUSpec.h"
#include "heddle/ABI/CodeTable.h"

namespace heddle::arch {

/// Cycles that reading the operands of an instruction takes, at least one:
/// those in the register bank that holds most of them, by its ports. Virtual
/// registers are dealt over the banks by number, as a register allocator that
/// knows the banks would at best do.
unsigned collectCycles(const HeddleInst &I, const FrontEndSpec &F);

} // namespace heddle::arch

#endif // HEDDLE_ARCH_REGISTERBANKS_H
