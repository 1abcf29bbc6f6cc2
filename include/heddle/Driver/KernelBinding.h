//===- KernelBinding.h - A kernel as the runtime half sees it ---*- C++ -*-===//

#ifndef HEDDLE_DRIVER_KERNELBINDING_H
#define HEDDLE_DRIVER_KERNELBINDING_H

#include "exec/Binding.h"
#include "exec/Launcher.h"
#include "heddle/Analysis/Evaluation.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/PTX/CodeTable.h"
#include "launch/Launch.h"
#include "trace/MachineTrace.h"

namespace heddle {

/// What binding a launch needs to know of \p Kernel.
exec::KernelInterface interfaceOf(const llvm::Function &Kernel);

/// The source lines of a kernel's instructions and blocks.
exec::SourceMap sourceMapOf(const KernelNumbering &Numbering);

/// \p Code as the runtime half has it.
trace::CodeTable traceCode(const KernelCode &Code);
/// The same with the blocks and records of the IR, which engines report.
trace::CodeTable engineCode(const KernelCode &Code);
/// \p Source, recorded under engineCode, in the blocks of \p Code.
std::unique_ptr<trace::TraceSource>
inBlocksOf(const KernelCode &Code, std::unique_ptr<trace::TraceSource> Source);

/// What \p L says before anything has run. Buffers lie where nothing else
/// does, each at a multiple of 256 bytes, as device allocations do.
LaunchValues launchValuesOf(const launch::Launch &L,
                            const llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_DRIVER_KERNELBINDING_H
