//===- HardwareOpcodes.h - Names of machine instructions --------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_HARDWAREOPCODES_H
#define HEDDLE_VIEWS_HARDWAREOPCODES_H

#include "heddle/ABI/CodeTable.h"

#include <string>
#include <string_view>

namespace heddle::views {

/// The instruction of NVIDIA's machine language (Volta to Ampere) that does
/// what \p Inst does: "FFMA" for fma.rn.f32, "LDG.E.64" for an 8-byte load from
/// \p Space. The names are those that CUDA's binary utilities print ("CUDA
/// Binary Utilities", instruction set reference).
std::string hardwareOpcode(const HeddleInst &Inst, std::string_view Opcode,
                           HeddleMemorySpace Space);

/// The instruction that fills the other issue slots of \p Inst: what expansions
/// mostly consist of, of the same pipe.
std::string_view expansionOpcode(const HeddleInst &Inst);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_HARDWAREOPCODES_H
