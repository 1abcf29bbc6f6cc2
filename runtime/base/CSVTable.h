//===- CSVTable.h - Tables as users keep them -------------------*- C++ -*-===//

#ifndef HEDDLE_BASE_CSVTABLE_H
#define HEDDLE_BASE_CSVTABLE_H

#include "base/Result.h"

#include <istream>
#include <string>
#include <vector>

namespace heddle {

/// A CSV file with a head line. Commas separate, "..." quotes, "" is a quote.
struct CSVTable {
  std::string File;
  std::vector<std::string> Columns;
  std::vector<std::vector<std::string>> Rows;
  std::vector<unsigned> Lines; ///< of the rows, in the file

  /// Index of a column, -1 if there is none.
  int column(const std::string &Name) const;
};

/// Fails with the line for rows of another length than the head.
Result<CSVTable> readCSV(const std::string &Path);
Result<CSVTable> parseCSV(std::istream &In, const std::string &Path);

} // namespace heddle

#endif // HEDDLE_BASE_CSVTABLE_H
