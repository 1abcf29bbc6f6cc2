//===- WarpBuilder.h - Writes the host function of a warp -------*- C++ -*-===//
//
// One object lowers one kernel. A value of the kernel becomes parts in the host
// function (see Shape): one scalar, a scalar for each segment, or a vector of
// 32 for each scalar component of its type. Values that cross blocks live in
// allocas
// ("slots"), which mem2reg turns into SSA values afterwards; at a barrier the
// live ones go through HeddleWarp::Frame.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_WARPBUILDER_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_WARPBUILDER_H

#include "KernelClone.h"
#include "LaneLoops.h"
#include "LaneShapes.h"
#include "SpecialRegisters.h"

#include "heddle/Transforms/WarpLowering.h"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class IntrinsicInst;
}

namespace heddle {
struct BulkOperation;
struct MatrixAccess;
struct MatrixProduct;

using Parts = llvm::SmallVector<llvm::Value *, 4>;

class WarpBuilder {
public:
  WarpBuilder(const KernelClone &Clone, const LaneShapes &Shapes,
              const WarpGeometry &Geometry, const LaunchRanges &Ranges,
              const LaneLoops *Loops, const WarpLoweringOptions &Options,
              llvm::Module &Host);

  /// Writes the function; returns FrameBytes.
  llvm::Expected<uint64_t> run(llvm::StringRef Name);
  const llvm::StringMap<const void *> &hostFunctions() const {
    return HostFunctions;
  }

private:
  // WarpBuilder.cpp: frame of the function, slots, blocks.
  void createFunction(llvm::StringRef Name);
  void createSlots();
  void createSlot(llvm::Instruction &I);
  void lowerBlock(llvm::BasicBlock &Block);
  void lower(llvm::Instruction &I);
  void countBlock(const llvm::BasicBlock &Block);
  void fail(const llvm::Instruction &I, const llvm::Twine &Reason);
  llvm::AllocaInst *entryAlloca(llvm::Type *Ty, const llvm::Twine &Name,
                                unsigned Align = 0);
  llvm::Value *field(size_t Offset);
  void setField(size_t Offset, llvm::Value *V);
  llvm::Value *loadField(size_t Offset, llvm::Type *Ty);

  // Values.cpp: the parts of values.
  llvm::Type *hostType(llvm::Type *Ty);
  llvm::FixedVectorType *lanesOf(llvm::Type *Leaf);
  /// The scalar components of a type, in memory order, with byte offsets.
  struct Leaf {
    llvm::Type *Ty; ///< host type
    uint64_t Offset;
    llvm::SmallVector<unsigned, 2> Path;
  };
  llvm::SmallVector<Leaf, 4> leavesOf(llvm::Type *Ty);
  Shape shape(const llvm::Value *V) const {
    return Single ? Shape{Shape::Uniform, 0} : Shapes.of(V);
  }
  bool isUniform(const llvm::Value *V) const {
    return shape(V).Kind == Shape::Uniform;
  }
  Parts parts(llvm::Value *V);
  llvm::Value *scalar(llvm::Value *V);
  /// The base of each segment; for Uniform values all the same.
  Parts bases(llvm::Value *V);
  llvm::Value *lanes(llvm::Value *V, unsigned LeafIndex = 0);
  Parts allLanes(llvm::Value *V);
  void set(llvm::Instruction &I, Parts P);
  void setLanes(llvm::Instruction &I, llvm::Value *V) { set(I, Parts{V}); }
  llvm::Value *hostConstant(llvm::Constant *C);
  llvm::Value *splat(llvm::Value *V);
  llvm::Constant *laneIndices(llvm::Type *IntTy, int64_t Stride);
  llvm::Value *affineLanes(llvm::ArrayRef<llvm::Value *> Bases, int64_t Stride);
  llvm::Value *component(llvm::Value *Aggregate, llvm::Type *Ty,
                         llvm::ArrayRef<unsigned> Path);
  llvm::Value *maskLanes(llvm::Value *Mask);
  llvm::Value *bitsOf(llvm::Value *LanesOfBool);
  llvm::Value *firstLane(llvm::Value *Lanes);
  void storeSlot(const llvm::Value *V, llvm::ArrayRef<llvm::Value *> P,
                 llvm::Value *BlendMask);

