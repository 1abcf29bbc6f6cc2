//===- PTXModule.h - Variables and entries of a PTX file --------*- C++ -*-===//
//
// What stands outside the bodies of kernels: the target, variables with their
// first contents, and the parameters of each entry. PTXReader reads the bodies.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_PTXMODULE_H
#define HEDDLE_PTX_PTXMODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::ptx {

/// An address in the initialiser of a variable: "generic(name)+8", "name".
struct InitialAddress {
  uint64_t OffsetBytes = 0; ///< where the variable holds it, in 8 bytes
  std::string Symbol;
  int64_t AddendBytes = 0;
  bool IsGeneric = false;
  bool operator==(const InitialAddress &) const = default;
};

/// ".const .align 4 .b8 table[36] = {1, 0, ...};"
struct Variable {
  std::string Name;
  std::string Space; ///< "global", "const", "shared" or "local"
  uint64_t AlignBytes = 1;
  uint64_t SizeBytes = 0;    ///< 0: `.extern .shared`, its size comes at launch
  std::vector<uint8_t> Init; ///< empty or SizeBytes bytes
  std::vector<InitialAddress> Addresses; ///< Init has zeros there
  /// Its initialiser has addresses in a form that is not read (a half of one);
  /// kernels that name it are not lifted.
  bool HoldsUnreadAddresses = false;
};

/// ".param .u64 .ptr .global .align 4 saxpy_param_2"
struct Parameter {
  std::string Name;
  std::string Type;        ///< "u64", "f32"; "b8" for a struct by value
  uint64_t AlignBytes = 0; ///< of a struct
  uint64_t SizeBytes = 0;
  bool IsStruct = false;
  bool IsPointer = false;   ///< .ptr, see below
  std::string PointerSpace; ///< "global", "shared", ...; empty if not said
};

struct Entry {
  std::string Name;
  unsigned Line = 0;
  std::vector<Parameter> Parameters;
  bool NeedsCluster = false; ///< .explicitcluster
  /// Attributes of LLVM for what directives say, with their numbers: "2,1,1".
  std::vector<std::pair<std::string, std::string>> Bounds;
};

struct Module {
  std::string Target; ///< "sm_70"
  std::vector<Variable> Variables;
  std::vector<Entry> Entries;
};

/// The variables that one declaration, without its semicolon, names: at least
/// one. The error says what is wrong, without a place.
llvm::Expected<std::vector<Variable>>
parseVariables(llvm::StringRef Declaration);

/// Reads "{{1, 2}, {3}}" into \p V, an array of \p Sizes (the first is 0 where
/// the initialiser says it) whose elements have the type \p Type ("u32").
llvm::Error readInitialiser(llvm::StringRef Text, llvm::StringRef Type,
                            llvm::ArrayRef<uint64_t> Sizes, Variable &V);

/// One parameter of an entry or a function.
llvm::Expected<Parameter> parseParameter(llvm::StringRef Text);

/// True if \p Statement begins with a state space that variables live in.
bool declaresVariable(llvm::StringRef Statement);

/// Reads all but the bodies. Errors give the line of the PTX.
llvm::Expected<Module> readModule(llvm::StringRef Text);

} // namespace heddle::ptx

#endif // HEDDLE_PTX_PTXMODULE_H
