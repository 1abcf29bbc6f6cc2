//===- SASSReader.cpp - What nvdisasm prints ------------------------------===//

#include "SASSReader.h"
#include "Opcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

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
  void dropUnreached();

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
  for (const SASSBlock &B : Blocks)
    if (!B.Insts.empty() && isCall(B.Insts.back()))
      if (auto It = Labels.find(B.Insts.back().Label); It != Labels.end())
        Work.push_back(It->second);
  while (!Work.empty()) {
    SASSBlock &B = Blocks[Work.pop_back_val()];
    if (B.IsCalled)
      continue;
    B.IsCalled = true;
    append_range(Work, B.Successors);
  }
}

/// What nothing leads to, such as the endless loop behind the last exit.
void Reader::dropUnreached() {
  std::vector<bool> Reached(Blocks.size());
  SmallVector<unsigned, 8> Work = {0};
  while (!Work.empty()) {
    const unsigned N = Work.pop_back_val();
    if (Reached[N])
      continue;
    Reached[N] = true;
    append_range(Work, Blocks[N].Successors);
  }
  for (auto [N, B] : enumerate(Blocks))
    if (!Reached[N] && !B.IsCalled)
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
  dropUnreached();
  return std::move(Blocks);
}

} // namespace

Expected<std::vector<SASSBlock>> readSASS(StringRef Text, StringRef Kernel) {
  return Reader(Text, Kernel).read();
}

namespace {

constexpr unsigned FirstUniform = 257, FirstPredicate = 330,
                   FirstUniformPredicate = 340;

/// The table's number of "R12.reuse", "-R3", "|R4|", "[R2.64+0x10]"; 0 if it is
/// no register that holds anything.
unsigned registerOf(StringRef Text) {
  Text = Text.ltrim("-|~![");
  unsigned First = 0;
  if (Text.consume_front("UR"))
    First = FirstUniform;
  else if (Text.consume_front("UP"))
    First = FirstUniformPredicate;
  else if (Text.consume_front("R"))
    First = 1;
  else if (Text.consume_front("P"))
    First = FirstPredicate;
  unsigned N;
  if (!First || Text.consumeInteger(10, N))
    return 0; // RZ, PT and URZ too
  return First + N;
}

/// 32-bit registers of operand \p Index of a matrix product: the sums, the
/// factors and what is added, spread over the 32 lanes.
unsigned fragmentWidth(const MatrixProduct &P, StringRef Opcode,
                       unsigned Index) {
  // A step adds to two registers of each lane.
  if (Opcode.contains("STEP"))
    return 2;
  const unsigned FactorBits = Opcode.starts_with("HMMA")   ? 16
                              : Opcode.starts_with("DMMA") ? 64
                                                           : 8;
  const unsigned SumBits = P.HalfSums                   ? 16
                           : Opcode.starts_with("DMMA") ? 64
                                                        : 32;
  const unsigned Bits = Index == 1   ? P.Rows * P.Depth * FactorBits
                        : Index == 2 ? P.Columns * P.Depth * FactorBits
                                     : P.Rows * P.Columns * SumBits;
  return std::max(1u, Bits / (32 * 32));
}

/// 32-bit registers that operand \p Index of \p I stands for.
unsigned widthOf(const SASSInst &I, unsigned Index, bool IsMemory) {
  const StringRef Opcode = I.Opcode, Operand = I.Operands[Index];
  if (Operand.contains('[')) // an address
    return Operand.contains(".64") ||
                   (Opcode.starts_with("LDG.E") && !Operand.contains(".U32"))
               ? 2
               : 1;
  if (IsMemory)
    return std::max(1u, accessBytes(Opcode) / 4);
  if (const MatrixProduct P = matrixProductOf(Opcode); P.Products)
    return fragmentWidth(P, Opcode, Index);
  if (Opcode.starts_with("IMAD.WIDE"))
    return Index == 0 || Index == 3 ? 2 : 1;
  const bool Wide = Opcode.starts_with("D") && !Opcode.starts_with("DEPBAR");
  if (Wide || (Opcode.contains(".F64") && Index == 0) ||
      (Index == 0 && Opcode == "CS2R") || (Index == 0 && Opcode == "ULDC.64"))
    return 2;
  return 1;
}

bool hasNoResult(StringRef Base) {
  return StringSwitch<bool>(Base)
      .Cases({"STG", "ST", "STS", "STL", "RED", "REDG"}, true)
      .Cases({"BRA", "EXIT", "BAR", "BSSY", "BSYNC", "MEMBAR"}, true)
      .Cases({"WARPSYNC", "CALL", "RET", "NOP", "SUST"}, true)
      .Default(false);
}

} // namespace

SASSRegisters registersOf(const SASSInst &I) {
  const bool IsMemory = spaceOf(I.Opcode) != HEDDLE_SPACE_NONE;
  SASSRegisters Out;
  if (unsigned Guard = registerOf(I.Guard))
    Out.Uses.push_back(Guard);
  const bool NoResult = hasNoResult(StringRef(I.Opcode).split('.').first);
  bool DefsOver = NoResult;
  for (auto [N, Operand] : enumerate(I.Operands)) {
    const unsigned R = registerOf(Operand);
    // Results come first: one register, and predicates around it.
    const bool IsPredicate = R >= FirstPredicate || Operand == "PT";
    const bool Writes =
        !DefsOver &&
        (N == 0 || (N == 1 && (IsPredicate ||
                               StringRef(I.Operands[0]).starts_with("P"))));
    if (!R)
      continue;
    const unsigned Width = R >= FirstPredicate ? 1 : widthOf(I, N, IsMemory);
    for (unsigned W = 0; W != Width; ++W)
      (Writes ? Out.Defs : Out.Uses).push_back(R + W);
  }
  return Out;
}

bool isAccess(const SASSInst &I) {
  return spaceOf(I.Opcode) != HEDDLE_SPACE_NONE;
}

bool isConstant(const SASSInst &I) {
  const StringRef Base = StringRef(I.Opcode).split('.').first;
  return Base == "LDC" || Base == "ULDC" || Base == "MOV" || Base == "UMOV";
}

bool isOfEachIteration(const SASSInst &I) {
  const OpcodeRow &Row = *findOpcode(I.Opcode);
  return isAccess(I) || Row.Class == HEDDLE_OP_TENSOR ||
         (Row.Class == HEDDLE_OP_MAD && Row.Type >= HEDDLE_TYPE_F16 &&
          Row.Type <= HEDDLE_TYPE_F64);
}

void dropSlowPaths(std::vector<SASSBlock> &Blocks) {
  std::vector<bool> Optional(Blocks.size());
  for (const SASSBlock &B : Blocks)
    if (B.Successors.size() > 1)
      for (unsigned S : B.Successors)
        Optional[S] = true;
  bool Called = false;
  for (auto [N, B] : enumerate(Blocks)) {
    if (B.Insts.empty() || !isCall(B.Insts.back()))
      continue;
    if (!Optional[N]) {
      Called = true;
      continue;
    }
    B.Insts.clear();
    // And the way back from there.
    if (N + 1 < Blocks.size() && !Optional[N + 1] &&
        !Blocks[N + 1].Insts.empty() &&
        Blocks[N + 1].Insts.back().Guard.empty() &&
        StringRef(Blocks[N + 1].Insts.back().Opcode).starts_with("BRA"))
      Blocks[N + 1].Insts.clear();
  }
  if (!Called)
    for (SASSBlock &B : Blocks)
      if (B.IsCalled)
        B.Insts.clear();
}

} // namespace heddle::machine
