//===- SelectAsync.cpp - mbarriers, copies of the engine, wgmma -----------===//
//
// What ptxas 13.0 makes for sm_90a of kernels with one such operation each, and
// of test/kernels: names and numbers of instructions. Operands of the copy
// engine and descriptors of wgmma are in uniform registers; what the lanes have
// comes there by R2UR. Assumed: the loop that ptxas writes around a copy, once
// for each lane that copies, runs once.
//
//===----------------------------------------------------------------------===//

#include "Selector.h"

#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::machine {

/// The words of an opcode behind its first.
static SmallVector<StringRef, 12> modifiersOf(const ptx::Inst &I) {
  SmallVector<StringRef, 12> Words;
  StringRef(I.Opcode).split(Words, '.');
  Words.erase(Words.begin());
  return Words;
}

bool isBarrierAction(StringRef Opcode) {
  return (Opcode.starts_with("mbarrier.") &&
          !Opcode.starts_with("mbarrier.pending_count")) ||
         Opcode.starts_with("cp.async.mbarrier.");
}

bool isBulkCopy(StringRef Opcode) {
  return (Opcode.starts_with("cp.async.bulk.") &&
          !Opcode.starts_with("cp.async.bulk.commit") &&
          !Opcode.starts_with("cp.async.bulk.wait")) ||
         Opcode.starts_with("cp.reduce.async.bulk.");
}

bool isGroupProduct(StringRef Opcode) {
  return Opcode.starts_with("wgmma.mma_async.");
}

/// \p O in a register of the lanes, whatever it is.
Value Selector::inLanes(const Operand &O, unsigned Width) {
  if (O.Register && Ops.placeOf(Ops.resolve(O.Register)) == Place::Register)
    return Ops.resolve(O.Register);
  const StringRef Name =
      O.Register ? StringRef(PTX.Registers[O.Register].Name) : O.Text;
  return constant(Name, Width, O.Where == Place::Bank);
}

/// The names and registers that stand in brackets or braces of \p I, or alone,
/// its results left out.
static SmallVector<StringRef, 12> sourcesOf(ArrayRef<Operand> Sources) {
  SmallVector<StringRef, 12> Out;
  for (const Operand &O : Sources) {
    SmallVector<StringRef, 8> Parts;
    SplitString(O.Text, Parts, " ,[]{}\t");
    for (StringRef Part : Parts)
      if (Part != "_")
        Out.push_back(Part.split('+').first);
  }
  return Out;
}

/// \p Name, a register or a constant, in uniform registers of 32 bits each. An
/// address of shared memory has one of them.
Value Selector::inUniform(StringRef Name, bool IsShared) {
  Value From = Ops.registerNamed(*Now, Name);
  if (From)
    From = Ops.resolve(From);
  if (From && Uniform[From])
    return From;
  if (From && Ops.placeOf(From) == Place::Register) {
    const unsigned Width = IsShared ? 1 : std::max(1u, Ops.width(From));
    const Value To = C.addValue(Width, true);
    for (unsigned N = 0; N != Width; ++N)
      emit("R2UR", {To}, {From}).Partial |= N != 0;
    return To;
  }
  const Value To = C.addValue(1, true);
  const bool IsBank =
      From ? Ops.placeOf(From) == Place::Bank : Name.starts_with("%");
  emit(IsBank ? "ULDC" : "UMOV", {To}, {});
  return To;
}

/// The access \p Name to what \p I accesses.
Inst &Selector::emitAsync(const ptx::Inst &I, StringRef Name,
                          ArrayRef<Value> Defs, ArrayRef<Value> Uses) {
  Inst &Out = emit(Name, Defs, Uses);
  Out.IsAccess = true;
  Out.Bytes = describeOpcode(I.Opcode)->AccessBytes;
  return Out;
}

