typedef struct __attribute__((packed)) {
  uchar a;
  int b;
  float3 c;
} Packed;
typedef struct _Ray {
  float4 o;
  float4 d;
} Ray;
struct Node {
  int left, right;
  float bmin[3];
  union {
    int i;
    float f;
  } u;
};
typedef union {
  uint4 v;
  uint s[4];
} U4;
enum { RED, GREEN = 5, BLUE };
typedef enum { A_, B_ } E;
constant int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__constant float4 dirs[] = {(float4)(1, 0, 0, 0), {0, 1, 0, 0}};
constant struct Node root = {1, 2, {0, 1, 2}, {3}};
#define SWAP(a, b)                                                             \
  {                                                                            \
    uint t = a;                                                                \
    a = b;                                                                     \
    b = t;                                                                     \
  }
#define F(x, y, z) (bitselect((z), (y), (x)))
bool hit(const Ray *r, __global const struct Node *n, float *t) {
  *t = n->bmin[0] * r->d.x;
  return *t > 0;
}
Ray make(float4 o) {
  Ray r = {o, dirs[1]};
  return r;
}
void swp(__local int *a, __local int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
__kernel void st(__global Packed *p, __global struct Node *n, __global int *o,
                 Ray arg, U4 u) {
  Ray r = make(arg.o);
  float t;
  __private int priv[4] = {[1] = 5, [2] = RED};
  __local int l[2];
  l[0] = 1;
  l[1] = 2;
  swp(&l[0], l + 1);
  o[0] = hit(&r, n, &t) ? GREEN : (int)t;
  o[1] = p[0].b + priv[o[0] & 3] + table[o[0] & 7] + root.u.i + l[1] + u.s[2];
  uint x = 1, y = 2;
  SWAP(x, y);
  o[2] = F(x, y, 3u) + sizeof(Packed) + sizeof(Ray);
  Packed q = p[1];
  q.c.x = 1;
  p[2] = q;
  for (int i = 0, j = 3; i < j; ++i, --j) {
    switch (o[i]) {
    case 1:
      o[i] = 2;
      break;
    default:
      o[j] = 1;
    }
  }
  do {
    x--;
  } while (x);
  goto end;
end:
  o[3] = y;
  event_t e = async_work_group_copy(l, o, 2, 0);
  wait_group_events(1, &e);
  e = async_work_group_strided_copy(l, o, 2, 2, 0);
  wait_group_events(1, &e);
  prefetch(o, 4);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  read_mem_fence(CLK_LOCAL_MEM_FENCE);
  write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
