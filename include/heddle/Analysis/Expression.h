//===- Expression.h - What a kernel computes, as a formula ------*- C++ -*-===//
//
// Formulas over what a launch knows: kernel arguments, sizes, ids and the
// iteration numbers of loops. ScalarEvolution has formulas too, but stops at
// every and, shift, comparison and select, and its nodes die with the IR.
// These live in a pool of their own, are printed in the source's terms and can
// be evaluated for a launch (Evaluation.h).
//
// Integers are 1 to 64 bits wide and wrap; a shift by the width or more gives
// what shifting one by one would. A pointer is its address.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_EXPRESSION_H
#define HEDDLE_ANALYSIS_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class Value;
}

namespace heddle {

enum class ExprOp : uint8_t {
  // Leaves.
  Constant,  ///< Payload: the bits
  Argument,  ///< Payload: number of the argument
  Field,     ///< of a struct passed by value; Payload: argument << 32 | offset
  Object,    ///< the address of a variable or alloca; Source says which
  Special,   ///< Payload: SpecialValue
  Iteration, ///< of loop Payload, counted from 0
  State,     ///< inside a recurrence: Payload is recurrence << 32 | index
  Load,      ///< what the instruction Source has loaded: data
  Opaque,    ///< what cannot be put into a formula; Source says where
  // Integers.
  Add,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  SMin,
  SMax,
  UMin,
  UMax,
  Pow,
  Trunc,
  ZExt,
  SExt,
  PopCount,
  LeadingZeros,
  TrailingZeros,
  BitReverse,
  // Floating point; also results of comparisons of either.
  FAdd,
  FSub,
  FMul,
  FDiv,
  FMin,
  FMax,
  FNeg,
  FAbs,
  FSqrt,
  FFloor,
  FCeil,
  FTrunc,
  FRound,
  FMulAdd,
  FCast,     ///< between floating types
  IntToFP,   ///< Payload: 1 if signed
  FPToInt,   ///< Payload: 1 if signed
  BitCast,   ///< same bits
  Compare,   ///< Payload: llvm::CmpInst::Predicate
  Select,    ///< condition, if true, if false
  StateAt,   ///< value of a recurrence's state (Payload as State) at iteration
             ///< operand 0
  FirstTrue, ///< least iteration of loop Payload at which operand 0 is true
};

/// What ids and sizes there are. CUDA's names, as every GPU programmer reads
/// them; OpenCL's get_local_id(0) is ThreadX, get_num_groups(0) is GridX.
enum class SpecialValue : uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  GlobalOffsetX,
  GlobalOffsetY,
  GlobalOffsetZ,
  WorkDim,
  Lane,
  Warp,
  WarpSize,
  LaneMaskEq,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskGt,
  LaneMaskGe,
};

/// "threadIdx.x", ...
llvm::StringRef nameOf(SpecialValue Value);

/// What a formula depends on, as bits.
enum ExprDependence : uint8_t {
  OnThread = 1,    ///< threadIdx, lane
  OnBlock = 2,     ///< blockIdx
  OnIteration = 4, ///< of a loop
  OnData = 8,      ///< a load or an atomic
  OnOpaque = 16,   ///< something that is no formula
  OnState = 32     ///< only makes sense inside its recurrence
};

struct Expr {
  ExprOp Op;
  uint8_t Bits;      ///< 1 to 64
  bool IsFloat;      ///< 16, 32 or 64 bits of IEEE 754
  uint8_t Depends;   ///< ExprDependence, of all operands too
  uint16_t Depth;    ///< 0: leaf
  uint32_t Id;       ///< in the pool, counted from 0: smaller than its users'
  uint64_t LoopMask; ///< whose iteration it depends on; bit 63: others too
  uint64_t Payload;
  const llvm::Value *Source = nullptr; ///< Object, Load, Opaque
  llvm::SmallVector<const Expr *, 3> Operands;

  bool isLeaf() const { return Operands.empty(); }
  bool isConstant() const { return Op == ExprOp::Constant; }
  bool isConstant(uint64_t Value) const {
    return isConstant() && Payload == Value;
  }
  bool dependsOn(unsigned Mask) const { return Depends & Mask; }
  bool dependsOnLoop(unsigned Loop) const;
  int64_t signedValue() const; ///< of a constant
};

