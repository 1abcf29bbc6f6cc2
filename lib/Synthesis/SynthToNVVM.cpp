//===- SynthToNVVM.cpp - synth kernels as LLVM functions ------------------===//

#include "heddle/Synthesis/SynthToNVVM.h"

#include "heddle/Synthesis/BehaviorConversion.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace heddle::synth {

#define GEN_PASS_DECL_SYNTHTONVVM
#define GEN_PASS_DEF_SYNTHTONVVM
#include "heddle/Dialect/Synth/SynthConversionPasses.h.inc"

namespace {

/// The parts of a clone's PTX.
struct PlannedText {
  SmallVector<StringRef> Globals;    ///< lines outside of the entry
  SmallVector<uint64_t> StructBytes; ///< by parameter; 0: a global pointer
  SmallVector<StringRef> Names;      ///< of the parameters
  SmallVector<std::string> Blocks;   ///< declarations, then block by block
};

class SynthToNVVMPass : public impl::SynthToNVVMBase<SynthToNVVMPass> {
public:
  explicit SynthToNVVMPass(PTXPlanner Planner) : Planner(std::move(Planner)) {}

private:
  void runOnOperation() override;
  void lower(KernelOp Kernel, StringRef PTX);

  PTXPlanner Planner;
};

} // namespace

static bool isLabel(StringRef Line) {
  return Line.starts_with("L") && Line.ends_with(":");
}

/// Parameter lines: ".param .u64 .ptr .global .align 256 a0," or
/// ".param .align 16 .b8 z[64]".
static void readParameter(StringRef Line, PlannedText &Out) {
  Line = Line.trim(" \t,");
  StringRef Name = Line.substr(Line.rfind(' ') + 1);
  auto [Base, Size] = Name.split('[');
  uint64_t Bytes = 0;
  Size.consumeInteger(10, Bytes);
  Out.Names.push_back(Base);
  Out.StructBytes.push_back(Bytes);
}

static PlannedText split(StringRef PTX) {
  PlannedText Out;
  enum { Outside, Parameters, Body } Where = Outside;
  SmallVector<StringRef> Lines;
  PTX.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    if (Where == Outside) {
      if (Line.starts_with(".visible .entry"))
        Where = Parameters;
      else if (!Line.starts_with(".version") && !Line.starts_with(".target") &&
               !Line.starts_with(".address_size"))
        Out.Globals.push_back(Line);
    } else if (Where == Parameters) {
      if (Line == "{") {
        Where = Body;
        Out.Blocks.emplace_back();
      } else if (Line != ")") {
        readParameter(Line, Out);
      }
    } else if (Line == "}") {
      Where = Outside;
    } else {
      if (isLabel(Line))
        Out.Blocks.emplace_back();
      std::string &Block = Out.Blocks.back();
      Block += (Block.empty() ? "" : "\n") + Line.str();
    }
  }
  return Out;
}

/// What NVPTX calls parameter \p Index of the function.
static std::string parameterName(StringRef Function, unsigned Index) {
  return (Function + "_param_" + Twine(Index)).str();
}

/// \p Block with the parameters called as NVPTX will call them.
static std::string renamed(StringRef Block, const PlannedText &Text,
                           StringRef Function) {
  std::string Out;
  SmallVector<StringRef> Lines;
  Block.split(Lines, '\n');
  for (StringRef Line : Lines) {
    std::string New = Line.str();
    const size_t Bracket = New.find('[');
    if (Line.contains("ld.param") && Bracket != New.npos)
      for (auto [Index, Name] : llvm::enumerate(Text.Names)) {
        StringRef Rest = StringRef(New).substr(Bracket + 1);
        if (!Rest.consume_front(Name) || !(Rest[0] == ']' || Rest[0] == '+'))
          continue;
        New = New.substr(0, Bracket + 1) + parameterName(Function, Index) +
              Rest.str();
        break;
      }
    Out += (Out.empty() ? "" : "\n") + New;
  }
  return Out;
}

void SynthToNVVMPass::lower(KernelOp Kernel, StringRef PTX) {
  PlannedText Text = split(PTX);
  ModuleOp Module = getOperation();
  OpBuilder B(Kernel);
  MLIRContext *Context = B.getContext();
  Location Loc = Kernel.getLoc();
  SmallVector<Type> Types;
  for (uint64_t Bytes : Text.StructBytes)
    Types.push_back(LLVM::LLVMPointerType::get(Context, Bytes ? 0 : 1));
  auto Function = LLVM::LLVMFuncOp::create(
      B, Loc, Kernel.getSymName(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(Context), Types));
  Function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    B.getUnitAttr());
  constexpr int64_t BufferAlign = 256, StructAlign = 16;
  for (auto [Index, Bytes] : llvm::enumerate(Text.StructBytes)) {
    if (Bytes)
      Function.setArgAttr(
          Index, LLVM::LLVMDialect::getByValAttrName(),
          TypeAttr::get(LLVM::LLVMArrayType::get(B.getI8Type(), Bytes)));
    Function.setArgAttr(Index, LLVM::LLVMDialect::getAlignAttrName(),
                        B.getI64IntegerAttr(Bytes ? StructAlign : BufferAlign));
  }
  B.setInsertionPointToStart(Function.addEntryBlock(B));
  bool Returns = false;
  for (auto [Index, Block] : llvm::enumerate(Text.Blocks)) {
    std::string Assembly = renamed(Block, Text, Kernel.getSymName());
    // The last return is the function's.
    StringRef Kept = Assembly;
    Returns = Index + 1 == Text.Blocks.size() && Kept.consume_back("\n\tret;");
    LLVM::InlineAsmOp::create(
        B, Loc, Type(), ValueRange(), Kept, "", /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        LLVM::AsmDialectAttr::get(Context, LLVM::AsmDialect::AD_ATT),
        ArrayAttr());
  }
  if (Returns)
    LLVM::ReturnOp::create(B, Loc, ValueRange());
  else
    LLVM::UnreachableOp::create(B, Loc);
  SmallVector<Attribute> Globals;
  for (StringRef Line : Text.Globals)
    Globals.push_back(B.getStringAttr(Line));
  if (!Globals.empty())
    Module->setAttr(LLVM::LLVMDialect::getModuleLevelAsmAttrName(),
                    B.getArrayAttr(Globals));
  Kernel.erase();
}

void SynthToNVVMPass::runOnOperation() {
  auto Kernels = llvm::to_vector(getOperation().getOps<KernelOp>());
  if (Kernels.size() > 1) {
    Kernels[1].emitError(
        "is the second kernel of its module; lower them one by one");
    return signalPassFailure();
  }
  for (KernelOp Kernel : Kernels) {
    auto Text = [](llvm::json::Object O) {
      std::string Out;
      llvm::raw_string_ostream(Out) << llvm::json::Value(std::move(O));
      return Out;
    };
    auto PTX = Planner(Text(exportBehavior(Kernel)),
                       Text(exportReduction(Kernel)), Arch);
    if (!PTX) {
      Kernel.emitError() << llvm::toString(PTX.takeError());
      return signalPassFailure();
    }
    lower(Kernel, *PTX);
  }
}

std::unique_ptr<Pass> createSynthToNVVM(PTXPlanner Planner) {
  return std::make_unique<SynthToNVVMPass>(std::move(Planner));
}

void registerSynthToNVVM(PTXPlanner Planner) {
  registerPass([Planner] { return createSynthToNVVM(Planner); });
}

} // namespace heddle::synth
