//===- PTXEmitter.cpp - PTX that says which IR it came from ---------------===//

#include "heddle/PTX/PTXEmitter.h"

#include "BrainFloats.h"
#include "heddle/PTX/BackEnd.h"
#include "heddle/PTX/PTXStatement.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <optional>

using namespace llvm;

namespace heddle {

static constexpr StringLiteral DomainName = "heddle.access";

/// Tags the accesses of \p F, all of which have a location, with its line. The
/// back end drops the location of an instruction that it moves to another
/// block, and a load without one could not be told from its neighbours. The
/// memory operands of a machine instruction stay with it, and so does the alias
/// scope in them: each access gets a scope of its own, which no other access is
/// declared apart from and which therefore changes nothing.
static void tagMemoryAccesses(Function &F) {
  MDBuilder B(F.getContext());
  MDNode *Domain = B.createAnonymousAliasScopeDomain(DomainName);
  for (Instruction &I : instructions(F)) {
    if (!I.mayReadOrWriteMemory() || isa<CallBase>(I) || !I.getDebugLoc())
      continue;
    MDNode *Scope = B.createAnonymousAliasScope(
        Domain, std::to_string(I.getDebugLoc().getLine()));
    I.setMetadata(
        LLVMContext::MD_alias_scope,
        MDNode::concatenate(I.getMetadata(LLVMContext::MD_alias_scope),
                            MDNode::get(F.getContext(), {Scope})));
  }
}

namespace {

/// Gives each tagged access its location back.
class RestoreLocations : public MachineFunctionPass {
public:
  static char ID;
  RestoreLocations() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "Restore the locations of memory accesses";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    DISubprogram *Scope = MF.getFunction().getSubprogram();
    bool Changed = false;
    for (MachineBasicBlock &B : MF)
      for (MachineInstr &I : B)
        if (std::optional<unsigned> Line = lineOf(I)) {
          I.setDebugLoc(DILocation::get(Scope->getContext(), *Line, 0, Scope));
          Changed = true;
        }
    return Changed;
  }

private:
  /// The least number of the accesses that were merged into \p I.
  static std::optional<unsigned> lineOf(const MachineInstr &I) {
    std::optional<unsigned> Least;
    for (const MachineMemOperand *Operand : I.memoperands()) {
      const MDNode *Scopes = Operand->getAAInfo().Scope;
      if (!Scopes)
        continue;
      for (const MDOperand &Op : Scopes->operands()) {
        AliasScopeNode Node(cast<MDNode>(Op));
        const MDNode *Domain = Node.getDomain();
        unsigned Line;
        if (!Domain || nameOfDomain(Domain) != DomainName)
          continue;
        if (!Node.getName().getAsInteger(10, Line))
          Least = std::min(Least.value_or(Line), Line);
      }
    }
    return Least;
  }

  static StringRef nameOfDomain(const MDNode *Domain) {
    if (Domain->getNumOperands() > 1)
      if (const auto *Name = dyn_cast<MDString>(Domain->getOperand(1)))
        return Name->getString();
    return "";
  }
};

char RestoreLocations::ID = 0;

} // namespace

/// Whether NVPTX lacks a selection pattern for the intrinsic. Tried with one
/// module per function and type; sin and cos are there as approximations only.
static bool isOpaqueIntrinsic(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp2:
    return !(I.hasApproxFunc() && !I.getType()->isDoubleTy());
  case Intrinsic::log2:
    return !(I.hasApproxFunc() && I.getType()->isFloatTy());
  case Intrinsic::exp:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::sincos:
  case Intrinsic::sincospi:
  case Intrinsic::modf:
  case Intrinsic::ldexp:
  case Intrinsic::frexp:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return true;
  default:
    return false;
  }
}

bool isOpaqueCall(const CallInst &Call) {
  if (Call.isInlineAsm())
    return false;
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return isOpaqueIntrinsic(*Intrinsic);
  const Function *Callee = Call.getCalledFunction();
  return !Callee || Callee->isDeclaration();
}

