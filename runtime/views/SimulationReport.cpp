//===- SimulationReport.cpp - All that a simulation has to tell -----------===//

#include "views/SimulationReport.h"

#include "views/InstructionView.h"
#include "views/MemoryView.h"
#include "views/PipeView.h"
#include "views/StallView.h"
#include "views/SummaryView.h"

#include <fstream>
#include <map>
#include <memory>

using namespace heddle::timing;

namespace heddle::views {

static std::vector<std::unique_ptr<View>>
viewsOf(const SimulationResult &Result, const SourceText &Source) {
  std::vector<std::unique_ptr<View>> Views;
  Views.push_back(std::make_unique<SummaryView>(Result));
  Views.push_back(std::make_unique<StallView>(Result));
  Views.push_back(std::make_unique<MemoryView>(Result));
  Views.push_back(std::make_unique<PipeView>(Result));
  Views.push_back(std::make_unique<SourceView>(Result, Source));
  return Views;
}

std::string reportText(const SimulationResult &Result, const SourceText &Source,
                       const ReportOptions &Options) {
  auto Views = viewsOf(Result, Source);
  if (Options.Instructions)
    Views.push_back(std::make_unique<InstructionView>(Result));
  std::string Text;
  for (const auto &V : Views)
    if (std::string Paragraph = V->text(); !Paragraph.empty())
      Text += (Text.empty() ? "" : "\n") + Paragraph;
  return Text;
}

JSON reportJSON(const SimulationResult &Result, const SourceText &Source,
                const std::string &Version) {
  JSON Out;
  Out["tool"] = "heddle";
  Out["version"] = Version;
  for (const auto &V : viewsOf(Result, Source))
    V->addTo(Out);
  InstructionView(Result).addTo(Out);
  Out["seconds"] = Result.SecondsCPU;
  return Out;
}

SourceText sourceFromFiles() {
  auto Cache =
      std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [Cache](const std::string &File, uint32_t Line) -> std::string {
    auto [It, IsNew] = Cache->try_emplace(File);
    if (IsNew) {
      std::ifstream In(File);
      for (std::string Text; std::getline(In, Text);)
        It->second.push_back(std::move(Text));
    }
    return Line >= 1 && Line <= It->second.size() ? It->second[Line - 1] : "";
  };
}

} // namespace heddle::views
