//===- MissingHeaders.cpp - Where else a header may lie -------------------===//

#include "MissingHeaders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {

/// Levels above the source's folder, and entries of a folder that are looked
/// at: enough for the trees that projects have, and soon done elsewhere.
static constexpr unsigned MaxLevels = 4;
static constexpr unsigned MaxEntries = 300;

static std::vector<std::string> foldersIn(StringRef Parent) {
  std::vector<std::string> Folders;
  std::error_code Code;
  unsigned Left = MaxEntries;
  for (sys::fs::directory_iterator I(Parent, Code), End;
       I != End && !Code && Left; I.increment(Code), --Left)
    if (I->type() == sys::fs::file_type::directory_file &&
        !sys::path::filename(I->path()).starts_with("."))
      Folders.push_back(I->path());
  llvm::sort(Folders);
  return Folders;
}

/// The folder at or below \p Parent from which \p Header can be included.
static std::string findBelow(const std::string &Parent, StringRef Header) {
  auto Holds = [&](StringRef Folder) {
    return sys::fs::is_regular_file(Folder + "/" + Header);
  };
  if (Holds(Parent))
    return Parent;
  std::vector<std::string> Folders = foldersIn(Parent);
  for (const std::string &Folder : Folders)
    if (Holds(Folder))
      return Folder;
  for (const std::string &Folder : Folders)
    for (const std::string &Inner : foldersIn(Folder))
      if (Holds(Inner))
        return Inner;
  return "";
}

/// The folders to look from: the source's, then those above it. The tree of a
/// project ends where its repository does, and before the system's folders.
static std::vector<std::string> startingPoints(StringRef Source) {
  SmallString<128> Folder(Source);
  sys::fs::make_absolute(Folder);
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  std::vector<std::string> Points;
  for (unsigned Level = 0; Level <= MaxLevels; ++Level) {
    sys::path::remove_filename(Folder);
    // "/" and what lies directly in it belong to no project.
    if (std::distance(sys::path::begin(Folder), sys::path::end(Folder)) <= 2 &&
        Level > 0)
      break;
    Points.push_back(Folder.str().str());
    if (sys::fs::exists(Folder + "/.git"))
      break;
  }
  return Points;
}

std::vector<std::string> HeaderSearch::find(ArrayRef<std::string> Headers,
                                            std::string &Notes) {
  std::vector<std::string> Found;
  if (Headers.empty())
    return Found;
  std::vector<std::string> Points = startingPoints(Source);
  for (const std::string &Header : Headers) {
    if (sys::path::is_absolute(Header))
      continue;
    // "../common/a.h" of a file that was moved: "common/a.h", seen from
    // "common", where the path as it is written leads to it.
    StringRef Name = Header;
    std::ptrdiff_t Up = 0;
    for (; Name.consume_front("../"); ++Up)
      ;
    StringRef Inside = Up ? sys::path::parent_path(Name) : "";
    if (std::distance(sys::path::begin(Inside), sys::path::end(Inside)) != Up)
      continue;
    for (const std::string &Point : Points) {
      std::string Folder = findBelow(Point, Name);
      if (Folder.empty())
        continue;
      if (Up)
        Folder += ("/" + Inside).str();
      if (Given.insert(Folder).second) {
        Found.push_back(Folder);
        Notes += "note: header '" + Header + "' found in " + Folder +
                 "; another one: -I FOLDER after '--'\n";
      }
      break;
    }
  }
  return Found;
}

/// What can be done about a header that is nowhere.
static std::string adviceFor(StringRef Header) {
  static constexpr std::pair<StringLiteral, StringLiteral> Libraries[] = {
      {"thrust/", "Thrust"},
      {"cub/", "CUB"},
      {"cublas", "cuBLAS"},
      {"cufft", "cuFFT"},
      {"cusparse", "cuSPARSE"},
      {"cusolver", "cuSOLVER"},
      {"curand", "cuRAND"},
      {"cudnn", "cuDNN"},
      {"nccl", "NCCL"},
      {"npp", "NPP"},
      {"cutlass/", "CUTLASS"},
      {"cute/", "CUTLASS"},
      {"nvml", "NVML"},
      {"nvrtc", "NVRTC"},
      {"cuda/", "libcu++"},
      {"GL/", "OpenGL"},
      {"mpi", "MPI"},
      {"opencv", "OpenCV"},
      {"cooperative_groups/", "cooperative groups"}};
  for (auto [Prefix, Library] : Libraries)
    if (Header.starts_with(Prefix))
      return ("a part of " + Library +
              " that Heddle has no substitute for; give its folder after "
              "'--': -I FOLDER, or a toolkit: --cuda-path=FOLDER")
          .str();
  return "give its folder after '--': -I FOLDER";
}

std::string adviseOnHeaders(ArrayRef<std::string> Headers) {
  std::string Text;
  for (const std::string &Header : Headers)
    Text += "note: header '" + Header + "' is not there: " + adviceFor(Header) +
            "\n";
  return Text;
}

} // namespace heddle
