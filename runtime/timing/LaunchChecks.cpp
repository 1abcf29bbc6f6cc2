//===- LaunchChecks.cpp - What a machine must have for a launch -----------===//

#include "timing/LaunchChecks.h"

#include "base/Fail.h"

using namespace heddle;
using namespace heddle::timing;

/// Machines without a rate for it do not have wgmma.
static Result<void> checkGroupProduct(const HeddleInst &I,
                                      const arch::GPUSpec &Spec) {
  if (!arch::isGroupProduct(I) || Spec.Ops.at(I.Class, I.Type).GroupProducts)
    return {};
  return fail("line {}: the kernel uses wgmma of {}, which machine '{}' does "
              "not have; take one of compute capability 9.0, such as h100, or "
              "give the machine ops.tensor.{}.group_products",
              I.SourceLine, arch::DataTypeNames[I.Type], Spec.Name,
              arch::DataTypeNames[I.Type]);
}

/// setmaxnreg gives back what the launch has given, and takes no more than it
/// has.
static Result<void> checkRegisters(const HeddleInst &I,
                                   const trace::TraceHeader &Launch,
                                   const arch::GPUSpec &Spec) {
  if (!setsRegisters(I))
    return {};
  const unsigned Count = I.Products & HEDDLE_REGISTERS_COUNT;
  const unsigned Has =
      arch::allocatedRegisters(Launch.RegistersPerThread, Spec);
  const bool Frees = I.Products - Count == HEDDLE_REGISTERS_DEC;
  if (Frees && Count > Has)
    return fail("line {}: setmaxnreg.dec to {} registers, but kernel '{}' has "
                "{} at its launch: .dec gives registers back; ask for fewer",
                I.SourceLine, Count, Launch.Kernel, Has);
  if (!Frees && uint64_t(Count) * 4 > uint64_t(Has) * Launch.warpsPerBlock())
    return fail(
        "line {}: setmaxnreg.inc to {} registers for each of the 128 threads "
        "of a warp group, but a block of kernel '{}' has {} for each of its {} "
        "threads at its launch; ask for fewer, or give the kernel more by "
        "__launch_bounds__ or .maxnreg",
        I.SourceLine, Count, Launch.Kernel, Has, Launch.Block.count());
  return {};
}

Result<arch::Occupancy>
heddle::timing::checkedOccupancy(const trace::TraceSource &Source,
                                 const arch::GPUSpec &Spec) {
  const trace::TraceHeader &Launch = Source.header();
  for (const HeddleInst &I : Source.code().Insts)
    if (Result<void> Ok = checkGroupProduct(I, Spec); !Ok)
      return std::unexpected(Ok.error());
  Result<arch::Occupancy> O =
      arch::computeOccupancy(Launch.blockResources(), Spec);
  if (!O)
    return O;
  if (Result<void> Ok = arch::checkClusterFits(Spec, Launch.Kernel,
                                               Launch.Cluster, O->BlocksPerSM);
      !Ok)
    return std::unexpected(Ok.error());
  for (const HeddleInst &I : Source.code().Insts)
    if (Result<void> Ok = checkRegisters(I, Launch, Spec); !Ok)
      return std::unexpected(Ok.error());
  return O;
}

Result<void>
heddle::timing::checkHang(std::span<const std::unique_ptr<SMContext>> SMs,
                          const Machine &M) {
  auto lineOf = [&](uint32_t Inst) {
    return M.Code.table().Insts[Inst].SourceLine;
  };
  for (const auto &SM : SMs)
    if (const auto Inst = SM->awaitsRegisters())
      return fail(
          "line {}: setmaxnreg.inc waits for ever: the block has {} registers "
          "for each thread at its launch, and its warps do not give back what "
          "this one asks for; ask for fewer, or let others give more back",
          lineOf(*Inst), M.RegistersPerThread);
  for (const auto &SM : SMs)
    if (const auto Wait = SM->awaitsPhase())
      return fail(
          "line {}: waits for ever at the mbarrier at byte {} of shared "
          "memory: nothing is left that could end its phase; count the "
          "arrivals, and the bytes that expect_tx names",
          lineOf(Wait->Inst), Wait->Place);
  return {};
}
