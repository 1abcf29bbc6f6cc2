// A libcuda.so.1 for tests: a GPU of which everything is known. What a chain
// of operations costs is read off the PTX itself (which operations its loop
// holds, how many); pointers are really followed; memory is this computer's.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int NotFound = 500, InvalidPTX = 218, InvalidDevice = 101,
              LaunchFailed = 719;

// The GPU.
constexpr unsigned SMs = 40, MaxWarps = 64;
constexpr double CoreMHz = 1000, LaunchUs = 4;
constexpr uint64_t L1Bytes = 32768, L2Bytes = 4 << 20, ConstantBytes = 2048;
constexpr double L1Clocks = 30, L2Clocks = 230, DRAMClocks = 600;
constexpr double SharedClocks = 24, ConstantClocks = 9, ConstantMissClocks = 90;
constexpr double L2BytesPerClock = 1280, DRAMBytesPerClock = 700;

struct Timing {
  const char *Mnemonic;
  double Latency, PerClock;
};
constexpr Timing Timings[] = {
    {"add.s32", 6, 64},
    {"mul.lo.s32", 7, 32},
    {"mad.lo.s32", 7, 32},
    {"shf.l.wrap.b32", 9, 32},
    {"popc.b32", 12, 16},
    {"add.rn.f32", 5, 128},
    {"mul.rn.f32", 5, 128},
    {"fma.rn.f32", 5, 128},
    {"rsqrt.approx.f32", 30, 16},
    {"cvt.rn.f32.s32", 14, 16},
    {"cvt.rzi.s32.f32", 14, 16},
    {"add.rn.f64", 10, 32},
    {"fma.rn.f64", 10, 32},
    {"fma.rn.f16", 6, 64},
    {"shfl.sync.idx.b32", 25, 32},
};

struct Function {
  std::string Name;
  std::map<std::string, unsigned> InLoop; ///< operations of its loop
};

std::string PTX;
std::map<std::string, Function> Functions;
std::vector<char> Table;
double Now = 0; ///< milliseconds
std::map<void *, double> Events;

bool fails(const char *Call) {
  const char *Wanted = getenv("FAKE_CUDA_FAIL");
  return Wanted && !strcmp(Wanted, Call);
}

/// The first word of each line between a label and the branch back to it.
Function parse(const std::string &Name) {
  Function F{Name, {}};
  size_t At = PTX.find(".entry " + Name + "(");
  size_t End = PTX.find("\n}", At);
  std::vector<std::string> Lines;
  for (size_t Begin = At; Begin < End;) {
    size_t Next = PTX.find('\n', Begin);
    Lines.push_back(PTX.substr(Begin, Next - Begin));
    Begin = Next + 1;
  }
  std::map<std::string, size_t> Labels;
  for (size_t L = 0; L < Lines.size(); ++L) {
    size_t Colon = Lines[L].find(':');
    if (Lines[L][0] == '$' && Colon != std::string::npos) {
      Labels[Lines[L].substr(0, Colon)] = L;
      continue;
    }
    size_t Bra = Lines[L].find("bra");
    if (Bra == std::string::npos)
      continue;
    size_t To = Lines[L].find('$', Bra);
    auto Label =
        To == std::string::npos
            ? Labels.end()
            : Labels.find(Lines[L].substr(To, Lines[L].find(';') - To));
    if (Label == Labels.end())
      continue;
    F.InLoop.clear(); // the last loop is the timed one
    for (size_t I = Label->second; I < L; ++I) {
      size_t First = Lines[I].find_first_not_of(" \t");
      if (First != std::string::npos)
        ++F.InLoop[Lines[I].substr(
            First, Lines[I].find_first_of(" \t;", First) - First)];
    }
  }
  return F;
}

template <typename T> T argument(void **Args, unsigned N) {
  T Value;
  memcpy(&Value, Args[N], sizeof(T));
  return Value;
}

void putClocks(uint64_t Out, uint64_t Warps, double Clocks) {
  for (uint64_t W = 0; W < Warps; ++W)
    reinterpret_cast<uint64_t *>(Out)[W] = uint64_t(Clocks);
  Now += Clocks / CoreMHz / 1000;
}

/// Distinct lines of \p LineBytes that a ring of places reaches.
template <typename Follow>
uint64_t ringBytes(uint64_t Start, uint64_t LineBytes, Follow Next) {
  std::set<uint64_t> Lines;
  uint64_t At = Start;
  do {
    Lines.insert(At / LineBytes);
    At = Next(At);
  } while (At != Start);
  return Lines.size() * LineBytes;
}

