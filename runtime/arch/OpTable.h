//===- OpTable.h - Which pipe runs what, and how long -----------*- C++ -*-===//

#ifndef HEDDLE_ARCH_OPTABLE_H
#define HEDDLE_ARCH_OPTABLE_H

#include "heddle/ABI/CodeTable.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::arch {

/// Whether \p I is wgmma.
inline bool isGroupProduct(const HeddleInst &I) {
  return I.Class == HEDDLE_OP_TENSOR && I.Flags & HEDDLE_INST_ASYNC;
}

/// A kind of execution unit of an SM.
struct PipeSpec {
  std::string Name;   ///< "int", "fp32", "lsu", ...
  uint32_t Units = 1; ///< instances per SM
  /// Each scheduler owns Units / schedulers of them; else all share all.
  bool PerScheduler = false;
  uint32_t QueueInsts = 1; ///< instructions that wait in front of one unit
  /// Operand collectors per SM for this pipe alone, a share for each scheduler;
  /// 0: it uses front.operand_collectors.
  uint32_t Collectors = 0;
};

/// How a (class, type) runs.
struct OpTiming {
  uint8_t Pipe = 0;        ///< index into GPUSpec::Pipes
  uint16_t Latency = 1;    ///< start to result
  uint16_t Initiation = 1; ///< cycles that the unit is taken
  /// Matrix products: multiply-adds that a unit does per cycle, if not 0. Both
  /// times above then follow from the instruction's multiply-adds.
  uint16_t Products = 0;
  /// Latencies of instructions of MinMatrix << N multiply-adds; 0: between its
  /// neighbours, or by the rate beyond them.
  static constexpr unsigned MinMatrix = 256;
  std::array<uint16_t, 8> MatrixLatencies{};
  /// wgmma: multiply-adds that a unit does per cycle, 0: the machine has none;
  /// and the least cycles from its start to its sums.
  uint16_t GroupProducts = 0, GroupLatency = 0;

  bool operator==(const OpTiming &) const = default;
  /// What an instruction of \p Count multiply-adds takes.
  OpTiming ofProducts(uint32_t Count) const;
  /// The same for a warp's part of wgmma.
  OpTiming ofGroupProducts(uint32_t Count) const;
};

/// Timing for every instruction class and data type.
class OpTable {
public:
  const OpTiming &at(unsigned Class, unsigned Type) const {
    return Table[Class][Type];
  }
  OpTiming &at(unsigned Class, unsigned Type) { return Table[Class][Type]; }
  OpTiming operator[](const HeddleInst &I) const {
    const OpTiming &T = at(I.Class, I.Type);
    return isGroupProduct(I) ? T.ofGroupProducts(heddleProducts(&I))
                             : T.ofProducts(I.Products);
  }

private:
  std::array<std::array<OpTiming, HEDDLE_NUM_DATA_TYPES>, HEDDLE_NUM_OP_CLASSES>
      Table{};
};

/// Names as machine files and reports use them ("mad", "f32"); the index is
/// HeddleOpClass or HeddleDataType.
extern const std::array<std::string_view, HEDDLE_NUM_OP_CLASSES> OpClassNames;
extern const std::array<std::string_view, HEDDLE_NUM_DATA_TYPES> DataTypeNames;

} // namespace heddle::arch

#endif // HEDDLE_ARCH_OPTABLE_H
