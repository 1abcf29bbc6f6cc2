//===- StatementLowering.h - PTX statements as IR ---------------*- C++ -*-===//
//
// Statements of PTX become the IR that means the same: the rows of
// PTXInstructions.def say what that is. Who derives from this says where
// registers live: inline assembly binds them to operands of the call, a lifted
// kernel to variables.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_STATEMENTLOWERING_H
#define HEDDLE_PTX_STATEMENTLOWERING_H

#include "heddle/ABI/PTXInstructions.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle {

/// "rz", "rm" or "rp"; empty for the nearest, which is what IR does.
llvm::StringRef directionOf(const PTXStatement &S);

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

  /// Gives the addresses in shared memory that \p F makes of 32 bits their
  /// upper half; as PTX has them it is 0 (nvcc -G, before cvta.shared).
  void widenSharedAddresses(llvm::Function &F);

  /// Whether a guard of \p S must be a branch around it: its result cannot be
  /// dropped, or is more than one register.
  static bool needsBranch(const PTXStatement &S);

  /// Whether \p S says where control goes on.
  static bool isControl(const PTXStatement &S);

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
  /// An instruction whose operands are read, or one half of it if it is packed.
  struct Operation {
    const PTXStatement &S;
    llvm::Type *T; ///< that it computes in
    llvm::ArrayRef<llvm::Value *> V;

    bool isSigned() const { return S.Suffix.starts_with("s"); }
    /// A row whose last word is a mode has no type.
    bool isFloat() const { return T && T->isFloatingPointTy(); }
    unsigned bits() const { return T->getPrimitiveSizeInBits(); }
  };

  /// The last column of a row.
  struct Lifting {
    enum Kind {
      Binary,
      Unary,
      Intrinsic,
      Flagged,
      NVVM,
      Approximate,
      Single,
      Swapped,
      Compute,
      Lower,
      Nothing,
      Control,
      Refused,
    };
    Kind How;
    unsigned ID = 0; ///< of the operator or the intrinsic
    llvm::Value *(StatementLowering::*Computes)(const Operation &) = nullptr;
    bool (StatementLowering::*Lowers)(const PTXStatement &) = nullptr;
  };
  static const Lifting &liftingOf(const HeddlePTXForm &Form);
  static std::optional<HeddlePTXForm> formOf(const PTXStatement &S);

  bool lowerGuarded(const PTXStatement &S);
  bool compute(const PTXStatement &S, const HeddlePTXRow &Row,
               const Lifting &L);
  llvm::Value *computePacked(const PTXStatement &S, const Lifting &L,
                             unsigned NumSources);
  llvm::Value *apply(const Lifting &L, const Operation &O);
  llvm::Type *operandType(const PTXStatement &S, llvm::StringRef Letter);

  // What rows name: functions of operands that are read ...
  llvm::Value *chosen(const Operation &O);
  llvm::Value *carried(const Operation &O);
  llvm::Value *rounded(const Operation &O);
  llvm::Value *negated(const Operation &O);
  llvm::Value *absoluteDifference(const Operation &O);
  llvm::Value *inverted(const Operation &O);
  llvm::Value *isZero(const Operation &O);
  llvm::Value *lookedUp(const Operation &O);
  llvm::Value *signedExtreme(const Operation &O);
  llvm::Value *shifted(const Operation &O);
  llvm::Value *funnelShifted(const Operation &O);
  llvm::Value *extracted(const Operation &O);
  llvm::Value *inserted(const Operation &O);
  llvm::Value *highestBit(const Operation &O);
  llvm::Value *bitMask(const Operation &O);
  llvm::Value *permuted(const Operation &O);
  llvm::Value *extended(const Operation &O);
  llvm::Value *product(const Operation &O);
  llvm::Value *product24(const Operation &O);
  llvm::Value *dotProduct(const Operation &O);
  llvm::Value *reciprocal(const Operation &O);
  llvm::Value *reciprocalRoot(const Operation &O);
  llvm::Value *tested(const Operation &O);
  // ... and those that read them themselves.
  bool lowerMove(const PTXStatement &S);
  bool lowerVectorMove(const PTXStatement &S);
  bool lowerLookup(const PTXStatement &S);
  bool lowerConversion(const PTXStatement &S);
  bool lowerPackedConversion(const PTXStatement &S);
  bool lowerByteConversion(const PTXStatement &S);
  bool lowerPack(const PTXStatement &S);
  bool lowerAddressConversion(const PTXStatement &S);
  bool lowerComparison(const PTXStatement &S);
  bool lowerPackedComparison(const PTXStatement &S);
  bool lowerSet(const PTXStatement &S);
  bool lowerPackedSet(const PTXStatement &S);
  bool lowerMath(const PTXStatement &S);
  bool lowerCall(const PTXStatement &S);
  bool lowerPrint(const PTXStatement &S);
  bool lowerPartDifference(const PTXStatement &S);
  virtual bool lowerStack(const PTXStatement &) { return false; }
  bool lowerMemory(const PTXStatement &S);
  bool lowerAtomic(const PTXStatement &S);
  bool lowerPairAdd(const PTXStatement &S, llvm::Value *P, llvm::Value *V,
                    llvm::Type *T);
  bool lowerAsyncCopy(const PTXStatement &S);
  bool lowerBarrierAction(const PTXStatement &S);
  bool lowerAsyncWrite(const PTXStatement &S);
  bool lowerClusterAddress(const PTXStatement &S);
  bool lowerSpaceTest(const PTXStatement &S);
  bool lowerClusterBarrier(const PTXStatement &S);
  static llvm::Intrinsic::ID clusterRegister(llvm::StringRef Name);
  bool lowerBulkCopy(const PTXStatement &S);
  bool lowerBulkReduction(const PTXStatement &S);
  bool lowerTensorCopy(const PTXStatement &S);
  bool lowerBulkGroup(const PTXStatement &S);
  bool lowerCachePolicy(const PTXStatement &S);
  bool lowerCopyGroup(const PTXStatement &S);
  bool lowerMatrixProduct(const PTXStatement &S);
  bool lowerMatrixAccess(const PTXStatement &S);
  bool lowerMatrixMove(const PTXStatement &S);
  bool lowerFragmentAccess(const PTXStatement &S);
  bool lowerGroupProduct(const PTXStatement &S);
  bool lowerGroupFence(const PTXStatement &S);
  bool lowerRegisterChange(const PTXStatement &S);
  bool lowerTensorMemory(const PTXStatement &S);
  bool lowerTexture(const PTXStatement &S);
  bool lowerSurface(const PTXStatement &S);
  bool lowerTextureQuery(const PTXStatement &S);
  bool lowerActiveMask(const PTXStatement &S);
  bool lowerShuffle(const PTXStatement &S);
  bool lowerVote(const PTXStatement &S);
  bool lowerMatch(const PTXStatement &S);
  bool lowerBarrier(const PTXStatement &S);
  bool lowerGridBarrier(const PTXStatement &S);
  bool lowerElect(const PTXStatement &S);
  bool lowerFence(const PTXStatement &S);
  bool lowerAsyncFence(const PTXStatement &S);
  bool lowerTrap(const PTXStatement &S);

  llvm::Value *half(llvm::Value *Register, unsigned Number, bool Brain);
  llvm::Value *toBrain(llvm::Value *Single);
  llvm::Value *fromBrain(llvm::Value *Bits);
  llvm::Value *roundToTF32(llvm::Value *V, bool Saturates);
  llvm::Value *towardZero(llvm::Value *Single, bool Brain);
  llvm::Value *shift(llvm::Instruction::BinaryOps Op, llvm::Value *X,
                     llvm::Value *N);
  llvm::Value *clamped(llvm::Value *V, bool OneToo);
  llvm::Value *saturated(llvm::Value *V, bool FromSigned, bool ToSigned,
                         unsigned ToBits);
  llvm::Value *exactDouble(llvm::Value *V, bool Signed);
  llvm::Value *directed(const PTXStatement &S, llvm::Value *Bits,
                        llvm::Value *Rounded, llvm::Value *Exact);
  llvm::Value *roundedHalf(const PTXStatement &S, llvm::Value *V);
  llvm::Value *roundedBrain(const PTXStatement &S, llvm::Value *V);
  llvm::Value *roundedConversion(const PTXStatement &S, llvm::Value *V,
                                 llvm::Type *To);
  llvm::Value *toFloating(const PTXStatement &S, llvm::Value *V, llvm::Type *To,
                          bool Brain);
  llvm::Value *toInteger(const PTXStatement &S, llvm::Value *V, llvm::Type *To);
  llvm::Value *compare(const PTXStatement &S, llvm::Value *&Fails);
  bool joinWithLast(const PTXStatement &S, llvm::Value *&V);
  llvm::AllocaInst *carryFlag();
  bool assignWide(llvm::StringRef Text, llvm::Value *V, llvm::StringRef Suffix);
  llvm::Value *sharedWindow();
  llvm::Value *pointer(llvm::StringRef Text, unsigned Space);
  bool addTensor(llvm::StringRef Text,
                 llvm::SmallVectorImpl<llvm::Value *> &Args);
  bool callMatrix(llvm::StringRef Intrinsic, llvm::StringRef Results,
                  llvm::ArrayRef<llvm::StringRef> Sources);
  bool addCoordinates(llvm::StringRef List, bool HasLayer, unsigned Axes,
                      llvm::Type *T,
                      llvm::SmallVectorImpl<llvm::Value *> &Args);
  bool callTexture(const llvm::Twine &Name, llvm::ArrayRef<llvm::Value *> Args,
                   llvm::StringRef List);
  bool hasArchitecture(unsigned Number) const;
  llvm::Value *memberMask(const PTXStatement &S, unsigned Operand);
  llvm::Value *call(llvm::Intrinsic::ID ID,
                    llvm::ArrayRef<llvm::Value *> Args) {
    return B.CreateIntrinsic(ID, llvm::ArrayRef<llvm::Type *>(), Args);
  }

  llvm::GlobalVariable *SharedVariable = nullptr; ///< one that is used here
};

/// \p Text with the two instructions that st.async and red.async are here in
/// their place: the write, and mbarrier.complete_tx of its bytes. Lines stay.
std::string splitAsyncWrites(llvm::StringRef Text);

/// Whether \p Call is inline assembly that reads, writes or asks about a
/// texture or a surface (tex, tld4, suld, sust, txq, suq).
bool isTextureAssembly(const llvm::CallInst &Call);

} // namespace heddle

#endif // HEDDLE_PTX_STATEMENTLOWERING_H
