//===- MachineFit.cpp - From measurements to a machine file ---------------===//

#include "calibration/MachineFit.h"

#include "arch/SpecReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::calibration {

OperationFit fitOperation(const OperationCurve &Curve) {
  OperationFit Fit{Curve.Name, 0, 0};
  if (!Curve.Points.empty())
    Fit.Latency = Curve.Points.front().Clocks;
  for (const OperationCurve::Point &P : Curve.Points)
    if (P.Clocks > 0)
      Fit.PerClock = std::max(Fit.PerClock, 32.0 * P.Warps / P.Clocks);
  return Fit;
}

namespace {

/// Lines of the file, section by section.
class Writer {
public:
  Writer(const Measurements &M, const arch::GPUSpec &Base)
      : M(M), D(M.Device), Base(Base) {}
  std::string text(const std::string &BaseName);

private:
  void section(std::string_view Name) { Text += fmt::format("{}:\n", Name); }
  template <typename T>
  void field(std::string_view Name, const T &Value, std::string_view From) {
    std::string Left = fmt::format("  {}: {}", Name, Value);
    Text += fmt::format("{:<25} # {}\n", Left, From);
  }
  static long whole(double V) { return std::max(0L, std::lround(V)); }
  void machine();
  void operations();
  void memory();

  const Measurements &M;
  const DeviceFacts &D;
  const arch::GPUSpec &Base;
  std::string Text;
};

/// A class and type as the table has them; the first of several.
bool findOperation(std::string_view Name, unsigned &Class, unsigned &Type) {
  const size_t Dot = Name.find('.');
  std::string_view ClassName = Name.substr(0, Dot),
                   TypeName = Name.substr(Dot + 1);
  TypeName = TypeName.substr(0, TypeName.find('|'));
  auto At = std::find(arch::OpClassNames.begin(), arch::OpClassNames.end(),
                      ClassName);
  if (At == arch::OpClassNames.end())
    return false;
  Class = unsigned(At - arch::OpClassNames.begin());
  Type = HEDDLE_TYPE_NONE;
  auto Of = std::find(arch::DataTypeNames.begin(), arch::DataTypeNames.end(),
                      TypeName);
  if (Of != arch::DataTypeNames.end())
    Type = unsigned(Of - arch::DataTypeNames.begin());
  return true;
}

} // namespace

void Writer::machine() {
  section("clock");
  field("core", fmt::format("{:.0f}", M.CoreMHz),
        "measured: clocks of a chain over its time");
  // Cycles of the L2 are counted by its own clock; where that was the cores',
  // it stays so.
  if (Base.Clock.L2 == Base.Clock.Core)
    field("l2", fmt::format("{:.0f}", M.CoreMHz), "as the base: the core's");
  section("sm");
  field("count", D.SMs, "driver");
  field("max_warps", D.MaxThreadsPerSM / 32, "driver");
  if (D.MaxBlocksPerSM)
    field("max_blocks", D.MaxBlocksPerSM, "driver");
  if (D.MaxThreadsPerBlock)
    field("max_threads_per_block", D.MaxThreadsPerBlock, "driver");
  if (D.RegistersPerSM)
    field("registers", D.RegistersPerSM, "driver");
}

void Writer::operations() {
  section("ops");
  for (const OperationCurve &Curve : M.Operations) {
    OperationFit Fit = fitOperation(Curve);
    unsigned Class, Type;
    if (!findOperation(Fit.Name, Class, Type) || Fit.PerClock <= 0)
      continue;
    const arch::OpTiming &T = Base.Ops.at(Class, Type);
    const arch::PipeSpec &Pipe = Base.Pipes[T.Pipe];
    // A unit takes one warp's instruction per Initiation clocks.
    long Initiation = std::max(1L, whole(Pipe.Units * 32 / Fit.PerClock));
    std::string Points;
    for (const OperationCurve::Point &P : Curve.Points)
      Points += fmt::format("{}{}:{:.1f}", Points.empty() ? "" : " ", P.Warps,
                            P.Clocks);
    Text += fmt::format("  \"{}\": {{pipe: {}, latency: {}, initiation: {}}} # "
                        "measured: {:.1f} "
                        "clocks, {:.1f} per clock and SM; warps:clocks {}\n",
                        Fit.Name, Pipe.Name, std::max(1L, whole(Fit.Latency)),
                        Initiation, Fit.Latency, Fit.PerClock, Points);
  }
}