int run(const Function &F, unsigned Blocks, unsigned Threads, void **Args) {
  Now += LaunchUs / 1000;
  const uint64_t Warps = uint64_t(Blocks) * ((Threads + 31) / 32);
  auto count = [&](const char *Mnemonic) {
    auto It = F.InLoop.find(Mnemonic);
    return It == F.InLoop.end() ? 0u : It->second;
  };
  if (F.Name == "empty")
    return 0;
  if (F.Name == "stream") {
    uint64_t Bytes = uint64_t(argument<uint32_t>(Args, 2)) * 16;
    double PerClock = Bytes <= L2Bytes ? L2BytesPerClock : DRAMBytesPerClock;
    Now +=
        double(Bytes) * argument<uint32_t>(Args, 3) / PerClock / CoreMHz / 1000;
    return 0;
  }
  const auto Out = argument<uint64_t>(Args, 0);
  const auto Rounds = argument<uint32_t>(Args, 2);
  if (F.Name == "chase_global") {
    uint64_t Bytes =
        ringBytes(argument<uint64_t>(Args, 3), 128, [](uint64_t At) {
          return *reinterpret_cast<uint64_t *>(At);
        });
    putClocks(Out, Warps,
              double(Rounds) *
                  (count("ld.global.b64") + count("ld.global.u64")) *
                  (Bytes <= L1Bytes   ? L1Clocks
                   : Bytes <= L2Bytes ? L2Clocks
                                      : DRAMClocks));
    return 0;
  }
  if (F.Name == "chase_constant") {
    uint64_t Bytes =
        ringBytes(argument<uint64_t>(Args, 3), 64, [](uint64_t At) {
          return *reinterpret_cast<uint64_t *>(Table.data() + At);
        });
    putClocks(
        Out, Warps,
        double(Rounds) * (count("ld.const.b64") + count("ld.const.u64")) *
            (Bytes <= ConstantBytes ? ConstantClocks : ConstantMissClocks));
    return 0;
  }
  if (F.Name == "chase_shared") {
    putClocks(Out, Warps,
              double(Rounds) *
                  (count("ld.shared.b64") + count("ld.shared.u64")) *
                  SharedClocks);
    return 0;
  }
  const double PerSM = double(Warps) / (Blocks == 1 ? 1 : SMs);
  double Chain = 0, Pipe = 0;
  for (const Timing &T : Timings) {
    unsigned N = count(T.Mnemonic);
    if (N < 100)
      continue; // the loop's own
    Chain += N * T.Latency;
    Pipe += N * 32 * PerSM / T.PerClock;
  }
  if (Chain == 0)
    return LaunchFailed;
  putClocks(Out, Warps, Rounds * (Chain > Pipe ? Chain : Pipe));
  return 0;
}

} // namespace

#define CHECK(CALL)                                                            \
  if (fails(#CALL))                                                            \
  return LaunchFailed

extern "C" {
int cuInit(unsigned) {
  CHECK(cuInit);
  return 0;
}
int cuDriverGetVersion(int *V) {
  *V = 12080;
  return 0;
}
int cuDeviceGetCount(int *N) {
  const char *Devices = getenv("FAKE_CUDA_DEVICES");
  *N = Devices ? atoi(Devices) : 1;
  return 0;
}
int cuDeviceGet(int *D, int Ordinal) {
  *D = Ordinal;
  return Ordinal == 0 ? 0 : InvalidDevice;
}
int cuDeviceGetName(char *Name, int Size, int) {
  strncpy(Name, "Known GPU", size_t(Size));
  return 0;
}
int cuDeviceGetAttribute(int *Value, int Attribute, int) {
  static const std::map<int, int> Values = {{1, 1024},
                                            {13, int(CoreMHz * 1100)},
                                            {16, SMs},
                                            {36, 877000},
                                            {37, 4096},
                                            {38, L2Bytes},
                                            {39, MaxWarps * 32},
                                            {75, 7},
                                            {76, 0},
                                            {81, 98304},
                                            {82, 65536},
                                            {97, 98304},
                                            {106, 16}};
  auto It = Values.find(Attribute);
  if (It == Values.end())
    return 1;
  *Value = It->second;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **Context, int) {
  *Context = &PTX;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuModuleLoadData(void **Module, const void *Image) {
  PTX = static_cast<const char *>(Image);
  if (PTX.find(".target sm_70") == std::string::npos)
    return InvalidPTX;
  *Module = &PTX;
  return 0;
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **F, void *, const char *Name) {
  if (PTX.find(std::string(".entry ") + Name + "(") == std::string::npos)
    return NotFound;
  auto [It, New] = Functions.try_emplace(Name);
  if (New)
    It->second = parse(Name);
  *F = &It->second;
  return 0;
}
int cuModuleGetGlobal_v2(uint64_t *Address, size_t *Bytes, void *,
                         const char *Name) {
  if (PTX.find(std::string(Name) + "[") == std::string::npos)
    return NotFound;
  Table.resize(32768);
  *Address = uint64_t(Table.data());
  *Bytes = Table.size();
  return 0;
}
int cuMemAlloc_v2(uint64_t *Address, size_t Bytes) {
  *Address = uint64_t(aligned_alloc(4096, (Bytes + 4095) / 4096 * 4096));
  return 0;
}
int cuMemFree_v2(uint64_t Address) {
  free(reinterpret_cast<void *>(Address));
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t To, const void *From, size_t Bytes) {
  memcpy(reinterpret_cast<void *>(To), From, Bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *To, uint64_t From, size_t Bytes) {
  memcpy(To, reinterpret_cast<void *>(From), Bytes);
  return 0;
}
int cuEventCreate(void **Event, unsigned) {
  *Event = new char;
  return 0;
}
int cuEventDestroy_v2(void *Event) {
  delete static_cast<char *>(Event);
  return 0;
}
int cuEventRecord(void *Event, void *) {
  Events[Event] = Now;
  return 0;
}
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *Ms, void *Start, void *Stop) {
  *Ms = float(Events[Stop] - Events[Start]);
  return 0;
}
int cuLaunchKernel(void *F, unsigned Blocks, unsigned, unsigned,
                   unsigned Threads, unsigned, unsigned, unsigned, void *,
                   void **Args, void **) {
  CHECK(cuLaunchKernel);
  return run(*static_cast<Function *>(F), Blocks, Threads, Args);
}
int cuGetErrorName(int Error, const char **Name) {
  *Name = Error == LaunchFailed ? "CUDA_ERROR_LAUNCH_FAILED"
          : Error == NotFound   ? "CUDA_ERROR_NOT_FOUND"
          : Error == InvalidPTX ? "CUDA_ERROR_INVALID_PTX"
                                : nullptr;
  return *Name ? 0 : 1;
}
}
