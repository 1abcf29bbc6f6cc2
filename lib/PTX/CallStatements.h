//===- CallStatements.h - Calls and their variables in PTX ------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_CALLSTATEMENTS_H
#define HEDDLE_LIB_PTX_CALLSTATEMENTS_H

#include "heddle/PTX/PTXStatement.h"

#include <map>

namespace heddle::ptx {

/// A load or store of .param space: "ld.param.v2.f32 {%f1, %f2}, [param0+8]".
struct ParamAccess {
  PTXStatement S;
  llvm::StringRef Base, Value; ///< "param0", "{%f1, %f2}"
  uint64_t Offset = 0, Bytes = 0;
  bool IsLoad = false;

  static std::optional<ParamAccess> of(llvm::StringRef Text);

  llvm::SmallVector<llvm::StringRef, 4> values() const {
    return splitOperands(Value.trim("{} \t"));
  }
};

/// Words of a variable in .param space that statements read or write.
struct Uses {
  std::map<uint64_t, uint64_t> Words; ///< bytes by offset
  bool HasAddress = false; ///< taken, or accessed in a way that is not known

  void add(const ParamAccess &A);
  void add(uint64_t Offset, uint64_t Bytes);
  void add(const Uses &Other);
  bool fitRegisters() const;
};

/// "call.uni (retval0), name, (param0, param1)"
struct Call {
  PTXStatement S;
  llvm::StringRef Callee;
  llvm::SmallVector<llvm::StringRef, 1> Results;
  llvm::SmallVector<llvm::StringRef, 8> Arguments;

  static std::optional<Call> of(llvm::StringRef Text);
};

} // namespace heddle::ptx

#endif // HEDDLE_LIB_PTX_CALLSTATEMENTS_H
