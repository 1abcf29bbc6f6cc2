//===- Benchmarks.cpp - PTX micro-benchmarks ------------------------------===//

#include "heddle/Calibration/Benchmarks.h"

#include "heddle/PTX/BackEnd.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace heddle {

/// Steps of a chain in one round: the loop around them costs a few percent of
/// the cheapest operation.
static constexpr unsigned ChainSteps = 128;
static constexpr unsigned ChasePerRound = 32;
static constexpr uint64_t ChaseTableBytes = 32768;

namespace {
/// One step of a chain: D from X, the result before, Y, the one before that,
/// and B, an argument. Two values that feed each other keep compilers from
/// folding the chain.
struct Step {
  const char *Operation;
  const char *Type;
  unsigned Bytes;
  unsigned Operations;
  const char *IR; ///< $D, $X, $Y; %b
};
} // namespace

static constexpr Step Steps[] = {
    {"add.i32", "i32", 4, 1, "$D = add i32 $X, $Y"},
    {"mul.i32", "i32", 4, 1, "$D = mul i32 $X, $Y"},
    {"mad.i32", "i32", 4, 1, "$Dt = mul i32 $X, %b\n  $D = add i32 $Dt, $Y"},
    {"shift.i32", "i32", 4, 1,
     "$D = call i32 @llvm.fshl.i32(i32 $X, i32 $Y, i32 %b)"},
    {"bits.i32", "i32", 4, 1, "$D = call i32 @llvm.ctpop.i32(i32 $X)"},
    {"add.f32", "float", 4, 1, "$D = fadd float $X, $Y"},
    {"mul.f32", "float", 4, 1, "$D = fmul float $X, $Y"},
    {"mad.f32", "float", 4, 1,
     "$D = call float @llvm.fma.f32(float $X, float %b, float $Y)"},
    {"sfu.f32", "float", 4, 1,
     "$D = call float @llvm.nvvm.rsqrt.approx.f(float $X)"},
    // Read as an integer again: a conversion there and back would be folded.
    {"convert.i32|f32", "i32", 4, 1,
     "$Dt = sitofp i32 $X to float\n  $D = bitcast float $Dt to i32"},
    {"add.f64", "double", 8, 1, "$D = fadd double $X, $Y"},
    {"mad.f64", "double", 8, 1,
     "$D = call double @llvm.fma.f64(double $X, double %b, double $Y)"},
    {"mad.f16", "half", 2, 1,
     "$D = call half @llvm.fma.f16(half $X, half %b, half $Y)"},
    {"shuffle.*", "i32", 4, 1,
     "$D = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 $X, i32 %b, "
     "i32 31)"},
};

static void replaceAll(std::string &Text, StringRef From, StringRef To) {
  for (size_t At = 0; (At = Text.find(From, At)) != Text.npos; At += To.size())
    Text.replace(At, From.size(), To);
}

static std::string entryOf(StringRef Operation) {
  std::string Name = "op_" + Operation.str();
  replaceAll(Name, ".*", "");
  for (char &C : Name)
    if (!isAlnum(C))
      C = '_';
  return Name;
}

/// The loop, between two readings of the clock. \p Before sets up %first and
/// %second of type \p Type, \p Body leaves %last and %last2.
static std::string timedLoop(StringRef Type, StringRef Before, StringRef Body) {
  return formatv(R"(
entry:
  {1}
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %begin = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x0 = phi {0} [ %first, %entry ], [ %last, %loop ]
  %y0 = phi {0} [ %second, %entry ], [ %last2, %loop ]
  {2}
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  %end = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %clocks = sub i64 %end, %begin
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %threads
  %global = add i32 %before, %thread
  %warp = lshr i32 %global, 5
  %place = getelementptr i64, ptr addrspace(1) %cycles, i32 %warp
  store i64 %clocks, ptr addrspace(1) %place, align 8
  %used = getelementptr {0}, ptr addrspace(1) %sink, i32 %global
  store {0} %last, ptr addrspace(1) %used
  ret void
}
)",
                 Type, Before, Body);
}

