//===- TraceDiff.cpp - Where two traces part ------------------------------===//

#include "trace/TraceDiff.h"

#include "trace/WarpCursor.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::trace {

namespace {

using Difference = std::optional<std::string>;

std::string text(const Dim3 &D) {
  return fmt::format("{} x {} x {}", D.X, D.Y, D.Z);
}

Difference diffHeaders(const TraceHeader &A, const TraceHeader &B) {
  auto Differ = [](const char *What, const auto &X, const auto &Y) {
    return fmt::format("{}: {} | {}", What, X, Y);
  };
  if (A.Kernel != B.Kernel)
    return Differ("kernel", A.Kernel, B.Kernel);
  if (A.Grid != B.Grid)
    return Differ("grid", text(A.Grid), text(B.Grid));
  if (A.Block != B.Block)
    return Differ("thread block", text(A.Block), text(B.Block));
  if (A.Cluster != B.Cluster)
    return Differ("cluster", text(A.Cluster), text(B.Cluster));
#define HEDDLE_TRACE_NUMBER(NAME, TYPE, KEY, WHAT)                             \
  if (*WHAT && A.NAME != B.NAME)                                               \
    return Differ(WHAT, A.NAME, B.NAME);
#include "trace/HeaderNumbers.def"
  return std::nullopt;
}

Difference diffCode(const CodeTable &A, const CodeTable &B) {
  if (A.ISA != B.ISA)
    return fmt::format("code table: {} | {}", A.ISA, B.ISA);
  for (size_t N = 0; N < std::min(A.Blocks.size(), B.Blocks.size()); ++N) {
    if (std::memcmp(&A.Blocks[N], &B.Blocks[N], sizeof(HeddleBlock)) != 0)
      return fmt::format(
          "code table: bb{}: {} instructions, {} memory records | {}, {}", N,
          A.Blocks[N].NumInsts, A.Blocks[N].NumMemory, B.Blocks[N].NumInsts,
          B.Blocks[N].NumMemory);
    for (uint32_t I = 0; I < A.Blocks[N].NumInsts; ++I) {
      HeddleInst X = A.insts(unsigned(N))[I], Y = B.insts(unsigned(N))[I];
      const std::string &NameX = A.Opcodes[X.Opcode],
                        &NameY = B.Opcodes[Y.Opcode];
      // Numbers of names may differ where the names do not.
      X.Opcode = Y.Opcode = X.SourceFile = Y.SourceFile = 0;
      if (NameX != NameY || std::memcmp(&X, &Y, sizeof(X)) != 0)
        return fmt::format(
            "code table: bb{} instruction {}: {} (line {}) | {} (line {})", N,
            I, NameX, X.SourceLine, NameY, Y.SourceLine);
    }
  }
  return std::nullopt;
}

/// What both must agree on for their events to be comparable.
Difference diffShapes(const CodeTable &A, const CodeTable &B) {
  if (A.Blocks.size() != B.Blocks.size())
    return fmt::format("code table: {} basic blocks | {}", A.Blocks.size(),
                       B.Blocks.size());
  for (size_t N = 0; N < A.Blocks.size(); ++N)
    if (A.Blocks[N].FirstMemory != B.Blocks[N].FirstMemory ||
        A.Blocks[N].NumMemory != B.Blocks[N].NumMemory)
      return fmt::format("code table: bb{}: {} memory records | {}", N,
                         A.Blocks[N].NumMemory, B.Blocks[N].NumMemory);
  return std::nullopt;
}

/// The addresses of the active lanes, ascending.
std::vector<uint64_t> sorted(const MemoryAccess &A) {
  std::vector<uint64_t> Out;
  for (uint32_t M = A.Mask; M; M &= M - 1)
    Out.push_back(A.address(unsigned(std::countr_zero(M))));
  std::ranges::sort(Out);
  return Out;
}

/// \p AsSets: whichever lane has which address.
Difference diffAccesses(uint32_t Record, const MemoryAccess &A,
                        const MemoryAccess &B, bool AsSets) {
  if (A.Mask != B.Mask)
    return fmt::format("memory {}: lanes {:08x} | {:08x}", Record, A.Mask,
                       B.Mask);
  if (A.Mask && A.Space != B.Space)
    return fmt::format("memory {}: {} | {}", Record, SpaceNames[A.Space],
                       SpaceNames[B.Space]);
  if (AsSets && A.Space == HEDDLE_SPACE_SHARED) {
    const std::vector<uint64_t> InA = sorted(A), InB = sorted(B);
    const auto [OfA, OfB] = std::ranges::mismatch(InA, InB);
    if (OfA == InA.end())
      return std::nullopt;
    return fmt::format("memory {} some lane: {:#x} | {:#x}", Record, *OfA,
                       *OfB);
  }
  for (uint32_t M = A.Mask; M; M &= M - 1) {
    const unsigned Lane = unsigned(std::countr_zero(M));
    if (A.address(Lane) != B.address(Lane))
      return fmt::format("memory {} lane {}: {:#x} | {:#x}", Record, Lane,
                         A.address(Lane), B.address(Lane));
  }
  return std::nullopt;
}

/// Compares two warps event by event; the texts do not name the position.
class WarpDiff {
public:
  WarpDiff(const TraceSource &SourceA, const TraceSource &SourceB)
      : CodeA(SourceA.code()), CodeB(SourceB.code()),
        AsSets(SourceA.header().Order == LaneOrder::Free ||
               SourceB.header().Order == LaneOrder::Free) {}

