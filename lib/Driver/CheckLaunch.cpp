//===- CheckLaunch.cpp - A launch under the checking interpreter ----------===//

#include "heddle/Driver/Checks.h"

#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Exec/BlockOrder.h"

#include "exec/GridRunner.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

/// Whether the value that \p Load yields only goes to other places.
static bool isOnlyCopied(const Instruction &Load) {
  return !Load.use_empty() && all_of(Load.uses(), [](const Use &U) {
    return isa<StoreInst>(U.getUser()) && U.getOperandNo() == 0;
  });
}

/// Whether an atomic of the kernel updates the very place that \p M reads.
static bool isUpdatedToo(const MemoryRecord &M) {
  return any_of(M.Pointer->users(), [&](const User *U) {
    const auto *Atomic = dyn_cast<Instruction>(U);
    return isa_and_nonnull<AtomicRMWInst, AtomicCmpXchgInst>(Atomic) &&
           Atomic->getFunction() == M.Inst->getFunction() &&
           Atomic->getOperand(0) == M.Pointer;
  });
}

/// Whether \p I loads or stores atomically, as cuda::atomic does.
static bool isAtomicAccess(const Instruction &I) {
  return isa<LoadInst, StoreInst>(I) && I.isAtomic();
}

/// Whether blocks can order their accesses to global memory.
static bool hasFences(const Function &Kernel) {
  return any_of(instructions(Kernel), [](const Instruction &I) {
    if (isa<FenceInst>(I) || I.isVolatile() || isAtomicAccess(I))
      return true;
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    StringRef Name = Call ? Intrinsic::getBaseName(Call->getIntrinsicID()) : "";
    return Name.starts_with("llvm.nvvm.membar.") ||
           Name.starts_with("llvm.nvvm.fence.");
  });
}

/// Of the record \p Number; those of the operation begin with \p First. Pieces
/// of any size are checked, whose alignment the operation checks itself.
static void describeBulk(const BulkOperation &O, uint32_t First,
                         uint32_t Number, exec::AccessSite &Site) {
  const bool Reduces = O.Shape.Kind == HEDDLE_BULK_REDUCE;
  const unsigned Source =
                     O.writesGlobal() ? HEDDLE_BULK_PLACE : HEDDLE_BULK_FROM,
                 Target =
                     O.writesGlobal() ? HEDDLE_BULK_FROM : HEDDLE_BULK_PLACE;
  Site.Align = 1;
  Site.IsCopied = Number == First + Source && !Reduces;
  if (Number != First + Target)
    return;
  Site.Atomic = Site.Reads = Site.ShowsOrder = Reduces;
  if (!Reduces)
    Site.CopyOf = First + Source;
}

static std::vector<exec::AccessSite> sitesOf(const Session &S) {
  std::vector<exec::AccessSite> Sites;
  for (const MemoryRecord &M : S.numbering().memory()) {
    exec::AccessSite Site;
    Site.Bytes = M.AccessBytes;
    const bool Updates = isa<AtomicRMWInst, AtomicCmpXchgInst>(M.Inst);
    Site.Atomic = Updates || isAtomicAccess(*M.Inst);
    Site.ShowsOrder = Updates && showsOrder(*M.Inst);
    Site.IsUsed = Updates && !M.Inst->use_empty();
    Site.Align = isa<LoadInst, StoreInst>(M.Inst)
                     ? getLoadStoreAlignment(M.Inst).value()
                     : M.AccessBytes;
    Site.Space = M.Space;
    Site.Writes = M.IsStore;
    Site.Reads = !M.IsStore || Updates;
    Site.Line = S.source().OfInst[S.numbering().number(M.Inst) - 1];
    // Atomic loads go with updates, and hide none of their own.
    Site.IsGuess =
        Site.Reads && !Updates && (isAtomicAccess(*M.Inst) || isUpdatedToo(M));
    Site.IsCopied = isa<LoadInst>(M.Inst) && isOnlyCopied(*M.Inst);
    if (const auto *Call = dyn_cast<CallBase>(M.Inst))
      Site.IsAsync = M.IsStore && asyncCopy(*Call);
    if (const auto *Call = dyn_cast<CallBase>(M.Inst);
        Call && matrixAccess(*Call)) {
      Site.IsMatrix = true;
      Site.Align = 16;
    }
    if (const auto *Call = dyn_cast<CallBase>(M.Inst))
      if (const auto Bulk = bulkOperation(*Call))
        describeBulk(*Bulk, S.numbering().memoryNumber(M.Inst),
                     uint32_t(Sites.size()), Site);
    if (const auto *Call = dyn_cast<CallBase>(M.Inst))
      if (const auto O = textureOperation(*Call)) {
        // Texels of textures have any size: their first byte is looked at.
        Site.Align = 1;
        Site.Bytes = O->isSurface() ? O->accessBytes() : 1;
      }
    if (const auto *Store = dyn_cast<StoreInst>(M.Inst))
      if (const auto *Load = dyn_cast<LoadInst>(Store->getValueOperand());
          Load && isOnlyCopied(*Load))
        Site.CopyOf = S.numbering().memoryNumber(Load);
    Sites.push_back(std::move(Site));
  }
  return Sites;
}

