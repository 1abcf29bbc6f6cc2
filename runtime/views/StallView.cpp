//===- StallView.cpp - What warps wait for --------------------------------===//

#include "views/StallView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

using namespace heddle::timing;

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
  TextTable Table(
      {TextTable::Left, TextTable::Right, TextTable::Right, TextTable::Left});
  Table.header({"warp state", "cycles/inst", "share", ""});
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

} // namespace heddle::views
