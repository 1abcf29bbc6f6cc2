//===- Completions.cpp - Scripts for bash, zsh and fish -------------------===//

#include "HelpPages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace heddle::tool {

namespace {

/// What may follow an option.
enum class ValueKind { None, Any, Choice, Machine, Kernel };

ValueKind kindOf(const HelpOption &O) {
  if (O.Value.empty())
    return ValueKind::None;
  if (llvm::is_contained(O.Names, "--gpu"))
    return ValueKind::Machine;
  if (llvm::is_contained(O.Names, "--kernel"))
    return ValueKind::Kernel;
  return O.Choices.empty() ? ValueKind::Any : ValueKind::Choice;
}

std::string optionWords(const HelpCommand &Command) {
  std::vector<std::string> Words;
  for (const HelpOption &O : Command.Options)
    Words.insert(Words.end(), O.Names.begin(), O.Names.end());
  for (const HelpCommand &Sub : Command.Commands)
    Words.push_back(Sub.Name.substr(Sub.Name.rfind(' ') + 1));
  return llvm::join(Words, " ");
}

std::string commandWords(const HelpCommand &Tool) {
  std::vector<std::string> Words;
  for (const HelpCommand &C : Tool.Commands)
    Words.push_back(C.Name);
  return llvm::join(Words, " ");
}

/// \p Text between single quotes of a shell.
std::string inQuotes(llvm::StringRef Text) {
  std::string Out = "'";
  for (char C : Text)
    if (C == '\'')
      Out += "'\\''";
    else
      Out += C;
  return Out + "'";
}

/// \p Text inside a bracket of zsh's _arguments, between single quotes.
std::string zshText(llvm::StringRef Text) {
  std::string Out;
  for (char C : Text) {
    if (C == '[' || C == ']' || C == ':' || C == '\\')
      Out += '\\';
    Out += C == '\'' ? "'\\''" : std::string(1, C);
  }
  return Out;
}

std::string zshAction(const HelpOption &O) {
  switch (kindOf(O)) {
  case ValueKind::None:
    return "";
  case ValueKind::Any:
    return ":value:_files";
  case ValueKind::Choice:
    return ":value:(" + llvm::join(O.Choices, " ") + ")";
  case ValueKind::Machine:
    return ":machine:_heddle_machines";
  case ValueKind::Kernel:
    return ":kernel:_heddle_kernels";
  }
  return "";
}

std::string fishAction(const HelpOption &O) {
  switch (kindOf(O)) {
  case ValueKind::None:
    return "";
  case ValueKind::Any:
    return " -r";
  case ValueKind::Choice:
    return " -x -a " + inQuotes(llvm::join(O.Choices, " "));
  case ValueKind::Machine:
    return " -x -a '(heddle help --machines)'";
  case ValueKind::Kernel:
    return " -x -a '(__heddle_kernels)'";
  }
  return "";
}

} // namespace

std::string bashCompletion(const HelpCommand &Tool) {
  std::string Out =
      R"sh(# bash completion for heddle; written by `heddle help --write`
_heddle() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local command=${COMP_WORDS[1]} file words= n
  COMPREPLY=()
  case $before in
  --gpu) words=$(heddle help --machines 2>/dev/null) ;;
  --kernel)
    for ((n = 2; n < COMP_CWORD; ++n)); do
      [[ -f ${COMP_WORDS[n]} ]] && file=${COMP_WORDS[n]} && break
    done
    [[ $file ]] && words=$(heddle help --kernels-of "$file" 2>/dev/null) ;;
  esac
)sh";
  Out += "  if [[ $COMP_CWORD == 1 ]]; then\n    words=" +
         inQuotes(commandWords(Tool) + " --help --version") + "\n  fi\n";
  Out += "  case $command:$before in\n";
  for (const HelpCommand &C : Tool.Commands)
    for (const HelpOption &O : C.Options)
      if (kindOf(O) == ValueKind::Choice)
        Out += fmt::format("  {}:{}) words={} ;;\n", C.Name, O.Names.back(),
                           inQuotes(llvm::join(O.Choices, " ")));
  Out += "  esac\n  if [[ -z $words && $COMP_CWORD != 1 ]]; then\n"
         "    case $command in\n";
  for (const HelpCommand &C : Tool.Commands)
    Out +=
        fmt::format("    {}) words={} ;;\n", C.Name, inQuotes(optionWords(C)));
  Out += R"sh(    esac
    [[ $word == -* ]] || COMPREPLY=($(compgen -f -- "$word"))
  fi
  COMPREPLY+=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _heddle heddle
)sh";
  return Out;
}

std::string zshCompletion(const HelpCommand &Tool) {
  std::string Out = R"sh(#compdef heddle
# zsh completion for heddle; written by `heddle help --write`
_heddle_machines() {
  local -a machines=(${(f)"$(heddle help --machines 2>/dev/null)"})
  _describe machine machines || _files -g '*.yaml'
}
_heddle_kernels() {
  local file
  for file in ${words[2,-1]}; do
    [[ -f $file ]] || continue
    local -a kernels=(${(f)"$(heddle help --kernels-of $file 2>/dev/null)"})
    compadd -a kernels
    return
  done
}
_heddle() {
  local -a commands=(
)sh";
  for (const HelpCommand &C : Tool.Commands)
    Out += "    '" + C.Name + ":" + zshText(C.Text) + "'\n";
  Out += R"sh(  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
)sh";
  for (const HelpCommand &C : Tool.Commands) {
    Out += "  " + C.Name + ")\n    _arguments";
    for (const HelpOption &O : C.Options)
      for (const std::string &Name : O.Names)
        Out += fmt::format(" \\\n      '{}{}[{}]{}'", O.Repeated ? "*" : "",
                           Name, zshText(O.Text), zshAction(O));
    Out += " \\\n      '*:file:_files' ;;\n";
  }
  return Out + "  esac\n}\n_heddle \"$@\"\n";
}

std::string fishCompletion(const HelpCommand &Tool) {
  std::string Out =
      R"sh(# fish completion for heddle; written by `heddle help --write`
function __heddle_kernels
  for file in (commandline -opc)[3..-1]
    if test -f $file
      heddle help --kernels-of $file 2>/dev/null
      return
    end
  end
end
)sh";
  for (const HelpCommand &C : Tool.Commands)
    Out += fmt::format("complete -c heddle -n __fish_use_subcommand -a {} "
                       "-d {}\n",
                       C.Name, inQuotes(C.Text));
  for (const HelpCommand &C : Tool.Commands)
    for (const HelpOption &O : C.Options) {
      Out += fmt::format(
          "complete -c heddle -n '__fish_seen_subcommand_from {}'", C.Name);
      for (const std::string &Name : O.Names)
        Out += llvm::StringRef(Name).starts_with("--")
                   ? " -l " + Name.substr(2)
                   : " -s " + Name.substr(1);
      Out += " -d " + inQuotes(O.Text) + fishAction(O) + "\n";
    }
  return Out;
}

} // namespace heddle::tool
