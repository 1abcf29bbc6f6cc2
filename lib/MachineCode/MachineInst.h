//===- MachineInst.h - Code on its way from PTX to a machine ----*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_MACHINEINST_H
#define HEDDLE_LIB_MACHINECODE_MACHINEINST_H

#include "Levels.h"
#include "Opcodes.h"

#include "heddle/PTX/PTXReader.h"
#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <vector>

namespace heddle::machine {

/// A generation, as far as ptxas writes other code for it.
struct Architecture {
  unsigned Number = 70; ///< of "sm_70"
  /// Global accesses name a descriptor in uniform registers (sm_80 on).
  bool hasDescriptors() const { return Number >= 80; }
  /// Arithmetic takes constants from uniform registers or LDC instead of
  /// naming the constant bank (sm_90).
  bool loadsConstants() const { return Number >= 90; }
  /// A BMOV clears the register of a barrier before BSSY sets it (sm_70 and
  /// sm_75; ptxas 11.8, with each BSSY of kernels of ours).
  bool clearsBarriers() const { return Number < 80; }
  /// Integers that are the same for all lanes are computed once, in registers
  /// of their own (sm_75 on).
  bool hasUniformDatapath() const { return Number >= 75; }
  /// One is added to shared memory without a register that holds it (sm_80 on).
  bool countsInShared() const { return Number >= 80; }
  /// One instruction converts two floats to a register of two halves (sm_80
  /// on).
  bool convertsTwo() const { return Number >= 80; }
  /// Halves that two statements took out of one register are moved together
  /// again for an operation on both (sm_80 on; ptxas 11.8).
  bool movesHalves() const { return Number >= 80; }
  /// Sums, minima and maxima of two integers of 16 bits in one register, and
  /// instructions that do two of those at once (sm_90 on).
  bool hasPairedIntegers() const { return Number >= 90; }
  /// Banks of the register file, each of which reads one operand a cycle:
  /// Jia et al., arXiv 1804.06826, section 3.1; Huerta et al., arXiv
  /// 2503.20481, section 5.3.
  unsigned registerBanks() const { return Number >= 70 ? 2 : 4; }
};

/// A value: a register of the PTX by its number there, or a temporary beyond.
using Value = unsigned;

struct Inst {
  std::string Name; ///< with modifiers, as nvdisasm prints them
  llvm::SmallVector<Value, 2> Defs;
  llvm::SmallVector<Value, 4> Uses;
  Value Guard = 0; ///< predicate, 0 if it always runs
  /// What it writes keeps a part of its old value: the second half of a pair.
  bool Partial = false;
  bool IsCopy = false;             ///< of its one use
  const ptx::Inst *From = nullptr; ///< of the PTX
  unsigned Step = 0; ///< of its block: whose addresses an access has
  // Accesses:
  bool IsAccess = false;
  Value Base = 0;
  int64_t Offset = 0;
  unsigned Bytes = 0;
  bool IsOneLane = false;   ///< an atomic that one lane does for all
  unsigned Temporaries = 0; ///< registers of the slow path behind it
  /// How many more it takes if an operand lives on behind it.
  unsigned OperandTemporaries = 0;
  unsigned Fragment = 0;   ///< of wmma.load and .store: which access, from 1
  unsigned Part = 0;       ///< its distance from the access of the PTX
  bool EndsRegion = false; ///< nothing moves across it

  const OpcodeRow &row() const { return *findOpcode(Name); }
};

/// \p Base with the modifiers of the access \p I to \p Bytes.
std::string accessName(llvm::StringRef Base, const ptx::Inst &I,
                       unsigned Bytes);

/// wmma.load and wmma.store, which are several accesses.
bool isFragmentAccess(llvm::StringRef Opcode);

/// One block of the PTX, or several that have become one. Branches stand beside
/// the instructions until the blocks have their places.
struct Block {
  std::vector<Inst> Insts;
  llvm::SmallVector<unsigned, 2> Successors; ///< taken first
  const ptx::Inst *Branch = nullptr;         ///< the conditional one
  Value Condition = 0;              ///< of an indexed jump: where it goes
  bool Divergent = false;           ///< lanes may go both ways
  bool Removed = false;             ///< its instructions went elsewhere
  llvm::SmallVector<Step, 2> Steps; ///< none: it runs with the one before it
  /// Other blocks of the PTX run with the same block of the IR.
  bool Shared = false;
  registers::Unrolling Unrolled; ///< of a loop of one block

