//===- Metrics.cpp - Numbers under Nsight Compute's names -----------------===//

#include "views/Metrics.h"

#include "base/Fail.h"
#include "views/TextTable.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heddle::views {

/// Names of Nsight Compute's documentation, and only such whose meaning is that
/// of our counter. By name.
static constexpr MetricRow Rows[] = {
    {"dram__bytes.sum", "byte", 1, "/dram/read_bytes /dram/write_bytes", ""},
    {"dram__bytes.sum.per_second", "byte/second", 1e6,
     "/dram/read_bytes /dram/write_bytes", "/time_us"},
    {"dram__bytes_read.sum", "byte", 1, "/dram/read_bytes", ""},
    {"dram__bytes_read.sum.per_second", "byte/second", 1e6, "/dram/read_bytes",
     "/time_us"},
    {"dram__bytes_write.sum", "byte", 1, "/dram/write_bytes", ""},
    {"dram__bytes_write.sum.per_second", "byte/second", 1e6,
     "/dram/write_bytes", "/time_us"},
    {"gpc__cycles_elapsed.max", "cycle", 1, "/cycles", ""},
    {"gpu__time_duration.sum", "nsecond", 1e3, "/time_us", ""},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "", 1,
     "/shared_conflict_cycles", ""},
    {"launch__block_dim_x", "thread", 1, "/block/0", ""},
    {"launch__block_dim_y", "thread", 1, "/block/1", ""},
    {"launch__block_dim_z", "thread", 1, "/block/2", ""},
    {"launch__grid_dim_x", "block", 1, "/grid/0", ""},
    {"launch__grid_dim_y", "block", 1, "/grid/1", ""},
    {"launch__grid_dim_z", "block", 1, "/grid/2", ""},
    {"launch__occupancy_limit_blocks", "block", 1, "/occupancy/blocks_by_slots",
     ""},
    {"launch__occupancy_limit_registers", "block", 1,
     "/occupancy/blocks_by_registers", ""},
    {"launch__occupancy_limit_shared_mem", "block", 1,
     "/occupancy/blocks_by_shared", ""},
    {"launch__occupancy_limit_warps", "block", 1, "/occupancy/blocks_by_warps",
     ""},
    {"launch__registers_per_thread", "register/thread", 1,
     "/code/registers_per_thread", ""},
    {"lts__t_sectors.sum", "sector", 1, "/l2/accesses", ""},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", 100,
     "/occupancy/achieved", ""},
    {"smsp__inst_executed.sum", "inst", 1, "/warp_instructions", ""},
    {"smsp__inst_issued.sum", "inst", 1, "/issued_instructions", ""},
    {"smsp__thread_inst_executed.sum", "inst", 1, "/thread_instructions", ""},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", "", 1,
     "/thread_instructions", "/warp_instructions"},
#define STALL(NAME)                                                            \
  {"smsp__warp_issue_stalled_" #NAME "_per_warp_active.pct", "%", 100,         \
   "/cpi_stack/" #NAME, "/cpi_stack"}
    STALL(barrier),
    STALL(branch_resolving),
    STALL(dispatch_stall),
    STALL(drain),
    STALL(imc_miss),
    STALL(lg_throttle),
    STALL(long_scoreboard),
    STALL(math_pipe_throttle),
    STALL(membar),
    STALL(mio_throttle),
    STALL(no_instruction),
    STALL(not_selected),
    STALL(short_scoreboard),
    STALL(sleeping),
    STALL(tex_throttle),
    STALL(wait),
#undef STALL
};

/// The number, or the sum of the numbers of an object.
static std::optional<double> numberAt(const JSON &Result,
                                      const std::string &Pointer) {
  const JSON::json_pointer At(Pointer);
  if (!Result.contains(At))
    return std::nullopt;
  const JSON &V = Result[At];
  if (V.is_number())
    return V.get<double>();
  if (!V.is_object())
    return std::nullopt;
  double Sum = 0;
  for (const JSON &Part : V)
    Sum += Part.is_number() ? Part.get<double>() : 0;
  return Sum;
}

static std::optional<double> sumOf(const JSON &Result, std::string_view Keys) {
  double Sum = 0;
  while (!Keys.empty()) {
    const size_t End = std::min(Keys.find(' '), Keys.size());
    const auto Value = numberAt(Result, std::string(Keys.substr(0, End)));
    if (!Value)
      return std::nullopt;
    Sum += *Value;
    Keys.remove_prefix(std::min(End + 1, Keys.size()));
  }
  return Sum;
}

static std::optional<double> valueOf(const MetricRow &Row, const JSON &Result) {
  const auto Sum = sumOf(Result, Row.Keys);
  if (!Sum || Row.Per.empty())
    return Sum ? std::optional(Row.Scale * *Sum) : std::nullopt;
  const auto Per = sumOf(Result, Row.Per);
  if (!Per)
    return std::nullopt;
  return *Per != 0 ? Row.Scale * *Sum / *Per : 0;
}

heddle::Result<std::vector<Metric>>
metricsOf(const JSON &Result, const std::vector<std::string> &Names) {
  std::vector<Metric> Out;
  const bool All = std::ranges::find(Names, "all") != Names.end();
  for (const MetricRow &Row : Rows)
    if (All)
      if (const auto Value = valueOf(Row, Result))
        Out.push_back({&Row, *Value});
  for (const std::string &Name : Names) {
    if (All)
      continue;
    const auto *Row =
        std::ranges::find_if(Rows, [&](auto &R) { return R.Name == Name; });
    if (Row == std::end(Rows))
      return fail(
          "--metrics {}: no metric of this name; docs/Reports.md lists those "
          "that mean the same here as in Nsight Compute, 'all' shows them",
          Name);
    const auto Value = valueOf(*Row, Result);
    if (!Value)
      return fail("--metrics {}: model {} does not count it", Name,
                  Result.value("model", std::string("?")));
    Out.push_back({Row, *Value});
  }
  return Out;
}

static std::string numberText(double Value) {
  return Value == std::floor(Value) && std::abs(Value) < 1e15
             ? fmt::format("{:.0f}", Value)
             : fmt::format("{:.4f}", Value);
}

std::string metricsText(const JSON &Result,
                        const std::vector<Metric> &Metrics) {
  TextTable Table("llr", {"metric", "unit", "value"});
  for (const Metric &M : Metrics)
    Table.row({M.Row->Name, M.Row->Unit, numberText(M.Value)});
  return fmt::format("{} on {}\n", Result.value("kernel", std::string()),
                     Result.value("gpu", std::string())) +
         Table.str();
}

static std::string quoted(const std::string &Text) {
  std::string Out = "\"";
  for (char C : Text)
    Out += C == '"' ? "\"\"" : std::string(1, C);
  return Out + '"';
}

std::string metricsCSV(const JSON &Result, const std::vector<Metric> &Metrics) {
  std::string Out = "\"ID\",\"Kernel Name\",\"Device\",\"Metric Name\","
                    "\"Metric Unit\",\"Metric Value\"\n";
  for (const Metric &M : Metrics)
    Out += fmt::format("\"0\",{},{},\"{}\",\"{}\",\"{}\"\n",
                       quoted(Result.value("kernel", std::string())),
                       quoted(Result.value("gpu", std::string())), M.Row->Name,
                       M.Row->Unit, numberText(M.Value));
  return Out;
}

} // namespace heddle::views
