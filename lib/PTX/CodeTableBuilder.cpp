//===- CodeTableBuilder.cpp - Tables of names and lines -------------------===//

#include "heddle/PTX/CodeTableBuilder.h"

#include "heddle/ABI/AsyncOps.h"
#include "heddle/ABI/BulkOps.h"
#include "heddle/PTX/PTXInstructions.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace heddle {

CodeTableBuilder::CodeTableBuilder(const Function &Kernel,
                                   const KernelNumbering &Numbering, ISA Level)
    : Numbering(Numbering) {
  Code.Kernel = Kernel.getName().str();
  Code.Level = Level;
  for (const MemoryRecord &Record : Numbering.memory())
    Code.Memory.push_back({uint8_t(Record.Space), uint8_t(Record.IsStore),
                           uint16_t(Record.AccessBytes)});
  if (const DISubprogram *Subprogram = Kernel.getSubprogram())
    MainFile = Subprogram->getFilename().str();
}

uint32_t CodeTableBuilder::opcode(StringRef Name) {
  auto [It, New] = OpcodeNumbers.try_emplace(Name, Code.Opcodes.size());
  if (New)
    Code.Opcodes.push_back(Name.str());
  return It->second;
}

void CodeTableBuilder::setSource(HeddleInst &Inst, const Instruction &From) {
  const DILocation *Place = From.getDebugLoc();
  if (!Place)
    return;
  // A function of a header that was inlined counts for the line that calls it.
  const DILocation *Own = Place;
  while (Own && Own->getFilename() != MainFile)
    Own = Own->getInlinedAt();
  if (Own && Own->getLine())
    Place = Own;
  if (!Place->getLine())
    return;
  auto [It, New] =
      FileNumbers.try_emplace(Place->getFilename(), Code.Files.size());
  if (New)
    Code.Files.push_back(Place->getFilename().str());
  Inst.SourceFile = It->second;
  Inst.SourceLine = Place->getLine();
}

void CodeTableBuilder::setLine(HeddleInst &Inst, unsigned Line) {
  auto [It, New] = FileNumbers.try_emplace(MainFile, Code.Files.size());
  if (New)
    Code.Files.push_back(MainFile);
  Inst.SourceFile = It->second;
  Inst.SourceLine = Line;
}

/// Bytes of cp.async, groups of its fences: literals among the operands.
static void describeCopy(const ptx::Inst &From, HeddleInst &Out) {
  const std::optional<PTXStatement> S = parseStatement(From.Text);
  unsigned Literal = 0;
  if (S && S->Operands.size() >= 3)
    S->Operands[2].getAsInteger(0, Literal);
  else if (S && S->Operands.size() == 1)
    S->Operands[0].getAsInteger(0, Literal);
  if (Out.Class == HEDDLE_OP_ATOMIC || heddleIsBulk(Out.Products))
    return;
  if (Out.Class == HEDDLE_OP_LOAD)
    Out.AccessBytes = uint16_t(Literal);
  else if (From.Opcode == "cp.async.commit_group")
    Out.Products = HEDDLE_COPY_COMMIT;
  else if (From.Opcode == "cp.async.wait_all")
    Out.Products = HEDDLE_COPY_WAIT_ALL;
  else if (Out.Products != HEDDLE_BULK_COMMIT) // the bulk groups or the others
    Out.Products +=
        uint16_t(std::min(Literal, unsigned(HEDDLE_BULK_MAX_GROUPS)));
}

/// wgmma: where A is, and what groups its fences await. setmaxnreg: the count.
static void describeGroup(const ptx::Inst &From, HeddleInst &Out) {
  const std::optional<PTXStatement> S = parseStatement(From.Text);
  if (Out.Class == HEDDLE_OP_TENSOR) {
    if (S && S->Operands.size() > 1 && !S->Operands[1].starts_with("{"))
      Out.AccessBytes += 64 * 32;
    return;
  }
  unsigned Left = 0;
  if (heddleSetsRegisters(Out.Products)) {
    if (S && S->Operands.size() == 1 && !S->Operands[0].getAsInteger(0, Left))
      Out.Products |= uint16_t(Left & HEDDLE_REGISTERS_COUNT);
    return;
  }
  if (S && S->has("fence"))
    Out.Products = HEDDLE_GROUP_FENCE;
  else if (S && S->has("commit_group"))
    Out.Products = HEDDLE_COPY_COMMIT;
  else if (S && S->Operands.size() == 1 &&
           !S->Operands[0].getAsInteger(0, Left))
    Out.Products = uint16_t(std::min(Left, unsigned(HEDDLE_GROUP_FENCE) - 1));
}

