//===- Failure.h - Why the library could not do what was asked --*- C++ -*-===//

#ifndef HEDDLE_DRIVER_FAILURE_H
#define HEDDLE_DRIVER_FAILURE_H

#include "base/Result.h"
#include "models/Models.h"

#include "llvm/Support/Error.h"

#include <string>
#include <system_error>

namespace heddle {

/// An error of the library: who is at fault, and one message that says what is
/// wrong and what to do, ready to print after "error: ". Errors of other
/// classes, as LLVM makes them, count as faults of the input.
class Failure : public llvm::ErrorInfo<Failure> {
public:
  enum Kind {
    Input,     ///< a file, a kernel or a launch is at fault
    Request,   ///< what was asked for does not go together
    Cancelled, ///< a progress callback returned false
    Internal   ///< Heddle is at fault
  };
  static char ID;

  Failure(Kind Is, std::string Message) : Is(Is), Message(std::move(Message)) {}
  Kind kind() const { return Is; }
  const std::string &text() const { return Message; }

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  Kind Is;
  std::string Message;
};

inline llvm::Error failure(std::string Message,
                           Failure::Kind Is = Failure::Input) {
  return llvm::make_error<Failure>(Is, std::move(Message));
}
inline llvm::Error cancelled() {
  return failure("interrupted", Failure::Cancelled);
}

/// What the runtime half returns, as the compiler half returns it.
template <typename T> llvm::Expected<T> expected(Result<T> R) {
  if (!R)
    return failure(std::move(R.error().Message));
  return std::move(*R);
}
inline llvm::Error expected(Result<void> R) {
  return R ? llvm::Error::success() : failure(std::move(R.error().Message));
}
template <typename T>
llvm::Expected<T> expected(std::expected<T, ModelError> R) {
  if (R)
    return std::move(*R);
  static constexpr Failure::Kind Kinds[] = {
      Failure::Input, Failure::Request, Failure::Cancelled, Failure::Internal};
  return failure(std::move(R.error().Message), Kinds[R.error().Is]);
}
/// The other way round, for sources and callbacks of the runtime half.
inline std::unexpected<Error> unexpected(llvm::Error E) {
  return fail(llvm::toString(std::move(E)));
}

} // namespace heddle

#endif // HEDDLE_DRIVER_FAILURE_H