  bool endsInIndexedJump() const {
    return Branch && Branch->isIndexedJump() && Successors.size() > 1;
  }
};

struct Code {
  std::vector<Block> Blocks;
  /// By value: 32-bit registers that it takes; 0 for predicates and what lives
  /// in uniform registers.
  std::vector<unsigned> Widths;
  /// By register of the PTX: what the address in it is a multiple of, in bytes.
  std::vector<unsigned> Alignments;
  /// By value: the uniform registers that it takes, 0 if it lives elsewhere.
  /// What writes them runs on the uniform datapath.
  std::vector<unsigned> UniformWidths;
  /// Those of the lanes that cannot read what they read of it.
  llvm::DenseSet<const ptx::Inst *> CopiesUniform;

  /// What registers that only hold a constant hold, by value.
  llvm::DenseMap<Value, std::string> Constants;

  Value addValue(unsigned Width, bool IsUniform = false) {
    Widths.push_back(IsUniform ? 0 : Width);
    UniformWidths.push_back(IsUniform ? Width : 0);
    return Widths.size() - 1;
  }
  /// A new value of the kind of \p V.
  Value addLike(Value V) {
    return isUniform(V) ? addValue(UniformWidths[V], true)
                        : addValue(Widths[V]);
  }
  bool isUniform(Value V) const { return UniformWidths[V] != 0; }
};

/// Instructions of \p Arch for each block of \p PTX. \p IRBlocks says with
/// which block of the IR a block of the PTX runs. None if there is no lowering
/// of an instruction, which is then \p Missing.
std::optional<Code> select(const ptx::Kernel &PTX,
                           llvm::ArrayRef<unsigned> IRBlocks,
                           const Architecture &Arch, const ptx::Inst *&Missing);

/// Whether \p I copies to shared memory while the warp goes on.
bool isCopy(const ptx::Inst &I);

/// Operations of mbarriers, copies by the copy engine, products of warp groups.
bool isBarrierAction(llvm::StringRef Opcode);
bool isBulkCopy(llvm::StringRef Opcode);
bool isGroupProduct(llvm::StringRef Opcode);

/// Two operations on single halves that do the same with both halves of their
/// registers become one on both: ptxas 11.8 does so from sm_70 to sm_90 (four
/// kernels of ours). It also moves halves together for that, which is left out.
void packHalves(Code &C, const ptx::Kernel &PTX, const Architecture &Arch);

/// A minimum or maximum takes in what makes its operand, where nothing else
/// reads that: a sum or another one of halves (VIADDMNMX, VIMNMX3), and a lower
/// limit of zero (.RELU).
void joinExtremes(Code &C, const Architecture &Arch);

/// The upper and the lower word of a product are written by one instruction
/// where both stand in a block (IMAD.WIDE).
void joinProducts(Code &C);

/// The last operand of \p I, if that is a constant.
std::optional<int64_t> constantIn(const ptx::Inst &I);

/// Accesses of one block to neighbouring bytes become one of up to 128 bits,
/// where the address is known to be aligned to that.
void joinAccesses(Code &C, llvm::ArrayRef<unsigned> Alignment);

/// Short blocks behind a branch run predicated instead, and blocks that only
/// follow each other become one.
void predicate(Code &C);

/// Blocks that only follow each other become one.
void mergeChains(Code &C);

/// Blocks that have become one write each constant once, apart from those that
/// they write under a predicate; of these only pointers.
void shareConstants(Code &C);

/// Loops of one block that count up to a bound get copies with several
/// iterations, in front of the loop or in place of it.
void unroll(Code &C);

/// Gives what writes uniform values the opcodes of the uniform datapath.
void nameUniform(Code &C);

/// Moves that only what follows a loop of two blocks reads stand there, for the
/// lanes that left the way that they are of. In three loops of ours that search
/// or count, ptxas 11.8 has no move of the latch in the loop, and one of the
/// head in one of them (in two on sm_70).
void sinkExitMoves(Code &C);

/// By value: its number in the code table, so that the operands of an
/// instruction lie in different register banks as far as can be, those of loops
/// first. Registers of one access have successive numbers modulo the banks.
std::vector<uint16_t> dealOverBanks(const Code &C, const Architecture &Arch);

/// Writes branches and exits, and the barriers where lanes meet again.
void placeBranches(Code &C, const Architecture &Arch);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_MACHINEINST_H
