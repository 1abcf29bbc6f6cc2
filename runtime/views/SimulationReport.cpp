//===- SimulationReport.cpp - All that a simulation has to tell -----------===//

#include "views/SimulationReport.h"

#include "views/AnnotatedSource.h"
#include "views/BottleneckView.h"
#include "views/CPIStackView.h"
#include "views/ControlFlowView.h"
#include "views/InstructionView.h"
#include "views/MemoryView.h"
#include "views/OccupancyView.h"
#include "views/PipeView.h"
#include "views/StallView.h"
#include "views/SummaryView.h"

#include <fstream>
#include <map>
#include <memory>

using namespace heddle::timing;

namespace heddle::views {

namespace {

/// A view and whether the text shows it; JSON has all.
struct Part {
  std::shared_ptr<const View> V;
  bool InText = true;
};

} // namespace

static std::vector<Part> partsOf(const SimulationResult &Result,
                                 const SourceText &Source,
                                 const ReportOptions &Options) {
  std::vector<Part> Parts;
  auto add = [&Parts](std::unique_ptr<View> V, bool InText = true) {
    Parts.push_back({std::move(V), InText});
  };
  add(std::make_unique<SummaryView>(Result));
  add(std::make_unique<StallView>(Result));
  add(std::make_unique<CPIStackView>(Result));
  if (Options.Code)
    add(std::make_unique<BottleneckView>(Result, *Options.Code),
        Options.Bottlenecks);
  add(std::make_unique<MemoryView>(Result));
  add(std::make_unique<PipeView>(Result));
  if (Options.Machine)
    add(std::make_unique<OccupancyView>(Options.Block, *Options.Machine,
                                        Result.Occupancy),
        Options.Occupancy);
  add(std::make_unique<SourceView>(Result, Source));
  add(std::make_unique<AnnotatedSource>(Result, Source), Options.Source);
  add(std::make_unique<InstructionView>(Result, Options.Code),
      Options.Instructions);
  if (Options.Flow)
    add(std::make_unique<ControlFlowView>(*Options.Flow), false);
  if (Options.Timeline)
    add(std::make_unique<TimelineView>(*Options.Timeline));
  for (const View *V : Options.Others)
    Parts.push_back({{std::shared_ptr<void>(), V}}); // not owned
  return Parts;
}

std::string reportText(const SimulationResult &Result, const SourceText &Source,
                       const ReportOptions &Options) {
  std::string Text;
  for (const Part &P : partsOf(Result, Source, Options)) {
    if (!P.InText)
      continue;
    if (std::string Paragraph = P.V->text(); !Paragraph.empty())
      Text += (Text.empty() ? "" : "\n") + Paragraph;
  }
  return Text;
}

JSON reportJSON(const SimulationResult &Result, const SourceText &Source,
                const std::string &Version, const ReportOptions &Options) {
  JSON Out;
  Out["tool"] = "heddle";
  Out["version"] = Version;
  for (const Part &P : partsOf(Result, Source, Options))
    P.V->addTo(Out);
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
