//===- LiftedCodeTable.cpp - The instructions of a lifted kernel ----------===//
//
// A block of a lifted kernel stands for consecutive instructions of the text,
// and its memory records for those of them that access memory, in order.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/CodeTableBuilder.h"
#include "heddle/PTX/PTXInstructions.h"

#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/BasicBlock.h"

using namespace llvm;

namespace heddle {

/// The memory records of \p Block, in order.
static SmallVector<unsigned, 4> recordsOf(const BasicBlock &Block,
                                          const KernelNumbering &Numbering) {
  SmallVector<unsigned, 4> Records;
  for (const Instruction &I : Block)
    if (unsigned N = Numbering.memoryNumber(&I); N != HEDDLE_NO_MEMORY)
      Records.push_back(N);
  return Records;
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
      if (accessesRecords(*Inst) && !Left.empty())
        Inst->Memory = Left.consume_front();
      Builder.setLine(*Inst, P.Inst->TextLine);
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