static StringRef typeSuffix(const Type *Ty) {
  if (Ty->isDoubleTy())
    return ".f64";
  if (Ty->isFloatTy())
    return ".f32";
  if (Ty->isHalfTy())
    return ".f16";
  if (Ty->isBFloatTy())
    return ".bf16";
  return "";
}

/// The floating-point type that a mathematical function works in.
static const Type *mathType(const CallInst &Call) {
  for (const Use &Arg : Call.args())
    if (Arg->getType()->getScalarType()->isFloatingPointTy())
      return Arg->getType()->getScalarType();
  return Call.getType()->getScalarType();
}

std::string opaqueOpcode(const CallInst &Call) {
  if (const auto *II = dyn_cast<IntrinsicInst>(&Call)) {
    StringRef Name = Intrinsic::getBaseName(II->getIntrinsicID());
    Name.consume_front("llvm.");
    return (MathOpcodePrefix + Name + typeSuffix(mathType(Call))).str();
  }
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "indirect";
  if (Name.consume_front("heddle.math.")) {
    // The suffix is always the type; a name may bring it along.
    StringRef Suffix = typeSuffix(mathType(Call));
    Name.consume_back(Suffix);
    return (MathOpcodePrefix + Name + Suffix).str();
  }
  if (Name.consume_front("heddle.special."))
    return (SpecialOpcodePrefix + Name).str();
  if (Name.consume_front(InstructionPrefix))
    return Name.str();
  Name.consume_front("heddle.");
  if (isGridBarrier(Call))
    return Name.str();
  return (CallOpcodePrefix + Name).str();
}

namespace {

/// Replaces an opaque call by inline assembly that holds one pseudo
/// instruction: operands keep their registers, and no call sequence appears.
class OpaqueCallRewriter {
public:
  explicit OpaqueCallRewriter(CallInst &Call)
      : Call(Call), B(&Call), Opcode(opaqueOpcode(Call)) {}

  Error rewrite() {
    SmallVector<Value *, 4> Results;
    if (auto *Vector = dyn_cast<FixedVectorType>(Call.getType())) {
      // One scalar instruction per element, as a device library has it.
      Value *Whole = PoisonValue::get(Vector);
      for (unsigned Lane = 0; Lane != Vector->getNumElements(); ++Lane) {
        auto Scalar = emit(Vector->getElementType(), Lane);
        if (!Scalar)
          return Scalar.takeError();
        Whole = B.CreateInsertElement(Whole, *Scalar, Lane);
      }
      Call.replaceAllUsesWith(Whole);
    } else {
      auto Whole = emit(Call.getType(), std::nullopt);
      if (!Whole)
        return Whole.takeError();
      if (!Call.getType()->isVoidTy())
        Call.replaceAllUsesWith(*Whole);
    }
    Call.eraseFromParent();
    return Error::success();
  }

private:
  /// An instruction takes a constant as it is. A library call does not, nor a
  /// video instruction, as ptxas has it.
  bool takesConstants() const {
    return none_of(
        ArrayRef<StringRef>{MathOpcodePrefix, CallOpcodePrefix, "vabsdiff"},
        [&](StringRef Prefix) {
          return StringRef(Opcode).starts_with(Prefix);
        });
  }
  /// The register constraint of \p Ty, and the type that it takes.
  std::pair<StringRef, Type *> constraint(Type *Ty) {
    if (Ty->isFloatTy())
      return {"f", Ty};
    if (Ty->isDoubleTy())
      return {"d", Ty};
    if (Ty->isIntegerTy(1))
      return {"b", Ty};
    if (Ty->isPointerTy())
      return {"l", B.getInt64Ty()};
    if (Ty->isAggregateType() || !Ty->isSized())
      return {"", Ty};
    unsigned Bits = Ty->getPrimitiveSizeInBits().getFixedValue();
    if (Bits <= 16 && Bits > 0)
      return {"h", B.getInt16Ty()};
    if (Bits == 32)
      return {"r", B.getInt32Ty()};
    if (Bits == 64)
      return {"l", B.getInt64Ty()};
    return {"", Ty};
  }

