//===- LibraryFunctions.cpp - Device library of a clone -------------------===//

#include "synthesis/LibraryFunctions.h"

#include "synthesis/PTXOperands.h"

#include <fmt/ranges.h>

namespace heddle::synthesis {

std::string libraryFunctions(const std::map<std::string, unsigned> &Issued) {
  std::string Text;
  for (const auto &[Opcode, Count] : Issued) {
    const Operands O = operandsOf(Opcode);
    const bool Double = O.IsDouble;
    const char *Type = Double ? "f64" : "f32";
    auto Declare = [](Kind K, const std::string &Name) {
      return fmt::format(".reg .b{} {}", 8 << unsigned(K), Name);
    };
    // Floating numbers are used; integers (an exponent) are accepted and
    // ignored.
    std::vector<std::string> Parameters, Numbers;
    for (size_t I = 0; I < O.Sources.size(); ++I) {
      Parameters.push_back(
          Declare(O.Sources[I], std::string(1, char('a' + I))));
      if (I >= O.IntegerSources.size() || !O.IntegerSources[I])
        Numbers.push_back(std::string(1, char('a' + I)));
    }
    const std::string Result = O.IntegerResult ? "t" : "r";
    const std::string Factor = Numbers.empty() ? Result : Numbers.front();
    const std::string Added = Numbers.size() > 1 ? Numbers[1] : Result;
    Text += fmt::format("\n.func ({}) {}({})\n{{\n",
                        Declare(O.Results.front(), "r"), functionName(Opcode),
                        fmt::join(Parameters, ", "));
    if (O.IntegerResult)
      Text += fmt::format("\t.reg .{} t;\n", Type);
    Text += fmt::format("\t{} {}, {};\n",
                        Double ? "rcp.approx.ftz.f64" : "ex2.approx.ftz.f32",
                        Result, Factor);
    for (unsigned I = O.IntegerResult ? 2 : 1; I < Count; ++I)
      Text += fmt::format("\tfma.rn.{} {}, {}, {}, {};\n", Type, Result, Result,
                          Factor, Added);
    if (O.IntegerResult)
      Text += fmt::format("\tcvt.rzi.s{}.{} r, t;\n",
                          8 << unsigned(O.Results.front()), Type);
    Text += "\tret;\n}\n";
  }
  return Text;
}

} // namespace heddle::synthesis
