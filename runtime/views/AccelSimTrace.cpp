//===- AccelSimTrace.cpp - A launch as a trace of another simulator -------===//

#include "views/AccelSimTrace.h"

#include "heddle/ABI/CodeTable.h"
#include "trace/WarpCursor.h"
#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>

using namespace heddle::trace;

namespace heddle::views {

namespace {

/// One operation in integer, single, double and half precision.
struct ByType {
  std::string_view Integer, Single, Double, Half;

  std::string_view of(unsigned Type) const {
    switch (Type) {
    case HEDDLE_TYPE_F32:
      return Single;
    case HEDDLE_TYPE_F64:
      return Double;
    case HEDDLE_TYPE_F16:
    case HEDDLE_TYPE_BF16:
      return Half;
    default:
      return Integer;
    }
  }
};

bool hasWord(std::string_view Opcode, std::string_view Word) {
  for (size_t At = 0; At <= Opcode.size();) {
    size_t End = std::min(Opcode.find('.', At), Opcode.size());
    if (Opcode.substr(At, End - At) == Word)
      return true;
    At = End + 1;
  }
  return false;
}

std::string_view lastWord(std::string_view Opcode) {
  return Opcode.substr(Opcode.rfind('.') + 1);
}

bool isFloat(std::string_view Type) {
  return Type.starts_with("f") || Type.starts_with("bf");
}

std::string_view conversion(std::string_view Opcode) {
  // cvt[.modifiers].to.from
  const std::string_view From = lastWord(Opcode);
  const std::string_view To =
      lastWord(Opcode.substr(0, Opcode.size() - From.size() - 1));
  if (isFloat(To))
    return isFloat(From) ? "F2F" : "I2F";
  return isFloat(From) ? "F2I" : "IMAD.MOV.U32";
}

std::string_view bitOperation(std::string_view Opcode) {
  if (Opcode.starts_with("popc"))
    return "POPC";
  if (Opcode.starts_with("clz") || Opcode.starts_with("bfind"))
    return "FLO.U32";
  if (Opcode.starts_with("brev"))
    return "BREV";
  if (Opcode.starts_with("prmt"))
    return "PRMT";
  return "SHF.R.U32.HI"; // bfe, bfi: shifts with a mask
}

/// The name of a table lookup of the multi-function unit.
std::string_view specialFunction(std::string_view Opcode) {
  for (auto [PTX, Name] :
       {std::pair("rsqrt", "MUFU.RSQ"), std::pair("sqrt", "MUFU.SQRT"),
        std::pair("sin", "MUFU.SIN"), std::pair("cos", "MUFU.COS"),
        std::pair("ex2", "MUFU.EX2"), std::pair("lg2", "MUFU.LG2"),
        std::pair("tanh", "MUFU.TANH")})
    if (Opcode.starts_with(PTX))
      return Name;
  return "MUFU.RCP";
}

std::string memoryAccess(std::string_view Name, const HeddleInst &Inst,
                         bool Extended) {
  std::string Text(Name);
  if (Extended)
    Text += ".E";
  if (Inst.AccessBytes == 8 || Inst.AccessBytes == 16)
    Text += "." + std::to_string(Inst.AccessBytes * 8);
  else if (Inst.AccessBytes < 4)
    Text += ".U" + std::to_string(Inst.AccessBytes * 8);
  return Text;
}

std::string load(const HeddleInst &Inst, HeddleMemorySpace Space) {
  switch (Space) {
  case HEDDLE_SPACE_SHARED:
    return memoryAccess("LDS", Inst, false);
  case HEDDLE_SPACE_LOCAL:
    return memoryAccess("LDL", Inst, false);
  case HEDDLE_SPACE_CONST:
  case HEDDLE_SPACE_PARAM:
    return memoryAccess("LDC", Inst, false);
  default:
    return memoryAccess("LDG", Inst, true);
  }
}

std::string store(const HeddleInst &Inst, HeddleMemorySpace Space) {
  switch (Space) {
  case HEDDLE_SPACE_SHARED:
    return memoryAccess("STS", Inst, false);
  case HEDDLE_SPACE_LOCAL:
    return memoryAccess("STL", Inst, false);
  default:
    return memoryAccess("STG", Inst, true);
  }
}

/// atom.global.add.u32 -> ATOMG.E.ADD: the operation is the third word.
std::string atomic(std::string_view Name, std::string_view Opcode) {
  std::string Text(Name);
  for (std::string_view Operation :
       {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"})
    if (hasWord(Opcode, Operation)) {
      Text += '.';
      for (char C : Operation)
        Text += char(std::toupper(C));
    }
  return Text;
}

} // namespace

/// The instruction of NVIDIA's machine language (Volta to Ampere) that does
/// what \p Inst does: "FFMA" for fma.rn.f32, "LDG.E.64" for an 8-byte load from
/// \p Space. The names are those that CUDA's binary utilities print ("CUDA
/// Binary Utilities", instruction set reference).
static std::string hardwareOpcode(const HeddleInst &Inst,
                                  std::string_view Opcode,
                                  HeddleMemorySpace Space) {
  auto ofType = [&](const ByType &Names) {
    return std::string(Names.of(Inst.Type));
  };
  const bool Wide = Inst.Flags & HEDDLE_INST_WIDE;
  switch (HeddleOpClass(Inst.Class)) {
  case HEDDLE_OP_NOP:
  case HEDDLE_NUM_OP_CLASSES:
    return "NOP";
  case HEDDLE_OP_MOVE:
    return Opcode.starts_with("selp") ? ofType({"SEL", "FSEL", "FSEL", "SEL"})
                                      : "MOV";
  case HEDDLE_OP_CONVERT:
    return std::string(conversion(Opcode));
  case HEDDLE_OP_SPECIAL:
    return "S2R";
  case HEDDLE_OP_ADD:
    if (Opcode.starts_with("min") || Opcode.starts_with("max"))
      return ofType({"IMNMX", "FMNMX", "DSETP", "HSETP2"});
    return ofType({"IADD3", "FADD", "DADD", "HADD2"});
  case HEDDLE_OP_LOGIC:
    return Inst.Type == HEDDLE_TYPE_PRED ? "PLOP3.LUT" : "LOP3.LUT";
  case HEDDLE_OP_SHIFT:
    return Opcode.starts_with("shl") ? "SHF.L.U32" : "SHF.R.U32.HI";
  case HEDDLE_OP_BITS:
    return std::string(bitOperation(Opcode));
  case HEDDLE_OP_COMPARE:
    return ofType({"ISETP", "FSETP", "DSETP", "HSETP2"});
  case HEDDLE_OP_MUL:
  case HEDDLE_OP_MAD:
    if (Wide)
      return "IMAD.WIDE";
    if (Inst.Class == HEDDLE_OP_MUL)
      return ofType({"IMAD", "FMUL", "DMUL", "HMUL2"});
    return ofType({"IMAD", "FFMA", "DFMA", "HFMA2"});
  case HEDDLE_OP_DIV:
  case HEDDLE_OP_REM:
  case HEDDLE_OP_RCP:
  case HEDDLE_OP_SQRT:
  case HEDDLE_OP_SFU:
  case HEDDLE_OP_MATH:
    return std::string(specialFunction(
        Opcode.starts_with("math.") ? Opcode.substr(5) : Opcode));
  case HEDDLE_OP_TENSOR:
    return "HMMA.884.F32.F32.STEP0";
  case HEDDLE_OP_LOAD:
    return load(Inst, Space);
  case HEDDLE_OP_STORE:
    return store(Inst, Space);
  case HEDDLE_OP_ATOMIC:
    return atomic(Space == HEDDLE_SPACE_SHARED ? "ATOMS" : "ATOMG.E", Opcode);
  case HEDDLE_OP_REDUCTION:
    return Space == HEDDLE_SPACE_SHARED ? atomic("ATOMS", Opcode)
                                        : atomic("RED.E", Opcode);
  case HEDDLE_OP_TEXTURE:
    return "TEX";
  case HEDDLE_OP_SHUFFLE:
    return "SHFL";
  case HEDDLE_OP_VOTE:
    return "VOTE.ANY";
  case HEDDLE_OP_BRANCH:
    return "BRA";
  case HEDDLE_OP_CALL:
    return "CALL.REL.NOINC";
  case HEDDLE_OP_EXIT:
    return "EXIT";
  case HEDDLE_OP_BARRIER:
    return "BAR.SYNC";
  case HEDDLE_OP_WARP_SYNC:
    return "WARPSYNC";
  case HEDDLE_OP_FENCE:
    return "MEMBAR.SC.GPU";
  }
  return "NOP";
}

/// The instruction that fills the other issue slots of \p Inst: what expansions
/// mostly consist of, of the same pipe.
static std::string_view expansionOpcode(const HeddleInst &Inst) {
  switch (HeddleOpClass(Inst.Class)) {
  case HEDDLE_OP_MUL:
  case HEDDLE_OP_MAD:
  case HEDDLE_OP_DIV:
  case HEDDLE_OP_REM:
  case HEDDLE_OP_RCP:
  case HEDDLE_OP_SQRT:
  case HEDDLE_OP_SFU:
  case HEDDLE_OP_MATH:
    return ByType{"IMAD", "FFMA", "DFMA", "HFMA2"}.of(Inst.Type);
  case HEDDLE_OP_TENSOR:
    return "HMMA.884.F32.F32.STEP1";
  case HEDDLE_OP_SHIFT:
    return "SHF.L.U32";
  case HEDDLE_OP_LOGIC:
    return "LOP3.LUT";
  case HEDDLE_OP_MOVE:
    return "MOV";
  default:
    return "IADD3";
  }
}

namespace {

/// Bytes of an instruction from Volta on.
constexpr unsigned InstructionBytes = 16;
/// R255 reads as zero.
constexpr unsigned NumRegisters = 255;
/// Where the generic address space shows shared and local memory. Addresses of
/// shared and local accesses are offsets; these windows only have to lie apart
/// from global memory.
constexpr uint64_t SharedWindow = 0x7f0000000000;
constexpr uint64_t LocalWindow = 0x7e0000000000;

/// What the lines of one instruction have in common.
struct Lines {
  uint64_t PC = 0;
  std::string Destinations, Sources; ///< number of registers, their names
  std::string LastDestination;       ///< "R5", or empty
};

class Writer {
public:
  Writer(TraceSource &Source, const AccelSimOptions &Options)
      : Source(Source), Code(Source.code()), Options(Options) {
    findPredicates();
    layOut();
  }

  Result<void> write(const DumpSink &Sink);
  const AccelSimCounts &counts() const { return Counts; }

private:
  void findPredicates();
  void layOut();
  std::string registers(std::span<const uint16_t> Numbers) const;
  std::string nameOf(unsigned Register) const {
    return fmt::format("R{}", (Register - 1) % NumRegisters);
  }
  void header(uint64_t NumBlocks);
  void warp(unsigned Number, const WarpTrace &Trace);
  void instruction(const HeddleInst &Inst, const Lines &Static,
                   const WarpCursor &Cursor);
  void addresses(const HeddleInst &Inst, const MemoryAccess &Access);

  template <typename... T>
  void put(fmt::format_string<T...> Format, T &&...Values) {
    fmt::format_to(std::back_inserter(Text), Format,
                   std::forward<T>(Values)...);
  }

  TraceSource &Source;
  const CodeTable &Code;
  const AccelSimOptions &Options;
  std::vector<bool> IsPredicate; ///< by register
  std::vector<Lines> Static;     ///< by instruction
  WarpCursor Cursor;
  std::string Text, WarpText;
  AccelSimCounts Counts;
};

void Writer::findPredicates() {
  IsPredicate.assign(Code.NumRegisters + 1, false);
  for (const HeddleInst &I : Code.Insts)
    if (I.Type == HEDDLE_TYPE_PRED || I.Class == HEDDLE_OP_COMPARE)
      for (unsigned R = 0; R < I.NumDefs; ++R)
        IsPredicate[I.Registers[R]] = true;
}

std::string Writer::registers(std::span<const uint16_t> Numbers) const {
  std::string Names;
  unsigned Count = 0;
  for (uint16_t R : Numbers)
    if (R && !IsPredicate[R]) {
      Names += " " + nameOf(R);
      ++Count;
    }
  return std::to_string(Count) + Names;
}

void Writer::layOut() {
  uint64_t PC = 0;
  Static.reserve(Code.Insts.size());
  for (const HeddleInst &I : Code.Insts) {
    const std::span Registers(I.Registers);
    Lines L;
    L.PC = PC;
    L.Destinations = registers(Registers.first(I.NumDefs));
    L.Sources = registers(Registers.subspan(I.NumDefs, I.NumUses));
    if (const size_t At = L.Destinations.rfind(' '); At != std::string::npos)
      L.LastDestination = L.Destinations.substr(At + 1);
    PC += uint64_t(I.Issued) * InstructionBytes;
    Static.push_back(std::move(L));
  }
}

void Writer::header(uint64_t NumBlocks) {
  const TraceHeader &H = Source.header();
  const Dim3 Grid =
      NumBlocks == H.Grid.count() ? H.Grid : Dim3{uint32_t(NumBlocks), 1, 1};
  put("-kernel name = {}\n-kernel id = {}\n", H.Kernel, Options.KernelId);
  put("-grid dim = ({},{},{})\n-block dim = ({},{},{})\n", Grid.X, Grid.Y,
      Grid.Z, H.Block.X, H.Block.Y, H.Block.Z);
  put("-shmem = {}\n-nregs = {}\n-binary version = {}\n-cuda stream id = 0\n",
      H.SharedBytesPerBlock, H.RegistersPerThread, Options.BinaryVersion);
  put("-shmem base_addr = {:#018x}\n-local mem base_addr = {:#018x}\n",
      SharedWindow, LocalWindow);
  put("-nvbit version = 1.5\n-accelsim tracer version = 3\n\n");
  put("#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
      "mem_width [address_mode addresses]\n");
}

/// Mode 1, base and stride, if the lanes are neighbours; else mode 0, all.
void Writer::addresses(const HeddleInst &Inst, const MemoryAccess &Access) {
  const uint64_t Window = Access.Space == HEDDLE_SPACE_LOCAL ? LocalWindow : 0;
  auto addressOf = [&](unsigned Lane) {
    return Window + Access.address(Lane) + uint64_t(int64_t(Inst.ByteOffset));
  };
  const unsigned First = unsigned(std::countr_zero(Access.Mask));
  const uint32_t Shifted = Access.Mask >> First;
  if (Access.Affine && (Shifted & (Shifted + 1)) == 0) {
    fmt::format_to(std::back_inserter(WarpText), " 1 {:#x} {}",
                   addressOf(First), Access.Stride);
    return;
  }
  WarpText += " 0";
  for (uint32_t M = Access.Mask; M; M &= M - 1)
    fmt::format_to(std::back_inserter(WarpText), " {:#x}",
                   addressOf(unsigned(std::countr_zero(M))));
}

void Writer::instruction(const HeddleInst &Inst, const Lines &L,
                         const WarpCursor &C) {
  const MemoryAccess *Access =
      Inst.Memory == HEDDLE_NO_MEMORY ? nullptr : &C.access(Inst.Memory);
  const uint32_t Mask = Access ? Access->Mask : C.mask();
  if (!Mask) { // no lane's guard held
    Counts.Guarded += Inst.Issued;
    return;
  }
  auto line = [&](unsigned Slot, std::string_view Opcode,
                  const std::string &Sources) {
    fmt::format_to(std::back_inserter(WarpText), "{:04x} {:08x} {} {} {}",
                   L.PC + Slot * InstructionBytes, Mask, L.Destinations, Opcode,
                   Sources);
  };
  // The first of several reads the sources, each of the others the one before.
  const std::string Chain =
      L.LastDestination.empty() ? L.Sources : "1 " + L.LastDestination;
  for (unsigned Slot = 0; Slot + 1 < Inst.Issued; ++Slot) {
    line(Slot, expansionOpcode(Inst), Slot ? Chain : L.Sources);
    WarpText += " 0\n";
  }
  line(Inst.Issued - 1u,
       hardwareOpcode(Inst, Code.Opcodes[Inst.Opcode],
                      Access ? Access->Space : HeddleMemorySpace(Inst.Space)),
       Inst.Issued > 1 ? Chain : L.Sources);
  if (Access) {
    fmt::format_to(std::back_inserter(WarpText), " {}", Inst.AccessBytes);
    addresses(Inst, *Access);
  } else {
    WarpText += " 0";
  }
  WarpText += '\n';
}

void Writer::warp(unsigned Number, const WarpTrace &Trace) {
  WarpText.clear();
  Cursor.reset(Code, Trace);
  while (Cursor.next()) {
    const HeddleBlock &B = Code.Blocks[Cursor.block()];
    for (uint32_t I = B.FirstInst; I < B.FirstInst + B.NumInsts; ++I) {
      const HeddleInst &Inst = Code.Insts[I];
      if (Inst.Issued)
        instruction(Inst, Static[I], Cursor);
      else
        ++Counts.Folded;
    }
  }
  const auto Lines = uint64_t(std::ranges::count(WarpText, '\n'));
  Counts.Lines += Lines;
  put("\nwarp = {}\ninsts = {}\n{}", Number, Lines, WarpText);
}

Result<void> Writer::write(const DumpSink &Sink) {
  const Dim3 Grid = Source.header().Grid;
  const uint64_t Total = Grid.count();
  if (Options.FirstBlock >= Total || Options.NumBlocks == 0)
    return fail("the launch has thread blocks 0 to " +
                std::to_string(Total - 1) + ", and at least one is needed");
  const uint64_t NumBlocks =
      std::min(Options.NumBlocks, Total - Options.FirstBlock);
  header(NumBlocks);
  BlockTrace Block;
  for (uint64_t B = 0; B < NumBlocks; ++B) {
    if (Result<void> Read = Source.read(Options.FirstBlock + B, Block); !Read)
      return Read;
    const Dim3 At = NumBlocks == Total ? Grid.at(B) : Dim3{uint32_t(B), 0, 0};
    put("\n#BEGIN_TB\n\nthread block = {},{},{}\n", At.X, At.Y, At.Z);
    for (unsigned W = 0; W < Block.Warps.size(); ++W)
      warp(W, Block.Warps[W]);
    put("\n#END_TB\n");
    if (Result<void> Written = Sink(Text); !Written)
      return Written;
    Text.clear();
  }
  return {};
}

} // namespace

std::string AccelSimCounts::text() const {
  std::string Out = grouped(Lines) + " lines";
  if (Guarded)
    Out += fmt::format("; {} issue slots of accesses whose guard holds for no "
                       "lane have none",
                       grouped(Guarded));
  if (Folded)
    Out += fmt::format("; {} folded instructions have none, of which `heddle "
                       "simulate` issues those that wait for memory",
                       grouped(Folded));
  return Out;
}

Result<AccelSimCounts> writeAccelSimTrace(TraceSource &Source,
                                          const AccelSimOptions &Options,
                                          const DumpSink &Sink) {
  Writer W(Source, Options);
  if (Result<void> Written = W.write(Sink); !Written)
    return std::unexpected(Written.error());
  return W.counts();
}

} // namespace heddle::views
