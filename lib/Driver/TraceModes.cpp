//===- TraceModes.cpp - Ways to make the trace of a launch ----------------===//

#include "heddle/Driver/TraceModes.h"

#include "exec/ExecutedTrace.h"
#include "exec/StaticTrace.h"
#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/KernelExpressions.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Trace/LoopIterations.h"
#include "heddle/Trace/StaticTrace.h"
#include "models/ModelRun.h"
#include "trace/TraceWriter.h"

#include "llvm/IR/Instructions.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle {

namespace {
/// Header and windows of a trace that \p S's slice makes.
Expected<trace::TraceHeader> beginTrace(Session &S, const KernelCode &Code,
                                        const char *Producer) {
  if (llvm::Error E = expected(S.memory().makeWindows(
          1, S.bound().SharedBytes, exec::localBytesPerBlock(S.bound()),
          unsigned(S.bound().Cluster.count()))))
    return E;
  trace::TraceHeader Header = S.traceHeader(Code);
  Header.Producer = Producer;
  return Header;
}

/// A trace of a control slice, and the engine that runs or evaluates it.
template <typename TraceT> class SliceTrace : public trace::TraceSource {
public:
  /// Fails as making the windows does.
  static Expected<std::unique_ptr<SliceTrace>>
  create(Session &S, const KernelCode &Code, std::shared_ptr<Engine> Run,
         const char *Producer) {
    auto Header = beginTrace(S, Code, Producer);
    if (!Header)
      return Header.takeError();
    return std::make_unique<SliceTrace>(S, Code, std::move(*Header),
                                        std::move(Run));
  }
  SliceTrace(Session &S, const KernelCode &Code, trace::TraceHeader Header,
             std::shared_ptr<Engine> Made)
      : Run(std::move(Made)),
        Trace(std::move(Header), engineCode(Code), Run->kernel(), S.bound(),
              S.memory(), sourceMapOf(KernelNumbering(*S.slice().Kernel)),
              S.options().MaxSteps) {
    Trace.setWatch([&S](uint64_t) { return !S.isCancelled(); });
  }

  const trace::TraceHeader &header() const override { return Trace.header(); }
  const trace::CodeTable &code() const override { return Trace.code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    return Trace.read(Index, Out);
  }
  bool servesAnyOrder() const override { return Trace.servesAnyOrder(); }
  TraceT &trace() { return Trace; }

private:
  std::shared_ptr<Engine> Run; // outlives Trace
  TraceT Trace;
};
using SlicedTrace = SliceTrace<exec::ExecutedTrace>;
using EvaluatedTrace = SliceTrace<exec::StaticTrace>;
} // namespace

/// The control slice of a launch's kernel as it runs.
static Expected<std::unique_ptr<SlicedTrace>>
makeSlicedTrace(Session &S, const KernelCode &Code) {
  if (llvm::Error E = S.fill())
    return E;
  const ControlSlice &Slice = S.slice();
  EngineOptions Hooks;
  Hooks.OnBlock = exec::ExecutedTrace::onBlock;
  Hooks.OnMemory = exec::ExecutedTrace::onMemory;
  auto Run = S.sharedEngine(Hooks, *Slice.Kernel);
  if (!Run)
    return Run.takeError();
  auto T = SlicedTrace::create(S, Code, std::move(*Run), "sliced");
  if (!T)
    return T;
  // What a wild access of the slice is, the whole kernel's checker says.
  (*T)->trace().setExplanation(
      [&S, Of = sourceMapOf(KernelNumbering(*Slice.Kernel))](
          const exec::Fault &F) { return S.message(F, &Of); });
  if (!Slice.Counts.BlocksMeet)
    (*T)->trace().setIndependent();
  return T;
}

/// Iterations of the loops that \p A and the launch decide, by header.
static Expected<std::map<unsigned, uint64_t>>
iterationsOf(Session &S, const StaticAssumptions &A) {
  std::vector<LoopAssumption> Mine;
  for (const LoopAssumption &Loop : A.Loops)
    if (Loop.Kernel.empty() || Loop.Kernel == kernelName(S.kernel()) ||
        Loop.Kernel == S.kernel().getName())
      Mine.push_back(Loop);
  // The analyses change nothing; LLVM's want a kernel that they could change.
  auto &Kernel = const_cast<llvm::Function &>(S.kernel());
  LoopIterations Found =
      loopIterations(Kernel, Mine, launchValuesOf(S.launch(), Kernel));
  const LoopAssumption *Unused = nullptr;
  for (const LoopAssumption &Loop : A.Loops)
    if (std::ranges::none_of(Mine, [&](const LoopAssumption &M) {
          return M.text() == Loop.text();
        }))
      Unused = &Loop;
  if (!Found.Unused.empty())
    Unused = &Found.Unused.front();
  if (Unused)
    return failure(fmt::format(
        "{}: --assume {} names no loop of kernel {} that is left in the code "
        "that runs; `heddle analyze --form prepared` lists them",
        S.options().Input, Unused->text(),
        std::string(kernelName(S.kernel()))));
  return std::move(Found.OfHeader);
}

