//===- InterpreterBaseline.cpp - The interpreter for one vector width -===//

#include "InterpreterCore.inc"

namespace heddle::interp {

const Core &baselineCore() {
  static const Core C{find, runWarp};
  return C;
}

} // namespace heddle::interp
