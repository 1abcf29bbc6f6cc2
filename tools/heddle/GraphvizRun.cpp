//===- GraphvizRun.cpp - Draws graphs with Graphviz -----------------------===//

#include "GraphvizRun.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

std::vector<std::string> drawGraphs(std::span<const std::string> Graphs,
                                    std::string &Problem) {
  constexpr unsigned MaxSeconds = 60;
  std::string All;
  for (const std::string &G : Graphs)
    All += G;
  if (All.empty())
    return {};
  auto Dot = llvm::sys::findProgramByName("dot");
  if (!Dot) {
    Problem = "Graphviz' dot is not installed";
    return {};
  }
  llvm::SmallString<128> In, Out;
  if (llvm::sys::fs::createTemporaryFile("heddle", "dot", In) ||
      llvm::sys::fs::createTemporaryFile("heddle", "svg", Out)) {
    Problem = "no temporary file can be made";
    return {};
  }
  llvm::FileRemover RemoveIn(In), RemoveOut(Out);
  {
    std::error_code EC;
    llvm::raw_fd_ostream Stream(In, EC);
    Stream << All;
    Stream.close();
    if (EC || Stream.has_error()) {
      Stream.clear_error();
      Problem = "a temporary file cannot be written";
      return {};
    }
  }
  std::optional<llvm::StringRef> Redirects[] = {"", llvm::StringRef(Out), ""};
  if (llvm::sys::ExecuteAndWait(*Dot, {"dot", "-Tsvg", In}, std::nullopt,
                                Redirects, MaxSeconds) != 0) {
    Problem = "Graphviz' dot failed";
    return {};
  }
  auto Buffer = llvm::MemoryBuffer::getFile(Out);
  if (!Buffer) {
    Problem = "what Graphviz' dot wrote cannot be read";
    return {};
  }
  llvm::StringRef Rest = (*Buffer)->getBuffer();
  std::vector<std::string> Pictures;
  for (const std::string &G : Graphs) {
    Pictures.emplace_back();
    if (G.empty())
      continue;
    size_t Begin = Rest.find("<svg"), End = Rest.find("</svg>");
    if (Begin == llvm::StringRef::npos || End == llvm::StringRef::npos)
      break;
    End += llvm::StringRef("</svg>").size();
    Pictures.back() = Rest.slice(Begin, End).str();
    Rest = Rest.drop_front(End);
  }
  return Pictures;
}

} // namespace heddle::tool
