//===- Tables.cpp - Measurements from CSV files ---------------------------===//

#include "calibration/Tables.h"

#include "base/CSVTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

namespace heddle::calibration {

namespace {

/// Rows of a plateau differ by this much at most, and no fewer make one.
constexpr double PlateauWidth = 0.03;
constexpr size_t PlateauRows = 3;

struct Row {
  unsigned Line = 0;
  std::vector<double> Values; ///< by column, as they were asked for
};

/// The rows of one GPU in one table, ascending by the first column asked for.
struct Rows {
  std::string File;
  std::vector<Row> All;

  /// Where rows \p First to \p Last stand.
  std::string at(size_t First, size_t Last) const {
    auto [From, To] = std::minmax(All[First].Line, All[Last].Line);
    return From == To ? fmt::format("{}:{}", File, From)
                      : fmt::format("{}:{}-{}", File, From, To);
  }
};

/// Throws the first error, which readTables() returns.
class Reader {
public:
  Reader(std::string Dir, std::string GPU, const arch::GPUSpec &Base)
      : Dir(std::move(Dir)), Base(Base) {
    Out.GPU = std::move(GPU);
  }
  TableMeasurements read();

private:
  std::optional<CSVTable> open(const std::string &Name) const;
  void chooseGPU();
  std::optional<Rows> rows(const std::string &Name,
                           const std::vector<std::string> &Columns) const;
  double mhz() const {
    return Out.M.CoreMHz ? Out.M.CoreMHz.Value : Base.Clock.Core;
  }
  /// Bytes per clock of \p GBs.
  double perClock(double GBs) const { return GBs * 1000 / mhz(); }

  void latencies(const Rows &Table);
  void streams(const Rows &Table);
  void l1Bandwidth(const Rows &Table);
  void l2Bandwidth(const Rows &Table);
  void smallKernels(const Rows &Table);
  void smallKernelsInGraph(const Rows &Table);

