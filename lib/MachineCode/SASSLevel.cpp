//===- SASSLevel.cpp - The code table from ptxas and nvdisasm -------------===//
//
// Each statement of the PTX gets a line of its own, which ptxas carries into
// its code. An instruction of the machine runs with the block that it stands
// in: the one whose branch or, if there is none, most of whose instructions
// stand there. Only accesses go to the block of their record, whose addresses
// the trace has while that block runs. Of a loop that ptxas unrolled the table
// has a block with all its iterations and one with the share of one iteration.
// Where ptxas made one block of several of the IR by predicates, so has the
// table.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "Opcodes.h"
#include "SASSReader.h"

#include "heddle/PTX/Registers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <map>

using namespace llvm;

namespace heddle::machine {

namespace {

constexpr unsigned None = ~0u;

/// Numbers of registers in the table: R0 is 1, UR0 and P0 come after R255.
constexpr unsigned FirstUniform = 257, FirstPredicate = 330,
                   FirstUniformPredicate = 340, NumTableRegisters = 350;

/// Where an instruction of the PTX stands in the table of PTX level.
struct Origin {
  const PlacedInst *Placed = nullptr;
  unsigned Block = None;
};

/// An instruction with the block that it runs with.
struct Item {
  HeddleInst Inst;
  unsigned Block;
  unsigned Line;
  StringRef Opcode;
};

class SASSLevel {
public:
  SASSLevel(CodeTableBuilder &Builder, const Function &Kernel,
            const KernelNumbering &Numbering, const PlacedKernel &Placed,
            StringRef Arch)
      : Builder(Builder), Kernel(Kernel), Numbering(Numbering), Placed(Placed),
        Arch(Arch) {}
  Expected<KernelCode> build();

private:
  void findOrigins();
  std::string annotated() const;
  Expected<std::string> disassemble(unsigned &Registers) const;
  const Origin &originOf(const SASSInst &I) const;
  unsigned anchorOf(const SASSBlock &B) const;
  void dropSlowPaths();
  void findCycles();
  void anchorPreheaders();
  void dropCopies();
  unsigned copiesIn(unsigned Block) const;
  void joinSteps(std::vector<OutputBlock> &Out);
  void emit(unsigned Block, std::vector<OutputBlock> &Out);
  bool holdsIterations(unsigned Block) const;
  void emitIterations(unsigned Block, std::vector<OutputBlock> &Out);
  Expected<HeddleInst> translate(const SASSInst &I);

