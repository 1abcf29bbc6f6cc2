//===- InstructionView.cpp - Samples per instruction ----------------------===//

#include "views/InstructionView.h"

#include "views/TextTable.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>

using namespace heddle::timing;

namespace heddle::views {

static const std::string &opcodeOf(const SimulationResult &R, size_t Inst) {
  static const std::string Unknown = "?";
  uint32_t Opcode = Inst < R.InstOpcode.size() ? R.InstOpcode[Inst] : ~0u;
  return Opcode < R.Opcodes.size() ? R.Opcodes[Opcode] : Unknown;
}

InstructionView::InstructionView(const SimulationResult &Result,
                                 const trace::CodeTable *Code)
    : Result(Result), Code(Code) {
  if (!Code || Code->Insts.size() != Result.Insts.size()) {
    this->Code = nullptr;
    return;
  }
  BlockOf.resize(Code->Insts.size());
  for (uint32_t B = 0; B < Code->Blocks.size(); ++B)
    for (uint32_t I = 0; I < Code->Blocks[B].NumInsts; ++I)
      BlockOf[Code->Blocks[B].FirstInst + I] = B;
}

std::string InstructionView::text() const {
  TextTable Table("rrlrrll", {"block", "inst", "instruction", "issued", "share",
                              "mostly", "line"});
  for (size_t I = 0; I < Result.Insts.size(); ++I) {
    const StallCycles &States = Result.Insts[I].Cycles;
    uint64_t Cycles =
        std::accumulate(States.begin(), States.end(), uint64_t(0));
    auto Most = std::max_element(States.begin(), States.end());
    bool NewBlock = Code && (I == 0 || BlockOf[I] != BlockOf[I - 1]);
    Table.row(
        {NewBlock ? std::to_string(BlockOf[I]) : "", std::to_string(I),
         Code ? instructionText(*Code, I) : opcodeOf(Result, I),
         grouped(Result.Insts[I].Issued), percent(Cycles, Result.WarpCycles),
         Cycles ? std::string(stallName(Stall(Most - States.begin()))) : "",
         Code ? placeOf(*Code, I) : ""});
  }
  return Result.Insts.empty() ? "" : "Instructions\n" + Table.str();
}

void InstructionView::addTo(JSON &Out) const {
  JSON &All = Out["instructions"] = JSON::array();
  for (size_t I = 0; I < Result.Insts.size(); ++I) {
    const InstSample &Sample = Result.Insts[I];
    JSON Cycles = JSON::object();
    for (unsigned S = 0; S < NumStalls; ++S)
      if (Sample.Cycles[S])
        Cycles[std::string(stallName(Stall(S)))] = Sample.Cycles[S];
    JSON Inst = {{"opcode", opcodeOf(Result, I)}};
    if (Code) {
      Inst["text"] = instructionText(*Code, I);
      Inst["place"] = placeOf(*Code, I);
      Inst["block"] = BlockOf[I];
    }
    Inst["warp_instructions"] = Sample.Issued;
    Inst["thread_instructions"] = Sample.Threads;
    Inst["cycles"] = Cycles;
    All.push_back(std::move(Inst));
  }
}

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
