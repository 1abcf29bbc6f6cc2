//===- TraceModes.cpp - Ways to make the trace of a launch ----------------===//

#include "TraceModes.h"

#include "LaunchValuesOf.h"

#include "exec/ExecutedTrace.h"
#include "exec/StaticTrace.h"
#include "heddle/Analysis/KernelExpressions.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Trace/LoopIterations.h"
#include "heddle/Trace/StaticTrace.h"

#include "llvm/IR/Instructions.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::tool {

namespace {
/// The control slice of a launch's kernel as it runs.
class SlicedTrace : public trace::TraceSource {
public:
  SlicedTrace(Session &S, const KernelCode &Code) {
    S.fill();
    const ControlSlice &Slice = S.slice();
    EngineOptions Hooks;
    Hooks.OnBlock = exec::ExecutedTrace::onBlock;
    Hooks.OnMemory = exec::ExecutedTrace::onMemory;
    Run = S.sharedEngine(Hooks, *Slice.Kernel);
    take(S.memory().makeWindows(1, S.bound().SharedBytes,
                                exec::localBytesPerBlock(S.bound())));
    trace::TraceHeader Header = S.traceHeader(Code);
    Header.Producer = "sliced";
    Trace.emplace(std::move(Header), traceCode(Code), Run->kernel(), S.bound(),
                  S.memory(), sourceMapOf(KernelNumbering(*Slice.Kernel)),
                  S.options().MaxSteps);
    // What a wild access of the slice is, the whole kernel's checker says.
    Trace->setExplanation([&S](const exec::Fault &F) { return S.message(F); });
    if (!Slice.Counts.BlocksMeet)
      Trace->setIndependent();
  }
  const trace::TraceHeader &header() const override { return Trace->header(); }
  const trace::CodeTable &code() const override { return Trace->code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    return Trace->read(Index, Out);
  }
  bool servesAnyOrder() const override { return Trace->servesAnyOrder(); }

private:
  std::shared_ptr<Engine> Run; // outlives Trace
  std::optional<exec::ExecutedTrace> Trace;
};

/// The control slice of a launch's kernel, evaluated without data.
class EvaluatedTrace : public trace::TraceSource {
public:
  EvaluatedTrace(Session &S, const KernelCode &Code,
                 const StaticAssumptions &Assumptions) {
    const ControlSlice &Slice = S.slice();
    StaticTraceOptions O;
    O.OnBlock = exec::StaticTrace::onBlock;
    O.OnMemory = exec::StaticTrace::onMemory;
    O.OnReach = exec::StaticTrace::onReach;
    O.TakenProbability = Assumptions.TakenProbability;
    O.DataIterations = Assumptions.DataIterations;
    if (!Assumptions.Loops.empty() || firstDataDecision(*Slice.Kernel))
      O.Iterations = iterations(S, Assumptions);
    O.BufferOf = [&Memory = S.memory()](uint64_t Address) {
      const exec::DeviceBuffer *B = Memory.find(Address);
      if (!B && !Memory.buffers().empty())
        B = Memory.buffers().front().get();
      return B ? std::pair(B->Address, B->SizeBytes)
               : std::pair(Address, uint64_t(1));
    };
    Run = take(createStaticEngine(*Slice.Kernel, S.globals(), O));
    take(S.memory().makeWindows(1, S.bound().SharedBytes,
                                exec::localBytesPerBlock(S.bound())));
    trace::TraceHeader Header = S.traceHeader(Code);
    Header.Producer = "static";
    Trace.emplace(std::move(Header), traceCode(Code), Run->kernel(), S.bound(),
                  S.memory(), sourceMapOf(KernelNumbering(*Slice.Kernel)),
                  S.options().MaxSteps);
  }
  const trace::TraceHeader &header() const override { return Trace->header(); }
  const trace::CodeTable &code() const override { return Trace->code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    return Trace->read(Index, Out);
  }
  bool servesAnyOrder() const override { return true; }
  const exec::StaticTrace &trace() const { return *Trace; }

private:
  static std::map<unsigned, uint64_t> iterations(Session &S,
                                                 const StaticAssumptions &A);

  std::unique_ptr<Engine> Run; // outlives Trace
  std::optional<exec::StaticTrace> Trace;
};
} // namespace

