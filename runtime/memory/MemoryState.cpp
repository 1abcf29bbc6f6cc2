//===- MemoryState.cpp - Saves and loads a MemorySystem -------------------===//
//
// Apart from the model's inner loops, which are compiled together.
//
//===----------------------------------------------------------------------===//

#include "memory/MemorySystemImpl.h"
#include "memory/StateInput.h"

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/vector.hpp>

namespace heddle::memory {

template <class Archive> void MemorySystem::serialize(Archive &A) { A(*I); }

template void MemorySystem::serialize(cereal::BinaryOutputArchive &);
template void MemorySystem::serialize(StateInput &);

} // namespace heddle::memory
