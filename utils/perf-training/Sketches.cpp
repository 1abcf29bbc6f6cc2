//===- Sketches.cpp - Kernels to count branches on ------------------------===//

#include "Sketches.h"

#include <random>

namespace heddle::sketch {

namespace {

constexpr uint64_t RowBytes = 16384;
using Lanes = std::array<uint64_t, 32>;

/// Writes what one warp does.
struct WarpWriter {
  WarpWriter(trace::WarpEncoder &E, uint64_t Block, unsigned Warp)
      : E(E), Thread(Block * Threads + Warp * 32), Warp(Warp), Random(Thread) {}
  void block(unsigned B, uint32_t Mask = ~0u) {
    E.block(B, Mask);
    Live = Mask;
  }
  void global(unsigned Record, uint64_t Base, uint64_t Stride = 4) {
    put(Record, HEDDLE_SPACE_GLOBAL, lanes(Base, Stride));
  }
  void shared(unsigned Record, uint64_t Base, uint64_t Stride = 4) {
    put(Record, HEDDLE_SPACE_SHARED, lanes(Base, Stride));
  }
  void scattered(unsigned Record, HeddleMemorySpace Space, uint64_t Base,
                 unsigned Words) {
    Lanes A{};
    for (uint64_t &Address : A)
      Address = Base + Random() % Words * 4;
    put(Record, Space, A);
  }
  void put(unsigned Record, HeddleMemorySpace Space, const Lanes &A) {
    E.memory(Record, Space, Live, A.data());
  }

  trace::WarpEncoder &E;
  uint64_t Thread;
  unsigned Warp;
  std::mt19937_64 Random;
  uint32_t Live = ~0u;
};

/// Writes a sketch, statement by statement.
struct KernelBuilder {
  CodeBuilder Code;
  std::function<void(WarpWriter &)> Warp;
  void index() { // of the thread, and addresses from it
    Code.add(HEDDLE_OP_SPECIAL, {1}, {});
    Code.add(HEDDLE_OP_SPECIAL, {2}, {});
    Code.add(HEDDLE_OP_MAD, {3}, {1, 2, 1}).Type = HEDDLE_TYPE_I32;
    Code.add(HEDDLE_OP_MAD, {4, 5}, {3, 2}).Type = HEDDLE_TYPE_I64;
    Code.add(HEDDLE_OP_MAD, {6, 7}, {3, 2}).Type = HEDDLE_TYPE_I64;
  }
  void load(uint16_t To, HeddleMemorySpace Space = HEDDLE_SPACE_GLOBAL) {
    Code.memory(HEDDLE_OP_LOAD, Space, {To}, {4, 5});
  }
  void load4(uint16_t To, HeddleMemorySpace Space) {
    wide(Code.memory(HEDDLE_OP_LOAD, Space,
                     {To, uint16_t(To + 1), uint16_t(To + 2), uint16_t(To + 3)},
                     {4, 5}));
  }
  void wide(HeddleInst &I) {
    I.AccessBytes = 16;
    Code.Table.Memory.back().AccessBytes = 16;
    I.Type = HEDDLE_TYPE_B128;
  }
  void store(uint16_t From, HeddleMemorySpace Space = HEDDLE_SPACE_GLOBAL) {
    Code.memory(HEDDLE_OP_STORE, Space, {}, {From, 6, 7});
  }
  void barrier() { Code.add(HEDDLE_OP_BARRIER, {}, {}); }
  void loop() {
    Code.add(HEDDLE_OP_ADD, {8}, {8}).Type = HEDDLE_TYPE_I32;
    Code.add(HEDDLE_OP_COMPARE, {9}, {8}).Type = HEDDLE_TYPE_I32;
    HeddleInst &B = Code.add(HEDDLE_OP_BRANCH, {}, {9});
    B.Type = HEDDLE_TYPE_NONE;
    B.Guarded = 1;
  }
  void exit() { Code.add(HEDDLE_OP_EXIT, {}, {}).Type = HEDDLE_TYPE_NONE; }
  Sketch sketch() const {
    return {Code, [Warp = Warp](trace::WarpEncoder &E, uint64_t B, unsigned W) {
              WarpWriter Writer(E, B, W);
              Warp(Writer);
            }};
  }
};

Sketch tiledProduct() {
  KernelBuilder K;
  K.index();
  K.Code.newBlock(); // 1
  K.load4(10, HEDDLE_SPACE_GLOBAL);
  K.load(14);
  K.wide(K.Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_SHARED, {},
                       {10, 11, 12, 13, 6}));
  K.store(14, HEDDLE_SPACE_SHARED);
  K.barrier();
  K.Code.newBlock(); // 2
  K.load4(20, HEDDLE_SPACE_SHARED);
  K.load4(24, HEDDLE_SPACE_SHARED);
  for (uint16_t I = 0; I < 4; ++I)
    for (uint16_t J = 0; J < 4; ++J)
      K.Code.add(
          HEDDLE_OP_MAD, {uint16_t(30 + 4 * I + J)},
          {uint16_t(20 + I), uint16_t(24 + J), uint16_t(30 + 4 * I + J)});
  K.loop();
  K.Code.newBlock(); // 3
  K.barrier();
  K.loop();
  K.Code.newBlock(); // 4
  K.store(30);
  K.store(34);
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    for (unsigned Tile = 0; Tile < 2; ++Tile) {
      W.block(1);
      W.global(0, (W.Thread / 2048 * 64 + W.Warp) * RowBytes + Tile * 512, 16);
      W.global(1, (1 << 26) + Tile * RowBytes + W.Thread % 2048 * 4);
      W.shared(2, W.Warp * 512, 16);
      W.shared(3, 8192 + W.Warp * 128);
      for (unsigned I = 0; I < 4; ++I) {
        W.block(2);
        W.shared(4, W.Warp * 512 + I * 16, 0);
        Lanes A;
        for (unsigned L = 0; L < 32; ++L)
          A[L] = 8192 + I * 128 + L % 8 * 16;
        W.put(5, HEDDLE_SPACE_SHARED, A);
      }
      W.block(3);
    }
    W.block(4);
    W.global(6, (1 << 27) + W.Thread * 4);
    W.global(7, (1 << 27) + RowBytes + W.Thread * 4);
  };
  return K.sketch();
}

