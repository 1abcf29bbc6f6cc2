//===- EngineCompare.cpp - Runs kernels on both engines and compares ------===//
//
// What compare.py runs: the kernels of one file, compiled once. Each launch
// gives the same buffers, counters and trace on the JIT and on the interpreter,
// the kernel's PTX read back gives the same buffers unless they depend on the
// order of divergent lanes, and levels ptx and machine simulate the trace. The
// JIT generates code as users get it for each tenth kernel, else in less time.
// Prints a line for each difference, and "done KERNEL" after each kernel. The
// buffers go to FOLDER/KERNEL.engine for who compares them with host code.
//
//===----------------------------------------------------------------------===//

#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/Session.h"
#include "heddle/PTX/PTXEmitter.h"
#include "trace/KeptTrace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/thread.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace heddle;
using llvm::Expected;

namespace {

using Bytes = std::vector<uint8_t>;

constexpr const char *Outputs[] = {"out", "real", "wide", "sums", "bins"};
constexpr uint32_t NumBlocks = 3;

/// What a kernel left in its buffers, in the order of Outputs.
using Buffers = std::vector<Bytes>;

launch::Launch launchOf(const std::string &Kernel, const Dim3 &Block,
                        std::span<const uint8_t> Input) {
  using launch::ScalarType;
  const uint64_t N = NumBlocks * Block.count();
  launch::Launch L;
  L.Kernel = Kernel;
  L.Grid = {NumBlocks, 1, 1};
  L.Block = Block;
  auto Buffer = [&](const char *Name, ScalarType Type, uint64_t Count,
                    launch::Init Init) {
    L.Args.push_back({launch::BufferArg{
        .Name = Name, .Type = Type, .Count = Count, .Init = std::move(Init)}});
  };
  Buffer("out", ScalarType::U32, N, launch::InitZero{});
  Buffer("real", ScalarType::F32, N, launch::InitZero{});
  Buffer("wide", ScalarType::F64, N, launch::InitZero{});
  Buffer("sums", ScalarType::U64, N, launch::InitZero{});
  Buffer("bins", ScalarType::U32, 32, launch::InitIota{});
  Buffer("in", ScalarType::U32, N, launch::InitMemory{Input.first(N * 4)});
  L.Args.push_back({launch::ScalarArg{.Type = ScalarType::U32, .Integer = 5}});
  auto Texture = [&](ScalarType Type, uint32_t Width, uint32_t Height,
                     launch::Init Init, bool Linear) {
    launch::ImageArg Image;
    Image.Texels.Type = Type;
    Image.Texels.Count = uint64_t(Width) * Height;
    Image.Texels.Init = std::move(Init);
    Image.Width = Width;
    Image.Height = Height;
    Image.Sampling.Linear = Linear;
    L.Args.push_back({std::move(Image)});
  };
  Texture(ScalarType::U32, uint32_t(N), 1,
          launch::InitMemory{Input.first(N * 4)}, false);
  Texture(ScalarType::F32, 16, 8, launch::InitIota{}, false);
  Texture(ScalarType::F32, 16, 8, launch::InitIota{}, true);
  return L;
}

/// A kernel bound to its launch, on one engine, run again and again from the
/// same contents of memory.
class Launched {
public:
  static Expected<Launched> create(std::shared_ptr<Session::Program> P,
                                   EngineKind Engine, launch::Launch L,
                                   bool Quick = false) {
    SessionOptions Options;
    Options.Engine = Engine;
    Options.QuickHostCode = Quick;
    Options.MaxSteps = uint64_t(1) << 22;
    auto S = Session::create(std::move(P), Options, std::move(L));
    if (!S)
      return S.takeError();
    return Launched(std::move(*S));
  }
  Session &session() { return *S; }

  /// What one run leaves in the buffers; its counts to \p Counts if given.
  Expected<Buffers> run(exec::LaunchCounters *Counts = nullptr) {
    EngineOptions Hooks;
    Hooks.Counters = Counts;
    auto E = S->makeEngine(Hooks);
    if (!E)
      return E.takeError();
    restore();
    exec::LaunchOptions O;
    O.Counters = Counts;
    auto R = S->execute(**E, O);
    if (!R)
      return R.takeError();
    if (Counts)
      *Counts = std::move(R->Counters);
    return buffers();
  }
  /// What the last run left.
  Buffers buffers() {
    Buffers All;
    for (const char *Name : Outputs) {
      auto Now = S->memory().bytes(*S->memory().findArgument(Name));
      All.emplace_back(Now.begin(), Now.end());
    }
    return All;
  }

