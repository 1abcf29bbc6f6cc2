//===- InstructionView.h - Samples per instruction --------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_INSTRUCTIONVIEW_H
#define HEDDLE_VIEWS_INSTRUCTIONVIEW_H

#include "timing/SimulationResult.h"
#include "trace/CodeTable.h"
#include "views/View.h"

#include <string>

namespace heddle::views {

/// Every instruction of the code table in order, with how often it issued and
/// what its warps waited for: the annotated PTX. JSON key: instructions.
class InstructionView : public View {
public:
  /// With \p Code operands, source lines and basic blocks are shown as well.
  explicit InstructionView(const timing::SimulationResult &Result,
                           const trace::CodeTable *Code = nullptr);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const timing::SimulationResult &Result;
  const trace::CodeTable *Code;
  std::vector<uint32_t> BlockOf; ///< by instruction; empty without a code table
};

/// Instruction \p Inst of \p Code in the manner of PTX, with the code table's
/// register numbers: "ld.global.f32 %r5, [%r4]". Immediate operands are not in
/// the table and so not in the text; "?" if there is no such instruction.
std::string instructionText(const trace::CodeTable &Code, size_t Inst);

/// "kernel.cu:12", empty without a line.
std::string placeOf(const trace::CodeTable &Code, size_t Inst);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_INSTRUCTIONVIEW_H
