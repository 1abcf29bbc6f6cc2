//===- BlockOrder.h - Whether the order of thread blocks shows --*- C++ -*-===//

#ifndef HEDDLE_EXEC_BLOCKORDER_H
#define HEDDLE_EXEC_BLOCKORDER_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace heddle {

class KernelNumbering;

/// Whether atomic operation \p Atomic shows what was done to its place before:
/// its result is used, or it exchanges, compares or rounds.
bool showsOrder(const llvm::Instruction &Atomic);

/// Whether the results of a kernel without data races may depend on the order
/// in which its thread blocks run: an atomic on memory that blocks share whose
/// result is used, that is a compare-and-swap or an exchange, that rounds
/// (floating point), or whose location the kernel also reads plainly, all other
/// atomics commute; or a loop that waits for what other blocks write.
bool dependsOnBlockOrder(const KernelNumbering &Kernel);

} // namespace heddle

#endif // HEDDLE_EXEC_BLOCKORDER_H