  Difference compare(const WarpTrace &WarpA, const WarpTrace &WarpB) {
    if (WarpA == WarpB)
      return std::nullopt;
    A.reset(CodeA, WarpA);
    B.reset(CodeB, WarpB);
    for (uint64_t Event = 0;; ++Event) {
      const bool MoreA = A.next(), MoreB = B.next();
      if (!MoreA && !MoreB)
        return std::nullopt;
      if (Difference D = compareEvent(MoreA, MoreB))
        return fmt::format("event {}: {}", Event, *D);
    }
  }

private:
  Difference compareEvent(bool MoreA, bool MoreB) {
    auto Block = [](bool More, const WarpCursor &C) {
      return More ? fmt::format("bb{} lanes {:08x}", C.block(), C.mask())
                  : std::string("end");
    };
    if (MoreA != MoreB || A.block() != B.block() || A.mask() != B.mask())
      return fmt::format("{} | {}", Block(MoreA, A), Block(MoreB, B));
    const HeddleBlock &Static = CodeA.Blocks[A.block()];
    for (uint32_t R = Static.FirstMemory;
         R < Static.FirstMemory + Static.NumMemory; ++R)
      if (Difference D = diffAccesses(R, A.access(R), B.access(R),
                                      AsSets && CodeA.Memory[R].AccessBytes <=
                                                    MaxFreeBytes))
        return fmt::format("bb{}: {}", A.block(), *D);
    return std::nullopt;
  }

  const CodeTable &CodeA, &CodeB;
  const bool AsSets;
  WarpCursor A, B;
};

} // namespace

Result<Difference> diffTraces(TraceSource &A, TraceSource &B,
                              const DiffOptions &Options) {
  if (Difference D = diffHeaders(A.header(), B.header()))
    return D;
  if (Difference D = diffShapes(A.code(), B.code()))
    return D;
  if (Options.Code)
    if (Difference D = diffCode(A.code(), B.code()))
      return D;
  WarpDiff Warps(A, B);
  BlockTrace BlockA, BlockB;
  for (uint64_t Block = 0; Block < A.header().Grid.count(); ++Block) {
    if (Result<void> Good = A.read(Block, BlockA); !Good)
      return std::unexpected(Good.error());
    if (Result<void> Good = B.read(Block, BlockB); !Good)
      return std::unexpected(Good.error());
    for (size_t W = 0; W < BlockA.Warps.size(); ++W)
      if (Difference D = Warps.compare(BlockA.Warps[W], BlockB.Warps[W]))
        return Difference(fmt::format("block {} warp {} {}", Block, W, *D));
  }
  return Difference();
}

} // namespace heddle::trace
