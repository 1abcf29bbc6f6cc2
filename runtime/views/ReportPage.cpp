//===- ReportPage.cpp - Results as one HTML page --------------------------===//

#include "views/ReportPage.h"

#include "base/JSONText.h"
#include "views/PageFiles.h"

#include <fmt/format.h>

#include <set>

namespace heddle::views {

/// Inside <script> nothing may look like a tag.
static std::string forScript(const JSON &Data) {
  std::string Text = jsonText(Data);
  std::string Out;
  Out.reserve(Text.size());
  for (char C : Text)
    C == '<' ? Out += "\\u003c" : Out += C;
  return Out;
}

static std::string forHTML(const std::string &Text) {
  std::string Out;
  for (char C : Text)
    switch (C) {
    case '<':
      Out += "&lt;";
      break;
    case '&':
      Out += "&amp;";
      break;
    default:
      Out += C;
    }
  return Out;
}

std::string reportPage(std::span<const PageResult> Results,
                       const std::string &Version) {
  JSON All = JSON::array(), Names = JSON::array(), Graphs = JSON::array();
  JSON Flows = JSON::array();
  std::string Title;
  for (const PageResult &R : Results) {
    All.push_back(R.Data);
    Names.push_back(R.Name);
    Graphs.push_back(R.Graphs);
    Flows.push_back(R.Flow);
    std::string Kernel = R.Data.value("kernel", std::string());
    if (Title.find(Kernel) == std::string::npos)
      Title += (Title.empty() ? "" : ", ") + Kernel;
  }
  JSON Data = {{"version", Version},
               {"results", std::move(All)},
               {"names", std::move(Names)},
               {"graphs", std::move(Graphs)},
               {"flows", std::move(Flows)}};
  const PageFiles &Files = pageFiles();
  std::string Page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n";
  Page += "<title>" + forHTML(Title) + " - Heddle</title>\n";
  Page += fmt::format("<style>\n{}</style>\n</head>\n<body>\n", Files.Style);
  Page += "<script type=\"application/json\" id=\"data\">" + forScript(Data) +
          "</script>\n";
  for (std::string_view Script : {Files.ChartJS, Files.Base, Files.Sections,
                                  Files.Source, Files.Roofline, Files.Page})
    Page += fmt::format("<script>\n{}\n</script>\n", Script);
  return Page + "</body>\n</html>\n";
}

static std::string dotString(const std::string &Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C == '\n' ? ' ' : C;
  }
  return Out + '"';
}

std::string chainGraph(const JSON &Bottleneck) {
  const auto Chain = Bottleneck.find("chain");
  if (Chain == Bottleneck.end() || !Chain->is_array() || Chain->size() < 2)
    return "";
  std::string Dot = "digraph chain {\n  bgcolor=transparent; nodesep=0.25; "
                    "ranksep=0.28;\n  node [shape=box, style=rounded, "
                    "fontname=\"DejaVu Sans Mono\", fontsize=10, height=0.3, "
                    "margin=\"0.12,0.05\"];\n  edge [arrowsize=0.6];\n";
  // Instructions that nothing in the chain depends on, and that depend on
  // nothing in it, say nothing in a graph.
  std::set<int64_t> Linked;
  std::string Arrows;
  for (const JSON &Link : *Chain)
    for (const JSON &Producer : Link.value("after", JSON::array())) {
      int64_t From = Producer, To = Link.value("instruction", int64_t(0));
      Linked.insert({From, To});
      // An instruction that feeds itself or one above it: a loop.
      bool Back = From >= To;
      Arrows += fmt::format("  n{} -> n{}{};\n", From, To,
                            Back ? " [style=dashed, constraint=false]" : "");
    }
  if (Linked.empty())
    return "";
  for (const JSON &Link : *Chain) {
    int64_t Number = Link.value("instruction", int64_t(0));
    if (!Linked.contains(Number))
      continue;
    std::string Role = Link.value("role", std::string());
    const char *Class = Role.starts_with("wait")     ? "waits"
                        : Role == "cause"            ? "cause"
                        : Role.starts_with("what")   ? "cause"
                        : Role.starts_with("before") ? "before"
                                                     : "waits";
    std::string Label = dotString(Link.value("text", std::string()));
    if (std::string Place = Link.value("place", std::string());
        !Place.empty()) {
      Label.pop_back();
      Label += "\\n" + dotString(Place).substr(1);
    }
    Dot += fmt::format("  n{} [label={}, class={}];\n", Number, Label, Class);
  }
  return Dot + Arrows + "}\n";
}

} // namespace heddle::views
