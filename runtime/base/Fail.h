//===- Fail.h - A formatted message as a failure ----------------*- C++ -*-===//

#ifndef HEDDLE_BASE_FAIL_H
#define HEDDLE_BASE_FAIL_H

#include "base/Result.h"

#include <fmt/format.h>

namespace heddle {

/// fail() with the message that fmt::format makes of its arguments.
template <typename ArgT, typename... MoreT>
std::unexpected<Error> fail(fmt::format_string<ArgT, MoreT...> Format,
                            ArgT &&Arg, MoreT &&...More) {
  return fail(fmt::format(Format, std::forward<ArgT>(Arg),
                          std::forward<MoreT>(More)...));
}

} // namespace heddle

#endif // HEDDLE_BASE_FAIL_H
