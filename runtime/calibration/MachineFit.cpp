//===- MachineFit.cpp - From measurements to a machine file ---------------===//

#include "calibration/MachineFit.h"

#include "arch/SpecReader.h"
#include "base/Fail.h"
#include "memory/LinkCost.h"

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
  FittedMachine write(const std::string &Head);

private:
  /// What follows belongs to this section, which has a head if it has fields.
  void section(std::string_view Name) { Section = Name; }
  void line(const std::string &Left, std::string_view From) {
    if (Section != Headed)
      Out.Text += fmt::format("{}:\n", Section);
    Headed = Section;
    Out.Text += fmt::format("{:<25} # {}\n", "  " + Left, From);
    ++Out.Numbers;
  }
  template <typename T>
  void field(std::string_view Name, const T &Value, std::string_view From) {
    line(fmt::format("{}: {}", Name, Value), From);
  }
  /// A measured number after all else that the models add was taken off.
  void cycles(std::string_view Name, const Number &N, double Least,
              double Others, std::string_view What = "");
  void notReached(std::string_view Field, std::string_view Why) {
    Out.NotReached.push_back(fmt::format("{}.{}: {}", Section, Field, Why));
  }
  void size(std::string_view Name, const Knee &K, double Times, uint64_t Extra,
            uint64_t Granule, uint64_t Has);
  static long whole(double V) { return std::max(0L, std::lround(V)); }
  double toL2Ratio() const {
    return Base.Clock.L2 == Base.Clock.Core || !M.CoreMHz
               ? 1
               : Base.Clock.L2 / M.CoreMHz.Value;
  }
  void operation(std::string_view Name, std::string_view Pipe, long Latency,
                 long Initiation, std::string_view From) {
    line(fmt::format("\"{}\": {{pipe: {}, latency: {}, initiation: {}}}", Name,
                     Pipe, std::max(1L, Latency), Initiation),
         From);
  }
  void machine();
  void operations();
  void onChip();
  void behindSMs();
  void launch();

  const Measurements &M;
  const DeviceFacts &D;
  const arch::GPUSpec &Base;
  std::string Section, Headed;
  FittedMachine Out;
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
  if (M.CoreMHz) {
    field("core", fmt::format("{:.0f}", M.CoreMHz.Value), M.CoreMHz.From);
    // Cycles of the L2 are counted by its own clock; where that was the cores',
    // it stays so.
    if (Base.Clock.L2 == Base.Clock.Core)
      field("l2", fmt::format("{:.0f}", M.CoreMHz.Value),
            "as the base: the core's");
  }
  section("sm");
  if (!D.SMs)
    return;
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
    operation(Fit.Name, Pipe.Name, whole(Fit.Latency), Initiation,
              fmt::format("measured: {:.1f} clocks, {:.1f} per clock and SM; "
                          "warps:clocks {}",
                          Fit.Latency, Fit.PerClock, Points));
  }
  const Number &L1 = M.L1BytesPerClock;
  if (!L1)
    return;
  // Lanes read four bytes each.
  const arch::OpTiming &T = Base.Ops.at(HEDDLE_OP_LOAD, HEDDLE_TYPE_F32);
  const arch::PipeSpec &Pipe = Base.Pipes[T.Pipe];
  operation(Base.Texture.QuadsPerCycle > 0
                ? "load|store|atomic|reduction|fence.*"
                : "load|store|atomic|reduction|texture|fence.*",
            Pipe.Name, T.Latency,
            std::max(1L, whole(Pipe.Units * 128 / L1.Value)), L1.From);
}

void Writer::cycles(std::string_view Name, const Number &N, double Least,
                    double Others, std::string_view What) {
  if (!N)
    return;
  const double Value = N.Value - Others;
  if (Value < Least)
    return notReached(Name,
                      fmt::format("{}, of which {:.0f} are not its own: {:.0f} "
                                  "is less than {}",
                                  N.From, Others, Value, Least));
  field(Name, whole(Value),
        What.empty() ? N.From : fmt::format("{}, less {}", N.From, What));
}

/// The base's size \p Has if it lies within the knee, else the roundest number
/// of \p Granule that does. The field is \p Times what the knee shows, and
/// \p Extra.
void Writer::size(std::string_view Name, const Knee &K, double Times,
                  uint64_t Extra, uint64_t Granule, uint64_t Has) {
  if (!K)
    return;
  const auto Low = uint64_t(K.Fits * Times) + Extra,
             High = uint64_t(K.Beyond * Times) + Extra;
  uint64_t Size = Has;
  if (Has < Low || Has >= High) {
    uint64_t Step = uint64_t(1) << 40;
    while (Step > 1 && (High - 1) / Step * Step < Low)
      Step /= 2;
    Size = (High - 1) / Step * Step / Granule * Granule;
  }
  if (Size < Low)
    return notReached(
        Name, fmt::format("{}: no multiple of {} is between", K.From, Granule));
  field(Name, Size, K.From);
}

void Writer::onChip() {
  section("shared");
  if (D.SharedPerBlock)
    field("max_per_block", D.SharedPerBlock, "driver");
  cycles("latency", M.Shared, 0, 0);
  section("constant");
  cycles("latency", M.Constant, 0, 0);
  if (!Base.L1.Size)
    return;
  section("l1");
  cycles("latency", M.L1, 0, 1, "the issue");
  const uint64_t SetBytes = uint64_t(Base.L1.Line) * Base.L1.sets();
  if (Base.L1.Unified)
    // As many blocks as an SM takes reserve some of it.
    size("unified", M.L1Bytes, 1,
         Base.L1.Unified - Base.l1For(uint64_t(Base.SM.MaxBlocks) *
                                      Base.Shared.ReservedPerBlock)
                               .Size,
         SetBytes, Base.L1.Unified);
  else
    size("size", M.L1Bytes, 1, 0, SetBytes, Base.L1.Size);
}

