//===- Measurements.cpp - Runs the benchmarks -----------------------------===//

#include "calibration/Measurements.h"

#include "calibration/CudaDriver.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::calibration {

double median(std::vector<double> Values) {
  std::ranges::sort(Values);
  return Values[Values.size() / 2];
}

namespace {

/// Each benchmark runs this often, after one run that warms up.
constexpr unsigned Repeats = 5;

/// Throws the first error, which measure() returns.
class Meter {
public:
  Meter(CudaDriver &Driver, const Benchmarks &Programs, uint64_t L1Bytes)
      : Driver(Driver), Programs(Programs), L1Bytes(L1Bytes) {}
  Measurements run(const std::function<void(std::string)> &Step);

private:
  template <typename T> static T take(Result<T> R) {
    if (!R)
      throw R.error();
    return std::move(*R);
  }
  static void take(Result<void> R) {
    if (!R)
      throw R.error();
  }
  unsigned asked(DeviceAttribute A) {
    return unsigned(take(Driver.attribute(A)));
  }
  void facts();
  void prepare();
  OperationCurve curve(const Benchmarks::Operation &Op);
  double clocks(CudaDriver::Kernel K, unsigned Blocks, unsigned Threads,
                void **Arguments);
  double chase(const char *Entry, uint64_t Argument, uint64_t Steps);
  double chaseGlobal(uint64_t Bytes, uint64_t Stride);
  double chaseConstant(uint64_t Bytes);
  /// Bytes per millisecond of reading \p Bytes \p Rounds times.
  double stream(uint64_t Bytes, unsigned Rounds);

  CudaDriver &Driver;
  const Benchmarks &Programs;
  const uint64_t L1Bytes;
  Measurements M;
  uint64_t Cycles = 0, Sink = 0, Pool = 0, PoolBytes = 0;
  std::vector<uint64_t> Host;
};

} // namespace

void Meter::facts() {
  DeviceFacts &D = M.Device;
  D.Name = Driver.deviceName();
  D.DriverVersion = Driver.driverVersion();
  using A = DeviceAttribute;
  D.ComputeMajor = int(asked(A::ComputeMajor));
  D.ComputeMinor = int(asked(A::ComputeMinor));
  D.SMs = asked(A::Multiprocessors);
  D.MaxThreadsPerSM = asked(A::MaxThreadsPerMultiprocessor);
  D.MaxThreadsPerBlock = asked(A::MaxThreadsPerBlock);
  D.MaxBlocksPerSM = asked(A::MaxBlocksPerMultiprocessor);
  D.RegistersPerSM = asked(A::RegistersPerMultiprocessor);
  D.SharedPerSM = asked(A::SharedBytesPerMultiprocessor);
  D.SharedPerBlock = asked(A::SharedBytesPerBlockOptIn);
  D.L2Bytes = asked(A::L2Bytes);
  D.CoreMHz = asked(A::ClockKHz) / 1000.0;
  D.MemoryMHz = asked(A::MemoryClockKHz) / 1000.0;
  D.MemoryBusBits = asked(A::MemoryBusBits);
  if (!D.SMs || !D.MaxThreadsPerSM || !D.L2Bytes)
    throw Error{"the NVIDIA driver: the device says that it has no "
                "multiprocessors, threads or L2; it cannot be measured"};
}

void Meter::prepare() {
  take(Driver.load(Programs.PTX));
  const DeviceFacts &D = M.Device;
  const uint64_t Threads = uint64_t(D.SMs) * D.MaxThreadsPerSM;
  Host.resize(Threads / 32 + 1);
  Cycles = take(Driver.allocate(Host.size() * 8));
  Sink = take(Driver.allocate(Threads * 8));
  PoolBytes = std::max<uint64_t>(uint64_t(128) << 20, 4 * D.L2Bytes);
  Pool = take(Driver.allocate(PoolBytes));
}