  /// What each thread block did, in blocks of the IR.
  Expected<std::vector<trace::BlockTrace>> blocks() {
    auto Source = trace(ISA::IR);
    if (!Source)
      return Source.takeError();
    std::vector<trace::BlockTrace> All(NumBlocks);
    for (uint64_t B = 0; B < NumBlocks; ++B)
      if (llvm::Error E = expected((*Source)->read(B, All[B])))
        return E;
    return All;
  }
  /// The trace, at \p Level, made while it is read.
  Expected<std::unique_ptr<trace::TraceSource>> trace(ISA Level) {
    restore();
    return S->makeTraceSource(Level);
  }

private:
  explicit Launched(std::unique_ptr<Session> Bound) : S(std::move(Bound)) {
    for (const auto &B : S->memory().buffers()) {
      auto Now = S->memory().bytes(*B);
      Start.emplace_back(Now.begin(), Now.end());
    }
  }
  /// Windows that an execution makes lie behind the buffers.
  void restore() {
    for (size_t I = 0; I < Start.size(); ++I)
      llvm::copy(Start[I],
                 S->memory().bytes(*S->memory().buffers()[I]).begin());
  }

  std::unique_ptr<Session> S;
  std::vector<Bytes> Start;
};

/// Compares what is done with one kernel and prints what differs.
class Comparison {
public:
  Comparison(std::shared_ptr<Session::Program> P, std::string Kernel,
             const Dim3 &Block, bool AnyOrder, std::span<const uint8_t> Input)
      : P(std::move(P)), Kernel(std::move(Kernel)), AnyOrder(AnyOrder),
        Number(std::stoul(
            this->Kernel.substr(this->Kernel.find_first_of("0123456789")))),
        Launch(launchOf(this->Kernel, Block, Input)), Input(Input) {}

  /// Fails with what the kernel could not do at all.
  llvm::Error run(const std::string &Folder, const arch::GPUSpec &GPU) {
    auto Reference = Launched::create(P, EngineKind::Interpreter, Launch);
    if (!Reference)
      return Reference.takeError();
    if (llvm::Error E = Reference->run(&Counts).moveInto(Results))
      return E;
    auto JIT = Launched::create(P, EngineKind::JIT, Launch, Number % 10 != 0);
    if (!JIT)
      return JIT.takeError();
    if (llvm::Error E = Number % 3 == 0   ? comparePlain(*JIT, *Reference)
                        : Number % 3 == 1 ? compareCounters(*JIT)
                                          : compareTraces(*JIT, *Reference))
      return E;
    if (llvm::Error E = simulate(*Reference, GPU))
      return E;
    if (llvm::Error E = readBack(*Reference))
      return E;
    std::ofstream File(Folder + "/" + Kernel + ".engine", std::ios::binary);
    for (const Bytes &B : Results)
      File.write(reinterpret_cast<const char *>(B.data()),
                 std::streamsize(B.size()));
    return llvm::Error::success();
  }

private:
  void differs(const std::string &What) {
    std::printf("%s: %s\n", Kernel.c_str(), What.c_str());
  }
  void compare(const Buffers &Other, const std::string &Who) {
    for (size_t I = 0; I < Other.size(); ++I)
      if (Other[I] != Results[I])
        differs(Who + " does something else with " + Outputs[I]);
  }

  llvm::Error comparePlain(Launched &JIT, Launched &Reference) {
    auto Plain = Reference.run();
    if (!Plain)
      return Plain.takeError();
    compare(*Plain, "the interpreter without counters");
    auto Fast = JIT.run();
    if (!Fast)
      return Fast.takeError();
    compare(*Fast, "the JIT");
    return llvm::Error::success();
  }

  llvm::Error compareCounters(Launched &JIT) {
    exec::LaunchCounters Mine;
    auto Counted = JIT.run(&Mine);
    if (!Counted)
      return Counted.takeError();
    compare(*Counted, "the JIT with counters");
    if (Mine.Blocks != Counts.Blocks || Mine.Memory != Counts.Memory)
      differs("the engines count differently");
    return llvm::Error::success();
  }

  llvm::Error compareTraces(Launched &JIT, Launched &Reference) {
    auto Mine = JIT.blocks();
    if (!Mine)
      return Mine.takeError();
    compare(JIT.buffers(), "the JIT with trace hooks");
    auto Theirs = Reference.blocks();
    if (!Theirs)
      return Theirs.takeError();
    for (uint64_t B = 0; B < NumBlocks; ++B)
      if ((*Mine)[B].Warps != (*Theirs)[B].Warps)
        differs("the engines trace block " + std::to_string(B) +
                " differently");
    return llvm::Error::success();
  }

