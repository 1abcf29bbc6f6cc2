//===- StatementLowering.h - PTX statements as IR ---------------*- C++ -*-===//
//
// Statements of PTX are read by mnemonic (PTX ISA 8.8) and become the IR that
// means the same. Who derives from this says where registers live: inline
// assembly binds them to operands of the call, a lifted kernel to variables.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_STATEMENTLOWERING_H
#define HEDDLE_PTX_STATEMENTLOWERING_H

#include "heddle/PTX/PTXStatement.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle {

class StatementLowering {
public:
  explicit StatementLowering(llvm::LLVMContext &Context) : B(Context) {}
  virtual ~StatementLowering() = default;

  /// Builds \p S at B; false for what is not known here. What was built until
  /// then stays, without effect on registers.
  bool lower(const PTXStatement &S);

  /// The type that PTX calls \p Suffix ("u32"); null if it is none.
  llvm::Type *typeOf(llvm::StringRef Suffix);
  /// The bits of \p V as \p T; integers of other widths are cut or
  /// zero-extended. Null if that makes no sense.
  llvm::Value *toType(llvm::Value *V, llvm::Type *T);
  /// \p Text, a register, a symbol, a special register or a literal, as \p T.
  llvm::Value *operand(llvm::StringRef Text, llvm::Type *T);

protected:
  /// What the register or symbol \p Name holds; null if there is no such name.
  virtual llvm::Value *valueOf(llvm::StringRef Name) = 0;
  /// Null if \p Name is no register that can be written.
  virtual llvm::Type *registerType(llvm::StringRef Name) = 0;
  /// \p V has the register's type.
  virtual void write(llvm::StringRef Name, llvm::Value *V) = 0;
  /// `.reg` inside the text.
  virtual void declare(llvm::StringRef Name, llvm::Type *T) = 0;

  /// Whether the text must be executed as often as it stands there.
  virtual bool isVolatile() const { return false; }

  bool assign(llvm::StringRef Text, llvm::Value *V);

  /// Whether a guard of \p S must be a branch around it: its result cannot be
  /// dropped, or is more than one register.
  static bool needsBranch(const PTXStatement &S);

  /// The registers of "{a, b}", or the one that \p List is.
  static llvm::SmallVector<llvm::StringRef, 4>
  registersOf(llvm::StringRef List);

  /// Whether B is at the end of a block that is not finished, so that a
  /// statement may branch.
  bool canBranch() const {
    const llvm::BasicBlock *Block = B.GetInsertBlock();
    return !Block->getTerminator() && B.GetInsertPoint() == Block->end();
  }
  llvm::BasicBlock *newBlock() {
    return llvm::BasicBlock::Create(B.getContext(), "",
                                    B.GetInsertBlock()->getParent());
  }

  llvm::IRBuilder<> B;

private:
  bool lowerArithmetic(const PTXStatement &S, llvm::Type *T);
  bool lowerMove(const PTXStatement &S, llvm::Type *T);
  bool lowerPacked(const PTXStatement &S);
  bool lowerPackedConversion(const PTXStatement &S);
  bool lowerShuffle(const PTXStatement &S);
  bool lowerMatrixProduct(const PTXStatement &S);
  bool lowerMatrixLoad(const PTXStatement &S);
  bool lowerTexture(const PTXStatement &S);
  bool lowerSurface(const PTXStatement &S);
  bool lowerTextureQuery(const PTXStatement &S);
  bool callTextureLibrary(const llvm::Twine &Name,
                          llvm::ArrayRef<llvm::Value *> Args);
  llvm::AllocaInst *temporary(llvm::Type *T, unsigned Count);
  bool assignAll(llvm::StringRef List, llvm::AllocaInst *From);
  llvm::Value *halfOperation(const PTXStatement &S,
                             llvm::ArrayRef<llvm::Value *> V);
  llvm::Value *roundToTF32(llvm::Value *V);
  llvm::Value *toBrain(llvm::Value *Single);
  llvm::Value *fromBrain(llvm::Value *Bits);
  llvm::Value *fromLane(llvm::Value *V, llvm::Value *Lane);
  llvm::Value *matrixElement(llvm::Value *Register, unsigned E,
                             llvm::StringRef Type);
  bool lowerMath(const PTXStatement &S);
  bool lowerMemory(const PTXStatement &S, llvm::Type *T);
  bool lowerAtomic(const PTXStatement &S, llvm::Type *T);
  bool lowerAsyncCopy(const PTXStatement &S);
  bool lowerWarp(const PTXStatement &S, llvm::Type *T);
  bool lowerCarry(const PTXStatement &S, llvm::Type *T);
  static bool usesCarry(const PTXStatement &S);
  llvm::AllocaInst *carryFlag();
  bool lowerComparison(const PTXStatement &S, llvm::Type *T);
  bool lowerSet(const PTXStatement &S, llvm::Type *T);
  bool lowerPackedSet(const PTXStatement &S);
  static llvm::CmpInst::Predicate predicateOf(const PTXStatement &S,
                                              bool Float);
  llvm::Value *compare(const PTXStatement &S, llvm::Type *T,
                       llvm::Value *&Fails);
  llvm::Value *roundedArithmetic(const PTXStatement &S,
                                 llvm::ArrayRef<llvm::Value *> V);
  llvm::Value *roundedConversion(const PTXStatement &S, llvm::Value *V);
  llvm::Value *saturated(llvm::Value *V);
  llvm::Value *saturated(llvm::Value *V, bool FromSigned, bool ToSigned,
                         unsigned ToBits);
  bool hasArchitecture(unsigned Number) const;
  bool lowerReduction(const PTXStatement &S);
  bool lowerMatch(const PTXStatement &S);
  llvm::Value *memberMask(const PTXStatement &S, unsigned Operand);
  bool lowerConversion(const PTXStatement &S);
  bool assignWide(llvm::StringRef Text, llvm::Value *V, llvm::StringRef Suffix);
  bool lowerAddressConversion(const PTXStatement &S);
  llvm::Value *sharedWindow();
  llvm::Value *pointer(llvm::StringRef Text, const PTXStatement &S);
  llvm::Value *call(llvm::Intrinsic::ID ID,
                    llvm::ArrayRef<llvm::Value *> Args) {
    return B.CreateIntrinsic(ID, llvm::ArrayRef<llvm::Type *>(), Args);
  }
};

} // namespace heddle

#endif // HEDDLE_PTX_STATEMENTLOWERING_H
