//===- CheckReplay.cpp - A recording under the checking interpreter -------===//

#include "heddle/Driver/Checks.h"

#include "heddle/Analysis/KernelInfo.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle {

namespace {

/// A finding of one kernel in all its launches.
struct Told {
  std::string Text;
  size_t Launches = 0;

  std::string line() const {
    return Launches == 1
               ? Text
               : fmt::format("{}; found in {} launches", Text, Launches);
  }
};

/// Follows what findings spoil from buffer to buffer.
class CauseFinder : public HostObserver {
public:
  explicit CauseFinder(const ReadChecker &Replayed)
      : Replayed(Replayed), Again(0) {}

  llvm::Error onStep(const launch::HostStep &Step,
                     const exec::DeviceMemory &Memory,
                     size_t Launches) override;
  void add(const CheckedLaunch &L, const std::string &Kernel, size_t Program,
           size_t Launch);
  CheckedReplay finish();

private:
  void tell(std::vector<Told> &List, const CheckedLaunch::Finding &F,
            const std::string &Where, const std::string &Key);
  void explain(const launch::ReadBuffer &Read);

  const ReadChecker &Replayed;
  ReadChecker Again;
  CheckedReplay Out;
  /// By buffer: what has spoiled it last.
  std::map<std::string, std::string> Spoiled;
  std::vector<Told> Findings, Orders;
  std::map<std::string, size_t> Known; ///< of either list, by kernel and line
};

} // namespace

/// The part of \p Text that all launches of the kernel have in common: the
/// place in the source and what was found.
static std::string kindOf(const std::string &Text) {
  const size_t Place = Text.find(": ");
  const size_t What = Place == std::string::npos
                          ? Place
                          : Text.find_first_of(":0123456789", Place + 2);
  return Text.substr(0, What);
}

void CauseFinder::tell(std::vector<Told> &List, const CheckedLaunch::Finding &F,
                       const std::string &Where, const std::string &Key) {
  auto [It, New] = Known.try_emplace(Key + kindOf(F.Text), List.size());
  if (New)
    List.push_back({Where + F.Text});
  ++List[It->second].Launches;
}

void CauseFinder::add(const CheckedLaunch &L, const std::string &Kernel,
                      size_t Program, size_t Launch) {
  const std::string Where =
      fmt::format("launch {} of kernel '{}': ", Launch + 1, Kernel);
  const std::string Key = fmt::format("{} {} ", Program, Kernel);
  std::map<std::string, std::string> Own; ///< what it spoils itself
  std::string Carried;
  for (const auto *List : {&L.Findings, &L.Orders})
    for (const CheckedLaunch::Finding &F : *List) {
      const bool IsError = List == &L.Findings;
      tell(IsError ? Findings : Orders, F, Where, Key + (IsError ? "" : "o "));
      if (!F.Buffer.empty())
        Own.try_emplace(F.Buffer, Where + F.Text);
      // What it spoils itself it may read.
      if (Carried.empty() && (F.Buffer.empty() || L.Read.contains(F.Buffer)))
        Carried = Where + F.Text;
    }
  for (const std::string &Buffer : L.Read)
    if (auto It = Spoiled.find(Buffer); Carried.empty() && It != Spoiled.end())
      Carried = It->second;
  if (!Carried.empty())
    for (const std::string &Buffer : L.Written)
      Own.try_emplace(Buffer, Carried);
  for (auto &[Buffer, Cause] : Own)
    Spoiled[Buffer] = std::move(Cause);
  ++Out.Launches;
  Out.IsPartial |= L.IsPartial;
}

void CauseFinder::explain(const launch::ReadBuffer &Read) {
  const size_t Number = Again.reads().size() - 1;
  const ReadChecker::Outcome &Was = Replayed.reads()[Number];
  if (!Was.IsDifferent || Out.Causes.contains(Read.Buffer))
    return;
  if (auto It = Spoiled.find(Read.Buffer); It != Spoiled.end())
    Out.Causes[Read.Buffer] = "the cause may be " + It->second;
  else if (Again.reads()[Number].Hash == Was.Hash)
    Out.Causes[Read.Buffer] =
        "the checking interpreter computes the same as the replay and finds "
        "nothing wrong: it is the device that differs";
  else
    Out.Causes[Read.Buffer] =
        "the checking interpreter computes something else and finds nothing "
        "wrong: this is an error of heddle; please report it";
}

