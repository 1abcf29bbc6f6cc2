//===- Heddle.cpp - Kernels in, predictions out ---------------------------===//

#include "heddle/Heddle.h"

#include "base/JSONText.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/ResultInputs.h"
#include "heddle/Driver/TraceModes.h"
#include "models/ModelRun.h"

using namespace llvm;

namespace heddle {

//===----------------------------------------------------------------------===//
// Trace
//===----------------------------------------------------------------------===//

/// A file, or blocks in memory.
struct Trace::Held {
  std::string File; ///< empty: in memory
  trace::TraceHeader Header;
  trace::CodeTable Code;
  std::vector<trace::BlockTrace> Blocks;
};

namespace {
/// Reads what a Trace holds in memory.
template <typename HeldT> class HeldBlocks : public trace::TraceSource {
public:
  explicit HeldBlocks(std::shared_ptr<HeldT> H) : H(std::move(H)) {}
  const trace::TraceHeader &header() const override { return H->Header; }
  const trace::CodeTable &code() const override { return H->Code; }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    if (Index >= H->Blocks.size())
      return fail("the launch has no thread block " + std::to_string(Index));
    Out = H->Blocks[Index];
    return {};
  }
  bool servesAnyOrder() const override { return true; }

private:
  std::shared_ptr<HeldT> H;
};
} // namespace

Expected<Trace> Trace::open(const std::string &File) {
  auto Reader = expected(trace::TraceReader::open(File));
  if (!Reader)
    return Reader.takeError();
  Trace T;
  T.H = std::make_shared<const Held>(
      Held{File, (*Reader)->header(), (*Reader)->code(), {}});
  return T;
}

const trace::TraceHeader &Trace::header() const { return H->Header; }

Expected<std::unique_ptr<trace::TraceSource>> Trace::source() const {
  if (H->File.empty())
    return std::make_unique<HeldBlocks<const Held>>(H);
  return expected(trace::TraceReader::open(H->File));
}

llvm::Error Trace::write(const std::string &File) const {
  auto From = source();
  if (!From)
    return From.takeError();
  return writeTrace(**From, File).takeError();
}

Expected<Prediction> predict(const Trace &T, const arch::GPUSpec &GPU,
                             const std::string &Model,
                             const ModelOptions &Options) {
  auto Source = T.source();
  if (!Source)
    return Source.takeError();
  if (llvm::Error E = checkLaneOrder(**Source, GPU, T.header().Kernel))
    return E;
  return expected(predict(**Source, GPU, Model, Options));
}

//===----------------------------------------------------------------------===//
// BoundLaunch
//===----------------------------------------------------------------------===//

BoundLaunch::BoundLaunch(std::unique_ptr<Session> S) : S(std::move(S)) {}
BoundLaunch::BoundLaunch(BoundLaunch &&) = default;
BoundLaunch &BoundLaunch::operator=(BoundLaunch &&) = default;
BoundLaunch::~BoundLaunch() = default;

Expected<BoundLaunch> BoundLaunch::open(const SessionOptions &Options,
                                        TraceMode Mode) {
  auto Launch = readLaunch(Options);
  if (!Launch)
    return Launch.takeError();
  auto S = Session::create(Options, std::move(*Launch), contentsFor(Mode));
  if (!S)
    return S.takeError();
  return BoundLaunch(std::move(*S));
}

namespace {
/// A callback that also hears of what a thread block does that takes long, with
/// the numbers of the last time, and can end it.
class WithinBlocks {
public:
  WithinBlocks(Session &S, const ProgressCallback &OnProgress)
      : S(S), OnProgress(OnProgress), Blocks(S.bound().Grid.count()) {
    if (OnProgress)
      S.setCancelled([this] { return !this->OnProgress(Done, Blocks, Work); });
  }
  ~WithinBlocks() { S.setCancelled({}); }
  WithinBlocks(const WithinBlocks &) = delete;
  WithinBlocks &operator=(const WithinBlocks &) = delete;

  ProgressCallback callback() {
    if (!OnProgress)
      return {};
    return [this](uint64_t Now, uint64_t Total, uint64_t WorkNow) {
      Done = Now;
      Work = WorkNow;
      return OnProgress(Now, Total, WorkNow);
    };
  }

private:
  Session &S;
  const ProgressCallback &OnProgress;
  const uint64_t Blocks;
  uint64_t Done = 0, Work = 0;
};
} // namespace

llvm::Error BoundLaunch::run(const ProgressCallback &OnProgress) {
  {
    const WithinBlocks Filling(*S, OnProgress);
    if (llvm::Error E = S->fill())
      return E;
  }
  auto Engine = S->sharedEngine({});
  if (!Engine)
    return Engine.takeError();
  exec::LaunchOptions Given;
  Given.Watched = bool(OnProgress);
  return S->execute(**Engine, Given, OnProgress).takeError();
}

Expected<std::vector<uint8_t>>
BoundLaunch::buffer(const std::string &Name) const {
  if (llvm::Error E = S->fill())
    return E;
  const exec::DeviceBuffer *B = S->memory().findArgument(Name);
  if (!B)
    return failure("the launch has no buffer called '" + Name + "'",
                   Failure::Request);
  auto Bytes = S->memory().bytes(*B);
  return std::vector<uint8_t>(Bytes.begin(), Bytes.end());
}