/// mbarriers of sm_80 to sm_89 are words that atomics change and loads test.
void Selector::barrierInMemory(const ptx::Inst &I, Value Address,
                               ArrayRef<Value> Given) {
  const StringRef Opcode = I.Opcode;
  SmallVector<Value, 4> Uses(Given);
  Uses.insert(Uses.begin(), Address);
  if (Opcode.contains("init")) {
    const Value Counts = C.addValue(2);
    emit("IADD3", {Counts}, Given);
    emit("IADD3", {Counts}, Given).Partial = true;
    emitAsync(I, "STS.64", {}, {Address, Counts});
  } else if (Opcode.contains("_wait")) {
    const Value Word = C.addValue(1), Parity = C.addValue(1);
    emit("SHF.L.U32", {Parity}, Given);
    emitAsync(I, "LDS", {Word}, {Address});
    emit("LOP3.LUT", I.Defs, {Word, Parity});
  } else if (Opcode.contains("inval")) {
    emitAsync(I, "NOP", {}, {});
  } else if (Opcode.starts_with("cp.async")) {
    emit("R2UR", {C.addValue(1, true)}, {Address});
    emitAsync(I, "ARRIVES.LDGSTSBAR.64", {}, {Address});
  } else {
    emit("MEMBAR.ALL.CTA", {}, {});
    if (Opcode.contains("arrive_drop"))
      emit("ATOMS.POPC.INC.32", {}, {Address});
    emitAsync(I, "ATOMS.ARRIVE.64", I.Defs, Uses);
  }
}

/// SYNCS of \p I, which arrives at an mbarrier or changes its bytes.
static std::string arrivalName(ArrayRef<StringRef> Words, bool HasCount) {
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  std::string Name = "SYNCS.ARRIVE.TRANS64";
  if (Has("arrive_drop"))
    Name += ".OPTOUT";
  const bool Arrives = Has("arrive") || Has("arrive_drop");
  if (!Arrives || Has("shared::cluster"))
    Name += ".RED";
  if (!Arrives)
    Name += Has("expect_tx") ? ".A0TR" : ".A0TX";
  else if (!Has("expect_tx"))
    Name += HasCount ? ".ART0" : ".A1T0";
  return Name;
}

/// Whether \p O is the constant 1, in a register of the PTX or not.
bool Selector::isOne(const Operand &O) const {
  const ptx::Inst *From = O.Register ? Ops.definitionOf(O.Register) : nullptr;
  if (!O.Register || O.Where != Place::Immediate || !From)
    return O.Text == "1";
  return StringRef(From->Opcode).starts_with("mov.") &&
         Ops.of(*From).back().Text == "1";
}

