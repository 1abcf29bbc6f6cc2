//===- PTXStatement.h - The lexer of PTX ------------------------*- C++ -*-===//
//
// Cuts PTX, of a file or of inline assembly, into statements, and a statement
// into its words and operands. All that reads PTX reads it through this.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_PTXSTATEMENT_H
#define HEDDLE_PTX_PTXSTATEMENT_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {
namespace ptx {

/// \p Text with blanks in place of comments; lines and places stay.
std::string blankComments(llvm::StringRef Text);

/// A piece of PTX.
struct Token {
  enum Kind {
    Statement, ///< an instruction, without its semicolon
    Directive, ///< the same that begins with a dot; ends before the body of an
               ///< entry or a function
    Label,     ///< without its colon
    Open,      ///< "{" of a body or a scope
    Close,     ///< "}"
  };
  Kind Is = Statement;
  llvm::StringRef Text;
  unsigned Line = 1; ///< where it begins, from 1
  /// Whether its semicolon, brace or end of line was there.
  bool Complete = true;
};

/// Cuts a text without comments into tokens.
class Lexer {
public:
  explicit Lexer(llvm::StringRef Text, unsigned Line = 1)
      : Rest(Text), Line(Line) {}

  /// False at the end.
  bool next(Token &T);
  /// Skips to behind the "}" that closes the scope that was opened last; false
  /// if it does not end.
  bool skipBody();
  /// What is still to be cut.
  llvm::StringRef rest() const { return Rest; }

private:
  void skip(size_t N) {
    Line += Rest.take_front(N).count('\n');
    Rest = Rest.drop_front(N);
  }

  llvm::StringRef Rest;
  unsigned Line;
};

/// Whether \p C may stand in an identifier.
bool isNamePart(char C);

/// \p Text with its identifiers renamed by \p NewName; what follows a dot is a
/// modifier. An empty name leaves one as it is.
std::string renamed(llvm::StringRef Text,
                    llvm::function_ref<std::string(llvm::StringRef)> NewName);

/// The name of the entry whose head \p Directive is; empty for others.
llvm::StringRef entryName(llvm::StringRef Directive);

/// The parts of \p Text between commas that are outside brackets. Blanks
/// between two operands are as good as a comma (nvcc takes them).
llvm::SmallVector<llvm::StringRef, 4> splitOperands(llvm::StringRef Text);

} // namespace ptx

/// `@!p ld.global.ca.u32 $0, [$1+4];` has the opcode `ld.global.ca.u32`, the
/// name `ld`, the modifiers `global` and `ca`, the suffix `u32` and two
/// operands. `.reg .v2 .u32 a, b;` has the name `.reg`, the modifier `v2`, the
/// suffix `u32` and the registers as operands. The label `L:` has the name `:`
/// and the operand `L`. All parts point into the text that was parsed.
struct PTXStatement {
  llvm::StringRef Opcode, Name, Suffix;
  llvm::SmallVector<llvm::StringRef, 6> Modifiers; ///< without the suffix
  llvm::SmallVector<llvm::StringRef, 4> Operands;
  llvm::StringRef Guard; ///< register, empty if there is none
  bool GuardNegated = false;

  /// Whether \p Word is one of the words; "shared" stands for "shared::cta"
  /// too.
  bool has(llvm::StringRef Word) const {
    auto Is = [&](llvm::StringRef Own) {
      return Own == Word || Own.split("::").first == Word;
    };
    return llvm::any_of(Modifiers, Is) || Is(Suffix);
  }
};

/// One statement, without its semicolon; nothing if its form is not known:
/// directives other than .reg.
std::optional<PTXStatement> parseStatement(llvm::StringRef Text);

/// The statements of \p Text, which has no comments, or nothing if the form of
/// one is not known.
std::optional<std::vector<PTXStatement>> parsePTX(llvm::StringRef Text);

namespace ptx {
/// The pseudo instruction that a statement of PTXEmitter's assemblyText stands
/// for: "call (%d), math_exp_f32, (%a)" is "math.exp.f32 %d, %a", "call
/// call_refused_body, ()" is "call.refused.body _", and
/// "call.uni (%r), vprintf, (%a, %b)" is "call.vprintf %r, %a, %b", and
/// "mov.u32 %r1, %envreg3" is "special.globaloffset.x %r1". Empty for others.
std::string pseudoOf(llvm::StringRef Statement);

/// "mov.v4.u32 {a, b, c, d}, %tid" as the moves of its elements, which is what
/// a GPU does. None for others, and where a move would read what one before it
/// has written.
std::vector<std::string> movesOf(const PTXStatement &S);

} // namespace ptx

} // namespace heddle

#endif // HEDDLE_PTX_PTXSTATEMENT_H
