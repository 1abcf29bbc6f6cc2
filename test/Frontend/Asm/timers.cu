// The timers, whole and by halves, in inline PTX and in PTX that is read.
// DEFINE: %{run} = --kernel timers --grid 1 --block 32 --arg u32[3]=zero --dump 0 -q
// RUN: %heddle run %s %{run} | FileCheck %s
// RUN: %heddle run %s %{run} --engine interpreter | FileCheck %s
// RUN: %heddle kernels %s --ptx -o %t.ptx
// RUN: %heddle run %t.ptx %{run} | FileCheck %s
// RUN: %heddle simulate %s --kernel timers --grid 1 --block 32 --arg u32[3]=zero -q --json - | FileCheck %s --check-prefix=CYCLES
// CHECK: (u32[3]): 1 1 1
// CYCLES: "cycles": [[#%u,]]
extern "C" __global__ void timers(unsigned *o) {
  unsigned long long before, after, clocks;
  unsigned low, high, clock_high;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(low));
  asm volatile("mov.u32 %0, %%globaltimer_hi;" : "=r"(high));
  asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(clock_high));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clocks));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  unsigned long long between = (unsigned long long)high << 32 | low;
  o[0] = between >= before;
  o[1] = between <= after;
  o[2] = clock_high == (unsigned)(clocks >> 32);
}
