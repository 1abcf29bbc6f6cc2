//===- ResultDiffOutput.cpp - Text, JSON, JUnit and SARIF -----------------===//

#include "views/ResultDiff.h"
#include "views/ResultHead.h"
#include "views/TextTable.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace heddle::views {

static constexpr unsigned LinesInText = 8;

static std::string signedPercent(double Change) {
  return fmt::format("{:+.1f} %", 100 * Change);
}

static std::string change(double Before, double After) {
  return Before ? signedPercent(After / Before - 1) : "";
}

static std::string value(double V) {
  constexpr double MostGrouped = 1e18;
  if (V < 0 || V > MostGrouped)
    return fmt::format("{:g}", V);
  return V >= 1000 || V == std::floor(V) ? grouped(uint64_t(V + 0.5))
                                         : fmt::format("{:.3f}", V);
}

/// "reduction on v100: cycles 11,526 -> 14,000 (+21.5 %)".
static std::string headline(const ResultDiff &D, const DiffOptions &Options) {
  return fmt::format("{} on {}: {} {} -> {} ({})", D.Kernel, D.GPU,
                     Options.Metric, value(D.MetricBefore),
                     value(D.MetricAfter), signedPercent(D.change()));
}

static std::string limit(const DiffOptions &Options) {
  return fmt::format("more than {:g} % slower", 100 * *Options.FailOver);
}

static std::string remarks(const char *Name,
                           const std::vector<std::string> &Texts) {
  std::string Out;
  for (const std::string &Text : Texts)
    Out += fmt::format("  {}: {}\n", Name, Text);
  return Out;
}

static std::string placeOf(const ResultDiff::Line &L) {
  std::string Place = fmt::format(
      "{}:{}", std::filesystem::path(L.File).filename().string(), L.Number);
  if (!L.IsGone && L.NumberBefore && L.NumberBefore != L.Number)
    Place += fmt::format(" (was {})", L.NumberBefore);
  return Place + (L.IsGone ? " (gone)" : L.NumberBefore ? "" : " (new)");
}

static std::string pairText(const ResultDiff &D, const DiffOptions &Options) {
  std::string Text = headline(D, Options) +
                     (D.Regressed ? ": " + limit(Options) : "") + "\n" +
                     remarks("differs", D.Differs);
  TextTable Table("lrrr", {"", "before", "after", "change"});
  for (const auto &N : D.Numbers)
    Table.row(
        {N.Name, value(N.Before), value(N.After), change(N.Before, N.After)});
  for (size_t I = 0; I < D.States.size() && I < LinesInText; ++I)
    Table.row({"waits: " + D.States[I].Name,
               fmt::format("{:.2f}", D.States[I].Before),
               fmt::format("{:.2f}", D.States[I].After),
               change(D.States[I].Before, D.States[I].After)});
  Text += Table.str();
  if (!D.Lines.empty()) {
    TextTable Lines("lrrrl", {"line", "before", "after", "of the whole", ""});
    for (size_t I = 0; I < D.Lines.size() && I < LinesInText; ++I) {
      const auto &L = D.Lines[I];
      Lines.row({placeOf(L), value(L.Before), value(L.After),
                 signedPercent((L.After - L.Before) / D.MetricBefore),
                 L.Regressed ? "<- over the limit" : ""});
    }
    Text += Lines.str();
  }
  return Text + remarks("not compared", D.NotCompared);
}

std::string diffText(const ResultDiffs &Diffs, const DiffOptions &Options) {
  std::string Text;
  for (const ResultDiff &D : Diffs.Pairs)
    Text += (Text.empty() ? "" : "\n") + pairText(D, Options);
  if (!Diffs.NotCompared.empty())
    Text += "\n" + remarks("not compared", Diffs.NotCompared);
  return Text;
}

JSON diffJSON(const ResultDiffs &Diffs, const DiffOptions &Options,
              const std::string &Version) {
  JSON All = JSON::array();
  bool Regressed = false;
  auto numbers = [](const std::vector<ResultDiff::Number> &List) {
    JSON Out = JSON::object();
    for (const auto &N : List)
      Out[N.Name] = {{"before", N.Before}, {"after", N.After}};
    return Out;
  };
  for (const ResultDiff &D : Diffs.Pairs) {
    Regressed |= D.Regressed;
    JSON Lines = JSON::array();
    for (const auto &L : D.Lines)
      Lines.push_back({{"file", L.File},
                       {"line", L.Number},
                       {"line_before", L.NumberBefore},
                       {"gone", L.IsGone},
                       {"function", L.Function},
                       {"text", L.Text},
                       {"before", L.Before},
                       {"after", L.After},
                       {"regressed", L.Regressed}});
    All.push_back({{"kernel", D.Kernel},
                   {"gpu", D.GPU},
                   {"before_file", D.Before},
                   {"after_file", D.After},
                   {"before", D.MetricBefore},
                   {"after", D.MetricAfter},
                   {"change", D.change()},
                   {"regressed", D.Regressed},
                   {"numbers", numbers(D.Numbers)},
                   {"cpi_stack", numbers(D.States)},
                   {"lines", Lines},
                   {"differs", D.Differs},
                   {"not_compared", D.NotCompared}});
  }
  JSON Out = resultHead("diff", Version);
  Out["metric"] = Options.Metric;
  Out["fail_over"] = Options.FailOver ? JSON(*Options.FailOver) : JSON();
  Out["regressed"] = Regressed;
  Out["results"] = std::move(All);
  Out["not_compared"] = Diffs.NotCompared;
  return Out;
}

