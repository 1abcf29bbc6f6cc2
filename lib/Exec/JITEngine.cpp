//===- JITEngine.cpp - WarpLowering and ORC -------------------------------===//

#include "HostCompiler.h"

#include "heddle/Exec/Engine.h"
#include "heddle/Exec/KernelLayout.h"
#include "heddle/Transforms/WarpLowering.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/KernelNumbering.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

namespace {

class JITEngine : public Engine {
public:
  JITEngine(std::unique_ptr<HostCode> Code, const HeddleWarpKernel &K)
      : Code(std::move(Code)), Info(K) {}
  const HeddleWarpKernel &kernel() const override { return Info; }

private:
  std::unique_ptr<HostCode> Code;
  HeddleWarpKernel Info;
};

} // namespace

Expected<std::unique_ptr<Engine>>
createJITEngine(const Function &Kernel, const GlobalAddresses &Globals,
                const EngineOptions &Options) {
  if (Options.OnCheck)
    return createStringError("checked execution needs the interpreter");
  KernelLayout Layout(Kernel);
  auto Target = createHostTarget(Options.MaxVectorBits);
  if (!Target)
    return Target.takeError();

  DenseMap<const Argument *, uint64_t> Params;
  for (const KernelLayout::Param &P : Layout.Params)
    Params[P.Arg] = P.Offset;
  WarpLoweringOptions Lowering;
  Lowering.Counters = Options.Counters;
  Lowering.OnBlock = Options.OnBlock;
  Lowering.OnMemory = Options.OnMemory;
  Lowering.ConcurrentBlocks = Options.ConcurrentBlocks;
  Lowering.BlockDim = Options.BlockDim;
  Lowering.SmallGrid = Options.SmallGrid;
  Lowering.OverlappingArguments = Options.OverlappingArguments;
  Lowering.Target = Target->get();
  Lowering.ParamOffset = [&](const Argument &A) { return Params.lookup(&A); };
  Lowering.LocalOffset = [&](const AllocaInst &A) {
    return Layout.Local.lookup(&A);
  };
  StringMap<uint64_t> Shared;
  for (auto [Variable, Offset] : Layout.Shared)
    Shared[Variable->getName()] = Offset;
  Lowering.GlobalAddress = [&](StringRef Name) {
    auto It = Shared.find(Name);
    return It != Shared.end() ? It->second : Globals.addressOf(Name);
  };
  Expected<LoweredWarp> Lowered = lowerToWarp(Kernel, Lowering);
  if (!Lowered)
    return Lowered.takeError();

  Expected<std::unique_ptr<HostCode>> Code =
      compileForHost(*Lowered->Module, **Target);
  if (!Code)
    return Code.takeError();
  Expected<void *> Run = (*Code)->find(Lowered->FunctionName);
  if (!Run)
    return Run.takeError();

  KernelNumbering Numbering(Kernel);
  HeddleWarpKernel Info = {};
  Info.Run = reinterpret_cast<HeddleWarpFunction>(*Run);
  Info.FrameBytes = Lowered->FrameBytes;
  Info.LocalBytes = Layout.LocalBytes;
  Info.StaticSharedBytes = Layout.StaticSharedBytes;
  Info.ParamBytes = Layout.ParamBytes;
  Info.NumBlocks = Numbering.numBlocks();
  Info.NumMemoryRecords = Numbering.memory().size();
  Info.HasGridBarrier = hasGridBarrier(Kernel);
  return std::make_unique<JITEngine>(std::move(*Code), Info);
}

} // namespace heddle
