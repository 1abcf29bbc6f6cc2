//===- UniformValues.h - What lives in uniform registers --------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_UNIFORMVALUES_H
#define HEDDLE_LIB_MACHINECODE_UNIFORMVALUES_H

#include "MachineInst.h"
#include "Operands.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::machine {

/// Which lanes run what of a kernel together.
class Convergence {
public:
  Convergence(const ptx::Kernel &PTX, const Operands &Ops);
  /// Whether all lanes of a warp that are not at their end run block \p N
  /// together.
  bool isConvergent(unsigned N) const { return !Apart[N]; }
  /// Whether lanes may have different values in \p R.
  bool isDivergent(Value R) const { return Divergent[R]; }

private:
  bool isEnd(unsigned N) const;
  llvm::SmallVector<unsigned, 2> waysFrom(unsigned N) const;
  llvm::BitVector findLeaving() const;
  void findBehind();
  void part(unsigned N);
  bool spread();

  const ptx::Kernel &PTX;
  llvm::BitVector Apart;               ///< blocks
  llvm::BitVector Divergent;           ///< registers
  std::vector<llvm::BitVector> Behind; ///< blocks that all ways lead over
};

/// What a kernel computes on the uniform datapath.
struct Uniforms {
  llvm::BitVector Values; ///< by register of the PTX
  /// Names of constants of the bank that are only in uniform registers, though
  /// some instruction of the lanes cannot read them there.
  llvm::StringMap<bool> Constants;
  /// Instructions of the lanes that take a copy of a uniform value in a
  /// register of the lanes, or in a predicate if they compare.
  llvm::DenseSet<const ptx::Inst *> Copying;
};

/// The registers of \p PTX that hold the same integer for all lanes of a warp
/// and that ptxas computes on the uniform datapath (sm_75 on): all that write
/// one are operations that this has, of constants and of others, and all that
/// read one take it as their only operand that is no register of the lanes. Of
/// others too where several are computed from each other for each copy that is
/// needed.
Uniforms findUniformValues(const ptx::Kernel &PTX, const Operands &Ops,
                           const Convergence &Lanes, const Architecture &Arch);

/// Whether \p I has a constant of its own, or reads one of \p Uniform: its
/// operand that need not be a register of the lanes is taken.
bool takesConstantOrUniform(const ptx::Inst &I, const Operands &Ops,
                            const llvm::BitVector &Uniform);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_UNIFORMVALUES_H
