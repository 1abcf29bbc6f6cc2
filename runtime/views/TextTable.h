//===- TextTable.h - Columns of text ----------------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_TEXTTABLE_H
#define HEDDLE_VIEWS_TEXTTABLE_H

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::views {

/// Rows of cells, printed with columns as wide as their widest cell. Numbers
/// stand right, words left.
class TextTable {
public:
  /// \p Columns has a letter for each, 'l' or 'r'; without \p Header the table
  /// begins with its first row.
  explicit TextTable(std::string Columns, std::vector<std::string> Header = {})
      : Columns(std::move(Columns)), Header(std::move(Header)) {}

  void row(std::vector<std::string> Cells) { Rows.push_back(std::move(Cells)); }
  /// A row of a name and a formatted text.
  template <typename... ArgTs>
  void line(std::string Name, fmt::format_string<ArgTs...> Format,
            ArgTs &&...Args) {
    row({std::move(Name), fmt::format(Format, std::forward<ArgTs>(Args)...)});
  }
  bool hasRows() const { return !Rows.empty(); }
  /// The table, each line indented by two spaces and without trailing blanks.
  std::string str() const;

private:
  std::string Columns;
  std::vector<std::string> Header;
  std::vector<std::vector<std::string>> Rows;
};

/// A kernel's name for a table: of one longer than 64 letters, as templates of
/// templates have, the middle is left out.
std::string shortName(const std::string &Name);
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