/// The slowest warp's clocks, median of several launches.
double Meter::clocks(CudaDriver::Kernel K, unsigned Blocks, unsigned Threads,
                     void **Arguments) {
  const size_t Warps = size_t(Blocks) * ((Threads + 31) / 32);
  std::vector<double> Found;
  for (unsigned R = 0; R <= Repeats; ++R) {
    take(Driver.launch(K, Blocks, Threads, Arguments));
    take(Driver.copyOut(Host.data(), Cycles, Warps * 8));
    if (R)
      Found.push_back(
          double(*std::max_element(Host.begin(), Host.begin() + long(Warps))));
  }
  return median(Found);
}

OperationCurve Meter::curve(const Benchmarks::Operation &Op) {
  OperationCurve Curve{Op.Name, {}};
  CudaDriver::Kernel K = take(Driver.kernel(Op.Entry));
  uint32_t Rounds = 64;
  // Zero is a number of every type, and a fixed point of most operations.
  uint64_t A = 0, B = 0;
  void *Arguments[] = {&Cycles, &Sink, &Rounds, &A, &B};
  const unsigned Most = M.Device.MaxThreadsPerSM / 32;
  const unsigned MostInBlock = M.Device.MaxThreadsPerBlock / 32;
  for (unsigned Warps = 1; Warps <= Most; Warps *= 2) {
    const unsigned InBlock = std::min(Warps, MostInBlock);
    const unsigned Blocks = M.Device.SMs * (Warps / InBlock);
    Curve.Points.push_back({Warps, clocks(K, Blocks, InBlock * 32, Arguments) /
                                       Rounds / Op.PerRound});
  }
  return Curve;
}

/// Clocks per step of at least \p Steps steps of one thread.
double Meter::chase(const char *Entry, uint64_t Argument, uint64_t Steps) {
  auto Rounds =
      uint32_t((Steps + Programs.ChasePerRound - 1) / Programs.ChasePerRound);
  void *Arguments[] = {&Cycles, &Sink, &Rounds, &Argument};
  return clocks(take(Driver.kernel(Entry)), 1, 1, Arguments) / Rounds /
         Programs.ChasePerRound;
}

/// A ring of pointers, \p Stride apart, over \p Bytes of the pool; every
/// element is visited once per turn, in an order that no prefetcher follows.
double Meter::chaseGlobal(uint64_t Bytes, uint64_t Stride) {
  const uint64_t Places = std::max<uint64_t>(2, Bytes / Stride);
  // A step near the golden section of the ring visits all elements if it shares
  // no factor with their number.
  uint64_t Step = std::max<uint64_t>(1, uint64_t(double(Places) * 0.618));
  while (std::gcd(Step, Places) != 1)
    ++Step;
  std::vector<uint64_t> Ring(Places * Stride / 8);
  for (uint64_t P = 0; P < Places; ++P)
    Ring[P * Stride / 8] = Pool + (P + Step) % Places * Stride;
  take(Driver.copyIn(Pool, Ring.data(), Ring.size() * 8));
  return chase("chase_global", Pool, std::max<uint64_t>(Places, 4096));
}

double Meter::chaseConstant(uint64_t Bytes) {
  constexpr uint64_t Stride = 64;
  std::vector<uint64_t> Table(Programs.ChaseTableBytes / 8);
  for (uint64_t At = 0; At < Bytes; At += Stride)
    Table[At / 8] = (At + Stride) % Bytes;
  take(Driver.copyIn(take(Driver.variable("chase_table")), Table.data(),
                     Table.size() * 8));
  return chase("chase_constant", 0, 4096);
}

double Meter::stream(uint64_t Bytes, unsigned Rounds) {
  auto Count = uint32_t(Bytes / 16);
  void *Arguments[] = {&Pool, &Sink, &Count, &Rounds};
  CudaDriver::Kernel K = take(Driver.kernel("stream"));
  const unsigned Threads = 256;
  const unsigned Blocks =
      M.Device.SMs * std::max(1u, M.Device.MaxThreadsPerSM / Threads);
  std::vector<double> Found;
  for (unsigned R = 0; R <= Repeats; ++R) {
    double Ms = take(Driver.launch(K, Blocks, Threads, Arguments));
    if (R && Ms > 0)
      Found.push_back(double(Bytes) * Rounds / Ms);
  }
  if (Found.empty())
    throw Error{"the NVIDIA driver: its events measure no time"};
  return median(Found);
}

