//===- CodeTablePrinter.h - A code table as text ----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_CODETABLEPRINTER_H
#define HEDDLE_TOOLS_CODETABLEPRINTER_H

#include "heddle/PTX/CodeTable.h"

namespace llvm {
class Function;
}

namespace heddle::tool {

/// One line per instruction under one heading per block of \p Kernel's IR
/// (docs/CodeTable.md explains the columns).
std::string printCodeTable(const KernelCode &Code,
                           const llvm::Function &Kernel);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_CODETABLEPRINTER_H
