//===- CalibrateCommand.cpp - heddle calibrate ----------------------------===//

#include "Commands.h"
#include "CommonOptions.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "base/OutputFile.h"
#include "calibration/CudaDriver.h"
#include "calibration/MachineFit.h"
#include "calibration/Tables.h"
#include "heddle/Calibration/Benchmarks.h"
#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "heddle/Driver/TraceModes.h"
#include "heddle/Heddle.h"
#include "models/ModelRun.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <memory>

namespace heddle::tool {

namespace {

struct CalibrateOptions {
  std::string Base = "v100";
  std::string From; ///< folder of tables
  std::string Rows, Name;
  std::string Output;
  std::string EmitTo;
  std::string Arch;
  int Device = 0;
  bool Quiet = false;
};

calibration::Benchmarks programs(const std::string &Arch) {
  BenchmarkProgram Program = take(emitBenchmarks(Arch));
  calibration::Benchmarks B;
  B.PTX = std::move(Program.PTX);
  B.ChasePerRound = Program.ChasePerRound;
  B.ChaseTableBytes = Program.ChaseTableBytes;
  for (const OperationBenchmark &Op : Program.Operations)
    B.Operations.push_back({Op.Entry, Op.Operation, Op.TypeBytes, Op.PerRound});
  return B;
}

void emit(const CalibrateOptions &Options, const arch::GPUSpec &Base) {
  const std::string Arch = !Options.Arch.empty() ? Options.Arch
                           : Base.Target.empty() ? "sm_70"
                                                 : Base.Target;
  const calibration::Benchmarks Programs = programs(Arch);
  std::error_code Error;
  std::filesystem::create_directories(Options.EmitTo, Error);
  if (Error)
    throw inputError("{}: cannot be made: {}", Options.EmitTo, Error.message());
  const std::string Path = Options.EmitTo + "/calibrate-" + Arch + ".ptx";
  OutputFile File = take(OutputFile::create(Path));
  take(File.write(std::string_view(Programs.PTX)));
  take(File.commit());
  if (!Options.Quiet)
    fmt::print("{}: {} operations, 3 pointer chases, a stream\n", Path,
               Programs.Operations.size());
}

/// Simulates kernels of emitTimedKernels().
class TimedKernels {
public:
  explicit TimedKernels(const arch::GPUSpec &Base)
      : Arch(Base.Target.empty() ? "sm_70" : Base.Target),
        PTX(take(emitTimedKernels(Arch))) {}