llvm::Error CauseFinder::onStep(const launch::HostStep &Step,
                                const exec::DeviceMemory &Memory,
                                size_t Launches) {
  if (llvm::Error E = Again.onStep(Step, Memory, Launches))
    return E;
  auto Whole = [&](const std::string &Buffer, uint64_t Offset, uint64_t Bytes) {
    const exec::DeviceBuffer *B = Memory.findArgument(Buffer);
    return B && Offset == 0 && Bytes == B->SizeBytes;
  };
  if (const auto *Read = std::get_if<launch::ReadBuffer>(&Step)) {
    explain(*Read);
  } else if (const auto *Drop = std::get_if<launch::DropBuffer>(&Step)) {
    Spoiled.erase(Drop->Name);
  } else if (const auto *Write = std::get_if<launch::WriteBuffer>(&Step)) {
    if (Whole(Write->Buffer, Write->At.Offset, Write->At.sizeBytes()))
      Spoiled.erase(Write->Buffer);
  } else if (const auto *Fill = std::get_if<launch::FillBuffer>(&Step)) {
    if (Whole(Fill->Buffer, Fill->Offset, Fill->SizeBytes))
      Spoiled.erase(Fill->Buffer);
  } else if (const auto *Copy = std::get_if<launch::CopyBuffer>(&Step)) {
    if (auto It = Spoiled.find(Copy->From); It != Spoiled.end())
      Spoiled[Copy->To] = std::string(It->second);
    else if (Whole(Copy->To, Copy->ToAt.Offset, Copy->ToAt.sizeBytes()))
      Spoiled.erase(Copy->To);
  }
  return llvm::Error::success();
}

CheckedReplay CauseFinder::finish() {
  for (const Told &F : Findings)
    Out.Findings.push_back(F.line());
  for (const Told &F : Orders)
    Out.Orders.push_back(F.line());
  return std::move(Out);
}

std::vector<std::string>
CheckedReplay::verdicts(const ReadChecker &Replayed) const {
  std::vector<std::string> Lines;
  for (const auto &[Buffer, Verdict] : Replayed.verdicts()) {
    auto It = Causes.find(Buffer);
    Lines.push_back(It == Causes.end() ? Verdict : Verdict + "; " + It->second);
  }
  return Lines;
}

/// A gap between buffers keeps an index that is wrong by a row out of the next
/// one. Recordings that hold addresses keep these.
static uint64_t gapOf(const launch::Application &Application) {
  constexpr uint64_t CheckGapBytes = uint64_t(1) << 20;
  const bool IsPlaced = any_of(Application.Steps, [](const launch::Step &S) {
    const auto *Make = std::get_if<launch::MakeBuffer>(&S.Host);
    return Make && Make->Offset;
  });
  return IsPlaced ? 0 : CheckGapBytes;
}

Expected<CheckedReplay> checkReplay(const SessionOptions &Options,
                                    const launch::Application &Application,
                                    const ReadChecker &Replayed,
                                    const ProgressCallback &Progress) {
  SessionOptions Own = Options;
  Own.KeepPrints = false;
  Own.BufferGapBytes = gapOf(Application);
  const auto Total = uint64_t(count_if(
      Application.Steps, [](const launch::Step &S) { return S.isLaunch(); }));
  CauseFinder Causes(Replayed);
  auto Visit = [&](size_t Index, Session &S) -> llvm::Error {
    auto L = inspectLaunch(S);
    if (!L)
      return L.takeError();
    Causes.add(*L, kernelName(S.kernel()), S.launch().Program, Index);
    return Progress(Index + 1, Total, Index + 1) ? llvm::Error::success()
                                                 : cancelled();
  };
  if (llvm::Error E = forEachLaunch(Own, Application, Visit, &Causes))
    return E;
  return Causes.finish();
}

} // namespace heddle
