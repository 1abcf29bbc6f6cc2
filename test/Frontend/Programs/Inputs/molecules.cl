// Forces: structs of vectors, neighbour lists, cell grids, private arrays,
// tables by macro, mixed precision.
#define SINGLE
#ifdef SINGLE
typedef float real;
typedef float3 real3;
typedef float4 real4;
#define CONVERT(x) convert_float4(x)
#else
typedef double real; typedef double3 real3; typedef double4 real4;
#define CONVERT(x) convert_double4(x)
#endif
#define NUMBER_PAR_PER_BOX 100
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))
typedef struct { real x, y, z; } THREE_VECTOR;
typedef struct { real v, x, y, z; } FOUR_VECTOR;
typedef struct nei_str { int x, y, z, number; long offset; } nei_str;
typedef struct box_str { int x, y, z, number; long offset; int nn; nei_str nei[26]; } box_str;
typedef struct par_str { real alpha; } par_str;
__kernel void boxes(par_str d_par, int boxes1d, __global box_str *d_box, __global FOUR_VECTOR *d_rv, __global real *d_qv, __global FOUR_VECTOR *d_fv) {
  int bx = get_group_id(0), tx = get_local_id(0), wtx = tx;
  if (bx < boxes1d) {
    real a2 = 2 * d_par.alpha * d_par.alpha;
    __global FOUR_VECTOR *rA = &d_rv[d_box[bx].offset];
    __local FOUR_VECTOR rA_shared[100];
    while (wtx < NUMBER_PAR_PER_BOX) { rA_shared[wtx] = rA[wtx]; wtx = wtx + 64; }
    wtx = tx;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < (1 + d_box[bx].nn); k++) {
      int pointer = k == 0 ? bx : d_box[bx].nei[k - 1].number;
      __global FOUR_VECTOR *rB = &d_rv[d_box[pointer].offset];
      for (int j = 0; j < NUMBER_PAR_PER_BOX; j++) {
        real r2 = rA_shared[wtx].v + rB[j].v - DOT(rA_shared[wtx], rB[j]), vij = exp(-a2 * r2);
        THREE_VECTOR d;
        d.x = rA_shared[wtx].x - rB[j].x;
        d_fv[wtx].v += d_qv[j] * vij;
        d_fv[wtx].x += d_qv[j] * (2 * vij * d.x);
      }
    }
  }
}
__kernel void lj(__global real4 *force, __global const real4 *position, const int maxNeighbours, __global const int *list, const real cutsq, const real lj1, const real lj2, const int n) {
  uint idx = get_global_id(0);
  real4 ipos = position[idx], f = (real4)(0.0f, 0.0f, 0.0f, 0.0f);
  for (int j = 0; j < maxNeighbours; j++) {
    real4 jpos = position[list[j * n + idx]];
    real3 del = ipos.xyz - jpos.xyz;
    real r2inv = dot(del, del);
    if (r2inv < cutsq) { r2inv = 1.0f / r2inv; real r6inv = r2inv * r2inv * r2inv; f.xyz += del * (r2inv * r6inv * (lj1 * r6inv - lj2)); }
  }
  force[idx] = f + CONVERT((int4)(0));
}
