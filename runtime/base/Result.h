//===- Result.h - A value or the message for the user -----------*- C++ -*-===//

#ifndef HEDDLE_BASE_RESULT_H
#define HEDDLE_BASE_RESULT_H

#include <expected>
#include <string>
#include <utility>

namespace heddle {

/// What is at fault and what to do about it, ready to print after "error: ".
/// Readers of files put "FILE:LINE: " or "FILE: offset N: " in front.
struct Error {
  std::string Message;
};

template <typename T> using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(std::string Message) {
  return std::unexpected(Error{std::move(Message)});
}

} // namespace heddle

#endif // HEDDLE_BASE_RESULT_H
