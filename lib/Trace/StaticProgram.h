//===- StaticProgram.h - A kernel decoded for evaluation --------*- C++ -*-===//

#ifndef HEDDLE_LIB_TRACE_STATICPROGRAM_H
#define HEDDLE_LIB_TRACE_STATICPROGRAM_H

#include "heddle/Trace/StaticTrace.h"

#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Exec/KernelLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class DataLayout;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace heddle::statics {

using Vector3 = std::array<int64_t, 3>;

/// A value of all lanes. Integers are sign-extended, i1 is 0 or 1, floating
/// numbers are their bits.
struct Lanes {
  alignas(64) int64_t V[32] = {};
  uint32_t Unknown = 0; ///< lanes whose value depends on data
  uint32_t Valid = 0;   ///< lanes that have ever been written
  bool Uniform = true;  ///< only V[0] counts
  bool Odd = false;     ///< may be anything in another block
  Vector3 Step = {};    ///< change from block to block, the same for all lanes

  int64_t at(unsigned L) const { return V[Uniform ? 0 : L]; }
  bool moves() const { return Step != Vector3{}; }
};

/// How a value is kept.
enum class Kind : uint8_t { Int, F32, F64, Other };

struct Operand {
  uint32_t Slot;
  uint8_t Width; ///< bits
  Kind K;
};

struct Node {
  const llvm::Instruction *I;
  unsigned Opcode;    ///< LLVM's
  unsigned Intrinsic; ///< LLVM's, for calls
  uint32_t Dst = ~0u;
  uint8_t Width = 0;
  Kind K = Kind::Other;
  uint32_t Record = ~0u; ///< memory record
  /// Address of an access: where it points if its index is data.
  uint32_t Object = ~0u;
  uint64_t ObjectBytes = 0;  ///< 0: ask BufferOf
  bool ReadsKnown = false;   ///< load of parameters or constants
  bool CopiesToNext = false; ///< cp.async: operand 1 is the next record's
  uint8_t Matrices = 4;      ///< of ldmatrix, stmatrix: fewer share the lanes
  /// A texture or surface (HeddleTextureShape): operands are the image, the
  /// sampler and the coordinates.
  std::optional<uint64_t> Texture;
  /// Of an mbarrier, whose place and number are the operands.
  std::optional<uint32_t> BarrierAction;
  /// A bulk copy (HeddleBulkShape) with its operands, by HeddleBulkOperand.
  std::optional<uint64_t> Bulk;
  bool IsElected = false; ///< a result of elect.sync
  llvm::SmallVector<Operand, 3> Ops;
  /// GEP: sum of operands 1.. times these, plus Offset.
  llvm::SmallVector<int64_t, 2> Scales;
  int64_t Offset = 0;
};

struct Edge {
  uint32_t To = ~0u;
  /// Phi slot and incoming operand, in order.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 4> Phis;
  /// Enters the loop that these blocks, which have MayEnd, can leave.
  llvm::SmallVector<uint32_t, 1> Restarts;
};

constexpr uint32_t NoBlock = ~0u;

struct Block {
  std::vector<Node> Nodes;
  enum { Return, Jump, Branch, Trap } End = Return;
  uint32_t Condition = 0;
  Edge Succ[2];
  uint32_t Join = NoBlock; ///< DivergencePolicy::join
  bool FalseFirst = false; ///< the lanes of its FALSE side leave the kernel
  /// The successor of lanes for which data decides.
  unsigned Taken = 0;
  /// That successor stays in the loop; the other leaves it after this number of
  /// evaluations of the branch. 0: it is never taken.
  uint64_t Limit = 0;
  /// An exit by data of a loop that also ends without data.
  bool MayEnd = false;
  uint32_t FirstInst = 0; ///< number (KernelNumbering)
};

/// A kernel as the evaluator walks it.
struct Program {
  std::vector<Block> Blocks; ///< by number
  std::vector<Lanes> Start;  ///< slots: constants and arguments are filled
  std::vector<std::pair<uint32_t, uint64_t>> Arguments; ///< slot, offset
  std::vector<Node> ArgumentTypes;                      ///< one for each
  std::vector<uint64_t> ArgumentBytes;
  /// Slots of by-value structs with their offsets in the parameter block.
  std::vector<std::pair<uint32_t, uint64_t>> Structs;
  /// Slots of shared variables with their offsets in the window.
  std::vector<std::pair<uint32_t, uint64_t>> SharedVariables;
  uint32_t NumRecords = 0;
};

/// Decodes \p Kernel. Fails for what has no static meaning.
llvm::Expected<Program> decode(const llvm::Function &Kernel,
                               const KernelNumbering &Numbering,
                               const KernelLayout &Layout,
                               const GlobalAddresses &Globals,
                               const StaticTraceOptions &Options);

} // namespace heddle::statics

#endif // HEDDLE_LIB_TRACE_STATICPROGRAM_H
