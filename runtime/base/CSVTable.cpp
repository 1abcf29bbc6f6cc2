//===- CSVTable.cpp - Tables as users keep them ---------------------------===//

#include "base/CSVTable.h"

#include "base/Fail.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace heddle {

int CSVTable::column(const std::string &Name) const {
  for (size_t I = 0; I < Columns.size(); ++I)
    if (Columns[I] == Name)
      return I;
  return -1;
}

/// Fields of one line; false if a quote is left open.
static bool splitLine(const std::string &Line, std::vector<std::string> &Out) {
  Out.assign(1, "");
  bool Quoted = false;
  for (size_t I = 0; I < Line.size(); ++I) {
    char C = Line[I];
    if (Quoted && C == '"' && I + 1 < Line.size() && Line[I + 1] == '"') {
      Out.back() += C;
      ++I;
    } else if (C == '"') {
      Quoted = !Quoted;
    } else if (C == ',' && !Quoted) {
      Out.emplace_back();
    } else if (C != '\r') {
      Out.back() += C;
    }
  }
  return !Quoted;
}

Result<CSVTable> readCSV(const std::string &Path) {
  std::ifstream In(Path);
  if (!In || std::filesystem::is_directory(Path))
    return fail("{}: {}", Path, In ? "Is a directory" : std::strerror(errno));
  return parseCSV(In, Path);
}

Result<CSVTable> parseCSV(std::istream &In, const std::string &Path) {
  CSVTable T;
  T.File = Path;
  std::string Line;
  std::vector<std::string> Fields;
  for (unsigned Number = 1; std::getline(In, Line); ++Number) {
    if (Line.empty() || Line == "\r" || Line[0] == '#')
      continue;
    if (!splitLine(Line, Fields))
      return fail("{}:{}: a quote is not closed", Path, Number);
    if (T.Columns.empty()) {
      T.Columns = Fields;
      continue;
    }
    if (Fields.size() != T.Columns.size())
      return fail("{}:{}: {} fields, the head has {}", Path, Number,
                  Fields.size(), T.Columns.size());
    T.Rows.push_back(Fields);
    T.Lines.push_back(Number);
  }
  if (T.Rows.empty())
    return fail(Path +
                ": no rows; a head line and at least one row are needed");
  return T;
}

} // namespace heddle
