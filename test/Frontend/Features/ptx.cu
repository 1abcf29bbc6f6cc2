// RUN: %frontends --test %s
// FEATURE: cuda::ptx: one lane of a warp, shuffles, bits, bytes, special registers
// TOOLKIT: its headers have assembly that the JIT does not execute
// LAUNCH: --arch sm_90 --grid 2 --block 64 --arg o:u32[13]=zero --dump o
// EXPECT: o (u32[13]): 4 1 4 27 112 0 4294967295 117768961 50463490 2 64 7 62
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(unsigned *o) {
  if (ptx::elect_sync(~0u))
    atomicAdd(o, 1);
  bool inside;
  const unsigned lane = ptx::get_sreg_laneid(),
                 next = ptx::shfl_sync_down(lane, inside, 1, 31, ~0u),
                 other = ptx::shfl_sync_bfly(next, 31, 31, ~0u);
  if (!inside)
    o[1] = lane / 31;
  if (ptx::get_sreg_tid_x() || ptx::get_sreg_ctaid_x())
    return;
  o[2] = ptx::bfind(16u);
  o[3] = ptx::bfind_shiftamt(16u);
  o[4] = ptx::bmsk_clamp(4, 3);
  o[5] = ptx::shl(1u, 40);
  o[6] = ptx::shr(-8, 40);
  o[7] = ptx::prmt(0x03020100u, 0x07060504u, 0x7531);
  o[8] = ptx::prmt_rc16(0x03020100u, 0u, 1);
  o[9] = ptx::get_sreg_nclusterid_x();
  o[10] = ptx::get_sreg_ntid_x();
  o[11] = ptx::shfl_sync_idx(7u, 0, 31, 1u);
  o[12] = other + 31; // lane 31 keeps its own
}
