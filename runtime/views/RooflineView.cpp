//===- RooflineView.cpp - Achieved against peak ---------------------------===//

#include "views/RooflineView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

using namespace heddle::timing;

namespace heddle::views {

/// Operations of one lane; none for what only moves, compares or negates.
static unsigned operations(const HeddleInst &I, std::string_view Opcode) {
  const bool Packed = Opcode.find("x2") != std::string_view::npos ||
                      Opcode.find('2') == 4; // HFMA2, HADD2, HMUL2
  const unsigned Values =
      Packed && (I.Type == HEDDLE_TYPE_F16 || I.Type == HEDDLE_TYPE_BF16) ? 2
                                                                          : 1;
  switch (I.Class) {
  case HEDDLE_OP_MAD:
    return 2 * Values;
  case HEDDLE_OP_MUL:
    return Values;
  case HEDDLE_OP_ADD: // min, max, abs and neg are of this class too
    return Opcode.starts_with("add") || Opcode.starts_with("sub") ||
                   Opcode.find("ADD") == 1
               ? Values
               : 0;
  default:
    return 0;
  }
}

static bool isFloating(unsigned Type) {
  return Type == HEDDLE_TYPE_F16 || Type == HEDDLE_TYPE_BF16 ||
         Type == HEDDLE_TYPE_F32 || Type == HEDDLE_TYPE_F64;
}

/// Operations per second of the whole machine at one multiply-add per lane.
static double peakOf(unsigned Type, const arch::GPUSpec &Machine) {
  const arch::OpTiming &Mad = Machine.Ops.at(HEDDLE_OP_MAD, Type);
  const double Units =
      std::min<double>(Machine.Pipes[Mad.Pipe].Units, // an instruction a cycle
                       double(Machine.SM.Schedulers) * Mad.Initiation);
  const double Packed =
      Type == HEDDLE_TYPE_F16 || Type == HEDDLE_TYPE_BF16 ? 2 : 1;
  return 2 * Packed * 32 * Units / Mad.Initiation * Machine.SM.Count *
         Machine.Clock.Core * 1e6;
}

static double tensorPeakOf(unsigned Type, const arch::GPUSpec &Machine) {
  const arch::OpTiming &Op = Machine.Ops.at(HEDDLE_OP_TENSOR, Type);
  return 2.0 * std::max(Op.Products, Op.GroupProducts) *
         Machine.Pipes[Op.Pipe].Units * Machine.SM.Count * Machine.Clock.Core *
         1e6;
}

void RooflineView::countOperations(const SimulationResult &Result,
                                   const trace::CodeTable &Code,
                                   const arch::GPUSpec &Machine) {
  std::array<double, HEDDLE_NUM_DATA_TYPES> Scalar{}, Tensor{};
  for (size_t I = 0; I < Result.Insts.size() && I < Code.Insts.size(); ++I) {
    const HeddleInst &Inst = Code.Insts[I];
    const InstSample &Ran = Result.Insts[I];
    if (Inst.Class == HEDDLE_OP_TENSOR)
      Tensor[Inst.Type] += 2.0 * heddleProducts(&Inst) * double(Ran.Issued);
    else if (isFloating(Inst.Type))
      Scalar[Inst.Type] +=
          double(Ran.Threads) * operations(Inst, Code.Opcodes[Inst.Opcode]);
  }
  double LeastSeconds = 0; // with every type at its peak
  auto add = [&](std::string Name, double Work, double Peak) {
    if (Work <= 0)
      return;
    Types.push_back({std::move(Name), Work, Work / Seconds, Peak});
    All.Work += Work;
    LeastSeconds += Peak > 0 ? Work / Peak : 0;
  };
  for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T) {
    const std::string Name(arch::DataTypeNames[T]);
    add(Name, Scalar[T], peakOf(T, Machine));
    add("tensor " + Name, Tensor[T], tensorPeakOf(T, Machine));
  }
  All.Name = "all";
  All.PerSecond = All.Work / Seconds;
  All.Peak = LeastSeconds > 0 ? All.Work / LeastSeconds : 0;
}

void RooflineView::addLevel(const char *Name, double Bytes, double Peak) {
  if (Bytes > 0)
    Levels.push_back({Name, Bytes, Bytes / Seconds, Peak});
}