  Value *convert(Value *V, Type *To) {
    Type *From = V->getType();
    if (From == To)
      return V;
    if (From->isPointerTy() || To->isPointerTy())
      return From->isPointerTy() ? B.CreatePtrToInt(V, To)
                                 : B.CreateIntToPtr(V, To);
    if (From->isIntegerTy() && To->isIntegerTy())
      return B.CreateZExtOrTrunc(V, To);
    return B.CreateBitCast(V, To);
  }

  Error unsupported(Type *Ty) {
    std::string Text;
    raw_string_ostream OS(Text);
    Ty->print(OS);
    return createStringError("call of '%s' passes a value of type %s, which "
                             "no register holds",
                             Opcode.c_str(), Text.c_str());
  }

  Expected<Value *> emit(Type *Result, std::optional<unsigned> Lane) {
    SmallVector<Type *, 4> Wanted, Outputs, Inputs;
    SmallVector<Value *, 4> Args;
    std::string Text = Opcode, Constraints;
    auto Add = [&](StringRef Constraint) {
      if (!Constraints.empty())
        Constraints += ',';
      Constraints += Constraint;
    };
    if (auto *Struct = dyn_cast<StructType>(Result))
      append_range(Wanted, Struct->elements());
    else if (!Result->isVoidTy())
      Wanted.push_back(Result);
    unsigned Number = 0;
    std::string Destination;
    for (Type *Ty : Wanted) {
      auto [Letter, Register] = constraint(Ty);
      if (Letter.empty())
        return unsupported(Ty);
      Outputs.push_back(Register);
      Add(("=" + Letter).str());
      Destination += (Number ? ", $" : "$") + std::to_string(Number);
      ++Number;
    }
    Text += Wanted.size() == 1 ? " " + Destination
            : Wanted.empty()   ? " _"
                               : " {" + Destination + "}";
    for (Use &Arg : Call.args()) {
      Value *V = Arg.get();
      if (V->getType()->isMetadataTy())
        continue;
      if (Lane && V->getType()->isVectorTy())
        V = B.CreateExtractElement(V, *Lane);
      if (auto *Constant = dyn_cast<ConstantInt>(V);
          Constant && takesConstants()) {
        Text += ", " + std::to_string(Constant->getZExtValue());
        continue;
      }
      auto [Letter, Register] = constraint(V->getType());
      if (Letter.empty())
        return unsupported(V->getType());
      V = convert(V, Register);
      Inputs.push_back(Register);
      Args.push_back(V);
      Add(Letter);
      Text += ", $" + std::to_string(Number++);
    }
    Text += ";";
    bool Pure = Call.doesNotAccessMemory();
    if (!Pure)
      Add("~{memory}");
    Type *AsmResult = Outputs.empty() ? B.getVoidTy()
                      : Outputs.size() == 1
                          ? Outputs.front()
                          : StructType::get(B.getContext(), Outputs);
    auto *Ty = FunctionType::get(AsmResult, Inputs, false);
    CallInst *Asm = B.CreateCall(
        Ty, InlineAsm::get(Ty, Text, Constraints, /*hasSideEffects=*/!Pure),
        Args);
    Asm->setDoesNotThrow();
    if (Pure)
      Asm->setDoesNotAccessMemory();
    if (Wanted.empty())
      return Asm;
    if (!Result->isStructTy())
      return convert(Asm, Result);
    Value *Whole = PoisonValue::get(Result);
    for (auto [Index, Ty] : enumerate(Wanted)) {
      Value *Element =
          Wanted.size() == 1 ? Asm : B.CreateExtractValue(Asm, Index);
      Whole = B.CreateInsertValue(Whole, convert(Element, Ty), Index);
    }
    return Whole;
  }

