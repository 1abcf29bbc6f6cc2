//===- CallStatements.h - Calls and their variables in PTX ------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_CALLSTATEMENTS_H
#define HEDDLE_LIB_PTX_CALLSTATEMENTS_H

#include "heddle/PTX/PTXStatement.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::ptx {

/// Functions of the device's system library that have a meaning here.
bool isKnown(llvm::StringRef Name);

/// Calls that PTXEmitter's assemblyText writes; PTXReader reads them.
bool isOurs(llvm::StringRef Name);

/// \p Text with variables of .param space for the registers and constants that
/// calls pass, and for the registers that functions take. Lines stay.
std::string passInVariables(llvm::StringRef Text);

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

/// "call.uni (retval0), name, (param0, param1)", or
/// "call (retval0), %rd1, (param0), prototype_0"
struct Call {
  PTXStatement S;
  llvm::StringRef Callee;
  bool IsIndirect = false; ///< the callee is a register
  llvm::SmallVector<llvm::StringRef, 1> Results;
  llvm::SmallVector<llvm::StringRef, 8> Arguments;

  static std::optional<Call> of(llvm::StringRef Text);
};

/// Writes numbers for the addresses of functions in \p Text, in moves and in
/// the first contents of variables. Yields the functions in the order of their
/// numbers.
std::vector<std::string>
numberFunctions(std::string &Text,
                llvm::function_ref<bool(llvm::StringRef)> IsFunction);

/// The number that stands for the address of a function; none is null.
uint64_t addressOfTarget(size_t Target);

} // namespace heddle::ptx

#endif // HEDDLE_LIB_PTX_CALLSTATEMENTS_H
