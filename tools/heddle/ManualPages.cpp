//===- ManualPages.cpp - Commands as they describe themselves -------------===//

#include "HelpPages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::tool {

/// The words of "a|b|c" or "{a,b,c}", which is how options name their choices.
static std::vector<std::string> choicesIn(llvm::StringRef Type) {
  llvm::StringRef List;
  if (size_t Open = Type.find('{'); Open != llvm::StringRef::npos)
    List = Type.slice(Open + 1, Type.find('}', Open));
  else if (Type.contains('|') && !Type.contains(' '))
    List = Type;
  std::vector<std::string> Words;
  for (llvm::StringRef Word : llvm::split(List, List.contains('|') ? '|' : ','))
    if (Word = Word.split("->").first.trim(); !Word.empty())
      Words.push_back(Word.str());
  return Words;
}

static HelpOption describe(const CLI::Option &O) {
  HelpOption Out;
  for (const std::string &Short : O.get_snames())
    Out.Names.push_back("-" + Short);
  for (const std::string &Long : O.get_lnames())
    Out.Names.push_back("--" + Long);
  if (O.get_items_expected_max() > 0)
    Out.Value = O.get_type_name();
  Out.Choices = choicesIn(Out.Value);
  Out.Default = O.get_default_str();
  Out.Text = O.get_description();
  Out.Required = O.get_required();
  Out.Repeated = O.get_items_expected_max() > 1;
  if (Out.Names.empty())
    Out.Value = O.get_name();
  return Out;
}

static HelpCommand describe(const CLI::App &App, const std::string &Prefix) {
  HelpCommand Out;
  Out.Name = Prefix + App.get_name();
  Out.Text = App.get_description();
  for (const CLI::Option *O : App.get_options())
    if (!O->get_group().empty())
      (O->nonpositional() ? Out.Options : Out.Positionals)
          .push_back(describe(*O));
  auto Shown = [](const CLI::App *A) { return !A->get_group().empty(); };
  for (const CLI::App *Sub : App.get_subcommands(Shown))
    Out.Commands.push_back(
        describe(*Sub, Prefix.empty() ? "" : Out.Name + " "));
  return Out;
}

HelpCommand describe(const CLI::App &App) {
  HelpCommand Tool = describe(App, "");
  for (HelpCommand &Command : Tool.Commands)
    for (HelpCommand &Sub : Command.Commands)
      Sub.Name = Command.Name + " " + Sub.Name;
  return Tool;
}

/// \p Text as troff prints it unchanged.
static std::string escaped(llvm::StringRef Text) {
  std::string Out;
  for (char C : Text)
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else
      Out += C;
  if (!Out.empty() && (Out[0] == '.' || Out[0] == '\''))
    Out.insert(0, "\\&");
  return Out;
}

static std::string item(const HelpOption &O) {
  std::vector<std::string> Names;
  for (const std::string &Name : O.Names)
    Names.push_back("\\fB" + escaped(Name) + "\\fR");
  std::string Head = llvm::join(Names, ", ");
  if (!O.Value.empty())
    Head += (Head.empty() ? "" : " ") + ("\\fI" + escaped(O.Value)) + "\\fR" +
            (O.Repeated ? " ..." : "");
  std::string Text = escaped(O.Text);
  if (!O.Default.empty())
    Text += escaped(" [default: " + O.Default + "]");
  return ".TP\n" + Head + "\n" + Text + "\n";
}

static std::string synopsis(const HelpCommand &Command, bool IsTool) {
  std::string Out = "\\fB" +
                    escaped(IsTool ? "heddle" : "heddle " + Command.Name) +
                    "\\fR [\\fIoptions\\fR]";
  for (const HelpOption &P : Command.Positionals)
    Out += fmt::format(" {}\\fI{}\\fR{}{}", P.Required ? "" : "[",
                       escaped(P.Value), P.Repeated ? " ..." : "",
                       P.Required ? "" : "]");
  if (IsTool)
    Out += " \\fIcommand\\fR ...";
  return Out + "\n";
}

static std::string options(const HelpCommand &Command) {
  std::string Out;
  for (const HelpOption &P : Command.Positionals)
    Out += item(P);
  for (const HelpOption &O : Command.Options)
    Out += item(O);
  return Out;
}

std::string manualPage(const HelpCommand &Command, const HelpCommand &Tool,
                       const std::string &Version) {
  const bool IsTool = &Command == &Tool;
  std::string Page = "heddle";
  if (!IsTool)
    Page += "-" + Command.Name;
  std::string Out = fmt::format(".TH {} 1 \"\" \"heddle {}\" \"Heddle\"\n"
                                ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                llvm::StringRef(Page).upper(), Version,
                                escaped(Page), escaped(Command.Text));
  Out += synopsis(Command, IsTool);
  Out += ".SH OPTIONS\n" + options(Command);
  if (IsTool) {
    Out += ".SH COMMANDS\n";
    for (const HelpCommand &C : Tool.Commands)
      Out += fmt::format(".TP\n\\fBheddle\\-{}\\fR(1)\n{}\n", escaped(C.Name),
                         escaped(C.Text));
  } else {
    for (const HelpCommand &C : Command.Commands)
      Out += fmt::format(".SH \"{}\"\n{}.PP\n{}{}",
                         llvm::StringRef(C.Name).upper(), synopsis(C, false),
                         escaped(C.Text) + "\n", options(C));
  }
  Out += ".SH \"EXIT STATUS\"\n"
         "0 done, 1 bad input, 2 bad usage, 3 an error of Heddle's own, "
         "4 slower than tolerated (heddle diff).\n";
  if (!IsTool)
    Out += ".SH \"SEE ALSO\"\n\\fBheddle\\fR(1)\n";
  return Out;
}

} // namespace heddle::tool