  /// Every model at each level that the machine replays.
  llvm::Error simulate(Launched &L, const arch::GPUSpec &GPU) {
    for (const ISA Level : {ISA::PTX, ISA::Machine}) {
      auto Code = L.session().codeTable(Level);
      if (!Code)
        return Code.takeError();
      if (!Code->Fallback.empty())
        differs("level machine is not there: " + Code->Fallback);
      auto Source = L.trace(Level);
      if (!Source)
        return Source.takeError();
      auto Kept = expected(trace::KeptTrace::read(**Source, uint64_t(1) << 26));
      if (!Kept)
        return Kept.takeError();
      for (const std::string &Model : modelNames()) {
        auto P = expected(predict(*Kept, GPU, Model));
        if (!P)
          return P.takeError();
        const bool Counted = Level == ISA::PTX && Model == "timing";
        uint64_t Executed = 0;
        for (size_t B = 0; Counted && B < Code->Blocks.size(); ++B)
          Executed += Counts.Blocks[2 * B] * Code->Blocks[B].NumInsts;
        if (Counted && P->WarpInstructions != Executed)
          differs(Model + " replays " + std::to_string(P->WarpInstructions) +
                  " instructions of " + std::to_string(Executed));
        if (!P->Cycles)
          differs(Model + " says no cycles");
      }
    }
    return llvm::Error::success();
  }

  llvm::Error readBack(Launched &L) {
    auto Code = L.session().codeTable(ISA::PTX);
    if (!Code)
      return Code.takeError();
    SessionOptions Options;
    Options.Input = Kernel + ".ptx";
    Options.PTX = assemblyText(Code->PTX);
    auto Read = Session::compileProgram(Options);
    if (!Read)
      return Read.takeError();
    auto Run = Launched::create(std::move(*Read),
                                Number % 10 ? EngineKind::Interpreter
                                            : EngineKind::JIT,
                                launchOf(Kernel, Launch.Block, Input));
    if (!Run)
      return Run.takeError();
    auto R = Run->run();
    if (!R)
      return R.takeError();
    if (!AnyOrder)
      compare(*R, "its PTX");
    return Run->session().codeTable(ISA::PTX).takeError();
  }

  std::shared_ptr<Session::Program> P;
  const std::string Kernel; ///< its name ends with a number
  /// What it leaves depends on the order of divergent lanes, which reading PTX
  /// back may change.
  const bool AnyOrder;
  const unsigned long Number;
  launch::Launch Launch;
  std::span<const uint8_t> Input;
  Buffers Results; ///< of the interpreter
  exec::LaunchCounters Counts;
};

/// "16x8x1".
Dim3 shapeOf(llvm::StringRef Text) {
  auto [X, Rest] = Text.split('x');
  auto [Y, Z] = Rest.split('x');
  return {uint32_t(std::stoul(X.str())), uint32_t(std::stoul(Y.str())),
          uint32_t(std::stoul(Z.str()))};
}

/// engine-compare SOURCE INPUT FOLDER KERNEL:XxYxZ[:any-order]...
llvm::Error compareAll(llvm::ArrayRef<const char *> Args) {
  SessionOptions Options;
  Options.Input = Args[0];
  Options.ClangArgs = {"-ffp-contract=off"};
  if (llvm::StringRef(Args[0]).ends_with(".cl"))
    Options.ClangArgs = {"-cl-std=CL3.0", "-ffp-contract=off",
                         "-cl-fp32-correctly-rounded-divide-sqrt"};
  auto P = Session::compileProgram(Options);
  if (!P)
    return P.takeError();
  auto Input = llvm::MemoryBuffer::getFile(Args[1]);
  if (!Input)
    return failure("cannot read " + std::string(Args[1]));
  const std::span Given(
      reinterpret_cast<const uint8_t *>((*Input)->getBufferStart()),
      (*Input)->getBufferSize());
  auto GPU = expected(arch::loadMachine("v100"));
  if (!GPU)
    return GPU.takeError();
  for (const char *Arg : Args.drop_front(3)) {
    auto [Kernel, Rest] = llvm::StringRef(Arg).split(':');
    auto [Block, Order] = Rest.split(':');
    Comparison C(*P, Kernel.str(), shapeOf(Block), !Order.empty(), Given);
    if (llvm::Error E = C.run(Args[2], *GPU))
      std::printf("%s: %s\n", Kernel.str().c_str(),
                  llvm::toString(std::move(E)).c_str());
    std::printf("done %s\n", Kernel.str().c_str());
    std::fflush(stdout);
  }
  return llvm::Error::success();
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 5) {
    std::fprintf(stderr, "usage: engine-compare SOURCE INPUT FOLDER "
                         "KERNEL:XxYxZ[:any-order]...\n");
    return 2;
  }
  int Status = 0;
  llvm::thread(std::optional(512u << 20), [&] {
    if (llvm::Error E = compareAll(llvm::ArrayRef(Argv + 1, Argc - 1))) {
      std::fprintf(stderr, "%s\n", llvm::toString(std::move(E)).c_str());
      Status = 1;
    }
  }).join();
  return Status;
}
