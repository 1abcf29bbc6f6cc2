//===- SynthDialect.cpp - Classes of the dialect, and its text ------------===//

#include "heddle/Dialect/Synth/SynthDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// As many results as the text names.
static ParseResult parseResults(OpAsmParser &Parser,
                                SmallVectorImpl<Type> &Types) {
  Types.assign(Parser.getNumResults(),
               heddle::synth::RegisterType::get(Parser.getContext()));
  return success();
}
static void printResults(OpAsmPrinter &, Operation *, TypeRange) {}

#include "heddle/Dialect/Synth/SynthDialect.cpp.inc"
#include "heddle/Dialect/Synth/SynthEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Synth/SynthTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "heddle/Dialect/Synth/SynthAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "heddle/Dialect/Synth/SynthOps.cpp.inc"

namespace heddle::synth {

void SynthDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Dialect/Synth/SynthTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "heddle/Dialect/Synth/SynthAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Synth/SynthOps.cpp.inc"
      >();
}

BlockOp getBlockOp(mlir::Block &Block) {
  for (Operation &Op : Block) {
    if (auto B = llvm::dyn_cast<BlockOp>(Op))
      return B;
    if (!llvm::isa<ArrayOp, LoopOp, RegisterOp>(Op))
      break;
  }
  return {};
}

LoopOp getLoopOf(mlir::Block &Block) {
  BlockOp B = getBlockOp(Block);
  return B ? B.getLoop() : LoopOp();
}

LoopOp BlockOp::getLoop() {
  Value Loop = getHeaderOf() ? getHeaderOf() : getIn();
  return Loop ? Loop.getDefiningOp<LoopOp>() : LoopOp();
}

LoopOp LoopOp::getParentLoop() {
  return getParent() ? getParent().getDefiningOp<LoopOp>() : LoopOp();
}

unsigned LoopOp::getDepth() {
  unsigned Depth = 0;
  for (LoopOp L = getParentLoop(); L; L = L.getParentLoop())
    ++Depth;
  return Depth;
}

SmallVector<int64_t> LoopOp::getWarpQuantiles() {
  if (getTrips().size() == 1)
    return SmallVector<int64_t>(NumQuantiles, getTrips().front());
  return SmallVector<int64_t>(getTrips());
}

SmallVector<double> LoopOp::getThreadShares() {
  if (!getThreads())
    return getDefaultThreadShares();
  SmallVector<double> Out;
  for (auto Share : getThreads()->getAsRange<FloatAttr>())
    Out.push_back(Share.getValueAsDouble());
  if (Out.size() == 1)
    Out.assign(NumThreadShares, double(Out.front()));
  return Out;
}

SmallVector<double> LoopOp::getDefaultThreadShares() {
  constexpr unsigned Each = NumThreadShares / (NumQuantiles - 1);
  SmallVector<int64_t> Warps = getWarpQuantiles();
  SmallVector<double> Out;
  for (unsigned I = 0; I < NumThreadShares; ++I) {
    const int64_t From = Warps[I / Each], To = Warps[I / Each + 1];
    Out.push_back(From + (To - From) * (I % Each + 0.5) / Each);
  }
  return Out;
}

double LoopOp::getDefaultMean() {
  double Sum = 0;
  for (double Trips : getThreadShares())
    Sum += Trips;
  return Sum / NumThreadShares;
}

// Names that tell what a value is.
void ArrayOp::getAsmResultNames(OpAsmSetValueNameFn Set) {
  Set(getResult(), stringifySpace(getSpace()));
}
void LoopOp::getAsmResultNames(OpAsmSetValueNameFn Set) {
  Set(getResult(), "loop");
}
void RegisterOp::getAsmResultNames(OpAsmSetValueNameFn Set) {
  Set(getResult(), "r");
}
void AccessOp::getAsmResultNames(OpAsmSetValueNameFn Set) {
  Set(getResult(), getStore() ? "to" : "from");
}
void OpOp::getAsmResultNames(OpAsmSetValueNameFn Set) {
  if (getWrites().size() == 1) // what is written in groups is numbered
    Set(getWrites().front(),
        getOpcode().take_until([](char C) { return C == '.'; }));
}

//===----------------------------------------------------------------------===//
// Attributes as text
//===----------------------------------------------------------------------===//

/// One term: INT, KEY or INT * KEY, the key as it is or some of its bits.
static ParseResult parseTerm(AsmParser &Parser, bool Negative,
                             int64_t &Constant, MutableArrayRef<int64_t> Of,
                             SmallVectorImpl<int64_t> &Fields) {
  int64_t Factor = 1;
  OptionalParseResult Number = Parser.parseOptionalInteger(Factor);
  if (Number.has_value() && failed(*Number))
    return failure();
  if (Negative)
    Factor = -Factor;
  if (Number.has_value() && failed(Parser.parseOptionalStar())) {
    Constant += Factor;
    return success();
  }
  SMLoc Where = Parser.getCurrentLocation();
  StringRef Name;
  if (failed(Parser.parseOptionalKeyword(&Name)))
    return Parser.emitError(Where, "expected an integer or one of tid.x ... "
                                   "ctaid.z, i0 ... i3");
  std::optional<Key> K = symbolizeKey(Name);
  if (!K)
    return Parser.emitError(Where)
           << "'" << Name
           << "' is none of tid.x ... ctaid.z, i0 ... i3, on which an offset "
              "may depend";
  if (failed(Parser.parseOptionalLSquare())) {
    Of[unsigned(*K)] += Factor;
    return success();
  }
  int64_t First = 0, End = 0;
  if (Parser.parseInteger(First) || Parser.parseColon() ||
      Parser.parseInteger(End) || Parser.parseRSquare())
    return failure();
  Fields.append({int64_t(*K), First, End - First, Factor});
  return success();
}

