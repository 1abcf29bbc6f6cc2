//===- PlacedGlobals.cpp - Variables of a module in memory ----------------===//

#include "heddle/Exec/PlacedGlobals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <cstring>

using namespace llvm;

namespace heddle {

namespace {
/// Writes constants as the device would hold them.
class ImageWriter {
public:
  ImageWriter(const DataLayout &DL, const GlobalAddresses &Globals)
      : DL(DL), Globals(Globals) {}

  Error write(const Constant *C, uint8_t *To);

private:
  Error writeElements(const Constant *C, Type *Element, uint64_t Count,
                      uint8_t *To);
  Expected<uint64_t> addressOf(const Constant *C);
  Error refuse(const Constant *C) {
    std::string Text;
    raw_string_ostream(Text) << *C;
    return createStringError("a global variable starts as '" + Text +
                             "', which has no address that a kernel could use");
  }

  const DataLayout &DL;
  const GlobalAddresses &Globals;
};
} // namespace

Expected<uint64_t> ImageWriter::addressOf(const Constant *C) {
  C = cast<Constant>(C->stripPointerCasts());
  if (isa<ConstantPointerNull>(C) || isa<UndefValue>(C))
    return 0;
  if (const auto *GV = dyn_cast<GlobalVariable>(C))
    if (GV->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED)
      return Globals.addressOf(GV->getName());
  if (const auto *GEP = dyn_cast<GEPOperator>(C)) {
    APInt Offset(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
    Expected<uint64_t> Base =
        addressOf(cast<Constant>(GEP->getPointerOperand()));
    if (!Base)
      return Base;
    if (GEP->accumulateConstantOffset(DL, Offset))
      return *Base + Offset.getSExtValue();
  }
  if (const auto *CE = dyn_cast<ConstantExpr>(C))
    if (CE->getOpcode() == Instruction::PtrToInt ||
        CE->getOpcode() == Instruction::IntToPtr ||
        CE->getOpcode() == Instruction::AddrSpaceCast)
      return addressOf(CE->getOperand(0));
  if (const auto *Int = dyn_cast<ConstantInt>(C))
    return Int->getZExtValue();
  return refuse(C);
}

Error ImageWriter::writeElements(const Constant *C, Type *Element,
                                 uint64_t Count, uint8_t *To) {
  uint64_t Stride = DL.getTypeAllocSize(Element);
  for (uint64_t I = 0; I < Count; ++I)
    if (Error E = write(C->getAggregateElement(unsigned(I)), To + I * Stride))
      return E;
  return Error::success();
}

Error ImageWriter::write(const Constant *C, uint8_t *To) {
  if (isa<UndefValue>(C) || C->isNullValue())
    return Error::success();
  Type *T = C->getType();
  if (const auto *Data = dyn_cast<ConstantDataSequential>(C)) {
    StringRef Raw = Data->getRawDataValues();
    std::memcpy(To, Raw.data(), Raw.size());
    return Error::success();
  }
  if (auto *Array = dyn_cast<ArrayType>(T))
    return writeElements(C, Array->getElementType(), Array->getNumElements(),
                         To);
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return writeElements(C, Vector->getElementType(), Vector->getNumElements(),
                         To);
  if (auto *Struct = dyn_cast<StructType>(T)) {
    const StructLayout *Layout = DL.getStructLayout(Struct);
    for (unsigned I = 0; I < Struct->getNumElements(); ++I)
      if (Error E = write(C->getAggregateElement(I),
                          To + Layout->getElementOffset(I)))
        return E;
    return Error::success();
  }
  APInt Bits;
  if (const auto *Int = dyn_cast<ConstantInt>(C)) {
    Bits = Int->getValue();
  } else if (const auto *Float = dyn_cast<ConstantFP>(C)) {
    Bits = Float->getValueAPF().bitcastToAPInt();
  } else {
    Expected<uint64_t> Address = addressOf(C);
    if (!Address)
      return Address.takeError();
    Bits = APInt(64, *Address);
  }
  std::memcpy(To, Bits.getRawData(), DL.getTypeStoreSize(T));
  return Error::success();
}

Expected<PlacedGlobals> PlacedGlobals::place(
    const Module &M,
    function_ref<Expected<uint64_t>(StringRef Name, uint64_t SizeBytes)>
        Allocate) {
  const DataLayout &DL = M.getDataLayout();
  PlacedGlobals Placed;
  SmallVector<const GlobalVariable *, 16> Variables;
  for (const GlobalVariable &GV : M.globals()) {
    unsigned Space = GV.getAddressSpace();
    // llvm.used and the like are the compiler's, not the program's.
    if (Space == NVPTXAS::ADDRESS_SPACE_SHARED ||
        Space == NVPTXAS::ADDRESS_SPACE_LOCAL ||
        GV.getName().starts_with("llvm."))
      continue;
    Expected<uint64_t> Address =
        Allocate(GV.getName(), DL.getTypeAllocSize(GV.getValueType()));
    if (!Address)
      return Address.takeError();
    Placed.Addresses[GV.getName()] = *Address;
    Variables.push_back(&GV);
  }
  ImageWriter Writer(DL, Placed);
  for (const GlobalVariable *GV : Variables)
    if (GV->hasInitializer())
      if (Error E = Writer.write(
              GV->getInitializer(),
              reinterpret_cast<uint8_t *>(Placed.addressOf(GV->getName()))))
        return std::move(E);
  return Placed;
}

} // namespace heddle
