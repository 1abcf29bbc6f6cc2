//===- PlacedGlobals.h - Variables of a module in memory --------*- C++ -*-===//

#ifndef HEDDLE_EXEC_PLACEDGLOBALS_H
#define HEDDLE_EXEC_PLACEDGLOBALS_H

#include "heddle/Exec/Engine.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>

namespace llvm {
class Module;
}

namespace heddle {

/// The __device__ and __constant__ variables of a module, placed and
/// initialised. Shared variables have no address here (KernelLayout).
class PlacedGlobals : public GlobalAddresses {
public:
  /// Calls \p Allocate for every variable in the order of the module; it
  /// returns the host address of that many zero bytes. Writes initialisers,
  /// pointers to other variables included. Fails for an initialiser that holds
  /// the address of a function, a label or a shared variable.
  static llvm::Expected<PlacedGlobals>
  place(const llvm::Module &M,
        llvm::function_ref<llvm::Expected<uint64_t>(llvm::StringRef Name,
                                                    uint64_t SizeBytes)>
            Allocate);

  uint64_t addressOf(llvm::StringRef Global) const override {
    return Addresses.lookup(Global);
  }

private:
  llvm::StringMap<uint64_t> Addresses;
};

} // namespace heddle

#endif // HEDDLE_EXEC_PLACEDGLOBALS_H
