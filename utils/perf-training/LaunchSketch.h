//===- LaunchSketch.h - Launches written down by hand -----------*- C++ -*-===//

#ifndef HEDDLE_PERFTRAINING_LAUNCHSKETCH_H
#define HEDDLE_PERFTRAINING_LAUNCHSKETCH_H

#include "trace/WarpEncoder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>

namespace heddle::sketch {

/// Builds the code of a kernel, instruction by instruction. Block 0 is open
/// from the start.
class CodeBuilder {
public:
  CodeBuilder() {
    Table.Kernel = "synthetic";
    Table.ISA = "ptx";
    Table.Opcodes = {"op"};
    Table.Files = {"synthetic.cu"};
    newBlock();
  }

  CodeBuilder &newBlock() {
    HeddleBlock B{};
    B.FirstInst = Table.Insts.size();
    B.FirstMemory = Table.Memory.size();
    Table.Blocks.push_back(B);
    return *this;
  }
  HeddleInst &add(HeddleOpClass Class, std::initializer_list<uint16_t> Defs,
                  std::initializer_list<uint16_t> Uses) {
    HeddleInst I{};
    I.Class = Class;
    I.Type = HEDDLE_TYPE_F32;
    I.Memory = HEDDLE_NO_MEMORY;
    I.Issued = 1;
    I.SourceLine = Table.Insts.size() + 1;
    for (uint16_t R : Defs)
      I.Registers[I.NumDefs++] = R;
    for (uint16_t R : Uses)
      I.Registers[I.NumDefs + I.NumUses++] = R;
    for (unsigned R = 0; R < unsigned(I.NumDefs + I.NumUses); ++R)
      Table.NumRegisters =
          std::max<unsigned>(Table.NumRegisters, I.Registers[R] + 1);
    Table.Insts.push_back(I);
    ++Table.Blocks.back().NumInsts;
    return Table.Insts.back();
  }
  HeddleInst &memory(HeddleOpClass Class, HeddleMemorySpace Space,
                     std::initializer_list<uint16_t> Defs,
                     std::initializer_list<uint16_t> Uses) {
    HeddleInst &I = add(Class, Defs, Uses);
    I.Space = Space;
    I.AccessBytes = 4;
    I.Memory = Table.Memory.size();
    Table.Memory.push_back(
        {uint8_t(Space), uint8_t(Class != HEDDLE_OP_LOAD), 4});
    ++Table.Blocks.back().NumMemory;
    return I;
  }
  /// \p N additions, each of which needs the one before.
  CodeBuilder &chain(unsigned N) {
    for (unsigned I = 0; I < N; ++I)
      add(HEDDLE_OP_ADD, {1}, {1});
    return *this;
  }

  trace::CodeTable Table;
};

/// The same warp program for every warp of every block.
class SyntheticSource : public trace::TraceSource {
public:
  /// Encodes what warp \p Warp of block \p Block does.
  using Program =
      std::function<void(trace::WarpEncoder &, uint64_t Block, unsigned Warp)>;

  SyntheticSource(trace::CodeTable Code, unsigned Blocks, unsigned Threads,
                  Program Run)
      : Table(std::move(Code)), Run(std::move(Run)) {
    Header.Kernel = Table.Kernel;
    Header.Producer = "executed";
    Header.Grid = {Blocks, 1, 1};
    Header.Block = {Threads, 1, 1};
    Header.RegistersPerThread = 16;
  }
  /// All warps run block 0 once.
  SyntheticSource(trace::CodeTable Code, unsigned Blocks, unsigned Threads)
      : SyntheticSource(std::move(Code), Blocks, Threads,
                        [](trace::WarpEncoder &E, uint64_t, unsigned) {
                          E.block(0, ~0u);
                        }) {}

  const trace::TraceHeader &header() const override { return Header; }
  const trace::CodeTable &code() const override { return Table; }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    Out.Index = Index;
    Out.Warps.clear();
    trace::WarpEncoder Encoder(Table);
    for (unsigned W = 0; W < Header.warpsPerBlock(); ++W) {
      Run(Encoder, Index, W);
      Out.Warps.push_back(Encoder.finish());
    }
    return {};
  }

  trace::TraceHeader Header;

private:
  trace::CodeTable Table;
  Program Run;
};

/// Addresses Base + lane * Stride.
inline std::array<uint64_t, 32> lanes(uint64_t Base, uint64_t Stride) {
  std::array<uint64_t, 32> A;
  for (unsigned L = 0; L < 32; ++L)
    A[L] = Base + L * Stride;
  return A;
}

} // namespace heddle::sketch

#endif // HEDDLE_PERFTRAINING_LAUNCHSKETCH_H
