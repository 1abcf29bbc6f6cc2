// RUN: %frontends --test %s
// FEATURE: cl_khr_subgroup_*: shuffles, rotation, ballots, clusters; cl_intel_subgroups
// LAUNCH: --grid 1 --block 32 --arg a:i32[64]=iota --arg o:i32[16]=zero --dump o
// EXPECT: o (i32[16]): 26 4 4 8 16 22 165 3 77 7 7039 31 32 1 1 16
#if !defined(cl_khr_subgroup_shuffle) || !defined(cl_khr_subgroup_ballot)
#error these are here
#endif
kernel void k(global int *a, global int *o) {
  uint l = get_sub_group_local_id();
  int v = a[l];
  int mirrored = sub_group_shuffle(v, 31 - l), pair = sub_group_shuffle_xor(v, 1),
      before = sub_group_shuffle_up(v, 1), turned = sub_group_rotate(v, 3);
  uint odd = sub_group_ballot_bit_count(sub_group_ballot(v & 1));
  int cluster = sub_group_clustered_reduce_add(v, 4);
  int some = 0, rank = 0;
  if (v % 3 == 0) {
    some = sub_group_non_uniform_reduce_add(v);
    rank = sub_group_non_uniform_scan_exclusive_add(1);
  }
  int far = intel_sub_group_shuffle_down(v, v + 100, 2);
  uint2 rows = intel_sub_group_block_read2((const global uint *)a);
  ushort narrow = intel_sub_group_shuffle((ushort)v, 7u);
  float4 four = 0;
  int8 eight = intel_sub_group_shuffle((int8)(v), 7u);
  int low = sub_group_ballot_find_lsb(sub_group_ballot(v == 31)), lanes = get_sub_group_lt_mask().x == 31;
  intel_sub_group_block_write((global uint *)a, (uint)v + 1);
  if (l == 5) {
    o[0] = mirrored;
    o[1] = pair;
    o[2] = before;
    o[3] = turned;
    o[4] = odd;
    o[5] = cluster;
  }
  if (l == 9) {
    o[6] = some;
    o[7] = rank;
  }
  if (l == 31)
    o[8] = far - 24 + narrow - 7;
  if (l == 7) {
    o[9] = eight.s3;
    o[10] = rows.x * 1000 + rows.y;
    o[11] = low;
  }
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 5) {
    o[12] = a[31];
    o[13] = lanes;
    o[14] = sub_group_non_uniform_all(l == 5);
    o[15] = (int)sub_group_broadcast_first((half)16);
  }
}
