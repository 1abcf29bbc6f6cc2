//===- PTXOperands.h - The operands that an opcode takes --------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_PTXOPERANDS_H
#define HEDDLE_SYNTHESIS_PTXOPERANDS_H

#include <string>
#include <string_view>
#include <vector>

namespace heddle::synthesis {

/// Registers of a clone by size; their meaning depends on the instruction.
enum class Kind { Predicate, B16, B32, B64 };

/// Results and sources of an opcode with all its modifiers, addresses left out.
struct Operands {
  std::vector<Kind> Results, Sources;
  unsigned Elements = 1; ///< of a vector that is loaded or stored
  bool IsMemory = false; ///< has an address before (store) or after its
                         ///< results (load)
  bool IsFloat = false;  ///< literals are floating-point
  bool IsDouble = false;
  std::vector<std::string> Lead;    ///< literal operands before the sources
  std::vector<std::string> Tail;    ///< literal operands after the sources
  std::vector<bool> IntegerSources; ///< of a library function: no numbers
  bool IntegerResult = false;       ///< likewise
};

/// Reads \p Opcode, e.g. "mad.wide.s32". Every opcode has some answer; one that
/// takes other operands is refused by the PTX reader.
Operands operandsOf(std::string_view Opcode);

/// The function that stands for a pseudo instruction "math.exp.f32".
std::string functionName(std::string_view Opcode);

/// \p Opcode without its modifiers.
inline std::string_view baseOf(std::string_view Opcode) {
  return Opcode.substr(0, Opcode.find('.'));
}

/// The parts of an opcode between its dots.
std::vector<std::string_view> partsOf(std::string_view Opcode);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_PTXOPERANDS_H
