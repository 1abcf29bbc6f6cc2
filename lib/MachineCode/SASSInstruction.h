//===- SASSInstruction.h - What an instruction does -------------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_SASSINSTRUCTION_H
#define HEDDLE_LIB_MACHINECODE_SASSINSTRUCTION_H

#include "SASSReader.h"

namespace heddle::machine {

bool isAccess(const SASSInst &I);

/// Whether \p I writes a constant, which ptxas may do anywhere in front of what
/// reads it.
bool isConstant(const SASSInst &I);

/// Whether every iteration has \p I: what others compute of integers may have
/// become one. Accesses to neighbouring bytes may too.
bool isOfEachIteration(const SASSInst &I);

/// Registers of the code table that a kernel of level sass has: R0 is 1, and
/// behind R255 come UR0, P0 and UP0.
constexpr unsigned NumSASSRegisters = 350;

/// 32-bit registers and predicates that an instruction writes and reads, by
/// their numbers in the code table.
struct SASSRegisters {
  llvm::SmallVector<uint16_t, 8> Defs, Uses;
};

SASSRegisters registersOf(const SASSInst &I);

/// \p I in the code table: with the line, and for an access the memory record
/// and flags, of \p From in level ptx, if that is not null. The error names an
/// opcode that has no row in Opcodes.def.
llvm::Expected<HeddleInst> translate(const SASSInst &I, const PlacedInst *From,
                                     CodeTableBuilder &Builder);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_SASSINSTRUCTION_H
