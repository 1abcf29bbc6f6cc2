//===- HelpPages.h - Manual pages and completions ---------------*- C++ -*-===//
//
// All of it is written from the options that the commands declare, which is
// what --help prints too: one source for four forms of help.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HELPPAGES_H
#define HEDDLE_TOOLS_HELPPAGES_H

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace heddle::tool {

/// An option of a command, as the pages show it.
struct HelpOption {
  std::vector<std::string> Names; ///< with dashes; none for a positional
  std::string Value;              ///< what follows it, empty for a flag
  std::string Default;
  std::string Text;
  bool Required = false, Repeated = false;
  std::vector<std::string> Choices; ///< all values there are, if few
};

/// A command and what stands below it.
struct HelpCommand {
  std::string Name; ///< "trace dump" for a command of a command
  std::string Text;
  std::vector<HelpOption> Positionals, Options;
  std::vector<HelpCommand> Commands;
};

HelpCommand describe(const CLI::App &App);

/// A page of section 1 in troff's man macros. \p Version stands in its foot.
std::string manualPage(const HelpCommand &Command, const HelpCommand &Tool,
                       const std::string &Version);

/// Completion scripts. They ask `heddle help` for the machines and for the
/// kernels of the file on the command line.
std::string bashCompletion(const HelpCommand &Tool);
std::string zshCompletion(const HelpCommand &Tool);
std::string fishCompletion(const HelpCommand &Tool);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HELPPAGES_H
