//===- TextTable.cpp - Columns of text ------------------------------------===//

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::views {

/// Columns that \p Text takes on a terminal: UTF-8 continuation bytes take
/// none.
static size_t width(const std::string &Text) {
  return std::ranges::count_if(
      Text, [](unsigned char C) { return (C & 0xC0) != 0x80; });
}

std::string TextTable::str() const {
  std::vector<size_t> Widths(Columns.size());
  auto widen = [&](const std::vector<std::string> &Row) {
    for (size_t C = 0; C < Row.size(); ++C)
      Widths[C] = std::max(Widths[C], width(Row[C]));
  };
  widen(Header);
  std::ranges::for_each(Rows, widen);

  std::string Text;
  auto add = [&](const std::vector<std::string> &Row) {
    std::string Line = " ";
    for (size_t C = 0; C < Row.size(); ++C) {
      const std::string Padding(Widths[C] - width(Row[C]), ' ');
      Line += C ? "  " : " ";
      Line += Columns[C] == 'r' ? Padding + Row[C] : Row[C] + Padding;
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    Text += Line + '\n';
  };
  if (!Header.empty()) {
    add(Header);
    std::vector<std::string> Rules;
    for (size_t Width : Widths)
      Rules.emplace_back(Width, '-');
    add(Rules);
  }
  std::ranges::for_each(Rows, add);
  return Text;
}

std::string shortName(const std::string &Name) {
  constexpr size_t Most = 64, Tail = 20;
  if (Name.size() <= Most)
    return Name;
  return Name.substr(0, Most - 3 - Tail) + "..." +
         Name.substr(Name.size() - Tail);
}

std::string grouped(uint64_t Value) {
  std::string Digits = std::to_string(Value);
  for (int At = int(Digits.size()) - 3; At > 0; At -= 3)
    Digits.insert(At, ",");
  return Digits;
}

std::string cyclesText(double Cycles, double Overhead, double Counted) {
  auto whole = [](double V) { return grouped(uint64_t(std::llround(V))); };
  return fmt::format(fmt::runtime(Counted > 0
                                      ? "{}, of which {} launch overhead"
                                      : "{}, without {} of launch overhead"),
                     whole(Cycles), whole(Overhead));
}

std::string percent(double Part, double Whole) {
  return Whole > 0 ? fmt::format("{:.1f} %", 100 * Part / Whole) : "-";
}

std::string bytes(double Value) {
  static constexpr const char *Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned U = 0;
  for (; Value >= 1024 && U + 1 < std::size(Units); ++U)
    Value /= 1024;
  return U ? fmt::format("{:.1f} {}", Value, Units[U])
           : fmt::format("{:.0f} B", Value);
}

std::string ignoredText(const std::vector<std::string> &Fields) {
  return fmt::format("{} (set, but this model does not read {})",
                     fmt::join(Fields, ", "),
                     Fields.size() == 1 ? "it" : "them");
}

} // namespace heddle::views
