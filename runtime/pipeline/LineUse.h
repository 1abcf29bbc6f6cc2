//===- LineUse.h - Sectors of the lines that blocks share ------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_LINEUSE_H
#define HEDDLE_PIPELINE_LINEUSE_H

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle::pipeline {

/// Lines that blocks have in common, and sectors of them, from what half of the
/// blocks touch and all of them. Each is taken for N (1 - exp(-x)) of x blocks,
/// as where these draw from N at random: two counts tell N. Times are multiples
/// of the blocks.
class LineUse {
public:
  struct Count {
    double Lines = 0, Sectors = 0;
    void add(bool NewLine, uint16_t NewSectors) {
      Lines += NewLine;
      Sectors += std::popcount(NewSectors);
    }
  };
  Count Half, All;

  /// When there are so many lines.
  double until(double Number) const {
    const double Left = left(Half.Lines, All.Lines);
    if (Left >= 1)
      return Number / std::max(1.0, All.Lines);
    const double Most = Half.Lines / (1 - Left);
    return Number >= Most || Left <= 0
               ? std::numeric_limits<double>::infinity()
               : std::log(1 - Number / Most) / (2 * std::log(Left));
  }
  double sectorsPerLine(double Times) const {
    if (All.Lines <= 0)
      return 1;
    return std::max(1.0, at(Half.Sectors, All.Sectors, Times) /
                             at(Half.Lines, All.Lines, Times));
  }

private:
  /// The share of the N that half of the blocks leave; 1: N is unknown.
  static double left(double Half, double All) {
    return Half > 0 ? std::clamp(All / Half - 1, 0.0, 1.0) : 1;
  }
  static double at(double Half, double All, double Times) {
    const double Left = left(Half, All);
    return Left >= 1 ? All * Times
                     : Half * (1 - std::pow(Left, 2 * Times)) / (1 - Left);
  }
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_LINEUSE_H