/// Blocks that wait for each other or share work; all run, whichever is asked
/// for.
static Expected<std::optional<exec::Fault>>
checkTogether(Session &S, const Engine &E, exec::Checker &Checker,
              std::string &Printed) {
  auto Made = expected(
      exec::GridRunner::create(E.kernel(), S.bound(), S.memory(), false));
  if (!Made)
    return Made.takeError();
  exec::GridRunner *Grid = Made->get();
  Grid->setOnMake([&](uint64_t Runner) {
    for (unsigned W = 0; W < S.bound().warpsPerBlock(); ++W)
      Grid->block(Runner).setObserver(W, &Checker);
    Grid->block(Runner).setOnBarrier([&Checker] { Checker.barrier(); });
  });
  Grid->setOnProceed([&](uint64_t Block) { Checker.resumeBlock(Block); });
  std::map<uint64_t, std::string> PrintedBy;
  Grid->setOnEnd([&](uint64_t Runner) {
    PrintedBy[Grid->block(Runner).index()] = Grid->block(Runner).printed();
  });
  exec::LaunchOptions InOrder;
  InOrder.MaxSteps = S.options().MaxSteps;
  const std::optional<exec::Fault> F = Grid->run(InOrder);
  for (const auto &[Block, Text] : PrintedBy)
    Printed += Text;
  return F;
}

static Expected<std::optional<exec::Fault>>
checkOneByOne(Session &S, const Engine &E, exec::Checker &Checker,
              std::optional<uint64_t> OnlyBlock, std::string &Printed) {
  const Clusters Shape = exec::clustersOf(S.bound());
  if (llvm::Error Failed = expected(S.memory().makeWindows(
          1, S.bound().SharedBytes, exec::localBytesPerBlock(S.bound()),
          Shape.blocksPerCluster())))
    return Failed;
  exec::ClusterOfBlocks Runner(E.kernel(), S.bound(), S.memory(), 0, false);
  for (unsigned Rank = 0; Rank < Runner.size(); ++Rank) {
    for (unsigned W = 0; W < S.bound().warpsPerBlock(); ++W)
      Runner.block(Rank).setObserver(W, &Checker);
    Runner.block(Rank).setOnBarrier([&Checker] { Checker.barrier(); });
  }
  Runner.runner().setOnProceed(
      [&Checker](uint64_t Block) { Checker.resumeBlock(Block); });

  exec::FaultGuard Guard;
  exec::SignalStack Stack;
  const uint64_t First = OnlyBlock ? Shape.clusterOf(*OnlyBlock) : 0;
  const uint64_t End = OnlyBlock ? First + 1 : Shape.count();
  for (uint64_t Cluster = First; Cluster < End; ++Cluster) {
    Checker.beginCluster(Shape.block(Cluster, 0));
    const std::optional<exec::Fault> F =
        Runner.run(Cluster, S.options().MaxSteps);
    for (unsigned Rank = 0; Rank < Runner.size(); ++Rank)
      if (Printed.size() < exec::MaxPrintedBytes)
        Printed += Runner.block(Rank).printed();
    if (F)
      return F;
  }
  return std::nullopt;
}

static std::set<std::string>
namesOf(const std::set<const exec::DeviceBuffer *> &Buffers) {
  std::set<std::string> Names;
  for (const exec::DeviceBuffer *B : Buffers)
    Names.insert(B->Name);
  return Names;
}

Expected<CheckedLaunch> inspectLaunch(Session &S,
                                      std::optional<uint64_t> OnlyBlock) {
  EngineOptions Hooks;
  Hooks.OnCheck = exec::Checker::onAccess;
  Expected<std::unique_ptr<Engine>> E = S.makeEngine(Hooks);
  if (!E)
    return E.takeError();
  exec::Checker Checker(S.memory(), S.bound(), sitesOf(S), S.source(),
                        exec::blocksMeet((*E)->kernel(), S.bound()) ||
                            hasFences(S.kernel()));
  CheckedLaunch Out;
  auto F = exec::blocksMeet((*E)->kernel(), S.bound())
               ? checkTogether(S, **E, Checker, Out.Printed)
               : checkOneByOne(S, **E, Checker, OnlyBlock, Out.Printed);
  if (!F)
    return F.takeError();
  Out.Printed.resize(
      std::min<size_t>(Out.Printed.size(), exec::MaxPrintedBytes));
  for (const exec::Checker::Finding &Found : Checker.findings())
    (Found.What == exec::Checker::BlockOrder ? Out.Orders : Out.Findings)
        .push_back({Found.What == exec::Checker::BlockRace ||
                            (Found.What == exec::Checker::BlockOrder &&
                             !Checker.isUsed(Found))
                        ? Found.Buffer
                        : "",
                    Found.line()});
  if (*F)
    Out.Findings.push_back(
        {"", exec::describe(**F, S.bound(), S.memory(), S.source(),
                            S.options().MaxSteps)});
  Out.Read = namesOf(Checker.read());
  Out.Written = namesOf(Checker.written());
  Out.IsPartial = Checker.isFull();
  return Out;
}

Expected<std::vector<std::string>>
checkLaunch(Session &S, std::optional<uint64_t> OnlyBlock) {
  Expected<CheckedLaunch> Checked = inspectLaunch(S, OnlyBlock);
  if (!Checked)
    return Checked.takeError();
  std::vector<std::string> Lines;
  for (const CheckedLaunch::Finding &F : Checked->Findings)
    Lines.push_back(F.Text);
  return Lines;
}

std::string Session::message(const exec::Fault &F, const exec::SourceMap *Of) {
  if (F.What == exec::Fault::Memory) {
    auto Found = checkLaunch(*this, F.Block);
    if (!Found)
      return toString(Found.takeError());
    if (!Found->empty())
      return Found->front();
  }
  return exec::describe(F, Bound, *In->Memory, Of ? *Of : Prepared->Source,
                        Options.MaxSteps);
}

} // namespace heddle
