//===- Operands.h - What the registers of a PTX kernel hold -----*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_OPERANDS_H
#define HEDDLE_LIB_MACHINECODE_OPERANDS_H

#include "MachineInst.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace heddle::machine {

/// Where a value is when an instruction wants it.
enum class Place {
  Register,
  Immediate, ///< in the instruction
  Bank,      ///< in the constant bank: arguments, sizes of the launch
};

/// An operand of a statement as text and, if it is one, register.
struct Operand {
  llvm::StringRef Text;
  Value Register = 0;
  Place Where = Place::Register;
};

/// What a word of a 64-bit value is that logic computes: the inputs of a LOP3,
/// or, if Copies, one of them as it is or a constant of all zeros or ones.
struct WordLogic {
  llvm::SmallVector<Operand, 4> Inputs;
  bool Copies = true;
  std::optional<bool> Filled; ///< with this bit
};

/// One pass over the kernel that finds what needs no instruction of its own.
class Operands {
public:
  /// \p LoadsConstants: of the architecture, which has no constant bank as an
  /// operand (sm_90).
  Operands(const ptx::Kernel &PTX, bool LoadsConstants);

  /// The operands of \p I in order, guard and opcode left out.
  llvm::SmallVector<Operand, 4> of(const ptx::Inst &I) const;
  /// The register of \p I with this name, 0 if it is none. A scope may declare
  /// a name of the kernel again, so that only the statement knows which it is.
  Value registerNamed(const ptx::Inst &I, llvm::StringRef Name) const;
  Place placeOf(Value R) const { return Places[R]; }
  /// The only, unguarded definition of \p R, else null.
  const ptx::Inst *definitionOf(Value R) const { return DefOf[R]; }
  /// True if a loop moves \p R, or branches choose what writes it.
  bool isWrittenAgain(Value R) const { return NumDefs[R] > 1; }
  bool isUsed(Value R) const { return !Users[R].empty(); }
  bool isUsedOnce(Value R) const { return Users[R].size() == 1; }
  unsigned blockOf(const ptx::Inst &I) const { return BlockOf.lookup(&I); }
  /// True if the definition of \p R is part of the instructions that use it.
  bool isFolded(Value R) const { return Folded[R]; }
  /// What \p Test compares with zero if that is an AND or OR for it alone: a
  /// LOP3 that writes a predicate; else 0.
  Value testedLogic(const ptx::Inst &Test) const;
  /// The operation that \p Select takes one of its values from and that nothing
  /// else uses: ptxas runs it under the predicate, over the other value.
  const ptx::Inst *updateOf(const ptx::Inst &Select) const;
  /// The product by a constant that \p Shift moves by a constant, as an address
  /// far from a pointer is; else null.
  const ptx::Inst *productIn(const ptx::Inst &Shift) const;
  /// True if \p R is 64 bits wide in PTX and 32 in hardware: an address of
  /// shared memory.
  bool isNarrow(Value R) const { return Narrow[R]; }
  /// True if nothing reads \p R.
  bool isUnused(Value R) const { return Users[R].empty(); }
  /// True if lanes may have different values.
  bool isDivergent(Value R) const { return Divergent[R]; }
  /// The register and constant offset that \p R stands for as an address.
  std::pair<Value, int64_t> addressOf(Value R) const;
  /// The same of what \p Access accesses.
  std::pair<Value, int64_t> addressOf(const ptx::Inst &Access) const;
  /// \p R without renamings: what an instruction reads for it.
  Value resolve(Value R) const;
  unsigned width(Value R) const;
  /// What the address in \p R is a multiple of, in bytes, 16 at most: shared
  /// variables begin at multiples of that.
  unsigned alignmentOf(Value R) const { return Alignments[R]; }
  /// What \p I reads from registers, guard left out.
  llvm::SmallVector<Value, 4> registersOf(const ptx::Inst &I) const;

  /// The different inputs of the logic that ends in \p I: of its operands and
  /// of the logic folded into it, \p Taken taken for folded.
  llvm::SmallVector<Operand, 4> logicInputs(const ptx::Inst &I,
                                            Value Taken = 0) const;

  /// The same for word \p Word, 0 or 1, of 64-bit logic.
  WordLogic wordLogic(const ptx::Inst &I, unsigned Word, Value Taken = 0) const;
  /// True if word \p Word of the 64-bit operand \p O is known to be 0.
  bool isZeroWord(const Operand &O, unsigned Word) const {
    return zeroWords(O) >> Word & 1;
  }

private:
  unsigned zeroWords(const Operand &O) const;
  unsigned zeroWordsAfter(const ptx::Inst &I) const;
  std::optional<int64_t> constantIn(const Operand &O) const;
  WordLogic wordOf(const Operand &O, unsigned Word, Value Taken) const;
  /// Variables lie far apart.
  int64_t placeOfVariable(llvm::StringRef Name) const;
  int64_t constantOf(const ptx::Inst &I) const;
  void findDefinitions();
  void findPlaces();
  void findNarrow();
  /// Whether \p I, which saturates, is a modifier of what computes its operand.
  bool saturates(const ptx::Inst &I) const;
  llvm::BitVector countersByConstants() const;
  Value comparedToConstant(const ptx::Inst &I) const;
  bool movesByProduct(const ptx::Inst &I) const;
  void findFolded();
  void findDivergent();
  void findAlignments();
  unsigned alignmentAfter(const ptx::Inst &I) const;
  bool folds(Value R, const ptx::Inst &I);
  bool isScaledProduct(Value R) const;
  bool foldsIntoSums(Value R, const ptx::Inst &I) const;
  bool keepsProductOfConstants(const ptx::Inst &Product,
                               const ptx::Inst &Sum) const;
  bool updates(Value R, const ptx::Inst &I, const ptx::Inst &Select) const;
  /// True if \p At may read what \p I reads: no operand is written in between.
  bool staysUntil(const ptx::Inst &I, const ptx::Inst &At) const;
  /// The same for all that use \p R, which \p I writes.
  /// Nothing writes the operand of \p I behind it.
  bool isFinal(const ptx::Inst &I) const;
  bool staysForUsers(Value R, const ptx::Inst &I) const;
  bool fitsLogic(Value R, const ptx::Inst &User) const;
  bool repeatsLogic(Value R, const ptx::Inst &I);
  bool onlyUsedBy(Value R, bool (*Takes)(llvm::StringRef)) const;

  const ptx::Kernel &PTX;
  bool LoadsConstants;
  std::vector<const ptx::Inst *> DefOf;
  std::vector<unsigned> NumDefs;
  llvm::DenseMap<const ptx::Inst *, unsigned> BlockOf;
  std::vector<llvm::SmallVector<const ptx::Inst *, 4>> Users;
  std::vector<Place> Places;
  llvm::BitVector Narrow, Folded, Divergent;
  llvm::BitVector Repeated; ///< logic that other logic computes for itself
  std::vector<unsigned> Alignments; ///< in bytes
  /// By register: bit N is set if word N is known to be 0; empty: not known.
  mutable llvm::DenseMap<Value, unsigned> ZeroWords;
  mutable llvm::StringMap<int64_t> Symbols; ///< a distance for each
};

/// True if \p Opcode only gives a value another name or type.
bool isRenaming(llvm::StringRef Opcode);
bool isSum(llvm::StringRef Opcode);
bool isLogic(llvm::StringRef Opcode);
/// True for a product that may be part of a sum without a rounding of its own.
bool isContractable(llvm::StringRef Product);
/// The integer that \p Text is; nothing for anything else.
std::optional<int64_t> integer(llvm::StringRef Text);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_OPERANDS_H