Sketch stream() {
  KernelBuilder K;
  K.index();
  K.Code.newBlock();
  K.load(10);
  K.load(11);
  K.Code.add(HEDDLE_OP_MAD, {12}, {10, 11, 12});
  K.store(12);
  K.loop();
  K.Code.newBlock();
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    for (uint64_t I = 0; I < 4; ++I) {
      uint64_t At = (I * Blocks * Threads + W.Thread) * 4;
      W.block(1);
      W.global(0, At);
      W.global(1, (1 << 26) + At);
      W.global(2, (1 << 27) + At);
    }
    W.block(2);
  };
  return K.sketch();
}

Sketch stencil() {
  KernelBuilder K;
  K.index();
  K.Code.newBlock();
  for (uint16_t I = 0; I < 5; ++I)
    K.load(10 + I);
  for (uint16_t I = 0; I < 4; ++I)
    K.Code.add(HEDDLE_OP_ADD, {20}, {20, uint16_t(10 + I)});
  K.Code.add(HEDDLE_OP_MUL, {21}, {20, 14});
  K.store(21);
  K.loop();
  K.Code.newBlock();
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    for (uint64_t I = 1; I < 4; ++I) {
      uint64_t At = (1 << 16) + I * RowBytes + W.Thread / 4096 * 8 * RowBytes +
                    W.Thread % 4096 * 4;
      W.block(1);
      W.global(0, At);
      W.global(1, At - 4);
      W.global(2, At + 4);
      W.global(3, At - RowBytes);
      W.global(4, At + RowBytes);
      W.global(5, (1 << 27) + At);
    }
    W.block(2);
  };
  return K.sketch();
}

/// Neighbours of the vertices of a graph: each lane has as many as it has.
Sketch graph() {
  KernelBuilder K;
  K.index();
  K.load(10);
  K.load(11);
  K.Code.newBlock();
  K.load(12);
  K.Code.add(HEDDLE_OP_MAD, {4, 5}, {12, 2}).Type = HEDDLE_TYPE_I64;
  K.load(13);
  K.Code.add(HEDDLE_OP_ADD, {14}, {13, 12}).Type = HEDDLE_TYPE_I32;
  K.Code.add(HEDDLE_OP_COMPARE, {9}, {14}).Type = HEDDLE_TYPE_I32;
  K.Code.memory(HEDDLE_OP_REDUCTION, HEDDLE_SPACE_GLOBAL, {}, {9, 14, 6, 7})
      .Guarded = 1;
  K.loop();
  K.Code.newBlock();
  K.store(14);
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    W.global(0, W.Thread * 4);
    W.global(1, W.Thread * 4 + 4);
    Lanes Degree;
    for (uint64_t &D : Degree)
      D = W.Random() % 8;
    uint32_t Mask = ~0u;
    for (unsigned I = 0; I < 8; ++I) {
      for (unsigned L = 0; L < 32; ++L)
        if (Degree[L] <= I)
          Mask &= ~(1u << L);
      if (!Mask)
        break;
      W.block(1, Mask);
      W.scattered(2, HEDDLE_SPACE_GLOBAL, 1 << 24, 1 << 20);
      W.scattered(3, HEDDLE_SPACE_GLOBAL, 1 << 26, 1 << 18);
      if (uint32_t Some = Mask & uint32_t(W.Random()) & uint32_t(W.Random())) {
        W.Live = Some;
        W.scattered(4, HEDDLE_SPACE_GLOBAL, 1 << 26, 1 << 18);
      }
    }
    W.block(2);
    W.global(5, (1 << 27) + W.Thread * 4);
  };
  return K.sketch();
}

