//===- InterpreterDecoder.h - From IR to the interpreter's code -*- C++ -*-===//

#ifndef HEDDLE_LIB_EXEC_INTERPRETERDECODER_H
#define HEDDLE_LIB_EXEC_INTERPRETERDECODER_H

#include "InterpreterOps.h"

#include "heddle/ABI/CheckEvents.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Exec/Engine.h"
#include "heddle/Exec/KernelLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {
struct BulkOperation;
struct GroupProduct;
} // namespace heddle

namespace heddle::interp {

/// While a kernel is decoded, these bits of a slot say where it will lie.
constexpr uint32_t ConstantArea = 1u << 31;
constexpr uint32_t ScratchArea = 1u << 30;

/// What decoding yields; Program points into it.
struct DecodedKernel {
  std::vector<Op> Ops, Prologue, Copies;
  std::vector<Block> Blocks;
  std::vector<Edge> Edges;
  std::vector<AccessInfo> Accesses;
  std::vector<uint8_t> Constants;
  std::vector<std::unique_ptr<std::string>> Formats; ///< of Print
  uint64_t FrameBytes = 0;
  uint32_t StackOffset = 0, ConstantOffset = 0;
};

/// The container of a scalar type, or nothing for one that has none.
std::optional<Ty> containerOf(const llvm::Type *T);
/// Bytes of one element of a container.
unsigned sizeOf(Ty T);

/// Decodes one kernel.
///
/// A value of a scalar type is one slot of the frame, a vector or aggregate one
/// slot for each scalar in it. Instructions that only rename scalars
/// (extractvalue, shufflevector, ...) become no code. Values that are used in
/// another block own their slot and are written under the mask of active lanes;
/// all others share a scratch area and are written for all lanes.
class Decoder {
public:
  Decoder(const llvm::Function &Kernel, const GlobalAddresses &Globals,
          const EngineOptions &Options, const Core &C);

  llvm::Expected<DecodedKernel> run();

private:
  using Slot = uint32_t;
  using Slots = llvm::SmallVector<Slot, 1>;
  /// One scalar of a flattened type.
  struct Scalar {
    llvm::Type *Type;
    uint64_t Offset; ///< in memory
  };

  /// What reads see of sums of a wgmma in flight, scalar by scalar: what was
  /// Before it, or, if the wgmma that made that (Sums) is in flight too, what
  /// was Shown then.
  struct History {
    Slots Shown, Before, Sums;
  };
  /// Whether a wgmma is in flight, the one before it too, and is one of the
  /// group of another.
  struct Flight {
    Slot InFlight, BeforeToo, InGroup;
  };

