//===- MachineView.cpp - Machine descriptions as text and JSON ------------===//

#include "views/MachineView.h"

#include "arch/SpecFields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <type_traits>

namespace heddle::views {

using namespace arch;

namespace {

template <typename T> std::string valueText(const T &Value) {
  if constexpr (std::is_enum_v<T>)
    return std::string(enumNames(T())[size_t(Value)]);
  else if constexpr (std::is_same_v<T, std::vector<uint32_t>>)
    return fmt::format("[{}]", fmt::join(Value, ", "));
  else
    return fmt::format("{}", Value);
}

template <typename T> nlohmann::ordered_json valueJSON(const T &Value) {
  if constexpr (std::is_enum_v<T>)
    return std::string(enumNames(T())[size_t(Value)]);
  else
    return Value;
}

/// Operations with the same timing share a line; types keep their order.
struct OpLine {
  std::string Class, Types;
  OpTiming Timing;
};

std::vector<OpLine> opLines(const OpTable &Ops) {
  std::vector<OpLine> Lines;
  for (unsigned Class = 0; Class != HEDDLE_NUM_OP_CLASSES; ++Class) {
    size_t First = Lines.size();
    for (unsigned Type = 0; Type != HEDDLE_NUM_DATA_TYPES; ++Type) {
      const OpTiming &T = Ops.at(Class, Type);
      size_t I = First;
      while (I != Lines.size() && Lines[I].Timing != T)
        ++I;
      if (I == Lines.size())
        Lines.push_back({std::string(OpClassNames[Class]), "", T});
      if (!Lines[I].Types.empty())
        Lines[I].Types += '|';
      Lines[I].Types += DataTypeNames[Type];
    }
    if (Lines.size() == First + 1)
      Lines.back().Types = "*";
  }
  return Lines;
}

/// Calls \p Do with the sizes of which \p T states a latency.
template <typename F> void forEachLatency(const OpTiming &T, F Do) {
  for (size_t N = 0; N < T.MatrixLatencies.size(); ++N)
    if (T.MatrixLatencies[N])
      Do(OpTiming::MinMatrix << N, T.MatrixLatencies[N]);
}

/// Rates and latencies of matrix products; empty where none are stated.
std::string matrixTable(const GPUSpec &Machine) {
  std::string Out;
  for (const OpLine &Line : opLines(Machine.Ops)) {
    const OpTiming &T = Line.Timing;
    if (!T.Products)
      continue;
    if (Out.empty())
      Out = fmt::format("\n  {:<10} {:>9}  {:<24} {}\n", "products",
                        "per cycle", "latency by products", "types");
    std::string Latencies;
    forEachLatency(T, [&](unsigned Size, unsigned Cycles) {
      Latencies +=
          fmt::format("{}{}: {}", Latencies.empty() ? "" : ", ", Size, Cycles);
    });
    Out += fmt::format("  {:<10} {:>9}  {:<24} {}\n", Line.Class,
                       T.Products * Machine.Pipes[T.Pipe].Units, Latencies,
                       Line.Types);
    if (T.GroupProducts)
      Out += fmt::format("  {:<10} {:>9}  {:<24} {}\n", "wgmma",
                         T.GroupProducts * Machine.Pipes[T.Pipe].Units,
                         fmt::format("{} or more", T.GroupLatency), Line.Types);
  }
  return Out;
}

std::string size(uint64_t Bytes) {
  if (Bytes == 0)
    return "-";
  if (Bytes % (1 << 20) == 0)
    return fmt::format("{} MiB", Bytes >> 20);
  return fmt::format("{} KiB", Bytes >> 10);
}

} // namespace

std::string machineTable(std::span<const GPUSpec> Machines) {
  std::string Out = fmt::format(
      "{:<18} {:>4} {:>6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>8}  {}\n", "machine",
      "SMs", "MHz", "warps", "shared", "L1", "L2", "channels", "GB/s",
      "description");
  for (const GPUSpec &M : Machines)
    Out += fmt::format(
        "{:<18} {:>4} {:>6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>8}  {}\n", M.Name,
        M.SM.Count, M.Clock.Core, M.SM.MaxWarps, size(M.Shared.Size),
        size(M.L1.Unified ? M.L1.Unified : M.L1.Size), size(M.L2.TotalSize),
        M.DRAM.Channels, M.DRAM.Bandwidth, M.Description);
  return Out;
}

std::string machineText(const GPUSpec &Machine) {
  std::string Out = Machine.Name + "\n";
  std::string_view Section;
  forEachField(Machine, [&](const FieldInfo &Field, const auto &Value) {
    std::string_view Name = Field.Name.substr(0, Field.Name.find('.'));
    if (Name != Section && Field.Name.find('.') != std::string_view::npos)
      Out += '\n';
    Section = Name;
    Out += fmt::format("  {:<28} {:>16} {:<16} {}\n", Field.Name,
                       valueText(Value), Field.Unit, Field.Doc);
  });
  Out += fmt::format("\n  {:<16} {:>6} {:>14} {:>6} {:>11}\n", "pipes", "units",
                     "per_scheduler", "queue", "collectors");
  for (const PipeSpec &P : Machine.Pipes)
    Out += fmt::format("  {:<16} {:>6} {:>14} {:>6} {:>11}\n", P.Name, P.Units,
                       P.PerScheduler, P.QueueInsts, P.Collectors);
  Out += fmt::format("\n  {:<10} {:<10} {:>8} {:>11}  {}\n", "ops", "pipe",
                     "latency", "initiation", "types");
  for (const OpLine &Line : opLines(Machine.Ops))
    Out += fmt::format("  {:<10} {:<10} {:>8} {:>11}  {}\n", Line.Class,
                       Machine.Pipes[Line.Timing.Pipe].Name,
                       Line.Timing.Latency, Line.Timing.Initiation, Line.Types);
  Out += matrixTable(Machine);
  return Out;
}

nlohmann::ordered_json machineJSON(const GPUSpec &Machine) {
  nlohmann::ordered_json Out;
  Out["name"] = Machine.Name;
  forEachField(Machine, [&](const FieldInfo &Field, const auto &Value) {
    size_t Dot = Field.Name.find('.');
    std::string Section(Field.Name.substr(0, Dot));
    if (Dot == std::string_view::npos)
      Out[Section] = valueJSON(Value);
    else
      Out[Section][std::string(Field.Name.substr(Dot + 1))] = valueJSON(Value);
  });
  for (const PipeSpec &P : Machine.Pipes)
    Out["pipes"][P.Name] = {{"units", P.Units},
                            {"per_scheduler", P.PerScheduler},
                            {"queue", P.QueueInsts},
                            {"collectors", P.Collectors}};
  for (const OpLine &Line : opLines(Machine.Ops))
    Out["ops"][Line.Class + "." + Line.Types] = {
        {"pipe", Machine.Pipes[Line.Timing.Pipe].Name},
        {"latency", Line.Timing.Latency},
        {"initiation", Line.Timing.Initiation}};
  for (const OpLine &Line : opLines(Machine.Ops))
    if (Line.Timing.Products) {
      auto &Op = Out["ops"][Line.Class + "." + Line.Types];
      Op["products"] = Line.Timing.Products;
      forEachLatency(Line.Timing, [&](unsigned Size, unsigned Cycles) {
        Op[fmt::format("latency_{}", Size)] = Cycles;
      });
      if (Line.Timing.GroupProducts) {
        Op["group_products"] = Line.Timing.GroupProducts;
        Op["group_latency"] = Line.Timing.GroupLatency;
      }
    }
  return Out;
}

} // namespace heddle::views
