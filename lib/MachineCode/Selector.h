//===- Selector.h - From PTX to the instructions of a machine ---*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_SELECTOR_H
#define HEDDLE_LIB_MACHINECODE_SELECTOR_H

#include "ControlFlow.h"
#include "MachineInst.h"
#include "Operands.h"
#include "UniformValues.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::machine {

/// What the steps of a sequence hand on to the next.
struct SequenceState {
  Value Previous = 0, Predicate = 0;  ///< written last
  llvm::SmallVector<Value, 2> Beside; ///< that "+" wrote since
  /// By part of a fragment: the sum of the products so far.
  llvm::SmallVector<llvm::SmallVector<Value, 4>, 4> Sums;
  bool Written = false;       ///< the destination, at least a part of it
  bool WritesLast = false;    ///< the last step writes the destination
  bool SkipsRepeated = false; ///< steps that other readers did already
};

/// Which instruction of a matrix product: it adds round \p Round of products
/// to part \p Part of the fragment.
struct PartOfProduct {
  unsigned Part, NumParts, Round, NumRounds;
};

/// What divisions by one value have in common.
struct SharedDivisor {
  unsigned Block; ///< that computes it
  SequenceState State;
  llvm::SmallVector<unsigned, 2> Readers; ///< blocks
};

/// How one lane does an atomic for all that are at one address.
enum class OneLane {
  None,
  Count, ///< adds a value of all lanes as often as there are lanes
  Join   ///< takes what REDUX makes of their values
};

/// Selects the instructions of one kernel: select() of MachineInst.h.
class Selector {
public:
  Selector(const ptx::Kernel &PTX, llvm::ArrayRef<unsigned> IRBlocks,
           const Architecture &Arch)
      : PTX(PTX), IRBlocks(IRBlocks), Arch(Arch),
        Ops(PTX, Arch.loadsConstants()), Flow(PTX), Lanes(PTX, Ops),
        Found(findUniformValues(PTX, Ops, Lanes, Arch)), Uniform(Found.Values) {
    C.CopiesUniform = Found.Copying;
  }
  std::optional<Code> run(const ptx::Inst *&Missing);

private:
  bool selectInst(const ptx::Inst &I);
  bool selectOperation(const ptx::Inst &I);
  bool sequence(const ptx::Inst &I);
  bool isNormalSum(Value R) const;
  std::string selectedOpcode(const ptx::Inst &I) const;
  void prologue();
  void branchApart(llvm::StringRef Name, llvm::ArrayRef<Value> Uses);
  void askForLanes(const ptx::Inst &I);
  void selectBlock(const ptx::Block &From, bool Apart,
                   const ptx::Inst *&Missing);
  void move(const ptx::Inst &I);
  void joinHalves(const ptx::Inst &I, unsigned NumHalves);
  void sum(const ptx::Inst &I);
  void sum64(const ptx::Inst &I, llvm::ArrayRef<Operand> Terms);
  void scale(const ptx::Inst &I);
  bool contract(const ptx::Inst &I);
  void logic(const ptx::Inst &I);
  void logic64(const ptx::Inst &I);
  bool shift64(const ptx::Inst &I);
  bool insert64(const ptx::Inst &I);
  llvm::StringRef productOf(const ptx::Inst &I, llvm::StringRef Whole) const;
  bool extract(const ptx::Inst &I);
  void compare(const ptx::Inst &I, llvm::ArrayRef<Value> Also,
               llvm::ArrayRef<Value> Defs);
  void predicateLogic(const ptx::Inst &I);
  void choose(const ptx::Inst &I);
  void update(const ptx::Inst &Operation, const ptx::Inst &Select);
  void access(const ptx::Inst &I);
  OneLane oneLaneFor(const ptx::Inst &I) const;
  Value dataOfAll(const ptx::Inst &I, OneLane How, Value Mask, Value Data);
  Inst &accessByOneLane(const ptx::Inst &I, OneLane How, llvm::StringRef Name,
                        Value Root, Value Data);
  Value sharedAddress(Value Root);
  Value writtenBefore(llvm::StringRef Name, Value Source) const;
  void fragment(const ptx::Inst &I);
  bool accessesVariable(const ptx::Inst &Access);
  bool reduces(const ptx::Inst &I) const;
  bool texture(const ptx::Inst &I);
  void readArgument(const ptx::Inst &I);
  void branch(const ptx::Inst &I);
  void jumpByIndex(const ptx::Inst &I);
  void copy(const ptx::Inst &I);
  void expand(const ptx::Inst &I);
  bool asynchronous(const ptx::Inst &I);
  bool isOne(const Operand &O) const;
  void barrierAction(const ptx::Inst &I);
  void barrierInMemory(const ptx::Inst &I, Value Address,
                       llvm::ArrayRef<Value> Given);
  void bulkCopy(const ptx::Inst &I);
  void groupProduct(const ptx::Inst &I);
  void groupFence(const ptx::Inst &I);
  Value inLanes(const Operand &O, unsigned Width);
  Value inUniform(llvm::StringRef Name, bool IsShared);
  Inst &emitAsync(const ptx::Inst &I, llvm::StringRef Name,
                  llvm::ArrayRef<Value> Defs, llvm::ArrayRef<Value> Uses);
  void emitSteps(const ptx::Inst &I, llvm::ArrayRef<llvm::StringRef> Steps,
                 llvm::ArrayRef<Value> Sources, SequenceState &S);
  void emitPart(const ptx::Inst &I, llvm::StringRef Name, PartOfProduct At,
                SequenceState &S);
  llvm::SmallVector<Value, 8> factorsOf(const ptx::Inst &I,
                                        PartOfProduct At) const;
  SharedDivisor computeDivisor(const ptx::Inst &I,
                               llvm::ArrayRef<llvm::StringRef> Steps,
                               unsigned In);
  SequenceState divisorPart(const ptx::Inst &I,
                            llvm::ArrayRef<llvm::StringRef> Steps);

