//===- AttributeJSON.h - JSON values as attributes --------------*- C++ -*-===//

#ifndef HEDDLE_LIB_SYNTHESIS_ATTRIBUTEJSON_H
#define HEDDLE_LIB_SYNTHESIS_ATTRIBUTEJSON_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

namespace heddle::synth {

/// Integers become i64, other numbers f64, objects dictionaries; null is a
/// unit.
mlir::Attribute toAttribute(mlir::MLIRContext *Context,
                            const llvm::json::Value &Value);

/// The inverse.
llvm::json::Value toJSON(mlir::Attribute Attribute);

} // namespace heddle::synth

#endif // HEDDLE_LIB_SYNTHESIS_ATTRIBUTEJSON_H
