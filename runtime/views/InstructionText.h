//===- InstructionText.h - An instruction of the code table as text -*- C++
//-*-===//

#ifndef HEDDLE_VIEWS_INSTRUCTIONTEXT_H
#define HEDDLE_VIEWS_INSTRUCTIONTEXT_H

#include "trace/CodeTable.h"

#include <string>

namespace heddle::views {

/// Instruction \p Inst of \p Code in the manner of PTX, with the code table's
/// register numbers: "ld.global.f32 %r5, [%r4]". Immediate operands are not in
/// the table and so not in the text; "?" if there is no such instruction.
std::string instructionText(const trace::CodeTable &Code, size_t Inst);

/// "kernel.cu:12", empty without a line.
std::string placeOf(const trace::CodeTable &Code, size_t Inst);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_INSTRUCTIONTEXT_H
