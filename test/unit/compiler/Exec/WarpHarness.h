//===- WarpHarness.h - Runs one warp of hand-written IR ---------*- C++ -*-===//

#ifndef HEDDLE_TEST_UNIT_COMPILER_EXEC_WARPHARNESS_H
#define HEDDLE_TEST_UNIT_COMPILER_EXEC_WARPHARNESS_H

#include "heddle/Exec/Engine.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace heddle::test {

/// A kernel `@k` of IR text, compiled by the JIT, and one warp to run it.
class WarpHarness : public GlobalAddresses {
public:
  struct BlockEvent {
    uint32_t Block, Mask;
    bool operator==(const BlockEvent &) const = default;
  };

  EngineOptions Options;
  HeddleWarp Warp = {};
  std::vector<BlockEvent> Blocks; ///< filled if Observe
  std::vector<uint64_t> BlockCounters, MemoryCounters;
  bool Observe = false;

  uint64_t addressOf(llvm::StringRef) const override { return 0; }

  /// Compiles \p Body, the text of a module without data layout.
  void compile(const std::string &Body) {
    llvm::SMDiagnostic Error;
    Module = llvm::parseAssemblyString(
        "target triple = \"nvptx64-nvidia-cuda\"\n" + Body, Error, Context);
    ASSERT_TRUE(Module) << Error.getMessage().str();
    if (Observe) {
      Options.OnBlock = [](HeddleWarp *W, uint32_t Block, uint32_t Mask) {
        static_cast<WarpHarness *>(W->Observer)
            ->Blocks.push_back({Block, Mask});
      };
      Options.OnMemory = [](HeddleWarp *, uint32_t, uint32_t,
                            const uint64_t *) {};
    }
    auto Made = createJITEngine(*Module->getFunction("k"), *this, Options);
    if (!Made) {
      Refusal = llvm::toString(Made.takeError());
      return;
    }
    Engine = std::move(*Made);
    const HeddleWarpKernel &K = Engine->kernel();
    Frame.reset(new (std::align_val_t(64)) uint8_t[K.FrameBytes + 64]());
    Local.assign(K.LocalBytes * 32 + 16, 0);
    BlockCounters.assign(2 * K.NumBlocks, 0);
    MemoryCounters.assign(HEDDLE_NUM_MEMORY_COUNTERS * K.NumMemoryRecords + 1,
                          0);
    Warp.Frame = Frame.get();
    Warp.Local = Local.data();
    Warp.LocalStride = K.LocalBytes;
    Warp.Shared = Shared;
    Warp.Observer = this;
    Warp.BlockCounters = BlockCounters.data();
    Warp.MemoryCounters = MemoryCounters.data();
    Warp.LiveMask = ~0u;
    Warp.StepsLeft = 100000;
    Warp.BlockDim[0] = 32;
    Warp.BlockDim[1] = Warp.BlockDim[2] = 1;
    Warp.GridDim[0] = Warp.GridDim[1] = Warp.GridDim[2] = 1;
    for (unsigned L = 0; L < 32; ++L)
      Warp.TidX[L] = L;
  }

  template <typename... T> void arguments(T... Values) {
    Params.clear();
    (append(Values), ...);
    Warp.Params = Params.data();
  }

  /// Calls the engine once.
  HeddleWarpStatus run() {
    return HeddleWarpStatus(Engine->kernel().Run(&Warp));
  }

  std::string Refusal;
  alignas(64) uint8_t Shared[4096] = {};

private:
  template <typename T> void append(T V) {
    Params.resize((Params.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    size_t At = Params.size();
    Params.resize(At + sizeof(T));
    std::memcpy(Params.data() + At, &V, sizeof(T));
  }
  struct Free {
    void operator()(uint8_t *P) const {
      ::operator delete[](P, std::align_val_t(64));
    }
  };
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> Module;
  std::unique_ptr<heddle::Engine> Engine;
  std::unique_ptr<uint8_t, Free> Frame;
  std::vector<uint8_t> Local, Params;
};

} // namespace heddle::test

#endif // HEDDLE_TEST_UNIT_COMPILER_EXEC_WARPHARNESS_H
