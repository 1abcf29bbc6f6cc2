//===- CodeTablePrinter.cpp - A code table as text ------------------------===//

#include "CodeTablePrinter.h"

#include "heddle/Analysis/KernelInfo.h"
#include "trace/CodeTable.h"

#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <iterator>

namespace heddle::tool {

static const char *typeName(unsigned Type) {
  static constexpr const char *Names[] = {"-",    "pred", "i8",   "i16", "i32",
                                          "i64",  "f16",  "bf16", "f32", "f64",
                                          "b128", "tf32", "f8",   "i4",  "b1"};
  static_assert(std::size(Names) == HEDDLE_NUM_DATA_TYPES);
  return Names[Type];
}

static std::string registersOf(const HeddleInst &I) {
  std::string Text;
  for (unsigned N = 0; N != I.NumDefs; ++N)
    Text += fmt::format("{}r{}", N ? "," : "", I.Registers[N]);
  if (I.NumUses)
    Text += Text.empty() ? "<-" : " <-";
  for (unsigned N = 0; N != I.NumUses; ++N)
    Text += fmt::format("{}r{}", N ? "," : " ", I.Registers[I.NumDefs + N]);
  return Text;
}

static std::string flagsOf(const HeddleInst &I) {
  static constexpr const char *Names[] = {"nc", "streaming", "volatile", "wide",
                                          "uniform"};
  std::string Text;
  for (unsigned Bit = 0; Bit != std::size(Names); ++Bit)
    if (I.Flags & (1u << Bit))
      Text += std::string(" ") + Names[Bit];
  return Text;
}

/// The names of the blocks of the IR that block \p B stands for.
static std::string namesOf(const KernelCode &Code, const llvm::Function &Kernel,
                           size_t B) {
  std::string Names;
  auto Add = [&](unsigned Number, const char *Mark) {
    const llvm::BasicBlock &Block = *std::next(Kernel.begin(), Number);
    if (Block.hasName())
      Names += " " + Block.getName().str() + Mark;
  };
  if (Code.Steps.empty())
    Add(B, "");
  else
    for (const HeddleStep &S : Code.Steps[B])
      Add(S.Block, S.IsOptional ? "?" : "");
  return Names;
}

std::string printCodeTable(const KernelCode &Code,
                           const llvm::Function &Kernel) {
  std::string Out;
  auto To = std::back_inserter(Out);
  fmt::format_to(To,
                 "kernel {} ({}): {} blocks, {} instructions, {} memory "
                 "records, {} registers per thread ({})\n",
                 Code.Kernel, nameOf(Code.Level).str(), Code.Blocks.size(),
                 Code.Insts.size(), Code.Memory.size(), Code.RegistersPerThread,
                 Code.RegisterSource);
  if (!Code.Fallback.empty())
    Out += Code.Fallback + "\n";
  for (size_t B = 0; B != Code.Blocks.size(); ++B) {
    const HeddleBlock &Range = Code.Blocks[B];
    fmt::format_to(To, "block {}{}\n", B, namesOf(Code, Kernel, B));
    for (unsigned N = 0; N != Range.NumInsts; ++N) {
      const HeddleInst &I = Code.Insts[Range.FirstInst + N];
      std::string Line = fmt::format(
          "  {:<26} {:<9} {:<5} x{:<3} {:<22}", Code.Opcodes[I.Opcode],
          nameOfClass(HeddleOpClass(I.Class)).str(), typeName(I.Type), I.Issued,
          registersOf(I));
      if (I.Space != HEDDLE_SPACE_NONE) {
        Line +=
            fmt::format(" {} {} B", trace::SpaceNames[I.Space], I.AccessBytes);
        if (I.Memory != HEDDLE_NO_MEMORY)
          Line += fmt::format(" m{}+{}", I.Memory, I.ByteOffset);
      }
      Line += flagsOf(I);
      if (I.SourceLine)
        Line += fmt::format(
            " {}:{}", llvm::sys::path::filename(Code.Files[I.SourceFile]).str(),
            I.SourceLine);
      Line.erase(Line.find_last_not_of(' ') + 1);
      Out += Line + "\n";
    }
  }
  return Out;
}

} // namespace heddle::tool
