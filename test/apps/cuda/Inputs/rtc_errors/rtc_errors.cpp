// NVRTC where something is wrong: prints each call's error and the logs.
#include <cstdio>
#include <nvrtc.h>
#include <string>
#include <vector>

static void say(const char *what, nvrtcResult result) {
  printf("%s: %s\n", what, nvrtcGetErrorString(result));
}
static std::string log_of(nvrtcProgram program) {
  size_t size = 0;
  if (nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS)
    return "no log";
  std::vector<char> text(size);
  nvrtcGetProgramLog(program, text.data());
  return text.data();
}

static void compile(const char *what, const char *source, const char *name,
                    std::vector<const char *> options,
                    const char *expression = nullptr) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, name, 0, nullptr, nullptr);
  if (expression)
    say("expression", nvrtcAddNameExpression(program, expression));
  say(what, nvrtcCompileProgram(program, (int)options.size(), options.data()));
  printf("%s", log_of(program).c_str());
  size_t size = 0;
  say("  PTX", nvrtcGetPTXSize(program, &size));
  say("  CUBIN", nvrtcGetCUBINSize(program, &size));
  const char *lowered = nullptr;
  say("  name", nvrtcGetLoweredName(program, "twice", &lowered));
  nvrtcDestroyProgram(&program);
}

static const char good[] = "__global__ void twice(float *x) {\n"
                           "  x[threadIdx.x] *= 2;\n"
                           "}\n";

int main() {
  compile("typo", "__global__ void twice(float *x) {\n  x[0] *= to;\n}\n",
          "typo.cu", {});
  compile("unused", "__device__ int f() { return g(); }\n", nullptr, {});
  compile("header", "#include \"nowhere.h\"\n", "header.cu", {});
  compile("option", good, "good.cu", {"--gpu-architecture=compute_70", "-zap"});
  compile("arch", good, "good.cu", {"-arch", "sm_12"});
  compile("name", good, "good.cu", {}, "thrice<int>");
  compile("real", good, "good.cu", {"-arch=sm_70", "-DN=4", "-I", "/tmp"},
          "twice");
  nvrtcProgram program = nullptr;
  say("null", nvrtcCompileProgram(program, 0, nullptr));
  say("source", nvrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr,
                                   nullptr));
  nvrtcCreateProgram(&program, good, nullptr, 0, nullptr, nullptr);
  nvrtcCompileProgram(program, 0, nullptr);
  say("late", nvrtcAddNameExpression(program, "twice"));
  nvrtcDestroyProgram(&program);
  return 0;
}
