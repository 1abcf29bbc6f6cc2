//===- KernelPrinter.h - One kernel as text and as JSON ---------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_KERNELPRINTER_H
#define HEDDLE_TOOLS_KERNELPRINTER_H

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/CodeTable.h"

#include <nlohmann/json.hpp>

#include <string>

namespace heddle::tool {

/// What `heddle kernels FILE` prints of a kernel.
std::string printKernel(const KernelInfo &Info, const KernelCode &Code);

/// The same for --json.
nlohmann::ordered_json describeKernel(const KernelInfo &Info,
                                      const KernelCode &Code);

/// One line per instruction under one heading per block of \p Kernel's IR
/// (docs/CodeTable.md explains the columns).
std::string printCodeTable(const KernelCode &Code,
                           const llvm::Function &Kernel);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_KERNELPRINTER_H