/// The control slice of a launch's kernel, evaluated without data.
static Expected<std::unique_ptr<EvaluatedTrace>>
makeEvaluatedTrace(Session &S, const KernelCode &Code,
                   const StaticAssumptions &Assumptions) {
  const ControlSlice &Slice = S.slice();
  StaticTraceOptions O;
  O.OnBlock = exec::StaticTrace::onBlock;
  O.OnMemory = exec::StaticTrace::onMemory;
  O.OnReach = exec::StaticTrace::onReach;
  O.TakenProbability = Assumptions.TakenProbability;
  O.DataIterations = Assumptions.DataIterations;
  if (!Assumptions.Loops.empty() || firstDataDecision(*Slice.Kernel))
    if (llvm::Error E = iterationsOf(S, Assumptions).moveInto(O.Iterations))
      return E;
  O.BufferOf = [&Memory = S.memory()](uint64_t Address) {
    const exec::DeviceBuffer *B = Memory.find(Address);
    if (!B && !Memory.buffers().empty())
      B = Memory.buffers().front().get();
    return B ? std::pair(B->Address, B->SizeBytes)
             : std::pair(Address, uint64_t(1));
  };
  auto Run = createStaticEngine(*Slice.Kernel, S.globals(), O);
  if (!Run)
    return Run.takeError();
  return EvaluatedTrace::create(S, Code, std::move(*Run), "static");
}

namespace {
/// A static trace as long as it is exact, and then the sliced one, whose events
/// and addresses are the same.
class AutoTrace : public trace::TraceSource {
public:
  AutoTrace(Session &S, const KernelCode &Code) : S(S), Code(Code) {}

  llvm::Error begin(std::string *NotStatic) {
    if (llvm::Error E = choose())
      return E;
    if (NotStatic)
      *NotStatic = Reason;
    return llvm::Error::success();
  }
  const trace::TraceHeader &header() const override {
    return current().header();
  }
  const trace::CodeTable &code() const override { return current().code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    if (Static) {
      Result<void> Read = Static->read(Index, Out);
      if ((Read && Static->trace().assumed() == 0) || S.isCancelled())
        return Read;
      if (llvm::Error E = replace(reasonNot(Read)))
        return unexpected(std::move(E));
    }
    return Executed->read(Index, Out);
  }
  bool servesAnyOrder() const override { return current().servesAnyOrder(); }

private:
  /// Basic blocks that the warps of one more thread block may be taken through:
  /// a millisecond.
  static constexpr uint64_t MaxFurtherSteps = 2048;

  static std::string reasonNot(const Result<void> &Read) {
    return Read ? "data decides control or addresses" : Read.error().Message;
  }
  const trace::TraceSource &current() const {
    return Static ? static_cast<const trace::TraceSource &>(*Static)
                  : *Executed;
  }
  llvm::Error choose() {
    if (const Instruction *I = firstDataDecision(*S.slice().Kernel)) {
      std::string Line = sourceLineOf(*I);
      return replace("data decides control or addresses" +
                     (Line.empty() ? "" : " at " + Line));
    }
    auto Made = makeEvaluatedTrace(S, Code, StaticAssumptions());
    if (!Made)
      return replace(toString(Made.takeError()));
    Static = std::move(*Made);
    // Both ends of the grid tell most of what there is to know, and the block
    // after two more of one end what each further one takes.
    trace::BlockTrace Scratch;
    const uint64_t Last = S.bound().Grid.count() - 1;
    uint64_t Before = 0;
    for (uint64_t Block : {Last, uint64_t(0), uint64_t(1), uint64_t(2)}) {
      if (Block > Last)
        break;
      Before = Static->trace().steps();
      const Result<void> Read = Static->read(Block, Scratch);
      if (S.isCancelled())
        return llvm::Error::success();
      if (!Read || Static->trace().assumed())
        return replace(reasonNot(Read));
    }
    if (Static->trace().steps() - Before > MaxFurtherSteps)
      return replace("hardly two thread blocks do the same, which is faster to "
                     "execute than to evaluate");
    return llvm::Error::success();
  }
  llvm::Error replace(std::string Because) {
    Static.reset();
    Reason = std::move(Because);
    auto Sliced = makeSlicedTrace(S, Code);
    if (Sliced) {
      Executed = std::move(*Sliced);
      return llvm::Error::success();
    }
    Reason += "; no engine takes the slice: " + toString(Sliced.takeError());
    if (llvm::Error E = S.fill())
      return E;
    return S.makeEngineTrace(Code).moveInto(Executed);
  }

