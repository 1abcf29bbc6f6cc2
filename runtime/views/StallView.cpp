//===- StallView.cpp - What warps wait for --------------------------------===//

#include "views/StallView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

using namespace heddle::timing;

using namespace heddle::interval;

namespace heddle::views {

StallView::StallView(const SimulationResult &Result) {
  if (!Result.WarpInstructions)
    return;
  for (unsigned S = 0; S < NumStalls; ++S) {
    State New{std::string(stallName(Stall(S))),
              double(Result.Stalls[S]) / Result.WarpInstructions,
              Result.WarpCycles ? double(Result.Stalls[S]) / Result.WarpCycles
                                : 0};
    Total += New.CyclesPerInstruction;
    States.push_back(std::move(New));
  }
  std::ranges::sort(States, [](const State &A, const State &B) {
    return std::tie(B.CyclesPerInstruction, A.Name) <
           std::tie(A.CyclesPerInstruction, B.Name);
  });
}

std::string StallView::text() const {
  if (States.empty())
    return "";
  static constexpr unsigned BarWidth = 40;
  TextTable Table("lrrl", {"warp state", "cycles/inst", "share", ""});
  for (const State &S : States)
    if (S.CyclesPerInstruction > 0)
      Table.row({S.Name, fmt::format("{:.2f}", S.CyclesPerInstruction),
                 percent(S.Share, 1),
                 std::string(size_t(S.Share * BarWidth + 0.5), '#')});
  Table.row({"total", fmt::format("{:.2f}", Total), "", ""});
  return "Warp states (cycles between two instructions of a warp)\n" +
         Table.str();
}

void StallView::addTo(JSON &Out) const {
  JSON &Stack = Out["cpi_stack"] = JSON::object();
  for (const State &S : States)
    Stack[S.Name] = S.CyclesPerInstruction;
}

std::string PipeView::text() const {
  TextTable Table("lrr", {"pipe", "instructions", "busy"});
  for (const PipeCounters &P : Result.Pipes)
    if (P.Issued)
      Table.row({P.Name, grouped(P.Issued), percent(P.Utilization, 1)});
  return Table.hasRows() ? "Pipes\n" + Table.str() : "";
}

void PipeView::addTo(JSON &Out) const {
  JSON &Pipes = Out["pipes"] = JSON::object();
  for (const PipeCounters &P : Result.Pipes)
    Pipes[P.Name] = {{"instructions", P.Issued},
                     {"busy_cycles", P.BusyCycles},
                     {"instances", P.Instances},
                     {"utilization", P.Utilization}};
}

CPIStackView::CPIStackView(const SimulationResult &Result) {
  if (!Result.WarpInstructions || !Result.WarpCycles)
    return;
  auto Busy = std::ranges::count_if(
      Result.SMs, [](const SMSummary &S) { return S.WarpInstructions > 0; });
  uint64_t Cycles =
      Result.Cycles - std::min(Result.Cycles, Result.CountedLaunch);
  CoreCPI = double(Cycles) * double(Busy) / double(Result.WarpInstructions);
  const double Scale = CoreCPI / double(Result.WarpCycles);
  breakDown(Result.Stalls, Result.LoadWaits, Scale, Parts, Categories);
}

std::string CPIStackView::text() const {
  if (CoreCPI <= 0)
    return "";
  std::string Text = fmt::format("CPI of an SM {:.3f}\n  by level  ", CoreCPI);
  for (unsigned P = 0; P < NumStackParts; ++P)
    Text += fmt::format("{}{} {:.3f}", P ? ", " : "",
                        stackPartName(StackPart(P)), Parts[P]);
  Text += "\n  by cause  ";
  for (unsigned C = 0; C < NumCategories; ++C)
    Text += fmt::format("{}{} {:.3f}", C ? ", " : "", categoryName(Category(C)),
                        Categories[C]);
  return Text + "\n";
}

void CPIStackView::addTo(JSON &Out) const {
  Out["core_cpi"] = CoreCPI;
  JSON &Levels = Out["gpumech_stack"] = JSON::object();
  for (unsigned P = 0; P < NumStackParts; ++P)
    Levels[std::string(stackPartName(StackPart(P)))] = Parts[P];
  JSON &Causes = Out["cpi_categories"] = JSON::object();
  for (unsigned C = 0; C < NumCategories; ++C)
    Causes[std::string(categoryName(Category(C)))] = Categories[C];
}

} // namespace heddle::views
