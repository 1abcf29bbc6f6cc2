//===- LiftedVariables.h - Variables of PTX as globals ----------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_LIFTEDVARIABLES_H
#define HEDDLE_LIB_PTX_LIFTEDVARIABLES_H

#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

namespace heddle {

using SymbolTable = llvm::StringMap<llvm::GlobalVariable *>;

/// The address space that PTX calls \p Name.
unsigned addressSpaceNamed(llvm::StringRef Name);

/// Without the addresses that \p V holds.
llvm::GlobalVariable *addVariable(llvm::Module &M, const ptx::Variable &V);

/// Writes the addresses in \p V, once all variables are there; false if one is
/// of nothing in \p Symbols.
bool writeAddresses(const ptx::Variable &V, const SymbolTable &Symbols);

/// Writes the addresses in variables; the result are those whose contents are
/// not known for an address of something else, and those that lead to them.
llvm::StringSet<> writeAllAddresses(llvm::ArrayRef<ptx::Variable> Variables,
                                    const SymbolTable &Symbols);

/// That the contents of \p Variable are not known.
std::string unknownAddresses(llvm::StringRef Variable);

/// An error where \p K names one of \p Unknown.
llvm::Error checkVariables(const ptx::Kernel &K,
                           const llvm::StringSet<> &Unknown);

/// A 64-bit parameter is a pointer if it is declared so or is what an address
/// conversion takes: only the launch could tell otherwise.
bool pointsToMemory(const ptx::Parameter &P, const ptx::Kernel &K);

} // namespace heddle

#endif // HEDDLE_LIB_PTX_LIFTEDVARIABLES_H
