//===- InterpreterTexture.cpp - Texture and surface instructions ----------===//

#include "InterpreterDecoder.h"

#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Transforms/ControlSlice.h"

using namespace llvm;

namespace heddle::interp {

/// The lanes' values \p Of as rows of type \p T, one after the other; of null:
/// zeros.
Decoder::Slot Decoder::packRows(ArrayRef<const Value *> Of, Ty T) {
  SmallVector<Slot, 4> Rows;
  for (size_t N = 0; N < std::max<size_t>(Of.size(), 1); ++N)
    Rows.push_back(scratch(T));
  for (auto [To, V] : zip(Rows, Of)) {
    const Slot From = !V             ? constantInt(T, 0)
                      : T == Ty::U64 ? numberSlot(V)
                                     : slot(V);
    emit(OpKind::Copy, T, To, From);
  }
  return Rows.front();
}

/// Gives the results of a load of a surface, rows of 64-bit words from \p Row
/// on, to \p I.
void Decoder::unpackRows(const CallInst &I, Slot Row) {
  for (auto [N, Part] : enumerate(scalars(I.getType()))) {
    const Ty T = container(Part.Type);
    const Slot From = Row + uint32_t(N) * HEDDLE_WARP_SIZE * sizeOf(Ty::U64);
    if (T == Ty::U64)
      emit(OpKind::Copy, T, define(I, unsigned(N), T), From);
    else
      emit(OpKind::TruncInt, Ty::U64, define(I, unsigned(N), T), From, 0, 0, 0,
           T);
  }
}

/// Places are found first, which is what is observed and checked.
bool Decoder::decodeTexture(const CallInst &I) {
  const auto O = textureOperation(I);
  if (!O)
    return false;
  const Slot Handles = packRows({O->Handle, O->Sampler}, Ty::U64),
             Coordinates = packRows(O->Coordinates, Ty::U32);
  const bool Observes = Options.Counters || Options.OnMemory;
  if (O->numRecords() && (Observes || Options.OnCheck)) {
    const Slot Records =
        packRows(SmallVector<const Value *>(HEDDLE_TEXTURE_RECORDS), Ty::U64);
    emit(OpKind::TexturePlace, Ty::U64, Records, Handles, Coordinates, 0,
         O->shapeBits());
    beginAccess(I, Records);
    // After the first, as traces have them.
    if (Observes && O->numRecords() > 1) {
      const unsigned Record = Numbering.memoryNumber(&I) + 1;
      const MemoryRecord &M = Numbering.memory()[Record];
      Out.Accesses.push_back({Record, M.AccessBytes, M.Space});
      emit(OpKind::Observe, Ty::U64, 0,
           Records + HEDDLE_WARP_SIZE * sizeOf(Ty::U64), 0, 0,
           Out.Accesses.size() - 1);
    }
  }
  if (!isAddressOnly(I)) {
    const SmallVector<const Value *> Zeros(O->isSurface() ? O->Shape.Elements
                                                          : 4);
    const Ty T = O->isSurface() ? Ty::U64 : Ty::U32;
    const Slot Data = packRows(O->isStore() ? ArrayRef(O->Data) : Zeros, T);
    emit(OpKind::TextureAccess, T, Data, Handles, Coordinates, 0,
         O->shapeBits());
    if (O->isSurface() && !O->isStore())
      unpackRows(I, Data);
    else if (!O->isStore())
      for (auto [N, Part] : enumerate(scalars(I.getType())))
        emit(OpKind::Copy, Ty::U32, define(I, unsigned(N), Ty::U32),
             Data + uint32_t(N) * HEDDLE_WARP_SIZE * sizeOf(Ty::U32));
  }
  endAccess(I);
  return true;
}

} // namespace heddle::interp
