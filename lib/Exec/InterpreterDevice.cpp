//===- InterpreterDevice.cpp - Registers, barriers, lanes -----------------===//

#include "InterpreterDecoder.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/ClusterRegisters.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

#include <cstddef>

using namespace llvm;

namespace heddle::interp {

/// Byte offset of the vector register \p Name ("tid", "ctaid", ...) in the
/// state of a warp.
static std::optional<size_t> vectorRegister(StringRef Name) {
  return StringSwitch<std::optional<size_t>>(Name)
      .Case("ctaid", offsetof(HeddleWarp, BlockIdx))
      .Case("nctaid", offsetof(HeddleWarp, GridDim))
      .Case("ntid", offsetof(HeddleWarp, BlockDim))
      .Case("globaloffset", offsetof(HeddleWarp, GlobalOffset))
      .Default(std::nullopt);
}

bool Decoder::decodeRegister(const CallInst &I, StringRef Name) {
  auto PerLane = [&](auto Value) {
    uint64_t Lanes[32];
    for (unsigned L = 0; L < 32; ++L)
      Lanes[L] = uint32_t(Value(L));
    Values[&I].assign(1, constantRow(Ty::U32, Lanes));
    return true;
  };
  auto Everywhere = [&](size_t Offset) {
    emit(OpKind::Broadcast, Ty::U32, define(I, 0, Ty::U32), 0, 0, 0, Offset);
    return true;
  };
  if (std::optional<size_t> Offset = clusterRegister(Name))
    return Everywhere(*Offset);
  auto [Vector, Axis] = Name.rsplit('.');
  if (Axis.size() == 1 && Axis[0] >= 'w' && Axis[0] <= 'z') {
    if (Axis == "w") // the fourth component is always zero
      return PerLane([](unsigned) { return 0; });
    unsigned At = Axis[0] - 'x';
    if (Vector == "tid") {
      size_t Rows[] = {offsetof(HeddleWarp, TidX), offsetof(HeddleWarp, TidY),
                       offsetof(HeddleWarp, TidZ)};
      emit(OpKind::LaneRow, Ty::U32, define(I, 0, Ty::U32), 0, 0, 0, Rows[At]);
      return true;
    }
    if (std::optional<size_t> Offset = vectorRegister(Vector))
      return Everywhere(*Offset + At * sizeof(uint32_t));
  }
  if (Name == "laneid")
    return PerLane([](unsigned L) { return L; });
  if (Name == "lanemask.eq")
    return PerLane([](unsigned L) { return 1u << L; });
  if (Name == "lanemask.lt")
    return PerLane([](unsigned L) { return (1u << L) - 1; });
  if (Name == "lanemask.le")
    return PerLane([](unsigned L) { return (2ull << L) - 1; });
  if (Name == "lanemask.gt")
    return PerLane([](unsigned L) { return ~((2ull << L) - 1); });
  if (Name == "lanemask.ge")
    return PerLane([](unsigned L) { return ~((1u << L) - 1); });
  if (Name == "warpsize")
    return PerLane([](unsigned) { return 32; });
  if (Name == "warpid")
    return Everywhere(offsetof(HeddleWarp, WarpInBlock));
  if (Name == "workdim")
    return Everywhere(offsetof(HeddleWarp, WorkDim));
  if (Name == "dynamic.smem.size" || Name == "dynamic_smem_size")
    return Everywhere(offsetof(HeddleWarp, DynamicSharedBytes));
  if (Name == "total_smem_size")
    return Everywhere(offsetof(HeddleWarp, SharedBytes));
  // One processor that runs everything, one block at a time.
  if (Name == "smid" || Name == "gridid" || Name.starts_with("envreg"))
    return PerLane([](unsigned) { return 0; });
  if (Name == "nwarpid")
    return PerLane([](unsigned) { return HEDDLE_NWARPID; });
  if (Name == "nsmid")
    return PerLane([](unsigned) { return 1; });
  if (Name == "clock" || Name == "clock64" || Name == "globaltimer") {
    Ty T = container(I.getType());
    Slot D = define(I, 0, T);
    Slot Steps = T == Ty::U64 ? D : scratch(Ty::U64);
    emit(OpKind::Steps, Ty::U64, Steps);
    if (T != Ty::U64)
      emit(OpKind::TruncInt, Ty::U64, D, Steps, 0, 0, 0, T);
    return true;
  }
  return false;
}

/// barrier.cta.{sync,arrive,red.OP}.[aligned.]{all,count}(id[, threads][,
/// pred])
bool Decoder::decodeBarrier(const CallInst &I, StringRef Name) {
  if (isClusterBarrier(I)) {
    emit(OpKind::BarrierSync, Ty::U8, 0, 0, 0, 0,
         isClusterArrive(I) ? HEDDLE_BARRIER_CLUSTER_ARRIVE
                            : HEDDLE_BARRIER_CLUSTER_WAIT);
    return true;
  }
  if (!Name.consume_front("barrier.cta."))
    return false;
  uint64_t Flags = BarrierHasId;
  if (Name.consume_front("arrive."))
    Flags |= HEDDLE_BARRIER_ARRIVE;
  else if (Name.consume_front("red.popc."))
    Flags |= uint64_t(HEDDLE_BARRIER_POPC) | BarrierHasValue;
  else if (Name.consume_front("red.and."))
    Flags |= uint64_t(HEDDLE_BARRIER_AND) | BarrierHasValue;
  else if (Name.consume_front("red.or."))
    Flags |= uint64_t(HEDDLE_BARRIER_OR) | BarrierHasValue;
  else if (!Name.consume_front("sync."))
    return false;
  Name.consume_front("aligned.");
  Slot Id = slot(I.getArgOperand(0)), Threads = 0, Predicate = 0;
  if (Name == "count") {
    Flags |= BarrierHasThreads;
    Threads = slot(I.getArgOperand(1));
  } else if (Name != "all") {
    return false;
  }
  if (Flags & BarrierHasValue)
    Predicate = slot(I.getArgOperand(I.arg_size() - 1));
  emit(OpKind::BarrierSync, Ty::U8, 0, Id, Threads, Predicate, Flags);
  if (!I.getType()->isVoidTy()) {
    Ty T = container(I.getType());
    emit(OpKind::BarrierValue, T, define(I, 0, T));
  }
  return true;
}

bool Decoder::decodeCrossLane(const CallInst &I, StringRef Name) {
  SmallVector<StringRef, 6> Parts;
  Name.split(Parts, '.');
  bool Sync = Parts.size() > 1 && is_contained(Parts, "sync");
  auto Arg = [&](unsigned N) { return slot(I.getArgOperand(N)); };
  Slot Everyone = constantInt(Ty::U32, ~0u);
  if (Parts[0] == "shfl") {
    StringRef Mode = Parts[Sync ? 2 : 1];
    unsigned At = StringSwitch<unsigned>(Mode)
                      .Case("idx", 0)
                      .Case("up", 1)
                      .Case("down", 2)
                      .Case("bfly", 3)
                      .Default(4);
    if (At == 4)
      return false;
    Slot A = Arg(Sync), B = Arg(Sync + 1), C = Arg(Sync + 2);
    emit(OpKind(unsigned(OpKind::ShflIdx) + At), Ty::U32, define(I, 0, Ty::U32),
         A, B, C);
    if (I.getType()->isStructTy())
      emit(OpKind(unsigned(OpKind::ShflIdxPred) + At), Ty::U32,
           define(I, 1, Ty::U8), A, B, C);
    return true;
  }
  if (Parts[0] == "vote") {
    Slot Members = Sync ? Arg(0) : Everyone, Predicate = Arg(Sync);
    StringRef Mode = Parts[1];
    if (Mode == "ballot") {
      emit(OpKind::Ballot, Ty::U32, define(I, 0, Ty::U32), Members, Predicate);
      return true;
    }
    OpKind Kind = Mode == "any"   ? OpKind::VoteAny
                  : Mode == "all" ? OpKind::VoteAll
                                  : OpKind::VoteUni;
    emit(Kind, Ty::U8, define(I, 0, Ty::U8), Members, Predicate);
    return true;
  }
  if (Parts[0] == "match") {
    Ty T = container(I.getArgOperand(1)->getType());
    Slot Members = Arg(0), V = Arg(1);
    bool All = Parts[1] == "all";
    emit(All ? OpKind::MatchAll : OpKind::MatchAny, T, define(I, 0, Ty::U32),
         Members, V);
    if (I.getType()->isStructTy())
      emit(OpKind::MatchAllPred, T, define(I, 1, Ty::U8), Members, V);
    return true;
  }
  if (Parts[0] == "redux" && Parts.size() >= 3) {
    std::optional<OpKind> Kind = StringSwitch<std::optional<OpKind>>(Parts[2])
                                     .Case("add", OpKind::ReduceAdd)
                                     .Case("and", OpKind::ReduceAnd)
                                     .Case("or", OpKind::ReduceOr)
                                     .Case("xor", OpKind::ReduceXor)
                                     .Case("max", OpKind::ReduceMax)
                                     .Case("min", OpKind::ReduceMin)
                                     .Case("umax", OpKind::ReduceUMax)
                                     .Case("umin", OpKind::ReduceUMin)
                                     .Default(std::nullopt);
    if (!Kind)
      return false;
    Slot V = Arg(0), Members = Arg(1);
    emit(*Kind, Ty::U32, define(I, 0, Ty::U32), Members, V);
    return true;
  }
  if (Parts[0] == "elect") {
    Slot Members = Arg(0);
    emit(OpKind::Elect, Ty::U32, define(I, 0, Ty::U32), Members);
    emit(OpKind::ElectPred, Ty::U32, define(I, 1, Ty::U8), Members);
    return true;
  }
  return false;
}

/// llvm.nvvm.* that need the warp, and heddle.special.*.
bool Decoder::decodeDevice(const CallInst &I, StringRef Name) {
  if (Name.consume_front("heddle.special."))
    return decodeRegister(I, Name);
  if (isGridBarrier(I)) {
    emit(OpKind::BarrierSync, Ty::U8, 0, 0, 0, 0, HEDDLE_BARRIER_GRID);
    return true;
  }
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  if (Name.consume_front("read.ptx.sreg."))
    return decodeRegister(I, Name);
  // Lanes of a warp run in step and blocks in order: nothing to wait for.
  if (Name.starts_with("membar.") || Name.starts_with("fence.") ||
      Name == "bar.warp.sync" || Name == "nanosleep" ||
      Name.starts_with("griddepcontrol.")) {
    tellFence(I);
    return true;
  }
  if (Name == "activemask") {
    emit(OpKind::ActiveMask, Ty::U32, define(I, 0, Ty::U32));
    return true;
  }
  if (Name == "exit") {
    emit(OpKind::Exit, Ty::U8, 0);
    return true;
  }
  if (Name == "mapa" || Name == "mapa.shared.cluster") {
    const Slot A = slot(I.getArgOperand(0)), Rank = slot(I.getArgOperand(1));
    emit(OpKind::MapAddress, Ty::U64, define(I, 0, Ty::U64), A, Rank);
    return true;
  }
  if (Name == "getctarank" || Name == "getctarank.shared.cluster" ||
      Name == "isspacep.shared") {
    const Slot A = slot(I.getArgOperand(0));
    const bool Asks = Name == "isspacep.shared";
    emit(OpKind::RankOf, Ty::U64, define(I, 0, Asks ? Ty::U8 : Ty::U32), A, 0,
         0, Asks);
    return true;
  }
  if (Name == "is_explicit_cluster") {
    const Slot Flag = scratch(Ty::U32);
    emit(OpKind::Broadcast, Ty::U32, Flag, 0, 0, 0,
         offsetof(HeddleWarp, ExplicitCluster));
    emit(OpKind::TruncInt, Ty::U32, define(I, 0, Ty::U8), Flag, 0, 0, 0,
         Ty::U8);
    return true;
  }
  if (Name.consume_front("isspacep.")) {
    HeddleMemorySpace Space = StringSwitch<HeddleMemorySpace>(Name)
                                  .Case("global", HEDDLE_SPACE_GLOBAL)
                                  .Case("shared.cluster", HEDDLE_SPACE_SHARED)
                                  .Case("local", HEDDLE_SPACE_LOCAL)
                                  .Default(HEDDLE_SPACE_CONST);
    Slot A = slot(I.getArgOperand(0));
    emit(OpKind::InSpace, Ty::U64, define(I, 0, Ty::U8), A, 0, 0, Space);
    return true;
  }
  return decodeBarrier(I, Name) || decodeCrossLane(I, Name);
}

} // namespace heddle::interp