  CodeTableBuilder &Builder;
  const Function &Kernel;
  const KernelNumbering &Numbering;
  const PlacedKernel &Placed;
  StringRef Arch;
  std::vector<Origin> Origins; ///< by line; [0] is none
  std::vector<SASSBlock> Blocks;
  std::vector<unsigned> Anchors; ///< by SASS block
  std::vector<bool> InCycle;
};

void SASSLevel::findOrigins() {
  DenseMap<const ptx::Inst *, Origin> ByInst;
  for (auto [B, Insts] : enumerate(Placed.Blocks))
    for (const PlacedInst &P : Insts)
      ByInst[P.From] = {&P, unsigned(B)};
  Origins.emplace_back();
  for (const ptx::Block &B : Placed.PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      Origins.push_back(ByInst.lookup(&I));
}

/// The PTX with a line for each statement: its number in Origins.
std::string SASSLevel::annotated() const {
  DenseMap<unsigned, unsigned> Numbers;
  unsigned Number = 0;
  for (const ptx::Block &B : Placed.PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      Numbers.try_emplace(I.TextLine, ++Number);
  std::string Out;
  unsigned TextLine = 0;
  for (StringRef Rest = Placed.Text; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    Rest = After;
    if (auto It = Numbers.find(++TextLine); It != Numbers.end())
      Out += ("\t.loc 1 " + Twine(It->second) + " 0\n").str();
    Out += stripProvenance((Line + "\n").str());
    if (Line.starts_with(".address_size"))
      Out += ".file 1 \"kernel\"\n";
  }
  return Out;
}

std::optional<std::string> findDisassembler() {
  if (auto Chosen = sys::Process::GetEnv("HEDDLE_NVDISASM"))
    return Chosen->empty() ? std::nullopt : Chosen;
  if (auto Ptxas = findPtxas()) {
    SmallString<128> Beside(sys::path::parent_path(*Ptxas));
    sys::path::append(Beside, "nvdisasm");
    if (sys::fs::can_execute(Beside))
      return Beside.str().str();
  }
  if (auto OnPath = sys::findProgramByName("nvdisasm"))
    return *OnPath;
  return std::nullopt;
}

Expected<std::string> SASSLevel::disassemble(unsigned &Registers) const {
  SmallString<128> Object;
  if (auto Error = sys::fs::createTemporaryFile("heddle", "cubin", Object))
    return createStringError(Error, "cannot create a temporary file");
  FileRemover RemoveObject(Object);
  auto Count = assemble(annotated(), Placed.PTX.Name, Arch, Object);
  if (!Count)
    return Count.takeError();
  Registers = *Count;
  auto Tool = findDisassembler();
  if (!Tool)
    return createStringError("--isa sass needs nvdisasm, and none is found "
                             "beside ptxas, on PATH or as $HEDDLE_NVDISASM; "
                             "--isa machine needs no toolkit");
  auto Text = runTool({*Tool, "-c", "-g", Object});
  if (!Text)
    return createStringError("--isa sass: " + *Tool + " does not take what " +
                             "ptxas makes; both must be of one toolkit");
  return *Text;
}

const Origin &SASSLevel::originOf(const SASSInst &I) const {
  return Origins[I.Line < Origins.size() ? I.Line : 0];
}

/// The block of the IR that \p B runs with.
unsigned SASSLevel::anchorOf(const SASSBlock &B) const {
  const SASSInst &Last = B.Insts.back();
  const StringRef Base = StringRef(Last.Opcode).split('.').first;
  // The last EXIT may be that of a block behind, which has become part of it.
  if ((Base == "BRA" && (!Last.Guard.empty() || !Last.Operands.empty())) ||
      (Base == "EXIT" && !Last.Guard.empty()))
    if (unsigned Block = originOf(Last).Block; Block != None)
      return Block;
  std::map<unsigned, unsigned> Votes;
  for (const SASSInst &I : B.Insts)
    if (unsigned Block = originOf(I).Block; Block != None)
      // What stays where it is says more.
      Votes[Block] += 1 + 8 * (StringRef(I.Opcode).starts_with("ST") ||
                               StringRef(I.Opcode).starts_with("BAR"));
  if (Votes.empty())
    return None;
  return max_element(Votes, [](const auto &A,
                               const auto &B) { return A.second < B.second; })
      ->first;
}

/// A call behind a branch is what rare operands need.
void SASSLevel::dropSlowPaths() {
  std::vector<bool> Optional(Blocks.size());
  for (const SASSBlock &B : Blocks)
    if (B.Successors.size() > 1)
      for (unsigned S : B.Successors)
        Optional[S] = true;
  bool Called = false;
  for (auto [N, B] : enumerate(Blocks)) {
    if (B.Insts.empty() ||
        !StringRef(B.Insts.back().Opcode).starts_with("CALL"))
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

void SASSLevel::findCycles() {
  InCycle.assign(Blocks.size(), false);
  for (unsigned N = 0; N != Blocks.size(); ++N) {
    DenseSet<unsigned> Seen;
    SmallVector<unsigned, 8> Work;
    append_range(Work, Blocks[N].Successors);
    while (!Work.empty() && !InCycle[N]) {
      const unsigned S = Work.pop_back_val();
      InCycle[N] = S == N;
      if (Seen.insert(S).second)
        append_range(Work, Blocks[S].Successors);
    }
  }
}

/// How many iterations of its loop SASS block \p Block holds: how often most of
/// the statements that it has anything of stand in it.
unsigned SASSLevel::copiesIn(unsigned Block) const {
  std::map<std::pair<unsigned, StringRef>, unsigned> Counts;
  bool AnyAccess = false;
  auto IsAccess = [](const SASSInst &I) {
    return spaceOf(I.Opcode) != HEDDLE_SPACE_NONE;
  };
  for (const SASSInst &I : Blocks[Block].Insts)
    AnyAccess |= originOf(I).Block == Anchors[Block] && IsAccess(I);
  // Accesses run once in each iteration; others may have become one.
  for (const SASSInst &I : Blocks[Block].Insts)
    if (originOf(I).Block == Anchors[Block] && (!AnyAccess || IsAccess(I)))
      ++Counts[{I.Line, I.Opcode}];
  std::map<unsigned, unsigned> Groups;
  for (const auto &[Key, Count] : Counts)
    ++Groups[Count];
  unsigned Copies = 1, Most = 0;
  for (auto [Count, Number] : Groups)
    if (Number >= Most) {
      Most = Number;
      Copies = Count;
    }
  return Copies;
}

/// What stands before a loop that ptxas unrolled ends with a copy of the loop's
/// test; it runs with what comes before the loop.
void SASSLevel::anchorPreheaders() {
  for (unsigned N = 1; N < Blocks.size(); ++N) {
    if (InCycle[N] || Blocks[N].Insts.empty() ||
        any_of(Blocks[N].Insts, [&](const SASSInst &I) {
          return spaceOf(I.Opcode) != HEDDLE_SPACE_NONE &&
                 originOf(I).Block == Anchors[N];
        }))
      continue;
    for (unsigned M = 0; M < Blocks.size(); ++M)
      if (InCycle[M] && Anchors[M] == Anchors[N]) {
        Anchors[N] = Anchors[N - 1];
        break;
      }
  }
}

/// Of several blocks that do the same work (a peeled iteration, the remainder
/// of an unrolled loop) the one with the most iterations stays.
void SASSLevel::dropCopies() {
  std::map<unsigned, SmallVector<unsigned, 2>> ByAnchor;
  for (auto [N, B] : enumerate(Blocks))
    if (!B.Insts.empty() && Anchors[N] != None)
      ByAnchor[Anchors[N]].push_back(N);
  for (auto &[Anchor, Numbers] : ByAnchor) {
    llvm::stable_sort(Numbers, [&](unsigned A, unsigned B) {
      auto Rank = [&](unsigned N) {
        return std::tuple(bool(InCycle[N]), copiesIn(N),
                          Blocks[N].Insts.size());
      };
      return Rank(A) > Rank(B);
    });
    DenseSet<unsigned> Lines;
    for (unsigned N : Numbers) {
      DenseSet<unsigned> Own;
      unsigned Known = 0;
      for (const SASSInst &I : Blocks[N].Insts)
        if (Own.insert(I.Line).second)
          Known += Lines.contains(I.Line);
      if (2 * Known > Own.size() && Own.size() > 1) {
        Blocks[N].Insts.clear();
        continue;
      }
      Lines.insert(Own.begin(), Own.end());
    }
  }
}

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

Expected<HeddleInst> SASSLevel::translate(const SASSInst &I) {
  const OpcodeRow *Row = findOpcode(I.Opcode);
  if (!Row)
    return createStringError("--isa sass: '" + I.Opcode +
                             "' has no row in lib/MachineCode/Opcodes.def");
  HeddleInst Out = {};
  Out.Opcode = Builder.opcode(I.Opcode);
  Out.Memory = HEDDLE_NO_MEMORY;
  Out.Class = Row->Class;
  Out.Type = Row->Type;
  Out.Issued = 1;
  Out.Space = spaceOf(I.Opcode);
  if (Out.Space != HEDDLE_SPACE_NONE)
    Out.AccessBytes = accessBytes(I.Opcode);
  if (const PlacedInst *From = originOf(I).Placed) {
    Out.SourceLine = From->Inst.SourceLine;
    Out.SourceFile = From->Inst.SourceFile;
    if (Out.Space != HEDDLE_SPACE_NONE &&
        From->Inst.Memory != HEDDLE_NO_MEMORY) {
      Out.Memory = From->Inst.Memory;
      Out.ByteOffset = From->Inst.ByteOffset;
      Out.Flags = From->Inst.Flags;
    }
  }
  SmallVector<uint16_t, 8> Defs, Uses;
  if (unsigned Guard = registerOf(I.Guard))
    Uses.push_back(Guard);
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
    const unsigned Width =
        R >= FirstPredicate ? 1 : widthOf(I, N, Out.Space != HEDDLE_SPACE_NONE);
    for (unsigned W = 0; W != Width; ++W)
      (Writes ? Defs : Uses).push_back(R + W);
  }
  CodeTableBuilder::setRegisters(Out, Defs, Uses);
  return Out;
}

/// Blocks of the IR that one SASS block has all of run with the one that they
/// all come behind.
void SASSLevel::joinSteps(std::vector<OutputBlock> &Out) {
  std::map<unsigned, DenseSet<unsigned>> Holders; ///< by block of the IR
  for (auto [N, B] : enumerate(Blocks)) {
    if (B.Insts.empty())
      continue;
    Holders[Anchors[N]].insert(N);
    for (const SASSInst &I : B.Insts)
      if (const Origin &From = originOf(I); From.Block != None)
        Holders[From.Block].insert(N);
  }
  auto &F = const_cast<Function &>(Kernel);
  const DominatorTree Before(F);
  const PostDominatorTree Behind(F);
  for (auto [N, Anchor] : enumerate(Anchors)) {
    SmallVector<unsigned, 4> Inside;
    for (const auto &[IRBlock, In] : Holders)
      if (In.contains(N) && In.size() == 1)
        Inside.push_back(IRBlock);
    const auto *Head = find_if(Inside, [&](unsigned H) {
      return all_of(Inside, [&](unsigned Other) {
        return Before.dominates(Numbering.block(H), Numbering.block(Other));
      });
    });
    if (Inside.size() < 2 || Head == Inside.end() || copiesIn(N) > 1)
      continue;
    const unsigned First = *Head;
    Anchor = First;
    for (unsigned Other : Inside)
      if (Other != First)
        Out[First].Steps.push_back(
            {Other, !Behind.dominates(Numbering.block(Other),
                                      Numbering.block(First))});
  }
}

/// Appends what SASS block \p Block does in one run of its block of the IR.
void SASSLevel::emit(unsigned Block, std::vector<OutputBlock> &Out) {
  const unsigned Copies = copiesIn(Block);
  std::vector<Item> Items;
  std::map<std::pair<unsigned, StringRef>, unsigned> Counts, Seen;
  for (const SASSInst &I : Blocks[Block].Insts)
    ++Counts[{I.Line, I.Opcode}];
  // Of what does not divide evenly the first ones stay, up to the right sum.
  unsigned Whole = 0;
  for (const auto &[Key, Count] : Counts)
    Whole += Count / Copies;
  unsigned Rest = (Blocks[Block].Insts.size() + Copies / 2) / Copies - Whole;
  for (const SASSInst &I : Blocks[Block].Insts) {
    const unsigned Count = Counts[{I.Line, I.Opcode}];
    const unsigned Copy = Seen[{I.Line, I.Opcode}]++;
    if (Copy >= Count / Copies) {
      if (!Rest || Copy > Count / Copies)
        continue;
      --Rest;
    }
    auto Inst = translate(I);
    if (!Inst) {
      consumeError(Inst.takeError());
      continue;
    }
    unsigned Target = Anchors[Block], Number = 0;
    if (Inst->Memory != HEDDLE_NO_MEMORY) {
      const unsigned Home = originOf(I).Block;
      const auto &Steps = Out[Target].Steps;
      while (Number != Steps.size() && Steps[Number].IRBlock != Home)
        ++Number;
      if (Number == Steps.size()) {
        Target = Home;
        Number = 0;
      }
    }
    Out[Target].Insts.push_back({*Inst, Number});
  }
}

/// True if SASS block \p Block is all of a loop of one block of the IR: a part
/// of an iteration that ptxas split cannot stand for several.
bool SASSLevel::holdsIterations(unsigned Block) const {
  const BasicBlock *Home = Numbering.block(Anchors[Block]);
  if (!is_contained(successors(Home), Home))
    return false;
  for (auto [N, Anchor] : enumerate(Anchors))
    if (N != Block && Anchor == Anchors[Block] && InCycle[N] &&
        !Blocks[N].Insts.empty())
      return false;
  return true;
}

/// Appends a loop's block with all iterations that SASS block \p Block holds;
/// the share of one is for those that are left.
void SASSLevel::emitIterations(unsigned Block, std::vector<OutputBlock> &Out) {
  const unsigned Copies = copiesIn(Block);
  if (Copies < 2 || !InCycle[Block] || !holdsIterations(Block))
    return;
  OutputBlock All;
  All.Steps.assign(Copies, {Anchors[Block], false});
  std::map<std::pair<unsigned, StringRef>, unsigned> Seen;
  for (const SASSInst &I : Blocks[Block].Insts) {
    auto Inst = translate(I);
    if (!Inst) {
      consumeError(Inst.takeError());
      continue;
    }
    unsigned Number = 0;
    if (Inst->Memory != HEDDLE_NO_MEMORY) {
      Number = Seen[{I.Line, I.Opcode}]++;
      if (Number >= Copies || originOf(I).Block != Anchors[Block])
        return;
    }
    All.Insts.push_back({*Inst, Number});
  }
  Out.push_back(std::move(All));
}

Expected<KernelCode> SASSLevel::build() {
  findOrigins();
  unsigned Registers = 0;
  auto Text = disassemble(Registers);
  if (!Text)
    return Text.takeError();
  auto Read = readSASS(*Text, Placed.PTX.Name);
  if (!Read)
    return Read.takeError();
  Blocks = std::move(*Read);
  for (const SASSBlock &B : Blocks)
    for (const SASSInst &I : B.Insts)
      if (!findOpcode(I.Opcode))
        return translate(I).takeError();
  dropSlowPaths();
  unsigned Before = 0;
  for (const SASSBlock &B : Blocks) {
    unsigned Anchor = B.Insts.empty() ? None : anchorOf(B);
    // A block without a statement of its own runs with the one before it.
    Anchors.push_back(Anchor == None ? Before : Anchor);
    Before = Anchors.back();
  }
  findCycles();
  anchorPreheaders();
  dropCopies();
  std::vector<OutputBlock> Out;
  for (unsigned B = 0; B != Placed.Blocks.size(); ++B)
    Out.push_back({{{B, false}}, {}});
  joinSteps(Out);
  for (auto [N, B] : enumerate(Blocks))
    if (!B.Insts.empty()) {
      emit(N, Out);
      emitIterations(N, Out);
    }
  KernelCode &Code = Builder.code();
  Code.NumRegisters = NumTableRegisters;
  KernelCode Done = finishBlocks(Builder, Out, Placed.Blocks.size());
  Done.RegistersPerThread = Registers;
  Done.RegisterSource = "ptxas";
  return Done;
}

} // namespace

Expected<KernelCode> buildSASSLevel(CodeTableBuilder &Builder,
                                    const Function &Kernel,
                                    const KernelNumbering &Numbering,
                                    const PlacedKernel &Placed,
                                    StringRef Arch) {
  return SASSLevel(Builder, Kernel, Numbering, Placed, Arch).build();
}

} // namespace heddle::machine
