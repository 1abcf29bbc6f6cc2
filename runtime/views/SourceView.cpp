//===- SourceView.cpp - The costliest source lines ------------------------===//

#include "views/SourceView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <span>

using namespace heddle::timing;

namespace heddle::views {

static std::string trimmed(std::string Text, size_t MaxWidth) {
  size_t Start = Text.find_first_not_of(" \t");
  Text = Start == std::string::npos ? "" : Text.substr(Start);
  if (Text.size() > MaxWidth)
    Text = Text.substr(0, MaxWidth - 3) + "...";
  return Text;
}

/// The state in which most cycles are spent, other than issuing.
static std::string dominantState(const StallCycles &States) {
  auto Waiting = States.begin() + 1;
  auto Most = std::max_element(Waiting, States.end());
  if (*Most == 0)
    return "-";
  return std::string(stallName(Stall(Most - States.begin())));
}

SourceView::SourceView(const SimulationResult &Result,
                       const SourceText &Source) {
  for (const LineSample &L : Result.Lines) {
    Line New;
    New.File = L.File < Result.Files.size() ? Result.Files[L.File] : "";
    New.Number = L.Line;
    New.Text = L.Line ? Source(New.File, L.Line) : "";
    New.Issued = L.Sample.Issued;
    New.Threads = L.Sample.Threads;
    New.States = L.Sample.Cycles;
    New.Cycles =
        std::accumulate(New.States.begin(), New.States.end(), uint64_t(0));
    New.Share = Result.WarpCycles ? double(New.Cycles) / Result.WarpCycles : 0;
    Lines.push_back(std::move(New));
  }
}

std::string SourceView::text() const {
  std::vector<const Line *> Costliest;
  for (const Line &L : Lines)
    if (L.Cycles)
      Costliest.push_back(&L);
  if (Costliest.empty())
    return "";
  // Pointers into one vector: ties keep the order of the file.
  std::ranges::sort(Costliest, [](const Line *A, const Line *B) {
    return A->Cycles != B->Cycles ? A->Cycles > B->Cycles : A < B;
  });
  if (Costliest.size() > LinesInText)
    Costliest.resize(LinesInText);

  TextTable Table("lrrll", {"line", "share", "warp inst", "mostly", "source"});
  for (const Line *L : Costliest)
    Table.row(
        {L->Number
             ? fmt::format("{}:{}",
                           std::filesystem::path(L->File).filename().string(),
                           L->Number)
             : "(no line)",
         percent(L->Share, 1), grouped(L->Issued), dominantState(L->States),
         trimmed(L->Text, 60)});
  return "Costliest source lines (share of warp cycles)\n" + Table.str();
}

void SourceView::addTo(JSON &Out) const {
  JSON &All = Out["source_lines"] = JSON::array();
  for (const Line &L : Lines) {
    JSON Cycles = JSON::object();
    for (unsigned S = 0; S < NumStalls; ++S)
      if (L.States[S])
        Cycles[std::string(stallName(Stall(S)))] = L.States[S];
    All.push_back({{"file", L.File},
                   {"line", L.Number},
                   {"warp_instructions", L.Issued},
                   {"thread_instructions", L.Threads},
                   {"warp_cycles", L.Cycles},
                   {"share", L.Share},
                   {"cycles", Cycles}});
  }
}

AnnotatedSource::AnnotatedSource(const SimulationResult &Result,
                                 const SourceText &Source)
    : WarpCycles(Result.WarpCycles) {
  // Lines come sorted by file and number.
  std::span<const LineSample> Rest(Result.Lines);
  while (!Rest.empty()) {
    size_t Count = 1;
    while (Count < Rest.size() && Rest[Count].File == Rest[0].File &&
           Rest[Count].Line <= Rest[Count - 1].Line + MaxGap &&
           Rest[Count - 1].Line)
      ++Count;
    if (Rest[0].Line && Rest[0].File < Result.Files.size())
      addPart(Result.Files[Rest[0].File], Rest.first(Count), Source);
    Rest = Rest.subspan(Count);
  }
}

void AnnotatedSource::addPart(const std::string &File,
                              std::span<const LineSample> Samples,
                              const SourceText &Source) {
  Part P;
  P.File = File;
  uint32_t First = Samples.front().Line, Last = Samples.back().Line;
  P.First = First > ContextLines ? First - ContextLines : 1;
  if (!Parts.empty() && Parts.back().File == File) {
    uint32_t Free = Parts.back().First + Parts.back().Lines.size();
    P.First = std::max(P.First, Free);
  }
  auto Next = Samples.begin();
  for (uint32_t N = P.First; N <= Last + ContextLines; ++N) {
    Line New;
    New.Text = Source(File, N);
    if (Next != Samples.end() && Next->Line == N) {
      New.Sample = Next->Sample;
      const StallCycles &Cycles = New.Sample.Cycles;
      New.Cycles = std::accumulate(Cycles.begin(), Cycles.end(), uint64_t(0));
      ++Next;
    }
    P.Lines.push_back(std::move(New));
  }
  // Blank lines at the end are those past the end of the file.
  while (!P.Lines.empty() && P.Lines.back().Text.empty() &&
         !P.Lines.back().Sample.Issued)
    P.Lines.pop_back();
  if (std::ranges::any_of(P.Lines,
                          [](const Line &L) { return !L.Text.empty(); }))
    Parts.push_back(std::move(P));
}

/// The costliest waits of a line: "long_scoreboard 65 %, wait 3 %".
static std::string waitsOf(const StallCycles &Cycles, uint64_t Whole) {
  static constexpr unsigned MaxNames = 2;
  static constexpr double LeastShare = 0.005;
  std::vector<unsigned> States;
  for (unsigned S = unsigned(Stall::NotSelected); S < NumStalls; ++S)
    if (Whole && Cycles[S] >= LeastShare * Whole)
      States.push_back(S);
  std::ranges::sort(States, [&](unsigned A, unsigned B) {
    return Cycles[A] != Cycles[B] ? Cycles[A] > Cycles[B] : A < B;
  });
  std::string Text;
  for (unsigned I = 0; I < States.size() && I < MaxNames; ++I)
    Text +=
        fmt::format("{}{} {:.0f} %", I ? ", " : "", stallName(Stall(States[I])),
                    100.0 * Cycles[States[I]] / Whole);
  return Text;
}

/// Tabs take as many columns as an editor shows.
static std::string withoutTabs(const std::string &Text) {
  static constexpr unsigned TabWidth = 4;
  std::string Out;
  for (char C : Text) {
    if (C != '\t')
      Out += C;
    else
      Out.append(TabWidth - Out.size() % TabWidth, ' ');
  }
  return Out;
}

std::string AnnotatedSource::text() const {
  std::string Text;
  for (const Part &P : Parts) {
    Text += fmt::format("{}{}\n", Text.empty() ? "" : "\n",
                        std::filesystem::path(P.File).filename().string());
    TextTable Table("rrrll", {"share", "warp inst", "line", "source", "waits"});
    for (size_t I = 0; I < P.Lines.size(); ++I) {
      const Line &L = P.Lines[I];
      bool Known = L.Sample.Issued || L.Cycles;
      Table.row({Known ? percent(L.Cycles, WarpCycles) : "",
                 Known ? grouped(L.Sample.Issued) : "",
                 std::to_string(P.First + I), withoutTabs(L.Text),
                 waitsOf(L.Sample.Cycles, WarpCycles)});
    }
    Text += Table.str();
  }
  return Text.empty() ? "" : "Annotated source\n" + Text;
}

void AnnotatedSource::addTo(JSON &Out) const {
  JSON &All = Out["sources"] = JSON::array();
  for (const Part &P : Parts) {
    JSON Lines = JSON::array();
    for (const Line &L : P.Lines)
      Lines.push_back(L.Text);
    All.push_back(
        {{"file", P.File}, {"first_line", P.First}, {"lines", Lines}});
  }
}

} // namespace heddle::views