/// One SYNCS with what ptxas writes around it.
void Selector::barrierAction(const ptx::Inst &I) {
  const SmallVector<StringRef, 12> Words = modifiersOf(I);
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  const SmallVector<Operand, 4> All = Ops.of(I);
  Value Address = 0;
  SmallVector<Value, 4> Given;
  for (const Operand &O : All) {
    if (O.Text.starts_with("[")) {
      if (const Value R = Ops.addressOf(I).first;
          R && Ops.placeOf(R) == Place::Register)
        Address = Ops.resolve(R);
      continue;
    }
    if (&O == &All.front()) // the result
      continue;
    // One arrival is what it counts without a number.
    if (Has("arrive") && !Has("expect_tx") && isOne(O))
      continue;
    Given.push_back(inLanes(O, O.Register ? Ops.width(O.Register) : 1));
  }
  if (Arch.Number < 90) {
    barrierInMemory(I, Address, Given);
    return;
  }
  SmallVector<Value, 4> Uses(Given);
  Uses.insert(Uses.begin(), Address);
  if (Has("init")) {
    const Value Counts = C.addValue(2, true);
    emit("UIADD3", {Counts}, Given);
    emit("USHF.L.U32", {Counts}, {Counts}).Partial = true;
    emit("USHF.L.U32", {Counts}, {Counts}).Partial = true;
    emitAsync(I, "SYNCS.EXCH.64", {}, {Address, Counts});
  } else if (Has("inval")) {
    emitAsync(I, "SYNCS.CCTL.IV", {}, {Address});
  } else if (Has("test_wait") || Has("try_wait")) {
    if (Has("parity")) {
      const Value Parity = C.addValue(1);
      emit("SHF.L.U32", {Parity}, {Uses[1]});
      Uses[1] = Parity;
    }
    emitAsync(I,
              Has("try_wait") ? "SYNCS.PHASECHK.TRANS64.TRYWAIT"
                              : "SYNCS.PHASECHK.TRANS64",
              I.Defs, Uses);
  } else if (Words.front() == "async") {
    const Value There = C.addValue(1, true);
    emit("R2UR", {There}, {Address});
    if (!Has("noinc"))
      emit("SYNCS.ARRIVE.TRANS64.RED.A0T1", {}, {There});
    emitAsync(I,
              Has("noinc") ? "ARRIVES.LDGSTSBAR.64.ARVCNT"
                           : "ARRIVES.LDGSTSBAR.64.TRANSCNT",
              {}, {There});
  } else {
    if (Has("cluster") && !Has("relaxed"))
      for (StringRef Name :
           {"MEMBAR.ALL.CTA", "MEMBAR.ALL.GPU", "ERRBAR", "CGAERRBAR"})
        emit(Name, {}, {});
    emitAsync(I, arrivalName(Words, !Given.empty()), I.Defs, Uses);
  }
}

static std::string bulkName(const ptx::Inst &I) {
  const SmallVector<StringRef, 12> Words = modifiersOf(I);
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  const bool Stores = Has("bulk_group"), Reduces = Has("reduce");
  std::string Name;
  if (!Has("tensor")) {
    if (Has("prefetch"))
      return "UBLKPF.L2";
    if (Reduces)
      return "UBLKRED.G.S";
    Name = Stores                                         ? "UBLKCP.G.S"
           : Has("shared::cta") && Has("shared::cluster") ? "UBLKCP.S.S"
                                                          : "UBLKCP.S.G";
  } else {
    Name = Has("prefetch") ? "UTMAPF.L2"
           : Reduces       ? "UTMAREDG"
           : Stores        ? "UTMASTG"
                           : "UTMALDG";
    for (StringRef Word : Words)
      if (Word.size() == 2 && Word[1] == 'd')
        Name += "." + Word.upper();
    if (Has("im2col") || Has("im2col_no_offs"))
      Name += ".IM2COL";
  }
  if (Has("multicast::cluster"))
    Name += ".MULTICAST";
  return Name;
}

/// One of UBLKCP, UTMALDG and their like, in the loop of ptxas over the lanes
/// that copy. Bytes and masks are packed in front of it.
void Selector::bulkCopy(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const Value Any = C.addValue(0), Elected = C.addValue(0);
  if (!Opcode.contains(".tensor") || Opcode.contains(".multicast")) {
    const Value Packed = C.addValue(1);
    if (!Opcode.contains(".tensor"))
      emit("SHF.R.U32.HI", {Packed}, {});
    emit("PRMT", {Packed}, {});
  }
  emit("PLOP3.LUT", {Any}, {});
  emit("ELECT", {Elected}, {Any});
  SmallVector<Value, 12> Uses;
  const bool Writes = Opcode.contains(".bulk_group"),
             Prefetches = Opcode.contains(".prefetch");
  const SmallVector<Operand, 4> All = Ops.of(I);
  for (auto [N, O] : enumerate(All))
    for (StringRef Name : sourcesOf(O)) {
      const bool IsShared =
          !Prefetches && O.Text.starts_with("[") && (Writes ? N == 1 : N != 1);
      if (const Value V = inUniform(Name, IsShared); !is_contained(Uses, V))
        Uses.push_back(V);
    }
  emit("PLOP3.LUT", {Any}, {Elected});
  emit("PLOP3.LUT", {Elected}, {});
  emitAsync(I, bulkName(I), {}, Uses);
  emit("BRA.U.ANY", {}, {Any});
}