void Writer::behindSMs() {
  const memory::LinkCost Links(Base);
  const arch::IcntSpec &N = Base.Icnt;
  const uint64_t Granule = std::max<uint64_t>(
      1, uint64_t(Base.L2.Slices) * Base.L2.Line * Base.L2.Ways);
  section("icnt");
  if (M.L2BytesPerClock && Base.L2.Slices) {
    // Replies of a whole line, with what goes along.
    const unsigned Sectors = Base.L2.sectorsPerLine();
    const double Share = M.L2BytesPerClock.Value * toL2Ratio() / Base.L2.Slices;
    field(
        "slice_bytes",
        std::max(1.0,
                 std::ceil(Share * Links.bytes(Sectors, true) / Base.L2.Line)),
        fmt::format("{}, {:.1f} of each slice", M.L2BytesPerClock.From, Share));
  }
  section("l2");
  if (D.L2Bytes)
    field("size", D.L2Bytes, "driver");
  else
    size("size", M.L2Bytes, Base.L2.Halves, 0, Granule, Base.L2.TotalSize);
  // On its way a sector takes a turn at each port and in the slice.
  auto turns = [](uint64_t Bytes, uint32_t PerCycle) {
    return PerCycle ? std::ceil(double(Bytes) / PerCycle) : 0;
  };
  const uint64_t Reply = Links.bytes(1, true);
  const double Ports = turns(Links.bytes(1, false), N.RequestBytes) +
                       Base.L2.CyclesPerSector + turns(Reply, N.SliceBytes) +
                       turns(Reply, N.ReplyBytes);
  const double ToL2 = M.L2.Value - (Base.L1.Size ? M.L1.Value : 0);
  const Number InL2{ToL2 * toL2Ratio(), M.L2.From};
  cycles("latency", InL2, 1, 2.0 * N.Latency + Ports, "L1 and interconnect");
  if (Base.L2.Halves == 2)
    cycles("far_latency",
           {(M.FarL2.Value - M.L2.Value) * toL2Ratio(), M.FarL2.From}, 0, 0,
           "the near half's");
  section("dram");
  double Peak = Base.DRAM.Bandwidth;
  if (D.MemoryMHz > 0 && D.MemoryBusBits > 0) {
    Peak = 2 * D.MemoryMHz * D.MemoryBusBits / 8 / 1000; // double data rate
    field("bandwidth", fmt::format("{:.0f}", Peak),
          fmt::format("driver: {} bits x 2 x {:.0f} MHz", D.MemoryBusBits,
                      D.MemoryMHz));
  }
  const Number &Streamed = M.DRAMGigabytesPerSecond;
  if (Streamed && Streamed.Value > Peak * 1.02)
    notReached("efficiency", fmt::format("{}, more than dram.bandwidth, {:.0f}",
                                         Streamed.From, Peak));
  else if (Streamed && Peak > 0)
    field("efficiency",
          fmt::format("{:.3f}", std::clamp(Streamed.Value / Peak, 0.01, 1.0)),
          Streamed.From);
  // Each step of a chase over much memory opens a row. It closes another first,
  // unless a refresh has since: a chase comes back to a bank much later.
  const double Precharge = Base.DRAM.TREFI ? 0 : Base.DRAM.TRP;
  const double InDRAM = (Precharge + Base.DRAM.TRCD + Base.DRAM.TCL) *
                        (M.CoreMHz ? M.CoreMHz.Value : Base.Clock.Core) /
                        std::max(1.0, Base.Clock.DRAM);
  // Half of it is behind the far half.
  const double Far = M.FarL2 ? (M.FarL2.Value - M.L2.Value) / 2 : 0;
  if (M.L2)
    cycles("latency", M.DRAM, 0, M.L2.Value + Far + InDRAM,
           fmt::format("the way to L2 and {:.0f} in the DRAM itself", InDRAM));
}

void Writer::launch() {
  section("launch");
  cycles("kernel_latency", M.LaunchCycles, 0, 0);
  cycles("block_latency", M.BlockLatency, 0, 0);
  if (M.BlocksPerCycle)
    field("blocks_per_cycle", fmt::format("{:.2f}", M.BlocksPerCycle.Value),
          M.BlocksPerCycle.From);
}

FittedMachine Writer::write(const std::string &Head) {
  Out.Text = Head;
  machine();
  operations();
  onChip();
  behindSMs();
  launch();
  return std::move(Out);
}

Result<FittedMachine> machineFile(const Measurements &M,
                                  const std::string &Name,
                                  const std::string &How,
                                  const std::string &BaseName,
                                  const arch::GPUSpec &Base) {
  std::string Head = fmt::format("# {}, {}\n"
                                 "# What is not here is as in the base.\n"
                                 "base: {}\n"
                                 "description: {} as measured, otherwise {}\n",
                                 Name, How, BaseName, Name, BaseName);
  if (M.Device.ComputeMajor)
    Head += fmt::format("target: sm_{}{}\n", M.Device.ComputeMajor,
                        M.Device.ComputeMinor);
  FittedMachine Out = Writer(M, Base).write(Head);
  if (auto Spec = arch::parseMachine(Out.Text, "measured"); !Spec)
    return fail("what was measured makes no machine on top of {}: {}; start "
                "from a machine that is closer to {}",
                BaseName, Spec.error().Message, Name);
  return Out;
}

} // namespace heddle::calibration
