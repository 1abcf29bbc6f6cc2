//===- MachineAdvisor.cpp - What a machine makes of a kernel --------------===//

#include "MachineAdvisor.h"

#include "arch/Occupancy.h"
#include "arch/SpecReader.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/TraceModes.h"
#include "heddle/Exec/KernelLayout.h"
#include "heddle/Trace/StaticTrace.h"
#include "launch/LaunchFile.h"
#include "pipeline/PipelineModel.h"
#include "trace/GridBarriers.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <filesystem>

using namespace llvm;

namespace heddle::plugin {

/// Blocks of a warp's evaluation before it counts as endless: a build must not
/// wait for a kernel that never ends.
static constexpr uint64_t MaxSteps = uint64_t(1) << 22;

static KernelRemark occupancy(const KernelCode &Code, uint64_t SharedBytes,
                              const arch::GPUSpec &Spec) {
  KernelRemark R{"Occupancy", {}};
  auto say = [&](std::string Text, std::string Key = {}) {
    R.Pieces.emplace_back(std::move(Key), std::move(Text));
  };
  say("warps per SM of ");
  say(Spec.Name, "Machine");
  say(" by threads per block: ");
  for (unsigned Threads = 32; Threads <= Spec.SM.MaxThreadsPerBlock;
       Threads *= 2) {
    if (Threads > 32)
      say(", ");
    auto O = arch::computeOccupancy(
        {Code.Kernel, Threads, Code.RegistersPerThread, SharedBytes}, Spec);
    say(fmt::format("{}: ", Threads));
    say(O ? fmt::format("{} of {} ({})", O->WarpsPerSM, O->MaxWarpsPerSM,
                        O->Limiter)
          : "does not fit",
        fmt::format("Threads{}", Threads));
  }
  return R;
}

/// The launch of an annotation: a file beside the source, or YAML itself.
static Result<launch::Launch> readLaunch(const Function &Kernel,
                                         StringRef Text) {
  std::string Folder, Where = "annotation";
  if (const DISubprogram *P = Kernel.getSubprogram()) {
    SmallString<256> Path(P->getFilename());
    if (!sys::path::is_absolute(Path)) {
      Path = P->getDirectory();
      sys::path::append(Path, P->getFilename());
    }
    Where = Path.str().str();
    Folder = sys::path::parent_path(Path).str();
  }
  if (!Text.ends_with(".yaml"))
    return launch::parseLaunch(Text.str(), Where);
  std::filesystem::path File(Text.str());
  if (File.is_relative() && !Folder.empty())
    File = std::filesystem::path(Folder) / File;
  return launch::readLaunchFile(File.string());
}

/// Evaluates and estimates \p L. The buffers stay empty.
static Expected<pipeline::PipelineEstimate>
estimate(Function &Kernel, const KernelCode &Code, launch::Launch L,
         const arch::GPUSpec &Spec, bool &Assumed) {
  SessionOptions Options;
  Options.Arch = Spec.Target;
  Options.MaxSteps = MaxSteps;
  auto S = Session::create(Kernel, Options, std::move(L), Contents::Unfilled);
  if (!S)
    return S.takeError();
  Assumed = firstDataDecision(*(*S)->slice().Kernel) != nullptr;
  auto Trace = makeTraceSource(**S, Code, TraceMode::Static);
  if (!Trace)
    return Trace.takeError();
  if (auto E = expected(trace::requireIndependentBlocks(
          **Trace, "the pipeline model takes them to be independent")))
    return E;
  pipeline::PipelineOptions How;
  How.RandomAccess = true;
  return expected(pipeline::estimate(**Trace, Spec, How));
}

static KernelRemark noEstimate(const std::string &Reason) {
  return {"NoEstimate", {{"", "no time estimated: "}, {"Reason", Reason}}};
}

static KernelRemark time(const pipeline::PipelineEstimate &E, bool Assumed) {
  return {
      "EstimatedTime",
      {{"", "estimated time on "},
       {"Machine", E.GPU},
       {"", ": "},
       {"TimeUs", fmt::format("{:.2f}", E.TimeUs)},
       {"", " us for grid "},
       {"Grid", fmt::format("{} x {} x {}", E.Grid.X, E.Grid.Y, E.Grid.Z)},
       {"", ", block "},
       {"Block", fmt::format("{} x {} x {}", E.Block.X, E.Block.Y, E.Block.Z)},
       {"", ", limited by "},
       {"Bound", E.Bound},
       {"", ", occupancy "},
       {"Occupancy",
        fmt::format("{} of {} warps ({})", E.Occupancy.WarpsPerSM,
                    E.Occupancy.MaxWarpsPerSM, E.Occupancy.Limiter)},
       {"", Assumed ? "; what data decides is assumed" : ""}}};
}

KernelAdvisor machineAdvisor(const std::string &GPU,
                             const std::string &LaunchFile) {
  return [=](Function &Kernel, const KernelCode &Code,
             StringRef Annotation) -> std::vector<KernelRemark> {
    auto Spec = arch::loadMachine(GPU);
    if (!Spec)
      return {noEstimate(Spec.error().Message)};
    std::vector<KernelRemark> Remarks = {
        occupancy(Code, KernelLayout(Kernel).StaticSharedBytes, *Spec)};
    if (Annotation.empty() && LaunchFile.empty())
      return Remarks;
    auto L = Annotation.empty() ? launch::readLaunchFile(LaunchFile)
                                : readLaunch(Kernel, Annotation);
    if (L && Annotation.empty() && !L->Kernel.empty() &&
        L->Kernel != kernelName(Kernel) && L->Kernel != Kernel.getName())
      return Remarks;
    bool Assumed = false;
    if (!L) {
      Remarks.push_back(noEstimate(L.error().Message));
      return Remarks;
    }
    auto E = estimate(Kernel, Code, std::move(*L), *Spec, Assumed);
    Remarks.push_back(E ? time(*E, Assumed)
                        : noEstimate(toString(E.takeError())));
    return Remarks;
  };
}

} // namespace heddle::plugin