static std::string groupName(const ptx::Inst &I) {
  SmallVector<StringRef, 12> Words = modifiersOf(I);
  // mma_async sync aligned SHAPE [satfinite] SUM LEFT RIGHT ...
  StringRef Shape = Words[3].drop_front(); // 64nNkK
  erase(Words, "satfinite");
  const StringRef Sum = Words[4], Left = Words[5], Right = Words[6];
  const StringRef Unit = Left == "b1"                       ? "BGMMA"
                         : Left == "s8" || Left == "u8"     ? "IGMMA"
                         : Left == "e4m3" || Left == "e5m2" ? "QGMMA"
                                                            : "HGMMA";
  std::string Name = (Unit + "." + Shape).str();
  for (char &Letter : Name)
    if (Letter == 'n' || Letter == 'k')
      Letter = 'x';
  if (Unit == "HGMMA" || Unit == "QGMMA")
    Name += "." + Sum.upper();
  if (Unit == "HGMMA")
    return Left == "f16" ? Name : Name + "." + Left.upper();
  return Unit == "BGMMA" ? Name
                         : Name + "." + Left.upper() + "." + Right.upper();
}

/// One product of a warp group. Its sums stay in their registers, and what
/// reads them stands behind a wait, which nothing passes.
void Selector::groupProduct(const ptx::Inst &I) {
  const SmallVector<Operand, 4> All = Ops.of(I);
  SmallVector<Value, 8> Uses;
  for (const Operand &O : ArrayRef<Operand>(All).slice(1, 2)) {
    if (!O.Text.starts_with("{")) { // a descriptor
      Uses.push_back(inUniform(O.Text, false));
      continue;
    }
    for (StringRef Name : sourcesOf(O))
      if (const Value R = Ops.registerNamed(I, Name))
        Uses.push_back(inLanes({Name, R, Ops.placeOf(R)}, 1));
  }
  const Operand Adds = All.size() > 3 ? All[3] : Operand();
  if (Adds.Register && Ops.placeOf(Adds.Register) == Place::Register)
    Uses.push_back(Ops.resolve(Adds.Register));
  const auto Never = integer(Adds.Text);
  if (!Never || *Never)
    append_range(Uses, I.Defs);
  emit(groupName(I), I.Defs, Uses);
}

/// Fences of warp groups and changes of their registers: nothing moves across
/// them. A commit is a bit of the product before it; a NOP holds its place.
void Selector::groupFence(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  if (Opcode.starts_with("setmaxnreg.inc")) {
    const Value Got = C.addValue(0);
    emit("USETMAXREG.TRY_ALLOC.CTAPOOL", {}, {}).EndsRegion = true;
    emit("PLOP3.LUT", {Got}, {});
    emit("BRA", {}, {Got});
    return;
  }
  emit(Opcode.starts_with("setmaxnreg")  ? "USETMAXREG.DEALLOC.CTAPOOL"
       : Opcode.contains("commit_group") ? "NOP"
       : Opcode.contains("wait_group")   ? "WARPGROUP.DEPBAR.LE"
                                         : "WARPGROUP.ARRIVE",
       {}, {})
      .EndsRegion = true;
}

/// False for what is none of these operations.
bool Selector::asynchronous(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  if (isBarrierAction(Opcode) && Arch.Number >= 80)
    barrierAction(I);
  else if (Arch.Number < 90)
    return false;
  else if (isBulkCopy(Opcode))
    bulkCopy(I);
  else if (isGroupProduct(Opcode))
    groupProduct(I);
  else if (Opcode.starts_with("wgmma.") || Opcode.starts_with("setmaxnreg."))
    groupFence(I);
  else
    return false;
  return true;
}

} // namespace heddle::machine
