//===- EngineLibrary.cpp - Loads the compiler when it is needed -----------===//

#include "cuda/Engine.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace heddle::cuda {

/// Beside this library: lib/heddle/cuda where it is installed as where built.
static std::string enginePath() {
  Dl_info Info;
  if (!::dladdr(reinterpret_cast<const void *>(&enginePath), &Info))
    return {};
  std::error_code Ignored;
  const std::filesystem::path Folder =
      std::filesystem::canonical(Info.dli_fname, Ignored).parent_path();
  return (Folder / "libHeddleCudaEngine.so").string();
}

void *engineFunction(const char *Name, std::string &Why) {
  // Of the many functions of LLVM few are called.
  void *Library = ::dlopen(enginePath().c_str(), RTLD_LAZY | RTLD_LOCAL);
  void *Function = Library ? ::dlsym(Library, Name) : nullptr;
  if (!Function) {
    const char *Text = ::dlerror();
    Why =
        fmt::format("the compiler cannot be loaded: {}", Text ? Text : "null");
  }
  return Function;
}

} // namespace heddle::cuda