  // Control.cpp: edges, branches, barriers, ends.
  struct EdgeWrite {
    llvm::PHINode *Phi;
    Parts Incoming;
  };
  using EdgeWrites = llvm::SmallVector<EdgeWrite, 4>;
  void collectEdge(llvm::BasicBlock *From, llvm::BasicBlock *To,
                   EdgeWrites &Out);
  void writeEdge(const EdgeWrites &Writes, llvm::Value *Mask);
  void jump(llvm::BasicBlock *From, llvm::BasicBlock *To);
  void popWaiting(llvm::BasicBlock *From, llvm::BasicBlock *Join);
  llvm::BasicBlock *resumed(const DivergentBranch &D);
  void goOnBehind(llvm::BasicBlock *Return, llvm::BasicBlock *Join,
                  llvm::Value *Exited);
  void lowerBranch(llvm::BranchInst &Br);
  void lowerDivergentBranch(llvm::BranchInst &Br, const DivergentBranch &D);
  void pushWaiting(const DivergentBranch &D, llvm::Value *True,
                   llvm::Value *False);
  void lowerReturn(llvm::BasicBlock *From);
  void returnStatus(HeddleWarpStatus Status);
  void failAtRunTime(HeddleWarpError Error, const llvm::Instruction *At);
  void lowerBarrier(llvm::CallInst &I);
  void copySlot(llvm::AllocaInst *Slot, uint64_t FrameOffset, bool Save);
  void placeState();
  void lowerPoll();
  void lowerTurn();
  void leaveAndResume(HeddleWarpStatus Status);
  void computeLiveness();

  // SingleLane.cpp: loops that run for one lane at a time.
  using LanePicker = std::function<llvm::Value *(llvm::Value *Lane)>;
  struct LaneSink {
    llvm::PHINode *Phi;
    llvm::SmallVector<llvm::AllocaInst *, 1> Places;
  };
  using BlockMap = llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *>;
  using SlotMap = llvm::DenseMap<const llvm::Value *,
                                 llvm::SmallVector<llvm::AllocaInst *, 4>>;
  /// A body of a loop for one lane, in whose code every value is a scalar.
  struct LaneBody {
    llvm::AllocaInst *Lane = nullptr, *Steps = nullptr;
    SlotMap Slots;
    BlockMap Blocks;
    llvm::BasicBlock *Left = nullptr; ///< where a lane goes that has left
    /// Where control goes after a round; null: to the next round.
    llvm::BasicBlock *Next = nullptr;
  };
  struct LaneLoopState {
    const LaneLoop &Loop;
    llvm::SmallVector<std::pair<llvm::Instruction *, LanePicker>, 8> LiveIns;
    llvm::SmallVector<LaneSink, 4> Sinks;
    llvm::Value *Steps;                 ///< at the start of each lane
    llvm::AllocaInst *Waiting, *Fewest; ///< lanes to come; steps left by any
  };
  struct SingleLane {
    const LaneLoopState &State;
    const LaneBody &Body;
    llvm::Value *Guard = nullptr; ///< null: all accesses take place
    llvm::SmallPtrSet<const llvm::BasicBlock *, 4> Merged{};
  };
  LanePicker pickLane(llvm::Value *V);
  LaneSink makeLaneSink(llvm::PHINode &Phi);
  void drainLaneSink(const LaneSink &Sink);
  LaneBody makeLaneBody(const LaneLoopState &State);
  void takeLane(const LaneLoopState &State, const LaneBody &Body);
  void handOver(const LaneLoopState &State, const LaneBody &From,
                const LaneBody &To);
  void lowerLaneBody(const LaneLoopState &State, const LaneBody &Body);
  void leaveLaneLoop(llvm::BasicBlock *From);
  llvm::Value *isAnyWaiting(const LaneLoopState &State);
  void runLanes(const LaneLoopState &State, llvm::BasicBlock *Done);
  void runLanesInTurns(const LaneLoopState &State, llvm::BasicBlock *Done);
  void lowerLaneLoop(const LaneLoop &L);