  CallInst &Call;
  IRBuilder<> B;
  std::string Opcode;
};

/// Gives every instruction of \p F, the clone of a kernel, the location whose
/// line is its number, and every block the name that says its number.
void addProvenance(Function &F, const KernelNumbering &Numbering,
                   const ValueToValueMapTy &Map) {
  Module &M = *F.getParent();
  StripDebugInfo(M);
  M.setModuleFlag(
      Module::Warning, "Debug Info Version",
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()),
                                               DEBUG_METADATA_VERSION)));
  DIBuilder DI(M);
  DIFile *File = DI.createFile("kernel.ll", ".");
  DI.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), File, "heddle",
                       true, "", 0, "", DICompileUnit::DebugDirectivesOnly);
  DISubprogram *Scope =
      DI.createFunction(File, F.getName(), F.getName(), File, 0,
                        DI.createSubroutineType(DI.getOrCreateTypeArray({})), 0,
                        DINode::FlagZero, DISubprogram::SPFlagDefinition);
  F.setSubprogram(Scope);
  for (unsigned N = 1; N <= Numbering.numInsts(); ++N)
    cast<Instruction>(Map.lookup(Numbering.inst(N)))
        ->setDebugLoc(DILocation::get(F.getContext(), N, 0, Scope));
  DI.finalize();
  tagMemoryAccesses(F);
  for (unsigned N = 0; N != Numbering.numBlocks(); ++N)
    Map.lookup(Numbering.block(N))->setName("B" + Twine(N));
}

/// Names that a block of the kernel bears must be free for the numbers.
void clearNames(Function &F) {
  for (BasicBlock &Block : F)
    Block.setName("");
}

/// cvt.rn.bf16.f32 and fma.rn.bf16 are of sm_80 (PTX ISA).
bool hasBrainFloats(StringRef Arch) {
  unsigned Number = 0;
  return Arch.consume_front("sm_") && !Arch.consumeInteger(10, Number) &&
         Number >= 80;
}

} // namespace

Expected<std::string> emitProvenancePTX(const Function &Kernel,
                                        const KernelNumbering &Numbering,
                                        StringRef Arch) {
  ValueToValueMapTy Map;
  std::unique_ptr<Module> M =
      CloneModule(*Kernel.getParent(), Map, [&](const GlobalValue *GV) {
        return !isa<Function>(GV) || GV == &Kernel;
      });
  auto &F = *cast<Function>(Map.lookup(&Kernel));
  for (Function &Other : make_early_inc_range(*M))
    if (&Other != &F && Other.use_empty())
      Other.eraseFromParent();
  clearNames(F);
  addProvenance(F, Numbering, Map);
  selectFunctions(F);
  selectWords(F);
  if (hasBrainFloats(Arch))
    selectBrainFloats(F);
  SmallVector<CallInst *, 8> Opaque;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isOpaqueCall(*Call))
      Opaque.push_back(Call);
  for (CallInst *Call : Opaque)
    if (Call->getCalledFunction() &&
        Call->getCalledFunction()->getName().starts_with("heddle.print."))
      Call->eraseFromParent(); // no instruction of the machine
    else if (Error E = OpaqueCallRewriter(*Call).rewrite())
      return std::move(E);
  return emitPTX(*M, Arch, std::make_unique<RestoreLocations>());
}

/// %envreg where NVIDIA's OpenCL compiler has what "special.NAME" reads.
static unsigned driverRegister(StringRef Opcode) {
  return Opcode.ends_with(".x")   ? 3
         : Opcode.ends_with(".y") ? 4
         : Opcode.ends_with(".z") ? 5
                                  : 6;
}

namespace {
/// Turns pseudo instructions into calls and collects their declarations.
class AssemblyWriter {
public:
  void add(StringRef Kernel);
  std::string text() const { return Module + Functions + Bodies; }

private:
  std::string call(const PTXStatement &S);
  std::string parameters(ArrayRef<StringRef> Registers) const;

  std::map<std::string, std::string> TypeOf; ///< by "%r" of "%r12"
  StringSet<> Seen;                          ///< what stands outside of bodies
  std::string Module, Functions, Bodies;
};
} // namespace