/// Values that a loop carries from one iteration to the next, together.
struct Recurrence {
  unsigned Loop;
  std::vector<const Expr *> Starts;
  std::vector<const Expr *> Updates; ///< over State leaves of this recurrence
  std::vector<std::string> Names;    ///< as printed
};

/// Owns formulas. Equal formulas are one node, and small identities are folded
/// (constants, x + 0, x * 1), so that nodes can be compared by address.
class ExprPool {
public:
  ExprPool() = default;
  ExprPool(const ExprPool &) = delete;
  ExprPool &operator=(const ExprPool &) = delete;

  const Expr *constant(uint64_t Value, unsigned Bits, bool IsFloat = false);
  const Expr *leaf(ExprOp Op, uint64_t Payload, unsigned Bits,
                   bool IsFloat = false, const llvm::Value *Source = nullptr,
                   unsigned Depends = 0);
  const Expr *special(SpecialValue Value, unsigned Bits);
  const Expr *iteration(unsigned Loop, unsigned Bits = 64);
  /// An integer operation of any kind but Select and Compare: the result is as
  /// wide as the first operand.
  const Expr *binary(ExprOp Op, const Expr *A, const Expr *B);
  const Expr *sub(const Expr *A, const Expr *B);
  const Expr *node(ExprOp Op, unsigned Bits, bool IsFloat,
                   llvm::ArrayRef<const Expr *> Operands, uint64_t Payload = 0);
  /// Truncates or extends an integer to \p Bits.
  const Expr *resize(const Expr *A, unsigned Bits, bool Signed);
  const Expr *compare(unsigned Predicate, const Expr *A, const Expr *B);
  const Expr *select(const Expr *If, const Expr *Then, const Expr *Else);
  const Expr *logicalNot(const Expr *A); ///< of one bit
  const Expr *firstTrue(unsigned Loop, const Expr *Condition);

  /// A new, still empty recurrence of \p Loop; its number goes into State and
  /// StateAt.
  unsigned addRecurrence(unsigned Loop);
  Recurrence &recurrence(unsigned N) { return Recurrences[N]; }
  const Recurrence &recurrence(unsigned N) const { return Recurrences[N]; }
  size_t numRecurrences() const { return Recurrences.size(); }

  /// What a Load or Opaque leaf is called when printed.
  void setLabel(const Expr *Leaf, std::string Label);
  llvm::StringRef label(const Expr *Leaf) const;

  /// \p E with iteration \p Loop replaced by \p With; null if that grows out of
  /// bounds.
  const Expr *replaceIteration(const Expr *E, unsigned Loop, const Expr *With);

  size_t size() const { return Nodes.size(); }

private:
  const Expr *intern(Expr E);
  const Expr *fold(const Expr &E);

  std::deque<Expr> Nodes;
  std::unordered_multimap<size_t, const Expr *> Index;
  std::deque<Recurrence> Recurrences;
  std::unordered_map<const Expr *, std::string> Labels;
};

/// A variable's name in the source: "tile" for what C++ calls _ZZ1kE4tile, and
/// "local" for one without a name.
std::string variableName(const llvm::Value &Variable);

/// Names for printing, by number.
struct ExprNames {
  std::vector<std::string> Arguments;
};

/// \p E as one writes it in C, with loops as L0, L1, ... for their iteration
/// numbers and loads by what they load from. Cut off with "..." where it gets
/// too long to read.
std::string text(const Expr *E, const ExprNames &Names, const ExprPool &Pool);

/// \p E as a sum: per variable (an id or an iteration number) a coefficient
/// that depends on none of these, plus a rest. Products are multiplied out, and
/// extensions are assumed not to wrap (WrapAssumed says if that was needed).
struct AffineForm {
  struct Term {
    const Expr *Variable; ///< Special (an id) or Iteration
    const Expr *Factor;
  };
  llvm::SmallVector<Term, 4> Terms;
  const Expr *Rest = nullptr;
  bool WrapAssumed = false;

  const Expr *factorOf(const Expr *Variable) const; ///< null: none
};

/// The affine form of integer \p E in 64 bits; nothing if it is not affine. A
/// variable is what depends on \p Mask (OnThread | OnBlock | OnIteration).
/// \p Signed says how \p E itself is widened.
bool affineForm(const Expr *E, unsigned Mask, ExprPool &Pool, AffineForm &Out,
                bool Signed = true);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_EXPRESSION_H
