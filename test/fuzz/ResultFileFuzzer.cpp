//===- ResultFileFuzzer.cpp - Hostile results and tables ------------------===//
//
// The first byte says what the rest is: results as JSON, which are compared
// with themselves, or a table as CSV.
//
//===----------------------------------------------------------------------===//

#include "JSONMutator.h"

#include "base/CSVTable.h"
#include "views/ResultDiff.h"

#include <cstdlib>
#include <sstream>

using namespace heddle;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

static void fuzzResults(const std::string &Text) {
  const auto Results = views::parseResults(Text, "fuzz.json", "");
  if (!Results)
    return require(!Results.error().Message.empty());
  const views::DiffOptions Options = {"cycles", 0.1};
  const auto Diffs = views::diffResults(*Results, *Results, Options);
  if (!Diffs)
    return require(!Diffs.error().Message.empty());
  for (const views::ResultDiff &D : Diffs->Pairs)
    require(D.MetricBefore != D.MetricAfter || !D.Regressed);
  (void)views::diffText(*Diffs, Options);
  (void)views::diffJSON(*Diffs, Options, "1");
  (void)views::diffJUnit(*Diffs, Options);
  (void)views::diffSARIF(*Diffs, Options, "1");
}

static void fuzzTable(const std::string &Text) {
  std::istringstream In(Text);
  const auto Table = parseCSV(In, "fuzz.csv");
  if (!Table)
    return require(!Table.error().Message.empty());
  for (const auto &Row : Table->Rows)
    require(Row.size() == Table->Columns.size());
  require(Table->Rows.size() == Table->Lines.size());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  if (Size == 0)
    return 0;
  const std::string Text(reinterpret_cast<const char *>(Bytes + 1), Size - 1);
  Bytes[0] % 2 ? fuzzTable(Text) : fuzzResults(Text);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  return fuzz::mutateJSON(Data, 1, Size, MaxSize, Seed);
}
