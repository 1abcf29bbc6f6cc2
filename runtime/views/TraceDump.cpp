//===- TraceDump.cpp - A trace, event by event ----------------------------===//

#include "views/TraceDump.h"

#include "base/Fail.h"
#include "trace/WarpCursor.h"
#include "views/ResultHead.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

using namespace heddle::trace;

namespace heddle::views {

namespace {

const char *laneOrderNote(LaneOrder Order) {
  return Order == LaneOrder::Kept ? ", lanes in order" : "";
}

/// How one of the two forms writes its parts.
class Printer {
public:
  virtual ~Printer() = default;
  virtual void begin(const TraceSource &Source) = 0;
  virtual void beginBlock(uint64_t Index, const Dim3 &Position) = 0;
  virtual void beginWarp(unsigned Warp) = 0;
  virtual void event(const WarpCursor &C) = 0;
  virtual void endWarp() = 0;
  virtual void endBlock() = 0;
  virtual void end() = 0;

  std::string Text; ///< since it was last taken

protected:
  template <typename... T>
  void put(fmt::format_string<T...> Format, T &&...Values) {
    fmt::format_to(std::back_inserter(Text), Format,
                   std::forward<T>(Values)...);
  }
};

class TextPrinter : public Printer {
public:
  TextPrinter(const CodeTable &Code, bool Instructions)
      : Code(Code), Instructions(Instructions) {}

  void begin(const TraceSource &Source) override {
    const TraceHeader &H = Source.header();
    put("{}: grid {} x {} x {}, block {} x {} x {}, {} for {}, {}{}\n",
        H.Kernel, H.Grid.X, H.Grid.Y, H.Grid.Z, H.Block.X, H.Block.Y, H.Block.Z,
        Code.ISA, H.Target, H.Producer, laneOrderNote(H.Order));
  }
  void beginBlock(uint64_t Index, const Dim3 &P) override {
    put("block {} ({}, {}, {})\n", Index, P.X, P.Y, P.Z);
  }
  void beginWarp(unsigned Warp) override { put("  warp {}\n", Warp); }

  void event(const WarpCursor &C) override {
    put("    bb{} lanes {:08x}\n", C.block(), C.mask());
    const HeddleBlock &B = Code.Blocks[C.block()];
    if (!Instructions) {
      for (uint32_t R = B.FirstMemory; R < B.FirstMemory + B.NumMemory; ++R)
        access(R, C.access(R), C.mask(), 0);
      return;
    }
    for (const HeddleInst &I : Code.insts(C.block())) {
      put("      {}", Code.Opcodes[I.Opcode]);
      for (unsigned R = 0; R < unsigned(I.NumDefs + I.NumUses); ++R)
        put("{}%{}",
            R == 0           ? " "
            : R == I.NumDefs ? " <- "
                             : ", ",
            I.Registers[R]);
      if (I.SourceLine)
        put("  ; {}:{}", Code.Files[I.SourceFile], I.SourceLine);
      put("\n");
      if (I.Memory != HEDDLE_NO_MEMORY)
        access(I.Memory, C.access(I.Memory), C.mask(), I.ByteOffset);
    }
  }
  void endWarp() override {}
  void endBlock() override {}
  void end() override {}

private:
  void access(uint32_t Record, const MemoryAccess &A, uint32_t BlockMask,
              int32_t ByteOffset) {
    const HeddleMemoryRecord &Static = Code.Memory[Record];
    put("      {}memory {}: ", Instructions ? "  " : "", Record);
    if (!A.Mask) {
      put("not executed\n");
      return;
    }
    put("{} {} of {} bytes, ", SpaceNames[A.Space],
        Static.IsStore ? "store" : "load", Static.AccessBytes);
    if (A.Mask != BlockMask)
      put("lanes {:08x}, ", A.Mask);
    if (A.Affine) {
      put("{:#x} {} {} * lane\n", A.Base + uint64_t(int64_t(ByteOffset)),
          A.Stride < 0 ? '-' : '+',
          A.Stride < 0 ? 0 - uint64_t(A.Stride) : uint64_t(A.Stride));
      return;
    }
    const char *Separator = "";
    for (uint32_t M = A.Mask; M; M &= M - 1) {
      put("{}{:#x}", Separator,
          A.address(unsigned(std::countr_zero(M))) +
              uint64_t(int64_t(ByteOffset)));
      Separator = " ";
    }
    put("\n");
  }

  const CodeTable &Code;
  bool Instructions;
};

class JSONPrinter : public Printer {
public:
  JSONPrinter(const CodeTable &Code, bool Instructions,
              const std::string &Version)
      : Code(Code), Instructions(Instructions), Version(Version) {}

