//===- SimulationReport.cpp - All that a simulation has to tell -----------===//

#include "views/SimulationReport.h"

#include "views/BottleneckView.h"
#include "views/ControlFlowView.h"
#include "views/InstructionView.h"
#include "views/MemoryView.h"
#include "views/OccupancyView.h"
#include "views/ResultHead.h"
#include "views/RooflineView.h"
#include "views/SourceView.h"
#include "views/StallView.h"
#include "views/SummaryView.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

using namespace heddle::timing;

namespace heddle::views {

namespace {

/// A view, its section, and whether the text shows it; JSON has all.
struct Part {
  std::shared_ptr<const View> V;
  std::string_view Section;
  bool InText = true;
};

constexpr std::string_view Sections[] = {
    "Summary",
    "WarpStateStats",
    "CPIStack",
    "Bottlenecks",
    "MemoryWorkloadAnalysis",
    "ComputeWorkloadAnalysis",
    "SpeedOfLight_RooflineChart",
    "Occupancy",
    "SourceCounters",
    "Source",
    "Instructions",
};

} // namespace

std::vector<std::string> sectionNames() {
  return {std::begin(Sections), std::end(Sections)};
}

static std::vector<Part> partsOf(const SimulationResult &Result,
                                 const SourceText &Source,
                                 const ReportOptions &Options) {
  std::vector<Part> Parts;
  auto add = [&](std::string_view Section, std::unique_ptr<View> V,
                 bool InText = true) {
    if (!Options.Sections.empty())
      InText = std::ranges::find(Options.Sections, Section) !=
               Options.Sections.end();
    Parts.push_back({std::move(V), Section, InText});
  };
  const trace::CodeTable *Code = Options.Code;
  const arch::GPUSpec *Machine = Options.Machine;
  add("Summary", std::make_unique<SummaryView>(Result));
  add("WarpStateStats", std::make_unique<StallView>(Result));
  add("CPIStack", std::make_unique<CPIStackView>(Result));
  if (Code)
    add("Bottlenecks",
        std::make_unique<BottleneckView>(
            Result, *Code,
            !Options.Machine || Options.Machine->SM.ExpandInstructions),
        Options.Bottlenecks);
  add("MemoryWorkloadAnalysis", std::make_unique<MemoryView>(Result));
  add("ComputeWorkloadAnalysis", std::make_unique<PipeView>(Result));
  if (Code && Machine)
    add("SpeedOfLight_RooflineChart",
        std::make_unique<RooflineView>(Result, *Code, *Machine),
        Options.Roofline);
  if (Machine)
    add("Occupancy",
        std::make_unique<OccupancyView>(Options.Block, *Machine,
                                        Result.Occupancy),
        Options.Occupancy);
  add("SourceCounters", std::make_unique<SourceView>(Result, Source));
  add("Source", std::make_unique<AnnotatedSource>(Result, Source),
      Options.Source);
  add("Instructions", std::make_unique<InstructionView>(Result, Code),
      Options.Instructions);
  if (Options.Flow)
    add("", std::make_unique<ControlFlowView>(*Options.Flow), false);
  if (Options.Timeline)
    Parts.push_back({std::make_unique<TimelineView>(*Options.Timeline), ""});
  for (const View *V : Options.Others)
    Parts.push_back({{std::shared_ptr<void>(), V}, ""}); // not owned
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
  JSON Out = resultHead("simulation", Version);
  for (const Part &P : partsOf(Result, Source, Options))
    P.V->addTo(Out);
  if (Options.Machine)
    addMachine(Out, *Options.Machine);
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
