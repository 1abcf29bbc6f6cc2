//===- Expansion.cpp - Hardware instructions per PTX instruction ----------===//

#include "Expansion.h"

namespace heddle {

unsigned issuedInstructions(llvm::StringRef Opcode, const OpcodeInfo &Info) {
  return 1;
}

} // namespace heddle
