// Cooperative groups: blocks, tiles of a warp, coalesced lanes and the grid.

#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_H

#include "own_names.def"

#include "device_functions.h"
#include "device_variables.h"

#define _CG_HAS_FP16_COLLECTIVE
#define __HEDDLE_GROUP __attribute__((device, always_inline, nodebug)) inline

/// Waits for all blocks of the grid; built into the engines.
extern "C" __attribute__((device)) void
__heddle_grid_sync() __asm__("heddle.barrier.grid.sync");

namespace cooperative_groups {
namespace __heddle {
__HEDDLE_GROUP unsigned threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__HEDDLE_GROUP unsigned rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__HEDDLE_GROUP unsigned lane() { return rank() & 31; }
} // namespace __heddle

class thread_block {
public:
  __HEDDLE_GROUP static void sync() { __syncthreads(); }
  __HEDDLE_GROUP static unsigned thread_rank() { return __heddle::rank(); }
  __HEDDLE_GROUP static unsigned size() { return __heddle::threads(); }
  __HEDDLE_GROUP static unsigned num_threads() { return __heddle::threads(); }
  __HEDDLE_GROUP static dim3 group_index() { return blockIdx; }
  __HEDDLE_GROUP static dim3 thread_index() { return threadIdx; }
  __HEDDLE_GROUP static dim3 group_dim() { return blockDim; }
  __HEDDLE_GROUP static dim3 dim_threads() { return blockDim; }
  struct arrival_token {};
  __HEDDLE_GROUP static arrival_token barrier_arrive() { return {}; }
  __HEDDLE_GROUP static void barrier_wait(arrival_token) { __syncthreads(); }
};
__HEDDLE_GROUP thread_block this_thread_block() { return {}; }
/// For tiles of several warps; ours use none, from sm_80 on CUDA's neither.
template <unsigned MaxBlockSize = 1024> struct alignas(8) block_tile_memory {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  char scratch[32 + MaxBlockSize / 32 * 8];
#endif
};
template <unsigned Size>
__HEDDLE_GROUP thread_block this_thread_block(block_tile_memory<Size> &) {
  return {};
}

#include "grid_groups.h"
__HEDDLE_GROUP multi_grid_group this_multi_grid() { return {}; }

/// Values of any size move in words.
#define __HEDDLE_MOVE(name, call)                                              \
  template <typename T>                                                        \
  __HEDDLE_GROUP T name(unsigned mask, T v, int lane, int width) {             \
    constexpr unsigned words = (sizeof(T) + 3) / 4;                            \
    unsigned bits[words] = {};                                                 \
    __builtin_memcpy(bits, &v, sizeof(T));                                     \
    for (unsigned i = 0; i < words; ++i)                                       \
      bits[i] = call(mask, bits[i], lane, width);                              \
    __builtin_memcpy(&v, bits, sizeof(T));                                     \
    return v;                                                                  \
  }
namespace __heddle {
__HEDDLE_MOVE(shfl, __shfl_sync)
__HEDDLE_MOVE(shfl_up, __shfl_up_sync)
__HEDDLE_MOVE(shfl_down, __shfl_down_sync)
__HEDDLE_MOVE(shfl_xor, __shfl_xor_sync)
} // namespace __heddle
#undef __HEDDLE_MOVE

/// Lanes of one warp, given by their mask.
class coalesced_group {
  unsigned lanes;
  __HEDDLE_GROUP int laneOf(unsigned rank) const {
    unsigned left = lanes;
    for (unsigned i = 0; i < rank; ++i)
      left &= left - 1;
    return __ffs((int)left) - 1;
  }

public:
  __HEDDLE_GROUP explicit coalesced_group(unsigned mask) : lanes(mask) {}
  __HEDDLE_GROUP unsigned mask() const { return lanes; }
  __HEDDLE_GROUP void sync() const { __syncwarp(lanes); }
  __HEDDLE_GROUP unsigned size() const { return (unsigned)__popc(lanes); }
  __HEDDLE_GROUP unsigned num_threads() const { return size(); }
  __HEDDLE_GROUP unsigned thread_rank() const {
    return (unsigned)__popc(lanes & __lanemask_lt());
  }
  __HEDDLE_GROUP unsigned meta_group_size() const { return 1; }
  __HEDDLE_GROUP unsigned meta_group_rank() const { return 0; }
  template <typename T> __HEDDLE_GROUP T shfl(T v, unsigned rank) const {
    return __heddle::shfl(lanes, v, laneOf(rank), 32);
  }
  template <typename T> __HEDDLE_GROUP T shfl_down(T v, unsigned delta) const {
    unsigned to = thread_rank() + delta;
    return __heddle::shfl(lanes, v, laneOf(to < size() ? to : thread_rank()),
                          32);
  }
  template <typename T> __HEDDLE_GROUP T shfl_up(T v, unsigned delta) const {
    unsigned rank = thread_rank();
    return __heddle::shfl(lanes, v, laneOf(rank < delta ? rank : rank - delta),
                          32);
  }
  __HEDDLE_GROUP int any(int p) const { return __any_sync(lanes, p); }
  __HEDDLE_GROUP int all(int p) const { return __all_sync(lanes, p); }
  __HEDDLE_GROUP unsigned ballot(int p) const {
    unsigned votes = __ballot_sync(lanes, p), packed = 0, left = lanes;
    for (unsigned i = 0; left; ++i, left &= left - 1)
      if (votes & left & -left)
        packed |= 1u << i;
    return packed;
  }
  template <typename T> __HEDDLE_GROUP unsigned match_any(T v) const {
    return __match_any_sync(lanes, v);
  }
};
__HEDDLE_GROUP coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned Size, typename Parent = void> class thread_block_tile;

namespace __heddle {
/// What a tile is a part of: the block, or a greater tile.
template <typename Parent> struct tile_parent {
  __HEDDLE_GROUP static unsigned size() { return threads(); }
  __HEDDLE_GROUP static unsigned rank() { return __heddle::rank(); }
};
template <unsigned Size, typename Parent>
struct tile_parent<thread_block_tile<Size, Parent>> {
  __HEDDLE_GROUP static unsigned size() { return Size; }
  __HEDDLE_GROUP static unsigned rank() { return __heddle::rank() % Size; }
};
} // namespace __heddle

template <unsigned Size, typename Parent> class thread_block_tile {
public:
  thread_block_tile() = default;
  /// A tile of any group is one of no group in particular.
  template <typename Other>
  __HEDDLE_GROUP thread_block_tile(const thread_block_tile<Size, Other> &) {}
  static_assert(Size && !(Size & (Size - 1)) && Size <= 1024,
                "the size of a tile is a power of two");
  __HEDDLE_GROUP static unsigned mask() {
    if constexpr (Size >= 32)
      return 0xffffffffu;
    else
      return ((1u << Size) - 1) << (__heddle::lane() & ~(Size - 1));
  }
  __HEDDLE_GROUP static void sync() {
    if constexpr (Size > 32)
      __syncthreads();
    else
      __syncwarp(mask());
  }
  __HEDDLE_GROUP static unsigned thread_rank() {
    return __heddle::rank() & (Size - 1);
  }
  __HEDDLE_GROUP static constexpr unsigned size() { return Size; }
  __HEDDLE_GROUP static constexpr unsigned num_threads() { return Size; }
  __HEDDLE_GROUP static unsigned meta_group_size() {
    return (__heddle::tile_parent<Parent>::size() + Size - 1) / Size;
  }
  __HEDDLE_GROUP static unsigned meta_group_rank() {
    return __heddle::tile_parent<Parent>::rank() / Size;
  }
  template <typename T> __HEDDLE_GROUP T shfl(T v, int lane) const {
    return __heddle::shfl(mask(), v, lane, Size);
  }
  template <typename T> __HEDDLE_GROUP T shfl_up(T v, unsigned delta) const {
    return __heddle::shfl_up(mask(), v, (int)delta, Size);
  }
  template <typename T> __HEDDLE_GROUP T shfl_down(T v, unsigned delta) const {
    return __heddle::shfl_down(mask(), v, (int)delta, Size);
  }
  template <typename T> __HEDDLE_GROUP T shfl_xor(T v, int lanes) const {
    return __heddle::shfl_xor(mask(), v, lanes, Size);
  }
  __HEDDLE_GROUP int any(int p) const { return __any_sync(mask(), p); }
  __HEDDLE_GROUP int all(int p) const { return __all_sync(mask(), p); }
  __HEDDLE_GROUP unsigned ballot(int p) const {
    unsigned votes = __ballot_sync(mask(), p);
    if constexpr (Size < 32)
      votes = (votes & mask()) >> (__heddle::lane() & ~(Size - 1));
    return votes;
  }
  template <typename T> __HEDDLE_GROUP unsigned match_any(T v) const {
    unsigned same = __match_any_sync(mask(), v);
    if constexpr (Size < 32)
      same >>= __heddle::lane() & ~(Size - 1);
    return same;
  }
};

/// A group whose size the launch decides.
class thread_group {
  int kind; // 0 block, 1 lanes, 2 grid
  coalesced_group lanes;

public:
  __HEDDLE_GROUP thread_group(thread_block) : kind(0), lanes(0u) {}
  __HEDDLE_GROUP thread_group(grid_group) : kind(2), lanes(0u) {}
  __HEDDLE_GROUP thread_group(coalesced_group g) : kind(1), lanes(g) {}
  template <unsigned Size, typename Parent>
  __HEDDLE_GROUP thread_group(thread_block_tile<Size, Parent> t)
      : kind(1), lanes(t.mask()) {}
  __HEDDLE_GROUP void sync() const {
    if (kind == 1)
      lanes.sync();
    else if (kind == 0)
      __syncthreads();
    else
      __heddle_grid_sync();
  }
  __HEDDLE_GROUP unsigned thread_rank() const {
    return kind == 1   ? lanes.thread_rank()
           : kind == 0 ? __heddle::rank()
                       : (unsigned)this_grid().thread_rank();
  }
  __HEDDLE_GROUP unsigned size() const {
    return kind == 1   ? lanes.size()
           : kind == 0 ? __heddle::threads()
                       : (unsigned)this_grid().size();
  }
  __HEDDLE_GROUP unsigned num_threads() const { return size(); }
  __HEDDLE_GROUP unsigned mask() const { return lanes.mask(); }
};

template <unsigned Size, typename Parent>
__HEDDLE_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
__HEDDLE_GROUP coalesced_group tiled_partition(const thread_block &,
                                               unsigned size) {
  unsigned all = size >= 32
                     ? 0xffffffffu
                     : ((1u << size) - 1) << (__heddle::lane() & ~(size - 1));
  return coalesced_group(all);
}
__HEDDLE_GROUP coalesced_group tiled_partition(const thread_group &g,
                                               unsigned size) {
  return tiled_partition(thread_block(), size);
}
template <typename Group>
__HEDDLE_GROUP coalesced_group binary_partition(const Group &g, bool p) {
  unsigned mask = 0xffffffffu;
  if constexpr (!__is_same(Group, thread_block))
    mask = g.mask();
  unsigned yes = __ballot_sync(mask, p);
  return coalesced_group(p ? yes : mask & ~yes);
}
template <typename Group, typename T>
__HEDDLE_GROUP coalesced_group labeled_partition(const Group &g, T label) {
  return coalesced_group(__match_any_sync(g.mask(), label));
}
template <typename Group> __HEDDLE_GROUP void sync(const Group &g) { g.sync(); }
template <typename Group> __HEDDLE_GROUP unsigned thread_rank(const Group &g) {
  return (unsigned)g.thread_rank();
}
template <typename Group> __HEDDLE_GROUP unsigned group_size(const Group &g) {
  return (unsigned)g.size();
}
template <typename Group, typename F, typename... Args>
__HEDDLE_GROUP void invoke_one(const Group &g, F &&f, Args &&...args) {
  if (g.thread_rank() == 0)
    f(static_cast<Args &&>(args)...);
}
template <typename Group, typename F, typename... Args>
__HEDDLE_GROUP auto invoke_one_broadcast(const Group &g, F &&f,
                                         Args &&...args) {
  __remove_cvref(decltype(f(static_cast<Args &&>(args)...))) result;
  if (g.thread_rank() == 0)
    result = f(static_cast<Args &&>(args)...);
  return g.shfl(result, 0);
}
} // namespace cooperative_groups

#include "user_names.def"

#endif
