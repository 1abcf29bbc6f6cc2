//===- TextTable.h - Columns of text ----------------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_TEXTTABLE_H
#define HEDDLE_VIEWS_TEXTTABLE_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::views {

/// Rows of cells, printed with columns as wide as their widest cell. Numbers
/// stand right, words left.
class TextTable {
public:
  enum Align { Left, Right };

  explicit TextTable(std::vector<Align> Columns)
      : Columns(std::move(Columns)) {}

  void header(std::vector<std::string> Cells);
  void row(std::vector<std::string> Cells);
  /// The table, each line indented by two spaces and without trailing blanks.
  std::string str() const;

private:
  std::vector<Align> Columns;
  std::vector<std::vector<std::string>> Rows;
  bool HasHeader = false;
};

/// 1234567 as "1,234,567".
std::string grouped(uint64_t Value);
/// The cycles of a launch, and whether \p Counted of its overhead are in them.
std::string cyclesText(double Cycles, double Overhead, double Counted);
/// \p Part of \p Whole as "12.3 %", "-" if there is no whole.
std::string percent(double Part, double Whole);
/// Bytes with a binary unit: "512 B", "1.5 KiB".
std::string bytes(double Value);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_TEXTTABLE_H
