//===- PTXCodeTable.cpp - PTX instructions by IR block --------------------===//
//
// A block of PTX belongs to the IR block that its label's comment names. An
// instruction belongs to the block it stands in, wherever its .loc points:
// the back end moves computations, and what runs is where they stand. Only
// loads and stores need their .loc, which leads to the record of their
// addresses.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/CodeTableBuilder.h"
#include "heddle/PTX/PTXBlockMap.h"
#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace llvm;

namespace heddle {

namespace {

using Entry = PlacedInst;

/// The record of \p I. The back end makes one load of a choice between two,
/// which then stands for the choice: it has the addresses of the first that has
/// a record.
unsigned recordBehind(const KernelNumbering &Numbering, const Instruction &I) {
  if (unsigned N = Numbering.memoryNumber(&I); N != HEDDLE_NO_MEMORY)
    return N;
  if (const auto *Choice = dyn_cast<SelectInst>(&I))
    for (const Value *Side :
         {Choice->getTrueValue(), Choice->getFalseValue()}) {
      while (const auto *Cast = dyn_cast<CastInst>(Side))
        Side = Cast->getOperand(0);
      if (const auto *Load = dyn_cast<LoadInst>(Side))
        if (unsigned N = Numbering.memoryNumber(Load); N != HEDDLE_NO_MEMORY)
          return N;
    }
  return HEDDLE_NO_MEMORY;
}

class PTXLevel {
public:
  PTXLevel(CodeTableBuilder &Builder, const ptx::Kernel &PTX)
      : Builder(Builder), Numbering(Builder.numbering()), PTX(PTX) {}

  Expected<PlacedBlocks> place();

private:
  Expected<HeddleInst> translate(const ptx::Inst &From);
  unsigned recordOf(const ptx::Inst &From, const HeddleInst &Info) const;
  void setOffsets(std::vector<Entry> &Insts);
  int64_t distanceToMerged(unsigned Record, unsigned Bytes) const;

