//===- StaticCode.h - A code table with a machine's latencies ---*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_STATICCODE_H
#define HEDDLE_INTERVAL_STATICCODE_H

#include "arch/GPUSpec.h"
#include "trace/CodeTable.h"

#include <span>
#include <vector>

namespace heddle::interval {

enum class Kind : uint8_t {
  Compute,
  Load, ///< also textures
  Store,
  Atomic,
  Reduction,
  Branch,
  Exit,
  Barrier,
  Fence
};

struct StaticInst {
  uint16_t Registers[HEDDLE_MAX_INST_REGISTERS] = {};
  uint8_t NumDefs = 0, NumRegisters = 0;
  Kind What = Kind::Compute;
  uint8_t Pipe = 0;
  uint8_t Space = HEDDLE_SPACE_NONE;
  uint8_t Flags = 0;
  uint8_t Collect = 1; ///< cycles in which the operands are read
  bool OnChip = false; ///< result of SFU, shuffle, tensor or FP64
  uint16_t Latency = 1, Initiation = 1;
  /// Issue slots: more than one where the instruction is expanded, none where
  /// it is folded into those that use its result.
  uint16_t Slots = 1;
  uint16_t SlotGap = 1; ///< cycles from one slot to the next
  uint16_t AccessBytes = 0;
  uint32_t Memory = HEDDLE_NO_MEMORY;
  int32_t ByteOffset = 0;

  std::span<const uint16_t> defs() const { return {Registers, NumDefs}; }
  std::span<const uint16_t> registers() const {
    return {Registers, NumRegisters};
  }
  /// Has addresses that the caches see.
  bool isMemory() const {
    return What >= Kind::Load && What <= Kind::Reduction;
  }
};

/// Every instruction of \p Code on \p Spec, by index.
std::vector<StaticInst> decode(const trace::CodeTable &Code,
                               const arch::GPUSpec &Spec);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_STATICCODE_H
