//===- TraceVerifier.cpp --------------------------------------------------===//

#include "trace/TraceVerifier.h"

#include "base/Clusters.h"
#include "base/Fail.h"
#include "heddle/ABI/BulkOps.h"

#include <algorithm>

namespace heddle::trace {

using namespace bytecode;

void TraceCounts::add(const TraceCounts &Other, uint64_t Times) {
  auto Add = [Times](uint64_t &To, uint64_t What) {
    uint64_t Product;
    if (__builtin_mul_overflow(What, Times, &Product) ||
        __builtin_add_overflow(To, Product, &To))
      To = UINT64_MAX;
  };
  Add(Events, Other.Events);
  Add(WarpInstructions, Other.WarpInstructions);
  Add(IssuedInstructions, Other.IssuedInstructions);
  Add(ThreadInstructions, Other.ThreadInstructions);
  Add(Accesses, Other.Accesses);
}

Result<void> verifyHeader(const TraceHeader &Header) {
  const Dim3 &G = Header.Grid, &B = Header.Block;
  if (!G.X || !G.Y || !G.Z)
    return fail("the grid has no thread blocks");
  if (!B.X || !B.Y || !B.Z)
    return fail("the thread block has no threads");
  // CUDA programming guide, technical specifications per compute capability.
  if (B.X > 1024 || B.Y > 1024 || B.Z > 1024 || B.count() > 1024)
    return fail("the thread block has {} threads, more than 1024", B.count());
  const Dim3 &C = Header.Cluster;
  if (!C.X || !C.Y || !C.Z || C.X > MaxClusterBlocks ||
      C.Y > MaxClusterBlocks || C.Z > MaxClusterBlocks ||
      C.count() > MaxClusterBlocks || G.X % C.X || G.Y % C.Y || G.Z % C.Z)
    return fail("clusters of {} x {} x {} blocks in a grid of {} x {} x {}",
                C.X, C.Y, C.Z, G.X, G.Y, G.Z);
  uint64_t Plane = uint64_t(G.X) * G.Y, Blocks;
  if (__builtin_mul_overflow(Plane, uint64_t(G.Z), &Blocks))
    return fail("the grid has more than 2^64 thread blocks");
  return {};
}

/// Memory records that follow on the one that an asynchronous instruction
/// names, and that one; 0: it needs none.
static unsigned recordsOf(const HeddleInst &I) {
  if (!(I.Flags & HEDDLE_INST_ASYNC))
    return 0;
  if (heddleIsBulk(I.Products)) {
    const unsigned Kind = (I.Products - HEDDLE_COPY_BULK) / 8;
    return heddleBulkRecords((I.Products - HEDDLE_COPY_BULK) % 8) +
           (Kind == HEDDLE_BULK_MULTICAST);
  }
  // A copy and its write; an mbarrier and the number that goes with it.
  return I.Class == HEDDLE_OP_LOAD || I.Class == HEDDLE_OP_ATOMIC ? 2 : 0;
}

Result<void> verifyCode(const CodeTable &Code) {
  if (Code.Blocks.empty())
    return fail("the code table has no basic blocks");
  uint64_t NextInst = 0, NextMemory = 0;
  for (size_t N = 0; N < Code.Blocks.size(); ++N) {
    const HeddleBlock &B = Code.Blocks[N];
    if (B.FirstInst != NextInst || B.NumInsts > Code.Insts.size() - NextInst)
      return fail("block {}: instructions [{}, +{}) do not follow on {} of {}",
                  N, B.FirstInst, B.NumInsts, NextInst, Code.Insts.size());
    if (B.FirstMemory != NextMemory ||
        B.NumMemory > Code.Memory.size() - NextMemory)
      return fail(
          "block {}: memory records [{}, +{}) do not follow on {} of {}", N,
          B.FirstMemory, B.NumMemory, NextMemory, Code.Memory.size());
    NextInst += B.NumInsts;
    NextMemory += B.NumMemory;
    for (const HeddleInst &I : Code.insts(unsigned(N))) {
      auto Bad = [&](std::string What) {
        return fail("instruction {}: {}", &I - Code.Insts.data(), What);
      };
      if (I.Opcode >= Code.Opcodes.size())
        return Bad(
            fmt::format("opcode {} of {}", I.Opcode, Code.Opcodes.size()));
      if (I.SourceLine != 0 && I.SourceFile >= Code.Files.size())
        return Bad(fmt::format("source file {} of {}", I.SourceFile,
                               Code.Files.size()));
      if (I.Class >= HEDDLE_NUM_OP_CLASSES)
        return Bad(fmt::format("unknown class {}", I.Class));
      if (I.Type >= HEDDLE_NUM_DATA_TYPES)
        return Bad(fmt::format("unknown data type {}", I.Type));
      if (I.Space >= HEDDLE_NUM_SPACES)
        return Bad(fmt::format("unknown memory space {}", I.Space));
      if (I.NumDefs + I.NumUses > HEDDLE_MAX_INST_REGISTERS)
        return Bad(fmt::format("{} registers", I.NumDefs + I.NumUses));
      for (unsigned R = 0; R < unsigned(I.NumDefs + I.NumUses); ++R)
        if (I.Registers[R] && I.Registers[R] >= Code.NumRegisters)
          return Bad(fmt::format("register {} of {}", I.Registers[R],
                                 Code.NumRegisters));
      if (I.Memory != HEDDLE_NO_MEMORY &&
          (I.Memory < B.FirstMemory || I.Memory - B.FirstMemory >= B.NumMemory))
        return Bad(fmt::format("memory record {} is not one of its block's",
                               I.Memory));
      const unsigned Needs = recordsOf(I);
      if (Needs && (I.Memory == HEDDLE_NO_MEMORY ||
                    I.Memory - B.FirstMemory + Needs > B.NumMemory))
        return Bad(fmt::format(
            "an asynchronous copy or an mbarrier without its {} memory records",
            Needs));
    }
  }
  if (NextInst != Code.Insts.size() || NextMemory != Code.Memory.size())
    return fail("instructions or memory records that belong to no block");
  for (size_t R = 0; R < Code.Memory.size(); ++R)
    if (Code.Memory[R].Space == HEDDLE_SPACE_NONE ||
        Code.Memory[R].Space >= HEDDLE_NUM_SPACES)
      return fail("memory record {}: unknown memory space {}", R,
                  Code.Memory[R].Space);
  return {};
}

BodyVerifier::BodyVerifier(const CodeTable &Code) : Code(Code) {
  PerBlock.resize(Code.Blocks.size());
  for (size_t B = 0; B < PerBlock.size(); ++B) {
    TraceCounts &C = PerBlock[B];
    C.Events = 1;
    for (const HeddleInst &I : Code.insts(unsigned(B))) {
      ++C.WarpInstructions;
      C.IssuedInstructions += I.Issued;
    }
  }
  Zeros.resize(Code.Memory.size());
}

const char *BodyVerifier::readEvent(CodeReader &R, uint64_t Token, bool First,
                                    BodySummary &Out) {
  const uint64_t Block = (Token >> 2) - 1;
  if (Token < 4 || Block >= Code.Blocks.size())
    return "a basic block that the code table does not have";
  if (Token & TokenMaskChanged) {
    const uint64_t Used = numbersUsed(R);
    uint32_t Mask = readMask(R.Control, R.Numbers, Masks);
    ApartMasks += numbersUsed(R) != Used;
    if (!Mask)
      return "a block without active lanes";
    Masks.set(Mask);
    if (First)
      Masks.Full = Mask;
  }
  Out.Lanes |= Masks.Current;
  TraceCounts Counts = PerBlock[Block];
  Counts.ThreadInstructions =
      Counts.WarpInstructions * unsigned(std::popcount(Masks.Current));
  const HeddleBlock &B = Code.Blocks[Block];
  for (uint32_t M = B.FirstMemory, E = M + B.NumMemory; M != E; ++M) {
    if (Token & TokenPredicted) {
      if (!States[M].Seen)
        return "a record that refers to its last execution but has none";
      ++Counts.Accesses;
      continue;
    }
    // There cannot be more first executions than records.
    R.NextBase = Zeros.data();
    R.EndBase = R.NextBase + Zeros.size();
    if (const char *Wrong = checkRecord(R, Code, States, M, Masks.Current))
      return Wrong;
    if (R.NextBase != Zeros.data())
      Out.BaseRecords.push_back(M);
    Counts.Accesses += States[M].Access.Mask != 0;
  }
  Out.Counts.add(Counts);
  return nullptr;
}

const char *BodyVerifier::readRepeat(CodeReader &R, size_t Position,
                                     BodySummary &Out) {
  const uint64_t Length = R.Control.varint(), Count = R.Control.varint();
  if (Length == 0 || Length > Position)
    return "a repeat of bytes before the beginning";
  if (Count == 0)
    return "a repeat of zero times";
  const size_t Begin = Position - Length;
  auto At =
      std::ranges::lower_bound(Boundaries, Begin, {}, &Boundary::Position);
  if (At == Boundaries.end() || At->Position != Begin)
    return "a repeat that begins inside an event or another repeat, or too far "
           "back";
  // The repeated bytes then mean the same each time.
  if (At->Masks != Masks)
    return "a repeat that does not end with the mask it began with";
  if (At->NumBases != Out.BaseRecords.size())
    return "a first execution inside a repeat";
  if (At->ApartMasks != ApartMasks)
    return "a repeat with lanes that stand among the numbers";
  // Each iteration takes as many numbers as the first one did.
  uint64_t Numbers;
  if (__builtin_mul_overflow(numbersUsed(R) - At->Numbers, Count, &Numbers))
    Numbers = UINT64_MAX;
  R.Numbers.skip(Numbers);
  unsigned Depth = 0;
  for (auto I = At; I != Boundaries.end(); ++I)
    Depth = std::max(Depth, I->Depth);
  if (Depth == MaxRepeatDepth)
    return "repeats nested too deeply";
  TraceCounts Body = Out.Counts, Before = At->Counts;
  Body.Events -= Before.Events;
  Body.WarpInstructions -= Before.WarpInstructions;
  Body.IssuedInstructions -= Before.IssuedInstructions;
  Body.ThreadInstructions -= Before.ThreadInstructions;
  Body.Accesses -= Before.Accesses;
  Out.Counts.add(Body, Count);
  At->Depth = Depth + 1;
  Boundaries.erase(At + 1, Boundaries.end());
  return nullptr;
}

Result<BodySummary> BodyVerifier::verify(std::span<const uint8_t> Body) {
  const BodyStreams Streams = splitBody(Body);
  Result<BodySummary> Out = verify(Streams);
  if (Out && Out->NumberBytes != Streams.Numbers.size())
    return fail("{} bytes of numbers that no event of the warp reads",
                Streams.Numbers.size() - Out->NumberBytes);
  return Out;
}

Result<BodySummary> BodyVerifier::verify(const BodyStreams &Body) {
  BodySummary Out;
  States.reset(Code);
  Masks = MaskState();
  ApartMasks = 0;
  Boundaries.clear();
  const uint8_t *Begin = Body.Control.data();
  FirstNumber = Body.Numbers.data();
  CodeReader R{{Begin, Begin + Body.Control.size()},
               {FirstNumber, FirstNumber + Body.Numbers.size()}};
  while (R.Control.P != R.Control.End) {
    const size_t Position = size_t(R.Control.P - Begin);
    const uint64_t Token = R.Control.varint();
    const char *Wrong = nullptr;
    if (Token == TokenRepeat && !R.Control.Failed) {
      Wrong = readRepeat(R, Position, Out);
    } else {
      if (Boundaries.size() == 2 * MaxRepeatedEvents)
        Boundaries.erase(Boundaries.begin(),
                         Boundaries.begin() + MaxRepeatedEvents);
      Boundaries.push_back({Position, Masks, 0, Out.BaseRecords.size(),
                            ApartMasks, numbersUsed(R), Out.Counts});
      Wrong = R.Control.Failed ? "bytes that are not a token"
                               : readEvent(R, Token, Position == 0, Out);
    }
    if (R.Control.Failed)
      Wrong = "the trace ends within an event";
    if (R.Numbers.Failed)
      Wrong = "the numbers end within an event";
    if (Out.Counts.Events > MaxEvents)
      Wrong = "more block executions than a warp can have";
    if (Wrong)
      return fail("byte {} of the warp: {}", Position, Wrong);
  }
  Out.NumberBytes = numbersUsed(R);
  return Out;
}

Result<TraceCounts> verifyWarp(const CodeTable &Code, const WarpTrace &Warp,
                               uint32_t Live) {
  Result<BodySummary> Summary = BodyVerifier(Code).verify(Warp.Body);
  if (!Summary)
    return std::unexpected(Summary.error());
  if (Summary->BaseRecords.size() != Warp.Bases.size())
    return fail("{} bases for {} first executions", Warp.Bases.size(),
                Summary->BaseRecords.size());
  if (Summary->Lanes & ~Live)
    return fail("lanes {:08x} execute, but only {:08x} hold threads",
                Summary->Lanes, Live);
  return Summary->Counts;
}

} // namespace heddle::trace