  const std::string Dir;
  const arch::GPUSpec &Base;
  TableMeasurements Out;
};

constexpr const char *TableNames[] = {
    "latency_by_footprint",      "latency_by_footprint_hopper",
    "stream_by_occupancy",       "l1_bandwidth_by_footprint",
    "l2_bandwidth_by_footprint", "small_kernels",
    "small_kernels_graph"};

/// The rows from \p First on whose values differ from the first of them by no
/// more than a plateau's may; one past the last.
size_t plateauEnd(const Rows &Table, size_t First, unsigned Column) {
  size_t End = First;
  while (
      End < Table.All.size() &&
      std::abs(Table.All[End].Values[Column] / Table.All[First].Values[Column] -
               1) <= PlateauWidth)
    ++End;
  return End;
}

double medianOf(const Rows &Table, size_t First, size_t End, unsigned Column) {
  std::vector<double> Values;
  for (size_t I = First; I != End; ++I)
    Values.push_back(Table.All[I].Values[Column]);
  return median(Values);
}

/// The row with the largest value of \p Column.
size_t best(const Rows &Table, unsigned Column) {
  return std::ranges::max_element(
             Table.All, {}, [=](const Row &R) { return R.Values[Column]; }) -
         Table.All.begin();
}

/// The index of \p Column, "A or B" for either of two; -1 if there is none.
int columnOf(const CSVTable &Table, const std::string &Column) {
  constexpr std::string_view Or = " or ";
  const size_t At = Column.find(Or);
  const int First = Table.column(Column.substr(0, At));
  return First >= 0 || At == Column.npos
             ? First
             : Table.column(Column.substr(At + Or.size()));
}

std::string listed(const std::set<std::string> &Names) {
  return fmt::format("{}", fmt::join(Names, ", "));
}

} // namespace

std::optional<CSVTable> Reader::open(const std::string &Name) const {
  const std::string Path = Dir + "/" + Name + ".csv";
  if (!std::filesystem::exists(Path))
    return std::nullopt;
  Result<CSVTable> Table = readCSV(Path);
  if (!Table)
    throw Table.error();
  return std::move(*Table);
}

/// All tables are of the GPU that was asked for, or of the only one there is.
void Reader::chooseGPU() {
  std::set<std::string> Names;
  bool Found = false;
  for (const char *Name : TableNames)
    if (std::optional<CSVTable> Table = open(Name)) {
      Found = true;
      if (const int Column = Table->column("gpu"); Column >= 0)
        for (const std::vector<std::string> &R : Table->Rows)
          Names.insert(R[Column]);
    }
  if (!Found)
    throw Error{fmt::format("{}: holds none of the tables {}.csv", Dir,
                            fmt::join(TableNames, ".csv, "))};
  if (!Out.GPU.empty() && !Names.contains(Out.GPU))
    throw Error{
        Names.empty()
            ? fmt::format("{}: its tables have no column gpu; leave out "
                          "--rows",
                          Dir)
            : fmt::format("{}: no rows of '{}'; there are rows of {}", Dir,
                          Out.GPU, listed(Names))};
  if (Out.GPU.empty() && Names.size() > 1)
    throw Error{fmt::format("{}: holds rows of {}; choose one with --rows", Dir,
                            listed(Names))};
  if (Out.GPU.empty() && !Names.empty())
    Out.GPU = *Names.begin();
}

/// No clock, size, time or rate is beyond these, and no sum or product of a few
/// of them beyond integers.
constexpr double LeastValue = 1e-6, LargestValue = 1e15;

std::optional<Rows>
Reader::rows(const std::string &Name,
             const std::vector<std::string> &Columns) const {
  std::optional<CSVTable> Table = open(Name);
  if (!Table)
    return std::nullopt;
  std::vector<int> At;
  for (const std::string &Column : Columns) {
    At.push_back(columnOf(*Table, Column));
    if (At.back() < 0)
      throw Error{fmt::format("{}: no column '{}'; this table needs {}",
                              Table->File, Column.substr(0, Column.find(' ')),
                              fmt::join(Columns, ", "))};
  }
  const int GPU = Table->column("gpu"), Access = Table->column("access");
  Rows Found{Name + ".csv", {}};
  for (size_t I = 0; I != Table->Rows.size(); ++I) {
    const std::vector<std::string> &Fields = Table->Rows[I];
    if ((GPU >= 0 && Fields[GPU] != Out.GPU) ||
        (Access >= 0 && Fields[Access] != "load"))
      continue;
    Row R{Table->Lines[I], {}};
    for (size_t C = 0; C != At.size(); ++C) {
      const std::string &Text = Fields[At[C]];
      double Value = 0;
      const auto [End, Bad] =
          std::from_chars(Text.data(), Text.data() + Text.size(), Value);
      if (Bad != std::errc() || End != Text.data() + Text.size() ||
          !std::isfinite(Value) || Value <= 0)
        throw Error{fmt::format("{}:{}: {}: '{}' is no positive number",
                                Table->File, R.Line, Table->Columns[At[C]],
                                Text)};
      if (Value < LeastValue || Value > LargestValue)
        throw Error{fmt::format("{}:{}: {}: '{}' is not between {:g} and {:g}",
                                Table->File, R.Line, Table->Columns[At[C]],
                                Text, LeastValue, LargestValue)};
      R.Values.push_back(Value);
    }
    Found.All.push_back(std::move(R));
  }
  if (Found.All.empty())
    return std::nullopt;
  std::ranges::stable_sort(Found.All, {},
                           [](const Row &R) { return R.Values[0]; });
  return Found;
}

/// Columns: KiB, MHz, cycles. The plateaus are those of L1, of L2 (its near
/// half) and of what is many times as large as L2.
void Reader::latencies(const Rows &Table) {
  constexpr unsigned Cycles = 2;
  Measurements &M = Out.M;
  const size_t Count = Table.All.size();
  auto KiB = [&](size_t I) { return Table.All[I].Values[0]; };
  auto plateau = [&](size_t First, size_t End) {
    const double Value = medianOf(Table, First, End, Cycles);
    return Number{Value,
                  fmt::format("{}: {:.1f} cycles up to {} KiB",
                              Table.at(First, End - 1), Value, KiB(End - 1))};
  };
  // A cache that is somewhat too small hits sometimes: what it holds lies
  // between the last footprint of its plateau and where half of the loads miss.
  auto knee = [&](size_t End, double Within, double Behind) {
    size_t Half = End;
    while (Half + 1 != Count &&
           Table.All[Half].Values[Cycles] < (Within + Behind) / 2)
      ++Half;
    return Knee{KiB(End - 1) * 1024, KiB(Half) * 1024,
                fmt::format("{}: {} KiB fit, of {} half do",
                            Table.at(End - 1, Half), KiB(End - 1), KiB(Half))};
  };
  auto steps = [&](const char *What) {
    throw Error{fmt::format("{}/{}: no plateau of {}: at least {} footprints "
                            "within {:.0f} % of each other are needed",
                            Dir, Table.File, What, PlateauRows,
                            100 * PlateauWidth)};
  };
  M.CoreMHz = {medianOf(Table, 0, Count, 1),
               fmt::format("{}: SM_MHz", Table.at(0, Count - 1))};
  const size_t L1End = plateauEnd(Table, 0, Cycles);
  if (L1End < PlateauRows)
    steps("L1");
  M.L1 = plateau(0, L1End);
  if (L1End == Count)
    return;
  // The next plateau is at least twice as wide as its smallest footprint: a
  // cache that is a little too small can have small ones.
  size_t First = L1End, End = First;
  for (; First != Count; ++First) {
    End = plateauEnd(Table, First, Cycles);
    if (End - First >= PlateauRows && KiB(End - 1) >= 2 * KiB(First))
      break;
  }
  if (First == Count)
    steps("L2");
  M.L2 = plateau(First, End);
  M.L1Bytes = knee(L1End, M.L1.Value, M.L2.Value);
  if (End == Count)
    return;
  const bool Halves = Base.L2.Halves == 2;
  const size_t Next =
      Halves ? std::min(End + 2 * PlateauRows, Count - 1) : Count - 1;
  M.L2Bytes = knee(End, M.L2.Value, Table.All[Next].Values[Cycles]);
  const double Bytes = (M.L2Bytes.Fits + M.L2Bytes.Beyond) / 2 * (1 + Halves);
  auto from = [&](double Times) {
    return size_t(std::ranges::find_if(Table.All,
                                       [=](const Row &R) {
                                         return R.Values[0] * 1024 >=
                                                Times * Bytes;
                                       }) -
                  Table.All.begin());
  };
  if (const size_t Begin = from(0.65), Limit = from(0.8);
      Halves && Begin != Limit)
    M.FarL2 = plateau(Begin, Limit);
  if (const size_t Begin = from(8); Begin != Count)
    M.DRAM = plateau(Begin, Count);
}

/// Columns: threads, blocks per SM, init, read, scale, triad.
void Reader::streams(const Rows &Table) {
  enum { Threads, Blocks, Init, Read, Scale, Triad };
  std::string Names;
  double Sum = 0;
  for (unsigned Column : {Read, Scale, Triad}) {
    const size_t At = best(Table, Column);
    Sum += Table.All[At].Values[Column];
  }
  Out.M.DRAMGigabytesPerSecond = {
      Sum / 3, fmt::format("{}: {:.0f} GB/s, mean of the best read, scale and "
                           "triad",
                           Table.at(0, Table.All.size() - 1), Sum / 3)};
  // One block of one warp: little but turnover.
  for (size_t I = 0; I != Table.All.size(); ++I) {
    const std::vector<double> &V = Table.All[I].Values;
    if (V[Threads] != 32 || V[Blocks] != 1)
      continue;
    const double Bytes = 8.0 * 32 * Base.SM.Count;
    const double Cycles = Bytes / perClock(V[Init]);
    Out.Turnover = {32,
                    0,
                    {Cycles, fmt::format("{}: init, {:.0f} cycles from block "
                                         "to block",
                                         Table.at(I, I), Cycles)}};
  }
}

/// Columns: KiB, GB/s of all SMs. What all SMs read again and again and L1 does
/// not hold comes from L2.
void Reader::l1Bandwidth(const Rows &Table) {
  const size_t At = best(Table, 1);
  const double PerSM = perClock(Table.All[At].Values[1]) / Base.SM.Count;
  Out.M.L1BytesPerClock = {PerSM,
                           fmt::format("{}: {:.1f} bytes per clock and SM",
                                       Table.at(At, At), PerSM)};
  const double L2Bytes = double(Base.L2.TotalSize) / Base.L2.Halves;
  const double L1Bytes =
      Out.M.L1Bytes ? Out.M.L1Bytes.Beyond : double(Base.l1For(0).Size);
  Rows Beyond{Table.File, {}};
  for (const Row &R : Table.All)
    if (R.Values[0] * 1024 >= 4 * L1Bytes && R.Values[0] * 1024 <= L2Bytes / 2)
      Beyond.All.push_back(R);
  if (Beyond.All.empty() || Out.M.L2BytesPerClock)
    return;
  const double FromL2 = perClock(medianOf(Beyond, 0, Beyond.All.size(), 1));
  Out.M.L2BytesPerClock = {
      FromL2, fmt::format("{}: {:.0f} bytes per clock from L2",
                          Beyond.at(0, Beyond.All.size() - 1), FromL2)};
}

/// Columns: KiB, GB/s: what L2 (the near half) holds.
void Reader::l2Bandwidth(const Rows &Table) {
  const double Holds = double(Base.L2.TotalSize) / Base.L2.Halves;
  Rows Held{Table.File, {}};
  for (const Row &R : Table.All)
    if (R.Values[0] * 1024 <= Holds / 2)
      Held.All.push_back(R);
  if (Held.All.empty())
    return;
  const double FromL2 = perClock(medianOf(Held, 0, Held.All.size(), 1));
  Out.M.L2BytesPerClock = {FromL2, fmt::format("{}: {:.0f} bytes per clock",
                                               Held.at(0, Held.All.size() - 1),
                                               FromL2)};
}

/// Columns: elements, GB/s with 128 threads a block, 16 bytes an element.
void Reader::smallKernels(const Rows &Table) {
  const Row &Fewest = Table.All.front();
  const double Cycles = 16 * Fewest.Values[0] / perClock(Fewest.Values[1]);
  Out.Smallest = {
      128,
      uint64_t(Fewest.Values[0]),
      {Cycles, fmt::format("{}: {:.0f} cycles from launch to launch",
                           Table.at(0, 0), Cycles)}};
}

/// Columns: elements, GB/s with 32 and 64 threads a block. Where blocks of
/// twice the threads are twice as fast, the dispatcher is the limit.
void Reader::smallKernelsInGraph(const Rows &Table) {
  const size_t At = best(Table, 1);
  const std::vector<double> &V = Table.All[At].Values;
  const double Rate = perClock(V[1]) / 16 / 32;
  if (V[2] < 1.9 * V[1])
    return;
  Out.M.BlocksPerCycle = {
      Rate, fmt::format("{}: 32 threads a block, {:.2f} blocks per cycle",
                        Table.at(At, At), Rate)};
}

TableMeasurements Reader::read() {
  std::error_code Bad;
  if (!std::filesystem::is_directory(Dir, Bad))
    throw Error{fmt::format("{}: {}", Dir,
                            std::filesystem::exists(Dir, Bad)
                                ? "is no folder"
                                : std::strerror(ENOENT))};
  chooseGPU();
  const std::vector<std::string> OfLatency = {"footprint_KiB", "SM_MHz",
                                              "cycles_per_load or cycles"};
  if (auto Table = rows("latency_by_footprint", OfLatency))
    latencies(*Table);
  else if (auto Other = rows("latency_by_footprint_hopper", OfLatency))
    latencies(*Other);
  if (auto Table = rows("stream_by_occupancy",
                        {"threads_per_block", "blocks_per_SM", "init_GBs",
                         "read_GBs", "scale_GBs", "triad_GBs"}))
    streams(*Table);
  if (auto Table = rows("l2_bandwidth_by_footprint", {"footprint_KiB", "GBs"}))
    l2Bandwidth(*Table);
  if (auto Table = rows("l1_bandwidth_by_footprint",
                        {"footprint_KiB_per_block", "GBs_all_SMs"}))
    l1Bandwidth(*Table);
  if (auto Table = rows("small_kernels", {"elements", "GBs_block128"}))
    smallKernels(*Table);
  if (auto Table = rows("small_kernels_graph",
                        {"elements", "GBs_block32", "GBs_block64"}))
    smallKernelsInGraph(*Table);
  return std::move(Out);
}

Result<TableMeasurements> readTables(const std::string &Dir,
                                     const std::string &GPU,
                                     const arch::GPUSpec &Base) try {
  return Reader(Dir, GPU, Base).read();
} catch (Error &E) {
  return std::unexpected(std::move(E));
}

} // namespace heddle::calibration
