//===- Application.cpp - The launches of an application in order ----------===//

#include "heddle/Driver/Application.h"

#include "behavior/BehaviorCollector.h"
#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/ResultInputs.h"
#include "launch/LaunchFile.h"
#include "launch/ScalarTypes.h"
#include "record/Recording.h"
#include "sampling/ProfileBuilder.h"
#include "trace/GridBarriers.h"

#include "llvm/IR/CFG.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <utility>

using namespace llvm;

namespace heddle {

static Expected<ReadApplication> readRecording(const SessionOptions &Options) {
  if (!Options.LaunchFile.empty() || !Options.Grid.empty() ||
      !Options.Block.empty() || !Options.Args.empty() ||
      !Options.Cluster.empty() || Options.DynamicShared ||
      !Options.Kernel.empty())
    return failure(Options.Input + ": a recording holds its launches; leave "
                                   "out --kernel, --launch, --grid, "
                                   "--block, --arg and --dynamic-shared",
                   Failure::Request);
  auto R = expected(record::readRecording(Options.Input));
  if (!R)
    return R.takeError();
  if (R->Launches == 0)
    return failure(Options.Input +
                   ": the recorded program launched no kernel that can be "
                   "replayed");
  ReadApplication Out{std::move(R->Application),
                      std::move(R->Operations),
                      std::move(R->Calls),
                      {}};
  if (!R->Complete)
    Out.Warning = fmt::format("{}: the recording ends after {} launches: the "
                              "program was killed, or the file was cut off",
                              Options.Input, R->Launches);
  return Out;
}

Expected<ReadApplication> readApplication(const SessionOptions &Options) {
  if (record::isRecording(Options.Input))
    return readRecording(Options);
  ReadApplication Out;
  launch::Application &A = Out.Application;
  const bool OnlyFile = Options.Grid.empty() && Options.Block.empty() &&
                        Options.Cluster.empty() && Options.Args.empty() &&
                        !Options.DynamicShared;
  if (!Options.LaunchFile.empty() && OnlyFile) {
    if (llvm::Error E =
            expected(launch::readApplicationFile(Options.LaunchFile))
                .moveInto(A))
      return E;
    if (!Options.Kernel.empty())
      for (launch::Step &S : A.Steps)
        S.Launch.Kernel = Options.Kernel;
    return Out;
  }
  auto L = readLaunch(Options);
  if (!L)
    return L.takeError();
  A.File = Options.LaunchFile;
  A.Steps.push_back({"", std::move(*L), {}});
  return Out;
}

llvm::Error ReadChecker::onStep(const launch::HostStep &Step,
                                const exec::DeviceMemory &Memory,
                                size_t Launches) {
  const auto *Given = std::get_if<launch::ReadBuffer>(&Step);
  if (!Given)
    return llvm::Error::success();
  const launch::ReadBuffer &Read = *Given;
  auto R = expected(exec::compare(Read, Memory, Tolerance, Rooms));
  if (!R)
    return R.takeError();
  Reads.push_back({R->Hash, R->What == exec::ReadOutcome::Different});
  LargestError = std::max(LargestError, R->LargestError);
  ++(R->What == exec::ReadOutcome::Equal  ? Equal
     : R->What == exec::ReadOutcome::Near ? Near
                                          : Different);
  if (R->Mismatches)
    Verdicts.try_emplace(
        Read.Buffer,
        fmt::format("read {} of '{}' after {} launches: {} of {} elements "
                    "differ; at index {} the program got {}, the replay {}",
                    Equal + Near + Different, Read.Buffer, Launches,
                    R->Mismatches, R->Elements, R->FirstIndex, R->Expected,
                    R->Got));
  return llvm::Error::success();
}

std::string ReadChecker::text() const {
  std::string Text =
      fmt::format("{} results read: {} equal", Equal + Near + Different, Equal);
  if (Near)
    Text += fmt::format(", {} within {:g}", Near, Tolerance);
  if (Different)
    Text += fmt::format(", {} different", Different);
  if (LargestError > 0)
    Text += fmt::format(" (largest error {:.1e})", LargestError);
  return Text;
}

std::string ReadChecker::report() const {
  std::string Text = text();
  for (const auto &[Buffer, Verdict] : Verdicts)
    Text += "\n" + Verdict;
  return Text;
}

/// The first session of program \p Index of the application.
static Expected<std::unique_ptr<Session>> openProgram(
    const SessionOptions &Options, const launch::Application &Application,
    const launch::Launch &Launch, std::shared_ptr<exec::DeviceMemory> Memory) {
  SessionOptions Own = Options;
  if (!Application.Programs.empty()) {
    const launch::Program &P = Application.Programs[Launch.Program];
    Own.Input = P.Path;
    Own.ClangArgs = P.ClangArgs;
    append_range(Own.ClangArgs, Options.ClangArgs);
  }
  return Session::create(Own, Launch, Contents::Filled, std::move(Memory));
}

llvm::Error forEachLaunch(const SessionOptions &Options,
                          const launch::Application &Application,
                          function_ref<llvm::Error(size_t, Session &)> Visit,
                          HostObserver *Observer) {
  auto Made = expected(exec::DeviceMemory::create());
  if (!Made)
    return Made.takeError();
  auto Memory = std::make_shared<exec::DeviceMemory>(std::move(*Made));
  Memory->setGap(Options.BufferGapBytes);
  // The last launch of each program; one stands for the options'.
  std::vector<std::unique_ptr<Session>> Last(
      std::max<size_t>(Application.Programs.size(), 1));
  size_t Index = 0;
  exec::HostRooms Rooms;
  for (const launch::Step &Step : Application.Steps) {
    if (!Step.isLaunch()) {
      if (Observer)
        if (llvm::Error E = Observer->onStep(Step.Host, *Memory, Index))
          return E;
      if (llvm::Error E = expected(exec::apply(Step.Host, *Memory, Rooms)))
        return E;
      continue;
    }
    std::unique_ptr<Session> &S = Last[Step.Launch.Program];
    auto Next = S ? S->next(Step.Launch)
                  : openProgram(Options, Application, Step.Launch, Memory);
    if (!Next)
      return Next.takeError();
    S = std::move(*Next);
    if (llvm::Error E = Visit(Index++, *S))
      return E;
  }
  return llvm::Error::success();
}

llvm::Error execute(Session &S) {
  auto E = S.sharedEngine({});
  return E ? S.execute(**E, {}).takeError() : E.takeError();
}

/// What tells two launches of a kernel apart.
static std::string argumentText(const launch::Launch &L) {
  std::string Text;
  // As the program gave them: words of four bytes.
  const auto Raw = L.RawParams.value_or(std::vector<uint8_t>());
  for (size_t At = 0; At < Raw.size(); At += 4) {
    const size_t End = std::min(At + 4, Raw.size());
    Text += fmt::format("{}{:02x}", Text.empty() ? "" : ", ",
                        fmt::join(Raw.begin() + At, Raw.begin() + End, ""));
  }
  for (const launch::Argument &A : L.Args) {
    Text += Text.empty() ? "" : ", ";
    if (const auto *B = std::get_if<launch::BufferArg>(&A.Value))
      Text += B->OffsetBytes ? fmt::format("{}+{}", B->Name, B->OffsetBytes)
                             : B->Name;
    else if (const auto *S = std::get_if<launch::ScalarArg>(&A.Value))
      Text += launch::isFloat(S->Type) ? fmt::format("{}", S->Float)
                                       : fmt::format("{}", S->Integer);
    else if (const auto *Local = std::get_if<launch::LocalArg>(&A.Value))
      Text += fmt::format("local {}", Local->SizeBytes);
    else if (const auto *Bytes = std::get_if<launch::BytesArg>(&A.Value)) {
      Text += fmt::format("bytes {:02x}", fmt::join(Bytes->Bytes, ""));
      for (const launch::BytesArg::Pointer &P : Bytes->Pointers)
        Text += " " + P.Buffer.Name;
    } else if (const auto *Map = std::get_if<launch::TensorMapArg>(&A.Value)) {
      Text += fmt::format("map of {} by {}", Map->Buffer.Name,
                          fmt::join(Map->Map.Box, "x"));
    }
  }
  return Text;
}

Expected<sampling::LaunchProfile> profile(Session &S,
                                          sampling::StudyBuilder *Study,
                                          const ProgressCallback &OnProgress) {
  EngineOptions Hooks;
  exec::LaunchOptions Options;
  Hooks.Counters = Options.Counters = true;
  auto E = S.sharedEngine(Hooks);
  if (!E)
    return E.takeError();
  auto Code = S.codeTable(ISA::PTX);
  if (!Code)
    return Code.takeError();
  auto Table = S.traceTable(ISA::PTX);
  if (!Table)
    return Table.takeError();
  sampling::ProfileBuilder Builder(S.traceHeader(*Code), *Table);
  Options.OnBlock = [&](uint64_t Block, const exec::LaunchCounters &C) {
    Builder.block(Block, C.Blocks, C.Memory);
  };
  auto R = S.execute(**E, std::move(Options), OnProgress);
  if (!R)
    return R.takeError();
  sampling::LaunchProfile P =
      Builder.finish(R->Counters.Blocks, R->Counters.Memory);
  P.Arguments = argumentText(S.launch());
  if (Study)
    Study->add(S.launch().Program, P, *Table, R->Counters.Blocks);
  return P;
}

static std::vector<bool>
launchesAfterSync(const launch::Application &Application) {
  std::vector<bool> AfterSync;
  bool Sync = false;
  for (const launch::Step &S : Application.Steps) {
    if (S.isLaunch())
      AfterSync.push_back(std::exchange(Sync, false));
    Sync |= !S.Sync.empty();
  }
  return AfterSync;
}

Expected<sampling::ApplicationProfile>
profile(const SessionOptions &Options, const launch::Application &Application,
        const ProgressCallback &Progress, ReadChecker *Checker,
        sampling::StudyBuilder *Study) {
  sampling::ApplicationProfile Profile;
  uint64_t Instructions = 0;
  const std::vector<bool> AfterSync = launchesAfterSync(Application);
  // Steps of a launch, so that a single long one shows where it is.
  constexpr uint64_t Parts = 1000;
  const uint64_t Total = AfterSync.size() * Parts;
  auto Visit = [&](size_t Index, Session &S) -> llvm::Error {
    auto OnBlocks = [&](uint64_t Done, uint64_t Blocks, uint64_t) {
      return Progress(Index * Parts + Parts * Done / Blocks, Total,
                      Instructions);
    };
    auto P = profile(S, Study, OnBlocks);
    if (!P)
      return P.takeError();
    noteAssumptions(Profile.Assumptions, S);
    P->AfterSync = AfterSync[Index];
    Instructions += P->total().WarpInstructions;
    Profile.Launches.push_back(std::move(*P));
    return Progress((Index + 1) * Parts, Total, Instructions)
               ? llvm::Error::success()
               : cancelled();
  };
  if (llvm::Error E = forEachLaunch(Options, Application, Visit, Checker))
    return E;
  return Profile;
}

Expected<behavior::Profile> behaviorOf(Session &S) {
  auto Source = S.makeTraceSource(ISA::PTX);
  if (!Source)
    return Source.takeError();
  return behaviorOf(S, **Source);
}

Expected<behavior::Profile> behaviorOf(Session &S, trace::TraceSource &Source) {
  if (llvm::Error E = expected(trace::requireIndependentBlocks(
          Source, "behaviour profiles and clones take them to be independent")))
    return E;
  behavior::KernelShape Shape;
  const KernelNumbering &Numbering = S.numbering();
  for (unsigned B = 0; B < Numbering.numBlocks(); ++B) {
    std::vector<unsigned> &Out = Shape.Successors.emplace_back();
    for (const BasicBlock *To : successors(Numbering.block(B)))
      if (unsigned N = Numbering.number(To);
          std::find(Out.begin(), Out.end(), N) == Out.end())
        Out.push_back(N);
  }
  for (const auto &Buffer : S.memory().buffers())
    Shape.Memory.push_back(
        {S.memory().toDevice(Buffer->Address), Buffer->SizeBytes});
  auto P = expected(behavior::collect(Source, Shape));
  if (P)
    noteAssumptions(P->Assumptions, S);
  return P;
}

} // namespace heddle
