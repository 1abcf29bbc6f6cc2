//===- Commands.h - The commands of the heddle tool -------------*- C++ -*-===//
//
// Each command lives in a file of its own (NameCommand.cpp) and adds itself to
// the tool: options, help text and what runs. A command's callback returns
// normally on success and throws CommandError otherwise; main() turns that
// into the message and the exit status.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMANDS_H
#define HEDDLE_TOOLS_COMMANDS_H

#include "base/Result.h"
#include "models/Models.h"

#include "llvm/Support/Error.h"

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Validator;
class Option;
} // namespace CLI

namespace heddle::tool {

/// Exit statuses of the tool (docs/Overview.md).
enum ExitStatus {
  Done = 0,
  BadInput = 1,
  BadUsage = 2,
  InternalError = 3,
  Regression = 4, ///< heddle diff --fail-over: slower than tolerated
  Interrupted = 5 ///< by Ctrl-C or SIGTERM; what was done by then is kept
};

struct CommandError {
  std::string Message; ///< without "error: "; empty if already printed
  ExitStatus Status = BadInput;
};

/// A formatted error of what is read, and of how the command is used.
template <typename... ArgTs>
CommandError inputError(fmt::format_string<ArgTs...> Format, ArgTs &&...Args) {
  return {fmt::format(Format, std::forward<ArgTs>(Args)...)};
}
template <typename... ArgTs>
CommandError usageError(fmt::format_string<ArgTs...> Format, ArgTs &&...Args) {
  return {fmt::format(Format, std::forward<ArgTs>(Args)...), BadUsage};
}

/// The value, or CommandError with the message.
template <typename T> T take(Result<T> Value) {
  if (!Value)
    throw CommandError{Value.error().Message};
  if constexpr (!std::is_void_v<T>)
    return std::move(*Value);
}
template <typename T> T take(std::expected<T, ModelError> Value) {
  if (!Value)
    throw CommandError{Value.error().Message,
                       Value.error().Is == ModelError::Request ? BadUsage
                                                               : BadInput};
  return std::move(*Value);
}

/// \p E as main() reports it.
CommandError commandError(llvm::Error E);
template <typename T> T take(llvm::Expected<T> Value) {
  if (!Value)
    throw commandError(Value.takeError());
  if constexpr (std::is_reference_v<T>)
    return *Value;
  else
    return std::move(*Value);
}
inline void take(llvm::Error E) {
  if (E)
    throw commandError(std::move(E));
}

/// \p E on its way through the library, which knows no exceptions.
llvm::Error asError(CommandError E);
/// \p Call for the library: what it throws comes back as an error.
template <typename Function> auto guarded(Function Call) {
  return [Call = std::move(Call)](auto &&...Args) mutable -> llvm::Error {
    try {
      Call(std::forward<decltype(Args)>(Args)...);
      return llvm::Error::success();
    } catch (CommandError &E) {
      return asError(std::move(E));
    }
  };
}

void addKernelsCommand(CLI::App &App);
void addAnalyzeCommand(CLI::App &App);
void addRunCommand(CLI::App &App);
void addTraceCommand(CLI::App &App);
/// What `heddle trace` does where no subcommand was given: writes a trace.
void addTraceWriting(CLI::App &Trace);
void addSimulateCommand(CLI::App &App);
void addEstimateCommand(CLI::App &App);
void addReportCommand(CLI::App &App);
void addDiffCommand(CLI::App &App);
void addValidateCommand(CLI::App &App);
void addSweepCommand(CLI::App &App);
void addTuneCommand(CLI::App &App);
void addGPUsCommand(CLI::App &App);
void addCalibrateCommand(CLI::App &App);
void addProfileCommand(CLI::App &App);
void addCloneCommand(CLI::App &App);
void addSampleCommand(CLI::App &App);
void addRecordCommand(CLI::App &App);
void addCcCommand(CLI::App &App);
void addHelpCommand(CLI::App &App);

/// Refuses a command line on which a file is written that the same command
/// reads, or that two options write: the result would take the source's place.
/// What a launch file names counts as read. Throws CommandError.
void checkOutputs(const CLI::App &App);

/// Turns what LLVM cannot go on from (an intrinsic that the architecture has no
/// instruction for) into a message and the exit status of wrong input; without
/// this it would abort the process.
void reportFatalErrors();
/// What LLVM said when it last gave up within a CrashRecoveryContext, once;
/// empty if it did not, but crashed.
std::string takeFatalError();

/// Does what the command line \p Words of nvcc asks for and returns the exit
/// status.
int runNvcc(const std::vector<std::string> &Words);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_COMMANDS_H