Sketch histogram() {
  KernelBuilder K;
  K.index();
  K.Code.newBlock();
  K.load(10);
  K.Code.add(HEDDLE_OP_SHIFT, {11}, {10}).Type = HEDDLE_TYPE_I32;
  K.Code.add(HEDDLE_OP_LOGIC, {12}, {11}).Type = HEDDLE_TYPE_I32;
  K.Code.memory(HEDDLE_OP_REDUCTION, HEDDLE_SPACE_SHARED, {}, {12});
  K.loop();
  K.Code.newBlock();
  K.barrier();
  K.load(13, HEDDLE_SPACE_SHARED);
  K.Code.memory(HEDDLE_OP_REDUCTION, HEDDLE_SPACE_GLOBAL, {}, {13, 6, 7});
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    for (uint64_t I = 0; I < 4; ++I) {
      W.block(1);
      W.global(0, (I * Blocks * Threads + W.Thread) * 4);
      W.scattered(1, HEDDLE_SPACE_SHARED, 0, 256);
    }
    W.block(2);
    W.shared(2, W.Warp * 128);
    W.global(3, (1 << 26) + W.Warp * 128);
  };
  return K.sketch();
}

/// Arithmetic of many kinds, and a branch that some lanes take.
Sketch arithmetic() {
  KernelBuilder K;
  K.index();
  K.load(10);
  K.Code.newBlock();
  K.load(11, HEDDLE_SPACE_CONST);
  for (uint16_t I = 0; I < 6; ++I) {
    K.Code.add(HEDDLE_OP_MUL, {uint16_t(12 + I)}, {10, 11});
    K.Code.add(HEDDLE_OP_SFU, {uint16_t(20 + I)}, {uint16_t(12 + I)});
    K.Code.add(HEDDLE_OP_MAD, {uint16_t(30 + I % 3)},
               {uint16_t(20 + I), 10, uint16_t(30 + I % 3)});
  }
  K.Code.add(HEDDLE_OP_CONVERT, {40}, {30}).Type = HEDDLE_TYPE_I32;
  K.Code.add(HEDDLE_OP_LOGIC, {41}, {40}).Type = HEDDLE_TYPE_I32;
  K.Code.add(HEDDLE_OP_SHIFT, {42}, {41}).Type = HEDDLE_TYPE_I32;
  K.Code.add(HEDDLE_OP_COMPARE, {43}, {42}).Type = HEDDLE_TYPE_I32;
  K.Code.add(HEDDLE_OP_BRANCH, {}, {43}).Type = HEDDLE_TYPE_NONE;
  K.Code.newBlock();
  for (unsigned I = 0; I < 6; ++I)
    K.Code.add(HEDDLE_OP_MAD, {44}, {44, 30, 31});
  K.Code.newBlock();
  K.loop();
  K.Code.newBlock();
  K.store(44);
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    W.global(0, W.Thread * 4);
    for (unsigned I = 0; I < 3; ++I) {
      W.block(1);
      W.put(1, HEDDLE_SPACE_CONST, lanes(I * 4, 0));
      if (uint32_t Some = uint32_t(W.Random()))
        W.block(2, Some);
      W.block(3);
    }
    W.block(4);
    W.global(2, (1 << 27) + W.Thread * 4);
  };
  return K.sketch();
}

/// A sum over the thread block: shuffles, shared memory and barriers.
Sketch reduction() {
  KernelBuilder K;
  K.index();
  K.load(10);
  for (unsigned I = 0; I < 5; ++I) {
    K.Code.add(HEDDLE_OP_SHUFFLE, {11}, {10});
    K.Code.add(HEDDLE_OP_ADD, {10}, {10, 11});
  }
  K.Code.newBlock();
  K.store(10, HEDDLE_SPACE_SHARED);
  K.Code.newBlock();
  K.barrier();
  K.loop();
  K.Code.newBlock();
  K.load(12, HEDDLE_SPACE_SHARED);
  K.Code.add(HEDDLE_OP_ADD, {10}, {10, 12});
  K.store(10, HEDDLE_SPACE_SHARED);
  K.Code.newBlock();
  K.exit();
  K.Warp = [](WarpWriter &W) {
    W.block(0);
    W.global(0, W.Thread * 4);
    W.block(1, 1);
    W.shared(1, W.Warp * 4);
    for (unsigned Step = 4; Step; Step /= 2) {
      W.block(2);
      if (W.Warp < Step) {
        W.block(3, 1);
        W.shared(2, (W.Warp + Step) * 4);
        W.shared(3, W.Warp * 4);
      }
    }
    W.block(4);
  };
  return K.sketch();
}

} // namespace

std::vector<Sketch> sketches() {
  return {tiledProduct(), stream(),     stencil(),  graph(),
          histogram(),    arithmetic(), reduction()};
}

} // namespace heddle::sketch
