//===- KernelBinding.h - A kernel as the runtime half sees it ---*- C++ -*-===//

#ifndef HEDDLE_TOOLS_KERNELBINDING_H
#define HEDDLE_TOOLS_KERNELBINDING_H

#include "exec/Binding.h"
#include "exec/Launcher.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/PTX/CodeTable.h"
#include "trace/CodeTable.h"

namespace heddle::tool {

/// What binding a launch needs to know of \p Kernel.
exec::KernelInterface interfaceOf(const llvm::Function &Kernel);

/// The source lines of a kernel's instructions and blocks.
exec::SourceMap sourceMapOf(const KernelNumbering &Numbering);

/// \p Code as the runtime half has it.
trace::CodeTable traceCode(const KernelCode &Code);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_KERNELBINDING_H
