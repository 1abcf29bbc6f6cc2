//===- L2ContentsTest.cpp -------------------------------------------------===//

#include "memory/MemorySystem.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

#include <random>

using namespace heddle;
using namespace heddle::memory;

namespace {

struct Machine {
  const char *Name;
  std::vector<std::string> Sets;
};
// With two halves, with dirty lines in order, with ways that chance chooses.
const Machine Machines[] = {
    {"reference-qv100", {}},
    {"a100", {}},
    {"v100", {"l2.replacement=not-recent", "l2.dirty_share=0.05"}},
};

arch::GPUSpec load(const Machine &M) {
  auto Spec = arch::loadMachine(M.Name, M.Sets);
  EXPECT_TRUE(Spec) << (Spec ? "" : Spec.error().Message);
  return *Spec;
}

/// Sends reads and writes over twice the size of L2 to \p M, and returns its
/// responses as text.
std::string traffic(MemorySystem &M, const arch::GPUSpec &Spec, unsigned Seed) {
  std::mt19937 Random(Seed);
  std::vector<MemoryRequest> Requests;
  for (unsigned I = 0; I != 30000; ++I) {
    MemoryRequest R;
    R.Line = Random() % (2 * Spec.L2.TotalSize / Spec.L2.Line) * Spec.L2.Line;
    R.Sent = I / 4;
    R.SM = uint16_t(I % 4);
    R.Sequence = I;
    R.SectorMask = 1;
    R.Kind = Random() % 2 ? RequestKind::Read : RequestKind::Write;
    Requests.push_back(R);
  }
  std::string Out;
  size_t At = 0;
  for (Cycle End = 0; At != Requests.size() || !M.idle();) {
    End += M.minRoundTrip();
    const size_t From = At;
    while (At != Requests.size() && Requests[At].Sent < End)
      ++At;
    std::vector<MemoryResponse> Responses;
    M.process(std::span(Requests).subspan(From, At - From), End, Responses);
    for (const MemoryResponse &R : Responses)
      Out += std::to_string(R.SM) + ":" + std::to_string(R.Due) + " ";
  }
  return Out;
}

L2Contents used(const arch::GPUSpec &Spec) {
  MemorySystem M(Spec);
  traffic(M, Spec, 1);
  return {M.takeL2(), "kernel", 640};
}

TEST(L2Contents, GoOnAsIfNeverSaved) {
  for (const Machine &Which : Machines) {
    const arch::GPUSpec Spec = load(Which);
    L2Contents Before = used(Spec);
    const uint64_t Fingerprint = Before.fingerprint();
    auto After = L2Contents::decode(Before.encode(), Fingerprint, Spec);
    ASSERT_TRUE(After) << After.error().Message;
    EXPECT_EQ(After->Kernel, "kernel");
    EXPECT_EQ(After->CodeBytes, 640u);

    auto GoOn = [&Spec](L2Contents &L2) {
      MemorySystem M(Spec);
      M.putL2(std::move(L2.Slices));
      std::string Responses = traffic(M, Spec, 2);
      L2.Slices = M.takeL2();
      return Responses;
    };
    EXPECT_EQ(GoOn(Before), GoOn(*After)) << Which.Name;
    EXPECT_EQ(Before.fingerprint(), After->fingerprint()) << Which.Name;
    EXPECT_NE(Before.fingerprint(), Fingerprint);
  }
}

TEST(L2Contents, OtherBytesAreRefused) {
  const arch::GPUSpec Spec = load(Machines[2]);
  const L2Contents L2 = used(Spec);
  const uint64_t Fingerprint = L2.fingerprint();
  const std::vector<uint8_t> Bytes = L2.encode();
  auto Decodes = [&](const std::vector<uint8_t> &Bytes, uint64_t Fingerprint,
                     const arch::GPUSpec &Spec) {
    return L2Contents::decode(Bytes, Fingerprint, Spec).has_value();
  };
  EXPECT_TRUE(Decodes(Bytes, Fingerprint, Spec));
  EXPECT_FALSE(Decodes(Bytes, Fingerprint + 1, Spec));
  EXPECT_FALSE(Decodes(Bytes, Fingerprint, load(Machines[1])));
  EXPECT_FALSE(Decodes({}, Fingerprint, Spec));
  for (size_t At = 0; At < Bytes.size(); At += Bytes.size() / 50) {
    std::vector<uint8_t> Damaged = Bytes;
    Damaged[At] ^= 4;
    EXPECT_FALSE(Decodes(Damaged, Fingerprint, Spec)) << At;
    Damaged.assign(Bytes.begin(), Bytes.begin() + std::ptrdiff_t(At));
    EXPECT_FALSE(Decodes(Damaged, Fingerprint, Spec)) << At;
  }
}

} // namespace