static std::string forXML(const std::string &Text) {
  std::string Out;
  for (unsigned char C : Text)
    switch (C) {
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '&':
      Out += "&amp;";
      break;
    case '"':
      Out += "&quot;";
      break;
    default:
      // XML 1.0 has no way to write the other control characters.
      Out += C < 0x20 ? ' ' : C;
    }
  return Out;
}

std::string diffJUnit(const ResultDiffs &Diffs, const DiffOptions &Options) {
  unsigned Failures = 0;
  std::string Cases;
  for (const ResultDiff &D : Diffs.Pairs) {
    std::string Head = forXML(headline(D, Options));
    Cases +=
        fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">\n",
                    forXML(D.Kernel), forXML(D.Kernel + " on " + D.GPU));
    if (D.Regressed) {
      ++Failures;
      Cases += fmt::format(
          "      <failure type=\"slower\" message=\"{}: {}\">{}</failure>\n",
          Head, forXML(limit(Options)), forXML(pairText(D, Options)));
    } else {
      Cases += "      <system-out>" + Head + "</system-out>\n";
    }
    Cases += "    </testcase>\n";
  }
  for (const std::string &Why : Diffs.NotCompared)
    Cases += fmt::format("    <testcase classname=\"heddle\" name=\"{0}\" "
                         "time=\"0\">\n      <skipped message=\"{0}\"/>\n"
                         "    </testcase>\n",
                         forXML(Why));
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites tests=\"{0}\" failures=\"{1}\">\n"
                     "  <testsuite name=\"heddle diff\" tests=\"{0}\" "
                     "failures=\"{1}\" errors=\"0\" skipped=\"{3}\">\n{2}"
                     "  </testsuite>\n</testsuites>\n",
                     Diffs.Pairs.size() + Diffs.NotCompared.size(), Failures,
                     Cases, Diffs.NotCompared.size());
}

JSON diffSARIF(const ResultDiffs &Diffs, const DiffOptions &Options,
               const std::string &Version) {
  JSON Results = JSON::array();
  auto location = [](const std::string &File, unsigned Line) {
    return JSON::array({{{"physicalLocation",
                          {{"artifactLocation", {{"uri", File}}},
                           {"region", {{"startLine", Line}}}}}}});
  };
  for (const ResultDiff &D : Diffs.Pairs) {
    if (D.Regressed) {
      JSON R = {{"ruleId", "slower-kernel"},
                {"level", "error"},
                {"message", {{"text", headline(D, Options)}}}};
      if (!D.Lines.empty() && !D.Lines[0].IsGone)
        R["locations"] = location(D.Lines[0].File, D.Lines[0].Number);
      Results.push_back(std::move(R));
    }
    for (const auto &L : D.Lines)
      if (L.Regressed)
        Results.push_back(
            {{"ruleId", "slower-line"},
             {"level", "warning"},
             {"message",
              {{"text",
                fmt::format(
                    "{} on {}: this line takes {} {} instead of {}, "
                    "{} of the whole",
                    D.Kernel, D.GPU, value(L.After), Options.Metric,
                    value(L.Before),
                    signedPercent((L.After - L.Before) / D.MetricBefore))}}},
             {"locations", location(L.File, L.Number)}});
  }
  auto rule = [](const char *Id, const char *Text) {
    return JSON{{"id", Id}, {"shortDescription", {{"text", Text}}}};
  };
  JSON Driver = {
      {"name", "heddle"},
      {"version", Version},
      {"rules",
       JSON::array({rule("slower-kernel",
                         "The kernel is slower than before by more than is "
                         "tolerated"),
                    rule("slower-line", "A line takes more time than before "
                                        "by more than is tolerated of the "
                                        "whole")})}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", JSON::array({{{"tool", {{"driver", Driver}}},
                                 {"results", Results}}})}};
}

} // namespace heddle::views
