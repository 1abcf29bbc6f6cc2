//===- LibraryFunctions.cpp - Device library of a clone -------------------===//

#include "synthesis/LibraryFunctions.h"

#include "synthesis/PTXOperands.h"

#include <fmt/format.h>

namespace heddle::synthesis {

std::string libraryFunctions(const std::map<std::string, unsigned> &Issued) {
  std::string Text;
  for (const auto &[Opcode, Count] : Issued) {
    const Operands O = operandsOf(Opcode);
    const bool Double = O.IsDouble;
    const char *Type = Double ? "f64" : "f32";
    Text += fmt::format("\n.func (.reg .b{0} r) {1}(.reg .b{0} a{2})\n{{\n",
                        Double ? 64 : 32, functionName(Opcode),
                        O.Sources.size() > 1
                            ? fmt::format(", .reg .b{} b", Double ? 64 : 32)
                            : "");
    Text += Double ? "\trcp.approx.ftz.f64 r, a;\n"
                   : "\tex2.approx.ftz.f32 r, a;\n";
    for (unsigned I = 1; I < Count; ++I)
      Text += fmt::format("\tfma.rn.{} r, r, a, {};\n", Type,
                          O.Sources.size() > 1 ? "b" : "r");
    Text += "\tret;\n}\n";
  }
  return Text;
}

} // namespace heddle::synthesis