  CodeTableBuilder &Builder;
  const KernelNumbering &Numbering;
  const ptx::Kernel &PTX;
  DenseSet<unsigned> Covered; ///< memory records that have an instruction
};

/// The record that \p From accesses, if its line says so and kinds agree.
unsigned PTXLevel::recordOf(const ptx::Inst &From,
                            const HeddleInst &Info) const {
  if (From.Line == 0 || From.Line > Numbering.numInsts())
    return HEDDLE_NO_MEMORY;
  unsigned Record = recordBehind(Numbering, *Numbering.inst(From.Line));
  if (Record == HEDDLE_NO_MEMORY)
    return HEDDLE_NO_MEMORY;
  // A .loc stays in force until the next one, so an access without a line of
  // its own (to the frame, say) may stand under that of another kind.
  bool Writes = Info.Class != HEDDLE_OP_LOAD && Info.Class != HEDDLE_OP_TEXTURE;
  if (Numbering.memory()[Record].IsStore != Writes)
    return HEDDLE_NO_MEMORY;
  HeddleMemorySpace Space = Numbering.memory()[Record].Space;
  bool Agree =
      Space == Info.Space || Space == HEDDLE_SPACE_GENERIC ||
      Info.Space == HEDDLE_SPACE_GENERIC ||
      // ld.global.nc of constants, ld.const of global tables
      (Space == HEDDLE_SPACE_CONST && Info.Space == HEDDLE_SPACE_GLOBAL) ||
      (Space == HEDDLE_SPACE_GLOBAL && Info.Space == HEDDLE_SPACE_CONST);
  return Agree ? Record : HEDDLE_NO_MEMORY;
}

Expected<HeddleInst> PTXLevel::translate(const ptx::Inst &From) {
  Expected<HeddleInst> Translated = Builder.translate(From);
  if (!Translated)
    return Translated;
  HeddleInst Out = *Translated;
  if (accessesRecords(Out))
    Out.Memory = recordOf(From, Out);
  if (From.Line && From.Line <= Numbering.numInsts())
    Builder.setSource(Out, *Numbering.inst(From.Line));
  return Out;
}

/// The pointer of \p Record as base and constant distance from it.
std::pair<const Value *, int64_t> baseOf(const MemoryRecord &Record,
                                         const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Record.Pointer->getType()), 0);
  const Value *Base = Record.Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

/// The back end may have merged \p Record with a neighbour that no instruction
/// stands for: how far before the record the access of \p Bytes begins.
int64_t PTXLevel::distanceToMerged(unsigned Record, unsigned Bytes) const {
  const MemoryRecord &Own = Numbering.memory()[Record];
  const DataLayout &DL = Own.Inst->getModule()->getDataLayout();
  auto [Base, Offset] = baseOf(Own, DL);
  int64_t Least = 0;
  for (auto [Number, Other] : enumerate(Numbering.memory())) {
    if (Covered.contains(Number) || Other.IsStore != Own.IsStore ||
        Other.Inst->getParent() != Own.Inst->getParent())
      continue;
    auto [OtherBase, OtherOffset] = baseOf(Other, DL);
    int64_t Distance = OtherOffset - Offset;
    if (OtherBase == Base && Distance < 0 && Distance > -int64_t(Bytes))
      Least = std::min(Least, Distance);
  }
  return Least;
}

/// Several instructions for one record are parts of a wide access: each one's
/// offset is its distance from the lowest.
void PTXLevel::setOffsets(std::vector<Entry> &Insts) {
  std::map<unsigned, SmallVector<Entry *, 4>> Parts;
  for (Entry &E : Insts)
    if (E.Inst.Memory != HEDDLE_NO_MEMORY)
      Parts[E.Inst.Memory].push_back(&E);
  for (auto &[Record, Entries] : Parts)
    Covered.insert(Record);
  for (auto &[Record, Entries] : Parts) {
    unsigned Bytes = Numbering.memory()[Record].AccessBytes;
    if (Entries.size() == 1) {
      Entry &Only = *Entries.front();
      if (Only.Inst.AccessBytes > Bytes)
        Only.Inst.ByteOffset = distanceToMerged(Record, Only.Inst.AccessBytes);
      continue;
    }
    // Parts of one access share the base register and differ in the offset; if
    // the base differs, they come in the order of their addresses.
    bool SameBase = all_of(Entries, [&](Entry *E) {
      return E->From->Symbol == Entries.front()->From->Symbol &&
             E->From->addressRegister() ==
                 Entries.front()->From->addressRegister();
    });
    int64_t Lowest = Entries.front()->From->Offset;
    for (Entry *E : Entries)
      Lowest = std::min(Lowest, E->From->Offset);
    int64_t Next = 0;
    for (Entry *E : Entries) {
      int64_t Offset = SameBase ? E->From->Offset - Lowest : Next;
      Next += E->Inst.AccessBytes;
      // Equal offsets are copies of one instruction, not parts.
      E->Inst.ByteOffset =
          Offset + E->Inst.AccessBytes <= Bytes ? int32_t(Offset) : 0;
    }
  }
}

Expected<PlacedBlocks> PTXLevel::place() {
  if (PTX.Registers.size() > UINT16_MAX)
    return createStringError("kernel '" + PTX.Name +
                             "' has more than 65535 virtual registers");
  auto Map = mapBlocks(PTX, Numbering);
  if (!Map)
    return Map.takeError();
  std::vector<std::vector<unsigned>> Issued = issuedInstructions(PTX);
  PlacedBlocks Blocks(Numbering.numBlocks());
  for (auto [Number, B] : enumerate(PTX.Blocks)) {
    if (!Map->Counted[Number])
      continue;
    unsigned Block = Map->IRBlock[Number];
    for (auto [Index, I] : enumerate(B.Insts)) {
      auto Inst = translate(I);
      if (!Inst)
        return Inst.takeError();
      Inst->Issued = Issued[Number][Index];
      // The addresses of an access are there while its own block runs.
      unsigned Home = Block;
      if (Inst->Memory != HEDDLE_NO_MEMORY)
        Home = Numbering.number(
            Numbering.memory()[Inst->Memory].Inst->getParent());
      Blocks[Home].push_back({*Inst, &I});
    }
  }
  for (std::vector<Entry> &Insts : Blocks) {
    setOffsets(Insts);
    // An instruction without a line takes that of its neighbour before it,
    // the first ones that of the first that has one.
    const HeddleInst *Known = nullptr;
    for (Entry &E : Insts)
      if (E.Inst.SourceLine) {
        Known = &E.Inst;
        break;
      }
    for (Entry &E : Insts) {
      if (E.Inst.SourceLine)
        Known = &E.Inst;
      else if (Known) {
        E.Inst.SourceLine = Known->SourceLine;
        E.Inst.SourceFile = Known->SourceFile;
      }
    }
  }
  return Blocks;
}

} // namespace

Expected<PlacedBlocks> placeEmitted(CodeTableBuilder &Builder,
                                    const ptx::Kernel &PTX) {
  return PTXLevel(Builder, PTX).place();
}

} // namespace heddle
