//===- LeakCheck.h - Nothing of the original in a clone ---------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_LEAKCHECK_H
#define HEDDLE_SYNTHESIS_LEAKCHECK_H

#include <optional>
#include <span>
#include <string>

namespace heddle::synthesis {

/// The first of \p Names that stands as a word in \p Text. Names of fewer than
/// four letters say nothing and are not looked for.
std::optional<std::string> findLeak(const std::string &Text,
                                    std::span<const std::string> Names);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_LEAKCHECK_H
