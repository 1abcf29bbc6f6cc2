//===- Registers.h - Registers per thread -----------------------*- C++ -*-===//

#ifndef HEDDLE_PTX_REGISTERS_H
#define HEDDLE_PTX_REGISTERS_H

#include "heddle/PTX/PTXReader.h"

#include <optional>
#include <string>

namespace heddle {

struct LaunchBounds;

struct PtxasResult {
  unsigned Registers = 0;
  std::string Arch;    ///< that ptxas compiled for
  std::string Refused; ///< why it did not
};

/// The registers with which a full SM of \p Arch holds as many threads as it
/// can. ptxas hides latency up to that many, and as far as it can no further.
unsigned registerTarget(llvm::StringRef Arch);

/// Registers per thread that ptxas gives a kernel.
struct RegisterBounds {
  unsigned Most = 255;   ///< it spills what needs more
  unsigned Target = 255; ///< up to which it hides latency
};

/// What launch bounds allow on \p Arch: a share of the SM's registers for each
/// thread of the blocks that they name, and .maxnreg. A kernel that says how
/// many blocks an SM shall hold hides latency in a few more than others, which
/// leave the SM full as far as they can (ptxas 11.8: three kernels, twelve
/// bounds).
RegisterBounds registerBounds(const LaunchBounds &Bounds, llvm::StringRef Arch);

/// Registers per thread of 32 bits as ptxas would give \p PTX on \p Arch, by
/// scheduling and allocating its values. docs/CodeTable.md gives its error.
unsigned estimateRegisters(const ptx::Kernel &PTX, llvm::StringRef Arch,
                           const RegisterBounds &Bounds);

/// Where registers come from, \p Source, and that \p Needed are more than
/// \p Bounds allow.
std::string sourceOfRegisters(llvm::StringRef Source, unsigned Needed,
                              const RegisterBounds &Bounds);

/// $HEDDLE_PTXAS, else ptxas on PATH or below $CUDA_PATH.
std::optional<std::string> findPtxas();

/// Runs a program and gives what it prints; nothing if it fails.
std::optional<std::string> runTool(llvm::ArrayRef<llvm::StringRef> Args);

/// Assembles \p Text for \p Arch, with line information, into the file
/// \p Object, and gives the registers per thread of \p Kernel. Errors: there
/// is no ptxas, or it does not take the text.
llvm::Expected<unsigned> assemble(llvm::StringRef Text, llvm::StringRef Kernel,
                                  llvm::StringRef Arch, llvm::StringRef Object);

/// What `ptxas -v` says about the kernel in \p Text, or nothing if there is no
/// ptxas ($HEDDLE_PTXAS, else on PATH or below $CUDA_PATH). OpenCL's work
/// dimension and global offset are read from %envreg, where NVIDIA's OpenCL
/// compiler has them; mathematical functions have no instruction, so ptxas is
/// not asked about kernels that call one.
std::optional<PtxasResult>
runPtxas(llvm::StringRef Text, llvm::StringRef Kernel, llvm::StringRef Arch);

} // namespace heddle

#endif // HEDDLE_PTX_REGISTERS_H