static std::string withoutNumber(StringRef Register) {
  return Register.rtrim("0123456789").str();
}

/// "(.reg .b32 a, .reg .b64 b)" for such registers.
std::string AssemblyWriter::parameters(ArrayRef<StringRef> Registers) const {
  std::string Text = "(";
  for (auto [N, Register] : enumerate(Registers)) {
    auto It = TypeOf.find(withoutNumber(Register));
    Text += (N ? ", .reg " : ".reg ") +
            (It == TypeOf.end() ? ".b32" : It->second) + " " +
            char('a' + N % 26) + std::to_string(N);
  }
  return Text + ")";
}

/// "math.exp.f32 %d, %a" as "call (%d), math_exp_f32, (%a)".
std::string AssemblyWriter::call(const PTXStatement &S) {
  std::string Name = S.Opcode.str();
  std::replace_if(
      Name.begin(), Name.end(), [](char C) { return !isAlnum(C); }, '_');
  StringRef Results = S.Operands.empty() ? "_" : S.Operands[0];
  SmallVector<StringRef, 2> To;
  if (Results != "_")
    append_range(To, ptx::splitOperands(Results.trim("{}")));
  const ArrayRef<StringRef> From = ArrayRef(S.Operands).drop_front();
  std::string Head = To.empty() ? "" : parameters(To) + " ";
  if (Seen.insert(Name).second)
    Functions +=
        ".extern .func " + Head + Name + " " + parameters(From) + ";\n";
  return "call " + (To.empty() ? "" : "(" + join(To, ", ") + "), ") + Name +
         ", (" + join(From, ", ") + ");";
}

/// Whether the next line belongs to \p Declaration too, as with functions.
static bool goesOn(StringRef Declaration) {
  const StringRef Text = Declaration.trim();
  if (Text.starts_with("//") || !Text.contains(".func"))
    return false;
  return Text.count('{') != Text.count('}') ||
         !(Text.ends_with(";") || Text.ends_with("}"));
}

void AssemblyWriter::add(StringRef Kernel) {
  bool Outside = true;
  std::string Declaration; // its lines so far
  for (StringRef Line : split(Kernel.rtrim(), '\n')) {
    const StringRef Code = Line.trim(" \t;");
    Outside &= !Code.contains(".entry");
    if (Outside) {
      Declaration += (Line + "\n").str();
      if (goesOn(Declaration))
        continue;
      if (StringRef(Declaration).trim(" \t\n;").empty() ||
          Seen.insert(Declaration).second)
        Module += Declaration;
      Declaration.clear();
      continue;
    }
    if (StringRef Declared = Code; Declared.consume_front(".reg ")) {
      auto [Type, Name] = Declared.trim().split(' ');
      TypeOf[Name.trim().split('<').first.str()] = Type.trim().str();
    }
    const StringRef Indent =
        Line.take_until([](char C) { return !isSpace(C); });
    auto S = Code.starts_with(".") ? std::nullopt : parseStatement(Code);
    if (S && S->Name == "special")
      Bodies += (Indent + "mov.u32 " + S->Operands[0] + ", %envreg" +
                 Twine(driverRegister(S->Opcode)) + ";\n")
                    .str();
    else if (S && S->Opcode != "call.uni" && // PTX's own
             (S->Name == "math" || S->Opcode.starts_with("call.") ||
              S->Opcode.starts_with("barrier.grid")))
      Bodies += Indent.str() + call(*S) + "\n";
    else
      Bodies += (Line + "\n").str();
  }
}

std::string assemblyText(ArrayRef<std::string> Kernels) {
  AssemblyWriter Writer;
  for (size_t N = 0; N < Kernels.size(); ++N)
    // Kernels of a PTX file come with all of it.
    if (N == 0 || Kernels[N] != Kernels[0])
      Writer.add(Kernels[N]);
  return Writer.text();
}

} // namespace heddle