static std::string operationKernel(const Step &S) {
  std::string Body;
  std::string X = "%x0", Y = "%y0";
  for (unsigned N = 0; N < ChainSteps; ++N) {
    std::string D = N + 1 == ChainSteps   ? "%last"
                    : N + 2 == ChainSteps ? "%last2"
                                          : formatv("%v{0}", N).str();
    std::string Line = S.IR;
    replaceAll(Line, "$D", D);
    replaceAll(Line, "$X", X);
    replaceAll(Line, "$Y", Y);
    Body += Line + "\n  ";
    Y = X;
    X = D;
  }
  std::string Before = formatv("%first = select i1 true, {0} %a, {0} %a\n  "
                               "%second = select i1 true, {0} %b, {0} %b",
                               S.Type);
  return formatv("define ptx_kernel void @{0}(ptr addrspace(1) %cycles, "
                 "ptr addrspace(1) %sink, i32 %rounds, {1} %a, {1} %b) {{",
                 entryOf(S.Operation), S.Type)
             .str() +
         timedLoop(S.Type, Before, Body);
}

/// \p Load is one step from %p to $D.
static std::string chaseKernel(StringRef Name, StringRef Argument,
                               StringRef Before, StringRef Load) {
  std::string Body, At = "%x0";
  for (unsigned N = 0; N < ChasePerRound; ++N) {
    std::string D =
        N + 1 == ChasePerRound ? "%last" : formatv("%v{0}", N).str();
    std::string Line = Load.str();
    replaceAll(Line, "$D", D);
    replaceAll(Line, "$X", At);
    Body += Line + "\n  ";
    At = D;
  }
  Body += "%last2 = add i64 %y0, 0";
  return formatv("define ptx_kernel void @{0}(ptr addrspace(1) %cycles, "
                 "ptr addrspace(1) %sink, i32 %rounds, i64 %{1}) {{",
                 Name, Argument)
             .str() +
         timedLoop("i64", Before, Body);
}

static constexpr char Declarations[] = R"(
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare half @llvm.fma.f16(half, half, half)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
)";

static constexpr char Variables[] = R"(
@chase_table = addrspace(4) externally_initialized global [4096 x i64] zeroinitializer, align 8
@ring = internal addrspace(3) global [1024 x i64] undef, align 8

define ptx_kernel void @empty() {
  ret void
}

define ptx_kernel void @stream(ptr addrspace(1) %from, ptr addrspace(1) %sink, i32 %count, i32 %rounds) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %threads
  %global = add i32 %before, %thread
  %step = mul i32 %blocks, %threads
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %r.next, %round.end ]
  %sum.r = phi float [ 0.0, %entry ], [ %sum.next, %round.end ]
  br label %loop
loop:
  %i = phi i32 [ %global, %round ], [ %next, %loop ]
  %sum = phi float [ %sum.r, %round ], [ %sum.next, %loop ]
  %place = getelementptr <4 x float>, ptr addrspace(1) %from, i32 %i
  %four = load <4 x float>, ptr addrspace(1) %place, align 16
  %e0 = extractelement <4 x float> %four, i32 0
  %e1 = extractelement <4 x float> %four, i32 1
  %e2 = extractelement <4 x float> %four, i32 2
  %e3 = extractelement <4 x float> %four, i32 3
  %s0 = fadd float %sum, %e0
  %s1 = fadd float %s0, %e1
  %s2 = fadd float %s1, %e2
  %sum.next = fadd float %s2, %e3
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %round.end
round.end:
  %r.next = add i32 %r, 1
  %again = icmp ult i32 %r.next, %rounds
  br i1 %again, label %round, label %done
done:
  ; Never true for data that are zero: the loads must not be dropped.
  %odd = fcmp ogt float %sum.next, 1.0
  br i1 %odd, label %keep, label %end
keep:
  store float %sum.next, ptr addrspace(1) %sink
  br label %end
end:
  ret void
}
)";

