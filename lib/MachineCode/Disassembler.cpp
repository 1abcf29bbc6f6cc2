//===- Disassembler.cpp - What ptxas makes of PTX, as nvdisasm prints it --===//

#include "SASSReader.h"

#include "heddle/PTX/Registers.h"

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

} // namespace heddle::machine
