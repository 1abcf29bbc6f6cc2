//===- PTXInstructions.cpp - What a PTX instruction does ------------------===//

#include "heddle/PTX/PTXInstructions.h"

#include "heddle/ABI/AsyncOps.h"
#include "heddle/ABI/BulkOps.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace llvm;

namespace heddle {

static bool isMemory(unsigned Class) {
  return Class == HEDDLE_OP_LOAD || Class == HEDDLE_OP_STORE ||
         Class == HEDDLE_OP_ATOMIC || Class == HEDDLE_OP_REDUCTION;
}

static HeddleMemorySpace spaceOf(ArrayRef<StringRef> Modifiers) {
  for (StringRef M : Modifiers) {
    if (M == "shared::cluster")
      return HEDDLE_SPACE_CLUSTER;
    auto Space = StringSwitch<HeddleMemorySpace>(M.split(':').first)
                     .Case("global", HEDDLE_SPACE_GLOBAL)
                     .Case("shared", HEDDLE_SPACE_SHARED)
                     .Case("local", HEDDLE_SPACE_LOCAL)
                     .Case("const", HEDDLE_SPACE_CONST)
                     .Case("param", HEDDLE_SPACE_PARAM)
                     .Default(HEDDLE_SPACE_NONE);
    if (Space != HEDDLE_SPACE_NONE)
      return Space;
  }
  return HEDDLE_SPACE_GENERIC;
}

static unsigned flagOf(StringRef Modifier, bool IsMemory) {
  return StringSwitch<unsigned>(Modifier)
      .Case("nc", HEDDLE_INST_READ_ONLY)
      .Cases({"cs", "lu", "cg", "cv"}, HEDDLE_INST_STREAMING)
      .Cases({"volatile", "relaxed", "acquire", "release", "mmio"},
             IsMemory ? HEDDLE_INST_VOLATILE : 0)
      .Case("wide", HEDDLE_INST_WIDE)
      .Case("grid", HEDDLE_INST_GRID)
      .Case("uni", HEDDLE_INST_UNIFORM)
      .Default(0);
}

HeddleDataType dataTypeOf(unsigned MatrixType) {
  switch (MatrixType) {
  case HEDDLE_MATRIX_F16:
    return HEDDLE_TYPE_F16;
  case HEDDLE_MATRIX_BF16:
    return HEDDLE_TYPE_BF16;
  case HEDDLE_MATRIX_TF32:
    return HEDDLE_TYPE_TF32;
  case HEDDLE_MATRIX_F64:
    return HEDDLE_TYPE_F64;
  case HEDDLE_MATRIX_B1:
    return HEDDLE_TYPE_B1;
  case HEDDLE_MATRIX_S4:
  case HEDDLE_MATRIX_U4:
    return HEDDLE_TYPE_I4;
  case HEDDLE_MATRIX_S8:
  case HEDDLE_MATRIX_U8:
    return HEDDLE_TYPE_I8;
  default:
    return HEDDLE_TYPE_F8;
  }
}

/// The type of A, the number of products, and whether sums are in f16. Types
/// are those of D, A, B and C; wmma on f16 names D and C alone.
static void describeMatrixProduct(ArrayRef<StringRef> Modifiers,
                                  HeddleInst &Info) {
  HeddleMatrixShape Shape = {};
  SmallVector<StringRef, 4> Types;
  for (StringRef M : Modifiers)
    if (matrixType(M))
      Types.push_back(M);
    else
      parseMatrixShape(M, Shape);
  const StringRef A = Types.size() == 4 ? Types[1] : "f16";
  if (const HeddlePTXType *Type = findType(A))
    Info.Type = Type->Data;
  // Four products of quads of lanes at once.
  const unsigned Times = Shape.K == 4 && A == "f16" ? 4 : 1;
  // Of a sparse matrix half is multiplied.
  const bool IsSparse = Modifiers.front().starts_with("sp");
  Info.Products = Times * Shape.M * Shape.N * Shape.K >> IsSparse;
  if (!Types.empty() && Types.front() == "f16")
    Info.Flags |= HEDDLE_INST_HALF_SUMS;
}

/// wgmma; whether A comes from shared memory its operands say
/// (CodeTableBuilder).
static void describeGroup(StringRef Opcode, ArrayRef<StringRef> Modifiers,
                          HeddleInst &Info) {
  Info.Flags = HEDDLE_INST_ASYNC;
  if (Info.Class == HEDDLE_OP_FENCE) {
    Info.Flags |= HEDDLE_INST_WARP_GROUP;
    return;
  }
  const auto P = parseGroupProduct(Opcode);
  if (!P)
    return;
  describeMatrixProduct(Modifiers, Info);
  Info.Type = dataTypeOf(P->Shape.A);
  Info.Products = P->products();
  Info.AccessBytes = P->sharedBytes();
}

/// mbarrier.ACTION, or cp.async.mbarrier.arrive.
static void describeBarrierAction(ArrayRef<StringRef> Modifiers,
                                  HeddleInst &Info) {
  const auto has = [&](StringRef Word) {
    return is_contained(Modifiers, Word);
  };
  Info.Space =
      has("shared::cluster") ? HEDDLE_SPACE_CLUSTER : HEDDLE_SPACE_SHARED;
  Info.AccessBytes = 8;
  Info.Flags = HEDDLE_INST_ASYNC;
  Info.Products =
      StringSwitch<uint16_t>(Modifiers.front())
          .Case("async", has("noinc") ? HEDDLE_MBARRIER_COPIES_NOINC
                                      : HEDDLE_MBARRIER_COPIES)
          .Case("init", HEDDLE_MBARRIER_INIT)
          .Case("inval", HEDDLE_MBARRIER_INVAL)
          .Case("expect_tx", HEDDLE_MBARRIER_EXPECT)
          .Case("complete_tx", HEDDLE_MBARRIER_COMPLETE)
          .Case("arrive", has("expect_tx") ? HEDDLE_MBARRIER_ARRIVE_EXPECT
                                           : HEDDLE_MBARRIER_ARRIVE)
          .Case("arrive_drop", has("expect_tx") ? HEDDLE_MBARRIER_DROP_EXPECT
                                                : HEDDLE_MBARRIER_DROP)
          .Default(has("parity") ? HEDDLE_MBARRIER_TEST_PARITY
                                 : HEDDLE_MBARRIER_TEST_STATE);
}

/// What the words behind "cp" say of a bulk copy or a fence of them.
static void describeBulk(ArrayRef<StringRef> Modifiers, HeddleInst &Info) {
  const auto has = [&](StringRef Word) {
    return is_contained(Modifiers, Word);
  };
  if (Info.Class == HEDDLE_OP_FENCE) {
    Info.Products = has("commit_group") ? HEDDLE_BULK_COMMIT
                    : has("read")       ? HEDDLE_BULK_WAIT_READ
                                        : HEDDLE_BULK_WAIT;
    return;
  }
  const bool Sends = has("shared::cluster") && has("shared::cta");
  const unsigned Kind = has("prefetch")             ? HEDDLE_BULK_PREFETCH
                        : Sends                     ? HEDDLE_BULK_SEND
                        : has("multicast::cluster") ? HEDDLE_BULK_MULTICAST
                        : has("reduce")             ? HEDDLE_BULK_REDUCE
                        : has("bulk_group")         ? HEDDLE_BULK_STORE
                                                    : HEDDLE_BULK_LOAD;
  if (Sends)
    Info.Space = HEDDLE_SPACE_SHARED; // what it reads
  unsigned Rank = 0;
  if (has("tensor"))
    for (StringRef Word : Modifiers)
      if (Word.size() == 2 && Word[1] == 'd')
        Rank = Word[0] - '0';
  Info.Products = uint16_t(HEDDLE_COPY_BULK + Kind * 8 + Rank);
  Info.AccessBytes = 16;
}

/// Texels of textures have as many bytes as the launch says: one word stands
/// for them. Those of surfaces come behind their number.
static void describeTexture(ArrayRef<StringRef> Modifiers, HeddleInst &Info) {
  Info.Space = Info.Class == HEDDLE_OP_STORE ? HEDDLE_SPACE_GLOBAL
                                             : HEDDLE_SPACE_TEXTURE;
  Info.AccessBytes = 4;
  if (Modifiers.front() != "b") {
    for (StringRef M : Modifiers)
      if (const HeddlePTXType *Type = findType(M);
          Type && Info.Type == HEDDLE_TYPE_NONE)
        Info.Type = Type->Data;
    return;
  }
  unsigned Bytes = 4, Elements = 1;
  for (StringRef M : Modifiers) {
    if (const HeddlePTXType *Type = findType(M)) {
      Info.Type = Type->Data;
      Bytes = Type->Bytes;
    }
    Elements = M == "v2" ? 2 : M == "v4" ? 4 : Elements;
  }
  Info.AccessBytes = uint16_t(Bytes * Elements);
}

std::optional<HeddleInst> describeOpcode(StringRef Opcode) {
  const auto Form = findInstruction(Opcode);
  if (!Form)
    return std::nullopt;
  HeddleInst Info = {};
  Info.Class = Form->Row->Class;
  // A call has no type; what the driver hands over is a word.
  if (Info.Class == HEDDLE_OP_CALL)
    return Info;
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  const StringRef Base = Words.front();
  if (Base == "special") {
    Info.Type = HEDDLE_TYPE_I32;
    return Info;
  }
  const ArrayRef<StringRef> Modifiers = ArrayRef(Words).drop_front();
  if (Base == "wgmma") {
    describeGroup(Opcode, Modifiers, Info);
    return Info;
  }
  if (Base == "setmaxnreg") { // the operand says the rest (CodeTableBuilder)
    Info.Flags = HEDDLE_INST_ASYNC | HEDDLE_INST_WARP_GROUP;
    Info.Products = Modifiers.front() == "inc" ? HEDDLE_REGISTERS_INC
                                               : HEDDLE_REGISTERS_DEC;
    return Info;
  }
  if (Info.Class == HEDDLE_OP_TENSOR) {
    describeMatrixProduct(Modifiers, Info);
    return Info;
  }
  const bool IsMemory = isMemory(Info.Class);
  if (Base == "tex" || Base == "tld4" || Base == "suld" || Base == "sust") {
    describeTexture(Modifiers, Info);
    return Info;
  }
  if (Base == "mbarrier" && Info.Class == HEDDLE_OP_BITS) {
    Info.Type = HEDDLE_TYPE_I64;
    return Info;
  }
  if (Base == "mbarrier" || Opcode.starts_with("cp.async.mbarrier.")) {
    describeBarrierAction(Modifiers, Info);
    return Info;
  }
  if (Base == "cp") { // operands say the rest (CodeTableBuilder)
    Info.Flags = HEDDLE_INST_ASYNC;
    if (IsMemory)
      Info.Space = HEDDLE_SPACE_GLOBAL;
    if (is_contained(Modifiers, "cg") || is_contained(Modifiers, "bulk"))
      Info.Flags |= HEDDLE_INST_STREAMING;
    if (is_contained(Modifiers, "bulk"))
      describeBulk(Modifiers, Info);
    return Info;
  }
  // The result's type comes first in cvt and set, and last elsewhere only one
  // is given; a conversion counts as double where either side is.
  unsigned Bytes = 0;
  for (StringRef M : Modifiers) {
    const HeddlePTXType *Type = findType(M);
    if (Type && (Info.Type == HEDDLE_TYPE_NONE ||
                 Type->Data == HEDDLE_TYPE_F64 || Base == "set")) {
      Info.Type = Type->Data;
      Bytes = Type->Bytes;
    }
    Info.Flags |= flagOf(M, IsMemory);
  }
  if (Base == "ldu")
    Info.Flags |= HEDDLE_INST_UNIFORM;
  if (Info.Class == HEDDLE_OP_BARRIER && Modifiers.front() == "cluster")
    Info.Products = is_contained(Modifiers, "wait") ? HEDDLE_CLUSTER_WAIT
                                                    : HEDDLE_CLUSTER_ARRIVE;
  if (!IsMemory)
    return Info;
  Info.Space = spaceOf(Modifiers);
  for (StringRef M : Modifiers)
    Bytes *= StringSwitch<unsigned>(M)
                 .Case("v2", 2)
                 .Case("v4", 4)
                 .Case("v8", 8)
                 .Default(1);
  // What lanes are dealt of matrices of 128 bytes.
  if (Base == "ldmatrix" || Base == "stmatrix")
    for (StringRef M : Modifiers)
      Bytes *= StringSwitch<unsigned>(M)
                   .Case("x1", 2)
                   .Case("x2", 4)
                   .Case("x4", 8)
                   .Default(1);
  Info.AccessBytes = Bytes;
  return Info;
}

Expansion expansionOf(StringRef Opcode) {
  const auto Form = findInstruction(Opcode);
  return Form ? Expansion{Form->Issued, Form->Temporaries} : Expansion();
}

/// Whether an addition can take \p Opcode's product or shift as its operand.
static bool foldsIntoAdd(StringRef Producer, StringRef Add) {
  if (Add == "add.s64" || Add == "add.u64")
    return Producer.starts_with("mul.wide.") || Producer == "shl.b64";
  if (Add == "add.s32" || Add == "add.u32")
    return Producer == "shl.b32";
  return false;
}

namespace {

/// Where a register of the block was written, and by whom it is read.
struct Definition {
  unsigned Producer;
  SmallVector<unsigned, 4> Adders; ///< instructions that can take it in
};

} // namespace

std::vector<std::vector<unsigned>>
issuedInstructions(const ptx::Kernel &Kernel) {
  DenseMap<unsigned, unsigned> NumUses;
  for (const ptx::Block &B : Kernel.Blocks)
    for (const ptx::Inst &I : B.Insts)
      for (unsigned R : I.Uses)
        ++NumUses[R];
  std::vector<std::vector<unsigned>> Result;
  for (const ptx::Block &B : Kernel.Blocks) {
    std::vector<unsigned> &Issued = Result.emplace_back();
    std::map<unsigned, Definition> Values;
    for (auto [Number, I] : enumerate(B.Insts)) {
      Issued.push_back(expansionOf(I.Opcode).Issued);
      for (unsigned R : I.Uses) {
        auto It = Values.find(R);
        if (It != Values.end() &&
            foldsIntoAdd(B.Insts[It->second.Producer].Opcode, I.Opcode) &&
            (It->second.Adders.empty() || It->second.Adders.back() != Number))
          It->second.Adders.push_back(Number);
      }
      for (unsigned R : I.Defs)
        Values[R] = {unsigned(Number), {}};
    }
    // A product or shift vanishes if every reader takes it in.
    for (auto &[Register, V] : Values) {
      if (V.Adders.empty() || V.Adders.size() != NumUses[Register] ||
          Issued[V.Producer] == 0)
        continue;
      StringRef Producer = B.Insts[V.Producer].Opcode;
      Issued[V.Producer] = 0;
      // IMAD.WIDE adds all 64 bits at once, LEA in two halves like IADD3.
      if (Producer.starts_with("mul.wide."))
        for (unsigned Adder : V.Adders)
          Issued[Adder] = 1;
    }
  }
  return Result;
}

} // namespace heddle
