//===- AttributeJSON.cpp - JSON values as attributes ----------------------===//

#include "AttributeJSON.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace json = llvm::json;

namespace heddle::synth {

Attribute toAttribute(MLIRContext *Context, const json::Value &Value) {
  Builder B(Context);
  switch (Value.kind()) {
  case json::Value::Null:
    return B.getUnitAttr();
  case json::Value::Boolean:
    return B.getBoolAttr(*Value.getAsBoolean());
  case json::Value::Number:
    if (auto Int = Value.getAsInteger())
      return B.getI64IntegerAttr(*Int);
    if (auto Int = Value.getAsUINT64())
      return B.getI64IntegerAttr(int64_t(*Int));
    return B.getF64FloatAttr(*Value.getAsNumber());
  case json::Value::String:
    return B.getStringAttr(*Value.getAsString());
  case json::Value::Array: {
    SmallVector<Attribute> All;
    for (const json::Value &V : *Value.getAsArray())
      All.push_back(toAttribute(Context, V));
    return B.getArrayAttr(All);
  }
  case json::Value::Object: {
    SmallVector<NamedAttribute> All;
    for (const auto &[Name, V] : *Value.getAsObject())
      All.push_back(B.getNamedAttr(StringRef(Name), toAttribute(Context, V)));
    return B.getDictionaryAttr(All);
  }
  }
  return {};
}

json::Value toJSON(Attribute Attribute) {
  return llvm::TypeSwitch<mlir::Attribute, json::Value>(Attribute)
      .Case([](BoolAttr A) { return json::Value(A.getValue()); })
      .Case([](IntegerAttr A) { return json::Value(A.getInt()); })
      .Case([](FloatAttr A) { return json::Value(A.getValueAsDouble()); })
      .Case([](StringAttr A) { return json::Value(A.getValue().str()); })
      .Case([](ArrayAttr A) {
        json::Array All;
        for (mlir::Attribute V : A)
          All.push_back(toJSON(V));
        return json::Value(std::move(All));
      })
      .Case([](DictionaryAttr A) {
        json::Object All;
        for (NamedAttribute V : A)
          All[V.getName().strref()] = toJSON(V.getValue());
        return json::Value(std::move(All));
      })
      .Default([](mlir::Attribute) { return json::Value(nullptr); });
}

} // namespace heddle::synth
