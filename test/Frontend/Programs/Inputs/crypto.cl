// Hashes: rotations, vectors of unsigned, tables in constant memory, unrolled
// by macros.
#define F(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define STEP(f, a, b, c, d, x, t, s) (a) += f((b), (c), (d)) + (x) + (t); (a) = rotate((a), (uint)(s)); (a) += (b);
#define GETCHAR(buf, index) (((uchar *)(buf))[(index)])
#define PUTCHAR(buf, index, val) (buf)[(index) >> 2] = ((buf)[(index) >> 2] & ~(0xffU << (((index) & 3) << 3))) + ((val) << (((index) & 3) << 3))
__constant uint k256[] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5};
__constant uchar sbox[4] = {0x63, 0x7c, 0x77, 0x7b};
typedef struct { uint state[4]; ulong total; uchar buffer[64]; } ctx_t;
inline void block(__private uint *hash, const uint *w) {
  uint a = hash[0], b = hash[1], c = hash[2], d = hash[3];
  STEP(F, a, b, c, d, w[0], 0xd76aa478, 7)
  STEP(F, d, a, b, c, w[1], 0xe8c7b756, 12)
  hash[0] += a; hash[1] += b; hash[2] += c; hash[3] += d;
}
__kernel void md(__global const uint *keys, __global const uint *index, __global uint *out) {
  uint gid = get_global_id(0), base = index[gid], len = base & 63, w[16] = {0};
  base >>= 6;
  for (uint i = 0; i != (len + 3) / 4; i++)
    w[i] = keys[base + i];
  PUTCHAR(w, len, 0x80);
  uint hash[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  block(hash, w);
  out[gid] = hash[0] ^ GETCHAR(w, 1);
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void aes(__global uchar4 *state, __constant uchar4 *key, __local uchar4 *block0) {
  uint l = get_local_id(0);
  block0[l] = state[get_global_id(0)] ^ key[l & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar4 v = block0[l ^ 1];
  v = (uchar4)(sbox[v.x & 3], sbox[v.y & 3], sbox[v.z & 3], sbox[v.w & 3]);
  state[get_global_id(0)] = (v << (uchar4)1) ^ ((v >> (uchar4)7) * (uchar4)0x1b);
}
__kernel void vector(__global uint4 *x) {
  uint4 a = x[get_global_id(0)];
  a = rotate(a, 7u) + (a ^ (uint4)(k256[0], k256[1], k256[2], k256[3]));
  a.s01 = a.s10; a.hi += a.lo; a.odd ^= a.even;
  x[get_global_id(0)] = a;
}
__kernel void ctx(__global ctx_t *c) { ctx_t local_copy = c[get_global_id(0)]; local_copy.total += 64; local_copy.state[local_copy.total & 3] ^= local_copy.buffer[5]; c[get_global_id(0)] = local_copy; }
