//===- InterpreterAVX2.cpp - The interpreter for one vector width -===//

#include "InterpreterCore.inc"

namespace heddle::interp {

const Core &avx2Core() {
  static const Core C{find, runWarp};
  return C;
}

} // namespace heddle::interp