/// Makes the ring with the stride asked for before the clock is read. It holds
/// addresses, so that nothing but the loads is in the chain.
static constexpr char SharedRing[] = R"(br label %fill
fill:
  %f = phi i64 [ 0, %entry ], [ %f.next, %fill ]
  %f.place = getelementptr i64, ptr addrspace(3) @ring, i64 %f
  %f.to = add i64 %f, %stride
  %f.wrapped = and i64 %f.to, 1023
  %f.target = getelementptr i64, ptr addrspace(3) @ring, i64 %f.wrapped
  %f.address = ptrtoint ptr addrspace(3) %f.target to i64
  store i64 %f.address, ptr addrspace(3) %f.place, align 8
  %f.next = add i64 %f, 1
  %f.more = icmp ult i64 %f.next, 1024
  br i1 %f.more, label %fill, label %filled
filled:
  %first = ptrtoint ptr addrspace(3) @ring to i64
  %second = add i64 0, 0)";

static Expected<std::string> emitIR(const std::string &Text, StringRef Arch) {
  LLVMContext Context;
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Diagnostic, Context);
  if (!M)
    return createStringError("benchmark at line %d: %s", Diagnostic.getLineNo(),
                             Diagnostic.getMessage().str().c_str());
  if (Error E = runBackEndIRPasses(*M, Arch))
    return std::move(E);
  return emitPTX(*M, Arch);
}

Expected<BenchmarkProgram> emitBenchmarks(StringRef Arch) {
  BenchmarkProgram Program;
  Program.ChasePerRound = ChasePerRound;
  Program.ChaseTableBytes = ChaseTableBytes;
  std::string Text = std::string(Declarations) + Variables;
  for (const Step &S : Steps) {
    Text += operationKernel(S);
    Program.Operations.push_back({entryOf(S.Operation), S.Operation, S.Bytes,
                                  S.Operations * ChainSteps});
  }
  Text += chaseKernel("chase_global", "start",
                      "%first = add i64 %start, 0\n  %second = add i64 0, 0",
                      "$Dp = inttoptr i64 $X to ptr addrspace(1)\n  "
                      "$D = load i64, ptr addrspace(1) $Dp, align 8");
  Text += chaseKernel(
      "chase_constant", "start",
      "%first = add i64 %start, 0\n  %second = add i64 0, 0",
      "$Dp = getelementptr i8, ptr addrspace(4) @chase_table, i64 $X\n  "
      "$D = load i64, ptr addrspace(4) $Dp, align 8");
  std::string Shared =
      chaseKernel("chase_shared", "stride", SharedRing,
                  "$Dp = inttoptr i64 $X to ptr addrspace(3)\n  "
                  "$D = load i64, ptr addrspace(3) $Dp, align 8");
  // The loop is entered from where the ring is complete.
  replaceAll(Shared, "[ 0, %entry ], [ %next, %loop ]",
             "[ 0, %filled ], [ %next, %loop ]");
  replaceAll(Shared, "[ %first, %entry ]", "[ %first, %filled ]");
  replaceAll(Shared, "[ %second, %entry ]", "[ %second, %filled ]");
  Text += Shared;

  Expected<std::string> PTX = emitIR(Text, Arch);
  if (!PTX)
    return PTX.takeError();
  Program.PTX = std::move(*PTX);
  return Program;
}

/// \p Value leaves the value of element %at in %value.
static std::string elementKernel(StringRef Name, StringRef Argument,
                                 StringRef Value) {
  return formatv(R"(
define ptx_kernel void @{0}(ptr addrspace(1) %a, {1}, i32 %n) {{
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %threads
  %at = add i32 %before, %thread
  %in = icmp slt i32 %at, %n
  br i1 %in, label %some, label %end
some:
  {2}
  %place = getelementptr double, ptr addrspace(1) %a, i32 %at
  store double %value, ptr addrspace(1) %place, align 8
  br label %end
end:
  ret void
}
)",
                 Name, Argument, Value);
}

Expected<std::string> emitTimedKernels(StringRef Arch) {
  return emitIR(
      std::string(Declarations) +
          elementKernel("init", "double %c", "%value = fadd double %c, -0.0") +
          elementKernel(
              "quarter", "ptr addrspace(1) %b",
              "%from = getelementptr double, ptr addrspace(1) %b, i32 %at\n  "
              "%old = load double, ptr addrspace(1) %from, align 8\n  "
              "%value = fmul double %old, 0.25"),
      Arch);
}

} // namespace heddle
