//===- CPIStackView.cpp - Measured CPI stacks -----------------------------===//

#include "views/CPIStackView.h"

#include <fmt/format.h>

#include <algorithm>

using namespace heddle::interval;
using namespace heddle::timing;

namespace heddle::views {

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
