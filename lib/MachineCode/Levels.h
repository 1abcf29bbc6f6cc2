//===- Levels.h - The two levels of machine code ----------------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_LEVELS_H
#define HEDDLE_LIB_MACHINECODE_LEVELS_H

#include "heddle/PTX/CodeTableBuilder.h"

namespace heddle::machine {

/// The code table of \p Placed by our own lowering for \p Arch.
llvm::Expected<KernelCode> buildMachineLevel(CodeTableBuilder &Builder,
                                             const PlacedKernel &Placed,
                                             llvm::StringRef Arch);

/// The same from what ptxas makes of it and nvdisasm prints.
llvm::Expected<KernelCode> buildSASSLevel(CodeTableBuilder &Builder,
                                          const PlacedKernel &Placed,
                                          llvm::StringRef Arch);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_LEVELS_H
