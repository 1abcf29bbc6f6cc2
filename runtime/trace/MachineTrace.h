//===- MachineTrace.h - A trace in blocks of machine code -------*- C++ -*-===//

#ifndef HEDDLE_TRACE_MACHINETRACE_H
#define HEDDLE_TRACE_MACHINETRACE_H

#include "heddle/ABI/MachineBlocks.h"
#include "trace/TraceSource.h"

#include <memory>

namespace heddle::trace {

/// By block of a code table: the blocks of the IR that it stands for, in order.
using MachineSteps = std::vector<std::vector<HeddleStep>>;

/// Turns a trace of blocks of the IR into one of the blocks of \p Code.
///
/// From each event on, the table's blocks that begin with its block are tried,
/// those with the most steps first. A block with a choice behind it needs all
/// of its steps that are not optional, by the same lanes; the last choice takes
/// what there is. Steps without an event have records that are not executed:
/// the machine issues predicated instructions all the same. Records keep the
/// addresses and lanes of their own event, so that an access that was moved or
/// joined has its own. Events of blocks that no step names are left out.
class MachineTrace : public TraceSource {
public:
  /// The code table of \p Inner has the blocks and records of the IR. Each
  /// block of the IR that has an instruction in \p Code is the first step of a
  /// block of \p Code, or a step behind one that always precedes it.
  MachineTrace(std::unique_ptr<TraceSource> Inner, CodeTable Code,
               MachineSteps Steps);
  ~MachineTrace() override;
  const TraceHeader &header() const override { return Inner->header(); }
  const CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t Index, BlockTrace &Out) override;
  bool servesAnyOrder() const override { return Inner->servesAnyOrder(); }

private:
  class Fuser;

  std::unique_ptr<TraceSource> Inner;
  CodeTable Code;
  MachineSteps Steps;
  std::unique_ptr<Fuser> Fuse;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_MACHINETRACE_H
