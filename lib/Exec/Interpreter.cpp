//===- Interpreter.cpp - The reference engine -----------------------------===//

#include "InterpreterDecoder.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/PollingLoops.h"
#include "heddle/Analysis/WorkLoops.h"

namespace heddle {

using namespace interp;

namespace interp {

const Core &bestCore() {
  if (__builtin_cpu_supports("x86-64-v4"))
    return avx512Core();
  return __builtin_cpu_supports("x86-64-v3") ? avx2Core() : baselineCore();
}

} // namespace interp

namespace {
class Interpreter : public Engine {
public:
  Interpreter(DecodedKernel Decoded, const KernelLayout &Layout,
              const KernelNumbering &Numbering, const EngineOptions &Options,
              const Core &C)
      : Code(std::move(Decoded)) {
    P.Ops = Code.Ops.data();
    P.Prologue = Code.Prologue.data();
    P.Blocks = Code.Blocks.data();
    P.Edges = Code.Edges.data();
    P.Copies = Code.Copies.data();
    P.Accesses = Code.Accesses.data();
    P.Constants = Code.Constants.data();
    P.ConstantBytes = Code.Constants.size();
    P.NumBlocks = Code.Blocks.size();
    P.StackOffset = Code.StackOffset;
    P.SlotOffset = Code.ConstantOffset;
    P.Counters = Options.Counters;
    P.OnBlock = Options.OnBlock;
    P.OnMemory = Options.OnMemory;
    P.OnCheck = Options.OnCheck;
    Warp.Run = C.Run;
    Warp.Engine = &P;
    Warp.FrameBytes = Code.FrameBytes;
    Warp.LocalBytes = Layout.LocalBytes;
    Warp.StaticSharedBytes = Layout.StaticSharedBytes;
    Warp.ParamBytes = Layout.ParamBytes;
    Warp.NumBlocks = Numbering.numBlocks();
    Warp.NumMemoryRecords = Numbering.memory().size();
    const llvm::Function &Kernel = *Numbering.block(0)->getParent();
    Warp.HasGridBarrier = hasGridBarrier(Kernel);
    Warp.SharesWork = sharesWork(Kernel);
    Warp.WaitsForBlocks = waitsForBlocks(Kernel);
    Warp.FlushesDenormals = flushesDenormals(Kernel);
  }
  const HeddleWarpKernel &kernel() const override { return Warp; }

private:
  DecodedKernel Code;
  Program P{};
  HeddleWarpKernel Warp{};
};
} // namespace

llvm::Expected<std::unique_ptr<Engine>>
createInterpreter(const llvm::Function &Kernel, const GlobalAddresses &Globals,
                  const EngineOptions &Options) {
  const Core &C = bestCore();
  llvm::Expected<DecodedKernel> Decoded =
      Decoder(Kernel, Globals, Options, C).run();
  if (!Decoded)
    return Decoded.takeError();
  return std::make_unique<Interpreter>(std::move(*Decoded),
                                       KernelLayout(Kernel),
                                       KernelNumbering(Kernel), Options, C);
}

} // namespace heddle
