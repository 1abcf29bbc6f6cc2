//===- InstructionText.cpp - An instruction of the code table as text -----===//

#include "views/InstructionText.h"

#include <filesystem>

#include <fmt/format.h>

namespace heddle::views {

static bool hasAddress(const HeddleInst &I) {
  return I.Memory != HEDDLE_NO_MEMORY && I.NumUses;
}

std::string instructionText(const trace::CodeTable &Code, size_t Inst) {
  if (Inst >= Code.Insts.size() ||
      Code.Insts[Inst].Opcode >= Code.Opcodes.size())
    return "?";
  const HeddleInst &I = Code.Insts[Inst];
  std::string Text = Code.Opcodes[I.Opcode];
  std::string_view Separator = " ";
  auto add = [&](const std::string &Operand) {
    Text += fmt::format("{}{}", Separator, Operand);
    Separator = ", ";
  };
  for (unsigned N = 0; N != I.NumDefs; ++N)
    add(fmt::format("%r{}", I.Registers[N]));
  for (unsigned N = 0; N != I.NumUses; ++N) {
    std::string Name = fmt::format("%r{}", I.Registers[I.NumDefs + N]);
    // The address is read first (docs/CodeTable.md).
    add(N == 0 && hasAddress(I) ? "[" + Name + "]" : Name);
  }
  return Text;
}

std::string placeOf(const trace::CodeTable &Code, size_t Inst) {
  if (Inst >= Code.Insts.size() || !Code.Insts[Inst].SourceLine ||
      Code.Insts[Inst].SourceFile >= Code.Files.size())
    return "";
  const HeddleInst &I = Code.Insts[Inst];
  return fmt::format(
      "{}:{}",
      std::filesystem::path(Code.Files[I.SourceFile]).filename().string(),
      I.SourceLine);
}

} // namespace heddle::views
