//===- SourceView.cpp - The costliest source lines ------------------------===//

#include "views/SourceView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

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

  TextTable Table({TextTable::Left, TextTable::Right, TextTable::Right,
                   TextTable::Left, TextTable::Left});
  Table.header({"line", "share", "warp inst", "mostly", "source"});
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

} // namespace heddle::views