uint16_t namedBarrier(bool Arrives, std::optional<unsigned> Number,
                      std::optional<unsigned> Threads) {
  const unsigned Kind =
      HEDDLE_NAMED_BARRIER | (Arrives ? HEDDLE_NAMED_ARRIVES : 0);
  if (!Number || !Threads)
    return uint16_t(Kind);
  return uint16_t(Kind | (*Number & 0xf) << HEDDLE_NAMED_NUMBER_SHIFT |
                  std::min(*Threads / 32, unsigned(HEDDLE_NAMED_WARPS)));
}

/// bar.sync 1, 128: which barrier of how many threads. Those without a number
/// of threads are of all.
static void describeBarrier(const ptx::Inst &From, HeddleInst &Out) {
  const std::optional<PTXStatement> S = parseStatement(From.Text);
  if (!S || !StringRef(From.Opcode).starts_with("bar"))
    return;
  const bool Reduces = S->has("red");
  const ArrayRef<StringRef> Operands =
      ArrayRef(S->Operands).drop_front(Reduces).drop_back(Reduces);
  if (Operands.size() < 2)
    return;
  auto Constant = [](StringRef Text) -> std::optional<unsigned> {
    unsigned N = 0;
    return Text.getAsInteger(0, N) ? std::nullopt : std::optional(N);
  };
  Out.Products = namedBarrier(S->has("arrive"), Constant(Operands[0]),
                              Constant(Operands[1]));
}

Expected<HeddleInst> CodeTableBuilder::translate(const ptx::Inst &From) {
  std::optional<HeddleInst> Info = describeOpcode(From.Opcode);
  if (!Info)
    return createStringError("kernel '" + Code.Kernel + "', PTX line " +
                             Twine(From.TextLine) + ": opcode '" + From.Opcode +
                             "' is unknown");
  HeddleInst Out = *Info;
  Out.Opcode = opcode(From.Opcode);
  Out.Memory = HEDDLE_NO_MEMORY;
  const bool OfGroup =
      Out.Class == HEDDLE_OP_TENSOR || Out.Flags & HEDDLE_INST_WARP_GROUP;
  if (Out.Flags & HEDDLE_INST_ASYNC)
    OfGroup ? describeGroup(From, Out) : describeCopy(From, Out);
  if (Out.Class == HEDDLE_OP_BARRIER && !Out.Products)
    describeBarrier(From, Out);
  if (Out.Class == HEDDLE_OP_MOVE && StringRef(From.Symbol).starts_with("%"))
    Out.Class = HEDDLE_OP_SPECIAL;
  SmallVector<uint16_t, 4> Defs(From.Defs.begin(), From.Defs.end());
  SmallVector<uint16_t, 8> Uses(From.Uses.begin(), From.Uses.end());
  // No register waits for the sums of wgmma: a fence does.
  if (Out.Flags & HEDDLE_INST_ASYNC && Out.Class == HEDDLE_OP_TENSOR)
    Defs.clear();
  setRegisters(Out, Defs, Uses);
  return Out;
}

bool accessesRecords(const HeddleInst &Inst) {
  return Inst.Space != HEDDLE_SPACE_NONE && Inst.Space != HEDDLE_SPACE_PARAM;
}

void CodeTableBuilder::setRegisters(HeddleInst &Inst, ArrayRef<uint16_t> Defs,
                                    ArrayRef<uint16_t> Uses) {
  Defs = Defs.take_front(HEDDLE_MAX_INST_REGISTERS);
  Uses = Uses.take_front(HEDDLE_MAX_INST_REGISTERS - Defs.size());
  Inst.NumDefs = Defs.size();
  Inst.NumUses = Uses.size();
  llvm::copy(Defs, Inst.Registers);
  llvm::copy(Uses, Inst.Registers + Defs.size());
}

KernelCode
CodeTableBuilder::finish(std::vector<std::vector<HeddleInst>> BlockInsts) {
  unsigned NextMemory = 0;
  for (unsigned B = 0; B != Numbering.numBlocks(); ++B) {
    HeddleBlock Block;
    Block.FirstInst = Code.Insts.size();
    Block.NumInsts = BlockInsts[B].size();
    Block.FirstMemory = NextMemory;
    while (NextMemory != Numbering.memory().size() &&
           Numbering.memory()[NextMemory].Inst->getParent() ==
               Numbering.block(B))
      ++NextMemory;
    Block.NumMemory = NextMemory - Block.FirstMemory;
    Code.Blocks.push_back(Block);
    append_range(Code.Insts, BlockInsts[B]);
  }
  return std::move(Code);
}

std::string stripProvenance(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    StringRef Code = Line.split("//").first;
    StringRef Word = Code.trim();
    // ".local" declares a variable.
    if (Word.starts_with(".loc\t") || Word.starts_with(".loc ") ||
        Word.starts_with(".file") || Word.starts_with(".section") ||
        Word.starts_with("$L__tmp") || Word.starts_with("$L__func_") ||
        (Word.empty() && !Line.trim().empty()))
      continue;
    Out += Code.rtrim();
    Out += '\n';
  }
  return Out;
}

} // namespace heddle