  // GuardedBlocks.cpp: short branches of a lone lane without a jump.
  bool isGuardable(const llvm::BasicBlock *From, const llvm::BasicBlock *Side,
                   const llvm::BasicBlock *Join) const;
  bool lowerGuarded(llvm::BranchInst &Br);
  llvm::Value *guarded(llvm::Value *Pointer, llvm::Type *Ty);
  llvm::Value *unpredictable(llvm::Value *Guard, llvm::Value *True,
                             llvm::Value *False);

  // Arithmetic.cpp: operations on one lane at a time.
  void lowerElementwise(llvm::Instruction &I);
  llvm::Value *apply(llvm::Instruction &I, llvm::ArrayRef<llvm::Value *> Ops,
                     llvm::Type *ResultTy);
  llvm::Value *convertToInteger(const llvm::Instruction &I, llvm::Value *V,
                                llvm::Type *ResultTy);
  llvm::Value *divide(llvm::Instruction &I, llvm::Value *A, llvm::Value *B);
  llvm::Value *shift(llvm::Instruction &I, llvm::Value *A, llvm::Value *B);
  void lowerAffine(llvm::Instruction &I);
  void lowerGEP(llvm::GetElementPtrInst &I);
  void lowerSelect(llvm::SelectInst &I);
  void lowerBitCast(llvm::BitCastInst &I);
  bool lowerAggregate(llvm::Instruction &I);

  // Memory.cpp, Atomics.cpp, Counters.cpp.
  void lowerLoad(llvm::LoadInst &I);
  void lowerStore(llvm::StoreInst &I);
  llvm::Value *loadLanes(llvm::Value *Pointer, const Leaf &L, llvm::Align A);
  llvm::Value *loadRows(llvm::ArrayRef<llvm::Value *> Bases, llvm::Type *Ty,
                        llvm::Align A);
  void storeRows(llvm::ArrayRef<llvm::Value *> Bases, llvm::Value *V,
                 llvm::Align A);
  /// Lanes that access neighbouring elements where Fits.
  struct RowsIf {
    llvm::Value *Fits, *Pointers;
    Parts Bases;
  };
  std::optional<RowsIf> rowsIfSo(llvm::Value *Pointer, const Leaf &L);
  RowsIf rowsByAddress(llvm::Value *Pointers, int64_t Size);
  llvm::Value *gather(llvm::Value *Pointers, llvm::Type *Ty, llvm::Align A);
  void storeLanes(llvm::Value *Pointer, const Leaf &L, llvm::Value *V,
                  llvm::Align A);
  void scatter(llvm::Value *V, llvm::Value *Pointers, llvm::Align A);
  bool isContiguous(llvm::Value *Pointer, const Leaf &L) const;
  llvm::Value *segment(llvm::Value *V, unsigned S);
  llvm::Value *joinSegments(llvm::ArrayRef<llvm::Value *> Segments);
  llvm::Value *anyActivePointer(llvm::ArrayRef<llvm::Value *> Bases,
                                unsigned S);
  bool isShared(const llvm::Instruction &Atomic) const;
  /// Calls \p Body with the number of each active lane, in order.
  void forEachLane(llvm::function_ref<void(llvm::Value *Lane)> Body);
  llvm::AllocaInst *spillLanes(llvm::Value *V);
  llvm::Value *reloadLanes(llvm::AllocaInst *Array);
  llvm::Value *laneSlot(llvm::AllocaInst *Array, llvm::Value *Lane);
  void lowerAtomic(llvm::Instruction &I);
  void observeAccess(llvm::Instruction &I);
  void countAccess(llvm::Instruction &I, unsigned Record);
  static const llvm::Value *getPointerOperandOf(const llvm::Instruction &I);
  llvm::Value *countGroups(llvm::Value *Bits, unsigned Lanes);
  llvm::Function *scatteredCounter(bool Banks);
  llvm::Value *counterVector(llvm::ArrayRef<llvm::Value *> Amounts);
  std::pair<llvm::Value *, llvm::Value *>
  countRow(llvm::Value *Base, llvm::Value *Lanes, unsigned Bytes);
  void eitherWay(llvm::Value *Fast, llvm::function_ref<void()> Quick,
                 llvm::function_ref<void()> Slow);
  llvm::Value *rowsAvoidConflicts(llvm::Value *Pointer, bool Rows);
  llvm::Value *addressArray(llvm::Value *Pointer);
  llvm::Value *counterRow(llvm::Value *Base, unsigned Row, unsigned Columns);
  void addCounter(llvm::Value *Pointer, llvm::Value *Amount);
  llvm::Instruction *userAccess(llvm::Instruction *I);

