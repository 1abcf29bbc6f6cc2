//===- TraceModes.cpp - Ways to make the trace of a launch ----------------===//

#include "TraceModes.h"

#include "exec/ExecutedTrace.h"
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
} // namespace

std::unique_ptr<trace::TraceSource>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode) {
  switch (Mode) {
  case TraceMode::Executed:
    return S.makeTraceSource(Code);
  case TraceMode::Sliced:
    return std::make_unique<SlicedTrace>(S, Code);
  }
  throw CommandError{"unknown mode", InternalError};
}

} // namespace heddle::tool