/// Whether another term follows; its sign may be part of a number.
static bool parseSign(AsmParser &Parser, bool &Negative) {
  Negative = false;
  if (succeeded(Parser.parseOptionalPlus()))
    return true;
  return Negative = succeeded(Parser.parseOptionalMinus());
}

Attribute FunctionAttr::parse(AsmParser &Parser, Type) {
  int64_t Constant = 0;
  std::array<int64_t, NumKeys> Of = {};
  SmallVector<int64_t> Fields;
  SMLoc Where = Parser.getCurrentLocation();
  if (Parser.parseLess())
    return {};
  bool Negative = succeeded(Parser.parseOptionalMinus());
  do
    if (parseTerm(Parser, Negative, Constant, Of, Fields))
      return {};
  while (parseSign(Parser, Negative));
  if (Parser.parseGreater())
    return {};
  return getChecked([&] { return Parser.emitError(Where); },
                    Parser.getContext(), Constant, Of, Fields);
}

void FunctionAttr::print(AsmPrinter &Printer) const {
  bool First = true;
  auto Term = [&](int64_t Factor, StringRef Key) {
    uint64_t Size = Factor < 0 ? -uint64_t(Factor) : Factor;
    Printer << (First ? (Factor < 0 ? "-" : "") : Factor < 0 ? " - " : " + ");
    if (Key.empty())
      Printer << Size;
    else if (Size != 1)
      Printer << Size << " * ";
    Printer << Key;
    First = false;
  };
  Printer << "<";
  for (auto [K, Factor] : llvm::enumerate(getCoefficients()))
    if (Factor)
      Term(Factor, stringifyKey(Key(K)));
  for (size_t I = 0; I < getFields().size(); I += FieldNumbers) {
    const ArrayRef<int64_t> F = getFields().slice(I, FieldNumbers);
    Term(F[3], stringifyKey(Key(F[0])));
    Printer << "[" << F[1] << ":" << F[1] + F[2] << "]";
  }
  if (getConstant() || First)
    Term(getConstant(), "");
  Printer << ">";
}

LogicalResult
FunctionAttr::verify(llvm::function_ref<InFlightDiagnostic()> Error, int64_t,
                     ArrayRef<int64_t> Coefficients, ArrayRef<int64_t> Fields) {
  if (Coefficients.size() != NumKeys)
    return Error() << "a function has " << NumKeys << " coefficients, not "
                   << Coefficients.size();
  for (size_t I = 0; I < Fields.size(); I += FieldNumbers) {
    if (Fields[I] < 0 || Fields[I] >= int64_t(Key::Iteration0))
      return Error() << "takes bits of a number that is not a thread or block "
                        "index";
    if (Fields[I + 1] < 0 || Fields[I + 2] < 1 ||
        Fields[I + 1] + Fields[I + 2] > 32)
      return Error() << "takes bits " << Fields[I + 1] << " to "
                     << Fields[I + 1] + Fields[I + 2]
                     << " of an index; give the first and the one past the "
                        "last of 32";
  }
  return success();
}

Attribute SharesAttr::parse(AsmParser &Parser, Type) {
  std::array<double, 3> Values = {};
  auto One = [&]() -> ParseResult {
    SMLoc Where = Parser.getCurrentLocation();
    StringRef Name;
    if (Parser.parseKeyword(&Name))
      return failure();
    const int Index = llvm::StringSwitch<int>(Name)
                          .Case("all", 0)
                          .Case("mixed", 1)
                          .Case("lanes", 2)
                          .Default(-1);
    if (Index < 0)
      return Parser.emitError(Where, "expected 'all', 'mixed' or 'lanes'");
    return failure(Parser.parseEqual() || Parser.parseFloat(Values[Index]));
  };
  SMLoc Where = Parser.getCurrentLocation();
  if (Parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, One))
    return {};
  return getChecked([&] { return Parser.emitError(Where); },
                    Parser.getContext(), llvm::APFloat(Values[0]),
                    llvm::APFloat(Values[1]), llvm::APFloat(Values[2]));
}

void SharesAttr::print(AsmPrinter &Printer) const {
  Printer << "<all = ";
  Printer.printFloat(getAll());
  if (getMixed().isNonZero() || getLanes().isNonZero()) {
    Printer << ", mixed = ";
    Printer.printFloat(getMixed());
    Printer << ", lanes = ";
    Printer.printFloat(getLanes());
  }
  Printer << ">";
}

LogicalResult SharesAttr::verify(llvm::function_ref<InFlightDiagnostic()> Error,
                                 llvm::APFloat All, llvm::APFloat Mixed,
                                 llvm::APFloat Lanes) {
  for (const llvm::APFloat &Share : {All, Mixed, Lanes})
    if (double S = Share.convertToDouble(); !(S >= 0 && S <= 1))
      return Error() << "a share lies between 0 and 1, not at " << S;
  constexpr double Rounding = 1e-9;
  if (All.convertToDouble() + Mixed.convertToDouble() > 1 + Rounding)
    return Error() << "the executions in which all lanes go and those in "
                      "which some do are more than all";
  return success();
}

} // namespace heddle::synth