llvm::Error BoundLaunch::reset() {
  return S->restart(S->launch(), Contents::Unfilled);
}

Expected<std::unique_ptr<trace::TraceSource>>
BoundLaunch::source(const TraceRequest &Request) {
  auto Code = S->codeTable(Request.Level);
  if (!Code)
    return Code.takeError();
  return makeTraceSource(*S, *Code, Request.Mode, Request.Assumptions,
                         Request.Reason);
}

Expected<Prediction> BoundLaunch::predict(const arch::GPUSpec &GPU,
                                          const std::string &Model,
                                          const ModelOptions &Options) {
  const models::ModelRow *Row = models::findModel(Model);
  if (llvm::Error E = reset())
    return E;
  S->setLaneOrder(laneOrderFor(GPU));
  WithinBlocks Within(*S, Options.OnProgress);
  ModelOptions How = Options;
  How.OnProgress = Within.callback();
  auto Source =
      source({.Mode = Row && Row->Fast ? TraceMode::Auto : TraceMode::Executed,
              .Level = levelFor(GPU)});
  if (!Source)
    return Source.takeError();
  auto P = expected(heddle::predict(**Source, GPU, Model, How));
  if (!P)
    return P;
  auto Code = S->codeTable(levelFor(GPU));
  if (!Code)
    return Code.takeError();
  views::JSON Result = views::JSON::parse(P->JSON);
  addCode(Result, **Source, &*Code);
  addInputs(Result, *S);
  P->JSON = jsonText(Result, 2) + "\n";
  return P;
}

Expected<Trace> BoundLaunch::trace(TraceMode Mode,
                                   const ProgressCallback &OnProgress,
                                   uint64_t LimitBytes) {
  if (llvm::Error E = reset())
    return E;
  S->setLaneOrder(trace::LaneOrder::Kept); // for whatever machine
  WithinBlocks Within(*S, OnProgress);
  const ProgressCallback Tell = Within.callback();
  auto Source = source({.Mode = Mode});
  if (!Source)
    return Source.takeError();
  trace::TraceSource &From = **Source;
  Trace::Held H{"", From.header(), From.code(), {}};
  const uint64_t Blocks = H.Header.Grid.count();
  for (uint64_t B = 0, Bytes = 0; B < Blocks; ++B) {
    if (llvm::Error E = expected(From.read(B, H.Blocks.emplace_back())))
      return E;
    for (const trace::WarpTrace &W : H.Blocks.back().Warps)
      Bytes += sizeof(W) + W.Body.size() + W.Bases.size() * 8;
    if (Bytes > LimitBytes)
      return failure("the trace takes more than " + std::to_string(LimitBytes) +
                     " bytes after " + std::to_string(B + 1) + " of " +
                     std::to_string(Blocks) +
                     " thread blocks; allow more, or let the model read the "
                     "launch itself");
    if (Tell && !Tell(B + 1, Blocks, B + 1))
      return cancelled();
  }
  H.Header = From.header(); // a static trace may have been replaced
  Trace T;
  T.H = std::make_shared<const Trace::Held>(std::move(H));
  return T;
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

struct Program::Compiled {
  std::shared_ptr<Session::Program> Code;
  SessionOptions Options;
};

Expected<Program> Program::compile(const Source &From) {
  auto C = std::make_shared<Compiled>();
  C->Options.Input = From.Path;
  C->Options.Arch = From.Arch;
  C->Options.ClangArgs = From.ClangArgs;
  C->Options.LinkWith = From.LinkWith;
  C->Options.OptLevel = From.OptLevel;
  if (llvm::Error E = Session::compileProgram(C->Options).moveInto(C->Code))
    return E;
  Program P;
  P.P = std::move(C);
  return P;
}

std::vector<Kernel> Program::kernels() const {
  std::vector<Kernel> All;
  for (const Function *F : P->Code->Module.kernels()) {
    const KernelInfo Info = analyzeKernel(*F);
    Kernel &K = All.emplace_back(Kernel{kernelName(*F), {}, 0});
    for (const KernelArgument &A : Info.Arguments)
      K.Arguments.push_back(
          {A.Name, A.TypeText, A.SizeBytes,
           A.Kind != ArgumentKind::Scalar && A.Kind != ArgumentKind::Struct,
           A.IsFloat});
    K.StaticSharedBytes = Info.StaticSharedBytes;
  }
  return All;
}

std::string Program::notes() const {
  return P->Code->Module.Assumptions + P->Code->Module.Warnings;
}

Expected<BoundLaunch> Program::bind(const launch::Launch &L) const {
  if (llvm::Error E = expected(launch::checkLimits(L)))
    return E;
  if (llvm::Error E = expected(launch::checkNames(L)))
    return E;
  auto S = Session::create(P->Code, P->Options, L, Contents::Unfilled);
  if (!S)
    return S.takeError();
  return BoundLaunch(std::move(*S));
}

} // namespace heddle