Measurements Meter::run(const std::function<void(std::string)> &Step) {
  facts();
  const DeviceFacts &D = M.Device;
  prepare();
  for (const Benchmarks::Operation &Op : Programs.Operations) {
    Step("operation " + Op.Name);
    M.Operations.push_back(curve(Op));
  }
  Step("latencies");
  constexpr uint64_t Line = 128;
  auto PerLoad = [](double Clocks) {
    return Number{Clocks, fmt::format("measured: {:.1f} clocks per dependent "
                                      "load",
                                      Clocks)};
  };
  M.Shared = PerLoad(chase("chase_shared", 33, 4096));
  M.Constant = PerLoad(chaseConstant(1024));
  M.Constant.From += fmt::format(", {:.1f} in a table of 32 KiB",
                                 chaseConstant(Programs.ChaseTableBytes));
  M.L1 = PerLoad(chaseGlobal(std::max<uint64_t>(L1Bytes / 4, 4 * Line), Line));
  M.L2 = PerLoad(chaseGlobal(std::max(D.L2Bytes / 4, 4 * L1Bytes), Line));
  M.DRAM = PerLoad(chaseGlobal(PoolBytes, 4 * Line));
  Step("bandwidths");
  // The chase has left pointers; stream wants zeros.
  take(Driver.copyIn(Pool, std::vector<char>(PoolBytes).data(), PoolBytes));
  const double Streamed = stream(PoolBytes, 1) / 1e6;
  M.DRAMGigabytesPerSecond = {
      Streamed,
      fmt::format("measured: {:.0f} GB/s read in a stream", Streamed)};
  const double L2BytesPerMs = stream(D.L2Bytes / 2, 64);

  Step("clock and launch");
  // A chain's clocks against the time of its launch, long against short, so
  // that what a launch costs cancels.
  const Benchmarks::Operation &Op = Programs.Operations.front();
  CudaDriver::Kernel K = take(Driver.kernel(Op.Entry));
  std::vector<double> MHz, Launches;
  uint64_t A = 0, B = 0;
  for (unsigned R = 0; R <= Repeats; ++R) {
    double Time[2], Clocks[2];
    for (unsigned Long = 0; Long < 2; ++Long) {
      uint32_t Rounds = Long ? 65536 : 4096;
      void *Arguments[] = {&Cycles, &Sink, &Rounds, &A, &B};
      Time[Long] = take(Driver.launch(K, 1, 32, Arguments));
      take(Driver.copyOut(Host.data(), Cycles, 8));
      Clocks[Long] = double(Host[0]);
    }
    if (R && Time[1] > Time[0])
      MHz.push_back((Clocks[1] - Clocks[0]) / (Time[1] - Time[0]) / 1000);
    double Empty =
        take(Driver.launch(take(Driver.kernel("empty")), 1, 32, nullptr));
    if (R)
      Launches.push_back(Empty * 1000);
  }
  M.CoreMHz = {MHz.empty() ? D.CoreMHz : median(MHz),
               "measured: clocks of a chain over its time"};
  const double LaunchUs = median(Launches);
  M.LaunchCycles = {
      LaunchUs * M.CoreMHz.Value,
      fmt::format(
          "measured: an empty kernel takes {:.2f} us between two events",
          LaunchUs)};
  const double L2BytesPerClock = L2BytesPerMs / (M.CoreMHz.Value * 1000);
  M.L2BytesPerClock = {L2BytesPerClock,
                       fmt::format("measured: {:.0f} bytes per clock from half "
                                   "of L2, again and again",
                                   L2BytesPerClock)};
  return std::move(M);
}

Result<Measurements> measure(CudaDriver &Driver, const Benchmarks &Programs,
                             uint64_t L1Bytes,
                             const std::function<void(std::string)> &Step) {
  try {
    return Meter(Driver, Programs, L1Bytes).run(Step);
  } catch (Error &E) {
    return std::unexpected(std::move(E));
  }
}

} // namespace heddle::calibration
