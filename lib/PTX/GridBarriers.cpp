//===- GridBarriers.cpp - grid.sync() as nvcc has inlined it --------------===//

#include "heddle/PTX/CallExpansion.h"

#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::ptx {

namespace {
/// A statement or a label of a body, and where its text is.
struct BodyPart {
  Token T;
  std::optional<PTXStatement> S; ///< of a statement whose form is known
};
} // namespace

static bool isBarrier(const BodyPart &P) {
  return P.S && P.S->Operands.size() == 1 && P.S->Operands[0] == "0" &&
         (P.S->Name == "barrier" || P.S->Name == "bar") && P.S->has("sync");
}

static bool isName(const BodyPart &P, StringRef Name) {
  return P.S && P.S->Name == Name;
}

/// What may stand between the accesses of the counter.
static bool isBeside(const BodyPart &P) {
  return P.T.Is == Token::Label || P.T.Is == Token::Directive ||
         any_of(ArrayRef<StringRef>{"fence", "membar", "xor", "and", "setp"},
                [&](StringRef Name) { return isName(P, Name); });
}

/// From the barrier of the block at \p First on: its first thread adds to a
/// counter of the driver and polls it until all blocks have, then the block
/// meets again. The index of that second barrier, or 0.
static size_t endOfGridBarrier(ArrayRef<BodyPart> Parts, size_t First) {
  size_t I = First + 1;
  auto Skip = [&] {
    while (I < Parts.size() && isBeside(Parts[I]))
      ++I;
  };
  auto Take = [&](StringRef Name) -> const PTXStatement * {
    Skip();
    return I < Parts.size() && isName(Parts[I], Name) ? &*Parts[I++].S
                                                      : nullptr;
  };
  const PTXStatement *Others = Take("bra"), *Add = Take("atom"),
                     *Poll = Take("ld"), *Again = Take("bra");
  Skip();
  if (!Others || !Add || !Poll || !Again || Others->Guard.empty() ||
      Again->Guard.empty() || !Add->has("add") || Add->Operands.size() != 3 ||
      Poll->Operands.size() != 2 || Add->Operands[1] != Poll->Operands[1] ||
      !(Poll->has("acquire") || Poll->has("volatile")) || I == Parts.size() ||
      !isBarrier(Parts[I]))
    return 0;
  return I;
}

static SmallVector<BodyPart, 0> partsOf(StringRef Clean) {
  SmallVector<BodyPart, 0> Parts;
  Lexer Tokens(Clean);
  for (Token T; Tokens.next(T);)
    Parts.push_back(
        {T, T.Is == Token::Statement ? parseStatement(T.Text) : std::nullopt});
  return Parts;
}

std::string replaceGridBarriers(StringRef Text) {
  // Where the driver's counter is.
  if (!Text.contains("%envreg2"))
    return Text.str();
  const std::string Clean = blankComments(Text);
  const SmallVector<BodyPart, 0> Parts = partsOf(Clean);
  std::string Out = Clean;
  auto Blank = [&](const BodyPart &P) {
    const size_t At = P.T.Text.data() - Clean.data();
    for (size_t I = At; I < At + P.T.Text.size(); ++I)
      if (Out[I] != '\n')
        Out[I] = ' ';
  };
  std::vector<std::pair<size_t, std::string>> Calls;
  for (size_t I = 0; I < Parts.size(); ++I) {
    const BodyPart &P = Parts[I];
    // Kernels ask whether there is one: they were launched cooperatively.
    if (P.S && P.S->Name == "mov" && P.S->Operands.size() == 2 &&
        (P.S->Operands[1] == "%envreg1" || P.S->Operands[1] == "%envreg2"))
      Out.replace(P.S->Operands[1].data() - Clean.data(),
                  P.S->Operands[1].size(), "1       ");
    const size_t End = isBarrier(P) ? endOfGridBarrier(Parts, I) : 0;
    if (!End)
      continue;
    for (size_t J = I; J <= End; ++J)
      if (Parts[J].T.Is == Token::Statement)
        Blank(Parts[J]);
    Calls.emplace_back(Parts[End].T.Text.data() - Clean.data(),
                       "call barrier_grid_sync, ()");
    I = End;
  }
  for (const auto &[At, Call] : reverse(Calls))
    Out.insert(At, Call);
  return Out;
}

} // namespace heddle::ptx