  Inst &emit(llvm::StringRef Name, llvm::ArrayRef<Value> Defs,
             llvm::ArrayRef<Value> Uses);
  /// The register that an instruction reads for \p O, if any. One operand may
  /// come from the constant bank or the instruction: \p Free says if it still
  /// may.
  void read(llvm::SmallVectorImpl<Value> &Uses, const Operand &O, bool &Free);
  Value uniformConstant(llvm::StringRef Text);
  Value temporary(unsigned Width) {
    return C.addValue(Width, computesUniform());
  }
  bool computesUniform() const {
    return Now && Now->Defs.size() == 1 && Uniform[Now->Defs[0]];
  }
  Value constant(llvm::StringRef Text, unsigned Width, bool IsBank);
  void write(Value V);
  unsigned convergentBlock() const;
  unsigned preheader(unsigned N) const;
  llvm::SmallVector<Value, 4> readAll(const ptx::Inst &I);
  void collect(const ptx::Inst &I, llvm::SmallVectorImpl<Operand> &Terms,
               llvm::SmallVectorImpl<const ptx::Inst *> &Scaled);

  const ptx::Kernel &PTX;
  llvm::ArrayRef<unsigned> IRBlocks;
  const Architecture &Arch;
  Operands Ops;
  ControlFlow Flow;
  Convergence Lanes;
  Uniforms Found;
  const llvm::BitVector &Uniform; ///< by register
  Code C;
  Block *B = nullptr;
  const ptx::Inst *Now = nullptr;
  /// By block, text and width.
  std::vector<llvm::StringMap<Value>> Constants;
  llvm::StringMap<Value> UniformConstants; ///< of the kernel
  llvm::BitVector FromVariables; ///< by register; empty: not asked for yet
  /// By steps and divisor.
  llvm::StringMap<llvm::SmallVector<SharedDivisor, 1>> Divisors;
};

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_SELECTOR_H