  double cycles(const arch::GPUSpec &Spec, const char *Kernel, uint64_t Blocks,
                unsigned Threads) const {
    const uint64_t Elements = Blocks * Threads;
    const std::string Buffer = fmt::format("f64[{}]", Elements);
    SessionOptions Options;
    Options.Input = "benchmarks";
    Options.PTX = PTX;
    Options.Arch = Arch;
    Options.Kernel = Kernel;
    Options.Grid = std::to_string(Blocks);
    Options.Block = std::to_string(Threads);
    Options.Args = {Buffer, *Kernel == 'i' ? "f64=1" : Buffer + "=value:1",
                    fmt::format("i32={}", Elements)};
    BoundLaunch Launch = take(BoundLaunch::open(Options));
    auto Source = take(Launch.source({.Level = levelFor(Spec, {})}));
    // What launches that follow each other leave in L2.
    timing::SimulationOptions Simulation;
    Simulation.Preloaded = copiedBuffers(Launch.session());
    return double(
        take(expected(models::simulateTimed(*Source, Spec, Simulation)))
            .Cycles);
  }

private:
  std::string Arch, PTX;
};

/// The numbers that follow only from a simulation: what a kernel takes beyond
/// them on \p Spec, which has all others, is not theirs.
void addSimulated(calibration::TableMeasurements &Tables,
                  const arch::GPUSpec &Spec) {
  const TimedKernels Kernels(Spec);
  if (const auto &T = Tables.Turnover; T.Cycles) {
    // From the second block of each slot on, one is like the other.
    constexpr unsigned Few = 4, Many = 12;
    arch::GPUSpec OneBlock = Spec;
    OneBlock.SM.MaxBlocks = 1;
    auto ofBlocks = [&](unsigned PerSM) {
      return Kernels.cycles(OneBlock, "init", uint64_t(PerSM) * Spec.SM.Count,
                            T.Threads);
    };
    // Where blocks follow each other fast the dispatcher is the limit: again
    // with what was found.
    double Others = 0;
    for (unsigned Round = 0; Round != 3; ++Round) {
      Others = (ofBlocks(Many) - ofBlocks(Few)) / (Many - Few) -
               OneBlock.Launch.BlockLatency;
      OneBlock.Launch.BlockLatency =
          uint32_t(std::max(0.0, T.Cycles.Value - Others));
    }
    Tables.M.BlockLatency = {
        T.Cycles.Value - Others,
        fmt::format("{}, of which the kernel takes {:.0f} in a simulation",
                    T.Cycles.From, Others)};
  }
  if (const auto &T = Tables.Smallest; T.Cycles) {
    const double Kernel = Kernels.cycles(
        Spec, "quarter", (T.Elements + T.Threads - 1) / T.Threads, T.Threads);
    Tables.M.LaunchCycles = {
        T.Cycles.Value - Kernel,
        fmt::format("{}, of which the kernel takes {:.0f} in a simulation",
                    T.Cycles.From, Kernel)};
  }
}

/// Says where \p Machine went and what it could not take.
void writeMachine(const CalibrateOptions &Options,
                  const calibration::FittedMachine &Machine) {
  writeText(Options.Output, Machine.Text);
  if (Options.Quiet)
    return;
  fmt::print(stderr, "{}: {} numbers; the rest is {}'s\n", Options.Output,
             Machine.Numbers, Options.Base);
  for (const std::string &Line : Machine.NotReached)
    fmt::print(stderr, "not reached: {}\n", Line);
}

void fitTables(const CalibrateOptions &Options, const arch::GPUSpec &Base) {
  calibration::TableMeasurements Tables =
      take(calibration::readTables(Options.From, Options.Rows, Base));
  const std::string GPU =
      Tables.GPU.empty() ? "a GPU" : fmt::format("\"{}\"", Tables.GPU);
  const std::string How =
      fmt::format("fitted by heddle calibrate to the rows of {} in tables of "
                  "micro-benchmarks.\n# FILE:ROWS: the table and its lines "
                  "that a number follows from.",
                  GPU);
  auto fit = [&] {
    return take(calibration::machineFile(Tables.M, Options.Name, How,
                                         Options.Base, Base));
  };
  addSimulated(Tables, take(arch::parseMachine(fit().Text, Options.Name)));
  writeMachine(Options, fit());
}

void measureGPU(const CalibrateOptions &Options, const arch::GPUSpec &Base) {
  using calibration::DeviceAttribute;
  std::unique_ptr<calibration::CudaDriver> Driver =
      take(calibration::CudaDriver::open(Options.Device));
  const int Major = take(Driver->attribute(DeviceAttribute::ComputeMajor));
  const int Minor = take(Driver->attribute(DeviceAttribute::ComputeMinor));
  const std::string Arch = Options.Arch.empty()
                               ? fmt::format("sm_{}{}", Major, Minor)
                               : Options.Arch;
  if (!Options.Quiet)
    fmt::print(stderr, "measuring {} ({})\n", Driver->deviceName(), Arch);
  const uint64_t L1Bytes = Base.L1.Size ? Base.L1.Size : 16384;
  const calibration::Measurements M = take(calibration::measure(
      *Driver, programs(Arch), L1Bytes, [&](const std::string &Step) {
        if (!Options.Quiet)
          fmt::print(stderr, "  {}\n", Step);
      }));
  const std::string How = fmt::format(
      "measured by heddle calibrate: driver {}.{}, compute capability {}.{}.\n"
      "# driver: an attribute that the driver states. measured: median of "
      "several launches.",
      M.Device.DriverVersion / 1000, M.Device.DriverVersion % 1000 / 10,
      M.Device.ComputeMajor, M.Device.ComputeMinor);
  writeMachine(Options,
               take(calibration::machineFile(
                   M, Options.Name.empty() ? M.Device.Name : Options.Name, How,
                   Options.Base, Base)));
}

void run(CalibrateOptions Options) {
  for (const char C : Options.Name)
    if (!std::isalnum(static_cast<unsigned char>(C)) && !std::strchr("._-", C))
      throw usageError("--name {}: letters, digits, '.', '_' and '-' only",
                       Options.Name);
  const arch::GPUSpec Base = take(arch::loadMachine(Options.Base, {}));
  if (!Options.EmitTo.empty())
    return emit(Options, Base);
  if (Options.Output.empty() && !Options.Name.empty())
    Options.Output = Options.Name + ".yaml";
  if (Options.Output.empty())
    throw usageError("say where the machine file goes with -o FILE.yaml");
  if (Options.Output != "-")
    checkOutput(Options.Output);
  if (!Options.From.empty()) {
    if (Options.Name.empty())
      Options.Name = Options.Rows.empty() ? "a GPU" : Options.Rows;
    return fitTables(Options, Base);
  }
  measureGPU(Options, Base);
}

} // namespace

void addCalibrateCommand(CLI::App &App) {
  auto Options = std::make_shared<CalibrateOptions>();
  CLI::App *Command = App.add_subcommand(
      "calibrate", "Measure the NVIDIA GPU of this computer, or take tables "
                   "of measurements, into a machine file");
  Command
      ->add_option("--base", Options->Base,
                   "machine to start from: a name of `heddle gpus` or a file")
      ->capture_default_str();
  Command->add_option("-o,--output", Options->Output,
                      "the machine file to write ('-': stdout)");
  CLI::Option *From = Command->add_option(
      "--from", Options->From,
      "fit to the tables of micro-benchmarks in this folder, without a GPU");
  Command
      ->add_option("--rows", Options->Rows,
                   "GPU whose rows to take, as in the tables' column gpu")
      ->needs(From);
  Command->add_option("--name", Options->Name,
                      "name of the machine; without -o it goes to NAME.yaml");
  Command->add_option("--emit", Options->EmitTo,
                      "write the PTX of the benchmarks into this folder and "
                      "measure nothing");
  Command->add_option("--arch", Options->Arch,
                      "architecture of the benchmarks (sm_NN); default: the "
                      "GPU's, with --emit the base's");
  Command->add_option("--device", Options->Device, "number of the GPU")
      ->check(notNegative())
      ->capture_default_str();
  Command->add_flag("-q,--quiet", Options->Quiet, "say nothing on the way");
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
