//===- SASSReader.cpp - What nvdisasm prints ------------------------------===//

#include "SASSReader.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace heddle::machine {

namespace {

class Reader {
public:
  Reader(StringRef Text, StringRef Kernel) : Text(Text), Kernel(Kernel) {}
  Expected<std::vector<SASSBlock>> read();

private:
  void readLine(StringRef Line);
  void readInst(StringRef Statement);
  void startBlock();
  void connect();
  void markCalled();

  StringRef Text, Kernel;
  bool Inside = false;
  unsigned Line = 0;
  StringMap<unsigned> Labels;
  std::vector<SASSBlock> Blocks;
};

bool endsBlock(StringRef Opcode) {
  const StringRef Base = Opcode.split('.').first;
  return Base == "BRA" || Base == "EXIT" || Base == "RET" || Base == "CALL" ||
         Base == "BRX" || Base == "KILL" || Base == "JMP";
}

void Reader::startBlock() {
  if (Blocks.empty() || !Blocks.back().Insts.empty())
    Blocks.emplace_back();
}

/// "@P0 IMAD.WIDE R2, R0, 0x4, RZ"
void Reader::readInst(StringRef Statement) {
  SASSInst I;
  I.Line = Line;
  if (Statement.consume_front("@")) {
    I.Guard = Statement.take_until([](char C) { return isSpace(C); }).str();
    Statement = Statement.drop_front(I.Guard.size()).ltrim();
  }
  const StringRef Opcode =
      Statement.take_until([](char C) { return isSpace(C); });
  // ptxas 11.8 writes some before each LDGSTS. They access nothing.
  const bool NeverRuns = I.Guard == "!PT" && Opcode == "LDS";
  I.Opcode = NeverRuns ? "NOP" : Opcode.str();
  SmallVector<StringRef, 6> Operands;
  Statement.drop_front(Opcode.size()).split(Operands, ',', -1, false);
  for (StringRef O : Operands) {
    O = O.trim();
    if (O.consume_front("`(") && O.consume_back(")"))
      I.Label = O.str();
    else
      I.Operands.push_back(O.str());
  }
  Blocks.back().Insts.push_back(std::move(I));
  if (endsBlock(Opcode))
    startBlock();
}

void Reader::readLine(StringRef Text) {
  StringRef Trimmed = Text.trim();
  if (Trimmed.starts_with(".section")) {
    Inside = false;
    return;
  }
  if (Trimmed.ends_with(":")) {
    const StringRef Label = Trimmed.drop_back();
    if (Label == (".text." + Kernel).str())
      Inside = true;
    if (Inside) {
      startBlock();
      Labels[Label] = Blocks.size() - 1;
    }
    return;
  }
  if (!Inside)
    return;
  if (Trimmed.consume_front("//## File ")) {
    Trimmed.rsplit(' ').second.getAsInteger(10, Line);
    return;
  }
  if (!Trimmed.consume_front("/*") || !Trimmed.contains("*/"))
    return;
  StringRef Statement = Trimmed.split("*/").second.split(';').first.trim();
  if (!Statement.empty())
    readInst(Statement);
}

/// A subroutine has a name of its own. ptxas also calls what follows a loop,
/// and never comes back from there: a branch to a label of the kernel.
static bool isCall(const SASSInst &I) {
  return StringRef(I.Opcode).starts_with("CALL") &&
         !StringRef(I.Label).starts_with(".L_");
}

void Reader::connect() {
  for (auto [N, B] : enumerate(Blocks)) {
    if (B.Insts.empty())
      continue;
    const SASSInst &Last = B.Insts.back();
    const StringRef Base = StringRef(Last.Opcode).split('.').first;
    const bool Jumps =
        Base == "BRA" || Base == "JMP" || (Base == "CALL" && !isCall(Last));
    if (Jumps)
      if (auto It = Labels.find(Last.Label); It != Labels.end())
        B.Successors.push_back(It->second);
    // A predicate may stand among the operands: "BRA P1, `(.L_x_1)".
    const bool Leaves = (Jumps || Base == "EXIT" || Base == "RET" ||
                         Base == "BRX" || Base == "KILL") &&
                        Last.Guard.empty() &&
                        !(Jumps && !Last.Operands.empty());
    if (!Leaves && N + 1 < Blocks.size())
      B.Successors.push_back(N + 1);
  }
}

void Reader::markCalled() {
  SmallVector<unsigned, 8> Work;
  for (SASSBlock &B : Blocks)
    if (!B.Insts.empty() && isCall(B.Insts.back()))
      if (auto It = Labels.find(B.Insts.back().Label); It != Labels.end()) {
        B.Callee = It->second;
        Work.push_back(It->second);
      }
  while (!Work.empty()) {
    SASSBlock &B = Blocks[Work.pop_back_val()];
    if (B.IsCalled)
      continue;
    B.IsCalled = true;
    append_range(Work, B.Successors);
  }
}

/// Clears what nothing leads to from the first block but by way of those in
/// \p Around: such as the endless loop behind the last exit.
static void dropUnreached(std::vector<SASSBlock> &Blocks,
                          const BitVector &Around) {
  BitVector Reached = Around;
  SmallVector<unsigned, 8> Work = {0};
  while (!Work.empty()) {
    const unsigned N = Work.pop_back_val();
    if (Reached[N])
      continue;
    Reached.set(N);
    append_range(Work, Blocks[N].Successors);
    if (Blocks[N].Callee != SASSBlock::NoCallee)
      Work.push_back(Blocks[N].Callee);
  }
  for (auto [N, B] : enumerate(Blocks))
    if (!Reached[N] || Around[N])
      B.Insts.clear();
}

Expected<std::vector<SASSBlock>> Reader::read() {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  for (StringRef L : Lines)
    readLine(L);
  if (Blocks.empty())
    return createStringError("nvdisasm prints no code of '" + Kernel + "'");
  connect();
  markCalled();
  dropUnreached(Blocks, BitVector(Blocks.size()));
  return std::move(Blocks);
}

} // namespace

Expected<std::vector<SASSBlock>> readSASS(StringRef Text, StringRef Kernel) {
  return Reader(Text, Kernel).read();
}

/// Whether successor \p Index of \p From is the way of rare operands: a branch
/// and a call of one statement. Lanes that have parted are rare too, for which
/// each shuffle is done apart (BRA.DIV).
static bool isSlowPath(ArrayRef<SASSBlock> Blocks, const SASSBlock &From,
                       unsigned Index) {
  const SASSBlock &To = Blocks[From.Successors[Index]];
  if (From.Successors.size() < 2 || From.Insts.empty() || To.Insts.empty())
    return false;
  const SASSInst &Branch = From.Insts.back();
  if (StringRef(Branch.Opcode).starts_with("BRA.DIV"))
    return Index == 0;
  return isCall(To.Insts.back()) && Branch.Line == To.Insts.back().Line;
}

void dropSlowPaths(std::vector<SASSBlock> &Blocks) {
  BitVector Slow(Blocks.size());
  for (const SASSBlock &B : Blocks)
    for (auto [N, S] : enumerate(B.Successors))
      if (isSlowPath(Blocks, B, N))
        Slow.set(S);
  dropUnreached(Blocks, Slow);
}

} // namespace heddle::machine
