//===- SynthDialect.h - The dialect of kernel behaviour ---------*- C++ -*-===//
//
// docs/SynthDialect.md is the manual; it comes from SynthOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_SYNTH_SYNTHDIALECT_H
#define HEDDLE_DIALECT_SYNTH_SYNTHDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "heddle/Dialect/Synth/SynthDialect.h.inc"
#include "heddle/Dialect/Synth/SynthEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Synth/SynthTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "heddle/Dialect/Synth/SynthAttributes.h.inc"
#define GET_OP_CLASSES
#include "heddle/Dialect/Synth/SynthOps.h.inc"

namespace heddle::synth {

/// Keys of an access function: tid, ctaid and the iteration numbers.
inline constexpr unsigned NumKeys = getMaxEnumValForKey() + 1;
/// Of each field of a function: key, first bit, number of bits, factor.
inline constexpr unsigned FieldNumbers = 4;

/// The synth.block of \p Block, null if it has none.
BlockOp getBlockOp(mlir::Block &Block);

/// The innermost loop that \p Block is in, null outside of loops.
LoopOp getLoopOf(mlir::Block &Block);

} // namespace heddle::synth

#endif // HEDDLE_DIALECT_SYNTH_SYNTHDIALECT_H