  // Calls.cpp, CrossLane.cpp.
  void lowerCall(llvm::CallInst &I);
  bool lowerNothing(llvm::CallInst &I, llvm::StringRef Name);
  bool lowerSpecialRegister(llvm::CallInst &I);
  bool lowerInlineIntrinsic(llvm::CallInst &I, llvm::StringRef Name);
  bool lowerOverflowIntrinsic(llvm::CallInst &I);
  /// Calls the function of DeviceMath.h called \p Name; false if there is none.
  bool lowerPrint(llvm::CallInst &I, const llvm::Function &Callee);
  bool lowerMath(llvm::Instruction &I, llvm::ArrayRef<llvm::Value *> Args,
                 llvm::StringRef Name);
  bool lowerCrossLane(llvm::CallInst &I, llvm::StringRef Name);
  void lowerShuffle(llvm::CallInst &I, llvm::StringRef Name);
  void lowerVote(llvm::CallInst &I, llvm::StringRef Name);
  void lowerMatch(llvm::CallInst &I, llvm::StringRef Name);
  bool lowerReduction(llvm::CallInst &I, llvm::StringRef Name);
  llvm::Value *membersOf(llvm::Value *Members);

  // Matrices.cpp
  bool lowerMatrix(llvm::CallInst &I);
  bool lowerAsyncCopy(llvm::CallInst &I);
  // Textures.cpp
  bool lowerTexture(llvm::CallInst &I);
  llvm::AllocaInst *spillRows(llvm::ArrayRef<const llvm::Value *> Of,
                              llvm::Type *Element);
  Parts reloadRows(llvm::Type *Ty, llvm::AllocaInst *Rows);
  // WarpGroups.cpp
  bool lowerWarpGroup(llvm::CallInst &I);
  void failIfEqual(llvm::Value *Error, HeddleWarpError With, llvm::CallInst &I);
  // AsyncBarriers.cpp
  bool lowerClusterAddress(llvm::CallInst &I);
  llvm::Value *mapAddress(llvm::Value *Address, llvm::Value *Rank);
  llvm::Value *rankOf(llvm::Value *Address);
  bool lowerAsyncBarrier(llvm::CallInst &I);
  void lowerBulk(llvm::CallInst &I, const BulkOperation &O);
  llvm::Value *numberArray(const llvm::Value *V);
  void failIfAny(llvm::Value *Lanes, llvm::CallInst &I,
                 HeddleWarpError With = HEDDLE_ERROR_MBARRIER);
  void observeLanes(unsigned Record, llvm::Value *Addresses,
                    llvm::Value *Active);
  void observeSome(unsigned Record, llvm::Value *Addresses,
                   llvm::Value *Active);
  void requireWholeWarp(llvm::CallInst &I);
  void lowerMatrixProduct(llvm::CallInst &I, const MatrixProduct &P);
  void lowerMatrixAccess(llvm::CallInst &I, const MatrixAccess &A);
  llvm::Value *matrixAddresses(const MatrixAccess &A);
  llvm::AllocaInst *spillRegisters(llvm::ArrayRef<llvm::Value *> Values,
                                   llvm::Type *Element);
  Parts reloadRegisters(llvm::Type *Ty, llvm::AllocaInst *Array,
                        llvm::Type *Element);