std::map<unsigned, uint64_t>
EvaluatedTrace::iterations(Session &S, const StaticAssumptions &A) {
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
    throw CommandError{fmt::format(
        "{}: --assume {} names no loop of kernel {} that is left in the code "
        "that runs; `heddle analyze --form prepared` lists them",
        S.options().Input, Unused->text(),
        std::string(kernelName(S.kernel())))};
  return std::move(Found.OfHeader);
}

namespace {
/// A static trace as long as it is exact, and then the sliced one, whose events
/// and addresses are the same.
class AutoTrace : public trace::TraceSource {
public:
  AutoTrace(Session &S, const KernelCode &Code, std::string *Why)
      : S(S), Code(Code) {
    if (const llvm::Instruction *I = firstDataDecision(*S.slice().Kernel)) {
      std::string Line = sourceLineOf(*I);
      replace("data decides control or addresses" +
              (Line.empty() ? "" : " at " + Line));
    } else {
      try {
        Static = std::make_unique<EvaluatedTrace>(S, Code, StaticAssumptions());
      } catch (const CommandError &E) {
        replace(E.Message);
      }
    }
    // Both ends of the grid tell most of what there is to know.
    trace::BlockTrace Scratch;
    for (uint64_t Block : {uint64_t(0), S.bound().Grid.count() - 1})
      if (Static)
        (void)read(Block, Scratch);
    if (Static && Static->trace().uniqueSteps() > MaxUniqueSteps)
      replace("hardly two thread blocks do the same, which is faster to "
              "execute than to evaluate");
    if (Why)
      *Why = Reason;
  }
  const trace::TraceHeader &header() const override {
    return current().header();
  }
  const trace::CodeTable &code() const override { return current().code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    if (Static) {
      Result<void> Read = Static->read(Index, Out);
      if (Read && Static->trace().assumed() == 0)
        return Read;
      replace(Read ? "data decides control or addresses"
                   : Read.error().Message);
    }
    return Executed->read(Index, Out);
  }
  bool servesAnyOrder() const override { return current().servesAnyOrder(); }

private:
  /// Basic blocks that warps of two thread blocks may run by themselves: a
  /// millisecond or two.
  static constexpr uint64_t MaxUniqueSteps = 4096;

  const trace::TraceSource &current() const {
    return Static ? static_cast<const trace::TraceSource &>(*Static)
                  : *Executed;
  }
  void replace(std::string Because) {
    Static.reset();
    Reason = std::move(Because);
    try {
      Executed = std::make_unique<SlicedTrace>(S, Code);
    } catch (const CommandError &E) {
      Reason += "; no engine takes the slice: " + E.Message;
      S.fill();
      Executed = S.makeTraceSource(Code);
    }
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

void addAssumeOption(CLI::App &Command, std::vector<std::string> &Assume) {
  Command
      .add_option("--assume", Assume,
                  "iterations of a loop that data decides: LINE=COUNT, "
                  "L0=COUNT or KERNEL:LINE=COUNT")
      ->allow_extra_args(false);
}

std::vector<LoopAssumption>
parseAssumptions(const std::vector<std::string> &Assume) {
  std::vector<LoopAssumption> Found;
  for (const std::string &Text : Assume)
    Found.push_back(take(parseAssumption(Text)));
  return Found;
}

Contents contentsFor(TraceMode Mode) {
  return Mode == TraceMode::Static || Mode == TraceMode::Auto
             ? Contents::Unfilled
             : Contents::Filled;
}

std::unique_ptr<Session> makeTraceSession(const SessionOptions &Options,
                                          TraceMode Mode) {
  return std::make_unique<Session>(Options, readLaunch(Options),
                                   contentsFor(Mode));
}

std::unique_ptr<trace::TraceSource>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions, std::string *Why) {
  switch (Mode) {
  case TraceMode::Executed:
    S.fill();
    return S.makeTraceSource(Code);
  case TraceMode::Sliced:
    return std::make_unique<SlicedTrace>(S, Code);
  case TraceMode::Static:
    return std::make_unique<EvaluatedTrace>(S, Code, Assumptions);
  case TraceMode::Auto:
    // Who assumes something wants it to be used.
    if (!Assumptions.Loops.empty())
      return std::make_unique<EvaluatedTrace>(S, Code, Assumptions);
    return std::make_unique<AutoTrace>(S, Code, Why);
  }
  throw CommandError{"unknown mode", InternalError};
}

} // namespace heddle::tool
