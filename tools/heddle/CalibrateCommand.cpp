//===- CalibrateCommand.cpp - heddle calibrate ----------------------------===//

#include "Commands.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "base/OutputFile.h"
#include "calibration/CudaDriver.h"
#include "calibration/MachineFit.h"
#include "heddle/Calibration/Benchmarks.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heddle::tool {

namespace {

struct CalibrateOptions {
  std::string Base = "v100";
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
    throw CommandError{Options.EmitTo + ": cannot be made: " + Error.message()};
  const std::string Path = Options.EmitTo + "/calibrate-" + Arch + ".ptx";
  OutputFile File = take(OutputFile::create(Path));
  take(File.write(std::string_view(Programs.PTX)));
  take(File.commit());
  if (!Options.Quiet)
    fmt::print("{}: {} operations, 3 pointer chases, a stream\n", Path,
               Programs.Operations.size());
}

void run(const CalibrateOptions &Options) {
  const arch::GPUSpec Base = take(arch::loadMachine(Options.Base, {}));
  if (!Options.EmitTo.empty())
    return emit(Options, Base);
  if (Options.Output.empty())
    throw CommandError{"say where the machine file goes with -o FILE.yaml",
                       BadUsage};
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
  const std::string Text =
      take(calibration::machineFile(M, Options.Base, Base));
  writeText(Options.Output, Text);
}

} // namespace

void addCalibrateCommand(CLI::App &App) {
  auto Options = std::make_shared<CalibrateOptions>();
  CLI::App *Command = App.add_subcommand(
      "calibrate", "Measure the NVIDIA GPU of this computer into a machine "
                   "file");
  Command
      ->add_option("--base", Options->Base,
                   "machine to start from: a name of `heddle gpus` or a file")
      ->capture_default_str();
  Command->add_option("-o,--output", Options->Output,
                      "the machine file to write ('-': stdout)");
  Command->add_option("--emit", Options->EmitTo,
                      "write the PTX of the benchmarks into this folder and "
                      "measure nothing");
  Command->add_option("--arch", Options->Arch,
                      "architecture of the benchmarks (sm_NN); default: the "
                      "GPU's, with --emit the base's");
  Command->add_option("--device", Options->Device, "number of the GPU")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  Command->add_flag("-q,--quiet", Options->Quiet, "say nothing on the way");
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
