//===- KernelInfo.h - What a launch must know of a kernel -------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_KERNELINFO_H
#define HEDDLE_ANALYSIS_KERNELINFO_H

#include "heddle/ABI/CodeTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class AtomicRMWInst;
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace heddle {

enum class ArgumentKind {
  Scalar,          ///< an integer, a floating number or a vector of them
  GlobalPointer,   ///< __global, and every pointer of CUDA
  LocalPointer,    ///< __local: the launch says how many bytes
  ConstantPointer, ///< __constant
  Struct           ///< by value
};

/// One parameter of a kernel. Offsets are those of the parameter block: each
/// parameter at the next multiple of its alignment (PTX ISA, "Kernel Function
/// Parameters").
struct KernelArgument {
  std::string Name;     ///< as in the source; "argN" if that is unknown
  std::string TypeText; ///< as in the source if known, else C-like: "float*"
  std::string
      ElementText; ///< what a pointer points to: "float", or "" if unknown
  ArgumentKind Kind = ArgumentKind::Scalar;
  uint64_t SizeBytes = 0;
  uint64_t AlignBytes = 1;
  uint64_t OffsetBytes = 0;
  bool IsFloat = false;     ///< Scalar: floating point
  unsigned Lanes = 1;       ///< Scalar: elements of a vector
  bool IsReadOnly = false;  ///< pointer: the kernel never writes through it
  bool IsWriteOnly = false; ///< pointer: the kernel never reads through it
  bool IsRestrict = false;
};

/// Bounds that the source states; 0 where it states none.
struct LaunchBounds {
  std::array<unsigned, 3> RequiredBlock{};  ///< reqd_work_group_size
  unsigned MaxThreads = 0;                  ///< __launch_bounds__, first
  unsigned MinBlocks = 0;                   ///< __launch_bounds__, second
  unsigned MaxRegisters = 0;                ///< __maxnreg__, .maxnreg
  std::array<unsigned, 3> Cluster{1, 1, 1}; ///< blocks, __cluster_dims__
  bool HasCluster = false;                  ///< the kernel says so
};

LaunchBounds launchBounds(const llvm::Function &Kernel);

/// Whether \p Kernel takes denormal numbers of single precision as zero: nvcc's
/// -ftz=true, PTX's .ftz.
bool wantsNoDenormals(const llvm::Function &Kernel);
/// Whether execution can do so: a host flushes those of doubles, too, and sums
/// of matrix products keep them.
bool flushesDenormals(const llvm::Function &Kernel);

/// On atomics that are one instruction on a GPU and several here: how many, or
/// 1 for a loop that compares and exchanges.
inline constexpr char PartsOfAtomic[] = "heddle.parts";
/// Marks \p Atomic so.
void setPartsOfAtomic(llvm::Instruction &Atomic, unsigned Parts);
/// 0 without the mark.
unsigned partsOfAtomic(const llvm::Instruction &Atomic);

/// LLVM's attribute of a kernel for the size of its clusters: "2,1,1".
inline constexpr llvm::StringLiteral ClusterAttribute = "nvvm.cluster_dim";
/// PTX's .explicitcluster: the launch must say the size.
inline constexpr llvm::StringLiteral NeedsClusterAttribute =
    "heddle-explicit-cluster";

struct KernelInfo {
  std::string Name;      ///< symbol
  std::string Demangled; ///< "void ns::kernel<int>(float*)", else as Name
  std::string File;      ///< source file, "" without debug information
  unsigned Line = 0;
  std::vector<KernelArgument> Arguments;
  uint64_t ParameterBytes = 0;
  uint64_t StaticSharedBytes =
      0; ///< variables of known size, padded to alignment
  bool UsesDynamicShared = false; ///< extern __shared__, or a __local pointer
  uint64_t ConstantBytes = 0;     ///< __constant__ variables that it uses
  uint64_t GlobalBytes = 0;       ///< __device__ variables that it uses
  uint64_t LocalBytes = 0;        ///< per thread: allocas
  LaunchBounds Bounds;
  unsigned NumBlocks = 0;       ///< basic blocks
  unsigned NumBarriers = 0;     ///< static count of block-wide barriers
  unsigned NumInstructions = 0; ///< of IR, those that stand for none left out
  /// IR instructions by HeddleOpClass.
  std::array<unsigned, HEDDLE_NUM_OP_CLASSES> Mix{};
};

/// The kernel as its author calls it: "ns::kernel<int>" where the symbol stands
/// for "void ns::kernel<int>(float*)".
std::string kernelName(const llvm::Function &Kernel);

/// \p Kernel must be part of a prepared module.
KernelInfo analyzeKernel(const llvm::Function &Kernel);

/// The global variables that \p Kernel uses, in the order of the module.
std::vector<const llvm::GlobalVariable *>
globalsOf(const llvm::Function &Kernel);

/// The class of an IR instruction as the code table's IR level counts it;
/// HEDDLE_OP_NOP for phi, bit casts and others that cost nothing.
HeddleOpClass classOf(const llvm::Instruction &I);

/// Whether \p RMW leaves the same in memory in any order: an operation on
/// integers whose old value is not used.
bool commutes(const llvm::AtomicRMWInst &RMW);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_KERNELINFO_H
