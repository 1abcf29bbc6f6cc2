//===- TextureOperation.h - Texture instructions in IR ----------*- C++ -*-===//
//
// A read of a texture, an access of a surface or a question about one is one
// call in IR, of the intrinsic that LLVM has for it (llvm.nvvm.tex.*, .tld4.*,
// .suld.*, .sust.b.*, .txq.*, .suq.*).
//
// Reads have two memory records (ABI/TextureOps.h, HeddleTextureRecord), the
// second in the space of parameters; writes have the first alone, of global
// memory; questions have none.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_TEXTUREOPERATION_H
#define HEDDLE_ANALYSIS_TEXTUREOPERATION_H

#include "heddle/ABI/TextureOps.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace heddle {

struct TextureOperation {
  HeddleTextureShape Shape = {};
  const llvm::Value *Handle = nullptr;
  const llvm::Value *Sampler = nullptr; ///< or null
  /// By HeddleTextureCoordinate; null: 0.
  std::array<const llvm::Value *, HEDDLE_TEXTURE_COORDINATES> Coordinates = {};
  llvm::SmallVector<const llvm::Value *, 4> Data; ///< of a store

  bool isQuestion() const { return Shape.Kind == HEDDLE_TEXTURE_QUERY; }
  bool isStore() const { return Shape.Kind == HEDDLE_SURFACE_STORE; }
  bool isSurface() const {
    return Shape.Kind == HEDDLE_SURFACE_LOAD || isStore();
  }
  uint64_t shapeBits() const;
  unsigned numRecords() const {
    return isQuestion() ? 0 : isStore() ? 1 : HEDDLE_TEXTURE_RECORDS;
  }
  /// Bytes per lane. What a texel of a texture has is known when the launch
  /// runs; until then one word is taken.
  unsigned accessBytes() const {
    return isSurface() ? Shape.Elements * Shape.Bytes : 4;
  }
  /// All that the place of the texels depends on.
  llvm::SmallVector<const llvm::Value *, 6> placeOperands() const;
};

/// What \p Call does if it is one of these.
std::optional<TextureOperation> textureOperation(const llvm::CallBase &Call);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_TEXTUREOPERATION_H
