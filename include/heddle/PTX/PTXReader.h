//===- PTXReader.h - PTX text as instructions -------------------*- C++ -*-===//
//
// Reads the PTX of one kernel, as LLVM's back end prints it and as inline
// assembly may hold it, into basic blocks of instructions. It knows the syntax
// and which operands are written, and nothing of what an opcode does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_PTXREADER_H
#define HEDDLE_PTX_PTXREADER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::ptx {

enum class RegisterKind { Predicate, B16, B32, B64, B128 };

struct Register {
  std::string Name; ///< "%rd12"
  RegisterKind Kind;
};

struct Inst {
  std::string Opcode; ///< with all modifiers: "ld.global.v2.b32"
  /// Numbers of registers, dense from 1 over the kernel (Kernel::Registers).
  llvm::SmallVector<unsigned, 2> Defs;
  llvm::SmallVector<unsigned, 4> Uses; ///< the guard, if any, comes first
  bool Guarded = false;
  bool GuardNegated = false;
  std::string Text;         ///< the statement, guard and all
  unsigned Line = 0;        ///< of the last .loc, 0 if there was none
  unsigned TextLine = 0;    ///< line in the PTX text
  std::string Label;        ///< of a branch; of brx.idx, its list of labels
  std::string Symbol;       ///< in an address: "[sym+8]"; or "%tid.x"
  int64_t Offset = 0;       ///< in an address
  unsigned NumElements = 1; ///< of a vector of values loaded or stored

  /// The first register that is read apart from the guard, 0 if none is.
  unsigned firstUse() const {
    return Uses.size() > Guarded ? Uses[Guarded] : 0;
  }
  /// The register in the address of an access, 0 where the name of a variable
  /// stands there: the first register is then that of the value.
  unsigned addressRegister() const { return Symbol.empty() ? firstUse() : 0; }
  /// brx.idx, a jump to the label of a list that its operand chooses.
  bool isIndexedJump() const {
    return llvm::StringRef(Opcode).starts_with("brx.");
  }
  /// Whether control may go more than one way behind it.
  bool isConditional() const {
    return !Label.empty() && (Guarded || isIndexedJump());
  }
};

struct Block {
  std::string Label;     ///< empty for a block that is only fallen into
  std::string IRBlock;   ///< name in the comment, empty if the back end made it
  bool NoUnroll = false; ///< .pragma "nounroll" stands in it
  std::vector<Inst> Insts;
  std::vector<unsigned> Successors; ///< indices into Kernel::Blocks
};

struct Kernel {
  std::string Name;
  unsigned Target = 0;             ///< 80 of ".target sm_80", 0 if not said
  std::vector<Register> Registers; ///< [0] is no register
  std::vector<Block> Blocks;
  unsigned Registers32 = 0; ///< .pragma "heddle.registers N", 0 if not said
  uint64_t LocalBytes = 0;  ///< of the local depot
  /// Lists of labels that brx.idx takes one of (.branchtargets), by name.
  llvm::StringMap<std::vector<std::string>> BranchTargets;
  /// Declarations of variables inside the body, with their lines.
  std::vector<std::pair<unsigned, std::string>> Declarations;
};

/// Reads the entry \p Name from \p Text. Errors give the line of the PTX.
llvm::Expected<Kernel> readKernel(llvm::StringRef Text, llvm::StringRef Name);

/// Makes sums with WARP_SZ in \p K sums with 32. nvcc writes it into a register
/// as if it were not known; ptxas unrolls loops that count by it, and only
/// divides as if it could be any number.
void foldWarpSize(Kernel &K);

} // namespace heddle::ptx

#endif // HEDDLE_PTX_PTXREADER_H
