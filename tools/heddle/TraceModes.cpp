//===- TraceModes.cpp - Ways to make the trace of a launch ----------------===//

#include "TraceModes.h"

#include "exec/ExecutedTrace.h"
#include "exec/StaticTrace.h"
#include "heddle/Trace/StaticTrace.h"
#include "heddle/Transforms/ControlSlice.h"

namespace heddle::tool {

namespace {
/// The control slice of a launch's kernel as it runs.
class SlicedTrace : public trace::TraceSource {
public:
  SlicedTrace(Session &S, const KernelCode &Code)
      : Slice(makeControlSlice(S.kernel())) {
    EngineOptions Hooks;
    Hooks.OnBlock = exec::ExecutedTrace::onBlock;
    Hooks.OnMemory = exec::ExecutedTrace::onMemory;
    Run = S.makeEngine(Hooks, *Slice.Kernel);
    take(S.memory().makeWindows(1, S.bound().SharedBytes,
                                exec::localBytesPerBlock(S.bound())));
    trace::TraceHeader Header = S.traceHeader(Code);
    Header.Producer = "sliced";
    Trace.emplace(std::move(Header), traceCode(Code), Run->kernel(), S.bound(),
                  S.memory(), sourceMapOf(KernelNumbering(*Slice.Kernel)),
                  S.options().MaxSteps);
  }
  const trace::TraceHeader &header() const override { return Trace->header(); }
  const trace::CodeTable &code() const override { return Trace->code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    return Trace->read(Index, Out);
  }

private:
  ControlSlice Slice; // outlives Run, which outlives Trace
  std::unique_ptr<Engine> Run;
  std::optional<exec::ExecutedTrace> Trace;
};

/// The control slice of a launch's kernel, evaluated without data.
class EvaluatedTrace : public trace::TraceSource {
public:
  EvaluatedTrace(Session &S, const KernelCode &Code,
                 const StaticAssumptions &Assumptions)
      : Slice(makeControlSlice(S.kernel())) {
    StaticTraceOptions O;
    O.OnBlock = exec::StaticTrace::onBlock;
    O.OnMemory = exec::StaticTrace::onMemory;
    O.OnReach = exec::StaticTrace::onReach;
    O.TakenProbability = Assumptions.TakenProbability;
    O.DataIterations = Assumptions.DataIterations;
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

private:
  ControlSlice Slice; // outlives Run, which outlives Trace
  std::unique_ptr<Engine> Run;
  std::optional<exec::StaticTrace> Trace;
};
} // namespace

std::unique_ptr<Session> makeTraceSession(const SessionOptions &Options,
                                          TraceMode Mode) {
  if (Mode != TraceMode::Static)
    return std::make_unique<Session>(Options);
  launch::Launch L = readLaunch(Options);
  for (launch::Argument &A : L.Args)
    if (auto *B = std::get_if<launch::BufferArg>(&A.Value))
      B->Init = launch::InitZero{};
  return std::make_unique<Session>(Options, std::move(L));
}

std::unique_ptr<trace::TraceSource>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions) {
  switch (Mode) {
  case TraceMode::Executed:
    return S.makeTraceSource(Code);
  case TraceMode::Sliced:
    return std::make_unique<SlicedTrace>(S, Code);
  case TraceMode::Static:
    return std::make_unique<EvaluatedTrace>(S, Code, Assumptions);
  }
  throw CommandError{"unknown mode", InternalError};
}

} // namespace heddle::tool
