// Loads the plugin as a program with another LLVM would: this file's
// LLVMGetVersion comes before LLVM's own. The plugin must say what is wrong and
// register nothing (the pass builder it is handed is none).
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>

extern "C" void LLVMGetVersion(unsigned *Major, unsigned *Minor,
                               unsigned *Patch) {
  *Major = 21;
  *Minor = 1;
  *Patch = 8;
}

// llvm/Plugins/PassPlugin.h
struct Info {
  uint32_t APIVersion;
  const char *Name, *Version;
  void (*Register)(void *);
  void *PreCodeGen;
};

int main(int, char **Argv) {
  if (!dlopen(Argv[1], RTLD_LAZY | RTLD_GLOBAL)) {
    std::puts(dlerror());
    return 2;
  }
  void *Plugin = dlopen(Argv[2], RTLD_LAZY);
  if (!Plugin) {
    std::puts(dlerror());
    return 2;
  }
  auto *Get =
      reinterpret_cast<Info (*)()>(dlsym(Plugin, "llvmGetPassPluginInfo"));
  Info I = Get();
  std::printf("plugin %s\n", I.Name);
  std::fflush(stdout);
  I.Register(nullptr);
  std::puts("registered nothing");
}
