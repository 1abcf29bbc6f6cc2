//===- SavedState.cpp - A simulation that goes on later -------------------===//
//
// Apart from the model's inner loops, which are compiled together.
//
//===----------------------------------------------------------------------===//

#include "timing/SavedState.h"

#include "memory/StateInput.h"
#include "trace/Compression.h"

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/bitset.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/queue.hpp>
#include <cereal/types/vector.hpp>

#include <sstream>
#include <unordered_map>

using namespace heddle;
using namespace heddle::timing;

/// Of header and code, which decide the sizes of most tables.
static trace::TraceIdentity identityOf(const trace::TraceSource &Launch) {
  trace::TraceHasher Hash;
  Hash.add(trace::encodeHeader(Launch.header(), Launch.code()));
  return Hash.digest();
}

/// All but what needs the traces of the blocks.
template <class Archive>
static void serializeParts(Archive &A, const SimulationParts &Parts) {
  const auto &[Launch, Source, Memory, SMs, Blocks, Exchange, Samples,
               LastEnd] = Parts;
  A(Memory, Blocks, Exchange, Samples, LastEnd);
  for (const auto &SM : SMs)
    A(*SM);
}

template <class Archive>
static void serializeCursors(Archive &A, const SimulationParts &Parts) {
  for (const auto &SM : Parts.SMs)
    SM->serializeCursors(A);
}

std::vector<uint8_t> timing::saveState(const SimulationParts &Parts) {
  constexpr int FastLevel = 1;
  std::ostringstream Out;
  cereal::BinaryOutputArchive A(Out);
  A(identityOf(Parts.Launch));
  serializeParts(A, Parts);
  A(Parts.Source.digest());
  serializeCursors(A, Parts);
  const std::string_view Raw = Out.view();
  return trace::compress(
      std::span(reinterpret_cast<const uint8_t *>(Raw.data()), Raw.size()),
      FastLevel);
}

/// Reads the blocks that were given out; those that are still there stay.
static Result<void> readBlocks(const SimulationParts &Parts) {
  std::unordered_map<uint64_t, trace::BlockTrace *> Missing;
  for (const auto &SM : Parts.SMs)
    SM->forEachTrace(
        [&](trace::BlockTrace &Its) { Missing.emplace(Its.Index, &Its); });
  return Parts.Blocks.readGiven([&](trace::BlockTrace &Block) {
    if (const auto At = Missing.find(Block.Index); At != Missing.end())
      *At->second = std::move(Block);
  });
}

Result<void> timing::loadState(const SimulationParts &Parts,
                               std::span<const uint8_t> Bytes) try {
  constexpr uint64_t MostBytes = uint64_t(1) << 36;
  auto Raw = trace::decompress(Bytes, MostBytes);
  if (!Raw)
    return std::unexpected(Raw.error());
  memory::StateInput A(*Raw);
  trace::TraceIdentity Identity, Read;
  A(Identity);
  if (Identity != identityOf(Parts.Launch))
    return fail("the state is that of another launch");
  serializeParts(A, Parts);
  A(Read);
  if (Result<void> R = readBlocks(Parts); !R)
    return R;
  if (Read != Parts.Source.digest())
    return fail("the state is that of a launch with other blocks");
  serializeCursors(A, Parts);
  return {};
} catch (const std::runtime_error &E) { // cereal's and ours
  return fail(std::string("the state is damaged: ") + E.what());
}
