//===- Disassembler.cpp - What ptxas makes of PTX, as nvdisasm prints it --===//

#include "SASSReader.h"

#include "heddle/PTX/PTXStatement.h"
#include "heddle/PTX/Registers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <optional>

using namespace llvm;

namespace heddle::machine {

/// $HEDDLE_NVDISASM, else the one beside ptxas, else the one on PATH.
static std::optional<std::string> findDisassembler() {
  if (auto Chosen = sys::Process::GetEnv("HEDDLE_NVDISASM"))
    return Chosen->empty() ? std::nullopt : Chosen;
  if (auto Ptxas = findPtxas()) {
    SmallString<128> Beside(sys::path::parent_path(*Ptxas));
    sys::path::append(Beside, "nvdisasm");
    if (sys::fs::can_execute(Beside))
      return Beside.str().str();
  }
  if (auto OnPath = sys::findProgramByName("nvdisasm"))
    return *OnPath;
  return std::nullopt;
}

Expected<std::string> disassemble(StringRef PTX, StringRef Kernel,
                                  StringRef Arch, unsigned &Registers) {
  SmallString<128> Object;
  if (auto Error = sys::fs::createTemporaryFile("heddle", "cubin", Object))
    return createStringError(Error, "cannot create a temporary file");
  FileRemover RemoveObject(Object);
  auto Count = assemble(PTX.str(), Kernel.str(), Arch, Object);
  if (!Count)
    return Count.takeError();
  Registers = *Count;
  auto Tool = findDisassembler();
  if (!Tool)
    return createStringError("--isa sass needs nvdisasm, and none is found "
                             "beside ptxas, on PATH or as $HEDDLE_NVDISASM; "
                             "--isa machine needs no toolkit");
  auto Text = runTool({*Tool, "-c", "-g", Object});
  if (!Text)
    return createStringError("--isa sass: " + *Tool + " does not take what " +
                             "ptxas makes; both must be of one toolkit");
  return *Text;
}

/// A line of PTX with the number of its instruction in front. Calls that were
/// written out have many on one line: each gets its own.
static std::string numbered(StringRef Line, ArrayRef<unsigned> Numbers) {
  SmallVector<const char *, 8> Statements;
  ptx::Lexer Tokens(Line);
  for (ptx::Token T; Tokens.next(T);)
    if (T.Is == ptx::Token::Statement)
      Statements.push_back(T.Text.data());
  if (Statements.size() != Numbers.size())
    Statements.clear();
  std::string Out = "\t.loc 1 " + std::to_string(Numbers.front()) + " 0\n";
  const char *Last = Line.data();
  for (size_t N = 1; N < Statements.size(); ++N) {
    Out += StringRef(Last, Statements[N] - Last);
    Out += ("\n\t.loc 1 " + Twine(Numbers[N]) + " 0\n").str();
    Last = Statements[N];
  }
  return Out + StringRef(Last, Line.end() - Last).str();
}

std::string numberLines(const PlacedKernel &Placed) {
  DenseMap<unsigned, SmallVector<unsigned, 1>> Numbers; // by line of the text
  unsigned Number = 0;
  for (const ptx::Block &B : Placed.PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      Numbers[I.TextLine].push_back(++Number);
  std::string Out;
  unsigned TextLine = 0;
  bool InSection = false; // what nvcc and LLVM write for debuggers
  for (StringRef Rest = Placed.Text; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    Rest = After;
    auto It = Numbers.find(++TextLine);
    InSection |= Line.ltrim().starts_with(".section");
    if (InSection) {
      InSection = !Line.contains('}');
      continue;
    }
    const std::string Own = stripProvenance((Line + "\n").str());
    Out += It == Numbers.end() ? Own : numbered(Own, It->second);
    if (Line.starts_with(".address_size"))
      Out += ".file 1 \"kernel\"\n";
  }
  return Out;
}

} // namespace heddle::machine