  // Decoder.cpp: blocks and control flow.
  void decodeBlock(const llvm::BasicBlock &B);
  void decodeTerminator(const llvm::Instruction &I);
  uint32_t addEdge(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  void decodeArguments();
  void relocateConstants();

  // InterpreterValues.cpp: types, slots and constants.
  void flatten(llvm::Type *T, uint64_t Offset,
               llvm::SmallVectorImpl<Scalar> &Out);
  llvm::SmallVector<Scalar, 1> scalars(llvm::Type *T);
  Ty container(const llvm::Type *T);
  Slot allocate(Ty T);
  Slot scratch(Ty T);
  Slot constantRow(Ty T, llvm::ArrayRef<uint64_t> LanesLow, uint64_t High = 0);
  Slot constantInt(Ty T, uint64_t Value);
  void constantScalars(const llvm::Constant *C, Slots &Out);
  Slot constantAddress(const llvm::Constant *C);
  const Slots &slots(const llvm::Value *V);
  Slot slot(const llvm::Value *V, unsigned Index = 0) {
    return slots(V)[Index];
  }
  bool escapes(const llvm::Instruction &I);
  static bool renames(const llvm::Instruction &I);

  // InterpreterInstructions.cpp
  void decode(const llvm::Instruction &I);
  void decodeBinary(const llvm::BinaryOperator &I);
  void decodeCast(const llvm::CastInst &I);
  void decodeCompare(const llvm::CmpInst &I);
  void decodeGEP(const llvm::GetElementPtrInst &I);
  void decodeRenaming(const llvm::Instruction &I);
  void decodeBitCast(const llvm::Instruction &I);
  void decodeElement(const llvm::Instruction &I);
  void decodeLoad(const llvm::LoadInst &I);
  void decodeStore(const llvm::StoreInst &I);
  void decodeAtomic(const llvm::AtomicRMWInst &I);
  void decodeCmpXchg(const llvm::AtomicCmpXchgInst &I);
  /// \p Part: which of its memory records.
  void beginAccess(const llvm::Instruction &I, Slot Addresses,
                   unsigned Part = 0);
  void endAccess(const llvm::Instruction &I);
  Slot signExtended(Slot A, Ty T, unsigned Width);
  Slot index64(const llvm::Value *V);

  // InterpreterCalls.cpp
  void decodeCall(const llvm::CallInst &I);
  bool decodeGeneric(const llvm::CallInst &I);
  bool decodeIntegerCall(const llvm::CallInst &I);
  bool decodeFloatCall(const llvm::CallInst &I);
  bool decodeDevice(const llvm::CallInst &I, llvm::StringRef Name);
  bool decodeRegister(const llvm::CallInst &I, llvm::StringRef Name);
  bool decodeBarrier(const llvm::CallInst &I, llvm::StringRef Name);
  bool decodeCrossLane(const llvm::CallInst &I, llvm::StringRef Name);
  bool decodeMath(const llvm::CallInst &I, unsigned Result,
                  llvm::StringRef Name);
  bool decodePrint(const llvm::CallInst &I, const llvm::Function &Callee);
  bool decodeLibrary(const llvm::CallInst &I, llvm::StringRef Name);
  void signedPair(const llvm::CallInst &I, OpKind Kind, bool Signed, Slot D);

  // InterpreterMatrix.cpp
  bool decodeMatrix(const llvm::CallInst &I);
  bool decodeWarpGroup(const llvm::CallInst &I);
  bool decodeAsyncBarrier(const llvm::CallInst &I);
  void decodeBulk(const llvm::CallInst &I, const BulkOperation &O);
  Slot numberSlot(const llvm::Value *V);
  bool decodeAsyncCopy(const llvm::CallInst &I);
  bool decodePartCopy(const llvm::CallInst &I, const AsyncCopy &C);
  bool keepsRegister(const llvm::Instruction &I);
  std::optional<Slot> wholeRegister(const llvm::Value *Arg);
  Slot packRegisters(llvm::ArrayRef<const llvm::Value *> Args, Ty T);
  void unpackRegisters(const llvm::CallInst &I, llvm::ArrayRef<Slot> Row, Ty T);

  // InterpreterChecks.cpp
  void tell(HeddleCheckEvent Event, uint64_t Value);
  void tellCopies(uint64_t Left);
  void tellFence(const llvm::CallInst &I);
  void tellUses(const llvm::Instruction &I);
  void endUses();
  History historyOf(const llvm::Value *V);
  void followPhi(const llvm::PHINode &Phi);
  Flight tellSums(std::pair<Slot, Slot> Of, bool IsUse, Slot Adding);
  Slots showSums(const llvm::Value *V,
                 llvm::function_ref<Flight(std::pair<Slot, Slot>)> Tell);
  void renameHistory(const llvm::Instruction &I);
  void noteHistory(const llvm::CallInst &I,
                   llvm::ArrayRef<const llvm::Value *> C);
  void tellWritten(const llvm::Instruction &I);
  void tellRegisters(const llvm::CallInst &I, const GroupProduct &P);
  void findWrites(llvm::SmallVectorImpl<const llvm::Value *> &Found);
  void followSums();

  // InterpreterTexture.cpp
  bool decodeTexture(const llvm::CallInst &I);
  Slot packRows(llvm::ArrayRef<const llvm::Value *> Of, Ty T);
  void unpackRows(const llvm::CallInst &I, Slot Row);

  // Emission.
  void emit(OpKind Kind, Ty T, Slot D, Slot A = 0, Slot B = 0, Slot C = 0,
            uint64_t Imm = 0, Ty To = Ty::U8);
  void emitTo(std::vector<Op> &List, OpKind Kind, Ty T, Slot D, Slot A = 0,
              Slot B = 0, Slot C = 0, uint64_t Imm = 0, Ty To = Ty::U8);
  /// Where result \p Index of the current instruction is to be written.
  Slot define(const llvm::Instruction &I, unsigned Index, Ty T,
              bool WritesActiveLanesOnly = false);
  /// Brings the scratch results of the current instruction to their slots.
  void commit();
  void narrowTo(Ty T, Slot D, unsigned Width);
  void refuse(const std::string &What);

  const llvm::Function &Kernel;
  const llvm::DataLayout &DL;
  const GlobalAddresses &Globals;
  const EngineOptions &Options;
  const Core &C;
  KernelNumbering Numbering;
  KernelLayout Layout;
  /// --check: what was made of sums of wgmma without an instruction, with the
  /// slot that CheckProduct fills; what is written to registers of wgmma, with
  /// that of CheckWritten.
  llvm::DenseMap<const llvm::Value *, Slot> Sums;
  /// The instruction behind which CheckWritten fills a slot.
  llvm::DenseMap<Slot, const llvm::Instruction *> Writes;
  llvm::DenseMap<const llvm::Value *, History> Histories; ///< of Sums
  /// Of the operands of the current instruction that are in Sums.
  llvm::SmallVector<std::pair<const llvm::Value *, Slots>, 4> Used;

  DecodedKernel Out;
  llvm::DenseMap<const llvm::Value *, Slots> Values;
  llvm::DenseMap<const llvm::Instruction *, bool> Escaping;
  /// The first register of a matrix instruction's results.
  llvm::DenseMap<const llvm::Value *, Slot> Registers;
  std::map<std::tuple<unsigned, uint64_t, uint64_t>, Slot> ConstantSlots;
  struct PendingCopy {
    Ty T;
    Slot D, A;
  };
  llvm::SmallVector<PendingCopy, 4> Pending;
  Slot Next = 0;        ///< permanent slots
  Slot ScratchNext = 0; ///< offset in the scratch area, per block
  Slot ScratchEnd = 0;  ///< its size
  const llvm::Instruction *Current = nullptr;
  uint32_t CurrentInst = 0;
  std::string Problem; ///< the first one
};

} // namespace heddle::interp

#endif // HEDDLE_LIB_EXEC_INTERPRETERDECODER_H