void Writer::memory() {
  const double L2Ratio =
      Base.Clock.L2 == Base.Clock.Core ? 1 : Base.Clock.L2 / M.CoreMHz;
  section("shared");
  if (D.SharedPerBlock)
    field("max_per_block", D.SharedPerBlock, "driver");
  field("latency", whole(M.Shared),
        fmt::format("measured: {:.1f} clocks per dependent load", M.Shared));
  section("constant");
  field("latency", whole(M.ConstantHit),
        fmt::format("measured: {:.1f} clocks per hit, {:.1f} in a table of 32 "
                    "KiB",
                    M.ConstantHit, M.ConstantMiss));
  if (Base.L1.Size) {
    section("l1");
    field("latency", whole(M.L1),
          fmt::format("measured: {:.1f} clocks per hit", M.L1));
  }
  const double ToL2 = std::max(0.0, M.L2 - (Base.L1.Size ? M.L1 : 0)) * L2Ratio;
  section("l2");
  field("size", D.L2Bytes, "driver");
  field("latency", std::max(1L, whole(ToL2 - 2.0 * Base.Icnt.Latency)),
        fmt::format("measured: {:.1f} clocks per hit, less L1 and "
                    "interconnect; {:.0f} bytes per clock from it",
                    M.L2, M.L2BytesPerClock));
  section("dram");
  double Peak = Base.DRAM.Bandwidth;
  if (D.MemoryMHz > 0 && D.MemoryBusBits > 0) {
    Peak = 2 * D.MemoryMHz * D.MemoryBusBits / 8 / 1000; // double data rate
    field("bandwidth", fmt::format("{:.0f}", Peak),
          fmt::format("driver: {} bits x 2 x {:.0f} MHz", D.MemoryBusBits,
                      D.MemoryMHz));
  }
  if (Peak > 0)
    field("efficiency",
          fmt::format("{:.3f}",
                      std::clamp(M.DRAMGigabytesPerSecond / Peak, 0.01, 1.0)),
          fmt::format("measured: {:.0f} GB/s read in a stream",
                      M.DRAMGigabytesPerSecond));
  const double InDRAM = (Base.DRAM.TRCD + Base.DRAM.TCL) * M.CoreMHz /
                        std::max(1.0, Base.Clock.DRAM);
  field(
      "latency", whole(M.DRAM - M.L2 - InDRAM),
      fmt::format("measured: {:.1f} clocks per miss, less the L2's and {:.0f} "
                  "in the DRAM itself",
                  M.DRAM, InDRAM));
  section("launch");
  field("kernel_latency", whole(M.LaunchUs * M.CoreMHz),
        fmt::format("measured: an empty kernel takes {:.2f} us between two "
                    "events",
                    M.LaunchUs));
}

std::string Writer::text(const std::string &BaseName) {
  Text = fmt::format(
      "# {}, measured by heddle calibrate: driver {}.{}, compute capability "
      "{}.{}.\n"
      "# driver: an attribute that the driver states. measured: median of "
      "several launches.\n"
      "# What is not here is as in the base.\n"
      "base: {}\n"
      "description: {} as measured, otherwise {}\n"
      "target: sm_{}{}\n",
      D.Name, D.DriverVersion / 1000, D.DriverVersion % 1000 / 10,
      D.ComputeMajor, D.ComputeMinor, BaseName, D.Name, BaseName,
      D.ComputeMajor, D.ComputeMinor);
  machine();
  operations();
  memory();
  return Text;
}

Result<std::string> machineFile(const Measurements &M,
                                const std::string &BaseName,
                                const arch::GPUSpec &Base) {
  std::string Text = Writer(M, Base).text(BaseName);
  if (auto Spec = arch::parseMachine(Text, "measured"); !Spec)
    return fail(fmt::format("what was measured makes no machine on top of {}: "
                            "{}; start from a machine that is closer to {}",
                            BaseName, Spec.error().Message, M.Device.Name));
  return Text;
}

} // namespace heddle::calibration
