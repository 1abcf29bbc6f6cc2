//===- TextureInstructions.h - Textures in inline assembly ------*- C++ -*-===//

#ifndef HEDDLE_PTX_TEXTUREINSTRUCTIONS_H
#define HEDDLE_PTX_TEXTUREINSTRUCTIONS_H

namespace llvm {
class CallInst;
class Module;
} // namespace llvm

namespace heddle {

/// Whether \p Call is inline assembly that reads, writes or asks about a
/// texture or a surface (tex, tld4, suld, sust, txq, suq).
bool isTextureAssembly(const llvm::CallInst &Call);

/// Whether \p M has the functions of lib/Frontend/CUDA/texture_instructions.h,
/// which these instructions become calls of.
bool hasTextureLibrary(const llvm::Module &M);

} // namespace heddle

#endif // HEDDLE_PTX_TEXTUREINSTRUCTIONS_H
