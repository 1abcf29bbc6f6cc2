//===- InstructionView.cpp - Samples per instruction ----------------------===//

#include "views/InstructionView.h"

#include "views/TextTable.h"

#include <algorithm>
#include <numeric>

using namespace heddle::timing;

namespace heddle::views {

static const std::string &opcodeOf(const SimulationResult &R, size_t Inst) {
  static const std::string Unknown = "?";
  uint32_t Opcode = Inst < R.InstOpcode.size() ? R.InstOpcode[Inst] : ~0u;
  return Opcode < R.Opcodes.size() ? R.Opcodes[Opcode] : Unknown;
}

std::string InstructionView::text() const {
  TextTable Table({TextTable::Right, TextTable::Left, TextTable::Right,
                   TextTable::Right, TextTable::Left});
  Table.header({"inst", "opcode", "issued", "share", "mostly"});
  for (size_t I = 0; I < Result.Insts.size(); ++I) {
    const StallCycles &States = Result.Insts[I].Cycles;
    uint64_t Cycles =
        std::accumulate(States.begin(), States.end(), uint64_t(0));
    auto Most = std::max_element(States.begin(), States.end());
    Table.row(
        {std::to_string(I), opcodeOf(Result, I),
         grouped(Result.Insts[I].Issued), percent(Cycles, Result.WarpCycles),
         Cycles ? std::string(stallName(Stall(Most - States.begin()))) : ""});
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
    All.push_back({{"opcode", opcodeOf(Result, I)},
                   {"warp_instructions", Sample.Issued},
                   {"thread_instructions", Sample.Threads},
                   {"cycles", Cycles}});
  }
}

} // namespace heddle::views
