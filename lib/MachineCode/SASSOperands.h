//===- SASSOperands.h - Registers of a SASS instruction ---------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_SASSOPERANDS_H
#define HEDDLE_LIB_MACHINECODE_SASSOPERANDS_H

#include "SASSReader.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace heddle::machine {

/// Registers of the code table that a kernel of level sass has: R0 is 1, and
/// behind R255 come UR0, P0 and UP0.
constexpr unsigned NumSASSRegisters = 350;

/// 32-bit registers and predicates that an instruction writes and reads, by
/// their numbers in the code table.
struct SASSRegisters {
  llvm::SmallVector<uint16_t, 8> Defs, Uses;
};

SASSRegisters registersOf(const SASSInst &I);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_SASSOPERANDS_H
