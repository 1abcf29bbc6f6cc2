//===- OpenCLLibrary.cpp - Bodies of the OpenCL built-ins -----------------===//

#include "OpenCLLibrary.h"

#include "ClangInvocation.h"
#include "EmbeddedFiles.h"
#include "heddle/Passes/Pipelines.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace heddle {

static Error linkNeeded(Module &M, std::unique_ptr<Module> Library) {
  Library->setTargetTriple(M.getTargetTriple());
  Library->setDataLayout(M.getDataLayout());
  // Not inheriting the version that the library was written in.
  if (NamedMDNode *Version = Library->getNamedMetadata("opencl.ocl.version"))
    Version->eraseFromParent();
  if (Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link the OpenCL built-in functions");
  return Error::success();
}

static Expected<std::unique_ptr<Module>> readLibclc(LLVMContext &Context) {
  auto Buffer = MemoryBuffer::getFile(HEDDLE_LIBCLC, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError("cannot read " HEDDLE_LIBCLC
                             " (Debian package libclc-22): " +
                             Buffer.getError().message());
  return getOwningLazyBitcodeModule(std::move(*Buffer), Context,
                                    /*ShouldLazyLoadMetadata=*/true);
}

std::vector<std::string> openCLArguments(StringRef Standard, StringRef Arch) {
  // Drivers define the version of the platform, Clang that of the language.
  StringRef Version = Standard.starts_with("CL2")   ? "200"
                      : Standard.starts_with("CL3") ? "300"
                                                    : "120";
  std::vector<std::string> Args = {
      "-x", "cl", "--target=nvptx64--nvidiacl", ("-cl-std=" + Standard).str(),
      ("-D__OPENCL_VERSION__=" + Version).str(), "-D__IMAGE_SUPPORT__=1", "-O3",
      "-fdebug-compilation-dir=.", "-gline-tables-only", "-cl-kernel-arg-info",
      "-Xclang", "-target-cpu", "-Xclang", Arch.str(),
      // Without a toolkit the driver takes PTX 4.2, which has no recent target.
      "-Xclang", "-target-feature", "-Xclang", "+ptx88", "-Xclang",
      "-cl-ext=+cl_khr_fp64,+cl_khr_fp16,+cl_khr_int64_base_atomics,"
      "+cl_khr_int64_extended_atomics,+cl_khr_subgroups,"
      "+cl_khr_3d_image_writes,+__opencl_c_images,"
      "+__opencl_c_3d_image_writes,+__opencl_c_read_write_images,"
      "+__opencl_c_work_group_collective_functions,"
      "+__opencl_c_fp64,+__opencl_c_int64,+__opencl_c_subgroups,"
      "+__opencl_c_atomic_order_acq_rel,+__opencl_c_atomic_order_seq_cst,"
      "+__opencl_c_atomic_scope_device,+__opencl_c_atomic_scope_all_devices,"
      "+__opencl_c_generic_address_space,"
      "+__opencl_c_program_scope_global_variables,"
      "+__opencl_c_pipes,+__opencl_c_device_enqueue",
      // asm, which NVIDIA's compiler has.
      "-fgnu-keywords"};
  // Extensions that are functions alone are macros to Clang.
  for (StringRef Functions : {"extended_types", "non_uniform_vote", "ballot",
                              "non_uniform_arithmetic", "shuffle",
                              "shuffle_relative", "clustered_reduce", "rotate"})
    Args.push_back(("-Dcl_khr_subgroup_" + Functions + "=1").str());
  Args.insert(Args.end(),
              {"-Dcl_khr_integer_dot_product=1",
               "-D__opencl_c_integer_dot_product_input_4x8bit=1",
               "-D__opencl_c_integer_dot_product_input_4x8bit_packed=1"});
  return Args;
}

static Error linkIRFile(Module &M, const EmbeddedFile &File) {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Library =
      parseAssemblyString(File.Text, Diagnostic, M.getContext());
  if (!Library)
    return createStringError(File.Name + ": " + Diagnostic.getMessage());
  return linkNeeded(M, std::move(Library));
}

static Error linkSourceFile(Module &M, const EmbeddedFile &File,
                            StringRef Arch) {
  std::vector<std::string> Args = openCLArguments("CL2.0", Arch);
  std::string Path = (VirtualFolder + ("/" + File.Name)).str();
  // Without Clang's own declarations of what the file defines, and without
  // line tables, so that the code belongs to the line of the call.
  Args.insert(Args.end(), {"-cl-no-stdinc", "-g0", Path});
  auto Library = runClang(M.getContext(), Path, Args);
  if (!Library)
    return Library.takeError();
  return linkNeeded(M, std::move(Library->Module));
}

static bool isOpenCall(const Function &F) {
  return F.isDeclaration() && !F.use_empty() && F.getName().starts_with("_Z");
}

/// Whether a built-in function is still without a body.
static bool hasOpenCalls(const Module &M) { return any_of(M, isOpenCall); }

/// Whether one that takes a half, or gives one, is: the name of
/// convert_half(int) does not have the type.
static bool hasOpenHalves(const Module &M) {
  return any_of(M, [](const Function &F) {
    return isOpenCall(F) &&
           (F.getName().contains("Dh") || F.getName().contains("convert_half"));
  });
}

static const EmbeddedFile &embeddedFile(StringRef Name) {
  return *find_if(embeddedFiles(),
                  [&](const EmbeddedFile &File) { return File.Name == Name; });
}

/// Clang makes a kernel of each block that is enqueued; no launch names it.
static void hideBlockKernels(Module &M) {
  for (Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel &&
        F.getName().starts_with("__") &&
        F.getName().contains("_block_invoke") &&
        F.getName().ends_with("_kernel")) {
      F.setCallingConv(CallingConv::C);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
}

Error linkOpenCLLibrary(Module &M, StringRef Arch) {
  hideBlockKernels(M);
  closeMathCalls(M);
  for (const EmbeddedFile &File : embeddedFiles())
    if (File.Name.starts_with("OpenCL/") && File.Name.ends_with(".ll"))
      if (Error E = linkIRFile(M, File))
        return E;
  // Before libclc, whose functions on float these call.
  for (StringRef File : {"OpenCL/Halves.cl", "OpenCL/HalfOperations.cl"})
    if (hasOpenHalves(M)) {
      if (Error E = linkSourceFile(M, embeddedFile(File), Arch))
        return E;
      closeMathCalls(M);
    }
  auto Library = readLibclc(M.getContext());
  if (!Library)
    return Library.takeError();
  if (Error E = linkNeeded(M, std::move(*Library)))
    return E;
  // Each source costs a run of Clang: only what the module calls.
  bool UsesImages = any_of(M, [](const Function &F) {
    return F.isDeclaration() && !F.use_empty() &&
           (F.getName().contains("ocl_image") ||
            F.getName().contains("sampler"));
  });
  if (UsesImages)
    if (Error E = linkSourceFile(M, embeddedFile("OpenCL/Images.cl"), Arch))
      return E;
  bool UsesSubgroups = any_of(M, [](const Function &F) {
    return F.isDeclaration() && !F.use_empty() &&
           F.getName().contains("sub_group_");
  });
  if (UsesSubgroups)
    if (Error E = linkSourceFile(M, embeddedFile("OpenCL/Subgroups.cl"), Arch))
      return E;
  if (hasOpenCalls(M))
    if (Error E = linkSourceFile(M, embeddedFile("OpenCL/Builtins.cl"), Arch))
      return E;
  // What the sources use in turn.
  return linkIRFile(M, embeddedFile("OpenCL/Builtins.ll"));
}

} // namespace heddle
