//===- CommonOptions.h - Options that commands share ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMONOPTIONS_H
#define HEDDLE_TOOLS_COMMONOPTIONS_H

#include "Commands.h"
#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/ResultInputs.h"
#include "heddle/Driver/Session.h"
#include "views/View.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace heddle::tool {

/// A kernel and its launch, and what every command takes beside them. Notes go
/// to standard error, and Ctrl-C cancels.
struct SessionOptions : heddle::SessionOptions {
  SessionOptions();
  bool Quiet = false;
  std::string Json; ///< file, "-" for stdout, empty for none
};

/// INPUT, --kernel, --arch, -O, and what follows "--".
/// Throws CommandError for a path that can be read only once.
void checkPlainInput(const std::string &Path);
void addInputOptions(CLI::App &Command, SessionOptions &Options);
/// --guess-macros, which goes into \p ClangArgs; after the option of these.
void addGuessOption(CLI::App &Command, std::vector<std::string> &ClangArgs);
/// --launch, --grid, --block, --arg, --dynamic-shared.
void addLaunchOptions(CLI::App &Command, SessionOptions &Options);
/// --engine, --threads, --max-steps.
void addExecutionOptions(CLI::App &Command, SessionOptions &Options);
/// --json, -q.
void addOutputOptions(CLI::App &Command, SessionOptions &Options);
/// All of the above.
void addSessionOptions(CLI::App &Command, SessionOptions &Options);
/// --gpu, --set.
void addMachineOptions(CLI::App &Command, std::string &GPU,
                       std::vector<std::string> &Sets);
/// Where \p Options name no architecture: that of \p Machine.
void compileFor(const arch::GPUSpec &Machine, SessionOptions &Options);
/// --metrics and --csv: numbers under Nsight Compute's names.
struct MetricOptions {
  std::vector<std::string> Names;
  std::string CSV; ///< file, "-" for stdout, empty for none
  bool any() const { return !Names.empty() || !CSV.empty(); }
};
void addMetricOptions(CLI::App &Command, MetricOptions &Options);
/// Writes what they ask for: CSV, and else the text that stands in place of the
/// report, unless \p Quiet. Throws CommandError.
void writeMetrics(const views::JSON &Result, const MetricOptions &Options,
                  bool Quiet);

/// --advice: what lifting each limit of the machine would bring.
CLI::Option *addAdviceOption(CLI::App &Command, bool &Advice);
/// --launch-overhead, which is a change in \p Sets.
void addLaunchOverheadOption(CLI::App &Command, std::vector<std::string> &Sets);
/// --isa.
void addLevelOption(CLI::App &Command, std::optional<ISA> &Level,
                    const std::string &Help);

/// What addCode says, as the last line of a text, and what level machine
/// assumes of functions that the kernel of \p Launch, null for a trace, calls.
std::string codeLine(const trace::TraceSource &Source, const KernelCode *Code,
                     const Session *Launch);

/// The same for all launches of an application, with \p Notes of noteCode().
std::string codeLine(ISA Level, std::span<const std::string> Notes);

/// --assume, whose texts parseAssumptions takes apart.
void addAssumeOption(CLI::App &Command, std::vector<std::string> &Assume);

struct BlockRange {
  uint64_t First = 0, Count = 0;
};

/// Reads the value of an option `--blocks`, FIRST:COUNT; a count beyond the \p
/// Total thread blocks of the grid means those that are there. Throws
/// CommandError.
BlockRange parseBlockRange(const std::string &Text, uint64_t Total);

/// Takes numbers above 0, and \p Word, unless it is empty.
CLI::Validator aboveZero(const std::string &Word = "");
/// Takes 0 and numbers above it.
CLI::Validator notNegative();

/// For a trace as input: what says a launch is wrong usage.
void requireNoLaunch(const SessionOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_COMMONOPTIONS_H
