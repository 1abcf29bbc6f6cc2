//===- PipeView.cpp - How busy the pipes of the SMs are -------------------===//

#include "views/PipeView.h"

#include "views/TextTable.h"

using namespace heddle::timing;

namespace heddle::views {

std::string PipeView::text() const {
  TextTable Table({TextTable::Left, TextTable::Right, TextTable::Right});
  Table.header({"pipe", "instructions", "busy"});
  bool Any = false;
  for (const PipeCounters &P : Result.Pipes) {
    if (!P.Issued)
      continue;
    Any = true;
    Table.row({P.Name, grouped(P.Issued), percent(P.Utilization, 1)});
  }
  return Any ? "Pipes\n" + Table.str() : "";
}

void PipeView::addTo(JSON &Out) const {
  JSON &Pipes = Out["pipes"] = JSON::object();
  for (const PipeCounters &P : Result.Pipes)
    Pipes[P.Name] = {{"instructions", P.Issued},
                     {"busy_cycles", P.BusyCycles},
                     {"instances", P.Instances},
                     {"utilization", P.Utilization}};
}

} // namespace heddle::views