  llvm::Constant *laneConstants(llvm::function_ref<uint32_t(unsigned)> Of);
  llvm::Value *permute(llvm::Value *V, llvm::Value *Indices);
  /// A function of the host by a name that says what it does.
  struct HostFunction {
    std::string Name;
    const void *Address;
  };
  template <typename F>
  static HostFunction hostFunction(std::string Name, F *Function) {
    return {std::move(Name), reinterpret_cast<const void *>(Function)};
  }
  llvm::Value *callHost(const HostFunction &Function, llvm::Type *ResultTy,
                        llvm::ArrayRef<llvm::Value *> Args);

  const KernelClone &Clone;
  const LaneShapes &Shapes;
  const Reconvergence &Flow;
  const WarpGeometry &Geometry;
  const LaunchRanges &Ranges;
  const LaneLoops *Loops; ///< null: none
  const WarpLoweringOptions &Options;
  llvm::Module &Host;
  llvm::LLVMContext &Ctx;
  const llvm::DataLayout &DL; ///< of the host
  llvm::IRBuilder<> B;
  llvm::Type *I1, *I8, *I16, *I32, *I64, *Ptr;

  llvm::StringMap<const void *> HostFunctions; ///< that are called, by name
  llvm::Function *Fn = nullptr;
  llvm::Function *LineCounter = nullptr, *BankCounter = nullptr;
  llvm::Value *Warp = nullptr;
  llvm::BasicBlock *Entry =
      nullptr; ///< allocas and values for all of the function
  llvm::BasicBlock *Setup = nullptr; ///< where Entry's code goes on
  llvm::SwitchInst *Resume = nullptr;
  llvm::AllocaInst *MaskSlot = nullptr, *ExitedSlot = nullptr,
                   *StepsSlot = nullptr, *PollsSlot = nullptr;
  llvm::Value *LiveMask, *Params, *Shared, *Local, *LocalStride, *Frame,
      *BlockCounters, *MemoryCounters;
  llvm::MDNode *CounterScope = nullptr; ///< list with the scope of counters
  bool HasScatter = false;
  bool Narrow = false; ///< vectors of 256 bits although there are wider ones

  BlockMap Blocks;
  const llvm::BasicBlock *Lowered = nullptr; ///< of the kernel
  SlotMap Slots;
  llvm::DenseMap<const llvm::Value *, uint64_t> FrameOffsets;
  uint64_t FrameBytes = 0;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<llvm::Instruction *>>
      LiveIn; ///< for the blocks after barriers
  /// Where loops begin that poll or take work from a counter, and all that
  /// lanes may need after that, with its place in the frame.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> Polling;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> TakingTurns;
  llvm::SmallVector<std::pair<llvm::AllocaInst *, uint64_t>, 0> State;
  llvm::DenseMap<const llvm::Value *, Parts> Current; ///< known in this block
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Arguments;
  llvm::StringMap<Parts> Registers; ///< special registers read at entry

  /// Waiting lanes of each join and of each FALSE side.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> JoinMasks;
  llvm::DenseMap<const DivergentBranch *, llvm::AllocaInst *> FalseMasks;
  struct Stack {
    llvm::AllocaInst *Masks, *Targets, *Depth;
  };
  llvm::DenseMap<const JoinGroup *, Stack> Stacks;

  llvm::Value *Mask = nullptr;       ///< active lanes of the current block
  llvm::Value *MaskVector = nullptr; ///< the same as <32 x i1>
  SingleLane *Single = nullptr;      ///< null: all lanes in lockstep
  std::optional<std::string> Failure;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_WARPBUILDER_H
