//===- RegisterEstimate.cpp - Registers per thread without ptxas ----------===//

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/RegisterModel.h"
#include "heddle/PTX/Registers.h"

using namespace llvm;

namespace heddle {

namespace {

/// Beyond the highest register that is used; ptxas counts two more for every
/// kernel that uses one.
constexpr unsigned OverheadRegisters = 2;
/// ptxas gives no kernel less, even an empty one.
constexpr unsigned MinRegisters = 4;
/// The most a thread may have on every architecture since sm_35.
constexpr unsigned MaxRegisters = 255;
/// ptxas 11.8 raises a lower .maxnreg ("to lower bound of 24"; sm_70 to sm_90).
constexpr unsigned LeastLimit = 24;
/// The least that it is worth to schedule for.
constexpr unsigned MinLimit = 8;
/// Steps from one attempt to the next.
constexpr unsigned LimitStep = 4;

unsigned numberOf(StringRef Arch) {
  unsigned Number = 0;
  Arch.consume_front("sm_");
  Arch.consumeInteger(10, Number);
  return Number;
}

} // namespace

/// Threads that an SM holds: the table of technical specifications per compute
/// capability in the CUDA C++ Programming Guide.
static unsigned threadsPerSM(unsigned Arch) {
  switch (Arch) {
  case 75:
    return 1024;
  case 86:
  case 87:
  case 89:
  case 120:
  case 121:
    return 1536;
  default:
    return 2048;
  }
}

/// Registers of each thread if an SM holds \p Warps warps.
static unsigned shareOf(unsigned Warps) {
  constexpr unsigned FileRegisters = 65536; // of an SM
  constexpr unsigned Granularity = 8;       // of a thread's registers
  return FileRegisters / 32 / Warps / Granularity * Granularity;
}

unsigned registerTarget(StringRef Arch) {
  return shareOf(threadsPerSM(numberOf(Arch)) / 32);
}

RegisterBounds registerBounds(const LaunchBounds &Bounds, StringRef Arch) {
  RegisterBounds Result;
  if (Bounds.MaxRegisters)
    Result.Most = std::clamp(Bounds.MaxRegisters, LeastLimit, MaxRegisters);
  unsigned Threads = Bounds.MaxThreads;
  if (Bounds.RequiredBlock[0])
    Threads = Bounds.RequiredBlock[0] * Bounds.RequiredBlock[1] *
              Bounds.RequiredBlock[2];
  // ptxas ignores a number of blocks that no SM holds.
  const uint64_t OnSM = uint64_t(Threads) * Bounds.MinBlocks;
  const bool Counts = OnSM > 0 && OnSM <= threadsPerSM(numberOf(Arch));
  if (Threads)
    Result.Most =
        std::min(Result.Most, shareOf((Threads + 31) / 32 *
                                      (Counts ? Bounds.MinBlocks : 1)));
  // One kernel whose loads want more got eight more.
  constexpr unsigned MoreOnRequest = 8;
  Result.Target = std::min(Result.Most,
                           registerTarget(Arch) + (Counts ? MoreOnRequest : 0));
  return Result;
}

unsigned estimateRegisters(const ptx::Kernel &PTX, StringRef Arch,
                           const RegisterBounds &Bounds) {
  using namespace registers;
  const unsigned Target = Bounds.Target;
  // In sm_75 an access may have its address in uniform registers; later
  // architectures have a descriptor there.
  const Code C = buildCode(PTX, /*UniformAddresses=*/numberOf(Arch) == 75);
  unsigned Best = MaxRegisters;
  for (unsigned Limit = Target - OverheadRegisters;
       Limit >= MinLimit && Best >= Target; Limit -= LimitStep) {
    Code Ordered = C;
    schedule(Ordered, Limit);
    for (Placement How : {Placement::Roomy, Placement::Tight}) {
      const unsigned Used = allocate(Ordered, How);
      Best = std::min(Best, Used ? Used + OverheadRegisters : 0);
      if (Best <= Target)
        break;
    }
  }
  return std::max(Best, MinRegisters);
}

std::string sourceOfRegisters(StringRef Source, unsigned Needed,
                              const RegisterBounds &Bounds) {
  if (Needed <= Bounds.Most)
    return Source.str();
  return (Source + "; it needs " + Twine(Needed) +
          ", and what ptxas would spill is not modelled")
      .str();
}

} // namespace heddle
