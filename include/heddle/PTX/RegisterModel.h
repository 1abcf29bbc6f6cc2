//===- RegisterModel.h - What a register allocator sees ---------*- C++ -*-===//
//
// The steps from PTX to registers: instructions that the hardware has, with the
// values that need registers; their order after scheduling; registers of
// lifetimes in that order. docs/CodeTable.md says what each models.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_REGISTERMODEL_H
#define HEDDLE_PTX_REGISTERMODEL_H

#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/BitVector.h"

#include <vector>

namespace heddle {

/// The most that a result of arithmetic in registers takes.
constexpr unsigned ArithmeticCycles = 5;
struct RegisterBounds;
} // namespace heddle

namespace heddle::registers {

/// What may not be exchanged with what.
enum class OpKind {
  Plain,
  Load,   ///< of memory that the kernel may write
  Read,   ///< of memory that it does not write
  Store,  ///< or atomic
  Fence,  ///< orders all accesses
  Branch, ///< orders everything
};

/// One instruction of the hardware, or several that stay together.
struct Op {
  OpKind Kind = OpKind::Plain;
  unsigned Id = 0;      ///< for who made it, to find it again after scheduling
  bool Guarded = false; ///< a write may leave the old value in place
  bool IsCopy = false;  ///< of its one use to its one definition
  bool IsIdle = false;  ///< a copy within one register, says allocate()
  bool IsIncrement = false; ///< adds Offset to its one operand
  bool Convergent = false;  ///< stays in order with others of the kind
  /// Of matrices: stays in front of the next fence, and adds in place.
  bool IsProduct = false;
  bool Shared = false; ///< an access to shared memory
  unsigned Base = 0;   ///< value that an access is relative to
  uint64_t Offset = 0; ///< from it, or what an increment adds
  unsigned SizeBytes = 0;
  unsigned LatencyCycles = 0;
  unsigned Temporaries = 0; ///< 32-bit registers beside the operands
  llvm::SmallVector<unsigned, 2> Defs;
  llvm::SmallVector<unsigned, 4> Uses;
};

struct OpBlock {
  std::vector<Op> Ops;
  std::vector<unsigned> Successors;
};

/// A kernel by the values that need registers.
struct Code {
  std::vector<unsigned> Widths; ///< of values, in 32-bit registers
  /// Values that are stored: they share an instruction with an address of two
  /// registers, and are best in an odd one.
  llvm::BitVector Odd;
  /// Its instructions are the machine's own: what is stored gets the upper half
  /// of a pair of its own, and a result of two registers may take the place of
  /// an operand that it is the last to read.
  bool IsSelected = false;
  std::vector<OpBlock> Blocks;

  unsigned addValue(unsigned Width, bool IsOdd) {
    Widths.push_back(Width);
    Odd.push_back(IsOdd);
    return Widths.size() - 1;
  }
};

/// Leaves out what is folded into other instructions and what needs no
/// register, and unrolls the loops that the allocator unrolls.
/// \p UniformAddresses: the address of an access that is the same for all
/// lanes needs none of the lanes' registers.
Code buildCode(const ptx::Kernel &K, bool UniformAddresses);

/// How ptxas unrolls a loop of one block.
struct Unrolling {
  unsigned Test = 0; ///< predicate that it goes on with; 0: as it is
  /// Iterations that stand side by side in each copy, first to last.
  llvm::SmallVector<unsigned, 2> Copies;
  /// All iterations are in the copies: the first one repeats, if at all, and
  /// the second runs once. If not, each copy repeats and the loop follows.
  bool Counted = false;
  bool Repeats = true; ///< the first copy

  explicit operator bool() const { return Test != 0; }
};

/// How ptxas unrolls block \p Number of \p K. It leaves blocks as they are that
/// are no loop of their own, are too long, or do not count by a constant to a
/// bound: only then it knows the number of iterations without a division.
Unrolling unrollingOf(const ptx::Kernel &K, unsigned Number);

/// Puts the iterations of the first copy of \p B, block \p Number, behind one
/// another, each with its own values, and one exit or none.
void unroll(Code &C, OpBlock &B, unsigned Number, const Unrolling &How);

/// The constant that \p I ends in, 0 if it ends in none.
uint64_t lastConstant(const ptx::Inst &I);

/// The values that live out of each block.
std::vector<llvm::BitVector> liveOut(const Code &C);

/// What holds once all that may start needs another register: the first of the
/// text goes, or nothing goes before its turn in an order of few registers that
/// would keep more alive than the limit.
enum class UnderPressure { TextOrder, FewRegisters };

/// Orders the instructions of each block to hide latency, as far as no more
/// than \p Limit 32-bit registers live at once.
void schedule(Code &C, unsigned Limit,
              UnderPressure Choice = UnderPressure::TextOrder);

/// How registers are chosen.
enum class Placement {
  Tight, ///< as few as possible
  Roomy, ///< as if there were enough
  /// As Roomy, operands of one instruction in different banks (even and odd
  /// registers) where that can be, and constants where the others leave room.
  ByBank,
};

/// The 32-bit registers that the values of \p C take in the order that it has,
/// as the highest number that is used plus one. Marks the copies whose values
/// share a register (Op::IsIdle).
unsigned allocate(Code &C, Placement How);

/// An order of the code and the registers per thread that it takes.
struct Attempt {
  Code Ordered;
  unsigned Used;
};

/// Of \p Model, instructions of the machine: the order that hides most latency
/// in the registers of \p Bounds.Target. Code that needs more gets no more than
/// it must have anyway, but may use them everywhere.
Attempt chooseOrder(const Code &Model, const RegisterBounds &Bounds);

} // namespace heddle::registers

#endif // HEDDLE_PTX_REGISTERMODEL_H