  Session &S;
  const KernelCode &Code;
  std::string Reason;
  std::unique_ptr<EvaluatedTrace> Static;
  std::unique_ptr<trace::TraceSource> Executed;
};
} // namespace

const std::vector<std::string> &traceModes() {
  static const std::vector<std::string> Modes = {"auto", "executed", "sliced",
                                                 "static"};
  return Modes;
}

TraceMode traceModeOf(const std::string &Name) {
  return Name == "executed" ? TraceMode::Executed
         : Name == "sliced" ? TraceMode::Sliced
         : Name == "static" ? TraceMode::Static
                            : TraceMode::Auto;
}

Expected<std::vector<LoopAssumption>>
parseAssumptions(const std::vector<std::string> &Texts) {
  std::vector<LoopAssumption> Found;
  for (const std::string &Text : Texts) {
    Expected<LoopAssumption> A = parseAssumption(Text);
    if (!A)
      return A.takeError();
    Found.push_back(std::move(*A));
  }
  return Found;
}

Contents contentsFor(TraceMode Mode) {
  return Mode == TraceMode::Static || Mode == TraceMode::Auto
             ? Contents::Unfilled
             : Contents::Filled;
}

static Expected<std::unique_ptr<trace::TraceSource>>
makeIRTrace(Session &S, const KernelCode &Code, TraceMode Mode,
            const StaticAssumptions &Assumptions, std::string *Reason) {
  // Who assumes something wants it to be used.
  if (Mode == TraceMode::Static ||
      (Mode == TraceMode::Auto && !Assumptions.Loops.empty()))
    return makeEvaluatedTrace(S, Code, Assumptions);
  if (Mode == TraceMode::Sliced)
    return makeSlicedTrace(S, Code);
  if (Mode == TraceMode::Auto) {
    auto Auto = std::make_unique<AutoTrace>(S, Code);
    if (llvm::Error E = Auto->begin(Reason))
      return E;
    return Auto;
  }
  if (llvm::Error E = S.fill())
    return E;
  return S.makeEngineTrace(Code);
}

Expected<std::unique_ptr<trace::TraceSource>>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions, std::string *Reason) {
  auto Source = makeIRTrace(S, Code, Mode, Assumptions, Reason);
  if (!Source)
    return Source;
  return inBlocksOf(Code, std::move(*Source));
}

Expected<WrittenTrace> writeTrace(trace::TraceSource &Source,
                                  const std::string &File, unsigned Threads,
                                  const ProgressCallback &OnProgress) {
  auto Writer = expected(trace::TraceWriter::create(
      File, Source.header(), Source.code(), {.Threads = Threads}));
  if (!Writer)
    return Writer.takeError();
  const uint64_t NumBlocks = Source.header().Grid.count();
  WrittenTrace Out;
  trace::BlockTrace Block;
  double Start = models::processSeconds();
  for (uint64_t B = 0; B < NumBlocks; ++B) {
    if (llvm::Error E = expected(Source.read(B, Block)))
      return E;
    const double Made = models::processSeconds();
    if (llvm::Error E = expected(Writer->add(Block)))
      return E;
    Out.MakeSeconds += Made - Start;
    Start = models::processSeconds();
    Out.WriteSeconds += Start - Made;
    if (OnProgress && !OnProgress(B + 1, NumBlocks, B + 1))
      return failure("interrupted; nothing was written", Failure::Cancelled);
  }
  if (llvm::Error E = expected(Writer->finish()).moveInto(Out.Summary))
    return E;
  Out.WriteSeconds += models::processSeconds() - Start;
  return Out;
}

} // namespace heddle
