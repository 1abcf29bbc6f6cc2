//===- LinearFit.h - Least squares with integers ----------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_LINEARFIT_H
#define HEDDLE_BEHAVIOR_LINEARFIT_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle::behavior {

/// Rows of this many integers, and the value that belongs to each.
class LinearSamples {
public:
  explicit LinearSamples(size_t Columns) : Columns(Columns) {}
  void add(std::span<const int64_t> Row, int64_t Value) {
    Cells.insert(Cells.end(), Row.begin(), Row.end());
    Values.push_back(Value);
  }
  size_t columns() const { return Columns; }
  size_t rows() const { return Values.size(); }
  const int64_t *row(size_t I) const { return &Cells[I * Columns]; }
  int64_t value(size_t I) const { return Values[I]; }

private:
  size_t Columns;
  std::vector<int64_t> Cells, Values;
};

struct LinearFit {
  std::vector<int64_t> Coefficients; ///< of each column
  int64_t Constant = 0;
  double Explained = 0; ///< share of the rows that the function gives
};

/// Least squares over the columns that vary, rounded to integers; rows that are
/// far off are left out and the fit repeated up to \p Rounds times. The
/// constant is what most rows agree on.
LinearFit fitLinear(const LinearSamples &Samples, unsigned Rounds);

/// The band in which nearly all rows lie.
struct BandFit {
  std::vector<int64_t> Coefficients; ///< of each column
  int64_t Low = 0, High = 0;         ///< of what the function leaves
};

/// Least squares over the columns that vary, rounded to multiples of \p Unit;
/// of several fits, each without the rows that lie farthest from the one
/// before, that with the narrowest band.
BandFit fitBand(const LinearSamples &Samples, int64_t Unit);

/// The commonest of some values and its share.
std::pair<int64_t, double> commonest(std::vector<int64_t> Values);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_LINEARFIT_H
