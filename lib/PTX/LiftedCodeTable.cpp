//===- LiftedCodeTable.cpp - The instructions of a lifted kernel ----------===//
//
// A block of a lifted kernel stands for consecutive instructions of the text,
// and its memory records for those of them that access memory, in order.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/CodeTableBuilder.h"
#include "heddle/PTX/FragmentAccess.h"
#include "heddle/PTX/PTXInstructions.h"

#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace heddle {

/// The memory records of \p Block, in order.
static SmallVector<unsigned, 4> recordsOf(const BasicBlock &Block,
                                          const KernelNumbering &Numbering) {
  SmallVector<unsigned, 4> Records;
  for (const Instruction &I : Block)
    if (unsigned N = Numbering.memoryNumber(&I); N != HEDDLE_NO_MEMORY) {
      for (; N < Numbering.memory().size() && Numbering.memory()[N].Inst == &I;
           ++N)
        Records.push_back(N);
    }
  return Records;
}

/// The records at the front of \p Left that are one wmma.load or wmma.store.
static ArrayRef<unsigned> fragmentRecords(ArrayRef<unsigned> Left,
                                          const KernelNumbering &Numbering) {
  auto NodeOf = [&](unsigned Record) {
    return Numbering.memory()[Record].Inst->getMetadata(FragmentMetadata);
  };
  return Left.take_while([&](unsigned Record) {
    return NodeOf(Record) && NodeOf(Record) == NodeOf(Left.front());
  });
}

/// \p Inst, an access to a fragment, as one instruction for each record, among
/// which the registers of the fragment are shared out.
static SmallVector<HeddleInst, 8> partsOf(const HeddleInst &Inst,
                                          const ptx::Inst &From,
                                          ArrayRef<unsigned> Records,
                                          const KernelNumbering &Numbering) {
  const bool IsStore = Inst.Class == HEDDLE_OP_STORE;
  SmallVector<uint16_t, 8> Data(From.Defs.begin(), From.Defs.end());
  SmallVector<uint16_t, 8> Address(From.Uses.begin(), From.Uses.end());
  if (IsStore && !Address.empty()) { // which comes first there
    Data.assign(Address.begin() + 1, Address.end());
    Address.truncate(1);
  }
  SmallVector<HeddleInst, 8> Parts;
  for (auto [N, Record] : enumerate(Records)) {
    const size_t Begin = N * Data.size() / Records.size(),
                 End = (N + 1) * Data.size() / Records.size();
    const auto Own = ArrayRef(Data).slice(Begin, End - Begin);
    SmallVector<uint16_t, 8> Uses(Address);
    if (IsStore)
      append_range(Uses, Own);
    HeddleInst Part = Inst;
    Part.Memory = Record;
    Part.AccessBytes = Numbering.memory()[Record].AccessBytes;
    CodeTableBuilder::setRegisters(Part, IsStore ? ArrayRef<uint16_t>() : Own,
                                   Uses);
    Parts.push_back(Part);
  }
  return Parts;
}

Expected<PlacedBlocks> placeLifted(CodeTableBuilder &Builder,
                                   const ptx::Kernel &PTX) {
  if (PTX.Registers.size() > UINT16_MAX)
    return createStringError("kernel '" + PTX.Name +
                             "' has more than 65535 virtual registers");
  struct Placed {
    const ptx::Inst *Inst;
    unsigned Issued;
  };
  std::vector<Placed> Text;
  std::vector<std::vector<unsigned>> Issued = issuedInstructions(PTX);
  for (auto [B, Block] : enumerate(PTX.Blocks))
    for (auto [I, Inst] : enumerate(Block.Insts))
      Text.push_back({&Inst, Issued[B][I]});
  const KernelNumbering &Numbering = Builder.numbering();
  PlacedBlocks Out(Numbering.numBlocks());
  for (unsigned B = 0; B < Numbering.numBlocks(); ++B) {
    const BasicBlock &Block = *Numbering.block(B);
    PTXRange Range = liftedRange(Block);
    SmallVector<unsigned, 4> Records = recordsOf(Block, Numbering);
    ArrayRef<unsigned> Left = Records;
    for (const Placed &P : ArrayRef(Text).slice(Range.First, Range.Count)) {
      auto Inst = Builder.translate(*P.Inst);
      if (!Inst)
        return Inst.takeError();
      Inst->Issued = P.Issued;
      Builder.setLine(*Inst, P.Inst->TextLine);
      if (StringRef(P.Inst->Opcode).starts_with("wmma.") &&
          Inst->Class != HEDDLE_OP_TENSOR) {
        const auto Parts = fragmentRecords(Left, Numbering);
        Left = Left.drop_front(Parts.size());
        for (const HeddleInst &Part : partsOf(*Inst, *P.Inst, Parts, Numbering))
          Out[B].push_back({Part, P.Inst});
        continue;
      }
      if (accessesRecords(*Inst) && !Left.empty())
        Inst->Memory = Left.consume_front();
      // A sum of two halves is two in IR.
      const StringRef Opcode = P.Inst->Opcode;
      if ((Opcode.starts_with("atom.") || Opcode.starts_with("red.")) &&
          Opcode.ends_with("x2") && !Left.empty())
        Left = Left.drop_front();
      // The others of the same instruction.
      if (Inst->Memory != HEDDLE_NO_MEMORY)
        Left = Left.drop_while([&](unsigned Record) {
          return Numbering.memory()[Record].Inst ==
                 Numbering.memory()[Inst->Memory].Inst;
        });
      Out[B].push_back({*Inst, P.Inst});
    }
    if (!Left.empty())
      return createStringError("kernel '" + PTX.Name + "', PTX line " +
                               Twine(Text[Range.First].Inst->TextLine) +
                               ": an access without an instruction");
  }
  return Out;
}

} // namespace heddle
