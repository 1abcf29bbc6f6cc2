//===- AdviceView.cpp - What lifting each limit would bring ---------------===//

#include "views/AdviceView.h"

#include "views/TextTable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heddle::views {

/// Below this a gain is not worth a line of the text.
static constexpr double LeastSpeedUp = 1.01;

AdviceView::AdviceView(std::string Model, uint64_t Cycles,
                       std::vector<Lift> Lifts,
                       std::vector<std::string> NotModelled,
                       std::vector<std::string> NotTried)
    : Model(std::move(Model)), Cycles(Cycles), Lifts(std::move(Lifts)),
      NotModelled(std::move(NotModelled)), NotTried(std::move(NotTried)) {
  std::ranges::stable_sort(this->Lifts, {}, &Lift::Cycles);
}

std::string AdviceView::text() const {
  std::string Out = fmt::format(
      "Advice (model {}; each limit lifted alone: at most this gain)\n", Model);
  TextTable Table("lrrll",
                  {"without", "cycles", "speed-up", "most at", "what to try"});
  unsigned Shown = 0;
  for (const Lift &L : Lifts) {
    if (speedUp(L) < LeastSpeedUp)
      continue;
    ++Shown;
    Table.row({L.Limit, grouped(L.Cycles), fmt::format("{:.2f}", speedUp(L)),
               L.Line ? fmt::format("{}:{}", L.File, L.Line) : "", L.Hint});
  }
  Out += Shown        ? Table.str()
         : !isWhole() ? ""
                      : fmt::format("  no limit costs more than {:.0f} %\n",
                                    (LeastSpeedUp - 1) * 100);
  if (!NotModelled.empty())
    Out +=
        fmt::format("  not in this model: {}\n", fmt::join(NotModelled, ", "));
  if (!isWhole())
    Out += fmt::format("  interrupted; not tried: {}\n",
                       fmt::join(NotTried, ", "));
  return Out;
}

void AdviceView::addTo(JSON &Out) const {
  JSON &Advice = Out["advice"] = JSON::object();
  Advice["model"] = Model;
  Advice["cycles"] = Cycles;
  JSON &List = Advice["lifted"] = JSON::array();
  for (const Lift &L : Lifts) {
    JSON Row = {{"limit", L.Limit},
                {"set", L.Sets},
                {"cycles", L.Cycles},
                {"speed_up", speedUp(L)},
                {"try", L.Hint}};
    if (L.Line) {
      Row["file"] = L.File;
      Row["line"] = L.Line;
    }
    List.push_back(std::move(Row));
  }
  Advice["not_modelled"] = NotModelled;
  if (!isWhole())
    Advice["not_tried"] = NotTried;
}

} // namespace heddle::views