  void begin(const TraceSource &Source) override {
    const TraceHeader &H = Source.header();
    JSON Head = resultHead("trace-dump", Version);
    Head.update({{"kernel", H.Kernel},
                 {"grid", {H.Grid.X, H.Grid.Y, H.Grid.Z}},
                 {"block", {H.Block.X, H.Block.Y, H.Block.Z}},
                 {"trace", H.Producer},
                 {"lane_order", H.Order == LaneOrder::Kept},
                 {"isa", Code.ISA},
                 {"target", H.Target}});
    if (Instructions)
      Head["code"] = codeTable();
    std::string S = Head.dump();
    S.pop_back();
    put("{},\n\"blocks\": [", S);
  }
  void beginBlock(uint64_t Index, const Dim3 &P) override {
    put("{}\n{{\"index\": {}, \"position\": [{}, {}, {}], \"warps\": [",
        separator(Blocks), Index, P.X, P.Y, P.Z);
    Warps = 0;
  }
  void beginWarp(unsigned Warp) override {
    put("{}\n {{\"warp\": {}, \"events\": [", separator(Warps), Warp);
    Events = 0;
  }
  void event(const WarpCursor &C) override {
    JSON Accesses = JSON::array();
    const HeddleBlock &B = Code.Blocks[C.block()];
    for (uint32_t R = B.FirstMemory; R < B.FirstMemory + B.NumMemory; ++R)
      if (C.access(R).Mask)
        Accesses.push_back(access(R, C.access(R)));
    JSON Event = {{"bb", C.block()},
                  {"lanes", C.mask()},
                  {"accesses", std::move(Accesses)}};
    put("{}\n  {}", separator(Events), Event.dump());
  }
  void endWarp() override { put("]}}"); }
  void endBlock() override { put("]}}"); }
  void end() override { put("\n]}}\n"); }

private:
  static const char *separator(uint64_t &Count) { return Count++ ? "," : ""; }

  JSON codeTable() const {
    JSON Table = JSON::array();
    for (unsigned N = 0; N < Code.Blocks.size(); ++N) {
      JSON Insts = JSON::array();
      for (const HeddleInst &I : Code.insts(N)) {
        JSON Inst = {{"opcode", Code.Opcodes[I.Opcode]},
                     {"line", I.SourceLine},
                     {"defs", JSON::array()},
                     {"uses", JSON::array()},
                     {"issued", I.Issued}};
        for (unsigned R = 0; R < unsigned(I.NumDefs + I.NumUses); ++R)
          Inst[R < I.NumDefs ? "defs" : "uses"].push_back(I.Registers[R]);
        if (I.Memory != HEDDLE_NO_MEMORY) {
          Inst["memory"] = I.Memory;
          Inst["byte_offset"] = I.ByteOffset;
        }
        Insts.push_back(std::move(Inst));
      }
      Table.push_back(std::move(Insts));
    }
    return Table;
  }

  JSON access(uint32_t Record, const MemoryAccess &A) const {
    JSON Out = {{"memory", Record},
                {"space", SpaceNames[A.Space]},
                {"store", bool(Code.Memory[Record].IsStore)},
                {"bytes", Code.Memory[Record].AccessBytes},
                {"lanes", A.Mask}};
    if (A.Affine) {
      Out["base"] = A.Base;
      Out["stride"] = A.Stride;
      return Out;
    }
    JSON Addresses = JSON::array();
    for (uint32_t M = A.Mask; M; M &= M - 1)
      Addresses.push_back(A.address(unsigned(std::countr_zero(M))));
    Out["addresses"] = std::move(Addresses);
    return Out;
  }

  const CodeTable &Code;
  bool Instructions;
  std::string Version;
  uint64_t Blocks = 0, Warps = 0, Events = 0;
};

Result<void> dump(TraceSource &Source, const DumpOptions &Options, Printer &P,
                  const DumpSink &Sink) {
  const TraceHeader &H = Source.header();
  const uint64_t NumBlocks = H.Grid.count();
  if (Options.Block && *Options.Block >= NumBlocks)
    return fail("there is no thread block {}: the launch has {}",
                *Options.Block, NumBlocks);
  if (Options.Warp && *Options.Warp >= H.warpsPerBlock())
    return fail("there is no warp {}: a thread block has {}", *Options.Warp,
                H.warpsPerBlock());
  auto Flush = [&](size_t AtLeast) -> Result<void> {
    if (P.Text.size() < AtLeast)
      return {};
    Result<void> Done = Sink(P.Text);
    P.Text.clear();
    return Done;
  };
  constexpr size_t Piece = 1 << 16;

  P.begin(Source);
  BlockTrace Block;
  WarpCursor Cursor;
  const uint64_t First = Options.Block.value_or(0);
  const uint64_t Last = Options.Block.value_or(NumBlocks - 1);
  for (uint64_t B = First; B <= Last; ++B) {
    if (Result<void> Good = Source.read(B, Block); !Good)
      return Good;
    P.beginBlock(B, H.Grid.at(B));
    for (unsigned W = 0; W < Block.Warps.size(); ++W) {
      if (Options.Warp && W != *Options.Warp)
        continue;
      P.beginWarp(W);
      Cursor.reset(Source.code(), Block.Warps[W]);
      while (Cursor.next()) {
        P.event(Cursor);
        if (Result<void> Good = Flush(Piece); !Good)
          return Good;
      }
      P.endWarp();
    }
    P.endBlock();
  }
  P.end();
  return Flush(0);
}

} // namespace

Result<void> dumpTrace(TraceSource &Source, const DumpOptions &Options,
                       const DumpSink &Sink) {
  TextPrinter P(Source.code(), Options.Instructions);
  return dump(Source, Options, P, Sink);
}

Result<void> dumpTraceJSON(TraceSource &Source, const DumpOptions &Options,
                           const std::string &Version, const DumpSink &Sink) {
  JSONPrinter P(Source.code(), Options.Instructions, Version);
  return dump(Source, Options, P, Sink);
}

} // namespace heddle::views