RooflineView::RooflineView(const SimulationResult &Result,
                           const trace::CodeTable &Code,
                           const arch::GPUSpec &Machine)
    : Seconds(Result.TimeUs * 1e-6) {
  if (Seconds <= 0)
    return;
  countOperations(Result, Code, Machine);
  const double CoreHz = Machine.Clock.Core * 1e6, L2Hz = Machine.Clock.L2 * 1e6;
  const arch::L1Spec &L1 = Machine.L1;
  const double BankBytes =
      double(Machine.Shared.Banks) * Machine.Shared.BankBytes;
  // What a cycle of L1 gives: lines by their tags through the banks of shared
  // memory, or banks of its own.
  const double L1Bytes =
      L1.Tags ? std::min<double>(L1.Tags * L1.Line, BankBytes)
      : L1.Sector >= L1.Line || L1.Banks <= 1 ? L1.Line
                                              : double(L1.Banks) * L1.Sector;
  addLevel("shared", double(Result.Shared.Transactions) * BankBytes,
           BankBytes * Machine.SM.Count * CoreHz);
  addLevel("L1", double(Result.L1.Accesses) * L1.Sector,
           L1Bytes * Machine.SM.Count * CoreHz);
  const arch::L2Spec &L2 = Machine.L2;
  const double SliceBytes = std::min<double>(
      Machine.Icnt.SliceBytes, double(L2.Sector) / L2.CyclesPerSector);
  addLevel("L2", double(Result.L2.Accesses) * L2.Sector,
           std::min(SliceBytes * L2.Slices,
                    double(Machine.Icnt.ReplyBytes) * Machine.SM.Count) *
               L2Hz);
  addLevel("DRAM", double(Result.DRAM.ReadBytes + Result.DRAM.WriteBytes),
           Machine.DRAM.Bandwidth * 1e9);
}

double RooflineView::intensity(const Rate &Level) const {
  return Level.Work > 0 ? All.Work / Level.Work : 0;
}

double RooflineView::roof(const Rate &Level) const {
  return std::min(All.Peak, intensity(Level) * Level.Peak);
}

/// "1.2 TFLOP/s": four digits at most, powers of a thousand.
static std::string scaled(double Value, const char *Unit) {
  constexpr const char *Prefixes[] = {"", "k", "M", "G", "T", "P"};
  unsigned P = 0;
  for (; Value >= 1000 && P + 1 < std::size(Prefixes); ++P)
    Value /= 1000;
  return fmt::format("{:.{}f} {}{}", Value, P ? 1 : 0, Prefixes[P], Unit);
}

std::string RooflineView::text() const {
  if (Types.empty() && Levels.empty())
    return "";
  TextTable Table("lrrrrrr", {"", "work", "per second", "peak", "of peak",
                              "FLOP/byte", "of its roof"});
  for (const Rate &T : Types)
    Table.row({T.Name, scaled(T.Work, "FLOP"), scaled(T.PerSecond, "FLOP/s"),
               scaled(T.Peak, "FLOP/s"), percent(T.share(), 1), "", ""});
  for (const Rate &L : Levels)
    Table.row({L.Name, scaled(L.Work, "B"), scaled(L.PerSecond, "B/s"),
               scaled(L.Peak, "B/s"), percent(L.share(), 1),
               All.Work > 0 ? fmt::format("{:.2f}", intensity(L)) : "-",
               All.Work > 0 ? percent(All.PerSecond, roof(L)) : "-"});
  return (All.Work > 0 ? fmt::format("Roofline: {} of {}\n",
                                     scaled(All.PerSecond, "FLOP/s"),
                                     scaled(All.Peak, "FLOP/s"))
                       : "Roofline: no floating-point operations\n") +
         Table.str();
}

void RooflineView::addTo(JSON &Out) const {
  JSON &To = Out["throughput"] = JSON::object();
  To["flop"] = All.Work;
  To["flop_per_second"] = All.PerSecond;
  To["peak_flop_per_second"] = All.Peak;
  JSON &OfTypes = To["types"] = JSON::array();
  for (const Rate &T : Types)
    OfTypes.push_back({{"type", T.Name},
                       {"flop", T.Work},
                       {"flop_per_second", T.PerSecond},
                       {"peak", T.Peak},
                       {"share", T.share()}});
  JSON &OfLevels = To["levels"] = JSON::array();
  for (const Rate &L : Levels)
    OfLevels.push_back({{"level", L.Name},
                        {"bytes", L.Work},
                        {"bytes_per_second", L.PerSecond},
                        {"peak", L.Peak},
                        {"share", L.share()},
                        {"flop_per_byte", intensity(L)},
                        {"roof_flop_per_second", roof(L)}});
}

} // namespace heddle::views
